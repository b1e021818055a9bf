/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data blocks of the demonstration, one function each (bodies.h has the prototypes and what they compute).
 * An element's work is a loop of `rounds` steps v = v * MUL + ADD, so that a tick finds the body in the middle.
 */
#include "linx/asm.h"
#include "bodies.h"

    .text
/* In: vt#1 = value, ri0 = rounds, ri1 = MUL, ri2 = ADD. Out: vt#1. Pushes U. */
.macro LCG
    l.add     ri0, zero, ->u
1:  v.mul     vt#1, ri1, ->vt.w
    v.add     vt#1, ri2, ->vt.w
    subi      u#1, 1, ->u
    b.ne      u#1, zero, 1b
.endm

/* (in, out, rounds): VPAR, 16 groups, one input, four outputs in three hands */
FUNCTION vpar4
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    li        4 * ELEMENTS, ->x0
    add       a1, x0, ->a5
    add       a5, x0, ->a6
    add       a6, x0, ->a7
    TLOAD     <LB0:256, LB1:4, U32>, [a0], ->T<4KB>
    VPAR      .Lvpar4, <LB0:256, LB1:4>, T#1, [a2, a3, a4], ->T<4KB>, U<4KB>, M<4KB>, T<4KB>
    TSTORE    <LB0:256, LB1:4, U32>, T#2, [a1]
    TSTORE    <LB0:256, LB1:4, U32>, U#1, [a5]
    TSTORE    <LB0:256, LB1:4, U32>, M#1, [a6]
    TSTORE    <LB0:256, LB1:4, U32>, T#1, [a7]
    RETURN
.Lvpar4:
    l.slli    lc1, 8, ->t 
    v.lw.local [ta, lc0<<2, t#1<<2], ->vt.w
    LCG
    v.sw.local vt#1.reuse, [to, lc0<<2, t#1<<2]
    v.srli    vt#1.reuse, 16, ->vu.w
    v.xor     vt#1.reuse, vu#1, ->vu.w
    v.sw.local vu#1, [to1, lc0<<2, t#1<<2]
    v.add     vt#1.reuse, lc0, ->vu.w
    v.sw.local vu#1, [to2, lc0<<2, t#1<<2]
    v.sub     vt#1, lc1, ->vu.w
    v.sw.local vu#1, [to3, lc0<<2, t#1<<2]
    BSTOP

/* (in, out, rounds): VPAR with a single group and one output */
FUNCTION vpar1
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    TLOAD     <LB0:64, U32>, [a0], ->U<256B>
    VPAR      .Lvpar1, <LB0:64>, U#1, [a2, a3, a4], ->U<256B>
    TSTORE    <LB0:64, U32>, U#1, [a1]
    RETURN
.Lvpar1:
    v.lwi.local [ta, lc0<<2], ->vt.w
    LCG
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP

/* (in, out, rounds) -> total: VSEQ, 16 groups one after the other; the running sum goes from group to group in U */
FUNCTION vseq2
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    li        4 * ELEMENTS, ->x0
    add       a1, x0, ->a5
    TLOAD     <LB0:256, LB1:4, U32>, [a0], ->M<4KB>
    VSEQ      .Lvseq2, <LB0:256, LB1:4>, M#1, [a2, a3, a4], ->T<4KB>, U<4KB>, [a0]
    TSTORE    <LB0:256, LB1:4, U32>, T#1, [a1]
    TSTORE    <LB0:256, LB1:4, U32>, U#1, [a5]
    RETURN
.Lvseq2:
    l.add     lc0, lc1, ->t             /* group 0 starts the sum */
    b.ne      t#1, zero, 2f
    addi      zero, 0, ->t
    l.add     zero, zero, ->u
2:  l.slli    lc1, 8, ->t 
    v.lw.local [ta, lc0<<2, t#1<<2], ->vt.w
    l.add     u#1, zero, ->t            /* t#1 sum so far, t#2 offset: the loop below pushes U */
    LCG
    v.sw.local vt#1.reuse, [to, lc0<<2, t#2<<2]
    v.rdadd   vt#1.reuse, ->u
    l.add     u#1, t#1, ->u
    v.add     vt#1, u#1, ->vu.w
    v.sw.local vu#1, [to1, lc0<<2, t#2<<2]
    l.add     u#1, zero, ->ro0
    BSTOP

/* (in, out, rounds): MPAR with DR grouping over 10 x 10 x 10, 16 groups, memory and one output tile */
FUNCTION mpar_dr
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    li        10, ->a5
    li        4 * ELEMENTS, ->x0
    add       a1, x0, ->a6
    MPAR      .Lmpar_dr, <LB0:10, LB1:10, LB2:10, DR>, [a2, a3, a4, a0, a1, a5], ->M<4KB>
    TSTORE    <LB0:250, LB1:4, U32>, M#1, [a6]
    RETURN
.Lmpar_dr:
    v.madd    lc2, ri5, lc1, ->vu.w
    v.madd    vu#1, ri5, lc0, ->vu.w    /* the element's number */
    v.lw      [ri3, vu#1.reuse<<2], ->vt.w
    LCG
    v.sw      vt#1.reuse, [ri4, vu#1.reuse<<2]
    v.add     vt#1, vu#1.reuse, ->vt.w
    v.sw.local vt#1, [to, vu#1<<2]
    BSTOP

/* (in, out, rounds) -> hash: MSEQ, 16 groups, no output tile; a hash of the groups in order */
FUNCTION mseq0
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    MSEQ      .Lmseq0, <LB0:256, LB1:4>, [a2, a3, a4, a0, a1], ->[a0]
    RETURN
.Lmseq0:
    l.add     lc0, lc1, ->t
    b.ne      t#1, zero, 2f
    l.add     zero, zero, ->u
2:  l.slli    lc1, 8, ->t 
    v.lw      [ri3, lc0<<2, t#1<<2], ->vt.w
    l.add     u#1, zero, ->t
    LCG
    v.sw      vt#1.reuse, [ri4, lc0<<2, t#2<<2]
    v.rdxor   vt#1, ->u
    l.add     t#1, u#1, ->u
    l.mul     u#1, ri1, ->u
    l.add     u#1, zero, ->ro0
    BSTOP

/* (in, rounds, lanes), then (out, lanes): two VPAR blocks of one group for each slot; the second reads what the first
 * left in the queues */
FUNCTION leave_queues
    C.BSTART.STD FALL
    li        MUL, ->a3
    li        ADD, ->a4
    TLOAD     <LB0:a2, U32>, [a0], ->T<1KB>
    VPAR      .Lleave, <LB0:a2>, T#1, [a1, a3, a4]
    RETURN
.Lleave:
    v.lwi.local [ta, lc0<<2], ->vt.w
    LCG
    l.add     lc0, ri0, ->t
    v.add     vt#1.reuse, lc0, ->vm.w
    BSTOP

FUNCTION take_queues
    VPAR      .Ltake, <LB0:a1>, ->T<1KB>
    TSTORE    <LB0:a1, U32>, T#1, [a0]
    RETURN
.Ltake:
    v.xor     vt#1, vm#1, ->vn.w
    v.add     vn#1, t#1, ->vn.w
    v.swi.local vn#1, [to, lc0<<2]
    BSTOP
