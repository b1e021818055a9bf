// SPDX-License-Identifier: BSD-2-Clause
// System calls on mutexes and on objects of every kind.
#include "kernel/syscall.h"

#include "kernel/authority.h"
#include "kernel/object.h"
#include "kernel/sync.h"

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

int64_t sys_object_delete(struct task *t, const struct context *c) {
    struct object *o = object_any(t, c->a0);
    if (o == NULL)
        return LINX_EHANDLE;
    return authority_controls(t, o) ? object_delete(t, o) : LINX_EPERM;
}
