#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The public CoreMark objects (another compiler's), linked by linx-ld with the torture tests' start-up and library,
run on linx-sim to their own check of the results."""
import subprocess
import public
from linxelf import *

public.need("linx-ld", "linx-cc", "linx-sim")
RT = ROOT / "tests/torture/rt"
library = ROOT / "build/lib/liblinx-builtins.a"
if not library.exists():
    print("skip CoreMark: build/lib/liblinx-builtins.a is not built")
    sys.exit(0)

bench = Bench()
objects = [bench.file(n, public.read(f"elf/coremark/{n}")) for n in public.names("elf/coremark", ".o")
           if "exit_shim" not in n]  # that one ends the program by a Linux system call
for source, flags in ((ROOT / "tests/sim_public/printf.S", []), (RT / "crt0.S", []), (RT / "libc.c", []), (ROOT / "tests/sim_public/shim.c", [])):
    p = bench.run(BIN / "linx-cc", "-std=gnu17", "-O2", "-fno-builtin", *flags, "-c", source, "-o", source.name + ".o")
    if p.returncode:
        verdict("compile " + source.name, False, p.stderr[:300])
    objects.append(source.name + ".o")
status, out, image = bench.link("-T", RT / "link.ld", "--gc-sections", "-z", "muldefs", *objects, library, "-Map=map", out="coremark.elf")
verdict("CoreMark links", status == 0 and not out, out[:500])
if image:
    p = subprocess.run([BIN / "linx-sim", "-M", "virt", "-m", "80M", "-nographic", "-kernel", bench.dir / "coremark.elf",
                        "--max-insns", "200000000"], capture_output=True, text=True, timeout=300)
    text = p.stdout
    # CoreMark's own constants of the "2K performance run", printed by the program and checked by it.
    want = {"seedcrc": "0xe9f5", "[0]crclist": "0xe714", "[0]crcmatrix": "0x1fd7", "[0]crcstate": "0x8e3a", "[0]crcfinal": "0xfcaf"}
    got = dict(re.findall(r"^(\S+)\s*: (0x\w+)$", text, re.M))
    wrong = {k: got.get(k) for k in want if got.get(k) != want[k]}
    verdict("CoreMark's five CRCs", not wrong, f"{wrong}, exit {p.returncode}, output: {text[-600:]} {p.stderr[-600:]}")
    verdict("CoreMark says: correct operation validated", "Correct operation validated" in text, text[-400:])
    m = re.search(r"Total ticks +: (\d+)\n(?:.*\n)*?Iterations +: (\d+)", text)      # ticks: microseconds, 1000 instructions each
    if m:
        print(f"# the public objects: {int(m[2]) / (int(m[1]) / 1000):.3f} iterations per million instructions")
    verdict("CoreMark ends with status 0", p.returncode == 0, f"status {p.returncode} {p.stderr[-300:]}")

# Dhrystone's objects need more of a C library; they must at least link when its names are given.
objects = [bench.file(n, public.read(f"elf/dhrystone/{n}")) for n in public.names("elf/dhrystone", ".o")]
names = bench.run("llvm-nm-19", "-u", "-j", *objects).stdout.split()
have = set(bench.run("llvm-nm-19", "--defined-only", "-j", *objects).stdout.split())
give = [f"--defsym={n}=0x80000000" for n in sorted(set(names) - have) if not n.endswith(":")]
status, out, _ = bench.link("-T", RT / "link.ld", *objects, *give, "-e", "main", "--defsym=_start=main", out="dhrystone.elf")
verdict("Dhrystone's objects link", status == 0, out[:500])
