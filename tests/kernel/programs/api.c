// SPDX-License-Identifier: BSD-2-Clause
// Every call of the kernel's interface with good and with bad arguments.
#include "check.h"
#include "lib/string.h"

static volatile int trace[64], traced;
static bool ticks;              // boot argument: runs under --preempt-every, when times and orders are not exact
#define CHECK_EXACT(cond) CHECK(ticks || (cond))
static void note(int x) {
    int at = __atomic_fetch_add(&traced, 1, __ATOMIC_RELAXED);
    if (at < 64)
        trace[at] = x;
}

static linx_handle spawn(linx_entry *entry, void *arg, uint32_t prio, uint32_t flags) {
    struct linx_task_attr a = { .name = "child", .priority = prio, .flags = flags, .stack_bytes = 2048 };
    return linx_task_create(&a, entry, arg);
}

// ---- tasks
static void returns(void *arg) { note((int)(intptr_t)arg); }
static void exits(void *arg) { linx_task_exit((int64_t)(intptr_t)arg); }
static void sleeps(void *arg) { linx_sleep((uint64_t)(intptr_t)arg); }
static void yields(void *arg) {
    for (int i = 0; i < 3; i++) {
        note((int)(intptr_t)arg);
        linx_yield();
    }
}

static void test_tasks(void) {
    int64_t status = 99;
    struct linx_task_info info;
    test_begin("task create, exit, join");
    traced = 0;
    linx_handle h = spawn(returns, (void *)7, 20, 0);       // more urgent: it has ended when we come back
    CHECK(h > 0 && traced == 1 && trace[0] == 7);
    CHECK_EQ(linx_task_info(h, &info), 0);
    CHECK(info.state == 3 && memcmp(info.name, "child", 6) == 0);
    CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK_EQ(status, 0);
    CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_EHANDLE);
    h = spawn(exits, (void *)-5, 10, 0);
    CHECK_EQ(linx_task_join(h, &status, 0), LINX_ETIMEOUT);
    CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK_EQ(status, -5);
    h = spawn(sleeps, (void *)1000000, 10, 0);
    CHECK_EQ(linx_task_join(h, NULL, 1000), LINX_ETIMEOUT);
    CHECK_EQ(linx_task_join(h, (int64_t *)8, 1000), LINX_EFAULT);
    CHECK_EQ(linx_task_kill(h), 0);
    CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER), LINX_ENDED_KILLED);
    CHECK_EQ(linx_task_join(linx_task_self(), NULL, LINX_FOREVER), LINX_EDEADLK);
    h = spawn(returns, NULL, 20, LINX_TASK_DETACHED);
    CHECK_EQ(linx_task_info(h, &info), LINX_EHANDLE);
    test_end();

    test_begin("task create refuses bad arguments");
    struct linx_task_attr a = { .priority = 32 };
    CHECK_EQ(linx_task_create(&a, returns, NULL), LINX_EINVAL);
    a = (struct linx_task_attr){ .stack_bytes = 8 };
    CHECK_EQ(linx_task_create(&a, returns, NULL), LINX_EINVAL);
    a = (struct linx_task_attr){ .flags = 1 << 30 };
    CHECK_EQ(linx_task_create(&a, returns, NULL), LINX_EINVAL);
    a = (struct linx_task_attr){ .stack_bytes = (uint64_t)1 << 31 };
    CHECK_EQ(linx_task_create(&a, returns, NULL), LINX_ENOMEM);
    a = (struct linx_task_attr){ .name = (char *)16 };
    CHECK_EQ(linx_task_create(&a, returns, NULL), LINX_EFAULT);
    CHECK_EQ(linx_task_create((struct linx_task_attr *)0xdeadbeef00, returns, NULL), LINX_EFAULT);
    CHECK_EQ(linx_task_create(NULL, NULL, NULL), LINX_EFAULT);
    CHECK_EQ(linx_task_create(NULL, (linx_entry *)0x12345678, NULL), LINX_EFAULT);
    test_end();

    test_begin("yield goes round robin");
    traced = 0;
    linx_handle y[3];
    for (int i = 0; i < 3; i++)
        y[i] = spawn(yields, (void *)(intptr_t)(i + 1), 12, 0);
    for (int i = 0; i < 3; i++)
        linx_task_join(y[i], NULL, LINX_FOREVER);
    CHECK_EQ(traced, 9);
    for (int i = 0; i < 9; i++)
        CHECK_EXACT(trace[i] == i % 3 + 1);
    test_end();

    test_begin("suspend, resume, priority");
    traced = 0;
    h = spawn(returns, (void *)1, 20, LINX_TASK_SUSPENDED);
    CHECK(h > 0 && traced == 0);
    CHECK_EQ(linx_task_suspend(h), LINX_ESTATE);
    CHECK_EQ(linx_task_resume(h), 0);
    CHECK_EQ(traced, 1);
    CHECK_EQ(linx_task_resume(h), LINX_ESTATE);
    CHECK_EQ(linx_task_priority(h, 3), LINX_ESTATE);
    linx_task_join(h, NULL, LINX_FOREVER);
    h = spawn(returns, (void *)2, 10, 0);
    CHECK_EQ(linx_task_priority(h, -1), 10);
    CHECK_EQ(traced, 1);
    CHECK_EQ(linx_task_priority(h, 32), LINX_EINVAL);
    CHECK_EQ(linx_task_priority(h, -2), LINX_EINVAL);
    CHECK_EQ(linx_task_priority(h, 31), 10);
    CHECK_EQ(traced, 2);
    linx_task_join(h, NULL, LINX_FOREVER);
    h = spawn(sleeps, (void *)2000, 20, 0);
    CHECK_EQ(linx_task_suspend(h), 0);
    linx_sleep(5000);
    CHECK_EQ(linx_task_info(h, &info), 0);
    CHECK_EQ(info.state, 2);
    CHECK_EQ(linx_task_resume(h), 0);
    CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK_EQ(linx_task_suspend(99999), LINX_EHANDLE);
    CHECK_EQ(linx_task_resume(0), LINX_EHANDLE);
    CHECK_EQ(linx_task_kill(-1), LINX_EHANDLE);
    CHECK_EQ(linx_task_info(linx_task_self(), NULL), LINX_EFAULT);
    test_end();
}

