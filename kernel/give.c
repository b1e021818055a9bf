// SPDX-License-Identifier: BSD-2-Clause
// Objects given to other spaces; an optional part.
#include "kernel/authority.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/syscall.h"

int64_t sys_object_give(struct task *t, const struct context *c) {
    struct task *to = task_find(t, c->a0);
    struct object *o = object_any(t, c->a1);
    if (to == NULL || o == NULL || to == to->pe->idle)
        return LINX_EHANDLE;
    if (!authority_controls(t, &to->obj))
        return LINX_EPERM;
    if (to->state == TASK_ENDED)
        return LINX_ESTATE;
    if (authority_may_use(to, o))
        return LINX_OK;
    for (struct grant **link = &to->space->grants; *link != NULL;) {
        struct grant *g = *link;
        if (object_any(t, (uint64_t)g->handle) == NULL) {       // gone meanwhile
            *link = g->next;
            kernel_free(g);
        } else {
            link = &g->next;
        }
    }
    struct grant *g = kernel_alloc(sizeof *g);
    if (g == NULL)
        return LINX_ENOMEM;
    *g = (struct grant){ to->space->grants, o->handle };
    to->space->grants = g;
    return LINX_OK;
}
