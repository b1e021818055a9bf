#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""64 tasks in the C library (programs/stress.c), preempted after every 7, 13 and 97 instructions: no wrong result, no
line that is broken or lost, no memory left behind."""
import itertools, pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/libc"))
import libraries

if not libraries.built():
    print("skip 64 tasks in the C library: not built (make libc)")

whole = re.compile(r"task (\d\d) round (\d): a line that must stay whole +(\d+\.\d\d\d) (\d+) *\|([0-9a-f]{6})$")
def right(line):
    m = whole.match(line)
    if not m:
        return None
    task, rnd = int(m[1]), int(m[2])
    return (task, rnd) if float(m[3]) == task / 8 and int(m[4]) == task * rnd and int(m[5], 16) == task * 0x1234 else None

for library, every in itertools.product(libraries.built(), (None, 97, 13, 7)):
    name = library.label(f"64 tasks in the C library, {'by the timer' if every is None else f'preempted every {every} instructions'}")
    image = library.images / "libc-stress.elf"
    options = [] if every is None else ["--preempt-every", str(every)]
    try:
        p = subprocess.run([root / "build/bin/linx-sim", "-m", "64M", "--max-insns", "3000000000", *options, image],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=400,
                           text=True, errors="replace")
    except subprocess.TimeoutExpired:
        print(f"not ok {name}: no end after 400 s")
        continue
    lines = p.stdout.splitlines()
    seen = {}
    odd = []
    for line in lines:
        at = right(line)
        if at:
            seen[at] = seen.get(at, 0) + 1
        elif line not in ("start", "done: 0 failures"):
            odd.append(line)
    want = {(t, r): 2 for t in range(64) for r in range(3)}
    if p.returncode == 0 and seen == want and not odd:
        print(f"ok {name}")
    else:
        print(f"not ok {name}: status {p.returncode}, {sum(seen.values())} of 384 lines, odd: {odd[:3]}")
