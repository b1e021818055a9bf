/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks that notice when a trap loses or mixes anything: scalar registers and queues, bodies, inherited queues. */
#include "linx/asm.h"

    .text

/* (seed) -> 0 when every general register and all eight queue entries still hold what was put there */
.macro COMPARE reg, distance            /* or-s into a0 whether reg is not a1 + distance */
    sub       \reg, a1, ->t
    subi      t#1, \distance, ->t
    or        a0, t#1, ->a0
.endm
FUNCTION hold_registers
    FENTRY    [ra ~ s8], sp!, 160
    C.BSTART.STD FALL
    .irp r, a1, a2, a3, a4, a5, a6, a7, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, x0, x1, x2, x3
    addi      a0, 7, ->a0
    c.movr    a0, ->\r
    .endr
    .irp n, 1, 2, 3, 4
    addi      a0, \n, ->t
    addi      a0, 16 + \n, ->u
    .endr
    C.BSTART.STD FALL
    hl.sdip   t#4, t#3, [sp, 0]
    hl.sdip   t#2, t#1, [sp, 16]
    C.BSTART.STD FALL
    hl.sdip   u#4, u#3, [sp, 32]
    hl.sdip   u#2, u#1, [sp, 48]
    sub       a0, x3, ->a0
    COMPARE   a2, 7
    COMPARE   a3, 14
    COMPARE   a4, 21
    COMPARE   a5, 28
    COMPARE   a6, 35
    COMPARE   a7, 42
    COMPARE   ra, 49
    COMPARE   s0, 56
    COMPARE   s1, 63
    COMPARE   s2, 70
    COMPARE   s3, 77
    COMPARE   s4, 84
    COMPARE   s5, 91
    COMPARE   s6, 98
    COMPARE   s7, 105
    COMPARE   s8, 112
    COMPARE   x0, 119
    COMPARE   x1, 126
    COMPARE   x2, 133
    COMPARE   x3, 140
    C.BSTART.STD FALL
    .irp n, 1, 2, 3, 4
    ldi       [sp, 8 * (\n - 1)], ->a2
    COMPARE   a2, 140 + \n
    ldi       [sp, 24 + 8 * \n], ->a2
    COMPARE   a2, 156 + \n
    .endr
    FRET.STK  [ra ~ s8], sp!, 160

/* (in, out): four groups, one output, T, U, VT, VU, VM and P of each group carry values across its instructions */
FUNCTION mix
    C.BSTART.STD FALL
    addi      zero, 3, ->a2
    TLOAD     <LB0:256, U32>, [a0], ->M<1KB>
    VPAR      .Lmix, <LB0:256>, M#1, [a2], ->U<1KB>
    TSTORE    <LB0:256, U32>, U#1, [a1]
    RETURN
.Lmix:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.add     vt#1, lc0, ->vu.w
    v.add     vu#1, vt#1, ->vm.w
    l.add     ri0, lc1, ->u
1:  v.add     vm#1, vu#1, ->vm.w
    subi      u#1, 1, ->u
    b.ne      u#1, zero, 1b
    v.xor     vm#1, vt#1, ->vn.w
    v.swi.local vn#1, [to, lc0<<2]
    BSTOP

/* (seed): leaves seed + lane in VT of every group slot; (out): the next body of the same task finds it */
FUNCTION leave_queue
    VPAR      .Lleave, <LB0:256>, [a0]
    RETURN
.Lleave:
    v.add     ri0, lc0, ->vt.w
    BSTOP
FUNCTION find_queue
    MPAR      .Lfind, <LB0:256>, [a0]
    RETURN
.Lfind:
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP

/* (rounds, address): a long body, one group in each slot; then each lane stores to address + 4 * lc0 */
FUNCTION long_body
    MPAR      .Llong, <LB0:256>, [a0, a1]
    RETURN
.Llong:
    l.add     ri0, zero, ->u
    v.add     lc0, zero, ->vt.w
1:  v.add     vt#1, lc0, ->vt.w
    subi      u#1, 1, ->u
    b.ne      u#1, zero, 1b
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP

/* (in), (out): 64 words to and from the Shared register of this PE, S0 to S3: a block whose mask leaves the PE out does nothing */
FUNCTION share
    TLOAD     <LB0:64, U32>, [a0], mask=0001, ->S0<256B>
    TLOAD     <LB0:64, U32>, [a0], mask=0010, ->S1<256B>
    TLOAD     <LB0:64, U32>, [a0], mask=0100, ->S2<256B>
    TLOAD     <LB0:64, U32>, [a0], mask=1000, ->S3<256B>
    RETURN
FUNCTION unshare
    TSTORE    <LB0:64, U32>, S0, [a0], mask=0001
    TSTORE    <LB0:64, U32>, S1, [a0], mask=0010
    TSTORE    <LB0:64, U32>, S2, [a0], mask=0100
    TSTORE    <LB0:64, U32>, S3, [a0], mask=1000
    RETURN
