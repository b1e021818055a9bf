#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Throughput against the number of PEs, wake-up times, the choice of the next task among many, gang turns and moves, in
instructions (1 instruction = 1 ns of TIME).

  scale.py [--check]    --check: exit status 1 when throughput falls below 0.95 of linear, or the choice is not flat
"""
import os
import re
import subprocess
import sys
import tempfile

import switch

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SMP = {1: "cores=1,pes=1", 2: "cores=1,pes=2", 4: "cores=1,pes=4", 8: "cores=2,pes=4", 16: "cores=4,pes=4",
       32: "cores=8,pes=4", 64: "cores=16,pes=4"}


def run(pes, append, *more):
    """The simulator runs the PEs in turn, --quantum instructions each: short ones where PEs wait for each other."""
    command = [os.path.join(ROOT, "build/bin/linx-sim"), "-smp", SMP[pes], *more, "--max-insns",
               "2000000000", "-append", append, os.path.join(ROOT, "build/images/scale_bench.elf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[:500]}")
    return done.stdout


def choice():
    """Median cost of a yield and of a tick, trap to next task, by number of ready tasks; the worst one by the best one."""
    costs = {"yield": [], "tick": []}
    print("ready tasks    yield     tick    (median and worst instructions from the trap to the next task)")
    for tasks in (2, 10, 100, 1000, 10000):
        with tempfile.NamedTemporaryFile(suffix=".log") as log:
            out = run(1, f"what=4 tasks={tasks}", "-d", "trap", "-D", log.name)
            rows = [(k, int(a), int(b)) for k, a, b in re.findall(r"choice (\w+) \d+ from (\d+) to (\d+)", out)]
            seen = {kind: [] for kind, _, _ in rows}
            for t, n, kind, num, where, before, after in switch.paths(log.name):
                for name, first, last in rows:
                    if first <= t <= last and switch.wanted(name, kind, num, where, before, after):
                        seen[name].append(n)
        line = f"{tasks:11}"
        for name in ("yield", "tick"):
            c = sorted(seen[name])
            costs[name].append(c[len(c) // 2])
            line += f"  {c[len(c) // 2]:4} {c[-1]:4}"
        print(line)
    return max(max(c) / min(c) for c in costs.values())


def main():
    base, worst = None, 1.0
    print("PEs      time     speed  of linear")
    for pes in SMP:
        took = int(re.search(r"time (\d+)", run(pes, "what=1", "--quantum", "100"))[1])
        base = base or took
        share = base / took
        worst = min(worst, share)
        print(f"{pes:3}  {took:8}  {share * pes:8.2f}      {share:.3f}")
    for pes in (2, 16, 64):
        print(f"{pes} PEs:", run(pes, "what=2", "--quantum", "10").strip())
    print(run(4, "what=3", "--quantum", "10").strip())
    print(run(8, "what=5", "--quantum", "10").strip())
    steepness = choice()
    print(f"the choice among 10,000 tasks costs {steepness:.3f} of the cheapest")
    if "--check" in sys.argv[1:] and steepness > 1.05:
        sys.exit(f"the choice is not flat: {steepness:.3f}")
    if "--check" in sys.argv[1:] and worst < 0.95:
        sys.exit(f"throughput falls to {worst:.3f} of linear")


main()
