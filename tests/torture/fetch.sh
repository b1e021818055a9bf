#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Fetches gcc.c-torture/execute from Debian's gcc-12-source package into DIR; nothing is installed.
# usage: fetch.sh DIR     exit status 3: the package cannot be had here
set -euo pipefail
[ $# -eq 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
dir=$1
[ -e "$dir/.complete" ] && exit 0
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
tarball=$(ls /usr/src/gcc-12/gcc-12*.tar.* 2>/dev/null | head -1) || true
if [ -z "$tarball" ]; then
  echo "==> torture: download gcc-12-source"
  (cd "$dir" && apt-get download -qq gcc-12-source >fetch.log 2>&1) || {
    echo "fetch.sh: cannot download gcc-12-source (see $dir/fetch.log); apt-get update may help" >&2
    exit 3
  }
  dpkg-deb --fsys-tarfile "$dir"/gcc-12-source_*.deb | tar -x -C "$dir" --wildcards '*/gcc-12*.tar.*'
  tarball=$(find "$dir/usr" -name 'gcc-12*.tar.*' | head -1)
fi
echo "==> torture: unpack gcc.c-torture/execute"
tar -xf "$tarball" -C "$dir" --wildcards --strip-components=1 'gcc-12*/gcc/testsuite/gcc.c-torture/execute'
rm -rf "$dir/usr" "$dir"/*.deb
n=$(find "$dir/gcc/testsuite/gcc.c-torture/execute" -name '*.c' | wc -l)
[ "$n" -gt 1000 ] || { echo "fetch.sh: only $n tests in $tarball" >&2; exit 1; }
echo "==> torture: $n tests"
touch "$dir/.complete"
