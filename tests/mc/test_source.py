#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""One-line block forms, pseudo-instructions, the choice of instruction sizes, and what GNU as users expect."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

tmp = tempfile.TemporaryDirectory()
OUT, OUT2 = os.path.join(tmp.name, "a.o"), os.path.join(tmp.name, "b.o")


def report(name, why=""):
    print(f"not ok {name}: {why}" if why else f"ok {name}")


PAIRS = []


def same(name, short, long):
    """Two sources must give the same code and relocations; judged by compare_pairs."""
    PAIRS.append((name, short, long))


def own_labels(source, i):
    """The source with its labels renamed, so that many can stand in one file."""
    for label in set(re.findall(r"(?:^|[\n;])\s*([.A-Za-z_][\w.]*):", source)):
        source = re.sub(rf"(?<![\w.#]){re.escape(label)}(?![\w(])", f"{label}_{i}", source)
    return source


def relocations(path):
    text = subprocess.run([t.OBJDUMP, "-r", path], capture_output=True, text=True).stdout
    return {int(m[1]): [l.split() for l in m[2].splitlines() if "R_LINX" in l]
            for m in re.finditer(r"RECORDS FOR \[\.text\.(\d+)\]:\n((?:.+\n)*)", text)}


def compare_pairs():
    """All pairs in two files, a section each."""
    rel = []
    for side, path in ((1, OUT), (2, OUT2)):
        status, messages = t.assemble("".join(
            f'.section .text.{i},"ax"\n{own_labels(pair[side], i)}\n' for i, pair in enumerate(PAIRS)),
            "--defsym", "V=77", out=path)
        if status:
            return report("pairs", f"side {side}: {messages.splitlines()[0]}")
        rel.append(relocations(path))
    for i, (name, _, _) in enumerate(PAIRS):
        code = [t.section(p, f".text.{i}") for p in (OUT, OUT2)]
        report(name, "" if code[0] == code[1] and code[0] and rel[0].get(i) == rel[1].get(i)
               else f"{code[0].hex()} {rel[0].get(i)} / {code[1].hex()} {rel[1].get(i)}")


# ---- one-line forms become the sequences of the manual
same("esave", "ESAVE , ->N<32KB>\nBSTOP\n", "BSTART.TEPL ESAVE\nB.IOT last, ->N<32KB>\nBSTOP\n")
same("esave-five", "ESAVE , ->N<32KB>, N<32KB>, T<32KB>, U<32KB>, M<32KB>\n",
     "BSTART.TEPL ESAVE\nB.IOT , ->N<32KB>\nB.IOT , ->N<32KB>\nB.IOT , ->T<32KB>\nB.IOT , ->U<32KB>\n"
     "B.IOT last, ->M<32KB>\n")
same("ercov", "ERCOV N#1\n", "BSTART.TEPL ERCOV\nB.IOT N#1, last\n")
same("ercov-five", "ERCOV N#5, N#4, N#3, N#2.reuse, N#1\n",
     "BSTART.TEPL ERCOV\nB.IOT N#5, N#4\nB.IOT N#3, N#2.reuse\nB.IOT N#1, last\n")
same("tload", "TLOAD <LB0:64, LB1:a0, LB2:a1+8, U8>, [a2, a3], ->T<4KB>\n",
     "BSTART.TLOAD U8\nB.DIM zero, 64, ->LB0\nB.DIM a0, 0, ->LB1\nB.DIM a1, 8, ->LB2\nB.IOT last, ->T<4KB>\n"
     "B.IOR a2, a3\n")
same("tload-layout", "TLOAD.ND2NZ <LB0:64, FP16, Zero>, [a2], ->T<4KB>\n",
     "BSTART.TLOAD FP16\nB.DATR ND2NZ, Zero\nB.DIM zero, 64, ->LB0\nB.IOT last, ->T<4KB>\nB.IOR a2\n")
same("tload-shared", "TLOAD <LB0:64, U8>, [a2], mask=1111, ->S23<128B>\n",
     "BSTART.TLOAD U8\nB.DIM zero, 64, ->LB0\nB.IOS mask=1111, ->S23<128B>\nB.IOR a2\n")
same("tstore", "TSTORE.NZ2ND <LB0:64, LB1:2, S32>, T#1.reuse, [a0]\n",
     "BSTART.TSTORE S32\nB.DATR NZ2ND, Null\nB.DIM zero, 64, ->LB0\nB.DIM zero, 2, ->LB1\nB.IOT T#1.reuse, last\nB.IOR a0\n")