// ---- time
static void test_time(void) {
    test_begin("sleep lasts as long as it says");
    for (uint64_t ns = 1; ns <= 10000000; ns *= 10) {
        uint64_t t = linx_time();
        CHECK_EQ(linx_sleep(ns), 0);
        uint64_t d = linx_time() - t;
        CHECK(d >= ns);
        CHECK_EXACT(d < ns + 1500);
    }
    uint64_t t = linx_time();
    CHECK_EQ(linx_sleep_until(t + 50000), 0);
    CHECK(linx_time() - t >= 50000);
    CHECK_EXACT(linx_time() - t < 52000);
    CHECK_EQ(linx_sleep_until(1), 0);
    CHECK_EQ(linx_sleep(0), 0);
    test_end();

    test_begin("no ticks while nothing needs one");
    struct linx_system_info a, b;
    linx_system_info(&a);
    linx_sleep(100000000);
    linx_system_info(&b);
    CHECK_EXACT(b.ticks - a.ticks <= 4);
    CHECK_EXACT(b.idle_ns - a.idle_ns > 99990000);
    test_end();

    test_begin("accounting adds up");
    linx_handle y[3];
    for (int i = 0; i < 3; i++)
        y[i] = spawn(yields, (void *)(intptr_t)i, 12, 0);
    linx_sleep(100000);
    struct linx_task_info info, self;
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        linx_task_info(y[i], &info);
        CHECK(info.state == 3 && info.cpu_ns > 0);
        sum += info.cpu_ns;
    }
    linx_system_info(&b);
    linx_task_info(linx_task_self(), &self);
    uint64_t now = linx_time();
    // what is missing: the tasks of earlier tests that are gone; nothing can be counted twice
    CHECK(sum + self.cpu_ns + b.idle_ns <= now - b.boot_time);
    CHECK(sum + self.cpu_ns + b.idle_ns + 200000 > now - b.boot_time);
    for (int i = 0; i < 3; i++)
        linx_task_join(y[i], NULL, LINX_FOREVER);
    CHECK_EQ(linx_set_slice(100), LINX_EINVAL);
    CHECK_EQ(linx_set_slice(2000000000), LINX_EINVAL);
    test_end();
}

// ---- semaphores
static linx_handle sem, mutex, mutex2, queue, event;
static volatile int64_t result;
static void waits_sem(void *arg) { result = linx_sem_wait(sem, (uint64_t)(intptr_t)arg); }

