// SPDX-License-Identifier: BSD-2-Clause
// Tasks and the objects they wait for. Rules that the whole kernel keeps (checked by sched_check() in debug builds):
//  - A task is in exactly one list by `link`: the ring ready[prio] of its PE (state READY; the running task is the front
//    of its ring whenever the kernel is left), the waiters of the object in `waiting_on` (state WAITING), or none
//    (sleeping, SUSPENDED, ENDED; the idle task).
//  - prio = max(base_prio, highest prio among the waiters of all mutexes in `held`).
//  - The kernel runs with interrupts off on one stack per PE and never blocks: a call that must wait leaves its
//    arguments in `wait` and its caller's a0 is written when it completes.
#ifndef LINX_TASK_H
#define LINX_TASK_H

#include <stdint.h>

#include "kernel/list.h"
#include "linx/rt.h"
#include "trap/context.h"

#define MUST_USE __attribute__((warn_unused_result))

enum object_type { OBJ_FREE, OBJ_TASK, OBJ_SEM, OBJ_MUTEX, OBJ_QUEUE, OBJ_EVENT, OBJ_GANG, OBJ_TYPES };

struct object {                 // head of everything that has a handle
    struct list waiters;        // tasks, most urgent first, first come first served within a priority
    linx_handle handle;
    uint8_t type;
    uint16_t owner;             // id of the space that it belongs to (kernel/authority.h)
};

enum task_state { TASK_READY, TASK_WAITING, TASK_SUSPENDED, TASK_ENDED,
                  TASK_STOPPED };      // ready, but its gang is not on


struct task {
    struct context ctx;         // first: see trap/context.h
    struct object obj;          // its waiters are the joiners
    struct list link;
    struct pe *pe;              // the PE whose queues hold it, and whose engine its state is in if it is in any
    uint64_t affinity;          // bit LXLCID: it may run there
    struct space *space;        // its memory and rights (kernel/space.h)
    struct gang *gang;          // whose member it is; NULL: none

    uint8_t state, prio, base_prio, flags;      // enum task_state; LINX_TASK_*
    uint32_t timer_slot;        // its place in the PE's timer heap, 1-based; 0 = no time-out armed
    union {
        uint64_t deadline;      // TIME of that time-out
        int64_t status;         // of a task that has ended
    };

    struct object *waiting_on;  // NULL while sleeping
    union {                     // arguments of the call that waits
        void *buffer;           // queue: message in task memory; join: int64_t *status
        struct { uint32_t mask, mode; } event;
        struct { char *bytes; uint64_t n; } io; // console
    } wait;
    struct mutex *held;         // mutexes owned, linked by mutex.next_held

    struct extent *extents;     // its stack, then what it has allocated (kernel/usermem.h); NULL: all is freed
    uint32_t page_ins;
    uint8_t ended_how, suspend_pending, engine_denied, end_pending;
    struct fault_handler *fault;    // of its own (trap/fault_handler.h); NULL: its faults end it
    struct wide *wide;          // engine state and its statistics; NULL until the first data block

    uint64_t cpu_ns;
    uint32_t switches, preemptions;
    uint32_t migrations, body_migrations;       // to another PE's queue; resumed inside a body on another PE
    char name[LINX_NAME_BYTES];
};
_Static_assert(offsetof(struct task, ctx) == 0, "a context pointer is a task pointer");
_Static_assert(sizeof(struct task) <= 512, "a scalar task costs at most 512 bytes beside its stack");

static inline struct task *task_of(struct list *link) { return list_entry(link, struct task, link); }

struct sem {
    struct object obj;
    uint32_t count, max;
};
struct mutex {
    struct object obj;
    struct task *owner;
    struct mutex *next_held;    // of the owner's locks
    bool owner_died;            // the next owner learns it
};
struct queue {
    struct object obj;          // waiters: senders when full, receivers when empty (never both)
    uint32_t bytes, capacity, used, head;
    char *slots;
};
struct event {
    struct object obj;
    uint32_t flags;
};

#endif
