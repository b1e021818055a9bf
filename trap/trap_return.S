/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The only way out of the kernel: to a task after a trap, to a new task, and out of the boot. Part of trap_entry.S,
 * which falls into it.
 * In: a0 = context of the task. ACRE 1 resumes in the middle of a block when ECSTATE.BI says so, and starts the block
 * at EBPC otherwise (a new task, or a system call's continuation).
 */
    .globl trap_return, trap_acre
    .type trap_return, @function
trap_return:
    C.BSTART.STD FALL
    c.movr    a0, ->sp
#include "context_restore.inc"

trap_acre:                          /* a refusal of ACRE 1 traps with this address in EBPC (trap/fault.c) */
    C.BSTART.SYS FALL
    hl.ssrset sp, LINX_SSR_BANK(1, LINX_SSRO_ETEMP)
    ldi       [sp, CTX_SP - CTX_GPR_BYTES], ->sp
    acre      1
    .size trap_return, . - trap_return
