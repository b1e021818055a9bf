// SPDX-License-Identifier: BSD-2-Clause
// System calls on semaphores, mutexes, queues and events.
#include "kernel/syscall.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/sync.h"

int64_t sys_sem_create(struct task *t, const struct context *c) {
    uint32_t initial = (uint32_t)c->a0, max = (uint32_t)c->a1;
    if (max == 0 || initial > max)
        return LINX_EINVAL;
    struct sem *s = object_create(t->space, OBJ_SEM, sizeof *s);
    if (s == NULL)
        return LINX_ENOMEM;
    s->count = initial;
    s->max = max;
    return s->obj.handle;
}

int64_t sys_sem_wait(struct task *t, const struct context *c) {
    struct sem *s = object_find(t, c->a0, OBJ_SEM);
    return s == NULL ? LINX_EHANDLE : sem_wait(t, s, c->a1);
}

int64_t sys_sem_post(struct task *t, const struct context *c) {
    struct sem *s = object_find(t, c->a0, OBJ_SEM);
    return s == NULL ? LINX_EHANDLE : sem_post(s);
}

int64_t sys_mutex_create(struct task *t, const struct context *c) {
    (void)c;
    struct mutex *m = object_create(t->space, OBJ_MUTEX, sizeof *m);
    return m == NULL ? LINX_ENOMEM : m->obj.handle;
}

int64_t sys_mutex_lock(struct task *t, const struct context *c) {
    struct mutex *m = object_find(t, c->a0, OBJ_MUTEX);
    return m == NULL ? LINX_EHANDLE : mutex_lock(t, m, c->a1);
}

int64_t sys_mutex_unlock(struct task *t, const struct context *c) {
    struct mutex *m = object_find(t, c->a0, OBJ_MUTEX);
    return m == NULL ? LINX_EHANDLE : mutex_unlock(t, m);
}

int64_t sys_queue_create(struct task *t, const struct context *c) {
    uint64_t bytes = c->a0, count = c->a1;
    if (bytes == 0 || bytes > LINX_MSG_MAX || count == 0 || count > LINX_QUEUE_MAX)
        return LINX_EINVAL;
    if (!authority_charge(t->space, bytes * count))
        return LINX_ENOMEM;
    char *slots = kernel_alloc_raw(bytes * count);
    struct queue *q = slots != NULL ? object_create(t->space, OBJ_QUEUE, sizeof *q) : NULL;
    if (q == NULL) {
        kernel_free(slots);
        authority_refund(t->space, bytes * count);
        return LINX_ENOMEM;
    }
    q->bytes = (uint32_t)bytes;
    q->capacity = (uint32_t)count;
    q->slots = slots;
    return q->obj.handle;
}

int64_t sys_queue_send(struct task *t, const struct context *c) {
    struct queue *q = object_find(t, c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_read(t, c->a1, q->bytes) ? queue_send(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}

int64_t sys_queue_receive(struct task *t, const struct context *c) {
    struct queue *q = object_find(t, c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_write(t, c->a1, q->bytes) ? queue_receive(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}

int64_t sys_event_create(struct task *t, const struct context *c) {
    struct event *e = object_create(t->space, OBJ_EVENT, sizeof *e);
    if (e == NULL)
        return LINX_ENOMEM;
    e->flags = (uint32_t)c->a0;
    return e->obj.handle;
}

int64_t sys_event_wait(struct task *t, const struct context *c) {
    struct event *e = object_find(t, c->a0, OBJ_EVENT);
    uint32_t mask = (uint32_t)c->a1, mode = (uint32_t)c->a2;
    if (e == NULL)
        return LINX_EHANDLE;
    if (mask == 0 || mode > (LINX_EVENT_ALL | LINX_EVENT_CLEAR))
        return LINX_EINVAL;
    return event_wait(t, e, mask, mode, c->a3);
}

int64_t sys_event_set(struct task *t, const struct context *c) {
    struct event *e = object_find(t, c->a0, OBJ_EVENT);
    return e == NULL ? LINX_EHANDLE : event_set(e, (uint32_t)c->a1);
}

int64_t sys_event_clear(struct task *t, const struct context *c) {
    struct event *e = object_find(t, c->a0, OBJ_EVENT);
    if (e == NULL)
        return LINX_EHANDLE;
    int64_t before = e->flags;
    e->flags &= ~(uint32_t)c->a1;
    return before;
}

int64_t sys_object_delete(struct task *t, const struct context *c) {
    struct object *o = object_any(t, c->a0);
    if (o == NULL)
        return LINX_EHANDLE;
    return authority_controls(t, o) ? object_delete(t, o) : LINX_EPERM;
}
