#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Hostile tasks (attacks.def, attacks.txt): each is run beside victims with secrets, on one PE and on four, plain and with an
interrupt every 13 instructions.

  test_hostile.py            all attacks plain, every fifth one with interrupts
  test_hostile.py --long     all of them everywhere, several interleavings
  test_hostile.py --list     writes attacks.txt anew
"""
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIM, IMAGE, LIST = (os.path.join(ROOT, p) for p in ("build/bin/linx-sim", "build/images/hostile.elf", "tests/hostile/attacks.txt"))
LONG = "--long" in sys.argv[1:]
HEAD = "# What the hostile tasks try and how each has to end (made from attacks.def by test_hostile.py --list).\n"


def run(*options, append=""):
    done = subprocess.run([SIM, "-m", "64M", "--max-insns", "40000000000", "-append", append, *options, IMAGE], capture_output=True,
                          text=True, errors="replace", timeout=900, check=False)
    return done.returncode, done.stdout, done.stderr


def report(name, why=""):
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


def attacks():
    code, out, err = run(append="list=1")
    if code != 0:
        sys.exit(f"cannot list the attacks: {code} {err[:300]}")
    return out


def one(job):
    smp, every, seed, stride = job
    options = ["-smp", smp, "--seed", str(seed)] + (["--preempt-every", str(every)] if every else [])
    return job, run(*options, append=f"stride={stride} first={seed % stride} warm={warm(stride)}")


def warm(stride):
    """Attacks run beforehand: the kernel's tables grow with the largest number of tasks. All of them where each is run once."""
    return 3 if stride > 1 else 1 << 30


def main():
    if not os.path.exists(SIM) or not os.path.exists(IMAGE):
        sys.exit("build first: make")
    listed = attacks()
    if "--list" in sys.argv[1:]:
        with open(LIST, "w", encoding="ascii") as f:
            f.write(HEAD + listed)
        return
    with open(LIST, encoding="ascii") as f:
        report("the list in the repository is the one of the program", "" if f.read() == HEAD + listed else "run test_hostile.py --list")
    names = [line.split(" ", 1)[1] for line in listed.replace("   ", " ").splitlines()]
    report(f"at least 200 different attacks ({len(set(names))})", "" if len(set(names)) == len(names) >= 200 else f"{len(set(names))} of {len(names)}")
    jobs = [("cores=1,pes=1", 0, 0, 1), ("cores=1,pes=4", 0, 0, 1), ("cores=1,pes=1", 13, 1, 5), ("cores=1,pes=4", 13, 2, 5)]
    if LONG:
        jobs += [("cores=1,pes=1", 13, 0, 1), ("cores=1,pes=4", 13, 0, 1), ("cores=1,pes=2", 0, 0, 1), ("cores=2,pes=4", 0, 0, 1)]
        jobs += [("cores=1,pes=4", 0, seed, 1) for seed in range(1, 10)] + [("cores=1,pes=4", 1, 3, 50)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (smp, every, seed, stride), (code, out, err) in pool.map(one, jobs):
            where = f"{smp}" + (f", --preempt-every {every}" if every else "") + (f", seed {seed}" if seed else "")
            held = len(re.findall(r"^held attack ", out, re.M))
            want = len(range(seed % stride, len(names), stride))
            want += min(want, warm(stride))
            bad = re.findall(r"^# (.*)$", out, re.M)
            print(f"# {where}: {held} attacks held; " + (re.findall(r"^\d+ attacks, (.*)$", out, re.M) or ["no summary"])[0])
            report(f"nobody reads what it was not given, nobody stops another: {where}",
                   "" if code == 0 and held == want else f"status {code}, {held} of {want} held: {'; '.join(bad)[:600]} {err[:200]}")
            lines = re.findall(r"victim's line[^\n]*", out)
            broken = [s for s in lines if not re.fullmatch(r"victim's line \d+, which is whole from here to its end\.", s)]
            report(f"lines of others go out whole: {where}", "" if lines and not broken else f"{len(broken)} of {len(lines)} broken: {broken[:2]}")


main()
