#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kernel on the simulator: every call of the interface, misbehaving tasks, the preemption demonstration, panics,
sizes; the same under --preempt-every, which interrupts tasks after every N of their instructions."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

SIM, IMAGES = "build/bin/linx-sim", "build/images"


def run(image, *options, insns=2000000000, seconds=240):
    try:
        r = subprocess.run([SIM, *options, "--max-insns", str(insns), f"{IMAGES}/{image}.elf"], capture_output=True, text=True,
                           timeout=seconds)
        return r.returncode, r.stdout, r.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"longer than {seconds} s"


def verdict(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why}", flush=True)


def forwarded(image, suffix, *options):
    """A test program's own lines, and its end."""
    code, out, err = run(image, *options)
    for line in out.splitlines():
        if re.match(r"(ok |not ok |# )", line):
            print(re.sub(r"^((?:not )?ok [^:]*)", rf"\1{suffix}", line))
    verdict(f"{image} ends well{suffix}", code == 0, f"exit {code}; {err[:300]}")


def body_types(out):
    m = re.search(r"preemptions inside bodies: VPAR (\d+), VSEQ (\d+), MPAR (\d+), MSEQ (\d+); interrupts inside bodies (\d+)", out)
    return [int(v) for v in m.groups()] if m else None


def test_demo():
    with tempfile.NamedTemporaryFile(suffix=".json") as f:
        code, out, err = run("preempt", "--stats", f.name)
        print("".join(f"# {line}\n" for line in out.splitlines()), end="")
        seen = body_types(out)
        verdict("preemption demo: 1000 of each type, all results right", code == 0 and seen and min(seen[:4]) >= 1000,
                f"exit {code}; {err[:300]}")
        stats = json.load(open(f.name, encoding="ascii"))["pes"][0]
        verdict("the kernel counts as many interrupts inside bodies as the simulator",
                seen and seen[4] == stats["preempted_bodies"] <= stats["body_resumes"],     # resumed after page faults, too
                f"kernel {seen}, simulator {stats['preempted_bodies']}, resumed {stats['body_resumes']}")
        rows = [line.split() for line in out.splitlines() if re.search(r"(?: +\d+){11}$", line)]
        saved = sum(int(r[-4]) for r in rows)
        verdict("the table counts as many ESAVEs as the simulator", len(rows) == 7 and saved == stats["esave"],
                f"table {saved}, simulator {stats['esave']}")
    for every in (1, 2, 7, 13):
        code, out, err = run("preempt", "--preempt-every", str(every), "-append", "min=20 rounds=2")
        seen = body_types(out)
        verdict(f"preemption demo, --preempt-every {every}", code == 0 and "PASS" in out, f"exit {code}; {out[-400:]}{err[:300]}")
    for groups in ("1", "2"):
        code, out, err = run("preempt", "--groups", groups, "-append", "min=100")
        verdict(f"preemption demo, --groups {groups}", code == 0, f"exit {code}; {out[-400:]}{err[:300]}")
    code, out, err = run("preempt", "-m", "64M", "-append", "min=100 slice=3000 rounds=200")
    verdict("preemption demo, long bodies, 64 MB", code == 0, f"exit {code}; {out[-400:]}{err[:300]}")
    runs = {run("preempt", "-append", "min=50")[1] for _ in range(2)}
    verdict("preemption demo is deterministic", len(runs) == 1, "two runs differ")


def destroyed(image, *functions):
    """A copy of the image where these functions begin with words that are no instructions. Gives its name."""
    path = f"{IMAGES}/{image}.elf"
    data = bytearray(open(path, "rb").read())
    at = {f[2]: int(f[0], 16) for f in (line.split() for line in subprocess.run(
        ["build/bin/linx-nm", path], capture_output=True, text=True, check=True).stdout.splitlines()) if len(f) == 3}
    phoff, phentsize, phnum = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    for name in functions:
        for i in range(phnum):
            offset, va, _, size = struct.unpack_from("<QQQQ", data, phoff + i * phentsize + 8)
            if va <= at[name] < va + size:
                data[offset + at[name] - va:offset + at[name] - va + 8] = b"\xff" * 8
    open(f"{IMAGES}/{image}_destroyed.elf", "wb").write(data)
    return f"{image}_destroyed"


def test_panic():
    code, out, _ = run(destroyed("test_panic", "sys_task_self"), insns=20000000)
    want = ("PANIC on PE 0: trap in the kernel", "E_INST(illegal)", "sys_task_self+0x0", "block ", "BPC ", "TPC ", "a0 ", "t#1 ",
            "current task", "linx_task_self")
    verdict("a panic shows cause, block, registers and symbols, and fails the run",
            code not in (0, 124, -1) and all(w in out for w in want), f"exit {code}: missing {[w for w in want if w not in out]}")
    code, out, _ = run(destroyed("test_panic", "sys_task_self", "printk"), insns=20000000)
    verdict("a panic that fails itself still ends the machine", code not in (0, 124, -1), f"exit {code}: {out[-300:]}")


def test_sizes():
    out = subprocess.run(["build/bin/linx-nm", f"{IMAGES}/preempt.elf"], capture_output=True, text=True, check=True).stdout
    at = {w[2]: int(w[0], 16) for w in (line.split() for line in out.splitlines()) if len(w) == 3}
    text = at["__kernel_text_end"] - at["__kernel_text"]
    data = at["__kernel_data_end"] - at["__kernel_data"] + at["__kernel_bss_end"] - at["__kernel_bss"]
    base = text - (at["__parts_text_end"] - at["__parts_text"])
    verdict("the kernel's base text is at most 24 KB", base <= 24 << 10, base)
    verdict("kernel data is at most 16 KB", data <= 16 << 10, data)
    print(f"# kernel text {text} bytes ({base} of them the base), data {data} bytes (a task: sizeof(struct task) <= 512 is a _Static_assert)")


for needed in [SIM] + [f"{IMAGES}/{i}.elf" for i in ("preempt", "test_api", "test_faults", "test_wide", "test_panic", "hello", "tile")]:
    if not os.path.exists(needed):
        sys.exit(f"{needed} is missing: make kernel")
forwarded("test_api", "")
forwarded("test_faults", "")
forwarded("test_wide", "")
forwarded("test_save_image", "")
for image, want in (("hello", "hello from task"), ("tile", "7\n")):
    code, out, err = run(image)
    verdict(f"demo {image}", code == 0 and out.startswith(want), f"exit {code}: {out}{err[:200]}")
for n in ("1", "5"):
    forwarded("test_api", f" (--preempt-every {n})", "--preempt-every", n, "-append", "ticks")
    forwarded("test_faults", f" (--preempt-every {n})", "--preempt-every", n)
test_demo()
test_panic()
test_sizes()
