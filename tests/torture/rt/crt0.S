# SPDX-License-Identifier: BSD-2-Clause
# Entry of a test image. From reset: ring 0, interrupts and MMU off, a0 = number of the PE. PE 0 gets a
# stack and calls torture_start; the others stop.
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    BSTART.STD COND, 1f
    setc.ne a0, zero
    BSTART.STD FALL
    addtpc %pcrel_hi(__stack_top), ->sp
    addi sp, %lo(__stack_top), ->sp
    BSTART.STD CALL, torture_start
    c.setret 1f, ->ra
1:
    BSTART.SYS FALL
    bwi zero
    BSTART.STD DIRECT, 1b
    BSTOP
    .size _start, . - _start
