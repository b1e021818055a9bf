// SPDX-License-Identifier: BSD-2-Clause
// Handles: index in the low 16 bits, generation above it, so that a stale handle is refused, never another object.
#ifndef LINX_OBJECT_H
#define LINX_OBJECT_H

#include "kernel/task.h"

MUST_USE bool object_table_init(uint32_t capacity);     // false: no memory
// Gives the object a handle. False: none is left, or the owner has its share.
MUST_USE bool object_register(struct object *o, enum object_type type, struct space *owner);
void object_unregister(struct object *o);               // its handle is stale from now on
// Memory (zeroed) and handle at once for objects whose struct object is their head. NULL: no memory or no handle.
void *object_create(struct space *owner, enum object_type type, size_t bytes);
void object_free(struct object *o);                     // unregister and free such an object
// What a task names. NULL: stale, of another type, or nothing that its space may use; nobody can tell which.
void *object_find(const struct task *t, uint64_t handle, enum object_type type);
struct task *task_find(const struct task *t, uint64_t handle);
struct object *object_any(const struct task *t, uint64_t handle);
// One that it may also change or end (kernel/authority.h).
struct task *task_controlled(const struct task *t, uint64_t handle);
static inline struct task *object_task(struct object *o) { return list_entry(o, struct task, obj); }
uint32_t object_count(enum object_type type);           // OBJ_FREE: all
struct object *object_at(uint32_t index);               // NULL when free; for walks from 0 to object_walk_end()
uint32_t object_walk_end(void);

#endif
