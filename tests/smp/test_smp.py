#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kernel on several PEs: bring-up, one result whatever the interleaving (seeds.py), random operations, Shared registers
and gangs, throughput. `make smp-long` and `make smp-stress` run the long forms."""
import os
import re
import subprocess
import sys

import seeds
from seeds import SIM, SMP, machine, number

ROOT = seeds.ROOT
SEEDS = {pes: range(1, 7 if pes < 64 else 3) for pes in SMP}        # of every program; make smp-long: 100
failed = 0


def image(name, debug=False):
    return os.path.join(ROOT, "build", "images-debug" if debug else "images", name + ".elf")


def run(path, smp, append="", seed=0, extra=()):
    return machine(path, smp, append, seed, extra)


def report(name, why=""):
    global failed
    failed += why != ""
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


def bring_up():
    for smp, pes in (("cores=1,pes=1", 1), ("cores=3,pes=1", 3), ("cores=2,pes=2", 4), ("cores=16,pes=4", 64)):
        code, out = run(image("smp_migrate"), smp, "runs=1")
        seen = number(r"PEs (\d+)", out)
        report(f"every PE comes up: {smp}", "" if code == 0 and seen == pes else f"status {code}, {seen} of {pes} PEs")


def absent():
    """PEs that do not answer are reported and left out; the others do the work."""
    code, out = run(image("smp_migrate"), "cores=2,pes=2", "runs=1", 0, ("--dead-pe", "1", "--dead-pe", "4"))
    said = all(f"PE {n} does not answer" in out for n in (1, 4)) and "PE 5 does not" not in out
    report("PEs that do not answer are left out", "" if code == 0 and said and number(r"PEs (\d+)", out) == 2 else
           f"status {code}: {out.strip()[-300:]}")


def interleavings():
    for name in seeds.PROGRAMS:
        seeds.check(name, SEEDS, report)


def body_types():
    kinds = {}
    for seed in SEEDS[4]:
        _, out = run(image("smp_migrate"), SMP[4], f"choice={seed}", seed)
        for kind, n in re.findall(r"([A-Z][A-Za-z ]+) (\d+)[,)]", out[out.find("("):]):
            kinds[kind] = kinds.get(kind, 0) + int(n)
    missing = [k for k in ("VPAR", "VSEQ", "MPAR", "MSEQ", "VPAR that inherits") if kinds.get(k, 0) == 0]
    print("# inside bodies:", ", ".join(f"{k} {n}" for k, n in kinds.items()))
    report("bodies of every type migrate", f"none of {missing}" if missing else "")


def stress():
    for pes, chosen in ((1, [1]), (2, [1, 2]), (4, [1, 2, 3]), (16, [1, 2])):
        bad = []
        for seed in chosen:
            code, out = run(image("smp_stress"), SMP[pes], f"choice={seed} ops=120", seed)
            if code != 0:
                bad.append(f"seed {seed}: {out.strip()[-200:]}")
        report(f"random operations on {pes} PEs", "; ".join(bad))
    if not os.path.exists(image("smp_stress", True)):
        print("skip random operations with the debug kernel: make smp-debug builds it")
        return
    for pes, seed in ((1, 1), (4, 2), (16, 3)):
        append = f"slice=100000 unit=20 tasks=16 ops=30 choice={seed}"
        code, out = run(image("smp_stress", True), SMP[pes], append, seed)
        report(f"random operations keep every rule on {pes} PEs", "" if code == 0 else f"status {code}: {out.strip()[-300:]}")


def shared():
    for smp, seed in (("cores=1,pes=1", 0), ("cores=1,pes=2", 1), ("cores=1,pes=4", 0), ("cores=2,pes=4", 2)):
        code, out = run(image("smp_shared"), smp, "sizes=12" if seed == 0 else "sizes=6", seed)
        for line in out.splitlines():
            if line.startswith(("ok ", "not ok ", "#")):
                print(f"{line} ({smp})")
        report(f"Shared registers, windows and gangs: {smp}", "" if code == 0 else f"status {code}")
    for smp in ("cores=1,pes=1", "cores=1,pes=4"):
        code, out = run(image("smp_roles"), smp)
        for line in out.splitlines():
            if line.startswith(("ok ", "not ok ", "# line")):
                print(f"{line} ({smp})")
        types = out.count("E_BLOCK(type)")
        report(f"roles of B.IOS: {smp}", "" if code == 0 and types == 3 else f"status {code}, {types} times E_BLOCK(type), not 3")
    if os.path.exists(image("gang", True)):
        code, out = run(image("gang", True), SMP[8], "slice=400000 rounds=2", 3)
        report("gangs keep every rule", "" if code == 0 else f"status {code}: {out.strip()[-200:]}")


def throughput():
    done = subprocess.run([os.path.join(ROOT, "bench/scale.py"), "--check"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        print("#", line)
    report("throughput of 64 PEs is at least 0.95 of linear", "" if done.returncode == 0 else done.stderr.strip()[-200:])


def main():
    if not os.path.exists(SIM) or not os.path.exists(image("smp_migrate")):
        sys.exit("build first: make")
    bring_up()
    absent()
    interleavings()
    body_types()
    stress()
    shared()
    throughput()


main()
