/* SPDX-License-Identifier: BSD-2-Clause */
/* One stub for each system call (include/linx/abi.h): linx_NAME. Arguments stand where the call needs them. */
#include "linx/abi.h"

    .section .text.syscall, "ax"

.macro STUB number, name
    .globl linx_\name
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

#define X(number, name) STUB number, name ;
LINX_SYSCALLS(X)

/* Where a task's first function returns to. */
    .globl task_returned
task_returned:
    C.BSTART.SYS FALL
    addi      zero, 0, ->a0
    addi      zero, 2, ->a7
    acrc      1
