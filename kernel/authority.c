// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/authority.h"

#include "kernel/gang.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/sync.h"

// ---- names --------------------------------------------------------------------------------------------------------------------
bool authority_controls(const struct task *t, const struct object *o) {
    const struct space *s = t->space;
    return authority_is_root(s) || o->owner == s->id ||
           (o->type == OBJ_TASK && list_entry(o, const struct task, obj)->space == s);
}

bool authority_may_use(const struct task *t, const struct object *o) {
    if (authority_controls(t, o))
        return true;
    for (const struct grant *g = t->space->grants; g != NULL; g = g->next)
        if (g->handle == o->handle)
            return true;
    return false;
}

// ---- shares of the kernel's memory ----------------------------------------------------------------------------------------------
struct space *authority_owner(const struct object *o) {
    struct space *s = &root_space;
    while (s != NULL && s->id != o->owner)
        s = s->next;
    return s;
}

bool authority_take(struct space *s, struct object *o, enum object_type type) {
    o->owner = s->id;
    if (authority_is_root(s))
        return true;
    if (s->objects == SPACE_OBJECTS || (type == OBJ_TASK && s->tasks == SPACE_TASKS))
        return false;
    s->objects++;
    s->tasks += type == OBJ_TASK;
    return true;
}

void authority_drop(const struct object *o) {
    struct space *s = o->owner != OWNER_ROOT ? authority_owner(o) : NULL;
    if (s == NULL)
        return;
    s->objects--;
    s->tasks -= o->type == OBJ_TASK;
}

bool authority_charge(struct space *s, uint64_t bytes) {
    if (!authority_is_root(s) && bytes > s->kernel_quota - s->kernel_used)
        return false;
    s->kernel_used += bytes;
    return true;
}

void authority_refund(struct space *s, uint64_t bytes) {
    if (s != NULL)
        s->kernel_used -= bytes;
}

// ---- spaces -----------------------------------------------------------------------------------------------------------------------
void authority_begin(struct space *s, uint32_t rights, uint8_t prio, const struct space *creator) {
    static uint16_t last;
    const struct space *taken;
    do {
        last++;
        for (taken = root_space.next; taken != NULL && (taken == s || taken->id != last); taken = taken->next)
            ;
    } while (last == OWNER_ROOT || last == OWNER_NOBODY || taken != NULL);
    s->id = last;
    s->rights = rights & creator->rights;
    s->max_prio = prio;
    s->kernel_quota = SPACE_KERNEL_BYTES(s->quota * PAGE);
}

void authority_first_ends(const struct task *t) {
    const struct space *s = t->space;
    if (authority_is_root(s) || t->obj.owner == s->id)
        return;
    for (uint32_t i = 0; i < object_walk_end(); i++) {
        struct object *o = object_at(i);
        if (o == NULL || o->type != OBJ_TASK)
            continue;
        struct task *other = object_task(o);
        if (other != t && other->space == s && other->state != TASK_ENDED)
            task_kill(other);
    }
}

static void disown(struct space *s, struct object *o) {
    if (o->type == OBJ_TASK) {
        struct task *t = object_task(o);
        if (t->state == TASK_ENDED && t->space != s) {      // nobody is left to join it
            task_forget(t);
        } else {                                            // the one that ends now, or the first task of another space
            t->flags |= LINX_TASK_DETACHED;
            o->owner = OWNER_ROOT;
        }
    } else if (o->type == OBJ_GANG) {
        o->owner = OWNER_NOBODY;
        if (((struct gang *)o)->ended)
            object_free(o);
    } else {
        object_destroy(o);
    }
}

void authority_end(struct space *s) {
    if (s->id == OWNER_ROOT)            // it never began
        return;
    for (uint32_t i = 0; i < object_walk_end(); i++) {
        struct object *o = object_at(i);
        if (o != NULL && o->owner == s->id)
            disown(s, o);
    }
    while (s->grants != NULL) {
        struct grant *g = s->grants;
        s->grants = g->next;
        kernel_free(g);
    }
}
