# SPDX-License-Identifier: BSD-2-Clause
# printf for objects of the public compiler: it passes all arguments of a variadic call on the stack, the format
# first. print_packed (shim.c) takes their address.
    .text
    .globl printf
    .type printf, @function
printf:
    FENTRY [ra ~ ra], sp!, 16
    BSTART.STD CALL, print_packed
    c.setret 1f, ->ra
    addi sp, 16, ->a0
1:
    FRET.STK [ra ~ ra], sp!, 16
    .size printf, . - printf
