// SPDX-License-Identifier: BSD-2-Clause
// Several PEs: the kernel lock, where a task runs, and how one PE tells another.
//
// Lock order: there is one lock, kernel_lock. Whoever takes it has interrupts off and holds no other; traps take it on
// the way in and give it back on the way out (smp_dispatch), so every rule of kernel/task.h holds whenever it is free.
// It guards everything of the kernel but a PE's `nested` context and the registers of the PE itself. A trap of the kernel
// itself (it holds the lock already) and panic() do not take it. A machine of one PE has no lock at all: its EVBASE is
// trap_entry, that of larger machines trap_entry_smp.
//
// Only its own PE takes a task off while it runs there (pe->current) or while its engine state lies there
// (pe->wide_owner): others ask with smp_kick. A task in a PE's ring that is neither can be moved by whoever has the lock:
// its state is complete in memory.
#ifndef LINX_SMP_H
#define LINX_SMP_H

#include "kernel/arch.h"

enum pe_state { PE_ABSENT, PE_STARTING, PE_ONLINE, PE_ABANDONED };

#define MAX_PES (LINX_MAX_CORES * LINX_PES_PER_CORE)

extern struct pe *pes[MAX_PES];         // by LXLCID; NULL: left out
extern uint64_t pes_online;             // bit LXLCID: it schedules
extern uint64_t pes_idle;               // of these, waiting for work

static inline uint64_t pe_bit(const struct pe *pe) { return (uint64_t)1 << pe->lxlcid; }
static inline bool smp_active(void) { return (pes_online & (pes_online - 1)) != 0; }

// Makes PE `pe` decide again who runs. It may be this one: then the way out of the trap does.
void smp_kick(struct pe *pe);
// A ready task came to a ring of `pe`, another PE: kicks it when that matters to it.
static inline void smp_ready_elsewhere(struct pe *pe, const struct task *t) {
    if (pe->current == pe->idle || t->prio >= pe->current->prio)
        smp_kick(pe);
}
// Where a task that becomes ready goes: sets t->pe. Its old PE when it still runs or has its engine state there, else an
// idle PE that its affinity allows, the near ones first, else one where it is more urgent than what runs.
void smp_place(struct task *t);
// Puts a task that is in no ring, and whose state is complete, to another PE.
void smp_move(struct task *t, struct pe *to);
// The PEs it may run on; bits of PEs that are not there do no harm. LINX_EINVAL: none is left.
MUST_USE int64_t smp_set_affinity(struct task *t, uint64_t mask);
// Runs on another PE at this moment, as far as this one can know.
static inline bool smp_runs_elsewhere(const struct task *t) { return t->pe->current == t && t->pe != this_pe(); }

// Starts every PE that the device tree names, one after the other; one that does not answer in time is reported and
// stays out. Called by PE 0 with the lock free; returns with it taken when several PEs are online.
void smp_boot(struct pe *boot);
// A machine of one PE begins to use trap_entry_smp at its next trap, which comes at once.
void smp_take_over(struct pe *pe);
// What every PE does to itself before it can take a trap.
void pe_registers(struct pe *pe, const char *entry);
void smp_lock(struct pe *pe);
void smp_unlock(void);
// The whole of a trap when there are several PEs (trap_entry_smp).
struct context *smp_dispatch(struct context *c, uint64_t trapno, struct pe *pe);

#endif
