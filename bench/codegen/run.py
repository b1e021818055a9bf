#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Code quality: dynamic instructions and text bytes of linx-cc against riscv64-unknown-elf-gcc.

Both compile the same files with the same options; linx-sim counts the instructions of one, qemu-riscv64 those
of the other (one instruction per translation block, so it is slow). Block starts count as instructions.
Start-up and the output of the checksum are part of both. Text is the size of .text of the linked program.

usage: run.py [--build DIR] [-O LEVEL] [--linx-only] [--json FILE] [NAME...]
Exit status: 0, or 1 when a program failed or the checksums differ.
"""
import argparse, json, pathlib, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build")
ap.add_argument("-O", default="2", help="optimization level (default 2)")
ap.add_argument("--linx-only", action="store_true", help="do not count RISC-V (no GCC, no QEMU)")
ap.add_argument("--json", type=pathlib.Path, help="write the results there as well")
ap.add_argument("--keep", type=pathlib.Path, help="leave the programs in this folder")
ap.add_argument("names", nargs="*")
opt = ap.parse_args()
BIN = opt.build.resolve() / "bin"
FLAGS = [f"-O{opt.O}", "-std=c17", "-ffreestanding", "-fno-common", "-Wall", "-Wextra"]
RISCV = ["riscv64-unknown-elf-gcc", "-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"]


def run(*cmd):
    p = subprocess.run([str(c) for c in cmd], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        sys.exit(f"run.py: {' '.join(map(str, cmd))}: status {p.returncode}\n"
                 f"{p.stdout.decode(errors='replace')}{p.stderr.decode(errors='replace')}")
    return p.stdout.decode(errors="replace")


def text_size(elf):
    for line in run("llvm-readelf-19", "-S", "-W", elf).splitlines():
        m = re.search(r"\s\.text\s+PROGBITS\s+\S+\s+\S+\s+([0-9a-f]+)", line)
        if m:
            return int(m.group(1), 16)
    sys.exit(f"run.py: {elf} has no .text")


def build(cc, link, name, folder, suffix):
    objects = []
    for src in (f"{name}.c", "lib.c", "main.c"):
        o = folder / f"{name}-{src}.{suffix}.o"
        run(*cc, *FLAGS, *(["-fno-builtin"] if src == "lib.c" else []), "-c", HERE / src, "-o", o)
        objects.append(o)
    elf = folder / f"{name}.{suffix}"
    run(*link, "-T", HERE / "link.ld", *objects, "-o", elf)
    return elf


def linx(name, folder):
    elf = build([BIN / "linx-cc"], [BIN / "linx-ld"], name, folder, "linx")
    stats = folder / f"{name}.json"
    out = run(BIN / "linx-sim", "-nographic", "--stats", stats, "-kernel", elf)
    return out.strip(), instructions(json.load(open(stats))), text_size(elf)


def instructions(stats):
    """The counter of executed instructions, wherever the simulator's JSON has it."""
    if isinstance(stats, dict):
        for key in ("instructions", "insns"):
            if isinstance(stats.get(key), int):
                return stats[key]
        for v in stats.values():
            n = instructions(v)
            if n is not None:
                return n
    if isinstance(stats, list):
        for v in stats:
            n = instructions(v)
            if n is not None:
                return n
    return None


def riscv(name, folder):
    elf = build(RISCV, [*RISCV, "-nostdlib", "-static", "-Wl,--no-warn-rwx-segments"], name, folder, "riscv")
    # One line of log per executed block of one instruction.
    p = subprocess.Popen(["qemu-riscv64", "-singlestep", "-d", "nochain,exec", "-D", "/dev/stderr", str(elf)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    count = 0
    tail = b""
    while chunk := p.stderr.read(1 << 20):
        data = tail + chunk
        count += data.count(b"Trace ")
        tail = data[-5:] if not data.endswith(b"Trace ") else b""
    out = p.stdout.read().decode()
    if p.wait():
        sys.exit(f"run.py: qemu-riscv64 {elf}: status {p.returncode}")
    return out.strip(), count, text_size(elf)


def main():
    names = opt.names or [p.stem for p in sorted(HERE.glob("*.c")) if p.stem not in ("main", "lib")]
    use_riscv = not opt.linx_only
    if use_riscv and not (shutil.which(RISCV[0]) and shutil.which("qemu-riscv64")):
        sys.exit("run.py: riscv64-unknown-elf-gcc and qemu-riscv64 are needed (scripts/setup.sh), or --linx-only")
    rows, bad = [], False
    with tempfile.TemporaryDirectory() as tmp:
        folder = opt.keep or pathlib.Path(tmp)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'benchmark':16} {'linx insns':>12} {'riscv insns':>12} {'ratio':>6} {'linx text':>10} {'riscv text':>10} {'ratio':>6}")
        for name in names:
            sum_l, n_l, t_l = linx(name, folder)
            row = {"name": name, "linx": {"instructions": n_l, "text": t_l}}
            if use_riscv:
                sum_r, n_r, t_r = riscv(name, folder)
                row["riscv"] = {"instructions": n_r, "text": t_r}
                print(f"{name:16} {n_l:12} {n_r:12} {n_l / n_r:6.2f} {t_l:10} {t_r:10} {t_l / t_r:6.2f}", flush=True)
                if sum_l != sum_r:
                    bad = True
                    print(f"{name}: checksum {sum_l} on Linx, {sum_r} on RISC-V")
            else:
                print(f"{name:16} {n_l:12} {'':12} {'':6} {t_l:10}  checksum {sum_l}", flush=True)
            rows.append(row)
    if use_riscv and rows:
        mean = lambda key: (lambda p: p ** (1 / len(rows)))(
            __import__("math").prod(r["linx"][key] / r["riscv"][key] for r in rows))
        print(f"{'geometric mean':16} {'':12} {'':12} {mean('instructions'):6.2f} {'':10} {'':10} {mean('text'):6.2f}")
    if opt.json:
        opt.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if bad else 0


sys.exit(main())
