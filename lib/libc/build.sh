#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fetches and builds the C library, then the programs that use it. usage: lib/libc/build.sh picolibc BUILD JOBS
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: lib/libc/build.sh picolibc BUILD JOBS" >&2; exit 1; }
libc=$1 build=$2 jobs=$3
version=1.8.10          # of picolibc, Debian suite trixie
[ "$libc" = picolibc ] || { echo "build.sh: LIBC=$libc is not supported; the library is picolibc" >&2; exit 1; }

status=0
scripts/fetch-source.sh trixie picolibc $version "$build/src/picolibc" || status=$?
if [ $status -eq 3 ]; then
  echo "==> no C library: picolibc $version cannot be had here; what needs it is left out, and its tests skip" >&2
  rm -f "$build/lib/libc.a" "$build"/images/{libc-*,hello-libc,shell}.elf
  exit 0
fi
[ $status -eq 0 ] || exit $status
scripts/fetch-source.sh bookworm lua5.4 5.4.4 "$build/src/lua" || echo "==> Lua's source cannot be had here; the shell goes without" >&2
for step in "$libc" programs; do
  make --no-print-directory -j"$jobs" -f "lib/libc/$step.mk" BUILD="$build"
done
