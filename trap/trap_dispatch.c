// SPDX-License-Identifier: BSD-2-Clause
// The one C call of a trap: looks at the cause, calls its owner, decides who runs next.
#include "drivers/intc.h"
#include "drivers/timer.h"
#include "kernel/life.h"
#include "kernel/sched.h"
#include "kernel/syscall.h"
#include "trap/fault.h"
#include "trap/wide.h"

static __attribute__((noinline)) struct context *other_trap(struct context *c, uint64_t trapno, struct pe *pe) {
    struct task *t = pe->current;
    if (&t->ctx != c)
        return fault_in_kernel(pe, c, trapno);
    if (trapno >> LINX_TRAPNO_E_BIT) {
        fault_of_task(pe, t, trapno);
        return sched_leave(pe);
    }
    if (in_body(c))
        pe->body_interrupts++;
    switch (trapno & LINX_TRAPNO_NUM_MASK) {
    case LINX_INT_ACR1_EI:
        intc_interrupt();
        break;
    case LINX_INT_ACR1_II:
        break;
    default:
        panic("an interrupt that was never enabled");
    }
    ssr_set(SSR1(LINX_SSRO_EOIEI), trapno & LINX_TRAPNO_NUM_MASK);
    if (sched_pick(pe) != t)
        t->preemptions++;
    return sched_leave(pe);
}

static __attribute__((noinline)) struct context *system_call(struct context *c, uint64_t trapno, struct pe *pe) {
    (void)trapno;
    syscall((struct task *)c, c);
    return sched_leave(pe);
}

// Interrupts and system calls come from tasks only (the kernel runs with interrupts off and makes none), so `c` is the
// running task's; a fault may also be the kernel's own. The frequent cases leave by tail calls with their arguments in
// place.
struct context *trap_dispatch(struct context *c, uint64_t trapno, struct pe *pe) {
    if (trapno == LINX_INT_ACR1_TI)
        return timer_interrupt(c, trapno, pe);
    if ((trapno & LINX_TRAPNO_NUM_MASK) != LINX_E_SCALL)
        return other_trap(c, trapno, pe);
    c->ebpc = c->etpc + 4;              // behind the acrc, where a block has to start
    c->ecstate &= ~(uint64_t)LINX_ECSTATE_BI;
    if (c->a7 != SYS_YIELD)
        return system_call(c, trapno, pe);
    c->a0 = LINX_OK;
    return sched_give_way(pe, (struct task *)c);
}
