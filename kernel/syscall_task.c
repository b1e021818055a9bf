// SPDX-License-Identifier: BSD-2-Clause
// System calls on tasks.
#include "kernel/syscall.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/usermem.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/sync.h"
#include "lib/string.h"
#include "trap/wide.h"

int64_t sys_yield(struct task *t, const struct context *c) {
    (void)c;
    sched_rotate(t->pe);
    return LINX_OK;
}

int64_t sys_task_create(struct task *t, const struct context *c) {
    struct linx_task_attr attr = { 0 };
    char name[LINX_NAME_BYTES] = { 0 };
    if (c->a0 != 0 && !copy_from_task(t, &attr, pointer(c->a0), sizeof attr))
        return LINX_EFAULT;
    if (!syscall_name(t, &attr.name, name))
        return LINX_EFAULT;
    task_reap(t->pe);
    return task_create(t->pe, t, &attr, (linx_entry *)pointer(c->a1), pointer(c->a2));
}

int64_t sys_task_exit(struct task *t, const struct context *c) {
    task_end(t, LINX_ENDED_EXIT, (int64_t)c->a0);
    return BLOCKED;
}

int64_t sys_task_join(struct task *t, const struct context *c) {
    struct task *target = task_find(t, c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    if (c->a1 != 0 && !task_may_write(t, c->a1, sizeof(int64_t)))
        return LINX_EFAULT;
    return task_join(t, target, pointer(c->a1), c->a2);
}

int64_t sys_task_kill(struct task *t, const struct context *c) {
    struct task *target = task_controlled(t, c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    if (target->state == TASK_ENDED)
        return LINX_ESTATE;
    task_kill(target);
    return target == t ? BLOCKED : LINX_OK;
}

int64_t sys_task_self(struct task *t, const struct context *c) {
    (void)c;
    return t->obj.handle;
}

int64_t sys_sleep(struct task *t, const struct context *c) {
    if (c->a0 == 0)
        return LINX_OK;
    sched_wait(t, NULL, c->a0);
    return BLOCKED;
}

int64_t sys_sleep_until(struct task *t, const struct context *c) {
    uint64_t now = time_now();
    if (c->a0 <= now)
        return LINX_OK;
    sched_wait(t, NULL, c->a0 - now);
    return BLOCKED;
}

int64_t sys_task_suspend(struct task *t, const struct context *c) {
    struct task *target = task_controlled(t, c->a0);
    return target == NULL ? LINX_EHANDLE : task_suspend(target);
}

int64_t sys_task_resume(struct task *t, const struct context *c) {
    struct task *target = task_controlled(t, c->a0);
    return target == NULL ? LINX_EHANDLE : task_resume(target);
}

int64_t sys_task_priority(struct task *t, const struct context *c) {
    struct task *target = task_controlled(t, c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    int64_t prio = (int32_t)c->a1;
    if (prio < -1 || prio >= LINX_PRIORITIES)
        return LINX_EINVAL;
    if (target->state == TASK_ENDED)
        return LINX_ESTATE;
    if (prio > t->space->max_prio && !authority_is_root(t->space))
        return LINX_EPERM;
    return prio == -1 ? target->base_prio : task_set_base_prio(target, (uint8_t)prio);
}

int64_t sys_task_affinity(struct task *t, const struct context *c) {
    struct task *target = task_controlled(t, c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    if (target->gang != NULL)
        return LINX_EPERM;
    return target->state == TASK_ENDED ? LINX_ESTATE : smp_set_affinity(target, c->a1);
}

int64_t sys_task_next(struct task *t, const struct context *c) {
    for (uint32_t i = c->a0 != 0 ? (c->a0 & 0xffff) + 1 : 0; i < object_walk_end(); i++) {
        const struct object *o = object_at(i);
        if (o != NULL && o->type == OBJ_TASK && authority_may_use(t, o))
            return o->handle;
    }
    return 0;
}

int64_t sys_task_info(struct task *t, const struct context *c) {
    struct task *target = task_find(t, c->a0);
    struct linx_task_info info = { 0 };
    if (target == NULL)
        return LINX_EHANDLE;
    memcpy(info.name, target->name, sizeof info.name);
    info.handle = target->obj.handle;
    info.priority = target->prio;
    info.base_priority = target->base_prio;
    info.state = target->state;
    info.ended_how = target->ended_how;
    info.status = target->state == TASK_ENDED ? target->status : 0;
    info.cpu_ns = target->cpu_ns + (target == target->pe->current ? time_now() - target->pe->since : 0);
    info.switches = target->switches;
    info.preemptions = target->preemptions;
    info.affinity = target->affinity;
    info.pe = target->pe->lxlcid;
    info.migrations = target->migrations;
    info.body_migrations = target->body_migrations;
    info.page_ins = target->page_ins;
    if (target->extents != NULL) {
        info.stack_lo = target->extents->va;
        info.stack_hi = extent_end(target->extents);
    }
    const struct wide *w = target->wide;
    if (w != NULL) {
        memcpy(info.body_preempts, w->body_preempts, sizeof info.body_preempts);
        info.esaves = w->esaves;
        info.ercovs = w->ercovs;
        info.bytes_moved = w->bytes_moved;
        info.bytes_live = w->bytes_live;
        info.save_area_bytes = w->area_bytes;
    }
    return copy_to_task(t, pointer(c->a1), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}
