// SPDX-License-Identifier: BSD-2-Clause
// The C library's retargetable locks. struct __lock is ours to define.
#include <stdlib.h>
#include <sys/lock.h>

#include "port.h"

struct __lock {
    struct port_lock lock;
};
#ifdef __PICOLIBC__
struct __lock __lock___libc_recursive_mutex;
#else
struct __lock __lock___sinit_recursive_mutex, __lock___sfp_recursive_mutex, __lock___atexit_recursive_mutex,
    __lock___at_quick_exit_mutex, __lock___malloc_recursive_mutex, __lock___env_recursive_mutex, __lock___tz_mutex,
    __lock___dd_hash_mutex, __lock___arc4random_mutex;
#endif

// The first locks, those of the standard streams among them, are here, so that a program without malloc needs none.
static struct __lock first[8];
static unsigned char taken[sizeof first / sizeof first[0]];
#pragma weak calloc
#pragma weak free

static void make(_LOCK_T *lock) {
    for (unsigned i = 0; i < sizeof taken; i++)
        if (__atomic_exchange_n(&taken[i], 1, __ATOMIC_ACQUIRE) == 0) {
            *lock = &first[i];
            return;
        }
    *lock = calloc != NULL ? calloc(1, sizeof **lock) : NULL;
    if (*lock == NULL) {
        linx_printf("C library: no memory for a lock\n");
        linx_task_exit(-1);
    }
}
void __retarget_lock_init(_LOCK_T *lock) { make(lock); }
void __retarget_lock_init_recursive(_LOCK_T *lock) { make(lock); }
void __retarget_lock_close(_LOCK_T lock) {
    port_lock_free(&lock->lock);
    if (lock < first || lock >= first + sizeof taken) {
        free(lock);
        return;
    }
    *lock = (struct __lock){ 0 };
    __atomic_store_n(&taken[lock - first], 0, __ATOMIC_RELEASE);
}
void __retarget_lock_close_recursive(_LOCK_T lock) { __retarget_lock_close(lock); }
void __retarget_lock_acquire(_LOCK_T lock) { port_lock(&lock->lock); }
void __retarget_lock_acquire_recursive(_LOCK_T lock) { port_lock(&lock->lock); }
void __retarget_lock_release(_LOCK_T lock) { port_unlock(&lock->lock); }
void __retarget_lock_release_recursive(_LOCK_T lock) { port_unlock(&lock->lock); }
