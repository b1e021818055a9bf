/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reset, in ACR0 with interrupts off and the MMU off: a0 = LXLCID, a1 = device tree. PE 0 clears the BSS, lets the
 * monitor read the tree and enters the kernel in ACR1. The others sleep until LINX_MAC_PE_START writes their mailbox.
 */
#include "linx/arch.h"
#include "boot/mailbox.h"

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    BSTART.STD COND, park
    setc.ne   a0, zero
    C.BSTART.STD FALL
    la        __bss, ->a2
    la        __bss_end, ->a3
.Lclear:
    C.BSTART.STD FALL
    sdi       zero, [a2, 0]
    addi      a2, 8, ->a2
    BSTART.STD COND, .Lclear
    setc.ltu  a2, a3
    C.BSTART.STD FALL
    la        monitor_stack_end, ->sp
    c.movr    a0, ->s0
    HL.BSTART.STD CALL, monitor_boot
    c.setret  .Lbooted, ->ra
    c.movr    a1, ->a0
.Lbooted:
    C.BSTART.STD FALL
    la        kernel_main, ->a1
    la        kernel_stack_end, ->a2
    BSTART.STD DIRECT, enter_kernel
    c.movr    s0, ->a0
    .size _start, . - _start

/* a0 = argument, a1 = where to go in ACR1, a2 = sp there; sp = this PE's monitor stack. Does not return. */
    .type enter_kernel, @function
enter_kernel:
    C.BSTART.SYS FALL
    la        monitor_entry, ->a3
    ssrset    a3, LINX_SSR_BANK(0, LINX_SSRO_EVBASE)
    ssrset    sp, LINX_SSR_BANK(0, LINX_SSRO_ETEMP)
    ssrset    zero, LINX_SSR_BANK(0, LINX_SSRO_EBARG)
    ssrset    zero, LINX_SSR_BANK(0, LINX_SSRO_EBPCN)
    ssrset    a1, LINX_SSR_BANK(0, LINX_SSRO_EBPC)
    ssrset    a1, LINX_SSR_BANK(0, LINX_SSRO_ETPC)
    addi      zero, LINX_ACR_KERNEL, ->a3
    ssrset    a3, LINX_SSR_BANK(0, LINX_SSRO_ECSTATE)
    c.movr    a2, ->sp
    acre      0
    .size enter_kernel, . - enter_kernel

/* A PE that waits to be started: a0 = its LXLCID. */
    .type park, @function
park:
    C.BSTART.STD FALL
    la        mailboxes, ->s0
    slli      a0, MAILBOX_SHIFT, ->t
    add       s0, t#1, ->s0
    ssrget    LINX_SSR_BANK(0, LINX_SSRO_ECONFIG), ->t      /* BWI wakes for what ECONFIG lets through */
    ori       t#1, LINX_ECONFIG_I, ->t
    ssrset    t#1, LINX_SSR_BANK(0, LINX_SSRO_ECONFIG)
.Lsleep:
    C.BSTART.SYS FALL
    bwi       zero
    C.BSTART.SYS FALL
    addi      zero, LINX_INT_ACR0_II, ->t
    ssrset    t#1, LINX_SSR_BANK(0, LINX_SSRO_EOIEI)
    BSTART.STD COND, .Lsleep
    ldi       [s0, MAILBOX_ENTRY], ->a1
    setc.eq   a1, zero
    BSTART.STD DIRECT, enter_kernel
    ldi       [s0, MAILBOX_ARG], ->a0
    ldi       [s0, MAILBOX_KERNEL_SP], ->a2
    ldi       [s0, MAILBOX_MONITOR_SP], ->sp
    .size park, . - park

/*
 * EVBASE_ACR0: monitor calls of the kernel (and of tasks, which monitor_dispatch refuses), and faults of the monitor.
 * ETEMP_ACR0 = this PE's monitor stack while another ring runs. Keeps what a function call keeps; the rest is cleared.
 */
    .globl monitor_entry
    .type monitor_entry, @function
monitor_entry:
    C.BSTART.STD FALL
    ssrswap   sp, 0xF00 + LINX_SSRO_ETEMP, ->sp
    FENTRY    [ra ~ ra], sp!, 16
    HL.BSTART.STD CALL, monitor_dispatch
    c.setret  .Lserved, ->ra
    c.movr    a7, ->a3
.Lserved:
    FEXIT     [ra ~ ra], sp!, 16
    C.BSTART.SYS FALL
    ssrget    LINX_SSR_BANK(0, LINX_SSRO_ETPC), ->a1
    addi      a1, 4, ->a1
    ssrset    a1, LINX_SSR_BANK(0, LINX_SSRO_EBPC)
    ssrset    a1, LINX_SSR_BANK(0, LINX_SSRO_ETPC)
    ssrget    LINX_SSR_BANK(0, LINX_SSRO_ECSTATE), ->a1
    andi      a1, ~LINX_ECSTATE_BI, ->a1
    ssrset    a1, LINX_SSR_BANK(0, LINX_SSRO_ECSTATE)
    .irp r, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3
    c.movr    zero, ->\r
    .endr
    ssrswap   sp, 0xF00 + LINX_SSRO_ETEMP, ->sp
    acre      1
    .size monitor_entry, . - monitor_entry

/* The stacks of PE 0: monitor, kernel, and the one for a trap taken inside the kernel. */
    .bss
    .balign 16
    .globl kernel_stack_end, emergency_stack_end
    .space 1024
monitor_stack_end:
    .space 4096
kernel_stack_end:
    .space 1024
emergency_stack_end:
