// SPDX-License-Identifier: BSD-2-Clause
// Who runs: ready lists by priority, waiting and waking, the decision on the way out of every trap.
#include "kernel/sched.h"

#include "kernel/gang.h"
#include "kernel/life.h"
#include "kernel/smp.h"
#include "kernel/space.h"
#include "kernel/sync.h"
#include "trap/fault_handler.h"
#include "trap/wide.h"

OPTIONAL(fault_go_on);
OPTIONAL(fault_budget);

void ready_add(struct task *t) {
    struct pe *pe = t->pe;
    struct list **front = &pe->ready[t->prio];
    if (*front == NULL)
        *front = &t->link;                      // a ring of its own
    else
        list_insert_before(*front, &t->link);
    pe->ready_mask |= 1u << t->prio;
    pe->ready_count++;
    pe->timer_dirty = true;                     // it may be the first rival of the running task
    if (pe != this_pe())
        smp_ready_elsewhere(pe, t);
}

void sched_ready(struct task *t) {
    if (t->gang != NULL && !t->gang->on) {
        t->state = TASK_STOPPED;
        return;
    }
    t->state = TASK_READY;
    if (smp_active())
        smp_place(t);
    ready_add(t);
}

void ready_remove(struct task *t) {
    struct pe *pe = t->pe;
    struct list **front = &pe->ready[t->prio];
    pe->ready_count--;
    if (*front == &t->link)
        pe->turn_left[t->prio] = 0;
    if (list_empty(&t->link)) {
        *front = NULL;
        pe->ready_mask &= ~(1u << t->prio);
    } else if (*front == &t->link) {
        *front = t->link.next;
    }
    list_remove(&t->link);
}

// Behind all that are at least as urgent; at the end where there is no handle (the console): there urgency does not count.
static void wait_insert(struct object *on, struct task *t) {
    struct list *at = on->waiters.prev;
    while (at != &on->waiters && on->handle != 0 && task_of(at)->prio < t->prio)
        at = at->prev;
    list_insert_before(at->next, &t->link);
}

void sched_wait(struct task *t, struct object *on, uint64_t timeout) {
    ready_remove(t);
    if (t->timer_slot != 0)
        timeout_disarm(t);                      // of its fault handler
    t->state = TASK_WAITING;
    t->waiting_on = on;
    if (on != NULL)
        wait_insert(on, t);
    if (timeout != LINX_FOREVER) {
        uint64_t now = time_now();
        timeout_arm(t, timeout < LINX_FOREVER - now ? now + timeout : LINX_FOREVER - 1);
    }
}

void sched_wake(struct task *t, int64_t result) {
    ASSERT(t->state == TASK_WAITING);
    timeout_disarm(t);
    struct object *on = t->waiting_on;
    if (on != NULL) {
        list_remove(&t->link);
        t->waiting_on = NULL;
    }
    t->ctx.a0 = (uint64_t)result;
    if (t->suspend_pending) {
        t->suspend_pending = false;
        t->state = TASK_SUSPENDED;
    } else {
        sched_ready(t);
    }
    if (on != NULL && on->type == OBJ_MUTEX)
        mutex_waiter_left((struct mutex *)on);
    if (t->fault != NULL)
        fault_go_on(t);
}

void sched_set_prio(struct task *t, uint8_t prio) {
    if (t->prio == prio)
        return;
    if (t->state == TASK_READY) {
        ready_remove(t);
        t->prio = prio;
        ready_add(t);
    } else {
        t->prio = prio;
        if (t->waiting_on != NULL) {
            list_remove(&t->link);
            wait_insert(t->waiting_on, t);
        }
    }
}

// ---- leaving the kernel -------------------------------------------------------------------------------------------------
static inline bool has_rival(const struct task *t) { return !list_empty(&t->link); }   // idle is in no ring

// The next event that needs the timer: a time-out, or the end of the slice when an equal waits for its turn.
static inline uint64_t next_event(const struct pe *pe, const struct task *t) {
    return has_rival(t) && pe->slice_end < pe->next_deadline ? pe->slice_end : pe->next_deadline;
}

