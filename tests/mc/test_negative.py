#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What linx-as must refuse: the message, its line and its column.

Each case is a source whose last line is wrong; '^' in it marks the column the message must name (and is taken out).
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

STD, SYS, FP = "BSTART.STD FALL\n", "BSTART.SYS FALL\n", "BSTART.FP FALL\n"
TLOAD, TSTORE = "BSTART.TLOAD U8\n", "BSTART.TSTORE U8\n"
VPAR, TEPL = "BSTART.VPAR\n", "BSTART.TEPL ESAVE\n"
VBODY = "VPAR .body\nBSTOP\n.body:\n"
MBODY = "MPAR .body\nBSTOP\n.body:\n"
ESAVE5 = TEPL + "B.IOT ->N<32KB>\n" * 5

CASES = [
    # Shared tiles
    ("shared-256", TSTORE + "B.IOS ^S256, mask=1100", "S0 to S255"),
    ("shared-relative", TSTORE + "B.IOS ^S#1, mask=1100", "absolute numbers"),
    ("shared-mask-1010", TSTORE + "B.IOS S7, mask=^1010", "0000, 1000, 0100, 0010, 0001, 1100, 1110, 1111"),
    ("shared-mask-missing", TSTORE + "B.IOS S7^", "mask="),
    ("shared-size-3KB", TLOAD + "B.IOS mask=1111, ->S1<^3KB>", "128B, 256B"),
    ("shared-size-64B", TLOAD + "B.IOS mask=1111, ->S1<^64B>", "128B, 256B"),
    ("shared-size-missing", TLOAD + "B.IOS mask=1111, ->S1^", "angle brackets"),
    ("shared-local-source", TSTORE + "B.IOS ^T#1, mask=1111", "B.IOT"),
    ("shared-output-of-vpar", VPAR + "^B.IOS mask=1111, ->S1<1KB>", "outputs in TLOAD and TMOV"),
    ("shared-source-of-tload", TLOAD + "^B.IOS S1, mask=1111", "sources stand in TSTORE"),
    ("shared-in-tepl", TEPL + "^B.IOS S1, mask=1111", "TSTORE"),
    ("shared-two-masks", TSTORE + "B.IOS S1, mask=1111\nB.IOS S2, ^mask=1100", "same mask"),
    # Local tiles
    ("tile-size-3KB", VPAR + "B.IOT ->T<^3KB>", "32B, 64B, 128B"),
    ("tile-size-1MB", VPAR + "B.IOT ->T<^1024KB>", "32KB"),
    ("tile-unit", VPAR + "B.IOT ->T<32^MB>", "unit B or KB"),
    ("tile-17", VPAR + "B.IOT T#^17", "T#1 to T#16"),
    ("tile-0", VPAR + "B.IOT N#^0", "N#1 to N#16"),
    ("tile-hand", VPAR + "B.IOT ^X#1", "T#, U#, M#, N#"),
    ("tile-acc-source", VPAR + "B.IOT ^ACC#1", "T#, U#, M#, N#"),
    ("tile-output-indexed", VPAR + "B.IOT ->T^#1<1KB>", "without '#'"),
    ("tile-shared-in-iot", VPAR + "B.IOT ^S1", "B.IOS"),
    ("tile-three-sources", VPAR + "B.IOT T#1, T#2, ^T#3", "at most two"),
    ("tile-nothing", VPAR + "B.IOT^", "needs a source tile or an output"),
    ("iot-after-last", VPAR + "B.IOT T#1, last\n^B.IOT T#2", "marked last"),
    ("vpar-five-outputs", VPAR + "B.IOT ->T<1KB>\n" * 4 + "B.IOT ->^T<1KB>", "at most 4"),
    ("esave-six-outputs", ESAVE5 + "B.IOT ->^N<32KB>", "at most 5"),
    ("esave-line-six", "ESAVE ->N<32KB>, N<32KB>, N<32KB>, N<32KB>, N<32KB>, ^N<32KB>", "at most 5"),
    ("esave-source", "ESAVE ^N#1, ->N<32KB>", "no source"),
    ("esave-empty", "ESAVE^", "one to five outputs"),
    ("ercov-output", "ERCOV N#1, ->^N<32KB>", "no output"),
    ("ercov-six", "ERCOV N#1, N#2, N#3, N#4, N#5, ^N#6", "one to five"),
    # registers of a block
    ("ior-twice", VPAR + "B.IOR a0, a1, ^a0", "already an input"),
    ("ior-twice-in-header", VPAR + "B.IOR a0, a1\nB.IOR ^a1", "already an input"),
    ("ior-output-twice", VPAR + "B.IOR ->a0\nB.IOR ->^a0", "already an output"),
    ("ior-four", VPAR + "B.IOR a0, a1, a2, ^a3", "at most three"),
    ("ior-queue", VPAR + "B.IOR ^t#1", "a register"),
    ("vpar-line-input-twice", "VPAR .b, <LB0:1>, [a0, a1, ^a0]", "named once"),
    # ra
    ("addtpc-ra", STD + "addtpc 1, ->^ra", "SETRET"),
    ("c-movi-ra", STD + "c.movi 1, ->^ra", "C.SETRET"),
    ("hl-addtpc-ra", STD + "hl.addtpc 1, ->^ra", "HL.SETRET"),
    # wrong block
    ("lr-in-std", STD + "^lr.w [a0], ->a1", "SYS blocks"),
    ("amo-in-fp", FP + "^lw.add [a0], a1, ->a2", "SYS blocks"),
    ("acre-in-std", STD + "^acre 1", "SYS blocks"),
    ("fadd-in-sys", SYS + "^fadd.fd a0, a1, ->a2", "FP blocks"),
    ("vector-in-std", STD + "^v.add vt#1.sw, vt#2.sw, ->vt.w", "VPAR and VSEQ bodies"),
    ("branch-in-std", STD + "^b.eq t#1, zero, 8", "bodies"),
    ("iot-in-std", STD + "^B.IOT ->T<1KB>", "block headers"),
    ("add-in-header", VPAR + "^add a0, a1, ->a2", "header of a VPAR"),
    ("btext-in-tload", TLOAD + "^B.TEXT foo", "no body"),
    ("header-after-btext", VPAR + "B.TEXT foo\n^B.IOR a0", "B.TEXT is the last"),
    ("compressed-in-body", VBODY + "^c.add t#1, t#2, ->t", "may not stand in a VPAR"),
    ("long-in-body", VBODY + "^hl.addi t#1, 1, ->t", "may not stand in a VPAR"),
    ("setc-in-body", VBODY + "^setc.eq t#1, zero", "may not stand in a VPAR"),
    ("gpr-in-body", VBODY + "add ^a0, t#1, ->t", "through B.IOR"),
    ("gpr-dest-in-body", VBODY + "add t#2, t#1, ->^a0", "through B.IOR"),
    ("global-memory-in-vpar", VBODY + "^v.lwi [ri0, lc0<<2], ->vt.w", ".local"),
    ("scalar-load-in-vpar", VBODY + "^ldi [t#1, 0], ->t", ".local"),
    # l. and v.
    ("l-with-vector", MBODY + "^l.add vt#1.sw, t#1, ->vt.w", "it is v.add"),
    ("v-without-vector", MBODY + "^v.add t#1, t#2, ->t", "it is l.add"),
    ("v-writes-queue", MBODY + "v.add vt#1.sw, vt#2.sw, ->^t", "writes a vector"),
    ("v-64-bit-element", MBODY + "v.add ^vt#1.sd, vt#2.sw, ->vt.w", "32 bits"),
    ("v-64-bit-dest", MBODY + "v.add vt#1.sw, vt#2.sw, ->^vt.d", "32 bits"),
    ("v-float-type-on-integer", MBODY + "v.add vt#1^.fs, vt#2.sw, ->vt.w", ".ud, .uw"),
    ("v-queue-5", MBODY + "v.add vt#^5.sw, vt#2.sw, ->vt.w", "vt#1 to vt#4"),
    ("v-ri-12", MBODY + "l.add ^ri12, t#1, ->t", "ri0 to ri11"),
    ("v-reuse-on-scalar", MBODY + "l.add t#1^.reuse, t#1, ->t", ".reuse"),
    ("v-unknown-operand", MBODY + "l.add ^a0, t#1, ->t", "ri0 to ri11"),
    # numbers
    ("imm-too-large", STD + "addi a0, ^4096, ->a0", "0 to 4095"),
    ("imm-negative", STD + "addi a0, ^-1, ->a0", "0 to 4095"),
    ("imm-signed", STD + "andi a0, ^2048, ->a0", "-2048 to 2047"),
    ("imm-unaligned", STD + "ldi [a0, ^12], ->a1", "multiple of 8"),
    ("shift-too-large", STD + "slli a0, ^64, ->a0", "0 to 63"),
    ("shamt-too-large", STD + "add a0, a1<<^32, ->a0", "0 to 31"),
    ("store-without-scale", STD + "sd a0, [a1, a2^]", "<<3"),
    ("bit-length-0", STD + "bxu a0, 0, ^0, ->a0", "out of range"),
    ("branch-odd", STD + "C.BSTART COND, ^3", "multiple of 2"),
    ("frame-unaligned", "FENTRY [ra ~ s3], sp!, ^60", "multiple of 8"),
    ("frame-register", "FENTRY [^sp ~ s3], sp!, 64", "R2 to R23"),
    ("dim-too-large", VPAR + "B.DIM zero, ^131072, ->LB0", "131071"),
    ("dim-target", VPAR + "C.B.DIMI 1, ->^LB3", "LB0, LB1, LB2"),
    # words
    ("unknown-instruction", STD + "^frob a0", "unknown instruction"),
    ("unknown-register", STD + "add ^a8, a1, ->a0", "a0 to a7"),
    ("queue-5", STD + "add t#^5, a1, ->a0", "t#1 to t#4"),
    ("queue-without-index", STD + "add ^t, a1, ->a0", "t#1 to t#4"),
    ("dest-queue-entry", STD + "add a0, a1, ->^t#1", "->t to push"),
    ("dest-missing", STD + "add a0, a1^", "expected"),
    ("trailing", STD + "add a0, a1, ->a0 ^a1", "unexpected 'a1'"),
    ("wrong-modifier", STD + "add a0, a1^.not, ->a0", ".sw, .uw and .neg"),
    ("unknown-suffix", SYS + "lr.w.^xx [a0], ->a1", "aq, rl, f"),
    ("fp-type-missing", FP + "fadd^ a0, a1, ->a2", "fd, fs, fh, fb"),
    ("fp-type-wrong", FP + "fadd.^fx a0, a1, ->a2", "fd, fs, fh, fb"),
    ("data-type", "BSTART.TLOAD ^U7", "U8"),
    ("layout", "TLOAD.^FOO <LB0:4, U8>, [a0], ->T<1KB>", "ND2NZ"),
    ("datr-twice", TLOAD + "B.DATR U8, ^U16", "second data type"),
    ("datr-unknown", TLOAD + "B.DATR ^foo", "data types are"),
    ("catr-unknown", VPAR + "B.CATR ^foo", "trap, atomic"),
    ("tload-without-type", "^TLOAD <LB0:4>, [a0], ->T<1KB>", "data type"),
    ("tload-without-LB0", "^TLOAD <U8>, [a0], ->T<1KB>", "LB0"),
    ("tstore-without-address", "^TSTORE <LB0:4, U8>, T#1", "base address"),
    ("tmov-shared-without-mask", "^TMOV <LB0:4, U8>, S1, ->T<1KB>", "mask="),
    ("vpar-without-body", "VPAR ^<LB0:4>", "label of the body"),
    ("unknown-operator", STD + "addi a0, %^foo(x), ->a0", "%pcrel_hi"),
    ("option", ".option ^fast", "relax, norelax"),
    ("cfi-register", ".cfi_offset ^q0, 8", "expected"),
]