same("tstore-shared", "TSTORE <LB0:64, U8>, S7, [a0], mask=1100\n",
     "BSTART.TSTORE U8\nB.DIM zero, 64, ->LB0\nB.IOS S7, mask=1100\nB.IOR a0\n")
same("tmov-manual-example-1", "TMOV ND2NZ, <LB0:32, LB1:16, fp16> T#1.reuse, ->T<1KB>\n",
     "BSTART.TMOV FP16\nB.DATR ND2NZ, Null\nB.DIM zero, 32, ->LB0\nB.DIM zero, 16, ->LB1\n"
     "B.IOT T#1.reuse, last, ->T<1KB>\n")
same("tmov-manual-example-2", "TMOV NZ2ZN, <LB0:30, LB1:16, LB2:32, fp16> T#2, ->U<1KB>\n",
     "BSTART.TMOV FP16\nB.DATR NZ2ZN, Null\nB.DIM zero, 30, ->LB0\nB.DIM zero, 16, ->LB1\nB.DIM zero, 32, ->LB2\n"
     "B.IOT T#2, last, ->U<1KB>\n")
same("vpar", "VPAR .foo, <LB0:64, LB1:10, VS8>, T#1.reuse, ->T<8KB>\nBSTOP\n.foo: BSTOP\n",
     "BSTART.VPAR VS8\nB.DIM zero, 64, ->LB0\nB.DIM zero, 10, ->LB1\nB.IOT T#1.reuse, last, ->T<8KB>\nB.TEXT .foo\n"
     "BSTOP\n.foo: BSTOP\n")
same("mseq-everything",
     "MSEQ .b, <LB0:a0, LB1:3, LB2:a1+1, DR>, T#1, U#2.reuse, M#3, [a0, a1, a2, a3], ->T<1KB>, U<2KB>, [a4, a5]\nBSTOP\n.b:\n",
     "BSTART.MSEQ VS16\nB.CATR dr\nB.DIM a0, 0, ->LB0\nB.DIM zero, 3, ->LB1\nB.DIM a1, 1, ->LB2\n"
     "B.IOT T#1, U#2.reuse, ->T<1KB>\nB.IOT M#3, last, ->U<2KB>\nB.IOR a0, a1, a2, ->a4\nB.IOR a3, ->a5\n"
     "B.TEXT .b\nBSTOP\n.b:\n")
same("vseq-shared-between", "VSEQ .b, <LB0:1>, T#1, S3, T#2, mask=1111, ->T<1KB>\nBSTOP\n.b:\n",
     "BSTART.VSEQ VS16\nB.DIM zero, 1, ->LB0\nB.IOT T#1, ->T<1KB>\nB.IOS S3, mask=1111\nB.IOT T#2, last\nB.TEXT .b\n"
     "BSTOP\n.b:\n")
same("seed-program",
     "block1:\n BSTART.STD FALL\n ld [r1, r2<<3], ->t # i0\n ld [r1, r3<<3], ->t\n setc.ne t#1, zero\n"
     "block2:\n BSTART.VPAR FALL\n B.DIM r5, 100, ->LB0\n B.TEXT .foo\n"
     "block3:\n BSTART.SYS FALL\n add t#1, t#2, ->t   # t#1 is i1\n BSTOP\n.foo:\n BSTOP\n",
     "C.BSTART.STD FALL\nld [sp, a0<<3], ->t\nld [sp, a1<<3], ->t\nsetc.ne t#1, zero\nBSTART.VPAR VS16\n"
     "B.DIM a3, 100, ->LB0\nB.TEXT .foo\nC.BSTART.SYS FALL\nadd t#1, t#2, ->t\nBSTOP\n.foo:\nBSTOP\n")

# ---- pseudo-instructions
P = "BSTART.STD FALL\n"
same("nop", P + "nop\n", P + "c.movr zero, ->zero\n")
same("mv", P + "mv a0, ->t\n", P + "c.movr a0, ->t\n")
same("la", P + "la sym+4, ->a0\n", P + "addtpc sym+4, ->a0\naddi a0, %lo(sym+4), ->a0\n")
same("la-ra", P + "la sym, ->ra\n", P + "addtpc sym, ->t\naddi t#1, %lo(sym), ->ra\n")
same("ret", "ret\n", "C.BSTART.STD RET\nc.setc.tgt ra\n")
same("call", "call f\n", "BSTART.STD CALL, f\nc.setret 2\n")
same("li-small", P + "li 15, ->a0\nli 16, ->a0\nli -17, ->a0\nli 4095, ->a0\n",
     P + "c.movi 15, ->a0\naddi zero, 16, ->a0\nsubi zero, 17, ->a0\naddi zero, 4095, ->a0\n")
