// SPDX-License-Identifier: BSD-2-Clause
// newlib's struct _reent: one for each task, in its block of thread-local variables (errno, strtok, rand, the lists of
// the floating-point conversions). The standard streams are shared (newlib.h).
#include <reent.h>
#include <stdlib.h>

#include "lib/libc/port/port.h"

static _Thread_local struct _reent own = _REENT_INIT(own);

struct _reent *__getreent(void) { return &own; }

// exit() flushes the streams through the global struct's pointer, which only a task that has none of its own would set.
// Weak: a program without stdio does not get it by this.
extern void _cleanup_r(struct _reent *r) __attribute__((weak));
extern void __libc_fini_array(void);

void port_library_init(void) {
    _GLOBAL_REENT->__cleanup = _cleanup_r;
    atexit(__libc_fini_array);
}

void port_thread_end(void) {
    if (own._mp != NULL) {                  // powers of five, which _reclaim_reent forgets
        for (struct _Bigint *b = own._mp->_p5s, *next; b != NULL; b = next) {
            next = b->_next;
            free(b);
        }
        own._mp->_p5s = NULL;
    }
    own.__sdidinit = 0;                     // else it would close the streams, which are everybody's
    _reclaim_reent(&own);
    own = (struct _reent)_REENT_INIT(own);
}
