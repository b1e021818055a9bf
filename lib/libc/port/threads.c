// SPDX-License-Identifier: BSD-2-Clause
// C11 <threads.h> over kernel tasks.
#include <threads.h>

#include <errno.h>
#include <stdlib.h>

#include "port.h"

size_t thrd_stack_bytes = 8192;

static struct port_lock table_lock;     // keys, start and detach records

// ---- thread-specific storage --------------------------------------------------------------------------------------------
#define KEYS 32

static struct { bool used; tss_dtor_t destructor; } keys[KEYS];
static _Thread_local void *values[KEYS];

int tss_create(tss_t *key, tss_dtor_t destructor) {
    port_lock(&table_lock);
    unsigned k = 0;
    while (k < KEYS && keys[k].used)
        k++;
    if (k < KEYS) {
        keys[k].used = true;
        keys[k].destructor = destructor;
        *key = k;
    }
    port_unlock(&table_lock);
    return k < KEYS ? thrd_success : thrd_error;
}

void tss_delete(tss_t key) {
    port_lock(&table_lock);
    keys[key].used = false;
    keys[key].destructor = NULL;
    port_unlock(&table_lock);
}

void *tss_get(tss_t key) { return key < KEYS ? values[key] : NULL; }

int tss_set(tss_t key, void *value) {
    if (key >= KEYS || !keys[key].used)
        return thrd_error;
    values[key] = value;
    return thrd_success;
}

// A destructor may set values again: a bounded number of rounds (C17 7.26.6.1).
static void run_destructors(void) {
    bool again = true;
    for (int round = 0; again && round < TSS_DTOR_ITERATIONS; round++) {
        again = false;
        for (unsigned k = 0; k < KEYS; k++) {
            void *value = values[k];
            values[k] = NULL;
            if (value != NULL && keys[k].destructor != NULL) {
                keys[k].destructor(value);
                again = true;
            }
        }
    }
}

// ---- threads ------------------------------------------------------------------------------------------------------------
struct start {
    thrd_start_t function;
    void *arg;
};
static _Thread_local bool is_thread;    // made by thrd_create

_Noreturn void thrd_exit(int result) {
    run_destructors();
    if (!is_thread)                     // the main task owns the heap: it stays, asleep
        for (;;)
            linx_sleep(LINX_FOREVER);
    port_thread_end();
    linx_task_exit(result);
}

static void begin(void *arg) {
    struct start s = *(struct start *)arg;
    free(arg);
    is_thread = true;
    thrd_exit(s.function(s.arg));
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *arg) {
    struct start *s = malloc(sizeof *s);
    if (s == NULL)
        return thrd_nomem;
    *s = (struct start){ function, arg };
    int priority = linx_task_priority(linx_task_self(), -1);
    struct linx_task_attr attr = {
        .name = "thread", .priority = priority < 0 ? 0 : (uint32_t)priority, .stack_bytes = thrd_stack_bytes,
    };
    // The new task may be the more urgent one by the time this returns: it must find its handle written.
    attr.flags = LINX_TASK_SUSPENDED;
    int task = linx_task_create(&attr, begin, s);
    if (task < 0) {
        free(s);
        return task == LINX_ENOMEM ? thrd_nomem : thrd_error;
    }
    *thread = task;
    linx_task_resume(task);
    return thrd_success;
}

thrd_t thrd_current(void) { return linx_task_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) { linx_yield(); }

int thrd_join(thrd_t thread, int *result) {
    int64_t status;
    if (linx_task_join(thread, &status, LINX_FOREVER) < 0)
        return thrd_error;
    if (result != NULL)
        *result = (int)status;
    return thrd_success;
}

// The kernel has no late detach: a task of lowest cost waits for the thread in our place.
static void reap(void *arg) { linx_task_join((int)(intptr_t)arg, NULL, LINX_FOREVER); }

int thrd_detach(thrd_t thread) {
    struct linx_task_attr attr = { .name = "reaper", .priority = 31, .flags = LINX_TASK_DETACHED, .stack_bytes = 1024 };
    return linx_task_create(&attr, reap, (void *)(intptr_t)thread) < 0 ? thrd_error : thrd_success;
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
    return nanosleep(duration, remaining) == 0 ? 0 : -2;
}

// ---- mutexes --------------------------------------------------------------------------------------------------------------
static struct port_lock *lock_of(mtx_t *m) { return (struct port_lock *)m; }
_Static_assert(sizeof(struct port_lock) <= offsetof(mtx_t, __type), "a mtx_t begins with a port_lock");

// ns from now until an absolute TIME_UTC; 0 when it has passed.
static uint64_t until_ns(const struct timespec *until) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t ns = (int64_t)(until->tv_sec - now.tv_sec) * 1000000000 + (until->tv_nsec - now.tv_nsec);
    return ns > 0 ? (uint64_t)ns : 0;
}

