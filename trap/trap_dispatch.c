// SPDX-License-Identifier: BSD-2-Clause
// The one C call of a trap: looks at the cause, calls its owner, decides who runs next.
#include "drivers/intc.h"
#include "drivers/timer.h"
#include "kernel/life.h"
#include "kernel/sched.h"
#include "kernel/syscall.h"
#include "trap/fault.h"
#include "trap/wide.h"

struct context *trap_dispatch(struct context *c, uint64_t trapno, struct pe *pe);

static void interrupt(struct pe *pe, uint64_t trapno) {
    struct task *t = pe->current;
    if (in_body(&t->ctx))
        pe->body_interrupts++;
    switch (trapno & LINX_TRAPNO_NUM_MASK) {
    case LINX_INT_ACR1_TI:
        timer_interrupt(pe);
        break;
    case LINX_INT_ACR1_EI:
        intc_interrupt();
        ssr_set(SSR1(LINX_SSRO_EOIEI), LINX_INT_ACR1_EI);
        break;
    case LINX_INT_ACR1_II:
        ssr_set(SSR1(LINX_SSRO_EOIEI), LINX_INT_ACR1_II);
        break;
    default:
        panic("an interrupt that was never enabled");
    }
    if (sched_pick(pe) != t)
        t->preemptions++;
}

struct context *trap_dispatch(struct context *c, uint64_t trapno, struct pe *pe) {
    struct task *t = pe->current;
    bool synchronous = (trapno >> LINX_TRAPNO_E_BIT) != 0;
    if (c->sp - (uint64_t)(uintptr_t)t->stack > t->stack_bytes || &t->ctx != c) {
        if (&t->ctx != c)
            return fault_in_kernel(pe, c, trapno);
        task_end_with(t, LINX_ENDED_STACK, 0, "stack overflow");
    } else if (!synchronous) {
        interrupt(pe, trapno);
    } else if ((trapno & LINX_TRAPNO_NUM_MASK) == LINX_E_SCALL) {
        syscall(t, c);
    } else {
        fault_of_task(pe, t, trapno);
    }
    struct context *next = sched_leave(pe);
    if (next != c && t->state != TASK_ENDED && !task_stack_whole(t)) {
        task_end_with(t, LINX_ENDED_STACK, 0, "it has written behind its stack");
        next = sched_leave(pe);
    }
    return next;
}
