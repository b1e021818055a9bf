#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fetches and builds the C library, then the programs that use it. usage: lib/libc/build.sh picolibc|newlib BUILD JOBS
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: lib/libc/build.sh picolibc|newlib BUILD JOBS" >&2; exit 1; }
libc=$1 build=$2 jobs=$3
version=1.8.10          # of picolibc, Debian suite trixie

if [ "$libc" = picolibc ]; then
  status=0
  scripts/fetch-source.sh trixie picolibc $version "$build/src/picolibc" || status=$?
  if [ $status -eq 3 ]; then
    echo "==> picolibc $version cannot be had here; using newlib of the package newlib-source instead" >&2
    libc=newlib
  elif [ $status -ne 0 ]; then
    exit $status
  fi
fi
if [ "$libc" = newlib ] && ! lib/libc/newlib-unpack.sh "$build/src/newlib"; then
  echo "==> no C library: neither picolibc nor newlib-source is available; left out with its tests" >&2
  rm -f "$build/lib/libc.a"
  exit 0
fi
scripts/fetch-source.sh bookworm lua5.4 5.4.4 "$build/src/lua" || echo "==> Lua's source cannot be had here; the shell goes without" >&2
for step in "$libc" programs; do
  make --no-print-directory -j"$jobs" -f "lib/libc/$step.mk" BUILD="$build"
done
