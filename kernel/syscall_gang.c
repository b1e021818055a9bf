// SPDX-License-Identifier: BSD-2-Clause
// System calls on gangs; an optional part.
#include "kernel/syscall.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/gang.h"
#include "kernel/object.h"

static struct gang *gang_find(const struct task *t, uint64_t handle) { return object_find(t, handle, OBJ_GANG); }

int64_t sys_gang_create(struct task *t, const struct context *c) {
    struct linx_gang_attr attr;
    char name[LINX_NAME_BYTES] = { 0 };
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return LINX_EPERM;
    if (!copy_from_task(t, &attr, pointer(c->a0), sizeof attr) || !syscall_name(t, &attr.name, name))
        return LINX_EFAULT;
    return gang_create(t, &attr, (linx_entry *)pointer(c->a1), pointer(c->a2));
}

int64_t sys_gang_barrier(struct task *t, const struct context *c) {
    (void)c;
    return gang_barrier(t);
}

int64_t sys_gang_join(struct task *t, const struct context *c) {
    struct gang *g = gang_find(t, c->a0);
    return g == NULL ? LINX_EHANDLE : gang_join(t, g, c->a1);
}

int64_t sys_gang_move(struct task *t, const struct context *c) {
    struct gang *g = gang_find(t, c->a0);
    if (g == NULL)
        return LINX_EHANDLE;
    return authority_controls(t, &g->obj) ? gang_move(g, c->a1) : LINX_EPERM;
}

int64_t sys_gang_info(struct task *t, const struct context *c) {
    const struct gang *g = gang_find(t, c->a0);
    struct linx_gang_info info;
    if (g == NULL)
        return LINX_EHANDLE;
    gang_info(g, &info);
    return copy_to_task(t, pointer(c->a1), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

int64_t sys_gang_kill(struct task *t, const struct context *c) {
    struct gang *g = gang_find(t, c->a0);
    if (g == NULL)
        return LINX_EHANDLE;
    if (!authority_controls(t, &g->obj))
        return LINX_EPERM;
    bool own = t->gang == g;
    gang_kill(g);
    return own ? BLOCKED : LINX_OK;
}
