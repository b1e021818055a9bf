#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""One result for every number of PEs and every interleaving: runs the demos that use several PEs with many seeds.

  seeds.py [--seeds FIRST-LAST] [--pes N,N,..] [NAME ...]     default: seeds 1-100, all numbers of PEs, all programs

Each line of the report is a test: all runs of one program on one number of PEs ended well, with the one result.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIM = os.path.join(ROOT, "build/bin/linx-sim")
SMP = {1: "cores=1,pes=1", 2: "cores=1,pes=2", 4: "cores=1,pes=4", 8: "cores=2,pes=4", 16: "cores=4,pes=4", 64: "cores=16,pes=4"}
ALL = tuple(SMP)

# image: boot arguments ({seed} varies what the program chooses), what of the output is the result, numbers of PEs, and
# counts to add up over all runs: name, pattern, whether it must come out above 0 where there are so many PEs.
PROGRAMS = {
    "smp_migrate": ("choice={seed}", r"^results .*$", ALL, [("migrations inside bodies", r"inside bodies (\d+)", 2)]),
    "preempt": ("min=10 rounds=40", r"^PASS.*$", ALL, [("migrations inside bodies", r"migrations inside bodies (\d+)", 2),
                                                       ("preemptions inside VPAR bodies", r"preemptions inside bodies: VPAR (\d+)", 1)]),
    "gang": ("choice={seed} rounds=2", r"^results .*$", (4, 8, 16, 64),
             [("switches of gangs with their Shared registers", r"loads (\d+)", 4), ("moves of gangs", r"gang moves (\d+)", 8)]),
    "scale": ("", r"^results .*$", ALL, []),
    "image": ("", r"(?s)^image blur .*", ALL, []),
}


def picture():
    """A grey picture, 80 x 60, as a file."""
    f = tempfile.NamedTemporaryFile(suffix=".pgm")
    f.write(b"P5 80 60 255\n" + bytes((x * 7 ^ y * 13) * 2654435761 >> 11 & 255 for y in range(60) for x in range(80)))
    f.flush()
    return f


def machine(path, smp, append="", seed=0, extra=(), insns=4000000000):
    """Exit status and output of one run; one that does not end is cut off and fails."""
    command = [SIM, "-smp", smp, "--seed", str(seed), "--max-insns", str(insns), "-append", append, *extra, path]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600, check=False)
    return done.returncode, done.stdout


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else -1


def check(name, seeds_of, verdict):
    """Runs one program with seeds_of[N] on N PEs; verdict(test, why) hears about every N. The results seen."""
    append, pattern, allowed, counts = PROGRAMS[name]
    results = set()
    with picture() as f:
        for pes, seeds in seeds_of.items():
            if pes not in allowed:
                continue
            bad, sums, start = [], [0] * len(counts), time.time()
            for seed in seeds:
                code, out = machine(os.path.join(ROOT, "build/images", name + ".elf"), SMP[pes], append.format(seed=seed), seed,
                                    ("-initrd", f.name) if name == "image" else ())
                found = re.search(pattern, out, re.M)
                if code != 0 or found is None:
                    bad.append(f"seed {seed}: status {code}: {out.strip()[-200:]}")
                    continue
                results.add(found[0])
                sums = [n + max(0, number(p, out)) for n, (_, p, _) in zip(sums, counts)]
            seen = ", ".join(f"{what} {n}" for n, (what, _, _) in zip(sums, counts))
            print(f"# {name} on {pes} PEs: {len(seeds)} seeds, {time.time() - start:.1f} s" + (f"; {seen}" if seen else ""))
            none = [what for n, (what, _, least) in zip(sums, counts) if n == 0 and pes >= least]
            verdict(f"{name} on {pes} PEs", "; ".join(bad[:3]) if bad else f"no {none}" if none else
                    "" if len(results) == 1 else f"{len(results)} different results")
    return results


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seeds", default="1-100", help="FIRST-LAST (1-100)")
    ap.add_argument("--pes", default=",".join(map(str, ALL)))
    ap.add_argument("name", nargs="*", default=list(PROGRAMS))
    opt = ap.parse_args()
    first, last = (int(x) for x in opt.seeds.split("-"))
    failed = []

    def verdict(name, why):
        print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)
        if why:
            failed.append(name)
    for name in opt.name:
        check(name, {int(p): range(first, last + 1) for p in opt.pes.split(",")}, verdict)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
