// SPDX-License-Identifier: BSD-2-Clause
// System calls: check every argument, then act. A handler gets the calling task and its context (a0..a5) and returns
// the result, or BLOCKED when whoever ends the wait will write a0.
#include "kernel/syscall.h"

#include "drivers/console.h"
#include "kernel/board_info.h"
#include "kernel/copy.h"
#include "kernel/gang.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/sync.h"
#include "lib/string.h"
#include "trap/monitor_call.h"
#include "trap/wide.h"

typedef int64_t handler(struct task *t, const struct context *c);

static void *pointer(uint64_t value) { return (void *)(uintptr_t)value; }

// ---- tasks ------------------------------------------------------------------------------------------------------------------
static int64_t sys_yield(struct task *t, const struct context *c) {
    (void)c;
    sched_rotate(t->pe);
    return LINX_OK;
}

// The string that *from names, in `to`; *from names it there afterwards. NULL stays NULL.
static bool copy_name(const char **from, char to[LINX_NAME_BYTES]) {
    if (*from == NULL)
        return true;
    for (int i = 0; i < LINX_NAME_BYTES - 1; i++) {     // byte by byte: it may end close to the end of memory
        if (!copy_from_task(&to[i], *from + i, 1))
            return false;
        if (to[i] == 0)
            break;
    }
    *from = to;
    return true;
}

static int64_t sys_task_create(struct task *t, const struct context *c) {
    struct linx_task_attr attr = { 0 };
    char name[LINX_NAME_BYTES] = { 0 };
    if (c->a0 != 0 && !copy_from_task(&attr, pointer(c->a0), sizeof attr))
        return LINX_EFAULT;
    if (!copy_name(&attr.name, name))
        return LINX_EFAULT;
    task_reap(t->pe);
    return task_create(t->pe, &attr, (linx_entry *)pointer(c->a1), pointer(c->a2));
}

static int64_t sys_task_exit(struct task *t, const struct context *c) {
    task_end(t, LINX_ENDED_EXIT, (int64_t)c->a0);
    return BLOCKED;
}

