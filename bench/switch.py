#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a task switch costs, in instructions from the trap to the first instruction of the next task.

  bench/switch.py [--count N]      N switches per row (default 1000); run from the repository's root after `make kernel`

Runs build/images/switch.elf on the simulator and takes the times of traps and ACREs from its trap log (TIME is one ns
per instruction). A row for a body counts the switches that leave one body of that type and go on inside another. The
column "+ops" adds what the template blocks (FENTRY, FEXIT, FRET) of that path expand to beyond one operation each; it
comes from an instruction trace of a short run. Reference on RV64 (FreeRTOS, no block state): 219 by tick (168 with
hardware clz), 169 (118) by yield, 137 without a switch.
"""
import argparse
import collections
import re
import subprocess
import sys
import tempfile

SIM, IMAGE = "build/bin/linx-sim", "build/images/switch.elf"
GOALS = {"tick,scalar": 160, "yield,scalar": 110, "tick,no-switch,scalar": 90}
TRAP = re.compile(r"trap pe=0 ring=2->1 (sync|irq) num=(\d+) .*? bi=(\d) .*?ebarg=(0x[0-9a-f]+|0) time=(\d+) (\S+)")
ACRE = re.compile(r"acre pe=0 ring=1->2 bi=(\d) type=(\d+) bpc=\S+ tpc=\S+ time=(\d+)")


def run(args, log, kinds):
    r = subprocess.run([SIM, IMAGE, "-d", kinds, "-D", log, "--max-insns", "2000000000"] + args, capture_output=True, text=True)
    if r.returncode != 0:
        sys.exit(f"bench/switch.py: {SIM} ended with {r.returncode}:\n{r.stdout}{r.stderr}")
    return [line.split()[1:] for line in r.stdout.splitlines() if line.startswith("row ")]


def in_body(bi, block_type):
    return bi == "1" and block_type == 3


def wanted(name, kind, num, where, body_before, body_after):
    if name.startswith("yield"):
        return kind == "sync" and num == "16" and where.startswith("linx_yield+")
    if not (kind == "irq" and num == "3"):
        return False
    return (body_before and body_after) == ("PAR" in name or "SEQ" in name)


def paths(log):
    """(time, instructions, kind, num, symbol, body before, body after) of each trap that came back to a task."""
    start = None
    with open(log, encoding="ascii") as f:
        for line in f:
            m = TRAP.match(line)
            if m:
                start = m
                continue
            m = ACRE.match(line)
            if m and start:
                kind, num, bi, ebarg, t0, where = start.groups()
                yield (int(t0), int(m[3]) + 1 - int(t0), kind, num, where, in_body(bi, int(ebarg, 16) >> 32 & 31),
                       in_body(m[1], int(m[2])))
                start = None


def template_ops(log):
    """Start time -> operations of template blocks beyond one, for each trap of an instruction trace."""
    ops, at = {}, None
    with open(log, encoding="ascii") as f:
        for line in f:
            if not line.startswith("insn"):
                continue
            words = line.split(None, 7)
            if line.rstrip().endswith("; trap_entry+0"):
                at = int(words[2])
                ops[at] = 0
            elif at is not None:
                if words[6] in ("FENTRY", "FEXIT", "FRET.STK", "FRET.RA"):
                    ops[at] += max(0, line.count("| W 0x") + line.count("| R 0x") - 1) if words[6] != "FENTRY" else \
                        max(0, line.count("| W 0x") - 1)
                elif words[6] == "ACRE":
                    at = None
    return ops


def collect(rows, log, extra=None):
    windows = [(int(r[1]), int(r[2]), r[0]) for r in rows]
    found = collections.defaultdict(list)
    i = 0
    for t, n, kind, num, where, before, after in paths(log):
        while i < len(windows) and t > windows[i][1]:
            i += 1
        if i < len(windows) and t >= windows[i][0] and wanted(windows[i][2], kind, num, where, before, after):
            found[windows[i][2]].append(n if extra is None else extra.get(t, 0))
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=1000)
    args = p.parse_args()
    bad = 0
    print(f"{'situation':38} {'n':>6} {'min':>6} {'median':>6} {'max':>6} {'+ops':>5} {'moved/live':>10}  goal")
    with tempfile.TemporaryDirectory() as tmp:
        for options in (["-append", "single count={n}", "--preempt-every", "500"], ["-append", "count={n}"]):
            log = f"{tmp}/trap.log"
            rows = run([o.format(n=args.count) for o in options], log, "trap")
            costs = collect(rows, log)
            short = run([o.format(n=4) for o in options], log, "trap,insn")
            extra = collect(short, log, template_ops(log))
            for name, _, _, saves, moved, live in rows:
                c = sorted(costs[name])
                c = c[:args.count] if len(c) < args.count else sorted(costs[name][:args.count])
                if not c:
                    print(f"{name:38} no such switch was seen")
                    bad += 1
                    continue
                ops = sorted(extra[name])
                ratio = f"{int(moved) / int(live):.4f}" if int(live) else "-"
                goal = GOALS.get(name)
                met = goal is None or c[len(c) // 2] <= goal
                bad += not met or (int(live) and int(moved) / int(live) > 1.10)
                print(f"{name:38} {len(c):6} {c[0]:6} {c[len(c) // 2]:6} {c[-1]:6} {ops[len(ops) // 2] if ops else 0:5} {ratio:>10}"
                      f"  {'' if goal is None else f'<= {goal} ' + ('met' if met else 'MISSED')}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