same("li-32", P + "li 0x12345000, ->a0\nli -4096, ->a0\nli 0x12345678, ->a0\nli 0x80000000, ->a0\n",
     P + "lui 0x12345, ->a0\nlui -1, ->a0\nhl.lis 0x12345678, ->a0\nhl.liu 0x80000000, ->a0\n")
same("li-64", P + "li 0x123456789abcdef0, ->a3\n",
     P + "hl.liu 0x9abcdef0, ->t\nhl.lis 0x12345678, ->a3\nslli a3, 32, ->a3\nor a3, t#1, ->a3\n")
same("li-shifted", P + "li 0x7f00000000000000, ->a3\n", P + "addi zero, 127, ->a3\nslli a3, 56, ->a3\n")
same("unary", P + "not a0, ->a1\nneg a0, ->a1\nsext.w a0, ->a1\nzext.w a0, ->a1\nseqz a0, ->a1\nsnez a0, ->a1\n",
     P + "xori a0, -1, ->a1\nsub zero, a0, ->a1\naddiw a0, 0, ->a1\nbxu a0, 0, 32, ->a1\ncmp.eqi a0, 0, ->a1\n"
     "cmp.nei a0, 0, ->a1\n")
same("fused-call", "BSTART.CALL, f, 1f, ->ra\n1: BSTOP\nf:\n", "C.BSTART DIRECT, f\nc.setret 1f\n1: BSTOP\nf:\n")

# ---- sizes
SIZES = [
    ("cond-near", "BSTART.STD COND, x\n.space 100\nx:", 2), ("cond-4K", "BSTART.STD COND, x\n.space 5000\nx:", 4),
    ("cond-edge", "BSTART.STD COND, x\n.space 4092\nx:", 2), ("cond-edge+2", "BSTART.STD COND, x\n.space 4094\nx:", 4),
    ("cond-64M", "BSTART.STD COND, x\n.space 0x4000000\nx:", 6), ("direct-near", "BSTART.STD DIRECT, x\nx:", 2),
    ("cond-extern", "BSTART.STD COND, x", 4), ("call-extern", "BSTART.STD CALL, x", 4), ("call-near", "call x\nx:", 4), ("ret", "BSTART.STD RET", 2),
    ("fall", "BSTART.STD FALL", 2), ("fp-cond-near", "BSTART.FP COND, x\nx:", 4),
    ("fp-cond-far", "BSTART.FP COND, x\n.space 200000\nx:", 6), ("sys-fall", "BSTART.SYS", 2),
    ("explicit-hl", "HL.BSTART.STD COND, x\nx:", 6), ("explicit-c", "C.BSTART COND, x\nx:", 2),
    ("setret-near", "BSTART.STD CALL, x\nx: setret x2\n.space 20\nx2:", 4),
    ("setret-far", "BSTART.STD CALL, x\nx: setret x2\n.space 100\nx2:", 6),
    ("pcr-near", "BSTART.STD\nld.pcr [x], ->a0\nx:", 6), ("pcr-far", "BSTART.STD\nld.pcr [x], ->a0\n.space 70000\nx:", 8),
    ("pcr-extern", "BSTART.STD\nld.pcr [x], ->a0", 8),
    ("norelax", ".option norelax\nBSTART.STD COND, x\nx:\nBSTART.STD RET", 8),
    ("push-pop", ".option push\n.option norelax\nBSTART.STD RET\n.option pop\nBSTART.STD RET", 6),
    ("align-pads", "C.BSTOP\n.balign 8\n", 8),
]
# One section each; x and x2 are labels of its own in each.
status, messages = t.assemble("".join(
    f'.section .text.{i},"ax"\n' + re.sub(r"\b(x2?)\b", rf"\1_{i}", source) + "\n.option relax\n"
    for i, (name, source, size) in enumerate(SIZES)), out=OUT)
if status:
    report("sizes", messages.splitlines()[0])
for i, (name, source, size) in enumerate(SIZES):
    spaces = sum(int(l.split()[1], 0) for l in source.splitlines() if l.startswith(".space"))
    got = len(t.section(OUT, f".text.{i}")) - spaces
    report("size-" + name, "" if got == size else f"{got} bytes, expected {size}")

# Padding is empty blocks, which both a finished and a running block may be followed by.
t.assemble("C.BSTOP\n.balign 8\n", out=OUT)
report("padding", "" if t.section(OUT).hex() == "0000000800080008" else t.section(OUT).hex())

