// SPDX-License-Identifier: BSD-2-Clause
// Recursive locks over kernel mutexes, for the C library and the port itself.
#include "port.h"

// Two tasks may come here at once: one mutex wins, the other is given back.
static int mutex_of(struct port_lock *l) {
    int have = __atomic_load_n(&l->mutex, __ATOMIC_ACQUIRE);
    if (have != 0)
        return have;
    int made = linx_mutex_create();
    if (made < 0) {
        linx_printf("C library: no kernel object left for a lock\n");
        linx_task_exit(-1);
    }
    if (__atomic_compare_exchange_n(&l->mutex, &have, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    linx_object_delete(made);
    return have;
}

bool port_trylock(struct port_lock *l, uint64_t timeout) {
    int self = linx_task_self();
    if (__atomic_load_n(&l->owner, __ATOMIC_RELAXED) == self) {
        l->depth++;
        return true;
    }
    int r = linx_mutex_lock(mutex_of(l), timeout);
    if (r != LINX_OK && r != LINX_EOWNERDEAD)   // a dead owner's lock is taken over: its data may be half-written
        return false;
    __atomic_store_n(&l->owner, self, __ATOMIC_RELAXED);
    l->depth = 1;
    return true;
}

void port_lock(struct port_lock *l) {
    if (!port_trylock(l, LINX_FOREVER)) {
        linx_printf("C library: a lock cannot be taken (circle of locks)\n");
        linx_task_exit(-1);
    }
}

void port_unlock(struct port_lock *l) {
    if (--l->depth != 0)
        return;
    __atomic_store_n(&l->owner, 0, __ATOMIC_RELAXED);
    linx_mutex_unlock(l->mutex);
}

void port_lock_free(struct port_lock *l) {
    if (l->mutex != 0)
        linx_object_delete(l->mutex);
    l->mutex = 0;
}
