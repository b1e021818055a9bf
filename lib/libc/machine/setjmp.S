/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * int setjmp(jmp_buf), void longjmp(jmp_buf, int): the callee-saved registers s0-s8, sp and ra. The T and U queues are
 * dead across every call (docs/target.md 2), so there is nothing of them to keep. The rounding mode and the FP flags
 * stay as they are (C17 7.13.1.1).
 */
    .section .text.setjmp, "ax"
    .globl setjmp
    .type setjmp, @function
    .balign 4
setjmp:
    C.BSTART.STD RET
    c.setc.tgt ra
    hl.sdip   s0, s1, [a0, 0]
    hl.sdip   s2, s3, [a0, 16]
    hl.sdip   s4, s5, [a0, 32]
    hl.sdip   s6, s7, [a0, 48]
    hl.sdip   s8, sp, [a0, 64]
    sdi       ra, [a0, 80]
    c.movi    0, ->a0
    C.BSTOP
    .size setjmp, . - setjmp

    .section .text.longjmp, "ax"
    .globl longjmp
    .type longjmp, @function
    .balign 4
longjmp:
    C.BSTART.STD RET
    hl.ldip   [a0, 0], ->s0, s1
    hl.ldip   [a0, 16], ->s2, s3
    hl.ldip   [a0, 32], ->s4, s5
    hl.ldip   [a0, 48], ->s6, s7
    hl.ldip   [a0, 64], ->s8, sp
    ldi       [a0, 80], ->ra
    c.setc.tgt ra
    cmp.eqi   a1, 0, ->t
    add       a1, t#1, ->a0         /* 0 becomes 1 */
    C.BSTOP
    .size longjmp, . - longjmp
