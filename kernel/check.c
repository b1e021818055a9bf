// SPDX-License-Identifier: BSD-2-Clause
// The rules of kernel/task.h, checked over the whole state of a PE. For tests and debug builds (LINX_DEBUG); linked
// only where it is called.
#include "kernel/gang.h"
#include "kernel/object.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/space.h"
#include "trap/fault_handler.h"
#include "trap/wide.h"

static bool list_has(const struct list *head, const struct list *node) {
    for (const struct list *l = head->next; l != head; l = l->next)
        if (l == node)
            return true;
    return false;
}

static bool ring_has(const struct list *front, const struct list *node) { return front == node || list_has(front, node); }

static const char *check_task(const struct pe *pe, struct task *t) {
    uint8_t need = t->base_prio;
    for (const struct mutex *m = t->held; m != NULL; m = m->next_held) {
        if (m->owner != t)
            return "a mutex in held has another owner";
        for (const struct list *l = m->obj.waiters.next; l != &m->obj.waiters; l = l->next)
            if (list_entry(l, struct task, link)->prio > need)
                need = list_entry(l, struct task, link)->prio;
    }
    if (t != pe->idle && t->state != TASK_ENDED && t->prio != need)
        return "priority is not max(base, waiters on held locks)";
    bool ready = t->state == TASK_READY && t != pe->idle;
    if (ready && (pe->ready[t->prio] == NULL || !ring_has(pe->ready[t->prio], &t->link)))
        return "ready and not in its ring";
    if (!ready && t->waiting_on == NULL && !list_empty(&t->link))
        return "not ready and in a list";
    if (t->state == TASK_WAITING && t->waiting_on != NULL && !list_has(&t->waiting_on->waiters, &t->link))
        return "waiting and not among the waiters";
    if (t->state != TASK_WAITING && t->waiting_on != NULL)
        return "not waiting, but for an object";
    if (t->state != TASK_WAITING && t->timer_slot != 0 && (t->fault == NULL || !t->fault->active))
        return "a time-out of a task that does not wait";
    if (t->timer_slot != 0 && pe->heap[t->timer_slot] != t)
        return "its place in the timer heap is another's";
    const struct wide *w = t->wide;
    if (pe->wide_owner == t && (w == NULL || w->saved))
        return "its engine state is in the PE and in memory";
    if (t->state != TASK_ENDED && in_body(&t->ctx) && pe->wide_owner != t && (w == NULL || !w->saved))
        return "inside a body, and its engine state is nowhere";
    if (t->gang != NULL && (ready ? !t->gang->on : t->state == TASK_STOPPED && t->gang->on))
        return "ready or stopped against its gang";
    if (t->gang != NULL && t->affinity != pe_bit(pe))
        return "a gang's member is not on its PE";
    if (t->gang == NULL && t->state == TASK_STOPPED)
        return "stopped without a gang";
    if (ready && pe->current != t && pe->wide_owner != t && t->ctx.kernel_tp != (uint64_t)(uintptr_t)pe)
        return "it would enter the kernel of another PE";
    return NULL;
}

static const char *check_pe(const struct pe *pe) {
    uint32_t ready = 0;
    for (int p = 0; p < LINX_PRIORITIES; p++) {
        const struct list *front = pe->ready[p], *l = front;
        if ((pe->ready_mask >> p & 1) != (front != NULL))
            return "ready_mask disagrees with a ring";
        if (front == NULL)
            continue;
        do {
            const struct task *t = list_entry(l, struct task, link);
            if (l->next->prev != l || t->prio != p || t->state != TASK_READY || t->pe != pe)
                return "a broken ready ring";
            l = l->next;
            ready++;
        } while (l != front);
    }
    if (ready != pe->ready_count)
        return "ready_count disagrees with the rings";
    for (uint32_t i = 2; i <= pe->heap_used; i++)
        if (pe->heap[i]->deadline < pe->heap[i / 2]->deadline || pe->heap[i]->timer_slot != i)
            return "the timer heap is out of order";
    return NULL;
}

static const char *check_objects(void) {
    for (uint32_t i = 0; i < object_walk_end(); i++) {
        struct object *o = object_at(i);
        if (o == NULL)
            continue;
        for (struct list *l = o->waiters.next; l != &o->waiters; l = l->next) {
            if (task_of(l)->waiting_on != o || task_of(l)->state != TASK_WAITING)
                return "a waiter that waits for something else";
            if (l->next != &o->waiters && task_of(l->next)->prio > task_of(l)->prio)
                return "waiters out of order";
        }
        const char *bad = o->type == OBJ_TASK ? check_task(object_task(o)->pe, object_task(o)) : NULL;
        if (bad != NULL)
            return bad;
    }
    return NULL;
}

// Adding up all page tables takes long.
static const char *check_memory(void) {
#if defined LINX_DEBUG && !defined LINX_HOST_TEST
    static uint32_t calls;
    if (++calls % 64 == 0)
        return space_check();
#endif
    return NULL;
}

const char *sched_check(struct pe *pe) {
    const char *bad = check_pe(pe);
    if (bad == NULL)
        bad = check_objects();
    return bad != NULL ? bad : check_memory();
}

const char *sched_check_all(void) {
    for (uint64_t m = pes_online; m != 0; m &= m - 1) {
        struct pe *pe = pes[__builtin_ctzll(m)];
        for (uint64_t n = m & (m - 1); n != 0; n &= n - 1)
            if (pes[__builtin_ctzll(n)]->current == pe->current)
                return "a task runs on two PEs";
        if (pe->wide_owner != NULL && pe->wide_owner->pe != pe)
            return "the owner of an engine is elsewhere";
        const char *bad = check_pe(pe);
        if (bad != NULL)
            return bad;
    }
    const char *bad = check_objects();
    return bad != NULL ? bad : check_memory();
}