# A relaxed branch still lands on its target.
t.assemble("BSTART.STD COND, x\n.space 5000\nx: BSTOP\n", out=OUT)
w = int.from_bytes(t.section(OUT)[:4], "little")
report("relaxed-target", "" if w == (5004 >> 1) << 7 | 0x21 else hex(w))

# ---- relocations by name
RELOCS = [
    ("BSTART.STD COND, x", "R_LINX_B25_PCREL", "x"), ("C.BSTART COND, x", "R_LINX_CBSTART12_PCREL", "x"),
    ("HL.BSTART.STD CALL, x+8", "R_LINX_HL_BSTART30_PCREL", "x+0x8"), ("VPAR x, <LB0:1>", "R_LINX_B25_PCREL", "x"),
    ("addtpc x, ->a0", "R_LINX_PCREL_HI20", "x"), ("addtpc %pcrel_hi(x-4), ->a0", "R_LINX_PCREL_HI20", "x-0x4"),
    ("addi a0, %lo(x), ->a0", "R_LINX_LO12", "x"), ("addtpc %got_hi(x), ->a0", "R_LINX_GOT_HI20", "x"),
    ("addi a0, %got_lo(x), ->a0", "R_LINX_GOT_LO12", "x"), ("lui %hi(x), ->a0", "R_LINX_HI20", "x"),
    ("lui %tprel_hi(x), ->a0", "R_LINX_TPREL_HI20", "x"), ("addi a0, %tprel_lo(x), ->a0", "R_LINX_TPREL_LO12", "x"),
    ("addi a0, %tprel(x), ->a0", "R_LINX_TPREL_ADDI12", "x"), ("hl.addi a0, %tprel(x), ->a0", "R_LINX_HL_TPREL24", "x"),
    ("hl.lis x, ->a0", "R_LINX_HL_LIS32", "x"), ("hl.liu x, ->a0", "R_LINX_HL_LIU32", "x"), ("hl.ld.pcr [x], ->a0", "R_LINX_HL_PCR29_LOAD", "x"),
    (".option norelax\nld.pcr [x], ->a0", "R_LINX_PCR17_LOAD", "x"), (".option norelax\nsd.pcr a0, [x]", "R_LINX_PCR17_STORE", "x"),
    (".option norelax\nBSTART.STD COND, x", "R_LINX_B17_PCREL", "x"), (".option norelax\nsetret x", "R_LINX_SETRET20_PCREL", "x"),
    ("c.setret x", "R_LINX_CSETRET5_PCREL", "x"), ("hl.setret x", "R_LINX_HL_SETRET32_PCREL", "x"),
    ("hl.sd.pcr a0, [x]", "R_LINX_HL_PCR29_STORE", "x"), ("b.eq t#1, zero, x", "R_LINX_B12_PCREL", "x"),
    ("j x", "R_LINX_J22_PCREL", "x"), (".dword x", "R_LINX_64", "x"), (".word x", "R_LINX_32", "x"),
    (".half x", "R_LINX_16", "x"), (".byte x", "R_LINX_8", "x"), (".word x-.", "R_LINX_32_PCREL", "x"),
    (".reloc 0, R_LINX_64, x\n.dword 0", "R_LINX_64", "x"),
]
status, messages = t.assemble("".join(
    f'.section .text.{i},"ax"\n{source}\n.option relax\n' for i, (source, name, target) in enumerate(RELOCS)), out=OUT)
if status:
    report("relocations", messages.splitlines()[0])
found = relocations(OUT)
for i, (source, name, target) in enumerate(RELOCS):
    report(f"reloc {source.splitlines()[-1]}", "" if [r[1:] for r in found.get(i, [])] == [[name, target]] else f"{found.get(i)}")

# ---- what GNU as users know
same("macro", ".macro push reg, n=1\n addi \\reg, \\n, ->\\reg\n.endm\n" + P + "push a0\npush a1, 3\n",
     P + "addi a0, 1, ->a0\naddi a1, 3, ->a1\n")
same("rept-irp", P + ".irp r, a0, a1\n c.movi 1, ->\\r\n.endr\n.rept 2\n nop\n.endr\n",
     P + "c.movi 1, ->a0\nc.movi 1, ->a1\nnop\nnop\n")
