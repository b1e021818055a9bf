/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault handlers (trap/fault_handler.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_FAULT(STUB)

/* Where a handler returns to, with its answer in a0. */
    .section .text.linx_fault_returned, "ax"
    .globl linx_fault_returned
    .type linx_fault_returned, @function
linx_fault_returned:
    C.BSTART.SYS FALL
    addi      zero, LINX_SYS_FAULT_RETURN, ->a7
    acrc      1
    C.BSTOP
    .size linx_fault_returned, . - linx_fault_returned
