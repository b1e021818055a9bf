/* SPDX-License-Identifier: BSD-2-Clause */
/* The stubs of the kernel's base; those of its optional parts: lib/syscall_PART.S. */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_BASE(STUB)

/* Where a task's first function returns to. */
    .section .text.task_returned, "ax"
    .globl task_returned
task_returned:
    C.BSTART.SYS FALL
    addi      zero, 0, ->a0
    addi      zero, 2, ->a7
    acrc      1
    C.BSTOP
