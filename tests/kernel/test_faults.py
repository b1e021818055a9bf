#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Faults in ring 2: the exact record of every exception in every kind of block; handlers that repair random bodies."""
import re
import subprocess
import sys

SIM, IMAGES = "build/bin/linx-sim", "build/images"


def run(image, *options, seconds=240):
    try:
        r = subprocess.run([SIM, *options, "--max-insns", "20000000000", f"{IMAGES}/{image}.elf"], capture_output=True, text=True,
                           timeout=seconds)
        return r.returncode, r.stdout, r.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"longer than {seconds} s"


def verdict(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why}", flush=True)


def forwarded(image, suffix, *options):
    """A test program's own lines, and its end; gives what it printed."""
    code, out, err = run(image, *options)
    for line in out.splitlines():
        if re.match(r"(ok |not ok |# )", line):
            print(re.sub(r"^((?:not )?ok [^:]*)", rf"\1{suffix}", line))
    verdict(f"{image} ends well{suffix}", code == 0, f"exit {code}; {err[:300]}")
    return out


def records():
    out = forwarded("test_records", "")
    code, out1, _ = run("test_records", "--preempt-every", "1", "-append", "sp=0")
    verdict("the same records with an interrupt after every instruction", code == 0 and out1.count("\nok ") == out.count("\nok ") - 4 > 100,
            f"exit {code}: {[l for l in out1.splitlines() if l.startswith('not ok')][:5]}")


def repairs():
    for name, bodies, options in (("", 1000, ()), (" (--groups 1)", 300, ("--groups", "1", "-append", "count=300")),
                                  (" (--groups 2)", 300, ("--groups", "2", "-append", "first=300 count=300")),
                                  (" (--preempt-every 7)", 60, ("--preempt-every", "7", "-append", "count=60")),
                                  (" (rival, --preempt-every 97)", 60, ("--preempt-every", "97", "-append", "first=60 count=60 rival=1")),
                                  (" (rival, --preempt-every 7)", 10, ("--preempt-every", "7", "-append", "first=200 count=10 rival=1"))):
        out = forwarded("test_repair", name, *options)
        counts = re.findall(r"# (\d+) bodies, (\d+) faults injected", out)
        verdict(f"faults were injected{name}", len(counts) == 3 and int(counts[0][0]) == bodies and
                all(int(f) >= int(b) > 0 for b, f in counts), f"{counts}")


def demo():
    code, out, err = run("exceptions")
    print("".join(f"# {line}\n" for line in out.splitlines()), end="")
    verdict("demos/exceptions: every row as expected", code == 0 and out.endswith("PASS\n") and out.count("as expected") == 20 and
            "WRONG" not in out, f"exit {code}; {err[:300]}")
    code, out, err = run("exceptions", "--preempt-every", "11")
    verdict("demos/exceptions, --preempt-every 11", code == 0 and out.count("as expected") == 20, f"exit {code}; {out[-300:]}{err[:300]}")


def cost():
    r = subprocess.run(["bench/fault.py", "--count", "20"], capture_output=True, text=True)
    print("".join(f"# {line}\n" for line in r.stdout.splitlines()), end="")
    total = re.search(r"^scalar .* (\d+)$", r.stdout, re.M)
    verdict("a scalar fault is answered in 6,000 instructions", r.returncode == 0 and total and int(total[1]) < 6000, r.stdout + r.stderr)


def handlers():
    forwarded("test_handlers", "")
    for name, options in ((" (--groups 1)", ("--groups", "1")), (" (--preempt-every 53)", ("--preempt-every", "53")),
                          (" (4 PEs)", ("-smp", "cores=1,pes=4"))):
        forwarded("test_handlers", name, *options)


for image in ("test_records", "test_repair", "test_handlers", "exceptions"):
    if subprocess.run(["test", "-e", f"{IMAGES}/{image}.elf"], check=False).returncode:
        sys.exit(f"{IMAGES}/{image}.elf is missing: make kernel")
records()
repairs()
handlers()
demo()
cost()
