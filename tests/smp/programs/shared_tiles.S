/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLOAD to and TSTORE from S0 and S255 for every PE mask and capacity; tables by register, mode and size.
 *   load (a0 = this member's fragment, a1 = rows of 128 bytes), store (a0 = whole array, a1 = rows)
 */

    .section .rodata
    .balign 8
    .globl loads, stores
loads:                              /* [2 registers][8 modes][12 sizes] */
stores = loads + 2 * 8 * 12 * 8     /* [2 registers][8 modes] */
#include "linx/asm.h"

    .text

.macro ONE reg, mask, size
    .section .rodata
    .8byte    .Lload_\reg\()_\mask\()_\size
    .text
.Lload_\reg\()_\mask\()_\size:
    TLOAD     <LB0:32, LB1:a1, U32>, [a0], mask=\mask, ->S\reg\()<\size>
    RETURN
.endm
.macro MASK reg, mask
    .irp size, 128B, 256B, 512B, 1KB, 2KB, 4KB, 8KB, 16KB, 32KB, 64KB, 128KB, 256KB
    ONE \reg, \mask, \size
    .endr
.endm
.macro STORE reg, mask
    .section .rodata
    .8byte    .Lstore_\reg\()_\mask
    .text
.Lstore_\reg\()_\mask:
    TSTORE    <LB0:32, LB1:a1, U32>, S\reg, [a0], mask=\mask
    RETURN
.endm
.macro REGISTER reg
    .irp mask, 0000, 1000, 0100, 0010, 0001, 1100, 1110, 1111
    MASK \reg, \mask
    .endr
.endm
    REGISTER 0
    REGISTER 255
    .irp mask, 0000, 1000, 0100, 0010, 0001, 1100, 1110, 1111
    STORE 0, \mask
    .endr
    .irp mask, 0000, 1000, 0100, 0010, 0001, 1100, 1110, 1111
    STORE 255, \mask
    .endr

/* (in, out): body sources of every kind: out[k] = f(S0) for VPAR, VSEQ, MPAR, MSEQ; 32 words each */
    .globl body_sources
    .type body_sources, @function
body_sources:
    C.BSTART.STD FALL
    addi      a0, 128, ->a1
    addi      a0, 256, ->a2
    addi      a0, 384, ->a3
    VPAR      .Lsource_local, <LB0:32>, S0, mask=1111, ->T<128B>
    TSTORE    <LB0:32, U32>, T#1, [a0]
    VSEQ      .Lsource_local, <LB0:32>, S0, mask=1111, ->U<128B>
    TSTORE    <LB0:32, U32>, U#1, [a1]
    MPAR      .Lsource_memory, <LB0:32>, S0, mask=1111, [a2]
    MSEQ      .Lsource_memory, <LB0:32>, S0, mask=1111, [a3]
    RETURN
.Lsource_local:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP
.Lsource_memory:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.sw      vt#1, [ri0, lc0<<2]
    BSTOP