void sched_look_in(struct pe *pe, uint64_t at) {
    uint64_t next = next_event(pe, pe->current);
    timer_set(at < next ? at : next);
}

// `next` takes over from `prev`. One that was only interrupted by something more urgent, and so is still the front of its
// ring, goes on later with the rest of its turn: else interruptions shorter than a slice would end no turn ever.
static void change_turns(struct pe *pe, const struct task *prev, const struct task *next, uint64_t now) {
    if (prev->state == TASK_READY && pe->ready[prev->prio] == &prev->link)
        pe->turn_left[prev->prio] = now < pe->slice_end ? (uint32_t)(pe->slice_end - now) : 1;
    uint32_t left = pe->turn_left[next->prio];
    pe->turn_left[next->prio] = 0;
    pe->slice_end = now + (left != 0 ? left : pe->slice_ns);
}

static inline struct context *run(struct pe *pe, struct task *prev, struct task *next, uint64_t now) {
    prev->cpu_ns += now - pe->since;
    pe->since = now;
    next->switches++;
    pe->current = next;
    space_enter(pe, next);
#ifdef LINX_DEBUG
    const char *broken = smp_active() ? NULL : sched_check(pe);    // several PEs: kernel/smp.c, all of them
    if (broken != NULL)
        panic(broken);
#endif
    return &next->ctx;
}

// A switch that has to look after the data engine of either.
static __attribute__((noinline)) struct context *switch_wide(struct pe *pe, struct task *prev, struct task *next,
                                                              uint64_t now) {
    wide_leave(prev);
    while (!wide_enter(pe, next))
        next = sched_pick(pe);
    if (pe->timer_dirty) {
        timer_set(next_event(pe, next));
        pe->timer_dirty = false;
    }
    return run(pe, prev, next, now);
}

static inline struct context *switch_to(struct pe *pe, struct task *prev, struct task *next, uint64_t now) {
    if (((uintptr_t)prev->wide | (uintptr_t)next->wide) != 0)
        return switch_wide(pe, prev, next, now);
    return run(pe, prev, next, now);
}

struct context *sched_leave(struct pe *pe) {
    struct task *prev = pe->current, *next = sched_pick(pe);
    uint64_t now = 0;
    if (next != prev) {
        now = time_now();
        change_turns(pe, prev, next, now);
    } else if (!pe->timer_dirty) {
        return &next->ctx;
    }
    timer_set(next_event(pe, next));
    pe->timer_dirty = false;
    return next != prev ? switch_to(pe, prev, next, now) : &next->ctx;
}

// The slice of whoever comes is what is left of it; the timer stays as it is.
struct context *sched_give_way(struct pe *pe, struct task *t) {
    struct list *next = t->link.next;
    if (!has_rival(t))
        return &t->ctx;
    pe->ready[t->prio] = next;
    return switch_to(pe, t, task_of(next), time_now());
}

static __attribute__((noinline)) struct context *end_timeouts(struct pe *pe, struct task *t, uint64_t now) {
    while (pe->next_deadline <= now) {
        struct task *w = pe->heap[1];
        if (w->state != TASK_WAITING)
            fault_budget(w);                    // the time-out of a running fault handler
        else
            sched_wake(w, w->waiting_on != NULL ? LINX_ETIMEOUT : LINX_OK);
    }
    if (now >= pe->slice_end)
        sched_rotate(pe);
    pe->timer_dirty = true;
    if (sched_pick(pe) != t)
        t->preemptions++;
    return sched_leave(pe);
}

// A tick that ends no time-out ends the slice (--preempt-every raises such ticks, too).
struct context *sched_tick(struct context *c, uint64_t trapno, struct pe *pe) {
    struct task *t = (struct task *)c;
    uint64_t now = time_now();
    (void)trapno;
    pe->ticks++;
    if (pe->next_deadline <= now)
        return end_timeouts(pe, t, now);
    if (!has_rival(t)) {
        timer_set(pe->next_deadline);
        return c;
    }
    pe->slice_end = now + pe->slice_ns;
    timer_set(next_event(pe, t));
    struct list *next = t->link.next;
    pe->ready[t->prio] = next;
    t->preemptions++;
    return switch_to(pe, t, task_of(next), now);
}
