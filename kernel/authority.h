// SPDX-License-Identifier: BSD-2-Clause
// What the tasks of a space may name, and how much of the kernel they may hold (docs/protection.md, "Authority"). The root
// space may do everything.
#ifndef LINX_AUTHORITY_H
#define LINX_AUTHORITY_H

#include "kernel/space.h"

struct grant {                      // an object of another space that this one may use
    struct grant *next;
    linx_handle handle;             // with its generation: a stale one is harmless
};

#define OWNER_ROOT    0             // struct object.owner; others: space.id
#define OWNER_NOBODY  0xffff        // a gang whose space is gone

// What a space may hold at most (the root space: no limit). Bytes: messages of its queues and engine states of its tasks.
#define SPACE_OBJECTS 64            // tasks among them
#define SPACE_TASKS   16
#define SPACE_KERNEL_BYTES(memory) ((memory) / 2)

static inline bool has_right(const struct task *t, uint32_t right) { return (t->space->rights & right) != 0; }
static inline bool authority_is_root(const struct space *s) { return s == &root_space; }

// May `t` use the object: its space owns it, has been given it, or (a task) is its space?
bool authority_may_use(const struct task *t, const struct object *o);
// May `t` end it, delete it, or change it: its space owns it, or (a task) is its space?
bool authority_controls(const struct task *t, const struct object *o);

// One object more for the space, which owns it from now on. False: it has its share.
MUST_USE bool authority_take(struct space *s, struct object *o, enum object_type type);
void authority_drop(const struct object *o);
// Bytes of the kernel pool. False: the space has its share.
MUST_USE bool authority_charge(struct space *s, uint64_t bytes);
void authority_refund(struct space *s, uint64_t bytes);
struct space *authority_owner(const struct object *o);     // NULL: it is gone

// A new space of a task created by `creator` with base priority `prio`.
void authority_begin(struct space *s, uint32_t rights, uint8_t prio, const struct space *creator);
// `t` ends: when it is the first task of a space, the others of that space end, too.
void authority_first_ends(const struct task *t);
// Its last task has ended (that one's state is ENDED, and it is still in the space): what it owned goes.
void authority_end(struct space *s);

#endif
