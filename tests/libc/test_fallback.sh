#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Without picolibc's source newlib takes its place: the message says so, and the programs land where picolibc's would.
set -uo pipefail
cd "$(dirname "$0")/../.."
[ -f build/newlib/lib/libc.a ] || { echo "skip newlib in picolibc's place: newlib is not built (make LIBC=newlib)"; exit 0; }
there=$(mktemp -d build/fallback-XXXXXX)
trap 'rm -rf "$there"' EXIT
for d in bin kernel gen src; do ln -s "$PWD/build/$d" "$there/$d"; done
cp -a build/newlib/{lib,sysroot,libc} "$there/"         # compiled already; what is tested is the way there
ln -s "$PWD"/build/lib/lib{LLVMLinx64.so,linx-builtins.a} "$there/lib/"
rm -rf "$there/libc/programs" "$there/libc/port"
message=$(env -u MAKEFLAGS LINX_NO_PICOLIBC=1 lib/libc/build.sh picolibc "$there" 2 2>&1) || { echo "not ok newlib in picolibc's place: ${message: -300}"; exit 0; }
case $message in
  *"picolibc 1.8.10 cannot be had here: newlib 3.3.0 takes its place"*) echo "ok newlib in picolibc's place is announced";;
  *) echo "not ok newlib in picolibc's place is announced: ${message: -300}";;
esac
line=$(build/bin/linx-sim -append "a b c" "$there/images/hello-libc.elf" 2>&1)
if [ "$line" = "hello from program with 3 arguments" ] && grep -q newlib "$there/libc/.library"; then
  echo "ok newlib in picolibc's place runs hello"
else echo "not ok newlib in picolibc's place runs hello: $line"; fi
