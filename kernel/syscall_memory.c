// SPDX-License-Identifier: BSD-2-Clause
// System calls on memory. An allocation is the calling task's: it goes when that ends.
#include "kernel/syscall.h"
#include "kernel/usermem.h"

int64_t sys_mem_alloc(struct task *t, const struct context *c) {
    struct extent *e = c->a0 <= UINT64_MAX - PAGE ? extent_new(t->space, (c->a0 + PAGE - 1) / PAGE, false) : NULL;
    if (e == NULL)
        return 0;
    e->next = t->extents->next;         // behind its stack
    t->extents->next = e;
    return (int64_t)e->va;
}

int64_t sys_mem_free(struct task *t, const struct context *c) {
    struct extent *e = extent_of(t, c->a0, 1), **link = &t->extents;
    if (e == NULL || e->va != c->a0)
        return LINX_EINVAL;
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    e->next = NULL;
    extents_free(t->space, e);
    return LINX_OK;
}