same("conditional", ".set N, 3\n.if N > 2\n" + P + "li N, ->a0\n.else\n.error \"no\"\n.endif\n", P + "li 3, ->a0\n")
same("comments", P + "nop # don't\nnop // \"x\nnop /* t#1 */\n# 1 \"f.S\"\n#\nnop;nop\n", P + "nop\nnop\nnop\nnop\nnop\n")
same("local-labels", "1: BSTART.STD COND, 1b\nBSTART.STD COND, 1f\n1:\n", "x: BSTART.STD COND, x\nBSTART.STD COND, y\ny:\n")
same("defsym", P + "li V, ->a0\n", P + "li 77, ->a0\n")
same("expressions", P + "li (1<<4 | 3) + 2*5 - ~0, ->a0\naddi a0, 'a', ->a0\naddi a0, e-s, ->a0\ns: nop\ne:\n".replace(
    "addi a0, e-s, ->a0\ns: nop\ne:\n", ""), P + "li 30, ->a0\naddi a0, 97, ->a0\n")

compare_pairs()

status, messages = t.assemble("BSTART.VPAR\nB.IOT T#1\nBSTOP\n", out=OUT)
report("warns-without-last", "" if status == 0 and "<stdin>:3:1: warning:" in messages and "last" in messages else messages)
status, messages = t.assemble("BSTART.VPAR\nB.IOT T#1\nBSTOP\n", "--fatal-warnings", out=OUT)
report("fatal-warnings", "" if status else "accepted")

status, messages = t.assemble(
    ".text\n.globl f\n.type f, @function\nf:\n.cfi_startproc\nFENTRY [ra ~ s1], sp!, 24\n.cfi_def_cfa_offset 24\n"
    ".cfi_offset ra, -8\n.cfi_offset s0, -16\nBSTART.STD FALL\nnop\nFRET.STK [ra ~ s1], sp!, 24\n.cfi_endproc\n"
    ".size f, .-f\n.data\n.balign 8\nx: .dword f\n.section .rodata.str,\"aMS\",@progbits,1\n.asciz \"hi\"\n"
    ".bss\n.zero 16\n.comm c, 8, 8\n.weak w\n", out=OUT)
text = subprocess.run([t.OBJDUMP, "-h", "-t", OUT], capture_output=True, text=True).stdout
report("sections-symbols-cfi", "" if status == 0 and ".eh_frame" in text and ".rodata.str" in text and " w " in text
       else messages or text)

with open(os.path.join(tmp.name, "inc.s"), "w") as f:
    f.write("nop\n")
status, messages = t.assemble(P + ".include \"inc.s\"\n", "-I", tmp.name, out=OUT)
report("include", "" if status == 0 and len(t.section(OUT)) == 4 else messages)

# Line numbers and the source in the disassembly.
src = os.path.join(tmp.name, "lines.s")
with open(src, "w") as f:
    f.write(".text\nfn:\nBSTART.STD FALL\nli 5, ->a0  # five\nret\n")
subprocess.run([t.AS, "-g", "-o", OUT, src], check=True)
text = subprocess.run([t.OBJDUMP, "-dS", OUT], capture_output=True, text=True).stdout
report("debug-lines", "" if "lines.s:4" in text and "; li 5, ->a0  # five" in text else text)

# -S writes text that assembles to the same object.
source = "VPAR .b, <LB0:64>, T#1, [a0], ->T<1KB>\nBSTOP\n.b:\nv.lwi.local [ta, lc0<<2], ->vt.w\nBSTOP\nla x, ->a0\n"
t.assemble(source, out=OUT)
text = subprocess.run([t.AS, "-S", "-o", "-", "-"], input=source, capture_output=True, text=True).stdout
report("text-output", "" if t.words(text, out=OUT2) == t.section(OUT) else text)

# The disassembler names targets, shows relocations and keeps data apart.
t.assemble("f: BSTART.STD COND, f\nBSTART.STD CALL, g\n.half 0xffed, 0xffff\n", out=OUT)
text = subprocess.run([t.OBJDUMP, "-dr", OUT], capture_output=True, text=True).stdout
report("disassembly", "" if "C.BSTART\tCOND, 0x0 <f>" in text and "R_LINX_B25_PCREL\tg" in text and ".half\t0xffed" in text
       else text)
for args, expected in ((["--help"], "usage: linx-as"), (["--version"], "linx64-unknown-elf")):
    r = subprocess.run([t.AS, *args], capture_output=True, text=True)
    report("as " + args[0], "" if r.returncode == 0 and expected in r.stdout else r.stdout + r.stderr)
r = subprocess.run([t.AS, "--frob"], capture_output=True, text=True)
report("as-unknown-option", "" if r.returncode == 1 and "--help" in r.stderr else r.stderr)
r = subprocess.run([t.AS, "no-such-file.s"], capture_output=True, text=True)
report("as-missing-file", "" if r.returncode == 1 and "no-such-file.s" in r.stderr else r.stderr)
