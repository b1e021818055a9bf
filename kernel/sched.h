// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_SCHED_H
#define LINX_SCHED_H

#include "kernel/arch.h"

// The most urgent ready task of the PE, its idle task when there is none. O(1).
static inline struct task *sched_pick(const struct pe *pe) {
    if (pe->ready_mask == 0)
        return pe->idle;
    return task_of(pe->ready[31 - __builtin_clz(pe->ready_mask)]);
}

void ready_add(struct task *t);                 // to the end of its priority's ring
void ready_remove(struct task *t);
void sched_ready(struct task *t);               // a task that was in no ring becomes ready, on this or another PE

// The running task goes behind its equals.
static inline void sched_rotate(struct pe *pe) {
    struct task *t = pe->current;
    if (t->state == TASK_READY && pe->ready[t->prio] == &t->link)
        pe->ready[t->prio] = t->link.next;
}

// Takes the running task `t` off the PE until sched_wake. It waits in `on` (NULL: only for time); timeout ns, not 0.
void sched_wait(struct task *t, struct object *on, uint64_t timeout);
// Ends a task's wait: out of the object's list and the timer heap, `result` into its a0, ready (or suspended).
void sched_wake(struct task *t, int64_t result);
// Sets the effective priority and moves the task in the list where it stands.
void sched_set_prio(struct task *t, uint8_t prio);

// The ways out of a trap; each returns the context that runs next.
struct context *sched_leave(struct pe *pe);                     // whoever is most urgent now
struct context *sched_give_way(struct pe *pe, struct task *t);     // t, running, gives way to its equals
struct context *sched_tick(struct context *c, uint64_t trapno, struct pe *pe);  // timer interrupt; as trap_dispatch
void sched_look_in(struct pe *pe, uint64_t at);                 // the timer interrupt comes at TIME `at` or earlier
// Everything in task.h's rules, for debug builds and tests. Returns NULL or what is broken.
const char *sched_check(struct pe *pe);
const char *sched_check_all(void);              // over all PEs

// Time-outs (kernel/timeout.c)
void timeout_arm(struct task *t, uint64_t deadline);
void timeout_disarm(struct task *t);            // no effect when none is armed
MUST_USE bool timeout_reserve(uint32_t tasks);  // room for so many on every PE that is online; false: no memory
MUST_USE bool timeout_grow(struct pe *pe, uint32_t capacity);   // room on one PE; false: no memory

#endif
