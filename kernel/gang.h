// SPDX-License-Identifier: BSD-2-Clause
// Gangs: up to four tasks, one for each PE of a core, started, stopped and resumed together, with a window of the core's
// Shared registers. The gangs of a core take turns; a gang goes on only when all of its Shared registers are back.
//
// A core is IDLE (no gang runs), RUNs its active gang, STOPs it (its tasks are off the rings; PEs that still execute one
// have been kicked), or LOADs the next one (each PE writes its own fragments). Every step is made by gang_leave, on the way
// out of a trap of any PE of the core, under the kernel lock.
#ifndef LINX_GANG_H
#define LINX_GANG_H

#include "kernel/arch.h"

struct gang {
    struct object obj;                  // its waiters stand at the barrier
    struct object joiners;
    struct gang *next;                  // of the core
    struct task *member[LINX_PES_PER_CORE];     // NULL: ended
    bool on;                            // its tasks may be ready
    bool resident;                      // its Shared registers are in the core
    bool ended;
    uint8_t count, alive, failed;
    uint16_t first, regs;               // window
    int16_t core, target;               // target: where it is to move, -1: nowhere
    uint64_t allowed;                   // bit n: it may be on core n
    struct shared_image *image;         // its Shared registers when not resident; NULL: none yet
    uint64_t starts, saves, loads, moves, bytes_moved, bytes_live;
};

MUST_USE int64_t gang_create(struct task *creator, const struct linx_gang_attr *attr, linx_entry *entry, void *arg);
// A member waits until all that live have come.
MUST_USE int64_t gang_barrier(struct task *t);
MUST_USE int64_t gang_join(struct task *t, struct gang *g, uint64_t timeout);
MUST_USE int64_t gang_move(struct gang *g, uint64_t core);
void gang_info(const struct gang *g, struct linx_gang_info *info);
// A member's life is over (kernel/life.c).
void gang_member_ended(struct task *t, bool failed);
// Part of the way out of every trap: what the core of `pe` has to do for its gangs. Gives the context to go on with.
struct context *gang_leave(struct pe *pe, struct context *next);
void gang_window(struct pe *pe);        // the window of the task that runs next
void gang_kill(struct gang *g);

#endif
