// SPDX-License-Identifier: BSD-2-Clause
// The kernel's policy code on the host, with a fake machine: scheduler, time-outs, semaphores, mutexes with priority
// inheritance, queues, events, life of tasks, both pools. After every step sched_check() must find nothing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/copy.h"
#include "kernel/gang.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/space_private.h"
#include "kernel/sync.h"
#include "kernel/syscall.h"
#include "kernel/usermem.h"
#include "trap/wide.h"

// ---- fake machine -----------------------------------------------------------------------------------------------------------
static struct pe pe;
static uint64_t now, timer;
struct pe *this_pe(void) { return &pe; }
uint64_t time_now(void) { return now; }
void timer_set(uint64_t deadline) { timer = deadline; }
struct pe *pes[MAX_PES] = { &pe };
uint64_t pes_online = 1, pes_idle;
void gang_member_ended(struct task *t, bool failed) { (void)t, (void)failed; }
void smp_kick(struct pe *p) { (void)p; }
void smp_place(struct task *t) { (void)t; }
void ssr_set(unsigned id, uint64_t value) { (void)id, (void)value; }
void panic(const char *what) { printf("not ok panic: %s\n", what); exit(1); }
void printk(const char *f, ...) { (void)f; }
bool copy_from_task(const struct task *t, void *to, const void *from, size_t n) { (void)t; return from != NULL && memcpy(to, from, n); }
bool copy_to_task(const struct task *t, void *to, const void *from, size_t n) { (void)t; return to != NULL && memcpy(to, from, n); }
bool task_may_run(uint64_t at) { return at != 0; }
void wide_count_preemption(struct task *t) { (void)t; }
bool wide_hand_over(struct pe *p, struct task *t) { (void)p, (void)t; return true; }
void wide_forget(struct task *t) { (void)t; }
uint64_t host_data = 0x40000000, host_data_pages = 3, host_all_pages = 5;
char task_returned[1], idle_loop[1];

static char kernel_pool[1 << 20];
static _Alignas(ROOT_ALIGN) char ram[4 << 20];
static _Alignas(PAGE) char pristine[3 * PAGE];
static int failures, checks;
static const char *test_name;
#define CHECK(cond) check((cond), #cond, __LINE__)
static void check(bool good, const char *what, int line) {
    checks++;
    const char *rule = sched_check(&pe);
    if (!good || rule != NULL) {
        printf("# line %d: %s%s%s\n", line, good ? "rule: " : what, good ? rule : "", "");
        failures++;
    }
}
static void begin(const char *name) {
    test_name = name;
    failures = 0;
    memset(&pe, 0, sizeof pe);
    now = 1000;
    timer = 0;
    pe.slice_ns = 100;
    pe.next_deadline = LINX_FOREVER;
    kernel_pool_init(kernel_pool, sizeof kernel_pool);
    pages_init((uintptr_t)ram, (uintptr_t)ram + sizeof ram);
    pe.space = &root_space;
    space_pristine = pristine;
    memset(&root_space, 0, sizeof root_space);
    root_space.refs = 1;
    root_space.quota = UINT64_MAX;
    if (!object_table_init(256) || !pages_promise(1) || (space_kernel_root = page_take_root()) == 0)
        panic("object table");
    page_zero((void *)space_kernel_root);
    if (!space_init(&root_space) || !usermem_init(256, sizeof ram / PAGE))
        panic("root space");
    pe.idle = task_create_idle(&pe);
    pe.current = pe.idle;
    pe.since = now;
}
static void end(void) { printf(failures ? "not ok %s: %d checks failed\n" : "ok %s\n", test_name, failures); }

static void entry(void *arg) { (void)arg; }
static struct task *spawn(unsigned prio, uint32_t flags) {
    struct linx_task_attr a = { .priority = prio, .flags = flags, .stack_bytes = 1024 };
    int64_t h = task_create(&pe, NULL, &a, entry, NULL);
    if (h < 0)
        panic("task_create");
    return task_find(pe.idle, (uint64_t)h);
}
static struct task *run(void) { return (struct task *)sched_leave(&pe); }   // who runs now
static void tick_at(uint64_t t) {
    now = t;
    sched_tick(&pe.current->ctx, 0, &pe);
}