int mtx_init(mtx_t *m, int type) {
    *m = (mtx_t){ .__type = type };
    return thrd_success;
}
void mtx_destroy(mtx_t *m) { port_lock_free(lock_of(m)); }

static int acquire(mtx_t *m, uint64_t timeout, int late) {
    if (!(m->__type & mtx_recursive) && m->__depth != 0 && m->__owner == linx_task_self())
        return late == thrd_busy ? thrd_busy : thrd_error;      // it would wait for itself
    return port_trylock(lock_of(m), timeout) ? thrd_success : late;
}
int mtx_lock(mtx_t *m) { return acquire(m, LINX_FOREVER, thrd_error); }
int mtx_trylock(mtx_t *m) { return acquire(m, 0, thrd_busy); }
int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until) {
    return acquire(m, until_ns(until), thrd_timedout);
}
int mtx_unlock(mtx_t *m) {
    if (m->__depth == 0 || m->__owner != linx_task_self())
        return thrd_error;
    port_unlock(lock_of(m));
    return thrd_success;
}

// ---- conditions: a list of waiters, each with a semaphore of its own, first come first served ------------------------------
// A waiter's record is on the heap, and stays in the list until the waiter takes it out, because its task may be killed at
// any point; whoever signals clears the dead away.
struct waiter {
    struct waiter *next;
    int task, sem;
    bool chosen;
};

int cnd_init(cnd_t *c) {
    *c = (cnd_t){ .__first = NULL };
    return thrd_success;
}

// Takes a record out of the list, with the lock. `before`: what stands in front of it, NULL: nothing.
static void forget(cnd_t *c, struct waiter *before, struct waiter *w) {
    if (before == NULL)
        c->__first = w->next;
    else
        before->next = w->next;
    if (c->__last == w)
        c->__last = before;
    linx_object_delete(w->sem);
    free(w);
}

void cnd_destroy(cnd_t *c) {
    while (c->__first != NULL)          // only the dead can be there
        forget(c, NULL, c->__first);
    mtx_destroy(&c->__lock);
}

static int wake(cnd_t *c, bool all) {
    port_lock(lock_of(&c->__lock));
    for (struct waiter *before = NULL, *w = c->__first, *next; w != NULL; w = next) {
        next = w->next;
        if (!port_task_alive(w->task)) {
            forget(c, before, w);
            continue;
        }
        before = w;
        if (w->chosen)
            continue;
        w->chosen = true;
        linx_sem_post(w->sem);
        if (!all)
            break;
    }
    port_unlock(lock_of(&c->__lock));
    return thrd_success;
}
int cnd_signal(cnd_t *c) { return wake(c, false); }
int cnd_broadcast(cnd_t *c) { return wake(c, true); }

static int wait_for(cnd_t *c, mtx_t *m, uint64_t timeout) {
    struct waiter *w = malloc(sizeof *w), *before = NULL;
    if (w == NULL)
        return thrd_nomem;
    *w = (struct waiter){ .task = linx_task_self(), .sem = linx_sem_create(0, 1) };
    if (w->sem < 0) {
        free(w);
        return thrd_error;
    }
    port_lock(lock_of(&c->__lock));
    if (c->__last != NULL)
        ((struct waiter *)c->__last)->next = w;
    else
        c->__first = w;
    c->__last = w;
    port_unlock(lock_of(&c->__lock));
    mtx_unlock(m);
    linx_sem_wait(w->sem, timeout);
    port_lock(lock_of(&c->__lock));
    bool chosen = w->chosen;            // also when the signal came together with the time-out
    for (struct waiter *at = c->__first; at != w; at = at->next)
        before = at;
    forget(c, before, w);
    port_unlock(lock_of(&c->__lock));
    mtx_lock(m);
    return chosen ? thrd_success : thrd_timedout;
}
int cnd_wait(cnd_t *c, mtx_t *m) { return wait_for(c, m, LINX_FOREVER); }
int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until) {
    return wait_for(c, m, until_ns(until));
}

// ---- call_once: 0 not yet, 1 running, 2 done ------------------------------------------------------------------------------
void call_once(once_flag *flag, void (*function)(void)) {
    static mtx_t once_lock = { .__type = mtx_recursive };       // recursive: the function may use another flag
    if (__atomic_load_n(&flag->__state, __ATOMIC_ACQUIRE) == 2)
        return;
    mtx_lock(&once_lock);
    if (flag->__state == 0) {
        flag->__state = 1;
        function();
        __atomic_store_n(&flag->__state, 2, __ATOMIC_RELEASE);
    }
    mtx_unlock(&once_lock);
}
