/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Start of a program without the kernel: reset in ACR0 on PE 0, one stack, interrupts off. The one thread's local
 * variables are a block in .bss (bare.ld). a1 = device tree (docs/target.md 1).
 */
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    C.BSTART.STD FALL
    addtpc    __bss, ->a2
    addi      a2, %lo(__bss), ->a2
    addtpc    __bss_end, ->a3
    addi      a3, %lo(__bss_end), ->a3
.Lclear:
    C.BSTART.STD FALL
    sdi       zero, [a2, 0]
    addi      a2, 8, ->a2
    BSTART.STD COND, .Lclear
    setc.ltu  a2, a3
    C.BSTART.STD FALL
    addtpc    __stack_end, ->sp
    addi      sp, %lo(__stack_end), ->sp
    addtpc    __tls_block, ->a2
    addi      a2, %lo(__tls_block), ->a2
    ssrset    a2, 0x0000
    addtpc    __tls_image, ->a3
    addi      a3, %lo(__tls_image), ->a3
    addtpc    __tls_image_end, ->a4
    addi      a4, %lo(__tls_image_end), ->a4
    sub       a4, a3, ->a4
    MCOPY     [a2, a3, a4]
    HL.BSTART.STD CALL, bare_main
    c.setret  .Lback, ->ra
    c.movr    a1, ->a0
.Lback:
    BSTART.STD DIRECT, .Lback
    c.movr    zero, ->a0
    .size _start, . - _start