// ---- tests ------------------------------------------------------------------------------------------------------------------
static void test_priorities(void) {
    begin("host priorities and round robin");
    CHECK(run() == pe.idle);
    struct task *a = spawn(5, 0), *b = spawn(5, 0), *c = spawn(31, 0), *d = spawn(0, 0);
    CHECK(run() == c && timer == LINX_FOREVER);                        // alone at its priority: no tick at all
    sched_wait(c, NULL, 1000);
    CHECK(run() == a && timer == now + 100);                // a has a rival: end of the slice
    tick_at(now + 100);
    CHECK(pe.current == b);
    sched_rotate(&pe);
    CHECK(run() == a);
    task_end(b, LINX_ENDED_EXIT, 0);
    CHECK(run() == a);
    tick_at(timer);                                         // the slice of a vanished rival: nothing happens, and then
    CHECK(pe.current == a && timer == 2000);                // only c's time-out is left
    tick_at(2000);
    CHECK(pe.current == c && (int64_t)c->ctx.a0 == LINX_OK);
    CHECK(task_set_base_prio(c, 0) == 31 && run() == a);
    CHECK(task_set_base_prio(d, 6) == 0 && run() == d);
    CHECK(task_suspend(d) == LINX_OK && run() == a && task_suspend(d) == LINX_ESTATE);
    CHECK(task_resume(d) == LINX_OK && run() == d && task_resume(d) == LINX_ESTATE);
    end();
}

static void test_accounting(void) {
    begin("host accounting is exact");
    struct task *t[4];
    for (int i = 0; i < 4; i++)
        t[i] = spawn((unsigned)i / 2, 0);
    srand(3);
    uint64_t start = now;
    run();
    for (int i = 0; i < 10000; i++) {
        now += (uint64_t)(rand() % 300);
        struct task *c = pe.current;
        switch (rand() % 4) {
        case 0: sched_tick(&c->ctx, 0, &pe); break;
        case 1: sched_rotate(&pe); break;
        case 2: if (c != pe.idle) sched_wait(c, NULL, (uint64_t)(rand() % 500 + 1)); break;
        default: if (pe.heap_used != 0 && timer != 0 && timer > now) { now = timer; sched_tick(&c->ctx, 0, &pe); } break;
        }
        run();
        CHECK(timer == LINX_FOREVER || timer == 0 || pe.heap_used != 0 || !list_empty(&pe.current->link));
    }
    uint64_t sum = pe.idle->cpu_ns + (now - pe.since);
    for (int i = 0; i < 4; i++)
        sum += t[i]->cpu_ns;
    CHECK(sum == now - start);
    end();
}

static void test_timeouts(void) {
    begin("host time-outs in order, cancelled ones never");
    struct task *t[100];
    for (int i = 0; i < 100; i++)
        t[i] = spawn(1, 0);
    srand(1);
    for (int i = 0; i < 100; i++) {
        sched_wait(t[i], NULL, (uint64_t)(rand() % 1000 + 1));
        CHECK(true);
    }
    for (int i = 0; i < 100; i += 3)
        sched_wake(t[i], 7);
    uint64_t last = 0;
    while (pe.heap_used != 0) {
        struct task *first = pe.heap[1];
        CHECK(first->deadline >= last && first->state == TASK_WAITING);
        last = first->deadline;
        tick_at(last);
    }
    for (int i = 0; i < 100; i++)
        CHECK(t[i]->state == TASK_READY && (int64_t)t[i]->ctx.a0 == (i % 3 == 0 ? 7 : LINX_OK));
    end();
}

static struct sem *new_sem(uint32_t count, uint32_t max) {
    struct sem *s = object_create(&root_space, OBJ_SEM, sizeof *s);
    s->count = count, s->max = max;
    return s;
}

