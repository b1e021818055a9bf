#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A fixed subset of the C torture tests at -O0 and -O2. Runs when their source is at hand (package gcc-12-source, or
# an earlier "make torture"); nothing is downloaded here.
set -euo pipefail
for tool in linx-cc linx-ld linx-sim; do
  [ -x build/bin/$tool ] || { echo "skip torture subset: build/bin/$tool is not built"; exit 0; }
done
if [ ! -e build/torture/src/.complete ]; then
  ls /usr/src/gcc-12/gcc-12*.tar.* >/dev/null 2>&1 || { echo "skip torture subset: no gcc-12-source (make torture fetches it)"; exit 0; }
  tests/torture/fetch.sh build/torture/src
fi
out=$(mktemp -d); trap 'rm -rf "$out"' EXIT
tests/torture/run.py --out "$out" --subset tests/torture/subset.txt --lazy >"$out/log" 2>&1 || true
[ -s "$out/results-part.json" ] || { cat "$out/log"; echo "not ok torture subset: no results"; exit 0; }
python3 - "$out/results-part.json" <<'P'
import json, sys
for r in sorted(json.load(open(sys.argv[1])), key=lambda r: (r["test"], r["level"])):
    name = f"{r['test']} -O{r['level']}"
    last = (r["text"].strip().splitlines() or [""])[-1]
    print(f"ok {name}" if r["stage"] == "pass" else f"not ok {name}: {r['stage']} {last}")
P
