#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Nested and unlucky cases: one more interrupt at each instruction of the trap path, faults of the monitor, and tasks that
die at the worst moment (programs/unlucky_path.c, programs/unlucky.c).

  test_unlucky.py          every instruction in tasks and bodies, the first and last EDGE of each stay in the kernel, every
                           STRIDE-th between (an interrupt that comes there waits until the way out)
  test_unlucky.py --long   every instruction of the window
"""
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIM = os.path.join(ROOT, "build/bin/linx-sim")
EDGE, STRIDE = 36, 41
LONG = "--long" in sys.argv[1:]
COMMON = ["-m", "8M", "--max-insns", "3000000"]


def image(name, debug=False):
    return os.path.join(ROOT, "build", "images-debug" if debug else "images", name + ".elf")


def run(path, *options):
    done = subprocess.run([SIM, *COMMON, *options, path], capture_output=True, text=True, errors="replace", timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def report(name, why=""):
    print(f"not ok {name}: {why}" if why else f"ok {name}", flush=True)


# ---- an interrupt at every instruction --------------------------------------------------------------------------------------
def windows(append):
    """[first, last] instruction of each phase, and the stays in the kernel (trap, resume) as the simulator saw them. Nobody
    sleeps in this program, so TIME is the number of executed instructions."""
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        code, out, err = run(image("unlucky_path"), "-append", append + " windows=1", "-d", "trap", "-D", log.name)
        if code != 0:
            sys.exit(f"unlucky_path fails undisturbed: {code} {out}{err}")
        stays, since = [], None
        for line in log:
            time = int(re.search(r" time=(\d+)", line)[1])
            if line.startswith("trap") and "ring=2->1" in line:
                since = time
                kind = re.search(r"(sync|irq) num=\d+ cause=\d+", line)
                kind = (kind[0] if kind else line.split()[3:5], line.split()[-1])
            elif line.startswith("acre") and "ring=1->2" in line and since is not None:
                stays.append((since, time, str(kind)))
    marks = [(int(a), int(b)) for a, b in re.findall(r"^window (\d+) (\d+)$", out, re.M)]
    return marks, stays


def ranges(first, last, stays):
    """What to interrupt between first and last, as (from, to, step)."""
    if LONG:
        return [(first, last, 1)]
    chosen, at, seen = [], first, set()
    for begin, end, kind in stays:
        if begin < first or end > last:
            continue
        chosen.append((at, begin, 1))           # in the task
        if end - begin <= 2 * EDGE:
            chosen.append((begin + 1, end - 1, 1))
        elif (kind, end - begin) not in seen:   # the same path again tells nothing
            seen.add((kind, end - begin))
            chosen += [(begin + 1, begin + EDGE, 1), (begin + EDGE + 1, end - EDGE - 1, STRIDE), (end - EDGE, end - 1, 1)]
        at = end
    chosen.append((at, last, 1))
    return [r for r in chosen if r[0] <= r[1]]


def sweep(append, first, last, step):
    """The outputs of all runs and the instructions at which they differ from what is expected."""
    done = subprocess.run([SIM, *COMMON, "-append", append, "--preempt-each", f"{first}-{last}/{step}", image("unlucky_path")],
                          capture_output=True, timeout=1200, check=False)
    text, runs = done.stdout, []
    while text:
        head, _, text = text.partition(b"\n")
        found = re.match(rb"preempt-at (\d+) status (\d+) bytes (\d+)$", head)
        if not found:
            raise RuntimeError(f"unexpected output of --preempt-each: {head!r} {done.stderr[-300:]!r}")
        size = int(found[3])
        runs.append((int(found[1]), int(found[2]), text[:size].decode(errors="replace")))
        text = text[size:]
    return runs


def result(text):
    """What must not depend on the moment of an interrupt: all but handles, which depend on it by right."""
    return re.sub(r"task \d+ '", "task '", text)


def every_instruction():
    for append in ("slice=1500", "slice=300"):
        want = result(run(image("unlucky_path"), "-append", append)[1])
        marks, stays = windows(append)
        first, last = marks[0]
        todo = ranges(first, last, stays)
        fault_first, fault_last = marks[1]
        todo.append((fault_first, fault_last, 97 if not LONG else 1))     # most of it prints the report
        if append != "slice=1500" and not LONG:
            todo = todo[::8]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [r for part in pool.map(lambda r: sweep(append, *r), todo) for r in part]
        bad = [(n, status, text) for n, status, text in runs if status != 0 or result(text) != want]
        report(f"an interrupt at each of {len(runs)} instructions of the trap path ({append})",
               f"{len(bad)} differ, first at {bad[0][0]}: status {bad[0][1]}: {bad[0][2][-200:]!r}" if bad else
               "" if len(runs) > 100 else f"only {len(runs)} runs")


# ---- faults of the monitor --------------------------------------------------------------------------------------------------
def broken(source, address, target):
    """A copy of the image with no instruction at `address`."""
    data = bytearray(open(source, "rb").read())
    phoff, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for n in range(count):
        kind, _, offset, vaddr, _, size = struct.unpack_from("<IIQQQQ", data, phoff + 56 * n)
        if kind == 1 and vaddr <= address < vaddr + size:
            data[offset + address - vaddr:offset + address - vaddr + 4] = b"\xff\xff\xff\xff"
    target.write(data)
    target.flush()


def monitor():
    path = image("hello")
    code = subprocess.run([os.path.join(ROOT, "build/bin/linx-objdump"), "-d", path], capture_output=True, text=True, check=True).stdout
    finish = int(re.search(r"^([0-9a-f]+) <finish>:", code, re.M)[1], 16)
    dispatch = code[code.index("<monitor_dispatch>:"):]
    pe_start = int(re.search(r"^ *([0-9a-f]+):.*\bfence\.d", dispatch, re.M)[1], 16)
    for name, address, options, said in (
            ("start of a PE", pe_start, ["-smp", "cores=1,pes=2"], "monitor: trap in ACR0"),
            ("end of the machine", finish + 2, [], "monitor: trap in ACR0")):
        with tempfile.NamedTemporaryFile(suffix=".elf") as target:
            broken(path, address, target)
            status, out, err = run(target.name, *options)
            report(f"a fault of the monitor is reported and ends the machine: {name}",
                   "" if status == 1 and out.count(said) == 1 else f"status {status}: {out[-200:]!r} {err[:200]!r}")


# ---- tasks that die at the worst moment -------------------------------------------------------------------------------------
def worst_moments():
    runs = [("cores=1,pes=1", 1, ""), ("cores=1,pes=1", 2, "97"), ("cores=1,pes=2", 3, ""), ("cores=1,pes=4", 4, ""),
            ("cores=1,pes=4", 5, ""), ("cores=2,pes=4", 6, "")]
    if LONG:
        runs += [("cores=1,pes=4", n, "") for n in range(10, 60)] + [("cores=4,pes=4", n, "") for n in range(20)]
        runs += [("cores=1,pes=1", n, "13") for n in range(3)] + [("cores=1,pes=4", n, "13") for n in range(9)]

    def one(job):
        smp, choice, every = job
        options = ["-smp", smp, "--seed", str(choice - 1), "-append", f"choice={choice}", "--max-insns", "3000000000"]
        return job, run(image("unlucky"), *options, *(["--preempt-every", every] if every else []))

    results = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (smp, choice, every), (code, out, err) in pool.map(one, runs):
            where = f"{smp} choice={choice}" + (f" --preempt-every {every}" if every else "")
            lines = re.findall(r"^(ok|not ok) ([^\n]*)", out, re.M)
            for verdict, name in lines:
                results.setdefault(name.split(": ")[0] if verdict == "not ok" else name, []).append("" if verdict == "ok" else where)
            results.setdefault("every run ends", []).append("" if code == 0 and len(lines) == 12 else f"{where}: status {code} {out[-200:]!r}{err[:200]!r}")
    for name, places in results.items():
        report(name, "; ".join(p for p in places if p)[:400])


def main():
    if not os.path.exists(SIM) or not os.path.exists(image("unlucky_path")):
        sys.exit("build first: make")
    monitor()
    worst_moments()
    every_instruction()


main()
