#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures linx-sim: guest MIPS (medians of 5) of an integer mix on 1, 4 and 64 PEs, and lane operations of the data
engine; beside Spike and QEMU on the same C program when they and a RISC-V clang are installed.

usage: bench/sim/run.py [BUILD]          (make bench-sim builds first)
"""
import os, pathlib, re, resource, shutil, statistics, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
here = root / "bench/sim"
out = build / "bench"
out.mkdir(parents=True, exist_ok=True)


def cpu_seconds(cmd):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([str(c) for c in cmd], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout.decode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, text


def mips(name, cmd, insns):
    """insns: number of instructions, or a function of the program's output"""
    rates = []
    for _ in range(5):
        s, text = cpu_seconds(cmd)
        rates.append((insns(text) if callable(insns) else insns) / s / 1e6)
    print(f"{name:34} {statistics.median(rates):8.0f} MIPS   (min {min(rates):.0f}, max {max(rates):.0f})")


cc, assembler, ld, sim = (build / "bin" / t for t in ("linx-cc", "linx-as", "linx-ld", "linx-sim"))
subprocess.run([assembler, here / "start.S", "-o", out / "start.o"], check=True)


def image(name, rounds):
    subprocess.run([cc, "-O2", "-ffreestanding", "-nostdlib", f"-DROUNDS={rounds}", "-c", here / "mix.c", "-o", out / f"{name}.o"], check=True)
    subprocess.run([ld, "-Ttext=0x80000000", out / "start.o", out / f"{name}.o", "-o", out / f"{name}.elf"], check=True)
    return out / f"{name}.elf"


mix, short = image("mix", 6000), image("short", 600)


def count(pes):
    return lambda text: pes * int(re.search(r"insns (\d+)", text)[1])


# 64 PEs run a tenth of the rounds each.
print("CPU time, medians of 5")
mips("linx-sim, 1 PE", [sim, mix], count(1))
mips("linx-sim, 4 PEs", [sim, "-smp", "cores=1,pes=4", mix], count(4))
mips("linx-sim, 64 PEs", [sim, "-smp", "cores=16,pes=4", short], count(64))

lanes = build / "tests/engine/bench"
if lanes.exists():
    print(subprocess.run([lanes], stdout=subprocess.PIPE).stdout.decode(), end="")

spike, qemu, clang = (shutil.which(t) for t in ("spike", "qemu-system-riscv64", "clang-19"))
if not (spike or qemu):
    print("Spike and QEMU: not installed, no comparison")
elif not clang:
    print("Spike or QEMU is here, but no clang-19 to build the mix for RISC-V")
else:
    start = """    .globl _start, read_time, wait_interrupt
_start: csrr a0, mhartid
    bnez a0, wait_interrupt
    li sp, 0x80400000
    li a1, 1
    call start_c
read_time: csrr a0, minstret
    ret
wait_interrupt: wfi
    j wait_interrupt
"""
    (out / "rv.S").write_text(start)
    flags = ["--target=riscv64-unknown-elf", "-march=rv64imac", "-mabi=lp64", "-mcmodel=medany", "-O2", "-ffreestanding", "-nostdlib"]
    built = subprocess.run([clang, *flags, "-fuse-ld=lld", "-Wl,-Ttext=0x80000000", out / "rv.S", here / "mix.c", "-o", out / "rv.elf"])
    if built.returncode:
        print("the mix did not build for RISC-V (ld.lld missing?)")
    elif qemu:
        base = [qemu, "-M", "virt", "-bios", "none", "-nographic", "-kernel", out / "rv.elf"]
        mips("qemu-system-riscv64 TCG", base, count(1))
        mips("qemu-system-riscv64 -icount 0", base + ["-icount", "shift=0"], count(1))