static void test_semaphores(void) {
    test_begin("semaphores");
    CHECK_EQ(linx_sem_create(0, 0), LINX_EINVAL);
    CHECK_EQ(linx_sem_create(3, 2), LINX_EINVAL);
    sem = linx_sem_create(1, 2);
    CHECK(sem > 0);
    CHECK_EQ(linx_sem_wait(sem, 0), 0);
    CHECK_EQ(linx_sem_wait(sem, 0), LINX_ETIMEOUT);
    uint64_t t = linx_time();
    CHECK_EQ(linx_sem_wait(sem, 5000), LINX_ETIMEOUT);
    CHECK(linx_time() - t >= 5000);
    CHECK_EXACT(linx_time() - t < 7000);
    result = 77;
    linx_handle h = spawn(waits_sem, (void *)-1, 20, 0);
    CHECK_EQ(result, 77);
    CHECK_EQ(linx_task_suspend(h), LINX_ESTATE);
    CHECK_EQ(linx_sem_post(sem), 0);
    CHECK_EQ(result, 0);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_sem_post(sem), 0);
    CHECK_EQ(linx_sem_post(sem), 0);
    CHECK_EQ(linx_sem_post(sem), LINX_EOVERFLOW);
    CHECK_EQ(linx_sem_wait(sem, 0) + linx_sem_wait(sem, 0), 0);
    h = spawn(waits_sem, (void *)-1, 20, 0);
    CHECK_EQ(linx_object_delete(sem), 0);
    CHECK_EQ(result, LINX_EDELETED);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_sem_post(sem), LINX_EHANDLE);
    CHECK_EQ(linx_sem_wait(linx_task_self(), 0), LINX_EHANDLE);
    CHECK_EQ(linx_object_delete(sem), LINX_EHANDLE);
    CHECK_EQ(linx_object_delete(linx_task_self()), LINX_EHANDLE);
    test_end();
}

// ---- mutexes
static void locks(void *arg) {
    result = linx_mutex_lock(mutex, (uint64_t)(intptr_t)arg);
    if (result == 0)
        linx_mutex_unlock(mutex);
}
static void holds(void *arg) {
    (void)arg;
    linx_mutex_lock(mutex, LINX_FOREVER);
    linx_task_exit(0);                  // ends while it owns the lock
}
static void chain(void *arg) {          // owns mutex2, waits for mutex
    (void)arg;
    linx_mutex_lock(mutex2, LINX_FOREVER);
    result = linx_mutex_lock(mutex, LINX_FOREVER);
    linx_mutex_unlock(mutex);
    linx_mutex_unlock(mutex2);
}
static void locks2(void *arg) {
    (void)arg;
    linx_mutex_lock(mutex2, LINX_FOREVER);
    linx_mutex_unlock(mutex2);
}

static uint32_t my_priority(void) {
    struct linx_task_info i;
    linx_task_info(linx_task_self(), &i);
    return i.priority;
}

static void test_mutexes(void) {
    test_begin("mutexes and priority inheritance");
    mutex = linx_mutex_create();
    mutex2 = linx_mutex_create();
    CHECK(mutex > 0 && mutex2 > 0);
    CHECK_EQ(linx_mutex_lock(mutex, 0), 0);
    CHECK_EQ(linx_mutex_lock(mutex, 0), LINX_EDEADLK);
    linx_handle h = spawn(locks, (void *)-1, 20, 0);
    CHECK_EQ(my_priority(), 20);
    linx_handle c = spawn(chain, NULL, 21, 0);
    CHECK_EQ(my_priority(), 21);
    linx_handle t = spawn(locks2, NULL, 25, 0);             // through chain's mutex2 to our mutex
    CHECK_EQ(my_priority(), 25);
    CHECK_EQ(linx_mutex_lock(mutex2, LINX_FOREVER), LINX_EDEADLK);
    CHECK_EQ(linx_mutex_unlock(mutex2), LINX_EPERM);
    CHECK_EQ(linx_object_delete(mutex2), LINX_EPERM);
    CHECK_EQ(linx_mutex_unlock(mutex), 0);
    CHECK_EQ(my_priority(), 16);
    CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER) | linx_task_join(c, NULL, LINX_FOREVER) | linx_task_join(t, NULL, LINX_FOREVER), 0);
    CHECK_EQ(linx_mutex_lock(mutex, 0), 0);
    h = spawn(locks, (void *)3000000, 20, 0);
    CHECK_EQ(my_priority(), 20);
    linx_sleep(5000000);
    CHECK_EQ(result, LINX_ETIMEOUT);
    CHECK_EQ(my_priority(), 16);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_mutex_unlock(mutex), 0);
    CHECK_EQ(linx_mutex_unlock(mutex), LINX_EPERM);
    h = spawn(holds, NULL, 20, 0);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_mutex_lock(mutex, LINX_FOREVER), LINX_EOWNERDEAD);
    h = spawn(locks, (void *)-1, 20, 0);
    CHECK_EQ(linx_object_delete(mutex), 0);
    CHECK_EQ(result, LINX_EDELETED);
    CHECK_EQ(my_priority(), 16);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_object_delete(mutex2), 0);
    CHECK_EQ(linx_mutex_lock(mutex2, 0), LINX_EHANDLE);
    test_end();
}

