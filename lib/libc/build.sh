#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fetches and builds the C library, then the programs that use it. usage: lib/libc/build.sh picolibc|newlib BUILD JOBS
# picolibc's results go below BUILD, newlib's below BUILD/newlib. When picolibc's source cannot be had, newlib takes its
# place below BUILD. LINX_NO_PICOLIBC=1 behaves as if it could not be had (tests/libc/test_fallback.sh).
set -euo pipefail
flags=${MAKEFLAGS-}
case ${flags%% *} in -*) ;; *n*) exit 0 ;; esac # make -n runs "+" lines: nothing to do
[ $# -eq 3 ] || { echo "usage: lib/libc/build.sh picolibc|newlib BUILD JOBS" >&2; exit 1; }
libc=$1 build=$2 jobs=$3
picolibc=1.8.10         # Debian suite trixie
newlib=3.3.0            # this machine's package newlib-source (scripts/setup.sh)

# unpack_newlib: 0, or 3 when it cannot be had.
unpack_newlib() {
  local dir=$build/src/newlib tarball=/usr/src/newlib/newlib-$newlib.tar.xz
  [ "$(cat "$dir/.complete" 2>/dev/null)" = "newlib $newlib" ] && return 0
  [ -f "$tarball" ] || return 3
  rm -rf "$dir" && mkdir -p "$dir"
  tar -xf "$tarball" -C "$dir" --strip-components=1 --no-same-owner --exclude='*/libgloss' --exclude='*/doc' --exclude='*/libc/sys' \
      --exclude='*/libc/machine'
  echo "newlib $newlib" >"$dir/.complete"
  echo "==> newlib $newlib: unpacked to $dir"
}

root=$build status=0
case $libc in
  picolibc)
    if [ -n "${LINX_NO_PICOLIBC-}" ]; then status=3
    else scripts/fetch-source.sh trixie picolibc $picolibc "$build/src/picolibc" || status=$?; fi
    if [ $status -eq 3 ]; then
      echo "==> picolibc $picolibc cannot be had here: newlib $newlib takes its place" >&2
      libc=newlib status=0
      unpack_newlib || status=$?
    fi;;
  newlib) root=$build/newlib; unpack_newlib || status=$?;;
  *) echo "build.sh: LIBC=$libc: the libraries are picolibc and newlib" >&2; exit 1;;
esac
# What another library left below the same root is not for this one.
if [ "$(cat "$root/libc/.library" 2>/dev/null)" != "$libc" ]; then
  rm -rf "$root"/{lib/{libc,libm,liblinx-port,liblinx-bare}.a,sysroot,images/{libc-*,hello-libc,hello-double,bench-mem,shell}.elf} "$root/libc"
fi
if [ $status -eq 3 ]; then
  echo "==> no C library: newlib $newlib cannot be had here (package newlib-source); what needs one is left out, and its tests skip" >&2
  exit 0
fi
[ $status -eq 0 ] || exit $status
mkdir -p "$root/libc"
echo "$libc" >"$root/libc/.library"
# program NAME SUITE PACKAGE VERSION [FOLDER]: the source of a program of the shell.
program() {
  scripts/fetch-source.sh "$2" "$3" "$4" "$build/src/$1" ${5+"$5"} || echo "==> the source of $1 cannot be had here; the shell goes without" >&2
}
program lua bookworm lua5.4 5.4.4
program coremark trixie emscripten 3.1.69+dfsg test/third_party/coremark
program dhrystone bookworm u-boot 2023.01+dfsg lib/dhry
case $flags in *jobserver*) parallel=() ;; *) parallel=(-j"$jobs") ;; esac     # called by make: share its jobs
for step in library programs; do
  make -s --no-print-directory "${parallel[@]}" -f "lib/libc/$step.mk" BUILD="$build" LIBC="$libc" ROOT="$root"
done