static void test_semaphores(void) {
    begin("host semaphores");
    struct task *lo = spawn(1, 0), *hi = spawn(9, 0), *hi2 = spawn(9, 0);
    struct sem *s = new_sem(1, 2);
    CHECK(sem_wait(lo, s, 0) == LINX_OK && sem_wait(lo, s, 0) == LINX_ETIMEOUT);
    CHECK(sem_wait(lo, s, LINX_FOREVER) == BLOCKED && sem_wait(hi, s, 50) == BLOCKED && sem_wait(hi2, s, LINX_FOREVER) == BLOCKED);
    CHECK(sem_post(s) == LINX_OK && hi->state == TASK_READY && hi2->state == TASK_WAITING);   // first of the most urgent
    CHECK(sem_wait(hi, s, 50) == BLOCKED);
    tick_at(now + 50);
    CHECK((int64_t)hi->ctx.a0 == LINX_ETIMEOUT);
    CHECK(sem_post(s) == LINX_OK && hi2->state == TASK_READY && sem_post(s) == LINX_OK && lo->state == TASK_READY);
    CHECK(sem_post(s) == LINX_OK && sem_post(s) == LINX_OK && sem_post(s) == LINX_EOVERFLOW);
    CHECK(sem_wait(lo, s, 0) == 0 && sem_wait(lo, s, 0) == 0 && sem_wait(lo, s, LINX_FOREVER) == BLOCKED);
    uint64_t h = (uint64_t)s->obj.handle;
    CHECK(object_delete(hi, &s->obj) == LINX_OK && (int64_t)lo->ctx.a0 == LINX_EDELETED && lo->state == TASK_READY);
    CHECK(object_find(pe.idle, h, OBJ_SEM) == NULL && object_any(pe.idle, h) == NULL);
    CHECK(object_any(pe.idle, (uint64_t)new_sem(0, 1)->obj.handle) != NULL && object_any(pe.idle, h) == NULL);     // same slot, other generation
    end();
}

static struct mutex *new_mutex(void) { return object_create(&root_space, OBJ_MUTEX, sizeof(struct mutex)); }

static void test_inheritance(void) {
    begin("host priority inheritance over several locks and chains");
    struct task *lo = spawn(1, 0), *mid = spawn(5, 0), *hi = spawn(9, 0), *top = spawn(20, 0);
    struct mutex *m1 = new_mutex(), *m2 = new_mutex(), *m3 = new_mutex();
    CHECK(mutex_lock(lo, m1, 0) == 0 && mutex_lock(lo, m2, 0) == 0 && mutex_lock(mid, m3, 0) == 0);
    CHECK(mutex_lock(mid, m1, LINX_FOREVER) == BLOCKED && lo->prio == 5);
    CHECK(mutex_lock(hi, m2, LINX_FOREVER) == BLOCKED && lo->prio == 9);
    CHECK(mutex_lock(top, m3, 100) == BLOCKED && mid->prio == 20 && lo->prio == 20);  // along the chain
    CHECK(mutex_lock(lo, m3, LINX_FOREVER) == LINX_EDEADLK && mutex_lock(lo, m1, 0) == LINX_EDEADLK);
    CHECK(mutex_unlock(mid, m1) == LINX_EPERM);
    CHECK(mutex_unlock(lo, m2) == 0 && m2->owner == hi && lo->prio == 20);             // m1 still has mid at 20
    tick_at(now + 100);                                                               // top gives up
    CHECK((int64_t)top->ctx.a0 == LINX_ETIMEOUT && mid->prio == 5 && lo->prio == 5);
    CHECK(task_set_base_prio(mid, 7) == 5 && lo->prio == 7);
    CHECK(mutex_unlock(lo, m1) == 0 && lo->prio == 1 && m1->owner == mid && mid->state == TASK_READY);
    CHECK(mutex_lock(lo, m3, LINX_FOREVER) == BLOCKED && mutex_lock(top, m3, LINX_FOREVER) == BLOCKED && mid->prio == 20);
    task_end(mid, LINX_ENDED_KILLED, 0);                                              // robust: passed on with a word
    CHECK(m3->owner == top && (int64_t)top->ctx.a0 == LINX_EOWNERDEAD && m1->owner == NULL);
    CHECK(mutex_lock(hi, m1, 0) == LINX_EOWNERDEAD && mutex_unlock(hi, m1) == 0 && mutex_lock(hi, m1, 0) == 0);
    CHECK(object_delete(lo, &m1->obj) == LINX_EPERM && object_delete(top, &m3->obj) == 0 && (int64_t)lo->ctx.a0 == LINX_EDELETED);
    CHECK(top->prio == 20 && top->held == NULL);
    end();
}

