// SPDX-License-Identifier: BSD-2-Clause
// Scheduling over several PEs. Work is pushed to an idle PE when it becomes ready and pulled by a PE that runs dry.
#include "kernel/smp.h"

#include "drivers/intc.h"
#include "kernel/gang.h"
#include "kernel/life.h"
#include "kernel/sched.h"
#include "kernel/space.h"
#include "trap/fault.h"
#include "trap/wide.h"

OPTIONAL(gang_leave);
OPTIONAL(gang_window);

struct pe *pes[MAX_PES];
uint64_t pes_online, pes_idle;

// ---- the lock: first come, first served -------------------------------------------------------------------------------
static struct { uint32_t next, serving; struct pe *holder; } lock;

void smp_lock(struct pe *pe) {
    uint32_t ticket = __atomic_fetch_add(&lock.next, 1, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&lock.serving, __ATOMIC_ACQUIRE) != ticket)
        ;
#ifdef LINX_DEBUG
    ASSERT(lock.holder == NULL);
#endif
    lock.holder = pe;
}

void smp_unlock(void) {
#ifdef LINX_DEBUG
    ASSERT(lock.holder == this_pe());
#endif
    lock.holder = NULL;
    __atomic_store_n(&lock.serving, lock.serving + 1, __ATOMIC_RELEASE);
}

// ---- places -----------------------------------------------------------------------------------------------------------
void smp_kick(struct pe *pe) {
    if (pe != this_pe() && !pe->kicked) {
        pe->kicked = true;              // until its next way out of the kernel
        intc_ipi(pe->lxlcid, LINX_ACR_KERNEL);
    }
}

static struct pe *first_of(uint64_t mask) { return pes[__builtin_ctzll(mask)]; }

static uint64_t core_mask(const struct pe *pe) {
    return (uint64_t)0xf << (pe->lxlcid & ~(LINX_PES_PER_CORE - 1));
}

static struct pe *choose(const struct task *t) {
    struct pe *from = t->pe;
    uint64_t may = t->affinity & pes_online, idle = may & pes_idle;
    if (idle != 0) {
        if (idle & pe_bit(from))
            return from;
        return first_of((idle & core_mask(from)) != 0 ? idle & core_mask(from) : idle);
    }
    struct pe *best = (may & pe_bit(from)) != 0 ? from : NULL;
    if (best != NULL && t->prio > best->current->prio)
        return best;
    for (uint64_t m = may; m != 0; m &= m - 1) {        // the least urgent running task, then the shortest queue
        struct pe *pe = first_of(m);
        if (best == NULL || pe->current->prio < best->current->prio ||
            (pe->current->prio == best->current->prio && pe->ready_count + 1 < best->ready_count))
            best = pe;
    }
    return best;
}

void smp_move(struct task *t, struct pe *to) {
    pes_idle &= ~pe_bit(to);            // the next one looks for another
    if (t->pe == to)
        return;
    uint64_t armed = t->timer_slot != 0 ? t->deadline : 0;      // of its fault handler
    if (armed != 0)
        timeout_disarm(t);
    t->pe = to;
    if (armed != 0)
        timeout_arm(t, armed);
    t->ctx.kernel_tp = (uint64_t)(uintptr_t)to;
    t->ctx.kernel_sp = (uint64_t)(uintptr_t)to->stack_top;
    t->migrations++;
}

void smp_place(struct task *t) {
    struct pe *from = t->pe;
    if (from->current == t)
        return;
    if (from->wide_owner == t) {
        if (!(t->affinity & pe_bit(from)) || (from->current != from->idle && (t->affinity & pes_idle) != 0)) {
            from->expel = true;         // it has to save it first
            smp_kick(from);
        }
        return;
    }
    smp_move(t, choose(t));
}

int64_t smp_set_affinity(struct task *t, uint64_t mask) {
    struct pe *pe = t->pe;
    if ((mask & pes_online) == 0)
        return LINX_EINVAL;
    t->affinity = mask;
    if (t->state != TASK_READY || (mask & pe_bit(pe)) != 0)
        return LINX_OK;
    if (pe->current == t || pe->wide_owner == t) {
        pe->expel = true;
        smp_kick(pe);
    } else {
        ready_remove(t);
        smp_place(t);
        ready_add(t);
    }
    return LINX_OK;
}