LATE = [  # found when the distances are known
    ("compressed-out-of-reach", "C.BSTART COND, far\n.space 5000\nfar:", "reaches -4096 to 4094", 1, 1),
    ("branch-out-of-reach", "b.eq t#1, zero, far\n.space 5000\nfar:", "reaches -4096 to 4094", 1, 1),
    ("symbol-in-small-field", "BSTART.STD FALL\nc.addi a0, sym, ->t", "no relocation", 2, 1),
]

MESSAGE = re.compile(r"<stdin>:(\d+):(\d+): error: (.*)")
names = {case[0] for case in CASES + LATE}
assert len(names) == len(CASES) + len(LATE), "two cases have one name"


def judge(name, found, expected, line, column):
    """found: (line, column, text) of every error of this case."""
    if not found:
        print(f"not ok {name}: accepted")
    elif len(found) > 1:
        print(f"not ok {name}: {len(found)} errors: {[m[2] for m in found]}")
    elif expected not in found[0][2]:
        print(f"not ok {name}: says '{found[0][2]}', not '{expected}'")
    elif found[0][:2] != (line, column):
        print(f"not ok {name}: at {found[0][0]}:{found[0][1]}, expected {line}:{column} ({found[0][2]})")
    else:
        print(f"ok {name}")


def errors(messages):
    return [(int(l), int(c), text) for l, c, text in MESSAGE.findall(messages)]


with tempfile.TemporaryDirectory() as tmp:
    out = os.path.join(tmp, "a.o")
    # All cases in one source, each in a section of its own: the assembler knows what precedes a line by section.
    lines, place = [], {}
    for i, (name, source, expected) in enumerate(CASES):
        lines.append(f'.section .text.{i},"ax"')
        text = source.replace(".body", f".body{i}").split("\n")
        first = len(lines) + 1
        column = source.split("\n")[-1].index("^") + 1
        lines += [l.replace("^", "") for l in text]
        place[name] = (first, len(lines), column)
    status, messages = t.assemble("\n".join(lines) + "\n", out=out)
    every = errors(messages)
    for name, source, expected in CASES:
        first, last, column = place[name]
        judge(name, [m for m in every if first <= m[0] <= last], expected, last, column)
    print("ok no-object-left" if status and not os.path.exists(out) else "not ok no-object-left: an object was written")
    for name, source, expected, line, column in LATE:
        status, messages = t.assemble(source + "\n", out=out)
        judge(name, errors(messages) if status else [], expected, line, column)
print(f"# {len(names)} refusals")