static void test_queues(void) {
    begin("host message queues");
    struct task *a = spawn(3, 0), *b = spawn(4, 0), *c = spawn(4, 0);
    struct queue *q = object_create(&root_space, OBJ_QUEUE, sizeof *q);
    q->bytes = 4, q->capacity = 2, q->slots = kernel_alloc(8);
    uint32_t in[] = { 10, 11, 12, 13, 14 }, out[5] = { 0 };
    CHECK(queue_send(a, q, &in[0], 0) == 0 && queue_send(a, q, &in[1], 0) == 0 && queue_send(a, q, &in[2], 0) == LINX_ETIMEOUT);
    CHECK(queue_send(a, q, &in[2], LINX_FOREVER) == BLOCKED && queue_send(b, q, &in[3], LINX_FOREVER) == BLOCKED);
    CHECK(queue_receive(c, q, &out[0], 0) == 0 && out[0] == 10 && b->state == TASK_READY && a->state == TASK_WAITING);
    CHECK(queue_receive(c, q, &out[1], 0) == 0 && out[1] == 11 && a->state == TASK_READY);
    CHECK(queue_receive(c, q, &out[2], 0) == 0 && out[2] == 13 && queue_receive(c, q, &out[3], 0) == 0 && out[3] == 12);
    CHECK(queue_receive(c, q, &out[4], 0) == LINX_ETIMEOUT && queue_receive(c, q, &out[4], LINX_FOREVER) == BLOCKED);
    CHECK(queue_send(a, q, &in[4], 0) == 0 && out[4] == 14 && c->state == TASK_READY && q->used == 0);
    CHECK(queue_receive(b, q, NULL, LINX_FOREVER) == BLOCKED && queue_receive(c, q, &out[0], LINX_FOREVER) == BLOCKED);
    CHECK(queue_send(a, q, &in[1], 0) == 0 && (int64_t)b->ctx.a0 == LINX_EFAULT && out[0] == 11);   // a bad buffer loses nothing
    CHECK(queue_send(a, q, NULL, 0) == LINX_EFAULT && q->used == 0);
    CHECK(object_delete(a, &q->obj) == 0);
    end();
}

static void test_events(void) {
    begin("host event flags");
    struct task *a = spawn(3, 0), *b = spawn(4, 0), *c = spawn(2, 0);
    struct event *e = object_create(&root_space, OBJ_EVENT, sizeof *e);
    CHECK(event_wait(a, e, 3, LINX_EVENT_ALL, LINX_FOREVER) == BLOCKED);
    CHECK(event_wait(b, e, 6, LINX_EVENT_ANY | LINX_EVENT_CLEAR, LINX_FOREVER) == BLOCKED);
    CHECK(event_wait(c, e, 8, LINX_EVENT_ANY, 10) == BLOCKED);
    CHECK(event_set(e, 1) == 1 && a->state == TASK_WAITING && b->state == TASK_WAITING);
    CHECK(event_set(e, 2) == 1 && a->state == TASK_READY && b->state == TASK_READY);   // both saw 3, b cleared 6
    CHECK(a->ctx.a0 == 3 && b->ctx.a0 == 3);
    tick_at(now + 10);
    CHECK((int64_t)c->ctx.a0 == LINX_ETIMEOUT);
    CHECK(event_wait(a, e, 1, LINX_EVENT_ANY | LINX_EVENT_CLEAR, 0) == 1 && e->flags == 0);
    CHECK(event_wait(a, e, 1, LINX_EVENT_ANY, 0) == LINX_ETIMEOUT);
    end();
}

