// SPDX-License-Identifier: BSD-2-Clause
// The timer of a PE: TIMER_TIMECMP_ACR1 raises TI when TIME has reached it. There is no periodic tick: the compare
// register always holds the next event that matters (kernel/sched.c, next_event), set on the way out of the trap.
#include "drivers/timer.h"

#include "kernel/sched.h"
#include "trap/wide.h"

struct context *timer_interrupt(struct context *c, uint64_t trapno, struct pe *pe) {
    ssr_set(SSR1(LINX_SSRO_EOIEI), LINX_INT_ACR1_TI);
    if (in_body(c))
        pe->body_interrupts++;
    return sched_tick(c, trapno, pe);
}
