#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Words worked out by hand from the documents' encodings, not from the table; spellings of the manual."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

# (source, bits, word). A block start before the line puts it where it may stand.
SCALAR = "C.BSTART.STD FALL"
SYS = "C.BSTART.SYS FALL"
VECTOR = "VPAR .body; BSTOP; .body:"
MEMORY = "MPAR .body; BSTOP; .body:"
DATA = "BSTART.VPAR VS16"
NONE = ""
CASES = [
    # block starts and ends
    (NONE, "C.BSTART.STD FALL", 16, 0x0800), (NONE, "C.BSTART.STD RET", 16, 0x3800),
    (NONE, "C.BSTART.STD IND", 16, 0x2800), (NONE, "C.BSTART.STD ICALL", 16, 0x3000),
    (NONE, "C.BSTART.FP FALL", 16, 0x0880), (NONE, "C.BSTART.SYS FALL", 16, 0x0840),
    (NONE, "C.BSTOP", 16, 0x0000), (NONE, "BSTOP", 32, 0x00000001),
    (NONE, "C.BSTART COND, 8", 16, 0x0044), (NONE, "C.BSTART DIRECT, -2", 16, 0xfff2),
    (NONE, "BSTART.STD CALL, 16", 32, 0x00044001), (NONE, "BSTART COND, 4", 32, 0x00000121),
    (NONE, "BSTART CALL, 4", 32, 0x00000111), (NONE, "HL.BSTART.STD CALL, 4", 48, 0x00014001000e),
    (NONE, "BSTART.VPAR VS16", 32, 0x02021181), (NONE, "BSTART.VPAR", 32, 0x02021181),
    (NONE, "BSTART.VSEQ VS8", 32, 0x00029181), (NONE, "BSTART.MPAR VS16", 32, 0x02001181),
    (NONE, "BSTART.MSEQ FALL", 32, 0x02009181), (NONE, "BSTART.TLOAD U8", 32, 0xd8011181),
    (NONE, "BSTART.TMA TSTORE, U8", 32, 0xd8111181), (NONE, "BSTART.TMOV fp16", 32, 0x20211181),
    (NONE, "BSTART.TEPL ESAVE", 32, 0x023f1181), (NONE, "BSTART.TEPL ERCOV", 32, 0x023f9181),
    (NONE, "FENTRY [ra ~ s3], sp!, 64", 32, 0x10e50041), (NONE, "MCOPY [a0, a1, a2]", 32, 0x20310031),
    # headers; the two B.IOS examples are the document's
    (NONE, "B.IOT ->T<32KB>", 32, 0x16006013), (NONE, "B.IOT last, ->T<32KB>", 32, 0x36006013),
    (NONE, "B.IOT T#1.reuse, N#16, last, ->M<32B>", 32, 0x62bf4013),
    (NONE, "B.IOS S7, mask=1100", 32, 0x00701a13), (NONE, "B.IOS mask=1111, ->S23<128B>", 32, 0x01709e13),
    (NONE, "B.IOS S7, mask=0000", 32, 0x00701013), (NONE, "B.IOS mask=1111, ->S255<256KB>", 32, 0x0ff61e13),
    (DATA, "B.DIM a0, 100, ->LB0", 32, 0x06410043), (DATA, "C.B.DIMI 64, ->LB1", 16, 0x503c),
    (DATA, "C.B.DIM a0, ->LB2", 16, 0xd0bc), (DATA, "B.IOR a0, a1, a2, ->a3", 32, 0x20310293),
    (DATA, "B.IOR [a0, a1, a2], [a3]", 32, 0x20310293), (DATA, "B.IOR , ->a3", 32, 0x00000293),
    (DATA, "B.CATR atomic, aq", 32, 0x60000023), (DATA, "B.CATR dr", 32, 0x04000023),
    (DATA, "B.DATR ND2NZ, Null", 32, 0x00019223), (DATA, "B.TEXT 8", 32, 0x00000203),
    # 16-bit instructions
    (SCALAR, "c.setret 4, ->ra", 16, 0x5096), (SCALAR, "c.movr a0, ->a1", 16, 0x1886),
    (SCALAR, "c.movi -1, ->t", 16, 0xffd6), (SCALAR, "c.add a0, a1, ->t", 16, 0x1888),
    (SCALAR, "c.ldi [sp, 8], ->t", 16, 0x085a), (SCALAR, "c.sdi t#1, [sp, -8]", 16, 0xf87a),
    (SCALAR, "c.ssrget 0, ->t", 16, 0x802c), (SCALAR, "c.setc.tgt ra", 16, 0x029c),
    # 32-bit instructions
    (SCALAR, "add a0, a1, ->a2", 32, 0x06310205), (SCALAR, "add a0, a1.sw<<2, ->t", 32, 0x10310f85),
    (SCALAR, "sub a0, a1.uw, ->u", 32, 0x02311f05), (SCALAR, "and a0, u#4.not, ->a0", 32, 0x05f12105),
    (SCALAR, "addi a0, 4095, ->a0", 32, 0xfff10115), (SCALAR, "ldi [a0, -8], ->a1", 32, 0xfff13199),
    (SCALAR, "sdi a0, [sp, 16]", 32, 0x04113059), (SCALAR, "sd a0, [a1, a2<<3]", 32, 0x1641b049),
    (SCALAR, "lui 0x12345, ->a0", 32, 0x12345117), (SCALAR, "mul a0, a1, ->a0", 32, 0x00310147),
    (SCALAR, "csel a0, a1, a2, ->a3", 32, 0x164182f7), (SCALAR, "bxu a0, 0, 32, ->a0", 32, 0x01f11167),
    (SCALAR, "rev a0, 64, 8, ->a0", 32, 0xfc817167), (SCALAR, "setc.ne t#1, zero", 32, 0x060c1065),
    (SCALAR, "setc.eqi a0, 3<<2", 32, 0x00310175), (SCALAR, "ssrget 0x21, ->a0", 32, 0x0210013b),
    (SCALAR, "ssrset a0, 0x821", 32, 0x8211103b), (SCALAR, "fadd.fd a0, a1, ->a2", 32, 0x0031024b),
    (SCALAR, "fcvtz.fs2sw a0, ->a0", 32, 0x2a01516b), (SCALAR, "acrc 1", 32, 0x0010302b),
    (SYS, "acre 1", 32, 0x0110302b), (SYS, "lr.d.aqrl [a0], ->a1", 32, 0x3601018b),
    (SYS, "fence.d 15, 15", 32, 0x0ff0202b), (SYS, "ebreak", 32, 0x0010102b),
    # 48-bit instructions
    (SCALAR, "hl.lis -1, ->a0", 48, 0xfffff10dfffe), (SCALAR, "hl.addi a0, 0x123456, ->a0", 48, 0x45610115123e),
    # bodies
    (VECTOR, "v.add vt#1.sw, vt#2.sw, ->vt.w", 64, 0x00100005014a027f),
    (VECTOR, "l.add t#1, t#2, ->t", 64, 0x019c0f85001080ff),
    (VECTOR, "v.lwi.local [TA, lc0<<2, 0], ->vt.w", 64, 0x000820190001527f),
    (VECTOR, "b.eq t#1, zero, 8", 32, 0x080c0027), (VECTOR, "j 8", 32, 0x00020037),
    (MEMORY, "v.rdadd vt#1.sw, ->t", 64, 0x00000f8d000a00ff),
]

# Each case in a section of its own: the assembler knows what precedes a line by section.
source = "".join(f'.section .text.{i},"ax"\n{before.replace(".body", f".body{i}")}\n{line}\n'
                 for i, (before, line, _, _) in enumerate(CASES))
with tempfile.TemporaryDirectory() as tmp:
    out = os.path.join(tmp, "a.o")
    status, messages = t.assemble(source, "--norelax", out=out)
    if status:
        for message in messages.splitlines():
            if "error" in message:
                print(f"not ok assembles: {message}")
    else:
        for i, (_, line, bits, word) in enumerate(CASES):
            got = t.section(out, f".text.{i}")[-bits // 8:]
            want = word.to_bytes(bits // 8, "little")
            print(f"ok {line}" if got == want else f"not ok {line}: {got[::-1].hex()}, expected {want[::-1].hex()}")
