/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * STUB(number, name): linx_NAME. Arguments stand where the call needs them. Each stub is a section of its own, and names
 * the kernel's handler: whoever links the stub links the part of the kernel that serves it.
 */
#include "linx/abi.h"

.macro STUB_ number, name
    .section .text.linx_\name, "ax"
    .globl linx_\name, sys_\name
    .type linx_\name, @function
linx_\name:
    C.BSTART.SYS FALL
    addi      zero, \number, ->a7
    acrc      1
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .size linx_\name, . - linx_\name
.endm
#define STUB(number, name) STUB_ number, name ;
