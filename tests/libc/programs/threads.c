// SPDX-License-Identifier: BSD-2-Clause
// C11 threads over kernel tasks, and what the library keeps per task.
#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "linx/rt.h"
#include "tests/libc/programs/check.h"

enum { THREADS = 8, ROUNDS = 50 };

static int give_back(void *arg) { return *(int *)arg * 2; }
static void create_join(void) {
    thrd_t t[THREADS];
    int value[THREADS];
    for (int i = 0; i < THREADS; i++) {
        value[i] = i + 20;
        CHECK(thrd_create(&t[i], give_back, &value[i]) == thrd_success);
    }
    for (int i = 0; i < THREADS; i++) {
        int result = 0;
        CHECK(!thrd_equal(t[i], thrd_current()));
        CHECK(thrd_join(t[i], &result) == thrd_success && result == 2 * (i + 20));
    }
    CHECK(thrd_join(t[0], NULL) == thrd_error);         // joined already
}

static int leave_early(void *arg) {
    (void)arg;
    thrd_exit(77);
}
static void early_exit(void) {
    thrd_t t;
    int result = 0;
    CHECK(thrd_create(&t, leave_early, NULL) == thrd_success && thrd_join(t, &result) == thrd_success && result == 77);
    CHECK(thrd_create(&t, leave_early, NULL) == thrd_success && thrd_detach(t) == thrd_success);
}

static mtx_t lock;
static long counter;
static int count(void *arg) {
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&lock);
        long seen = counter;
        thrd_yield();                                   // whoever gets in here spoils the count
        counter = seen + 1;
        mtx_unlock(&lock);
    }
    return 0;
}
static void mutual_exclusion(void) {
    thrd_t t[THREADS];
    CHECK(mtx_init(&lock, mtx_plain) == thrd_success);
    counter = 0;
    for (int i = 0; i < THREADS; i++)
        CHECK(thrd_create(&t[i], count, NULL) == thrd_success);
    for (int i = 0; i < THREADS; i++)
        thrd_join(t[i], NULL);
    CHECK(counter == THREADS * ROUNDS);
    mtx_destroy(&lock);
}

static mtx_t timed;
static int hold(void *arg) {
    mtx_lock(&timed);
    *(volatile int *)arg = 1;
    thrd_sleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
    mtx_unlock(&timed);
    return 0;
}
static void mutex_kinds(void) {
    mtx_t m;
    thrd_t t;
    volatile int held = 0;
    struct timespec until;
    CHECK(mtx_init(&m, mtx_plain) == thrd_success);
    CHECK(mtx_unlock(&m) == thrd_error);                // not ours
    CHECK(mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy && mtx_lock(&m) == thrd_error);
    CHECK(mtx_unlock(&m) == thrd_success);
    mtx_destroy(&m);
    CHECK(mtx_init(&m, mtx_recursive) == thrd_success);
    CHECK(mtx_lock(&m) == thrd_success && mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_success);
    CHECK(mtx_unlock(&m) == thrd_success && mtx_unlock(&m) == thrd_success && mtx_unlock(&m) == thrd_success);
    CHECK(mtx_unlock(&m) == thrd_error);
    mtx_destroy(&m);
    CHECK(mtx_init(&timed, mtx_timed) == thrd_success);
    CHECK(thrd_create(&t, hold, (void *)&held) == thrd_success);
    while (!held)
        thrd_yield();
    CHECK(mtx_trylock(&timed) == thrd_busy);
    timespec_get(&until, TIME_UTC);
    until.tv_nsec += 500000;
    CHECK(mtx_timedlock(&timed, &until) == thrd_timedout);
    until.tv_sec += 1;
    CHECK(mtx_timedlock(&timed, &until) == thrd_success && mtx_unlock(&timed) == thrd_success);
    thrd_join(t, NULL);
    mtx_destroy(&timed);
}

