#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The last block of a code section has an end of its own: what the linker puts behind it may be data. (A leaf
function at the end of .text once ran into the constants behind it: C torture test memset-3.)"""
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "ld"))
from linxelf import *

if not (BIN / "linx-cc").exists():
    print("skip section ends: build/bin/linx-cc is not built")
    sys.exit(0)
bench = Bench()
bench.file("leaf.c", "void leaf(int *p) { *p = 1; }\n")
bench.file("both.c", "int f(int a) { return a * 3; }\nint g(int *p);\nint k(int *p) { return g(p) + 1; }\nvoid leaf(int *p) { *p = 1; }\n")
bench.file("calls.c", "void stop(void) __attribute__((noreturn));\nvoid last(void) { stop(); }\n")
stop, ret = bytes(2), instruction_table()["FRET_STK"]
for source in ("leaf.c", "both.c", "calls.c"):
    for flags in (["-O0"], ["-O2"], ["-O2", "-ffunction-sections"]):
        p = bench.run(BIN / "linx-cc", *flags, "-c", source, "-o", "o.o")
        why = p.stderr[:300]
        if p.returncode == 0:
            code = {n: d for n, (_, d) in Image(bench.dir / "o.o").sections.items() if n.startswith(".text") and d}
            for name, data in code.items():
                frame = int.from_bytes(data[-4:], "little") & ret[1] == ret[2]
                if data[-2:] != stop and not frame:
                    why = f"{name} ends with {data[-4:].hex()}"
        verdict(f"{source} {' '.join(flags)}", not why, why)

# The same, run: a constant that is no instruction lies directly behind the function.
bench.file("run.c", """
void leaf(int *p);
int main(void) { int x = 0; leaf(&x); return x != 1; }
""")
bench.file("x.ld", (ROOT / "tests/torture/rt/link.ld").read_text().replace("*(.text .text.*)", "*(.text .text.*) last.o(.last) last.o(.after)"))
bench.file("last.c", """
__attribute__((section(".last"))) void leaf(int *p) { *p = 1; }
__asm__(".section .after,\\"ax\\"\\n .word 0x4c957f2d, 0x4c957f2d\\n");
""")
if (BIN / "linx-sim").exists() and (ROOT / "build/lib/liblinx-builtins.a").exists():
    objects = []
    for source in (ROOT / "tests/torture/rt/crt0.S", ROOT / "tests/torture/rt/libc.c", "run.c", "last.c"):
        objects.append(pathlib.Path(source).stem + ".o")
        bench.run(BIN / "linx-cc", "-O2", "-fno-builtin", "-c", source, "-o", objects[-1])
    status, out, image = bench.link("-T", "x.ld", *objects, ROOT / "build/lib/liblinx-builtins.a")
    p = bench.run(BIN / "linx-sim", "-m", "80M", "-nographic", "-kernel", "a.out") if image else None
    verdict("data behind the last function is not run", p and p.returncode == 0, out or (p and p.stderr[:300]))
