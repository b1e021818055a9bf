// SPDX-License-Identifier: BSD-2-Clause
// What one PE of the machine owns in the kernel; TP points at it while the kernel runs.
#ifndef LINX_PE_H
#define LINX_PE_H

#include "kernel/pe_offsets.h"
#include "kernel/task.h"

struct pe {
    struct context nested;      // where a trap of the kernel itself is saved; its stack is the emergency stack
    struct task *current;       // runs, or is about to
    struct task *idle;          // runs when nothing is ready; in no ready list
    uint32_t ready_mask;        // bit p: ready[p] is not empty
    bool timer_dirty;           // the compare register may be wrong: something was armed or became ready
    bool panicking;
    bool kicked;                // another PE has asked it to decide again; until its way out of the kernel
    bool expel;                 // its running task or its engine's owner may have to leave (kernel/smp.c)
    uint16_t lxlcid;

    struct space *space;        // whose page tables it uses
    uint32_t tlb_epoch;         // mappings taken away before it are in its TLB no more (kernel/space.c)
    bool in_user;               // several PEs: may execute a task, other than idle, at this moment

    uint32_t state;             // enum pe_state
    uint32_t shared_window;     // what SSR SHWINDOW holds
    uint32_t ready_count;       // tasks in its rings, the running one among them

    char *stack_top;            // the kernel's stack on this PE

    uint64_t since;             // TIME at which `current` got the PE
    uint64_t slice_ns;
    uint64_t slice_end;         // TIME when its turn ends, if an equal waits; a hand-over of the engine is not part of it

    uint32_t turn_left[LINX_PRIORITIES];    // of the front of a ring that a more urgent task interrupted; 0: a whole one

    struct task *wide_owner;    // whose state the data engine and the tile hands hold; NULL = nobody's
    uint64_t econfig;           // what ECONFIG_ACR1 holds
    uint64_t owner_econfig;     // what it is to hold while wide_owner runs; without bit C when the owner has used CUBE
    uint32_t group_slots;

    uint64_t next_deadline;     // of the earliest time-out; LINX_FOREVER: none
    struct task **heap;         // time-outs, binary heap by deadline, heap[1] first; one place for every task
    uint32_t heap_used, heap_capacity;

    uint64_t boot_time, ticks, wide_saves, body_interrupts;
    uint64_t steals;            // tasks it took from other PEs because it had none
    uint64_t dead_switches;     // switches of tasks that are gone
    struct list *ready[LINX_PRIORITIES];    // front of each priority's ring of ready tasks; NULL: empty
};
_Static_assert(offsetof(struct pe, nested) == PE_NESTED, "kernel/pe_offsets.h");

#endif