static mtx_t queue_lock;
static cnd_t not_empty, not_full;
static int queue[4], used, taken_sum;
static int produce(void *arg) {
    for (int i = 1; i <= ROUNDS; i++) {
        mtx_lock(&queue_lock);
        while (used == 4)
            cnd_wait(&not_full, &queue_lock);
        queue[used++] = i + *(int *)arg;
        cnd_signal(&not_empty);
        mtx_unlock(&queue_lock);
    }
    return 0;
}
static int consume(void *arg) {
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&queue_lock);
        while (used == 0)
            cnd_wait(&not_empty, &queue_lock);
        taken_sum += queue[--used];
        cnd_signal(&not_full);
        mtx_unlock(&queue_lock);
    }
    return 0;
}
static void conditions(void) {
    thrd_t t[6];
    int base[3] = { 0, 1000, 2000 };
    struct timespec until;
    mtx_init(&queue_lock, mtx_plain);
    cnd_init(&not_empty);
    cnd_init(&not_full);
    for (int i = 0; i < 3; i++) {
        CHECK(thrd_create(&t[i], produce, &base[i]) == thrd_success);
        CHECK(thrd_create(&t[i + 3], consume, NULL) == thrd_success);
    }
    for (int i = 0; i < 6; i++)
        thrd_join(t[i], NULL);
    CHECK(used == 0 && taken_sum == 3 * ROUNDS * (ROUNDS + 1) / 2 + ROUNDS * 3000);
    mtx_lock(&queue_lock);
    timespec_get(&until, TIME_UTC);
    until.tv_nsec += 100000;
    CHECK(cnd_timedwait(&not_empty, &queue_lock, &until) == thrd_timedout);
    mtx_unlock(&queue_lock);
    cnd_destroy(&not_empty);
    cnd_destroy(&not_full);
    mtx_destroy(&queue_lock);
}

static mtx_t gate_lock;
static cnd_t gate;
static int waiting, open_now;
static int pass_gate(void *arg) {
    (void)arg;
    mtx_lock(&gate_lock);
    waiting++;
    while (!open_now)
        cnd_wait(&gate, &gate_lock);
    mtx_unlock(&gate_lock);
    return 5;
}
static void broadcast(void) {
    thrd_t t[THREADS];
    mtx_init(&gate_lock, mtx_plain);
    cnd_init(&gate);
    for (int i = 0; i < THREADS; i++)
        thrd_create(&t[i], pass_gate, NULL);
    for (int seen = 0; seen < THREADS;) {
        mtx_lock(&gate_lock);
        seen = waiting;
        mtx_unlock(&gate_lock);
        thrd_yield();
    }
    mtx_lock(&gate_lock);
    open_now = 1;
    cnd_broadcast(&gate);
    mtx_unlock(&gate_lock);
    for (int i = 0; i < THREADS; i++) {
        int result = 0;
        CHECK(thrd_join(t[i], &result) == thrd_success && result == 5);
    }
    cnd_destroy(&gate);
    mtx_destroy(&gate_lock);
}

// Waiters that are killed: the rest of the stack's memory is used again, and the signals go to those who live.
static int wait_here(void *arg) {
    mtx_lock(&gate_lock);
    ++*(volatile int *)arg;
    while (open_now == 0)
        cnd_wait(&gate, &gate_lock);
    open_now--;
    mtx_unlock(&gate_lock);
    return 6;
}
static int scribble(void *arg) {
    volatile char text[3000];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (char)0xff;
    return text[5] == 0 && arg != NULL;
}
static void killed_waiters(void) {
    enum { ALL = 2 * THREADS };
    thrd_t t[ALL], s[THREADS];
    volatile int here = 0;
    struct linx_system_info before, after;
    mtx_init(&gate_lock, mtx_plain);
    cnd_init(&gate);
    open_now = 0;
    for (int run = 0; run < 2; run++) {                 // the first one makes the locks
        here = 0;
        linx_system_info(&before);
        for (int i = 0; i < ALL; i++)
            CHECK(thrd_create(&t[i], wait_here, (void *)&here) == thrd_success);
        for (bool all_wait = false; !all_wait;) {
            struct linx_task_info info;
            thrd_yield();
            all_wait = here == ALL;
            for (int i = 0; i < ALL; i++)
                all_wait &= linx_task_info(t[i], &info) == LINX_OK && info.state == 1;
        }
        for (int i = 0; i < ALL; i += 2)
            CHECK(linx_task_kill(t[i]) == LINX_OK && thrd_join(t[i], NULL) == thrd_success);
        for (int i = 0; i < THREADS; i++)
            CHECK(thrd_create(&s[i], scribble, NULL) == thrd_success);
        for (int i = 0; i < THREADS; i++)
            thrd_join(s[i], NULL);
        for (int i = 0; i < THREADS; i++) {             // one signal each: none is lost with the dead
            mtx_lock(&gate_lock);
            open_now++;
            cnd_signal(&gate);
            mtx_unlock(&gate_lock);
        }
        for (int i = 1; i < ALL; i += 2) {
            int result = 0;
            CHECK(thrd_join(t[i], &result) == thrd_success && result == 6);
        }
        cnd_broadcast(&gate);
        linx_system_info(&after);
        CHECK(open_now == 0 && (run == 0 || before.objects == after.objects));
    }
    cnd_destroy(&gate);
    mtx_destroy(&gate_lock);
}

