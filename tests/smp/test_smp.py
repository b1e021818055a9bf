#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kernel on several PEs.

  test_smp.py           what fits into every test run
  test_smp.py --long    100 seeds for each number of PEs, and long random operations with the debug kernel
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIM = os.path.join(ROOT, "build/bin/linx-sim")
SMP = {1: "cores=1,pes=1", 2: "cores=1,pes=2", 4: "cores=1,pes=4", 8: "cores=2,pes=4", 16: "cores=4,pes=4", 64: "cores=16,pes=4"}
LONG = "--long" in sys.argv[1:]
failed = 0


def image(name, debug=False):
    return os.path.join(ROOT, "build", "images-debug" if debug else "images", name + ".elf")


def run(path, smp, append="", seed=0, extra=()):
    """Exit status and output of one machine; a machine that does not end is cut off and fails."""
    command = [SIM, "-smp", smp, "--seed", str(seed), "--max-insns", "4000000000", "-append", append, *extra, path]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600, check=False)
    return done.returncode, done.stdout


def report(name, why=""):
    global failed
    failed += why != ""
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else -1


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


def migration():
    """The same results on every number of PEs and with every seed, with tasks stopped in bodies on their way."""
    seeds = {pes: range(1, 101) for pes in SMP} if LONG else {1: [0], 2: [0, 1, 2], 4: [0, 1, 2, 3], 8: [0, 1, 2], 16: [0, 1, 2], 64: [0]}
    results = set()
    kinds = {}
    for pes, chosen in seeds.items():
        bad = moved = 0
        for seed in chosen:
            code, out = run(image("smp_migrate"), SMP[pes], f"choice={seed + 1}", seed)
            bad += code != 0
            results.add((re.search(r"^results .*$", out, re.M) or [out[-200:]])[0])
            moved += number(r"inside bodies (\d+)", out)
            for kind, n in re.findall(r"([A-Z][A-Za-z ]+) (\d+)[,)]", out[out.find("("):]):
                kinds[kind] = kinds.get(kind, 0) + int(n)
        why = f"{bad} of {len(list(chosen))} runs failed" if bad else "no migration inside a body" if pes > 1 and moved == 0 else ""
        print(f"# {pes} PEs: {len(list(chosen))} runs, {moved} migrations inside bodies")
        report(f"results are the same on {pes} PEs", why)
    report("one result for all machines and seeds", "" if len(results) == 1 else f"{len(results)} different: {sorted(results)}")
    missing = [k for k in ("VPAR", "VSEQ", "MPAR", "MSEQ", "VPAR that inherits") if kinds.get(k, 0) == 0]
    print("# inside bodies:", ", ".join(f"{k} {n}" for k, n in kinds.items()))
    report("bodies of every type migrate", f"none of {missing}" if missing else "")


def stress():
    for pes, seeds in ((1, [1]), (2, [1, 2]), (4, [1, 2, 3]), (16, [1, 2])):
        bad = []
        for seed in range(1, 21) if LONG else seeds:
            code, out = run(image("smp_stress"), SMP[pes], f"choice={seed} ops={400 if LONG else 120}", seed)
            if code != 0:
                bad.append(f"seed {seed}: {out.strip()[-200:]}")
        report(f"random operations on {pes} PEs", "; ".join(bad))
    if not os.path.exists(image("smp_stress", True)):
        print("skip random operations with the debug kernel: make smp-debug builds it")
        return
    for pes, seed in ((1, 1), (4, 2), (16, 3)):
        append = f"slice=500000 unit=200 choice={seed}" + (" ops=600" if LONG else "")
        code, out = run(image("smp_stress", True), SMP[pes], append, seed)
        report(f"random operations keep every rule on {pes} PEs", "" if code == 0 else f"status {code}: {out.strip()[-300:]}")


def gangs():
    """demos/gang has one result; Shared registers are saved and loaded, gangs go from core to core."""
    runs = [(pes, seed) for pes in (4, 8, 16, 64) for seed in (range(1, 101) if LONG else (0, 1, 2) if pes < 64 else (0,))]
    results, switches, moves = set(), 0, 0
    bad = []
    for pes, seed in runs:
        code, out = run(image("gang"), SMP[pes], f"choice={seed + 1}", seed)
        if code != 0:
            bad.append(f"{pes} PEs, seed {seed}: {out.strip()[-200:]}")
        results.add((re.search(r"^results .*$", out, re.M) or [""])[0])
        switches += number(r"loads (\d+)", out)
        moves += number(r"gang moves (\d+)", out)
    print(f"# {len(runs)} runs, {switches} times Shared registers came back, {moves} moves of gangs")
    report("gangs compute the same on every machine", "; ".join(bad) if bad else "" if len(results) == 1 else f"{sorted(results)}")
    report("gangs switch and move", "" if switches > 0 and moves > 0 else f"{switches} switches, {moves} moves")
    for smp, seed in (("cores=1,pes=1", 0), ("cores=1,pes=2", 1), ("cores=1,pes=4", 0), ("cores=2,pes=4", 2)):
        code, out = run(image("smp_shared"), smp, "sizes=12" if LONG or seed == 0 else "sizes=6", seed)
        for line in out.splitlines():
            if line.startswith(("ok ", "not ok ", "#")):
                print(f"{line} ({smp})")
        report(f"Shared registers, windows and gangs: {smp}", "" if code == 0 else f"status {code}")
    if os.path.exists(image("gang", True)):
        code, out = run(image("gang", True), SMP[8], "slice=400000 rounds=2", 3)
        report("gangs keep every rule", "" if code == 0 else f"status {code}: {out.strip()[-200:]}")


def scale():
    results = set()
    for pes in SMP:
        code, out = run(image("scale"), SMP[pes])
        results.add((re.search(r"^results .*$", out, re.M) or [""])[0])
        report(f"the filter on {pes} PEs", "" if code == 0 else f"status {code}: {out.strip()[-200:]}")
    report("the picture is the same on every machine", "" if len(results) == 1 else f"{sorted(results)}")
    done = subprocess.run([os.path.join(ROOT, "bench/scale.py"), "--check"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        print("#", line)
    report("throughput of 64 PEs is at least 0.95 of linear", "" if done.returncode == 0 else done.stderr.strip()[-200:])


def main():
    if not os.path.exists(SIM) or not os.path.exists(image("smp_migrate")):
        sys.exit("build first: make")
    bring_up()
    absent()
    migration()
    stress()
    gangs()
    scale()


main()
