# SPDX-License-Identifier: BSD-2-Clause
# Start of a test program and the functions that C cannot write.
    .section .text.start, "ax"
    .globl _start
_start:
    C.BSTART.STD FALL
    addtpc %pcrel_hi(__stack_top), ->sp
    addi sp, %lo(__stack_top), ->sp
    BSTART.STD CALL, start_c
    c.setret 1f, ->ra
1:
    C.BSTART DIRECT, 1b
    C.BSTOP

    .text
# void set_tp(void *): where the thread-local variables start
    .globl set_tp
    .type set_tp, @function
set_tp:
    C.BSTART.STD RET
    ssrset a0, 0
    c.setc.tgt ra
    .size set_tp, . - set_tp

# int setjmp(long buf[12]); void longjmp(long buf[12], int value)
    .globl setjmp
    .type setjmp, @function
setjmp:
    C.BSTART.STD RET
    sdi sp, [a0, 0]
    sdi ra, [a0, 8]
    sdi s0, [a0, 16]
    sdi s1, [a0, 24]
    sdi s2, [a0, 32]
    sdi s3, [a0, 40]
    sdi s4, [a0, 48]
    sdi s5, [a0, 56]
    sdi s6, [a0, 64]
    sdi s7, [a0, 72]
    sdi s8, [a0, 80]
    c.movi 0, ->a0
    c.setc.tgt ra
    .size setjmp, . - setjmp

    .globl longjmp
    .type longjmp, @function
longjmp:
    C.BSTART.STD IND
    ldi [a0, 0], ->sp
    ldi [a0, 8], ->a2
    ldi [a0, 16], ->s0
    ldi [a0, 24], ->s1
    ldi [a0, 32], ->s2
    ldi [a0, 40], ->s3
    ldi [a0, 48], ->s4
    ldi [a0, 56], ->s5
    ldi [a0, 64], ->s6
    ldi [a0, 72], ->s7
    ldi [a0, 80], ->s8
    c.movr a1, ->a0
    c.setc.tgt a2
    .size longjmp, . - longjmp
