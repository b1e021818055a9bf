// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/sync.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/sched.h"

static struct task *first_waiter(struct object *o) {
    return list_empty(&o->waiters) ? NULL : task_of(o->waiters.next);
}

static int64_t wait_or_refuse(struct task *t, struct object *o, uint64_t timeout) {
    if (timeout == 0)
        return LINX_ETIMEOUT;
    sched_wait(t, o, timeout);
    return BLOCKED;
}

// ---- semaphores ----------------------------------------------------------------------------------------------------------
int64_t sem_wait(struct task *t, struct sem *s, uint64_t timeout) {
    if (s->count == 0)
        return wait_or_refuse(t, &s->obj, timeout);
    s->count--;
    return LINX_OK;
}

int64_t sem_post(struct sem *s) {
    struct task *w = first_waiter(&s->obj);
    if (w != NULL) {
        sched_wake(w, LINX_OK);
        return LINX_OK;
    }
    if (s->count == s->max)
        return LINX_EOVERFLOW;
    s->count++;
    return LINX_OK;
}

// ---- mutexes -------------------------------------------------------------------------------------------------------------
static uint8_t prio_needed(const struct task *t) {
    uint8_t prio = t->base_prio;
    for (const struct mutex *m = t->held; m != NULL; m = m->next_held)
        if (!list_empty(&m->obj.waiters)) {
            uint8_t w = task_of(m->obj.waiters.next)->prio;     // most urgent first
            if (w > prio)
                prio = w;
        }
    return prio;
}

// The chain t -> mutex it waits for -> owner -> ... is finite: mutex_lock refuses to close a circle.
void task_update_prio(struct task *t) {
    for (;;) {
        uint8_t prio = prio_needed(t);
        if (prio == t->prio)
            return;
        sched_set_prio(t, prio);
        struct object *on = t->waiting_on;
        if (t->state != TASK_WAITING || on == NULL || on->type != OBJ_MUTEX)
            return;
        t = ((struct mutex *)on)->owner;
    }
}

static void mutex_grant(struct mutex *m, struct task *t) {
    m->owner = t;
    m->next_held = t->held;
    t->held = m;
}

static int64_t grant_result(struct mutex *m) {
    bool died = m->owner_died;
    m->owner_died = false;
    return died ? LINX_EOWNERDEAD : LINX_OK;
}

// Does t, by owning something that is waited for, already stand behind m's owner?
static bool closes_circle(const struct task *t, const struct mutex *m) {
    for (;;) {
        const struct task *owner = m->owner;
        if (owner == t)
            return true;
        const struct object *on = owner->waiting_on;
        if (owner->state != TASK_WAITING || on == NULL || on->type != OBJ_MUTEX)
            return false;
        m = (const struct mutex *)on;
    }
}

int64_t mutex_lock(struct task *t, struct mutex *m, uint64_t timeout) {
    if (m->owner == NULL) {
        mutex_grant(m, t);
        return grant_result(m);
    }
    if (closes_circle(t, m))
        return LINX_EDEADLK;
    int64_t r = wait_or_refuse(t, &m->obj, timeout);
    if (r == BLOCKED)
        task_update_prio(m->owner);
    return r;
}

static void mutex_pass_on(struct mutex *m) {        // already out of the old owner's list
    m->owner = NULL;
    struct task *next = first_waiter(&m->obj);
    if (next == NULL)
        return;
    mutex_grant(m, next);
    sched_wake(next, grant_result(m));              // and mutex_waiter_left() raises next if need be
}

static void unlink_held(struct task *t, struct mutex *m) {
    struct mutex **link = &t->held;
    while (*link != m)
        link = &(*link)->next_held;
    *link = m->next_held;
    m->next_held = NULL;
}

int64_t mutex_unlock(struct task *t, struct mutex *m) {
    if (m->owner != t)
        return LINX_EPERM;
    unlink_held(t, m);
    mutex_pass_on(m);
    task_update_prio(t);
    return LINX_OK;
}

void mutex_waiter_left(struct mutex *m) {
    if (m->owner != NULL)
        task_update_prio(m->owner);
}

void mutex_release_all(struct task *t) {
    while (t->held != NULL) {
        struct mutex *m = t->held;
        unlink_held(t, m);
        m->owner_died = true;
        mutex_pass_on(m);
    }
}

// ---- message queues ------------------------------------------------------------------------------------------------------
static char *queue_slot(struct queue *q, uint32_t i) {
    uint32_t at = q->head + i;
    return q->slots + (size_t)(at >= q->capacity ? at - q->capacity : at) * q->bytes;
}