static void test_life(void) {
    begin("host create, join, kill");
    size_t kernel_free_at_start = kernel_pool_left(), task_free_at_start = pages_free;
    struct linx_task_attr bad = { .priority = 32 };
    CHECK(task_create(&pe, NULL, &bad, entry, NULL) == LINX_EINVAL);
    bad = (struct linx_task_attr){ .stack_bytes = 100 };
    CHECK(task_create(&pe, NULL, &bad, entry, NULL) == LINX_EINVAL);
    bad = (struct linx_task_attr){ .flags = 0x80 };
    CHECK(task_create(&pe, NULL, &bad, entry, NULL) == LINX_EINVAL);
    bad = (struct linx_task_attr){ .stack_bytes = 64 << 20 };
    CHECK(task_create(&pe, NULL, &bad, entry, NULL) == LINX_ENOMEM && task_create(&pe, NULL, &(struct linx_task_attr){ 0 }, NULL, NULL) == LINX_EFAULT);
    struct task *a = spawn(3, 0), *b = spawn(4, 0), *d = spawn(2, LINX_TASK_DETACHED);
    int64_t status = 0;
    CHECK(task_join(a, a, NULL, 0) == LINX_EDEADLK && task_join(a, d, NULL, 0) == LINX_ESTATE);
    CHECK(task_join(a, b, &status, 0) == LINX_ETIMEOUT && task_join(a, b, &status, LINX_FOREVER) == BLOCKED);
    CHECK(task_join(b, a, NULL, LINX_FOREVER) == LINX_EDEADLK);
    uint64_t hb = (uint64_t)b->obj.handle, hd = (uint64_t)d->obj.handle;
    run();
    CHECK(pe.current == b);
    task_end(b, LINX_ENDED_EXIT, 42);
    CHECK((int64_t)a->ctx.a0 == LINX_ENDED_EXIT && status == 42 && task_find(pe.idle, hb) == NULL);
    run();
    task_reap(&pe);
    task_end(d, LINX_ENDED_KILLED, 0);
    CHECK(task_find(pe.idle, hd) == NULL);
    struct task *z = spawn(1, 0);
    task_end(z, LINX_ENDED_FAULT, 5);
    CHECK(task_find(pe.idle, (uint64_t)z->obj.handle) == z && task_join(a, z, &status, 0) == LINX_ENDED_FAULT && status == 5);
    task_end(a, LINX_ENDED_EXIT, 0);
    CHECK(task_join(pe.idle, a, NULL, 0) == LINX_ENDED_EXIT);
    pe.current = pe.idle;
    kernel_free(pe.heap), pe.heap = NULL;
    CHECK(kernel_pool_left() == kernel_free_at_start && pages_free == task_free_at_start);
    end();
}

static void test_heap(void) {
    begin("host pools: random allocation, nothing lost or shared");
    static struct { unsigned char *p; size_t n; } live[64];
    size_t start = kernel_pool_left();
    srand(2);
    for (int i = 0; i < 20000; i++) {
        int s = rand() % 64;
        if (live[s].p != NULL) {
            bool whole = true;
            for (size_t k = 0; k < live[s].n; k++)
                whole &= live[s].p[k] == (unsigned char)s;
            CHECK(whole);
            kernel_free(live[s].p);
            live[s].p = NULL;
        } else {
            live[s].n = (size_t)(rand() % 30000 + 1);
            live[s].p = kernel_alloc(live[s].n);
            if (live[s].p != NULL) {
                CHECK(((uintptr_t)live[s].p & 15) == 0 && live[s].p[0] == 0 && live[s].p[live[s].n - 1] == 0);
                memset(live[s].p, s, live[s].n);
            }
        }
    }
    for (int s = 0; s < 64; s++)
        kernel_free(live[s].p), live[s].p = NULL;
    CHECK(kernel_pool_left() == start && kernel_alloc((size_t)1 << 40) == NULL);
    end();
}

