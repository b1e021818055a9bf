// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/life.h"

#include "kernel/copy.h"
#include "kernel/gang.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/space.h"
#include "kernel/sync.h"
#include "lib/string.h"
#include "trap/wide.h"

OPTIONAL(gang_member_ended);

#define STACK_CANARY 0x5afe57ac6ca4a47e         // lowest word of every stack
#define STACK_GUARD  256                        // bytes below the stack that nobody uses: an overflow lands there first

// linker.ld: initialised thread-local variables, and the end of those that start as zero (weak: none on the host)
extern char __tls_image[] __attribute__((weak)), __tls_image_end[] __attribute__((weak)), __tls_end[] __attribute__((weak));
extern char task_returned[];                    // lib/syscall.S: task_exit(0)
extern char idle_loop[];                        // trap/idle.S

static struct task *to_reap;                    // the detached task that ended last, while it ran

static size_t tls_bytes(void) { return ((size_t)(__tls_end - __tls_image) + 15) & ~(size_t)15; }

// Puts the task's thread-local variables on top of its stack: TP is their lowest address, the stack starts below.
static uint64_t build_tls(struct task *t, uint64_t top) {
    t->ctx.tp = top - tls_bytes();
    size_t image = (size_t)(__tls_image_end - __tls_image);
    if (image != 0)
        memcpy((void *)(uintptr_t)t->ctx.tp, __tls_image, image);       // the rest is zero
    return t->ctx.tp;
}

// A frame that the ordinary restore turns into the task's first instruction.
static void build_context(struct task *t, struct pe *pe, uint64_t entry, uint64_t arg, uint64_t sp) {
    t->ctx.ebpc = t->ctx.etpc = entry;
    t->ctx.a0 = arg;
    t->ctx.ra = (uint64_t)(uintptr_t)task_returned;
    t->ctx.sp = sp;
    t->ctx.ecstate = LINX_ACR_TASK | LINX_CSTATE_I;
    t->ctx.kernel_tp = (uint64_t)(uintptr_t)pe;
    t->ctx.kernel_sp = (uint64_t)(uintptr_t)pe->stack_top;
}

int64_t task_create(struct pe *pe, struct task *creator, const struct linx_task_attr *attr, linx_entry *entry, void *arg) {
    uint64_t stack = attr->stack_bytes != 0 ? attr->stack_bytes : LINX_STACK_DEFAULT;
    uint32_t known = LINX_TASK_DETACHED | LINX_TASK_SUSPENDED | LINX_TASK_NO_INHERIT | LINX_TASK_NO_ENGINE | LINX_TASK_SPACE;
    if (attr->priority >= LINX_PRIORITIES || stack < LINX_STACK_MIN || stack > UINT32_MAX - 15 || (attr->flags & ~known))
        return LINX_EINVAL;
    if (!task_may_run(creator, (uint64_t)(uintptr_t)entry))
        return LINX_EFAULT;
    uint64_t affinity = attr->affinity != 0 ? attr->affinity : ~(uint64_t)0;
    if ((affinity & pes_online) == 0)
        return LINX_EINVAL;
    if (!timeout_reserve(object_count(OBJ_TASK) + 1))
        return LINX_ENOMEM;
    struct task *t = kernel_alloc(sizeof *t);
    if (t == NULL)
        return LINX_ENOMEM;
    if (!object_register(&t->obj, OBJ_TASK)) {
        kernel_free(t);
        return LINX_ENOMEM;
    }
    stack = ((stack + 15) & ~(uint64_t)15) + tls_bytes();
    char *memory = task_pool_alloc(STACK_GUARD + stack, t->obj.handle);
    t->stack = memory != NULL ? memory + STACK_GUARD : NULL;
    t->stack_bytes = (uint32_t)stack;
#ifdef LINX_NO_TILEMAP
    t->wide = kernel_alloc(sizeof *t->wide);
    if (t->wide != NULL)
        memcpy(t->wide->declared, attr->tiles, sizeof attr->tiles);
    bool good = t->stack != NULL && t->wide != NULL;
#else
    bool good = t->stack != NULL;
#endif
    if (!good) {
        task_pool_free_all(t->obj.handle);
        kernel_free(t->wide);
        object_unregister(&t->obj);
        kernel_free(t);
        return LINX_ENOMEM;
    }
    *(uint64_t *)memory = STACK_CANARY;
    t->pe = pe;
    t->affinity = affinity;
    t->space = creator != NULL ? creator->space : &root_space;
    t->prio = t->base_prio = (uint8_t)attr->priority;
    t->flags = (uint8_t)attr->flags;
    list_init(&t->link);
    if (attr->name != NULL)
        memcpy(t->name, attr->name, LINX_NAME_BYTES - 1);
    uint64_t sp = build_tls(t, (uint64_t)(uintptr_t)t->stack + stack);
    build_context(t, pe, (uint64_t)(uintptr_t)entry, (uint64_t)(uintptr_t)arg, sp);
    if (attr->flags & LINX_TASK_SUSPENDED) {
        t->state = TASK_SUSPENDED;
    } else {
        sched_ready(t);
    }
    return t->obj.handle;
}

