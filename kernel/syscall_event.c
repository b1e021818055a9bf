// SPDX-License-Identifier: BSD-2-Clause
// System calls on event flags; an optional part.
#include "kernel/syscall.h"

#include "kernel/object.h"
#include "kernel/sync.h"

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
