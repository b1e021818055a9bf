/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that move a Shared register. Its number, mask and size are fields of B.IOS, 256 x 7 x 12 combinations, so the
 * kernel copies one of these blocks to memory and fills them in (kernel/shared.c). All instructions have 32 bits or come
 * in pairs of 16, B.IOS is the word before the last two; a return follows.
 *   store: a0 = address, a1 = rows of 128 bytes
 *   load:  a0 = address, a1 = bytes from row to row, a2 = valid columns, a3 = valid rows, a4 = columns
 */
    .section .rodata.shared, "a"
    .globl shared_store_block, shared_load_block, shared_load_starts, shared_block_end
    .balign 4
shared_store_block:
    BSTART.TSTORE U8
    B.IOR     a0
    B.DIM     zero, 128, ->LB0
    B.DIM     a1, 0, ->LB1
    B.IOS     S0, mask=0000
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .balign 4
shared_load_block:
    BSTART.TLOAD U8
    B.IOR     a0, a1
    B.DIM     a2, 0, ->LB0
    B.DIM     a3, 0, ->LB1
    B.DIM     a4, 0, ->LB2
    B.IOS     mask=0000, ->S0<128B>
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .balign 4
shared_block_end:
shared_load_starts:                 /* by log2 of the element's bytes */
    BSTART.TLOAD U8
    C.BSTOP
    C.BSTOP
    BSTART.TLOAD U16
    C.BSTOP
    C.BSTOP
    BSTART.TLOAD U32
    C.BSTOP
    C.BSTOP
    BSTART.TLOAD U64
    C.BSTOP
    C.BSTOP

/* Where such a block is built and run: 10 words. */
    .section .text.shared_code, "ax"
    .globl shared_code
    .balign 64
    C.BSTOP
    .balign 64
shared_code:
    .fill 10, 4, 0
