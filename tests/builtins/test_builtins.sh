#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds lib/builtins for the host under other names and compares every function with the host's results.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
flags=(-std=gnu17 -O2 -Wall -Wextra -DBUILTINS_TEST -ffp-contract=off -fno-builtin)
for f in lib/builtins/*.c; do gcc "${flags[@]}" -Wmissing-prototypes -c "$f" -o "$dir/$(basename "$f" .c).o" & done; wait
gcc -std=gnu17 -O2 -w -DBUILTINS_TEST -ffp-contract=off tests/builtins/builtins_test.c "$dir"/*.o -lm -o "$dir/test"
"$dir/test"

# Every prototype is tested: none is missing from the test program.
missing= have=$(nm "$dir/test" | sed -n 's/.* [Tt] t_//p')
for name in $(grep -oE '^[a-z].*(FN|G)\(\w+\)' lib/builtins/prototypes.h | sed 's/.*(//; s/)//' | sort -u); do
  grep -qx "$name" <<<"$have" || missing="$missing $name"
done
[ -z "$missing" ] && echo "ok every function is linked into the test" || echo "not ok every function is linked into the test:$missing"
