// SPDX-License-Identifier: BSD-2-Clause
// System calls on the console and the machine.
#include "kernel/syscall.h"

#include "drivers/console.h"
#include "kernel/authority.h"
#include "kernel/board_info.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/pages.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "lib/string.h"
#include "trap/monitor_call.h"

#define CONSOLE_AT_ONCE 65536        // bytes of a call that are looked at; a call may take fewer than it is given

int64_t sys_console_write(struct task *t, const struct context *c) {
    if (c->a1 == 0)
        return LINX_EINVAL;
    uint64_t n = c->a1 < CONSOLE_AT_ONCE ? c->a1 : CONSOLE_AT_ONCE;
    return task_may_read(t, c->a0, n) ? console_write(t, pointer(c->a0), n) : LINX_EFAULT;
}

int64_t sys_console_read(struct task *t, const struct context *c) {
    if (!has_right(t, LINX_RIGHT_CONSOLE_READ))
        return LINX_EPERM;
    if (c->a1 == 0)
        return LINX_EINVAL;
    uint64_t n = c->a1 < CONSOLE_AT_ONCE ? c->a1 : CONSOLE_AT_ONCE;
    return task_may_write(t, c->a0, n) ? console_read(t, pointer(c->a0), n, c->a2) : LINX_EFAULT;
}

int64_t sys_log_read(struct task *t, const struct context *c) {
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return LINX_EPERM;
    return console_log(t, pointer(c->a0), c->a1);
}

int64_t sys_shutdown(struct task *t, const struct context *c) {
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return LINX_EPERM;
    console_flush();
    monitor_call(LINX_MAC_SHUTDOWN, c->a0, 0, 0);
    return LINX_OK;
}

// What a task without a right to the machine learns: its space's own counts, and what it can measure anyway.
static int64_t own_info(const struct task *t, void *where) {
    const struct space *s = t->space;
    struct linx_system_info info = {
        .boot_time = t->pe->boot_time, .kernel_free = s->kernel_quota - s->kernel_used, .task_free = (s->quota - s->used) * PAGE,
        .pes = (uint32_t)__builtin_popcountll(pes_online), .group_slots = t->pe->group_slots, .pe_mask = pes_online,
        .tasks = s->tasks, .objects = s->objects,
    };
    return copy_to_task(t, where, &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

int64_t sys_system_info(struct task *t, const struct context *c) {
    task_reap(t->pe);
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return own_info(t, pointer(c->a0));
    uint32_t online = (uint32_t)__builtin_popcountll(pes_online);
    struct linx_system_info info = {
        .ram_base = board.ram, .ram_bytes = board.ram_bytes,
        .initrd_base = board.initrd, .initrd_bytes = board.initrd_bytes,
        .boot_time = t->pe->boot_time, .kernel_free = kernel_pool_left(), .task_free = pages_free * PAGE,
        .pes = online, .group_slots = t->pe->group_slots, .pe_mask = pes_online,
        .tasks = object_count(OBJ_TASK) - online, .objects = object_count(OBJ_FREE) - online,    // without idle
    };
    for (uint64_t m = pes_online; m != 0; m &= m - 1) {
        const struct pe *pe = pes[__builtin_ctzll(m)];
        info.idle_ns += pe->idle->cpu_ns + (pe->current == pe->idle ? time_now() - pe->since : 0);
        info.ticks += pe->ticks;
        info.wide_saves += pe->wide_saves;
        info.body_interrupts += pe->body_interrupts;
        info.switches += pe->dead_switches;
        info.steals += pe->steals;
    }
    for (uint32_t i = 0; i < object_walk_end(); i++)
        if (object_at(i) != NULL && object_at(i)->type == OBJ_TASK)
            info.switches += object_task(object_at(i))->switches;
    memcpy(info.bootargs, board.bootargs, sizeof info.bootargs);
    return copy_to_task(t, pointer(c->a0), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

int64_t sys_set_slice(struct task *t, const struct context *c) {
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return LINX_EPERM;
    if (c->a0 < 200 || c->a0 > 1000000000)
        return LINX_EINVAL;
    for (uint64_t m = pes_online; m != 0; m &= m - 1)
        pes[__builtin_ctzll(m)]->slice_ns = c->a0;
    t->pe->timer_dirty = true;
    return LINX_OK;
}