// ---- queues
static void sends(void *arg) {
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t message[3] = { i, i * i, (uint64_t)(intptr_t)arg };
        if (linx_queue_send(queue, message, LINX_FOREVER) != 0)
            break;
    }
}

static void test_queues(void) {
    test_begin("message queues");
    CHECK_EQ(linx_queue_create(0, 4), LINX_EINVAL);
    CHECK_EQ(linx_queue_create(8, 0), LINX_EINVAL);
    CHECK_EQ(linx_queue_create(LINX_MSG_MAX + 1, 1), LINX_EINVAL);
    CHECK_EQ(linx_queue_create(8, LINX_QUEUE_MAX + 1), LINX_EINVAL);
    CHECK_EQ(linx_queue_create(4096, 65536), LINX_ENOMEM);
    queue = linx_queue_create(24, 2);
    uint64_t m[3];
    CHECK_EQ(linx_queue_receive(queue, m, 0), LINX_ETIMEOUT);
    CHECK_EQ(linx_queue_receive(queue, m, 1000), LINX_ETIMEOUT);
    CHECK_EQ(linx_queue_receive(queue, NULL, 0), LINX_EFAULT);
    CHECK_EQ(linx_queue_send(queue, (void *)0x10000000, 0), LINX_EFAULT);
    linx_handle h[2] = { spawn(sends, (void *)1, 20, 0), spawn(sends, (void *)2, 16, 0) };
    uint64_t next[2] = { 0, 0 };
    for (int i = 0; i < 200; i++) {
        CHECK_EQ(linx_queue_receive(queue, m, LINX_FOREVER), 0);
        CHECK(m[2] >= 1 && m[2] <= 2 && m[0] == next[m[2] - 1]++ && m[1] == m[0] * m[0]);
    }
    CHECK_EQ(linx_task_join(h[0], NULL, LINX_FOREVER) | linx_task_join(h[1], NULL, LINX_FOREVER), 0);
    CHECK_EQ(linx_queue_send(queue, m, 0) | linx_queue_send(queue, m, 0), 0);
    CHECK_EQ(linx_queue_send(queue, m, 0), LINX_ETIMEOUT);
    CHECK_EQ(linx_object_delete(queue), 0);
    CHECK_EQ(linx_queue_send(queue, m, 0), LINX_EHANDLE);
    test_end();
}

// ---- events
static void waits_event(void *arg) { result = linx_event_wait(event, (uint32_t)(intptr_t)arg, LINX_EVENT_ALL | LINX_EVENT_CLEAR, LINX_FOREVER); }

static void test_events(void) {
    test_begin("event flags");
    event = linx_event_create(0x80000000u);
    CHECK(event > 0);
    CHECK_EQ(linx_event_wait(event, 0, LINX_EVENT_ANY, 0), LINX_EINVAL);
    CHECK_EQ(linx_event_wait(event, 1, 4, 0), LINX_EINVAL);
    CHECK_EQ(linx_event_wait(event, 1, LINX_EVENT_ANY, 0), LINX_ETIMEOUT);
    CHECK_EQ(linx_event_wait(event, 0x80000000u, LINX_EVENT_ANY, 0), 0x80000000);
    result = 0;
    linx_handle h = spawn(waits_event, (void *)5, 20, 0);
    CHECK_EQ(linx_event_set(event, 1), 0x80000001);
    CHECK_EQ(result, 0);
    CHECK_EQ(linx_event_set(event, 4), 0x80000000);
    CHECK_EQ(result, 0x80000005);
    CHECK_EQ(linx_event_clear(event, 0xffffffffu), 0x80000000);
    CHECK_EQ(linx_event_clear(event, 1), 0);
    linx_task_join(h, NULL, LINX_FOREVER);
    CHECK_EQ(linx_event_wait(event, 1, LINX_EVENT_ANY, 2000), LINX_ETIMEOUT);
    CHECK_EQ(linx_object_delete(event), 0);
    CHECK_EQ(linx_event_set(event, 1), LINX_EHANDLE);
    test_end();
}

