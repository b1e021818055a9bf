/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses to memory from every kind of block (tests/kernel/programs/space.c). */
#include "linx/asm.h"

    .text

FUNCTION scalar_load                /* (address) */
    C.BSTART.STD FALL
    ldi       [a0, 0], ->t
    RETURN
FUNCTION scalar_store               /* (address, value) */
    C.BSTART.STD FALL
    sdi       a1, [a0, 0]
    RETURN
FUNCTION template_load              /* (address, 8 bytes of room) */
    C.BSTART.STD FALL
    addi      zero, 8, ->a2
    MCOPY     [a1, a0, a2]
    RETURN
FUNCTION template_store             /* (address, byte) */
    C.BSTART.STD FALL
    addi      zero, 8, ->a2
    MSET      [a0, a1, a2]
    RETURN
FUNCTION tma_load                   /* (address) */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    RETURN
FUNCTION tma_store                  /* (address, 32 bytes to store) */
    TLOAD     <LB0:8, U32>, [a1], ->U<32B>
    TSTORE    <LB0:8, U32>, U#1, [a0]
    RETURN
FUNCTION body_load                  /* (address): two lanes */
    MPAR      .Lload, <LB0:2>, [a0]
    RETURN
.Lload:
    v.lwi     [ri0, lc0<<2], ->vt.w
    BSTOP
FUNCTION body_store                 /* (address, value) */
    MPAR      .Lstore, <LB0:2>, [a0, a1]
    RETURN
.Lstore:
    v.add     ri1, zero, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP

/* Whether a block's fixup is taken: 0, or 1 when (address) cannot be read. */
FUNCTION load_with_fixup
    BSTART.STD FALL, .Lfixup
    ldi       [a0, 0], ->t
    C.BSTART.STD RET
    addi      zero, 0, ->a0
    c.setc.tgt ra
.Lfixup:
    C.BSTART.STD RET
    addi      zero, 1, ->a0
    c.setc.tgt ra
    C.BSTOP

/* (address): 256 lanes, four groups in flight; lane i writes i + 1 to page i */
FUNCTION walk_pages
    MPAR      .Lwalk, <LB0:256>, [a0]
    RETURN
.Lwalk:
    v.slli    lc0, 10, ->vu.w
    v.addi    lc0, 1, ->vt.w
    v.sw      vt#1, [ri0, vu#1<<2]
    BSTOP
/* (address, out): out[i] = first word of page i */
FUNCTION gather_pages
    MPAR      .Lgather, <LB0:256>, [a0, a1]
    RETURN
.Lgather:
    v.slli    lc0, 10, ->vu.w
    v.lw      [ri0, vu#1<<2], ->vt.w
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP
/* (address): words 0..16383 = their index, 256 groups of 64 lanes */
FUNCTION walk_words
    MPAR      .Lwords, <LB0:16384>, [a0]
    RETURN
.Lwords:
    v.add     lc0, zero, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP
