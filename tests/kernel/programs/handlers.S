/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks that fault in known places, for handlers.c. */
#include "linx/asm.h"

    .text

/* (address): what was loaded, plus 1; the value goes through T and the sum of U#1 (7) */
FUNCTION load_through_t
    C.BSTART.STD FALL
    addi      zero, 7, ->u
    ldi       [a0, 0], ->t
    addi      t#1, 1, ->a0
    add       a0, u#1, ->a0
    RETURN

/* (address): 1, 2, .. says which way the block went when it was ended at the load */
FUNCTION end_fall
    C.BSTART.STD FALL
    addi      zero, 1, ->a1
    ldi       [a0, 0], ->a2
    addi      zero, 100, ->a1
    C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_direct
    BSTART.STD DIRECT, 1f
    addi      zero, 2, ->a1
    ldi       [a0, 0], ->a2
    addi      zero, 100, ->a1
    C.BSTART.STD FALL
    addi      zero, 101, ->a1
1:  C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_taken                  /* the condition was set before the fault */
    BSTART.STD COND, 1f
    addi      zero, 3, ->a1
    setc.eq   zero, zero
    ldi       [a0, 0], ->a2
    C.BSTART.STD FALL
    addi      zero, 101, ->a1
1:  C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_not_taken              /* and here it was not */
    BSTART.STD COND, 1f
    addi      zero, 100, ->a1
    ldi       [a0, 0], ->a2
    setc.eq   zero, zero
    C.BSTART.STD FALL
    addi      zero, 4, ->a1
1:  C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_fixup                  /* the fixup label is where a block goes on that ends early */
    BSTART.SYS FALL, 1f
    addi      zero, 5, ->a1
    .4byte    0xffffffff
    C.BSTART.STD FALL
    addi      zero, 101, ->a1
1:  C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_template               /* a block that is not inside: it is left out */
    C.BSTART.STD FALL
    addi      zero, 6, ->a1
    addi      zero, 8, ->a2
    MCOPY     [a1, a0, a2]
    C.BSTART.STD RET
    c.movr    a1, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION end_return                 /* a return without its target: there is no way to go on */
    C.BSTART.STD RET
    ldi       [a0, 0], ->a2
    c.setc.tgt ra
    C.BSTOP

FUNCTION jump_to                    /* (address, result) */
    C.BSTART.STD IND
    c.setc.tgt a0
    C.BSTOP

FUNCTION missing_tile               /* (to): stores a tile that is not there */
    TSTORE    <LB0:8, U32>, U#1, [a0]
    RETURN

FUNCTION twice                      /* (from, to, n): to[i] = 2 * from[i] through tiles, and leaves others behind */
    TLOAD     <LB0:64, U32>, [a0], ->T<256B>
    TLOAD     <LB0:64, U32>, [a0], ->U<256B>
    VPAR      .Ltwice, <LB0:64>, T#1, ->M<256B>
    TSTORE    <LB0:64, U32>, M#1, [a1]
    RETURN
    .balign 4
.Ltwice:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.add     vt#1.reuse, vt#1, ->vt.w
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP

/* (from, to, missing): to[i] = from[i] + 1 + missing[i], with a tile that stays in T across the block */
FUNCTION body_with_tiles
    TLOAD     <LB0:256, U32>, [a0], ->T<1KB>
    MPAR      .Ltiles, <LB0:256>, T#1.reuse, [a2], ->U<1KB>
    TSTORE    <LB0:256, U32>, U#1, [a1]
    TSTORE    <LB0:256, U32>, T#1, [a0]
    RETURN
    .balign 4
.Ltiles:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.addi    vt#1, 1, ->vt.w
    v.swi.local vt#1.reuse, [to, lc0<<2]
    v.lwi     [ri0, lc0<<2], ->vu.w
    v.add     vt#1, vu#1, ->vt.w
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP

FUNCTION to_stack                   /* (sp, address): goes on there, with that sp */
    C.BSTART.STD IND
    c.movr    a0, ->sp
    c.setc.tgt a1
    C.BSTOP
FUNCTION spin_here
    C.BSTART DIRECT, spin_here
    C.BSTOP
