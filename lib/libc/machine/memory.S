/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcpy and memset by the template blocks MCOPY and MSET: a handful of instructions whatever the size, and no
 * alignment cases. A template block takes at most 65,535 bytes and is not interruptible inside (docs/target.md 2.8),
 * so long operations go in chunks that bound the interrupt latency. Neither touches T, U or the data engine.
 */
    .equ CHUNK, 2048

    .section .text.memcpy, "ax"
    .globl memcpy
    .type memcpy, @function
    .balign 4
memcpy:                             /* a0 = to, a1 = from, a2 = bytes; result a0 */
    C.BSTART.STD FALL
    c.movr    a0, ->a3
    addi      zero, CHUNK, ->a4
.Lcopy_next:
    C.BSTART COND, .Lcopy_last
    setc.geu  a4, a2
    MCOPY     [a3, a1, a4]
    C.BSTART DIRECT, .Lcopy_next
    add       a3, a4, ->a3
    add       a1, a4, ->a1
    sub       a2, a4, ->a2
.Lcopy_last:
    MCOPY     [a3, a1, a2]
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .size memcpy, . - memcpy

    .section .text.memset, "ax"
    .globl memset
    .type memset, @function
    .balign 4
memset:                             /* a0 = to, a1 = value, a2 = bytes; result a0 */
    C.BSTART.STD FALL
    c.movr    a0, ->a3
    addi      zero, CHUNK, ->a4
.Lset_next:
    C.BSTART COND, .Lset_last
    setc.geu  a4, a2
    MSET      [a3, a1, a4]
    C.BSTART DIRECT, .Lset_next
    add       a3, a4, ->a3
    sub       a2, a4, ->a2
.Lset_last:
    MSET      [a3, a1, a2]
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .size memset, . - memset
