#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compile speed: processor time (user and system) of linx-cc -O2 against clang-19 -O2 --target=riscv64 on the same
files. Best of three runs.

usage: speed.py [--build DIR] [--runs N] FILE.c... [-- FLAGS...]
       without files: the benchmarks of this folder
"""
import argparse, os, pathlib, resource, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
argv = sys.argv[1:]
flags = argv[argv.index("--") + 1:] if "--" in argv else []
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build")
ap.add_argument("--runs", type=int, default=3)
ap.add_argument("files", nargs="*", type=pathlib.Path)
opt = ap.parse_args(argv[:argv.index("--")] if "--" in argv else argv)
files = opt.files or sorted(HERE.glob("*.c"))
CCS = {"clang-19": ["clang-19", "--target=riscv64-unknown-elf", "-march=rv64imac", "-mabi=lp64"],
       "linx-cc": [str(opt.build.resolve() / "bin/linx-cc")]}


def cpu():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


best = {}
with tempfile.TemporaryDirectory() as tmp:
    for _ in range(opt.runs):
        for name, cc in CCS.items():
            start = cpu()
            for f in files:
                p = subprocess.run([*cc, "-O2", "-w", *flags, "-c", str(f), "-o", os.path.join(tmp, "o.o")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if p.returncode:
                    sys.exit(f"speed.py: {name} {f}: {p.stdout.decode(errors='replace')}")
            best[name] = min(best.get(name, 1e9), cpu() - start)
ratio = best["linx-cc"] / best["clang-19"]
print(f"{len(files)} files: clang-19 {best['clang-19']:.2f} s, linx-cc {best['linx-cc']:.2f} s, ratio {ratio:.2f}")
