/* SPDX-License-Identifier: BSD-2-Clause */
/* The blocks that use Shared registers (tiles.h). Their numbers are fields of B.IOS: one copy for each window. */
#include "linx/asm.h"
#include "tiles.h"

.macro WINDOW n, n1, n2
    .text
share_\n:
    TLOAD     <LB0:SIZE, LB1:ROWS, U32>, [a0], mask=1111, ->S\n<4KB>
    RETURN
multiply_\n:
    C.BSTART.STD FALL
    li        SIZE * SIZE, ->a2
    TLOAD     <LB0:SIZE, LB1:ROWS, U32>, [a0], ->T<4KB>
    VPAR      .Lmultiply, <LB0:SIZE, LB1:ROWS>, T#1, S\n, mask=1111, [a2], ->U<4KB>
    TSTORE    <LB0:SIZE, LB1:ROWS, U32>, U#1, [a1]
    RETURN
give_\n:
    TLOAD     <LB0:32, U32>, [a0], ->T<128B>
    TMOV      <LB0:32, U32>, T#1.reuse, mask=1111, ->S\n1<128B>
    TMOV      <LB0:32, U32>, T#1, mask=1111, ->S\n2<128B>
    RETURN
take_\n:
    TSTORE    <LB0:32, LB1:4, U32>, S\n1, [a0], mask=1111
    TMOV      <LB0:32, U32>, S\n2, mask=1111, ->M<128B>
    TSTORE    <LB0:32, U32>, M#1, [a1]
    RETURN
    .section .rodata
    .balign 8
    .globl tiles_\n
tiles_\n:
    .8byte    share_\n, multiply_\n, give_\n, take_\n
.endm

    WINDOW 0, 1, 2
    WINDOW 100, 101, 102
    WINDOW 253, 254, 255

    .text
    .balign 4
/* lc0 = column, lc1 = row; ta = rows of a, tb = the whole shared operand; ri0 = SIZE * SIZE */
.Lmultiply:
    l.slli    lc1, 6, ->t                       /* t#2 in the loop: element of a */
    l.add     zero, zero, ->t
    l.add     zero, zero, ->u                   /* u#1: row of the operand, in elements */
    v.sub     lc0, lc0, ->vu.w
1:  v.lw.local [ta, t#2<<2], ->vt.w
    v.lw.local [tb, lc0<<2, u#1<<2], ->vt.w
    v.madd    vt#1, vt#2, vu#1, ->vu.w
    addi      t#2, 1, ->t
    addi      u#1, SIZE, ->u
    l.sub     ri0, u#1, ->t                     /* t#1: what is left */
    b.ne      t#1, zero, 1b
    l.slli    lc1, 6, ->t
    v.sw.local vu#1, [to, lc0<<2, t#1<<2]
    BSTOP