// ---- address spaces
static size_t live_extents(const struct task *t) {
    size_t n = 0;
    for (const struct extent *e = t->extents; e != NULL; e = e->next)
        n += !e->stack;
    return n;
}
// What is in the first word of page `va` of the task's, `set` in it afterwards; -1: it may not write there.
static int64_t touch(struct task *t, uint64_t va, int64_t set) {
    pte e = space_page(t->space, va, LINX_PTE_U | LINX_PTE_W);
    if (e == 0)
        return -1;
    int64_t *p = direct(e & LINX_PTE_ADDRESS), was = *p;
    *p = set;
    return was;
}

// Kills t[k] and forgets it, and its fellows when it is the first task of a space.
static void end_with_space(struct task **t, int tasks, int k) {
    struct space *s = t[k]->space;
    struct task *it = t[k];
    bool all = s != &root_space && it->obj.owner != s->id;
    for (int n = 0; n < tasks; n++)
        if (n == k || (all && t[n] != NULL && t[n]->space == s))
            t[n] = NULL;
    task_kill(it);
}

static void test_spaces(void) {
    begin("host address spaces: random allocation, sharing, death; nothing lost or shared by mistake");
    enum { TASKS = 12 };
    struct task *t[TASKS] = { 0 };
    int seen = 0;
    srand(5);
    for (int i = 0; i < 3; i++)
        *(int64_t *)(pristine + i * PAGE) = 1000 + i;
    struct task *first = spawn(1, LINX_TASK_SUSPENDED);
    uint64_t kernel_at_start = kernel_pool_left(), pages_at_start = pages_free;
    for (int i = 0; i < 20000; i++) {
        int k = rand() % TASKS;
        if (t[k] == NULL) {
            struct linx_task_attr a = { .flags = LINX_TASK_SUSPENDED | LINX_TASK_DETACHED | (rand() % 2 ? LINX_TASK_SPACE : 0),
                                        .memory = (uint64_t)(rand() % 64 + 1) * PAGE, .stack_bytes = (uint64_t)(rand() % 12000 + 512) };
            int64_t h = task_create(&pe, rand() % 2 && t[0] != NULL ? t[0] : first, &a, entry, NULL);
            t[k] = h > 0 ? task_find(pe.idle, (uint64_t)h) : NULL;
            if (t[k] != NULL && (a.flags & LINX_TASK_SPACE)) {
                for (uint64_t p = 0; p < host_all_pages; p++)       // initial data, its own
                    CHECK(touch(t[k], host_data + p * PAGE, -7) == (p < host_data_pages ? 1000 + (int64_t)p : 0));
                CHECK(touch(t[k], host_data + host_all_pages * PAGE, 0) == -1 && touch(t[k], t[k]->extents->va - PAGE, 0) == -1);
            }
        } else {
            struct extent *e = t[k]->extents;
            for (int n = rand() % 4; n != 0 && e->next != NULL; n--)
                e = e->next;
            uint64_t page = (uint64_t)rand() % e->pages * PAGE;
            struct context c = { 0 };
            int64_t was;
            switch (rand() % 8) {
            case 0: case 1:
                c.a0 = (uint64_t)(rand() % 16 == 0 ? rand() % (600 * PAGE) : rand() % (9 * PAGE) + 1);
                if (sys_mem_alloc(t[k], &c) != 0) {
                    e = t[k]->extents->next;
                    CHECK(touch(t[k], e->va, 1 + k) == 0 && touch(t[k], extent_end(e) - PAGE, 1 + k) <= 1 + k);
                }
                break;
            case 2:
                c.a0 = e->va;
                CHECK(sys_mem_free(t[k], &c) == (e->stack ? LINX_EINVAL : LINX_OK));
                break;
            case 3: case 4:                                         // nobody but its owner has written there
                was = touch(t[k], e->va + page, 1 + k);
                CHECK(was == 0 || was == 1 + k);
                break;
            case 5:
                c = (struct context){ .a1 = e->va, .a2 = e->pages * PAGE, .a3 = LINX_MEM_WRITE };
                struct task *other = t[rand() % TASKS];
                if (other != NULL) {
                    c.a0 = (uint64_t)other->obj.handle;
                    struct context give = { .a0 = (uint64_t)t[k]->obj.handle, .a1 = c.a0 };
                    CHECK(sys_object_give(pe.idle, &give) == LINX_OK);
                    int64_t r = sys_mem_share(t[k], &c);
                    CHECK(e->stack || other->space == t[k]->space ? r < 0 : r == LINX_OK || r == LINX_ESTATE || r == LINX_ENOMEM);
                    if (r == LINX_OK) {
                        touch(t[k], e->va + page, 77);
                        CHECK(touch(other, e->va + page, 78) == 77 && touch(t[k], e->va + page, 1 + k) == 78);
                        seen++;
                    }
                }
                break;
            case 6:
                for (int n = 0; n < TASKS; n++)                     // an address is nobody else's
                    if (t[n] != NULL && t[n]->space != t[k]->space && e->shares == NULL)
                        CHECK(space_leaf(t[n]->space, e->va) == NULL || *space_leaf(t[n]->space, e->va) == 0);
                break;
            default:
                if (rand() % 4 == 0) {
                    end_with_space(t, TASKS, k);
                }
            }
        }
        const char *bad = space_check();
        if (bad != NULL)
            printf("# step %d: %s\n", i, bad);
        CHECK(bad == NULL);
        if (bad != NULL)
            break;
    }
    CHECK(seen > 100);
    for (int k = 0; k < TASKS; k++)
        if (t[k] != NULL)
            end_with_space(t, TASKS, k);
    CHECK(live_extents(first) == 0 && kernel_pool_left() == kernel_at_start && pages_free == pages_at_start);
    end();
}

