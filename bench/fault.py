#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a fault costs that a task's own handler answers, in instructions.

  bench/fault.py [--count N]      N faults per row (default 100); run from the repository's root after `make kernel`

Runs build/images/fault.elf and takes times from the simulator's trap log (TIME is one ns per instruction): "in" from the
trap to the handler's first instruction, "handler" its own, "out" from its fault_return to where the task goes on. The handler
repairs one pointer and answers retry.
"""
import argparse
import collections
import re
import subprocess
import sys
import tempfile

SIM, IMAGE = "build/bin/linx-sim", "build/images/fault.elf"
EVENT = re.compile(r"(trap|acre) pe=0 ring=(\d)->(\d) .*?time=(\d+)")
NUMBER = re.compile(r"num=(\d+)")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=100)
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        log = f"{tmp}/trap.log"
        r = subprocess.run([SIM, IMAGE, "-d", "trap", "-D", log, "-append", f"count={args.count}", "--max-insns", "2000000000"],
                           capture_output=True, text=True)
        if r.returncode != 0:
            sys.exit(f"bench/fault.py: {SIM} ended with {r.returncode}:\n{r.stdout}{r.stderr}")
        rows = [line.split()[1:] for line in r.stdout.splitlines() if line.startswith("row ")]
        events = []                     # (time, number of the trap or None for ACRE) between rings 1 and 2
        with open(log, encoding="ascii") as f:
            for line in f:
                m = EVENT.match(line)
                if m and {m[2], m[3]} == {"1", "2"}:
                    events.append((int(m[4]), int(NUMBER.search(line)[1]) if m[1] == "trap" else None))
    print(f"{'fault':32} {'n':>5} {'in':>7} {'handler':>7} {'out':>7} {'total':>7}")
    for name, begin, end in rows:
        costs = collections.defaultdict(list)
        inside = [e for e in events if int(begin) <= e[0] < int(end)]
        for (t0, a), (t1, b), (t2, c), (t3, d) in zip(inside, inside[1:], inside[2:], inside[3:]):
            if a in (0, 1) and b is None and c == 16 and d is None:
                for key, value in (("in", t1 + 1 - t0), ("handler", t2 - t1 - 1), ("out", t3 + 1 - t2), ("total", t3 + 1 - t0)):
                    costs[key].append(value)
        if len(costs["in"]) != args.count:
            sys.exit(f"bench/fault.py: {name}: {len(costs['in'])} faults instead of {args.count}")
        middle = {k: sorted(v)[len(v) // 2] for k, v in costs.items()}
        print(f"{name:32} {len(costs['in']):5} {middle['in']:7} {middle['handler']:7} {middle['out']:7} {middle['total']:7}")


if __name__ == "__main__":
    main()