// ---- memory, console, unknown calls, leaks
static void allocates(void *arg) {
    void **p = arg;
    *p = linx_mem_alloc(1000);
}

static void test_rest(void) {
    test_begin("task memory");
    char *p = linx_mem_alloc(100), *other = NULL;
    CHECK(p != NULL && ((uintptr_t)p & 15) == 0 && p[0] == 0 && p[99] == 0);
    CHECK_EQ(linx_mem_free(p + 16), LINX_EINVAL);
    CHECK_EQ(linx_mem_free(p), 0);
    CHECK_EQ(linx_mem_free(p), LINX_EINVAL);
    CHECK(linx_mem_alloc(0) == NULL && linx_mem_alloc((size_t)1 << 40) == NULL);
    struct linx_task_info self;
    linx_task_info(linx_task_self(), &self);
    CHECK_EQ(linx_mem_free((void *)self.stack_lo), LINX_EINVAL);
    struct linx_system_info a, b;
    linx_system_info(&a);
    linx_task_join(spawn(allocates, &other, 20, 0), NULL, LINX_FOREVER);
    linx_system_info(&b);
    CHECK(other != NULL && a.task_free == b.task_free);     // a dead task's memory comes back
    test_end();

    test_begin("unknown system calls and bad console arguments");
    CHECK_EQ(raw_syscall(0, 0, 0, 0, LINX_SYSCALL_COUNT), LINX_ENOSYS);
    CHECK_EQ(raw_syscall(0, 0, 0, 0, (uint64_t)-1), LINX_ENOSYS);
    CHECK_EQ(raw_syscall(0, 0, 0, 0, (uint64_t)1 << 40), LINX_ENOSYS);
    CHECK_EQ(linx_console_write(p, 0), LINX_EINVAL);
    CHECK_EQ(linx_console_write((void *)0x80000000, 10), LINX_EFAULT);      // kernel text
    CHECK_EQ(linx_console_write("x", (size_t)-1), LINX_EFAULT);
    CHECK_EQ(linx_console_read(NULL, 1, 0), LINX_EFAULT);
    CHECK_EQ(linx_system_info((void *)0x80000000), LINX_EFAULT);
    test_end();
}

#define HANDLES 16384

static void test_leaks(void) {
    test_begin("nothing leaks");
    struct linx_system_info a, b;
    for (int round = 0; round < 3; round++) {
        if (round == 1)
            linx_system_info(&a);
        for (int i = 0; i < 50; i++) {
            linx_handle t = spawn(returns, NULL, 20, i & 1 ? LINX_TASK_DETACHED : 0);
            linx_handle s = linx_sem_create(0, 1), q = linx_queue_create(100, 10), m = linx_mutex_create(), e = linx_event_create(0);
            if (!(i & 1))
                linx_task_join(t, NULL, LINX_FOREVER);
            CHECK_EQ(linx_object_delete(s) | linx_object_delete(q) | linx_object_delete(m) | linx_object_delete(e), 0);
        }
    }
    linx_sleep(1000);
    linx_system_info(&b);
    CHECK(a.kernel_free == b.kernel_free && a.task_free == b.task_free && a.objects == b.objects && b.tasks == 1);
    test_end();
    if (ticks)
        return;                                 // too long for a tick after every instruction
    test_begin("all handles can be used, and given back");
    linx_handle *h = linx_mem_alloc(HANDLES * sizeof *h);
    for (int round = 0; round < 2; round++) {
        int n = 0;
        while (n < HANDLES && (h[n] = linx_sem_create(0, 1)) > 0)
            n++;
        CHECK(n > HANDLES - 10 && n < HANDLES && h[n] == LINX_ENOMEM);
        while (n > 0)
            linx_object_delete(h[--n]);
        linx_system_info(round == 0 ? &a : &b);         // the table has grown and stays
    }
    CHECK(a.kernel_free == b.kernel_free && a.objects == b.objects);
    CHECK_EQ(linx_mem_free(h), LINX_OK);
    test_end();
}

int main(void) {
    static struct linx_system_info info;
    linx_system_info(&info);
    ticks = memcmp(info.bootargs, "ticks", 5) == 0;
    test_tasks();
    test_time();
    test_semaphores();
    test_mutexes();
    test_queues();
    test_events();
    test_rest();
    test_leaks();
    return test_failures;
}
