#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Random operations on 16 PEs with the debug kernel, which checks every rule of kernel/check.c on the way out of every trap.

  stress.py [--insns N] [--pes N]     default: 10^8 instructions of operations, on 16 PEs

Instructions are counted in runs of the ordinary kernel with the same operations: the checks are not among them.
"""
import argparse
import json
import os
import re
import sys
import tempfile

import seeds

OPTIONS = "tasks=32 slice=100000 unit=20 ops={ops} choice={seed}"


def one(folder, pes, ops, seed):
    """Why the run failed ("" if it did not), its line of counts, its instructions."""
    with tempfile.NamedTemporaryFile(suffix=".json") as f:
        code, out = seeds.machine(os.path.join(seeds.ROOT, "build", folder, "smp_stress.elf"), seeds.SMP[pes],
                                  OPTIONS.format(ops=ops, seed=seed), seed, ("--stats", f.name), 20000000000)
        text = f.read()
    counts = re.search(r"^PEs .*", out, re.M)
    insns = sum(pe["insns"] for pe in json.loads(text)["pes"]) if text else 0
    return ("" if code == 0 and counts else f"status {code}: {out.strip()[-300:]}"), counts[0] if counts else "", insns


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--insns", type=int, default=10**8)
    ap.add_argument("--pes", type=int, default=16)
    opt = ap.parse_args()
    total, checked, seed, failed = 0, 0, 0, 0
    while total < opt.insns and failed == 0:
        seed += 1
        for folder in ("images", "images-debug"):
            why, counts, insns = one(folder, opt.pes, 40, seed)
            failed += why != ""
            print(f"not ok seed {seed}, {folder}: {why}" if why else f"ok seed {seed}, {folder}: {insns} instructions; {counts}", flush=True)
            total += insns if folder == "images" else 0
            checked += insns if folder == "images-debug" else 0
    print(f"{total} instructions of operations; with the checks {checked}")
    sys.exit(1 if failed else 0)


main()
