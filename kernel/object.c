// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/object.h"

#include "kernel/authority.h"
#include "kernel/heap.h"
#include "lib/string.h"

struct slot {
    struct object *object;      // NULL: free
    uint32_t generation;        // 1..0x7fff
    uint32_t next_free;
};
static struct slot *slots;
static uint32_t capacity, walk_end, first_free, count[OBJ_TYPES];      // count by type; OBJ_FREE: all
#define MAX_HANDLES 16384       // at most 65536: the slot is the lower half of a handle

static void add_free_slots(uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        slots[i] = (struct slot){ .generation = 1, .next_free = i + 1 };
}

static bool grow(void) {
    uint32_t more = capacity < MAX_HANDLES / 2 ? 2 * capacity : MAX_HANDLES;
    struct slot *s = more != capacity ? kernel_alloc(more * sizeof *s) : NULL;
    if (s == NULL)
        return false;
    memcpy(s, slots, capacity * sizeof *s);
    kernel_free(slots);
    slots = s;
    add_free_slots(capacity, more);         // first_free is `capacity`, the first of them
    capacity = more;
    return true;
}

bool object_table_init(uint32_t handles) {
    slots = kernel_alloc(handles * sizeof *slots);
    if (slots == NULL)
        return false;
    capacity = handles;
    for (int type = 0; type < OBJ_TYPES; type++)
        count[type] = 0;
    add_free_slots(0, handles);
    first_free = walk_end = 0;
    return true;
}

bool object_register(struct object *o, enum object_type type, struct space *owner) {
    if ((first_free == capacity && !grow()) || !authority_take(owner, o, type))
        return false;
    uint32_t i = first_free;
    first_free = slots[i].next_free;
    slots[i].object = o;
    if (i >= walk_end)
        walk_end = i + 1;
    count[type]++;
    count[OBJ_FREE]++;
    list_init(&o->waiters);
    o->type = (uint8_t)type;
    o->handle = (linx_handle)(slots[i].generation << 16 | i);
    return true;
}

void object_unregister(struct object *o) {
    uint32_t i = (uint32_t)o->handle & 0xffff;
    slots[i].object = NULL;
    slots[i].generation = slots[i].generation == 0x7fff ? 1 : slots[i].generation + 1;
    slots[i].next_free = first_free;
    first_free = i;
    count[o->type]--;
    count[OBJ_FREE]--;
    authority_drop(o);
    o->type = OBJ_FREE;
}

void *object_create(struct space *owner, enum object_type type, size_t bytes) {
    struct object *o = kernel_alloc(bytes);
    if (o != NULL && !object_register(o, type, owner)) {
        kernel_free(o);
        o = NULL;
    }
    return o;
}

void object_free(struct object *o) {
    object_unregister(o);
    kernel_free(o);
}

struct object *object_any(const struct task *t, uint64_t handle) {
    uint32_t i = handle & 0xffff;
    if (i >= capacity || slots[i].object == NULL || (uint64_t)slots[i].object->handle != handle)
        return NULL;
    return authority_is_root(t->space) || authority_may_use(t, slots[i].object) ? slots[i].object : NULL;
}

void *object_find(const struct task *t, uint64_t handle, enum object_type type) {
    struct object *o = object_any(t, handle);
    return o != NULL && o->type == type ? o : NULL;
}

struct task *task_find(const struct task *t, uint64_t handle) {
    struct object *o = object_find(t, handle, OBJ_TASK);
    return o != NULL ? object_task(o) : NULL;
}

struct task *task_controlled(const struct task *t, uint64_t handle) {
    struct task *target = task_find(t, handle);
    return target != NULL && target != target->pe->idle && authority_controls(t, &target->obj) ? target : NULL;
}

struct object *object_at(uint32_t index) { return slots[index].object; }
uint32_t object_walk_end(void) { return walk_end; }

uint32_t object_count(enum object_type type) { return count[type]; }