// Random operations by random tasks against every kind of object; sched_check() after each.
static void test_random(void) {
    begin("host random operations keep every rule");
    struct task *t[12] = { 0 };
    struct mutex *m[6];
    struct sem *s[3];
    srand(4);
    for (int i = 0; i < 6; i++)
        m[i] = new_mutex();
    for (int i = 0; i < 3; i++)
        s[i] = new_sem(0, 3);
    for (int step = 0; step < 200000 && failures == 0; step++) {
        int i = rand() % 12;
        now += (uint64_t)(rand() % 40);
        if (t[i] == NULL) {
            t[i] = spawn((unsigned)rand() % 32, 0);
            continue;
        }
        struct task *x = t[i];
        uint64_t timeout = rand() % 3 == 0 ? 0 : rand() % 2 ? LINX_FOREVER : (uint64_t)(rand() % 200 + 1);
        int64_t r = 0;
        if (x->state == TASK_READY) {
            pe.current = x;             // as if it had been running: at the front of its ring
            pe.ready[x->prio] = &x->link;
            switch (rand() % 10) {
            case 0: case 1: case 2: r = mutex_lock(x, m[rand() % 6], timeout); break;
            case 3: case 4: for (int k = 0; k < 6; k++) if (m[k]->owner == x) { r = mutex_unlock(x, m[k]); break; } break;
            case 5: r = sem_wait(x, s[rand() % 3], timeout); break;
            case 6: r = sem_post(s[rand() % 3]); break;
            case 7: if (timeout != 0) sched_wait(x, NULL, timeout); break;
            case 8: r = task_suspend(x); break;
            default: sched_rotate(&pe); break;
            }
        } else if (rand() % 4 == 0) {
            r = task_resume(x);
        }
        if (rand() % 20 == 0)
            r = task_set_base_prio(t[i], (uint8_t)(rand() % 32));
        if (rand() % 200 == 0) {
            task_end(t[i], LINX_ENDED_KILLED, 0);
            r = task_join(pe.idle, t[i], NULL, 0);
            t[i] = NULL;
            pe.current = pe.idle;
        }
        (void)r;
        run();
        if (rand() % 8 == 0)
            sched_tick(&pe.current->ctx, 0, &pe);
        CHECK(true);
    }
    end();
}

int main(void) {
    test_priorities();
    test_accounting();
    test_timeouts();
    test_semaphores();
    test_inheritance();
    test_queues();
    test_events();
    test_life();
    test_heap();
    test_spaces();
    test_random();
    printf("# %d checks\n", checks);
    return 0;
}
