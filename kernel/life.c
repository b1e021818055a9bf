// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/life.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/gang.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/usermem.h"
#include "kernel/sync.h"
#include "lib/string.h"
#include "trap/fault_handler.h"
#include "trap/wide.h"

OPTIONAL(fault_forget);

OPTIONAL(gang_member_ended);

// linker.ld: initialised thread-local variables, and the end of those that start as zero (weak: none on the host)
extern char __tls_image[] __attribute__((weak)), __tls_image_end[] __attribute__((weak)), __tls_end[] __attribute__((weak));
extern char task_returned[];                    // lib/syscall.S: task_exit(0)
extern char idle_loop[];                        // trap/idle.S

static struct task *to_reap;                    // the detached task that ended last, while it ran

static size_t tls_bytes(void) { return ((size_t)(__tls_end - __tls_image) + 15) & ~(size_t)15; }

// Gives the task its stack, with its thread-local variables on top: TP is their lowest address, sp starts below. The page
// on top is there from the beginning: a task touches it at once. False: no memory.
static bool build_stack(struct task *t, uint64_t bytes) {
    size_t image = (size_t)(__tls_image_end - __tls_image);
    struct extent *e = t->extents = extent_new(t->space, (bytes + tls_bytes() + PAGE - 1) / PAGE, true);
    if (e == NULL)
        return false;
    t->ctx.sp = t->ctx.tp = extent_end(e) - tls_bytes();
    (void)space_page(t->space, extent_end(e) - PAGE, LINX_PTE_W);
    // The program's memory is out of the kernel's reach at its own address; what follows the image is zero already.
    return image == 0 || copy_to_task(t, (void *)(uintptr_t)t->ctx.tp, direct((uint64_t)(uintptr_t)__tls_image), image);
}

// A frame that the ordinary restore turns into the task's first instruction.
static void build_context(struct task *t, struct pe *pe, uint64_t entry, uint64_t arg) {
    t->ctx.ebpc = t->ctx.etpc = entry;
    t->ctx.a0 = arg;
    t->ctx.ra = (uint64_t)(uintptr_t)task_returned;
    t->ctx.ecstate = LINX_ACR_TASK | LINX_CSTATE_I;
    t->ctx.kernel_tp = (uint64_t)(uintptr_t)pe;
    t->ctx.kernel_sp = (uint64_t)(uintptr_t)pe->stack_top;
}

// Its memory, and its space if it was the last one there.
static void leave_space(struct task *t) {
    if (t->space == NULL)
        return;
    extents_free(t->space, t->extents);
    t->extents = NULL;
    space_release(t->space);
    t->space = &root_space;
}

int64_t task_create(struct pe *pe, struct task *creator, const struct linx_task_attr *attr, linx_entry *entry, void *arg) {
    uint64_t stack = attr->stack_bytes != 0 ? attr->stack_bytes : LINX_STACK_DEFAULT;
    uint32_t known = LINX_TASK_DETACHED | LINX_TASK_SUSPENDED | LINX_TASK_NO_INHERIT | LINX_TASK_NO_ENGINE | LINX_TASK_SPACE;
    if (attr->priority >= LINX_PRIORITIES || stack < LINX_STACK_MIN || stack > UINT32_MAX - 15 || (attr->flags & ~known))
        return LINX_EINVAL;
    if (!task_may_run((uint64_t)(uintptr_t)entry))
        return LINX_EFAULT;
    struct space *home = creator != NULL ? creator->space : &root_space;
    bool alone = (attr->flags & LINX_TASK_SPACE) != 0;
    if (!authority_is_root(home) && (attr->priority > home->max_prio || (alone && !(home->rights & LINX_RIGHT_MACHINE))))
        return LINX_EPERM;
    uint64_t affinity = attr->affinity != 0 ? attr->affinity : ~(uint64_t)0;
    if ((affinity & pes_online) == 0)
        return LINX_EINVAL;
    if (!timeout_reserve(object_count(OBJ_TASK) + 1))
        return LINX_ENOMEM;
    struct task *t = kernel_alloc(sizeof *t);
    if (t == NULL)
        return LINX_ENOMEM;
    if (!object_register(&t->obj, OBJ_TASK, home)) {
        kernel_free(t);
        return LINX_ENOMEM;
    }
    t->space = alone ? space_new(attr->memory) : home;
    if (t->space != NULL)
        t->space->refs++;
    if (alone && t->space != NULL)
        authority_begin(t->space, attr->rights, (uint8_t)attr->priority, home);
    bool good = t->space != NULL && build_stack(t, stack);
#ifdef LINX_NO_TILEMAP
    t->wide = kernel_alloc(sizeof *t->wide);
    if (t->wide != NULL)
        memcpy(t->wide->declared, attr->tiles, sizeof attr->tiles);
    good &= t->wide != NULL;
#endif
    if (!good) {
        leave_space(t);
        kernel_free(t->wide);
        object_unregister(&t->obj);
        kernel_free(t);
        return LINX_ENOMEM;
    }
    t->pe = pe;
    t->affinity = affinity;
    t->prio = t->base_prio = (uint8_t)attr->priority;
    t->flags = (uint8_t)attr->flags;
    list_init(&t->link);
    if (attr->name != NULL)
        memcpy(t->name, attr->name, LINX_NAME_BYTES - 1);
    build_context(t, pe, (uint64_t)(uintptr_t)entry, (uint64_t)(uintptr_t)arg);
    if (attr->flags & LINX_TASK_SUSPENDED) {
        t->state = TASK_SUSPENDED;
    } else {
        sched_ready(t);
    }
    return t->obj.handle;
}

struct task *task_create_idle(struct pe *pe) {
    struct task *t = kernel_alloc(sizeof *t);
    if (t == NULL || !object_register(&t->obj, OBJ_TASK, &root_space))
        return NULL;
    t->pe = pe;
    t->affinity = pe_bit(pe);
    t->space = &root_space;
    t->flags = LINX_TASK_NO_ENGINE;
    list_init(&t->link);
    memcpy(t->name, "idle", 5);
    build_context(t, pe, (uint64_t)(uintptr_t)idle_loop, 0);
    return t;
}

bool task_stack_guards(const struct task *t, uint64_t address) {
    const struct extent *e = t->extents;
    return e != NULL && (address - (e->va - PAGE) < PAGE || address - extent_end(e) < PAGE);
}

static void free_tcb(struct task *t) {
    t->pe->dead_switches += t->switches;
    kernel_free(t->wide);
    kernel_free(t);
}

void task_forget(struct task *t) {
    object_unregister(&t->obj);
    free_tcb(t);
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
    if (t->fault != NULL)
        fault_forget(t);
    wide_forget(t);
    t->ctx.ecstate = LINX_ACR_TASK;             // no longer inside a block
    authority_first_ends(t);
    leave_space(t);

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
        task_forget(target);
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
