// SPDX-License-Identifier: BSD-2-Clause
// Handles: index in the low 16 bits, generation above it, so that a stale handle is refused, never another object.
#ifndef LINX_OBJECT_H
#define LINX_OBJECT_H

#include "kernel/task.h"

MUST_USE bool object_table_init(uint32_t capacity);     // false: no memory
// Gives the object a handle. False: none is left.
MUST_USE bool object_register(struct object *o, enum object_type type);
void object_unregister(struct object *o);               // its handle is stale from now on
// Memory (zeroed) and handle at once for objects whose struct object is their head. NULL: no memory or no handle.
void *object_create(enum object_type type, size_t bytes);
void object_free(struct object *o);                     // unregister and free such an object
void *object_find(uint64_t handle, enum object_type type);      // such an object; NULL: stale, or of another type
struct task *task_find(uint64_t handle);                // NULL: stale, or not a task
struct object *object_any(uint64_t handle);
static inline struct task *object_task(struct object *o) { return list_entry(o, struct task, obj); }
uint32_t object_count(enum object_type type);           // OBJ_FREE: all
struct object *object_at(uint32_t index);               // NULL when free; for walks from 0 to object_walk_end()
uint32_t object_walk_end(void);

#endif