static once_flag once = ONCE_FLAG_INIT;
static int once_runs;
static void once_body(void) {
    thrd_yield();
    once_runs++;
}
static int use_once(void *arg) {
    (void)arg;
    call_once(&once, once_body);
    return once_runs;
}
static void calls_once(void) {
    thrd_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        thrd_create(&t[i], use_once, NULL);
    for (int i = 0; i < THREADS; i++) {
        int result = 0;
        CHECK(thrd_join(t[i], &result) == thrd_success && result == 1);
    }
}

static tss_t key;
static int destroyed;
static void destroy(void *value) { destroyed += *(int *)value; }
static int use_tss(void *arg) {
    CHECK(tss_get(key) == NULL);
    CHECK(tss_set(key, arg) == thrd_success);
    thrd_yield();
    return tss_get(key) == arg;
}
static thread_local int of_my_own = 42;
static int use_local(void *arg) {
    int old = of_my_own;
    errno = of_my_own = *(int *)arg;
    thrd_yield();
    return old == 42 && of_my_own == *(int *)arg && errno == *(int *)arg;
}
static void per_thread(void) {
    thrd_t t[THREADS];
    int value[THREADS];
    CHECK(tss_create(&key, destroy) == thrd_success);
    of_my_own = 7;
    for (int run = 0; run < 2; run++) {
        for (int i = 0; i < THREADS; i++) {
            value[i] = i + 1;
            thrd_create(&t[i], run == 0 ? use_tss : use_local, &value[i]);
        }
        for (int i = 0; i < THREADS; i++) {
            int result = 0;
            CHECK(thrd_join(t[i], &result) == thrd_success && result == 1);
        }
    }
    CHECK(destroyed == THREADS * (THREADS + 1) / 2 && of_my_own == 7);
    tss_delete(key);
}

static jmp_buf back;
static int jumps(void *arg) {
    jmp_buf here;
    volatile int kept = *(int *)arg, count = 0;
    for (int i = 1; i <= 20; i++) {
        int got = setjmp(here);
        if (got == 0) {
            thrd_yield();
            longjmp(here, i);
        }
        count += got;
    }
    return count == 210 && kept == *(int *)arg;
}
static void long_jumps(void) {
    thrd_t t[THREADS];
    int value[THREADS];
    volatile int times = 0;
    int got = setjmp(back);
    if (got == 0)
        longjmp(back, 0);                               // 0 becomes 1 (C17 7.13.2.1)
    times++;
    CHECK(got == 1 && times == 1);
    for (int i = 0; i < THREADS; i++) {
        value[i] = i;
        thrd_create(&t[i], jumps, &value[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        int result = 0;
        CHECK(thrd_join(t[i], &result) == thrd_success && result == 1);
    }
}

static void clocks(void) {
    struct timespec a, b, late = { .tv_nsec = 2000000 };
    CHECK(clock_gettime(CLOCK_MONOTONIC, &a) == 0 && nanosleep(&late, NULL) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0);
    long ns = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
    CHECK(ns >= 2000000 && ns < 4000000);
    CHECK(nanosleep(&(struct timespec){ .tv_nsec = 1000000000 }, NULL) == -1 && errno == EINVAL);
    CHECK(clock_gettime((clockid_t)99, &a) == -1 && errno == EINVAL);
    clock_t c = clock();
    for (volatile int i = 0; i < 20000; i++)
        ;
    CHECK(clock() > c && clock() - c < CLOCKS_PER_SEC / 100);
    CHECK(clock_settime(CLOCK_REALTIME, &(struct timespec){ .tv_sec = 1000000000 }) == 0);
    CHECK(time(NULL) == 1000000000);
    struct tm *tm = gmtime(&(time_t){ 1000000000 });
    CHECK(tm->tm_year == 101 && tm->tm_mon == 8 && tm->tm_mday == 9);
}

int main(void) {
    test("libc threads: create and join", create_join);
    test("libc threads: exit early, detach", early_exit);
    test("libc threads: a mutex excludes", mutual_exclusion);
    test("libc threads: plain, recursive and timed mutexes", mutex_kinds);
    test("libc threads: conditions", conditions);
    test("libc threads: broadcast", broadcast);
    test("libc threads: waiters of a condition that are killed", killed_waiters);
    test("libc threads: call_once", calls_once);
    test("libc threads: thread-specific and thread-local storage, errno", per_thread);
    test("libc threads: setjmp and longjmp", long_jumps);
    test("libc clocks and sleep", clocks);
    return check_failures;
}
