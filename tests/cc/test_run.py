#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Programs that check themselves (tests/cc/run), compiled at every level and run on linx-sim."""
import concurrent.futures as cf, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve()
BIN = BUILD / "bin"
BUILTINS = BUILD / "lib/liblinx-builtins.a"
VARIANTS = [["-O0"], ["-O1"], ["-O2"], ["-Os"], ["-O3", "-fno-omit-frame-pointer", "-ffunction-sections"], ["-O2", "-g"], ["-O2", "-frounding-math"]]


def run(*cmd, limit=60):
    try:
        p = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
        return p.returncode, p.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, f"no end within {limit} s"


def test(job):
    src, flags, tmp, rt = job
    name = f"{src.stem} {' '.join(flags)}"
    base = tmp / name.replace(" ", "_")
    status, text = run(BIN / "linx-cc", *flags, "-std=gnu17", "-fno-math-errno", "-Wall", "-Wno-unused-variable", "-Werror", "-I", HERE / "rt",
                       "-c", src, "-o", f"{base}.o")
    if status == 0:
        status, text = run(BIN / "linx-cc", "-nostdlib", "-T", HERE / "rt/link.ld", f"{base}.o", *rt, BUILTINS, "-o", f"{base}.elf")
    if status == 0:
        status, text = run(BIN / "linx-sim", "-nographic", "--max-insns", "100000000", "-kernel", f"{base}.elf")
    if status == 0:
        return f"ok {name}"
    return f"not ok {name}: status {status}: " + " / ".join(text.strip().splitlines()[:4])


def main():
    for need in (BIN / "linx-cc", BIN / "linx-ld", BIN / "linx-sim", BUILTINS):
        if not need.exists():
            print(f"skip cc/run: {need} is not built")
            return 0
    with tempfile.TemporaryDirectory() as t:
        tmp = pathlib.Path(t)
        rt = []
        for f in ("start.S", "start.c"):
            rt.append(tmp / f"{f}.o")
            status, text = run(BIN / "linx-cc", "-O2", "-fno-builtin", "-c", HERE / "rt" / f, "-o", rt[-1])
            if status != 0:
                print(f"not ok rt/{f}: {text}")
                return 0
        jobs = [(s, v, tmp, rt) for s in sorted((HERE / "run").glob("*.c")) for v in VARIANTS]
        with cf.ThreadPoolExecutor(2) as pool:
            for line in pool.map(test, jobs):
                print(line, flush=True)
    return 0


sys.exit(main())