int64_t queue_send(struct task *t, struct queue *q, const void *message, uint64_t timeout) {
    if (q->used == q->capacity) {
        t->wait.buffer = (void *)message;
        return wait_or_refuse(t, &q->obj, timeout);
    }
    if (!copy_from_task(t, queue_slot(q, q->used), message, q->bytes))
        return LINX_EFAULT;
    // Straight into a receiver's buffer; one whose buffer has become bad hears so and the next one gets the message.
    for (struct task *w; q->used == 0 && (w = first_waiter(&q->obj)) != NULL;) {
        bool good = copy_to_task(w, w->wait.buffer, queue_slot(q, 0), q->bytes);
        sched_wake(w, good ? LINX_OK : LINX_EFAULT);
        if (good)
            return LINX_OK;
    }
    q->used++;
    return LINX_OK;
}

int64_t queue_receive(struct task *t, struct queue *q, void *message, uint64_t timeout) {
    if (q->used == 0) {
        t->wait.buffer = message;
        return wait_or_refuse(t, &q->obj, timeout);
    }
    if (!copy_to_task(t, message, queue_slot(q, 0), q->bytes))
        return LINX_EFAULT;
    bool was_full = q->used == q->capacity;
    q->head = q->head + 1 == q->capacity ? 0 : q->head + 1;
    q->used--;
    while (was_full) {                                                  // let the next sender in
        struct task *w = first_waiter(&q->obj);
        if (w == NULL)
            break;
        bool good = copy_from_task(w, queue_slot(q, q->used), w->wait.buffer, q->bytes);
        q->used += good;
        sched_wake(w, good ? LINX_OK : LINX_EFAULT);
        was_full = !good;
    }
    return LINX_OK;
}

// ---- event flags ---------------------------------------------------------------------------------------------------------
static bool event_holds(const struct event *e, uint32_t mask, uint32_t mode) {
    uint32_t set = e->flags & mask;
    return (mode & LINX_EVENT_ALL) ? set == mask : set != 0;
}

int64_t event_wait(struct task *t, struct event *e, uint32_t mask, uint32_t mode, uint64_t timeout) {
    if (!event_holds(e, mask, mode)) {
        t->wait.event.mask = mask;
        t->wait.event.mode = mode;
        return wait_or_refuse(t, &e->obj, timeout);
    }
    uint32_t seen = e->flags;
    if (mode & LINX_EVENT_CLEAR)
        e->flags &= ~mask;
    return seen;
}

int64_t event_set(struct event *e, uint32_t mask) {
    e->flags |= mask;
    uint32_t seen = e->flags, cleared = 0;      // every waiter sees the same flags; what they clear goes afterwards
    for (struct list *l = e->obj.waiters.next, *next; l != &e->obj.waiters; l = next) {
        next = l->next;
        struct task *w = task_of(l);
        if (!event_holds(e, w->wait.event.mask, w->wait.event.mode))
            continue;
        if (w->wait.event.mode & LINX_EVENT_CLEAR)
            cleared |= w->wait.event.mask;
        sched_wake(w, seen);
    }
    e->flags &= ~cleared;
    return e->flags;
}

// ---- deletion ------------------------------------------------------------------------------------------------------------
int64_t object_delete(struct task *t, struct object *o) {
    if (o->type == OBJ_TASK || o->type == OBJ_GANG)
        return LINX_EHANDLE;
    if (o->type == OBJ_MUTEX && ((struct mutex *)o)->owner != NULL && ((struct mutex *)o)->owner != t)
        return LINX_EPERM;
    object_destroy(o);
    return LINX_OK;
}

void object_destroy(struct object *o) {
    struct task *owner = o->type == OBJ_MUTEX ? ((struct mutex *)o)->owner : NULL;
    if (owner != NULL) {
        unlink_held(owner, (struct mutex *)o);
        ((struct mutex *)o)->owner = NULL;
    }
    for (struct task *w; (w = first_waiter(o)) != NULL;)
        sched_wake(w, LINX_EDELETED);
    if (owner != NULL)
        task_update_prio(owner);
    if (o->type == OBJ_QUEUE) {
        struct queue *q = (struct queue *)o;
        kernel_free(q->slots);
        authority_refund(authority_owner(o), (uint64_t)q->bytes * q->capacity);
    }
    object_free(o);
}
