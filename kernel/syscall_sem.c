// SPDX-License-Identifier: BSD-2-Clause
// System calls on semaphores; an optional part.
#include "kernel/syscall.h"

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
