// SPDX-License-Identifier: BSD-2-Clause
// Who runs: ready lists by priority, waiting and waking, the decision on the way out of every trap.
#include "kernel/sched.h"

#include "kernel/sync.h"
#include "trap/wide.h"

void sched_init(struct pe *pe) {
    for (int p = 0; p < LINX_PRIORITIES; p++)
        list_init(&pe->ready[p]);
    pe->ready_mask = 0;
}

void ready_add(struct task *t) {
    struct pe *pe = t->pe;
    list_push_back(&pe->ready[t->prio], &t->link);
    pe->ready_mask |= 1u << t->prio;
    pe->timer_dirty = true;     // it may be the first rival of the running task
}

void ready_remove(struct task *t) {
    struct pe *pe = t->pe;
    list_remove(&t->link);
    if (list_empty(&pe->ready[t->prio]))
        pe->ready_mask &= ~(1u << t->prio);
}

void sched_rotate(struct pe *pe) {
    struct task *t = pe->current;
    struct list *head = &pe->ready[t->prio];
    if (t == pe->idle || t->state != TASK_READY || t->link.next == head)
        return;
    list_remove(&t->link);
    list_push_back(head, &t->link);
}

// Behind all that are at least as urgent.
static void wait_insert(struct object *on, struct task *t) {
    struct list *at = on->waiters.prev;
    while (at != &on->waiters && task_of(at)->prio < t->prio)
        at = at->prev;
    list_insert_before(at->next, &t->link);
}

void sched_wait(struct task *t, struct object *on, uint64_t timeout) {
    ready_remove(t);
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
        t->state = TASK_READY;
        ready_add(t);
    }
    if (on != NULL && on->type == OBJ_MUTEX)
        mutex_waiter_left((struct mutex *)on);
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

// The next event that needs the timer: a time-out, or the end of the slice when an equal waits for its turn.
static uint64_t next_event(const struct pe *pe, const struct task *t) {
    uint64_t at = pe->heap_used != 0 ? pe->heap[1]->deadline : 0;
    if (t != pe->idle && !list_single(&pe->ready[t->prio]) && (at == 0 || pe->slice_end < at))
        at = pe->slice_end;
    return at;
}

struct context *sched_leave(struct pe *pe) {
    struct task *prev = pe->current, *next = sched_pick(pe);
    if (next != prev) {
        uint64_t now = time_now();
        prev->cpu_ns += now - pe->since;
        pe->since = now;
        pe->slice_end = now + pe->slice_ns;
        wide_leave(prev);
        while (!wide_enter(pe, next))
            next = sched_pick(pe);
        pe->switches++;
        next->switches++;
        pe->current = next;
    } else if (!pe->timer_dirty) {
        return &next->ctx;
    }
    timer_set(next_event(pe, next));
    pe->timer_dirty = false;
    return &next->ctx;
}

void sched_tick(struct pe *pe) {
    uint64_t now = time_now();
    bool slice_over = true;     // a tick for nothing else (--preempt-every) is the end of a slice
    pe->ticks++;
    while (pe->heap_used != 0 && pe->heap[1]->deadline <= now) {
        struct task *t = pe->heap[1];
        sched_wake(t, t->waiting_on != NULL ? LINX_ETIMEOUT : LINX_OK);
        slice_over = false;
    }
    if (slice_over || now >= pe->slice_end) {
        struct task *t = pe->current;
        sched_rotate(pe);
        if (sched_pick(pe) == t) {      // no rival: a new slice begins, and the time is booked
            t->cpu_ns += now - pe->since;
            pe->since = now;
            pe->slice_end = now + pe->slice_ns;
        }
    }
    pe->timer_dirty = true;
}