static int64_t sys_task_join(struct task *t, const struct context *c) {
    struct task *target = task_find(c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    if (c->a1 != 0 && !task_may_write(c->a1, sizeof(int64_t)))
        return LINX_EFAULT;
    return task_join(t, target, pointer(c->a1), c->a2);
}

static int64_t sys_task_kill(struct task *t, const struct context *c) {
    struct task *target = task_find(c->a0);
    if (target == NULL || target == target->pe->idle)
        return LINX_EHANDLE;
    if (target->state == TASK_ENDED)
        return LINX_ESTATE;
    task_kill(target);
    return target == t ? BLOCKED : LINX_OK;
}

static int64_t sys_task_self(struct task *t, const struct context *c) {
    (void)c;
    return t->obj.handle;
}

static int64_t sys_sleep(struct task *t, const struct context *c) {
    if (c->a0 == 0)
        return LINX_OK;
    sched_wait(t, NULL, c->a0);
    return BLOCKED;
}

static int64_t sys_sleep_until(struct task *t, const struct context *c) {
    uint64_t now = time_now();
    if (c->a0 <= now)
        return LINX_OK;
    sched_wait(t, NULL, c->a0 - now);
    return BLOCKED;
}

static int64_t sys_task_suspend(struct task *t, const struct context *c) {
    (void)t;
    struct task *target = task_find(c->a0);
    return target == NULL || target == target->pe->idle ? LINX_EHANDLE : task_suspend(target);
}

static int64_t sys_task_resume(struct task *t, const struct context *c) {
    (void)t;
    struct task *target = task_find(c->a0);
    return target == NULL ? LINX_EHANDLE : task_resume(target);
}

static int64_t sys_task_priority(struct task *t, const struct context *c) {
    (void)t;
    struct task *target = task_find(c->a0);
    if (target == NULL || target == target->pe->idle)
        return LINX_EHANDLE;
    int64_t prio = (int32_t)c->a1;
    if (prio < -1 || prio >= LINX_PRIORITIES)
        return LINX_EINVAL;
    if (target->state == TASK_ENDED)
        return LINX_ESTATE;
    return prio == -1 ? target->base_prio : task_set_base_prio(target, (uint8_t)prio);
}

static int64_t sys_task_affinity(struct task *t, const struct context *c) {
    (void)t;
    struct task *target = task_find(c->a0);
    if (target == NULL || target == target->pe->idle)
        return LINX_EHANDLE;
    if (target->gang != NULL)
        return LINX_EPERM;
    return target->state == TASK_ENDED ? LINX_ESTATE : smp_set_affinity(target, c->a1);
}

static int64_t sys_task_next(struct task *t, const struct context *c) {
    (void)t;
    for (uint32_t i = c->a0 != 0 ? (c->a0 & 0xffff) + 1 : 0; i < object_walk_end(); i++) {
        const struct object *o = object_at(i);
        if (o != NULL && o->type == OBJ_TASK)
            return o->handle;
    }
    return 0;
}

static int64_t sys_task_info(struct task *t, const struct context *c) {
    (void)t;
    struct task *target = task_find(c->a0);
    struct linx_task_info info = { 0 };
    if (target == NULL)
        return LINX_EHANDLE;
    memcpy(info.name, target->name, sizeof info.name);
    info.handle = target->obj.handle;
    info.priority = target->prio;
    info.base_priority = target->base_prio;
    info.state = target->state;
    info.ended_how = target->ended_how;
    info.status = target->status;
    info.cpu_ns = target->cpu_ns + (target == target->pe->current ? time_now() - target->pe->since : 0);
    info.switches = target->switches;
    info.preemptions = target->preemptions;
    info.affinity = target->affinity;
    info.pe = target->pe->lxlcid;
    info.migrations = target->migrations;
    info.body_migrations = target->body_migrations;
    info.stack_lo = (uint64_t)(uintptr_t)target->stack;
    info.stack_hi = info.stack_lo + target->stack_bytes;
    const struct wide *w = target->wide;
    if (w != NULL) {
        memcpy(info.body_preempts, w->body_preempts, sizeof info.body_preempts);
        info.esaves = w->esaves;
        info.ercovs = w->ercovs;
        info.bytes_moved = w->bytes_moved;
        info.bytes_live = w->bytes_live;
        info.save_area_bytes = w->area_bytes;
    }
    return copy_to_task(pointer(c->a1), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

// ---- objects ----------------------------------------------------------------------------------------------------------------
static int64_t sys_sem_create(struct task *t, const struct context *c) {
    (void)t;
    uint32_t initial = (uint32_t)c->a0, max = (uint32_t)c->a1;
    if (max == 0 || initial > max)
        return LINX_EINVAL;
    struct sem *s = object_create(OBJ_SEM, sizeof *s);
    if (s == NULL)
        return LINX_ENOMEM;
    s->count = initial;
    s->max = max;
    return s->obj.handle;
}

static int64_t sys_sem_wait(struct task *t, const struct context *c) {
    struct sem *s = object_find(c->a0, OBJ_SEM);
    return s == NULL ? LINX_EHANDLE : sem_wait(t, s, c->a1);
}

static int64_t sys_sem_post(struct task *t, const struct context *c) {
    (void)t;
    struct sem *s = object_find(c->a0, OBJ_SEM);
    return s == NULL ? LINX_EHANDLE : sem_post(s);
}

static int64_t sys_mutex_create(struct task *t, const struct context *c) {
    (void)t, (void)c;
    struct mutex *m = object_create(OBJ_MUTEX, sizeof *m);
    return m == NULL ? LINX_ENOMEM : m->obj.handle;
}

static int64_t sys_mutex_lock(struct task *t, const struct context *c) {
    struct mutex *m = object_find(c->a0, OBJ_MUTEX);
    return m == NULL ? LINX_EHANDLE : mutex_lock(t, m, c->a1);
}

static int64_t sys_mutex_unlock(struct task *t, const struct context *c) {
    struct mutex *m = object_find(c->a0, OBJ_MUTEX);
    return m == NULL ? LINX_EHANDLE : mutex_unlock(t, m);
}

static int64_t sys_queue_create(struct task *t, const struct context *c) {
    (void)t;
    uint64_t bytes = c->a0, count = c->a1;
    if (bytes == 0 || bytes > LINX_MSG_MAX || count == 0 || count > LINX_QUEUE_MAX)
        return LINX_EINVAL;
    char *slots = kernel_alloc_raw(bytes * count);
    struct queue *q = slots != NULL ? object_create(OBJ_QUEUE, sizeof *q) : NULL;
    if (q == NULL) {
        kernel_free(slots);
        return LINX_ENOMEM;
    }
    q->bytes = (uint32_t)bytes;
    q->capacity = (uint32_t)count;
    q->slots = slots;
    return q->obj.handle;
}

static int64_t sys_queue_send(struct task *t, const struct context *c) {
    struct queue *q = object_find(c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_read(c->a1, q->bytes) ? queue_send(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}

static int64_t sys_queue_receive(struct task *t, const struct context *c) {
    struct queue *q = object_find(c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_write(c->a1, q->bytes) ? queue_receive(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}

static int64_t sys_event_create(struct task *t, const struct context *c) {
    (void)t;
    struct event *e = object_create(OBJ_EVENT, sizeof *e);
    if (e == NULL)
        return LINX_ENOMEM;
    e->flags = (uint32_t)c->a0;
    return e->obj.handle;
}

static int64_t sys_event_wait(struct task *t, const struct context *c) {
    struct event *e = object_find(c->a0, OBJ_EVENT);
    uint32_t mask = (uint32_t)c->a1, mode = (uint32_t)c->a2;
    if (e == NULL)
        return LINX_EHANDLE;
    if (mask == 0 || mode > (LINX_EVENT_ALL | LINX_EVENT_CLEAR))
        return LINX_EINVAL;
    return event_wait(t, e, mask, mode, c->a3);
}

static int64_t sys_event_set(struct task *t, const struct context *c) {
    (void)t;
    struct event *e = object_find(c->a0, OBJ_EVENT);
    return e == NULL ? LINX_EHANDLE : event_set(e, (uint32_t)c->a1);
}

static int64_t sys_event_clear(struct task *t, const struct context *c) {
    (void)t;
    struct event *e = object_find(c->a0, OBJ_EVENT);
    if (e == NULL)
        return LINX_EHANDLE;
    int64_t before = e->flags;
    e->flags &= ~(uint32_t)c->a1;
    return before;
}

static int64_t sys_object_delete(struct task *t, const struct context *c) {
    struct object *o = object_any(c->a0);
    return o == NULL ? LINX_EHANDLE : object_delete(t, o);
}

// ---- gangs ------------------------------------------------------------------------------------------------------------------
static struct gang *gang_find(uint64_t handle) { return object_find(handle, OBJ_GANG); }

static int64_t sys_gang_create(struct task *t, const struct context *c) {
    struct linx_gang_attr attr;
    char name[LINX_NAME_BYTES] = { 0 };
    if (!copy_from_task(&attr, pointer(c->a0), sizeof attr) || !copy_name(&attr.name, name))
        return LINX_EFAULT;
    return gang_create(t->pe, &attr, (linx_entry *)pointer(c->a1), pointer(c->a2));
}

static int64_t sys_gang_barrier(struct task *t, const struct context *c) {
    (void)c;
    return gang_barrier(t);
}

static int64_t sys_gang_join(struct task *t, const struct context *c) {
    struct gang *g = gang_find(c->a0);
    return g == NULL ? LINX_EHANDLE : gang_join(t, g, c->a1);
}

static int64_t sys_gang_move(struct task *t, const struct context *c) {
    (void)t;
    struct gang *g = gang_find(c->a0);
    return g == NULL ? LINX_EHANDLE : gang_move(g, c->a1);
}

static int64_t sys_gang_info(struct task *t, const struct context *c) {
    (void)t;
    const struct gang *g = gang_find(c->a0);
    struct linx_gang_info info;
    if (g == NULL)
        return LINX_EHANDLE;
    gang_info(g, &info);
    return copy_to_task(pointer(c->a1), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

static int64_t sys_gang_kill(struct task *t, const struct context *c) {
    struct gang *g = gang_find(c->a0);
    if (g == NULL)
        return LINX_EHANDLE;
    bool own = t->gang == g;
    gang_kill(g);
    return own ? BLOCKED : LINX_OK;
}

// ---- console, memory, machine -------------------------------------------------------------------------------------------------
static int64_t sys_console_write(struct task *t, const struct context *c) {
    if (c->a1 == 0)
        return LINX_EINVAL;
    return task_may_read(c->a0, c->a1) ? console_write(t, pointer(c->a0), c->a1) : LINX_EFAULT;
}

static int64_t sys_console_read(struct task *t, const struct context *c) {
    if (c->a1 == 0)
        return LINX_EINVAL;
    return task_may_write(c->a0, c->a1) ? console_read(t, pointer(c->a0), c->a1, c->a2) : LINX_EFAULT;
}

static int64_t sys_log_read(struct task *t, const struct context *c) {
    (void)t;
    return console_log(pointer(c->a0), c->a1);
}

static int64_t sys_shutdown(struct task *t, const struct context *c) {
    (void)t;
    console_flush();
    monitor_call(LINX_MAC_SHUTDOWN, c->a0, 0, 0);
    return LINX_OK;
}

static int64_t sys_system_info(struct task *t, const struct context *c) {
    task_reap(t->pe);
    uint32_t online = (uint32_t)__builtin_popcountll(pes_online);
    struct linx_system_info info = {
        .ram_base = board.ram, .ram_bytes = board.ram_bytes,
        .initrd_base = board.initrd, .initrd_bytes = board.initrd_bytes,
        .boot_time = t->pe->boot_time, .kernel_free = kernel_pool_left(), .task_free = task_pool_left(),
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
    return copy_to_task(pointer(c->a0), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

static int64_t sys_set_slice(struct task *t, const struct context *c) {
    if (c->a0 < 200 || c->a0 > 1000000000)
        return LINX_EINVAL;
    for (uint64_t m = pes_online; m != 0; m &= m - 1)
        pes[__builtin_ctzll(m)]->slice_ns = c->a0;
    t->pe->timer_dirty = true;
    return LINX_OK;
}

static int64_t sys_mem_alloc(struct task *t, const struct context *c) {
    return (int64_t)(uintptr_t)task_pool_alloc(c->a0, t->obj.handle);
}

static int64_t sys_mem_free(struct task *t, const struct context *c) {
    void *p = pointer(c->a0);
    return !task_owns_stack_at(t, p) && task_pool_free(p, t->obj.handle) ? LINX_OK : LINX_EINVAL;
}

#define ENTRY(number, name) [number] = sys_##name,
static handler *const handlers[LINX_SYSCALL_COUNT] = { LINX_SYSCALLS(ENTRY) };

void syscall(struct task *t, struct context *c) {
    uint64_t number = c->a7;
    int64_t result = number < LINX_SYSCALL_COUNT ? handlers[number](t, c) : LINX_ENOSYS;
    if (result != BLOCKED)
        c->a0 = (uint64_t)result;
}