struct task *task_create_idle(struct pe *pe) {
    struct task *t = kernel_alloc(sizeof *t);
    if (t == NULL || !object_register(&t->obj, OBJ_TASK))
        return NULL;
    t->pe = pe;
    t->affinity = pe_bit(pe);
    t->space = &root_space;
    t->flags = LINX_TASK_NO_ENGINE;
    list_init(&t->link);
    memcpy(t->name, "idle", 5);
    build_context(t, pe, (uint64_t)(uintptr_t)idle_loop, 0, 0);
    return t;
}

bool task_stack_whole(const struct task *t) {
    return t->stack == NULL || *(const uint64_t *)(t->stack - STACK_GUARD) == STACK_CANARY;
}

bool task_owns_stack_at(const struct task *t, const void *p) { return p == t->stack - STACK_GUARD; }

static void free_tcb(struct task *t) {
    t->pe->dead_switches += t->switches;
    kernel_free(t->wide);
    kernel_free(t);
}

static void tell_joiner(struct task *joiner, const struct task *t) {
    int64_t r = t->ended_how;
    if (joiner->wait.buffer != NULL && !copy_to_task(joiner, joiner->wait.buffer, &t->status, sizeof t->status))
        r = LINX_EFAULT;
    sched_wake(joiner, r);
}

void task_end(struct task *t, uint8_t how, int64_t status) {
    ASSERT(t != t->pe->idle && t->state != TASK_ENDED);
    timeout_disarm(t);
    struct object *on = t->waiting_on;
    if (t->state == TASK_READY)
        ready_remove(t);
    else if (on != NULL)
        list_remove(&t->link);
    t->waiting_on = NULL;
    t->state = TASK_ENDED;
    t->ended_how = how;
    t->status = status;
    if (on != NULL && on->type == OBJ_MUTEX)
        mutex_waiter_left((struct mutex *)on);
    mutex_release_all(t);
    if (t->gang != NULL)
        gang_member_ended(t, how != LINX_ENDED_EXIT);
    wide_forget(t);
    t->ctx.ecstate = LINX_ACR_TASK;             // no longer inside a block
    task_pool_free_all(t->obj.handle);
    t->stack = NULL;

    bool joined = !list_empty(&t->obj.waiters);
    while (!list_empty(&t->obj.waiters))
        tell_joiner(task_of(t->obj.waiters.next), t);
    if (joined || (t->flags & LINX_TASK_DETACHED)) {
        object_unregister(&t->obj);
        task_reap(this_pe());
        if (t == this_pe()->current)
            to_reap = t;
        else
            free_tcb(t);
    }
}

void task_end_with(struct task *t, uint8_t how, int64_t status, const char *why) {
    printk("task %d '%s' ended: %s\n", t->obj.handle, t->name, why);
    task_end(t, how, status);
}

void task_kill(struct task *t) {
    if (smp_runs_elsewhere(t)) {                // its own PE ends it, at its next trap
        t->end_pending = true;
        smp_kick(t->pe);
    } else {
        task_end(t, LINX_ENDED_KILLED, 0);
    }
}

void task_reap(struct pe *pe) {
    if (to_reap != NULL && to_reap != pe->current) {
        free_tcb(to_reap);
        to_reap = NULL;
    }
}

int64_t task_join(struct task *t, struct task *target, void *status, uint64_t timeout) {
    for (const struct task *at = target; at != NULL;) {         // would the wait close a circle of joins?
        if (at == t)
            return LINX_EDEADLK;
        const struct object *on = at->state == TASK_WAITING ? at->waiting_on : NULL;
        at = on != NULL && on->type == OBJ_TASK ? object_task((struct object *)on) : NULL;
    }
    if (target->state == TASK_ENDED) {
        if (status != NULL && !copy_to_task(t, status, &target->status, sizeof target->status))
            return LINX_EFAULT;
        int64_t how = target->ended_how;
        object_unregister(&target->obj);
        free_tcb(target);
        return how;
    }
    if (target->flags & LINX_TASK_DETACHED)
        return LINX_ESTATE;
    if (timeout == 0)
        return LINX_ETIMEOUT;
    t->wait.buffer = status;
    sched_wait(t, &target->obj, timeout);
    return BLOCKED;
}

int64_t task_suspend(struct task *target) {
    if (target->state == TASK_READY) {
        ready_remove(target);
        target->state = TASK_SUSPENDED;
        if (smp_runs_elsewhere(target))
            smp_kick(target->pe);
        return LINX_OK;
    }
    if (target->state == TASK_WAITING && target->waiting_on == NULL && !target->suspend_pending) {
        target->suspend_pending = true;         // asleep: it stays away when its time has come
        return LINX_OK;
    }
    return LINX_ESTATE;
}

int64_t task_resume(struct task *target) {
    if (target->state == TASK_SUSPENDED) {
        sched_ready(target);
        return LINX_OK;
    }
    if (target->suspend_pending) {
        target->suspend_pending = false;
        return LINX_OK;
    }
    return LINX_ESTATE;
}

int64_t task_set_base_prio(struct task *target, uint8_t prio) {
    int64_t old = target->base_prio;
    target->base_prio = prio;
    task_update_prio(target);
    return old;
}
