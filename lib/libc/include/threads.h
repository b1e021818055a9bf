/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * C11 threads over kernel tasks (lib/libc/port/threads.c). A thread is a task of the creator's priority with a stack of
 * thrd_stack_bytes. Mutexes are kernel mutexes with priority inheritance; the kernel object is made at the first lock,
 * so an object filled with zeros is a plain mutex or condition that needs no initialiser.
 */
#ifndef _THREADS_H
#define _THREADS_H

#include <sys/cdefs.h>
#include <time.h>

_BEGIN_STD_C

#ifndef TIME_UTC                        /* newlib's <time.h> is older than C11 */
#define TIME_UTC 1
int timespec_get(struct timespec *ts, int base);
#endif

#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4
#ifndef __cplusplus
#define thread_local _Thread_local
#endif

typedef int thrd_t;                     /* the task's handle */
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef unsigned tss_t;
typedef struct { int __mutex, __owner; unsigned __depth; int __type; } mtx_t;
typedef struct { mtx_t __lock; void *__first, *__last; } cnd_t;
typedef struct { int __state; } once_flag;

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };

extern size_t thrd_stack_bytes;         /* of threads created from now on; at the start 8192 */

int thrd_create(thrd_t *thread, thrd_start_t function, void *arg);
thrd_t thrd_current(void);
int thrd_equal(thrd_t a, thrd_t b);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
void thrd_yield(void);
_Noreturn void thrd_exit(int result);   /* from the main task: the program goes on until exit() */

int mtx_init(mtx_t *mutex, int type);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *__restrict mutex, const struct timespec *__restrict until);   /* until: TIME_UTC */
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);

int cnd_init(cnd_t *cond);
void cnd_destroy(cnd_t *cond);
int cnd_signal(cnd_t *cond);
int cnd_broadcast(cnd_t *cond);
int cnd_wait(cnd_t *cond, mtx_t *mutex);
int cnd_timedwait(cnd_t *__restrict cond, mtx_t *__restrict mutex, const struct timespec *__restrict until);

void call_once(once_flag *flag, void (*function)(void));

int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);

_END_STD_C

#endif
