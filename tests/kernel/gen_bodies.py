#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Random bodies in which a fault can be injected, for tests/kernel/programs/repair.c.

  gen_bodies.py OUT.S [--count 1000] [--seed 1]

Every body walks a random iteration space; element e has a row idx[e], a permutation of the elements, which the body reads
itself (from memory, or from a tile in VPAR and VSEQ). One instruction, the point, uses it, and the test can poison it:

  gather, scatter    v.lw / v.sw of memory at idx[e] * 4; poison: bit 30 of idx[e]
  local, local_out   v.lw.local / v.sw.local of a tile at idx[e] * 4; poison: the same
  atomic             v.sw.add at the 32-bit address idx[e]; poison: bit 0, a misaligned address
  base               v.lw through a base register; poison: the pointer in ri1, for all lanes at once
  scalar             l.ldi through a pointer that is read from memory; poison: that pointer, once for the group

Everything else is straight code, the same number of instructions for each group. Before and behind the point stand stores,
each to an array of its own, so that what is stored tells how far an element came. The row of a body says all that (struct
body in repair.h).
"""
import argparse
import random

MAX_ELEMENTS = 1024
LOCAL_ELEMENTS = 240
TYPES = ["gather", "scatter", "local", "local_out", "atomic", "base", "scalar"]     # repair.h
KIND = {"VPAR": 4, "VSEQ": 5, "MPAR": 6, "MSEQ": 7}                                 # enum linx_block_kind
ARGUMENTS = "a0 a1 a2 a3 a4 a5 a6 a7 x0 x1 x2".split()                              # struct arguments, in order
POINT = {
    "gather": "v.lw [ri1, vm#1.reuse<<2], ->vt.w",
    "scatter": "v.sw vt#1.reuse, [ri2, vm#1.reuse<<2]",
    "local": "v.lw.local [ta, vm#1.reuse<<2], ->vt.w",
    "local_out": "v.sw.local vt#1.reuse, [to, vm#1.reuse<<2]",
    "atomic": "v.sw.add [vm#1.reuse], vu#1.reuse",
    "base": "v.lw [ri1, vu#1.reuse<<2], ->vt.w",
    "scalar": "l.ldi [t#1, 0], ->t",
}


class Body:
    """vu#1: the element's number; vm#1: idx[e]; vt#1: the value. ri0 idx, ri1 data, ri2 where scatter and atomic go, ri3 a
    constant, ri4 where the pointer of `scalar` is, ri5.. the arrays of the stores."""

    def __init__(self, number, r):
        self.n, self.r = number, r
        self.type = TYPES[number % len(TYPES)]
        self.tiles = self.type == "local" and r.random() < 0.6          # VPAR, VSEQ: no memory
        self.kind = r.choice(("VPAR", "VSEQ") if self.tiles else ("MPAR", "MSEQ"))
        self.dr = r.random() < 0.4
        self.before, self.after = (1, 1) if self.tiles else (r.randint(0, 2), r.randint(1, 2))
        self.output = not self.tiles and (self.type == "local_out" or r.random() < 0.4)
        limit = LOCAL_ELEMENTS if self.type.startswith("local") else MAX_ELEMENTS
        while True:
            n = r.choice((1, 1, 2, 3))
            self.lb = [r.randint(1, 300 if n == 1 else 90), r.randint(1, 6) if n > 1 else 1, r.randint(1, 3) if n > 2 else 1]
            if self.lb[0] * self.lb[1] * self.lb[2] <= limit:
                break
        self.text = []
        self.generate()

    def emit(self, line):
        self.text.append("    " + line)

    def filler(self):
        for _ in range(self.r.randint(0, 4)):
            op = self.r.choice(("add", "sub", "xor", "or", "mul"))
            self.emit(f"v.{op} vt#1.reuse, {self.r.choice(('lc0', 'lc1', 'ri3', 'vt#2.reuse', 'vu#1.reuse'))}, ->vt.w")

    def stores(self, first, count):
        for i in range(first, first + count):
            self.filler()
            self.emit(f"v.sw.local vt#1.reuse, [{'to' if i == 0 else 'to1'}, vu#1.reuse<<2]" if self.tiles else
                      f"v.sw vt#1.reuse, [ri{5 + i}, vu#1.reuse<<2]")

    def generate(self):
        self.emit("v.madd lc2, lb1, lc1, ->vu.w")
        self.emit("v.madd vu#1, lb0, lc0, ->vu.w")
        self.emit("v.lw.local [tb, vu#1.reuse<<2], ->vm.w" if self.tiles else "v.lw [ri0, vu#1.reuse<<2], ->vm.w")
        self.emit("v.xor vu#1.reuse, ri3, ->vt.w")
        self.emit("v.add vu#1.reuse, lc0, ->vt.w")
        self.stores(0, self.before)
        self.filler()
        if self.type == "scalar":
            self.emit("l.ldi [ri4, 0], ->t")
        self.text.append(f".Lpoint{self.n}:")
        self.emit(POINT[self.type])
        if self.type == "scalar":
            self.emit("v.add vt#1, t#1, ->vt.w")
        self.stores(self.before, self.after)
        if self.output and self.type != "local_out":
            self.emit("v.sw.local vt#1.reuse, [to, vu#1.reuse<<2]")

    def assembly(self):
        lines = [f"body{self.n}:", "    C.BSTART.STD FALL"]
        lines += [f"    ldi       [a0, {8 * i}], ->{ARGUMENTS[i]}" for i in reversed(range(len(ARGUMENTS)))]
        inputs = output = ""
        if self.type == "local":
            lines.append("    TLOAD     <LB0:256, U32>, [a1], ->T<1KB>")
            inputs = "T#1, "
        if self.tiles:
            lines.append("    TLOAD     <LB0:256, U32>, [a0], ->T<1KB>")
            inputs, output = "T#2, T#1, ", ", ->M<1KB>, U<1KB>"
        elif self.output:
            output = ", ->M<4KB>"
        shape = f"<LB0:{self.lb[0]}, LB1:{self.lb[1]}, LB2:{self.lb[2]}{', DR' if self.dr else ''}>"
        lines.append(f"    {self.kind} .Lbody{self.n}, {shape}, {inputs}[a0, a1, a2, a3, a4, a5, a6, a7, x0]{output}")
        if self.tiles:
            lines += ["    TSTORE    <LB0:256, U32>, M#1, [a5]", "    TSTORE    <LB0:256, U32>, U#1, [a6]"]
        elif self.output:
            lines.append("    TSTORE    <LB0:256, LB1:4, U32>, M#1, [x1]")
        lines += ["    C.BSTART.STD RET", "    c.setc.tgt ra", "    C.BSTOP", "    .balign 4", f".Lbody{self.n}:"]
        return lines + self.text + ["    BSTOP"]

    def row(self):
        numbers = [TYPES.index(self.type), KIND[self.kind], int(self.dr), self.before, self.after, int(self.output), int(self.tiles)]
        return [f"    .8byte    body{self.n}, .Lpoint{self.n}", f"    .2byte    {self.lb[0]}, {self.lb[1]}, {self.lb[2]}",
                f"    .byte     {', '.join(map(str, numbers))}", "    .balign 8"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    r = random.Random(a.seed)
    bodies = [Body(n, r) for n in range(a.count)]
    out = ["/* Made by tests/kernel/gen_bodies.py. */", "    .text", "    .2byte    0"]
    for b in bodies:
        out += b.assembly()
    out += ['    .section .rodata.bodies, "a"', "    .balign 8", "    .globl bodies, body_count", "bodies:"]
    for b in bodies:
        out += b.row()
    out += ["body_count:", f"    .8byte    {len(bodies)}"]
    with open(a.out, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()
