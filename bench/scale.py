#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Throughput against the number of PEs, wake-up times and gang turns, in instructions (1 instruction = 1 ns of TIME).

  scale.py [--check]    --check: exit status 1 when throughput falls below 0.95 of linear
"""
import os
import re
import subprocess
import sys

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


def main():
    base, worst = None, 1.0
    print("PEs      time     speed  of linear")
    for pes in SMP:
        took = int(re.search(r"time (\d+)", run(pes, "what=1"))[1])
        base = base or took
        share = base / took
        worst = min(worst, share)
        print(f"{pes:3}  {took:8}  {share * pes:8.2f}      {share:.3f}")
    for pes in (2, 16, 64):
        print(f"{pes} PEs:", run(pes, "what=2", "--quantum", "10").strip())
    print(run(4, "what=3", "--quantum", "10").strip())
    if "--check" in sys.argv[1:] and worst < 0.95:
        sys.exit(f"throughput falls to {worst:.3f} of linear")


main()
