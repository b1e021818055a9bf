#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds linx-ld and linx-readelf from Debian's binutils-source, our patch and our new files.
#
# usage: build.sh BUILD_DIR LOG_DIR [JOBS]     results: BUILD_DIR/bin/linx-ld, BUILD_DIR/bin/linx-readelf
set -euo pipefail
flags=${MAKEFLAGS-}
case ${flags%% *} in -*) ;; *n*) exit 0 ;; esac # make -n runs "+" lines: nothing to do
[ $# -ge 2 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" "$2"
out=$(cd "$1" && pwd) log=$(cd "$2" && pwd) jobs=${3:-$(nproc)}
isa=$here/../isa
work=$out/binutils
case $flags in
  *jobserver*) parallel=() ;;   # called by make: share its jobs
  *) parallel=(-j"$jobs") ;;
esac
die() { echo "binutils/build.sh: $*" >&2; exit 1; }

tarball=$(ls /usr/src/binutils/binutils-*.tar.* 2>/dev/null | head -1) || true
[ -n "$tarball" ] || die "no /usr/src/binutils/binutils-*.tar.*: run scripts/setup.sh (package binutils-source)"

# step NAME COMMAND...: one line of progress; the whole output goes to the log.
step() {
  local name=$1; shift
  echo "==> binutils: $name"
  "$@" >"$log/binutils-${name// /-}.log" 2>&1 || {
    tail -20 "$log/binutils-${name// /-}.log" >&2
    die "'$name' failed; whole output: $log/binutils-${name// /-}.log"
  }
}

unpack() {
  rm -rf "$work/src" "$work/obj" && mkdir -p "$work/src" &&
  tar -xf "$tarball" -C "$work/src" --strip-components=1 \
    --exclude=*/gold --exclude=*/gprof* --exclude=*/ld/testsuite --exclude=*/binutils/testsuite --exclude=*/gas --exclude=*.gmo --exclude=ChangeLog* &&
  patch -s -d "$work/src" -p1 <"$here/linx.patch"
}

# Every part asks the same questions: one answer file for all. The parts are configured one after the
# other, then compiled together.
configure_() {
  mkdir -p "$work/obj" && cd "$work/obj" && rm -f "$work/config.cache" &&
  printf '%s\n' "cache_file=$work/config.cache" \
    "test ! -e \$cache_file || sed -i /^ac_cv_env_/d \$cache_file" >"$work/config.site" &&
  export CONFIG_SITE=$work/config.site CCACHE_DISABLE=1 &&
  CC="${CCACHE-$(command -v ccache || true)} gcc" CFLAGS="-O1" MAKEINFO=true \
  ../src/configure --target=linx64-unknown-elf --prefix="$out" --with-sysroot=/nonexistent \
    --disable-nls --disable-werror --disable-plugins --disable-shared --disable-gas --disable-gold \
    --disable-gprof --disable-gprofng --disable-gdb --disable-gdbserver --disable-sim --disable-libctf \
    --disable-multilib --without-zstd --without-debuginfod --without-jansson --with-system-zlib \
    --enable-default-hash-style=sysv --disable-dependency-tracking --disable-warn-rwx-segments &&
  make MAKEINFO=true configure-libiberty configure-libsframe configure-bfd configure-ld \
    configure-binutils
}

mkdir -p "$work"
exec 9>"$out/binutils.lock"
flock 9 # two makes may come at once
: >"$work/started"

# The patch decides which tree we have; the new files may change in it and are only copied.
stamp=$work/unpacked
declare -f unpack configure_ | cat "$here/linx.patch" - <(echo "$tarball") >"$work/wanted"
if ! cmp -s "$stamp" "$work/wanted"; then
  step unpack unpack
  mv "$work/wanted" "$stamp"
fi
put() { cmp -s "$1" "$2" || cp "$1" "$2"; } # keeps the time of a file that has not changed
"$here/gen_relocs.py" "$isa/linx.isa" "$isa/linx_relocs.def" >"$work/linx-relocs.h"
put "$work/linx-relocs.h" "$work/src/include/elf/linx-relocs.h"
for f in bfd/cpu-linx.c bfd/elf64-linx.c include/elf/linx.h ld/emulparams/elf64linx.sh; do
  put "$here/$f" "$work/src/$f"
done
if [ "$work/src/include/elf/linx-relocs.h" -nt "$work/src/bfd/elf64-linx.c" ]; then
  touch "$work/src/bfd/elf64-linx.c" "$work/src/binutils/readelf.c"
fi

# Known answers go to configure by the environment.
answers=$here/debian12.answers
if [ ! -e "$work/obj/binutils/Makefile" ]; then (
  if [ "# for $(gcc -dumpmachine), $(getconf GNU_LIBC_VERSION)" = "$(sed -n 2p "$answers")" ]; then
    set -a
    . "$answers"
    set +a
  fi
  step configure configure_
); fi
step "compile bfd" make -C "$work/obj" "${parallel[@]}" MAKEINFO=true all-bfd all-libiberty all-libsframe
step "compile ld" make -C "$work/obj/ld" "${parallel[@]}" MAKEINFO=true all
step "compile readelf" make -C "$work/obj/binutils" "${parallel[@]}" MAKEINFO=true readelf
# The results are as old as the start: a source that changed meanwhile is newer, and make comes again.
for f in ld/ld-new:linx-ld binutils/readelf:linx-readelf; do
  result=$out/bin/${f#*:}
  strip -o "$result.new" "$work/obj/${f%:*}"
  touch -r "$work/started" "$result.new"
  mv "$result.new" "$result"
done
echo "==> binutils: build/bin/linx-ld, build/bin/linx-readelf"
