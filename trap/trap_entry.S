/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EVBASE_ACR1: every interrupt, fault and system call of ACR1 and ACR2 comes here.
 * Live: all of the interrupted task's registers and queues; ETEMP_ACR1 = its context + CTX_GPR_BYTES.
 * Saves the context, gives the kernel its TP and stack, calls trap_dispatch once; what comes back in a0 is the context
 * that runs next (trap_return.S). Interrupts stay off. A fault of the kernel itself finds in ETEMP a context of the
 * PE's own and an emergency stack, so its evidence survives. Machines with several PEs use trap_entry_smp.
 */
#include "linx/arch.h"
#include "context.h"
#include "kernel/pe_offsets.h"

    .section .text.trap, "ax"
.macro ENTRY name, dispatch, back
    .globl \name
    .type \name, @function
    .balign 4
\name:
    C.BSTART.STD FALL
    ssrswap   sp, 0xF00 + LINX_SSRO_ETEMP, ->sp
#include "context_save.inc"

    HL.BSTART.STD CALL, \dispatch
    c.setret  \back, ->ra
    c.movr    sp, ->a0
    hl.ssrget LINX_SSR_BANK(1, LINX_SSRO_TRAPNO), ->a1
    hl.ldip   [sp, CTX_KERNEL_TP], ->a2, sp
    ssrset    a2, LINX_SSR_TP
    addi      a2, PE_NESTED + CTX_GPR_BYTES, ->t
    hl.ssrset t#1, LINX_SSR_BANK(1, LINX_SSRO_ETEMP)
    .size \name, . - \name
.endm

    ENTRY trap_entry_smp, smp_dispatch, .Lsmp_back
.Lsmp_back:
    BSTART.STD DIRECT, trap_return
    ENTRY trap_entry, trap_dispatch, trap_return
#include "trap_return.S"