// Sends the running task and the owner of the engine away if they may not be here, and the owner also when it waits for
// its turn while another PE is idle.
static void expel(struct pe *pe) {
    struct task *const who[2] = { pe->wide_owner, pe->current };
    pe->expel = false;
    for (int i = 0; i < 2; i++) {
        struct task *t = who[i];
        if (t == NULL || t == pe->idle || t->state != TASK_READY || t->pe != pe)
            continue;
        bool must = !(t->affinity & pe_bit(pe)), better = t != pe->current && (t->affinity & pes_idle) != 0;
        if ((!must && !better) || (pe->wide_owner == t && !wide_evict(pe)))
            continue;
        ready_remove(t);
        smp_move(t, choose(t));
        ready_add(t);
    }
}

// A ready task of `victim` that `thief` may take: complete in memory, and not the one that runs.
static struct task *loot(const struct pe *victim, const struct pe *thief) {
    enum { LOOK_AT = 16 };
    for (uint32_t m = victim->ready_mask; m != 0;) {
        int prio = 31 - __builtin_clz(m);
        m &= ~(1u << prio);
        struct list *l = victim->ready[prio]->prev;     // the last one has longest to wait
        for (int i = 0; i < LOOK_AT; i++, l = l->prev) {
            struct task *t = task_of(l);
            if (t != victim->current && t != victim->wide_owner && (t->affinity & pe_bit(thief)) != 0)
                return t;
            if (l == victim->ready[prio])
                break;
        }
    }
    return NULL;
}

static bool steal_from(struct pe *pe, uint64_t victims) {
    for (; victims != 0; victims &= victims - 1) {
        struct pe *victim = first_of(victims);
        if (victim->ready_count < 2)
            continue;                   // what it has it runs
        struct task *t = loot(victim, pe), *owner = victim->wide_owner;
        if (t != NULL) {
            ready_remove(t);
            smp_move(t, pe);
            ready_add(t);
            pe->steals++;
            return true;
        }
        if (owner != NULL && owner != victim->current && owner->state == TASK_READY && (owner->affinity & pe_bit(pe)) != 0) {
            victim->expel = true;       // it saves the owner's state and sends it here
            smp_kick(victim);
        }
    }
    return false;
}

static bool steal(struct pe *pe) {
    uint64_t others = pes_online & ~pe_bit(pe) & ~pes_idle, near = others & core_mask(pe);
    pes_idle |= pe_bit(pe);             // so that an expelled task comes here
    bool found = steal_from(pe, near) || steal_from(pe, others & ~near);
    if (found)
        pes_idle &= ~pe_bit(pe);
    return found;
}

// ---- traps ------------------------------------------------------------------------------------------------------------
static struct context *leave(struct pe *pe, struct context *next) {
    pe->kicked = false;
    if (pe->expel) {
        expel(pe);
        next = sched_leave(pe);
    }
    if (gang_leave != NULL)
        next = gang_leave(pe, next);
    if (pe->current == pe->idle && steal(pe))
        next = sched_leave(pe);
    if (pe->current == pe->idle)
        pes_idle |= pe_bit(pe);
    else
        pes_idle &= ~pe_bit(pe);
    if (gang_window != NULL)
        gang_window(pe);
    return next;
}

// While it ran, another PE suspended it, moved it or wants it dead: whatever it asked for, it does not get it now.
static struct context *taken_away(struct pe *pe, struct task *t, uint64_t trapno) {
    unsigned num = trapno & LINX_TRAPNO_NUM_MASK;
    if (!(trapno >> LINX_TRAPNO_E_BIT)) {
        if (num == LINX_INT_ACR1_EI)
            intc_interrupt();
        ssr_set(SSR1(LINX_SSRO_EOIEI), num);
        pe->timer_dirty = true;         // a tick that was due comes again
    }
    if (t->end_pending)
        task_end(t, LINX_ENDED_KILLED, 0);
    return sched_leave(pe);
}

struct context *smp_dispatch(struct context *c, uint64_t trapno, struct pe *pe) {
    struct task *t = pe->current;
    if (c == &pe->nested)               // the kernel trapped: this PE has the lock
        return trap_dispatch(c, trapno, pe);
    __atomic_store_n(&pe->in_user, false, __ATOMIC_RELEASE);    // before it waits: who has the lock may wait for it
    smp_lock(pe);
    struct context *next = t->state != TASK_READY || t->end_pending ? taken_away(pe, t, trapno) : trap_dispatch(c, trapno, pe);
    next = leave(pe, next);
#ifdef LINX_DEBUG
    const char *bad = sched_check_all();
    if (bad != NULL)
        panic(bad);
#endif
    space_leave(pe);
    smp_unlock();
    return next;
}
