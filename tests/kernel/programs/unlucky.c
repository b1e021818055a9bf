// SPDX-License-Identifier: BSD-2-Clause
// Tasks that die, are killed or run out of memory at the worst moment. After each test the survivors have gone on with
// right results and the kernel holds exactly as many objects and bytes as before. Boot argument: choice=N.
#include "check.h"
#include "demos/options.h"
#include "lib/string.h"
#include "linx/arch.h"

uint64_t hold_registers(uint64_t seed);
void mix(const uint32_t in[256], uint32_t out[256]), long_body(uint64_t rounds, uint32_t *out);
void leave_queue(uint64_t seed), find_queue(uint32_t out[256]);
void share(const uint32_t in[64]), unshare(uint32_t out[64]);

#define PRIO 10                         // of everybody but main
static uint32_t in[256], want[256], out[8][256];
static struct linx_system_info before;
static uint32_t pes;
static uint64_t state;

static uint64_t pick(uint64_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 8) % n;
}
static void *arg_of(uint64_t v) { return (void *)(uintptr_t)v; }

static linx_handle spawn(const char *name, linx_entry *entry, void *arg, uint32_t flags) {
    struct linx_task_attr a = { .name = name, .priority = PRIO, .stack_bytes = 2048, .flags = flags };
    return linx_task_create(&a, entry, arg);
}
static int join(linx_handle h) { return linx_task_join(h, NULL, 50000000); }
static void kill_and_join(linx_handle h) {
    CHECK_EQ(linx_task_kill(h), LINX_OK);
    CHECK_EQ(join(h), LINX_ENDED_KILLED);
}

// ---- the survivors: one holds registers, one computes in the engine, one keeps values in its queues -------------------------
static volatile uint64_t progress[3], spoilt;
static void survives(void *arg) {
    uint64_t me = (uint64_t)(uintptr_t)arg;
    for (uint64_t n = 1;; n++) {
        if (me == 0) {
            spoilt += hold_registers(n) != 0;
        } else if (me == 1) {
            mix(in, out[6]);
            spoilt += memcmp(out[6], want, sizeof want) != 0;
        } else {
            leave_queue(n);
            linx_yield();
            find_queue(out[7]);
            spoilt += out[7][0] != (uint32_t)n || out[7][255] != (uint32_t)(n + 255);
        }
        progress[me]++;
    }
}

// Free bytes of the kernel pool, the survivors' save areas not counted (with what an allocation may waste when they change).
static linx_handle survivor[3];
static uint64_t areas_before, bytes_before;
static uint64_t kernel_bytes(const struct linx_system_info *i) {
    uint64_t bytes = i->kernel_free, areas = 0;
    for (int n = 0; n < 3; n++) {
        struct linx_task_info info;
        linx_task_info(survivor[n], &info);
        bytes += info.save_area_bytes;
        areas = areas * 31 + info.save_area_bytes;
    }
    bytes += areas != areas_before ? 3 * 64 : 0;
    areas_before = areas;
    return bytes;
}

static void begin(const char *name) {
    test_begin(name);
    linx_sleep(1000);
    linx_system_info(&before);          // frees what the last dead task left
    linx_system_info(&before);
}

static void end(void) {
    struct linx_system_info now;
    uint64_t was[3] = { progress[0], progress[1], progress[2] };
    for (int tries = 0; tries < 200 && (progress[0] == was[0] || progress[1] == was[1] || progress[2] == was[2]); tries++)
        linx_sleep(10000);
    for (int i = 0; i < 3; i++)
        CHECK(progress[i] > was[i]);
    CHECK_EQ(spoilt, 0);
    linx_system_info(&now);
    CHECK_EQ(now.tasks, before.tasks);
    CHECK_EQ(now.objects, before.objects);
    CHECK_EQ(now.task_free, before.task_free);
    CHECK(kernel_bytes(&now) >= bytes_before);
    test_end();
}

// ---- the engine -------------------------------------------------------------------------------------------------------------------
static void long_runs(void *arg) { long_body((uint64_t)(uintptr_t)arg, out[0]); }
static void body_faults(void *arg) { (void)arg, long_body(40, arg_of(0x7000000000)); }
static void leaves_and_ends(void *arg) { leave_queue((uint64_t)(uintptr_t)arg); }
static void sleeps_with_tiles(void *arg) {
    leave_queue(1);
    linx_sleep((uint64_t)(uintptr_t)arg);
}

static void test_engine(void) {
    begin("killed inside a body, in the engine or in memory");
    for (uint64_t i = 0; i < 24; i++) {
        linx_handle h = spawn("long", long_runs, arg_of(1000000), i & 1 ? LINX_TASK_NO_INHERIT : 0);
        linx_sleep(5000 + 1777 * i);
        kill_and_join(h);
    }
    end();
    begin("a fault inside a body while others wait for the engine");
    for (int i = 0; i < 8; i++) {
        int64_t status = 0;
        linx_handle h = spawn("fault", body_faults, NULL, 0);
        CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_ENDED_FAULT);
        CHECK_EQ(status, LINX_E_DATA << 24 | LINX_EC_STORE_PAGE);
    }
    end();
    begin("suspended inside a body, then killed; suspended, then resumed");
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t rounds = i & 1 ? 2000 : 1000000;
        linx_handle h = spawn("long", long_runs, arg_of(rounds), 0);
        linx_sleep(4000 + 999 * i);
        CHECK_EQ(linx_task_suspend(h), LINX_OK);
        linx_sleep(30000);
        if (i & 1) {
            CHECK_EQ(linx_task_resume(h), LINX_OK);
            CHECK_EQ(join(h), LINX_ENDED_EXIT);
            for (uint32_t l = 0; l < 256; l++)
                if (out[0][l] != l * (rounds + 1)) {
                    CHECK_EQ(out[0][l], l * (rounds + 1));
                    break;
                }
        } else {
            kill_and_join(h);
        }
    }
    end();
    begin("dies between blocks, with values in the queues");
    for (uint64_t i = 0; i < 12; i++) {
        linx_handle h = spawn("leaves", leaves_and_ends, arg_of(0xdead0000 + i), 0), s;
        if (i % 3 == 0)
            CHECK_EQ(join(h), LINX_ENDED_EXIT);
        s = spawn("sleeps", sleeps_with_tiles, arg_of(LINX_FOREVER - 1), 0);
        linx_sleep(40000);
        kill_and_join(s);               // asleep; its state is in the engine or in memory
        if (i % 3 != 0)
            CHECK_EQ(join(h), LINX_ENDED_EXIT);
    }
    end();
}

// ---- locks ---------------------------------------------------------------------------------------------------------------------------
#define LINKS 6
static linx_handle lock[LINKS + 1], link_task[LINKS];
static volatile int64_t got[LINKS];
static volatile bool holding[LINKS];
static void links(void *arg) {          // holds lock i, wants lock i + 1, and dies with what it got
    uint64_t i = (uint64_t)(uintptr_t)arg;
    got[i] = 1;
    linx_mutex_lock(lock[i], LINX_FOREVER);
    holding[i] = true;
    got[i] = linx_mutex_lock(lock[i + 1], LINX_FOREVER);
    if (got[i] == LINX_EOWNERDEAD)
        linx_task_exit(7);              // still holding both
    for (;;)
        linx_sleep(1000000);
}

static void test_locks(void) {
    begin("a chain of owners that die one after the other");
    for (int i = 0; i <= LINKS; i++)
        lock[i] = linx_mutex_create();
    for (uint64_t i = LINKS; i-- > 0;) {        // the last link gets the last lock at once
        link_task[i] = spawn("link", links, arg_of(i), 0);
        while (!holding[i])
            linx_sleep(2000);
        linx_sleep(20000);
        holding[i] = false;
    }
    for (int i = 0; i < LINKS; i++)
        CHECK_EQ(got[i], i == LINKS - 1 ? LINX_OK : 1);
    struct linx_task_info info;
    linx_task_priority(link_task[0], PRIO + 2);         // urgency goes along the whole chain
    linx_task_info(link_task[LINKS - 1], &info);
    CHECK(info.priority == PRIO + 2 && info.base_priority == PRIO);
    CHECK_EQ(linx_task_kill(link_task[LINKS - 1]), LINX_OK);
    for (int i = LINKS - 1; i >= 0; i--) {
        int64_t status = 0;
        CHECK_EQ(linx_task_join(link_task[i], &status, 50000000), i == LINKS - 1 ? LINX_ENDED_KILLED : LINX_ENDED_EXIT);
        CHECK_EQ(status, i == LINKS - 1 ? 0 : 7);
    }
    for (int i = 0; i <= LINKS; i++) {
        CHECK_EQ(linx_mutex_lock(lock[i], 0), LINX_EOWNERDEAD);
        CHECK_EQ(linx_mutex_unlock(lock[i]), LINX_OK);
        CHECK_EQ(linx_object_delete(lock[i]), LINX_OK);
    }
    end();
    begin("a waiter in the middle of a chain is killed: urgency goes back");
    for (int i = 0; i < 3; i++)
        lock[i] = linx_mutex_create();
    for (uint64_t i = 2; i-- > 0;) {
        holding[i] = false;
        link_task[i] = spawn("link", links, arg_of(i), 0);
        linx_sleep(200000);
        CHECK(holding[i]);
    }
    linx_task_priority(link_task[0], PRIO + 3);
    linx_task_info(link_task[1], &info);
    CHECK_EQ(info.priority, PRIO + 3);
    kill_and_join(link_task[0]);
    linx_task_info(link_task[1], &info);
    CHECK_EQ(info.priority, PRIO);
    kill_and_join(link_task[1]);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(linx_object_delete(lock[i]), LINX_OK);
    end();
}

// ---- tasks that wait -----------------------------------------------------------------------------------------------------------------
enum { ON_SEM, ON_SEM_TIMED, ON_MUTEX, ON_FULL_QUEUE, ON_EMPTY_QUEUE, ON_EVENT, ON_JOIN, ON_SLEEP, ON_CONSOLE, WAITS };
static linx_handle sem, mutex, full, empty, event, target;
static char message[16];
static void waits(void *arg) {
    char m[16] = "from the dead";
    switch ((uintptr_t)arg) {
    case ON_SEM: linx_sem_wait(sem, LINX_FOREVER); break;
    case ON_SEM_TIMED: linx_sem_wait(sem, 300000); break;
    case ON_MUTEX: linx_mutex_lock(mutex, LINX_FOREVER); break;
    case ON_FULL_QUEUE: linx_queue_send(full, m, LINX_FOREVER); break;
    case ON_EMPTY_QUEUE: linx_queue_receive(empty, m, 400000); break;
    case ON_EVENT: linx_event_wait(event, 1, LINX_EVENT_ANY | LINX_EVENT_CLEAR, LINX_FOREVER); break;
    case ON_JOIN: linx_task_join(target, NULL, LINX_FOREVER); break;
    case ON_SLEEP: linx_sleep(300000); break;
    case ON_CONSOLE: linx_console_read(m, 1, 300000); break;
    }
    linx_task_exit(5);                  // it was to be dead by now
}
static void ends_later(void *arg) {
    (void)arg;
    linx_sleep(250000);
    linx_task_exit(9);
}
static void joins(void *arg) { linx_task_exit(linx_task_join((linx_handle)(uintptr_t)arg, NULL, LINX_FOREVER)); }

static void test_waits(void) {
    begin("killed in every kind of wait");
    sem = linx_sem_create(0, 3), mutex = linx_mutex_create(), event = linx_event_create(0);
    full = linx_queue_create(16, 1), empty = linx_queue_create(16, 2);
    linx_queue_send(full, "first", 0);
    linx_mutex_lock(mutex, 0);
    for (uintptr_t what = 0; what < WAITS; what++) {
        target = spawn("target", ends_later, NULL, 0);
        linx_handle h[3];
        for (int i = 0; i < 3; i++)
            h[i] = spawn("waits", waits, (void *)what, 0);
        linx_sleep(100000);
        kill_and_join(h[1]);            // the one in the middle, then the first, then the last
        kill_and_join(h[0]);
        kill_and_join(h[2]);
        int64_t status = 0;
        CHECK_EQ(linx_task_join(target, &status, LINX_FOREVER), LINX_ENDED_EXIT);
        CHECK_EQ(status, 9);
    }
    linx_sleep(500000);                 // every time-out would have come
    CHECK_EQ(linx_sem_post(sem), LINX_OK);
    CHECK_EQ(linx_sem_wait(sem, 0), LINX_OK);
    CHECK_EQ(linx_sem_wait(sem, 0), LINX_ETIMEOUT);
    CHECK_EQ(linx_queue_receive(full, message, 0), LINX_OK);
    CHECK(memcmp(message, "first", 6) == 0);
    CHECK_EQ(linx_queue_receive(full, message, 0), LINX_ETIMEOUT);      // the dead send nothing
    CHECK_EQ(linx_queue_send(empty, message, 0), LINX_OK);
    CHECK_EQ(linx_queue_receive(empty, message, 0), LINX_OK);
    CHECK_EQ(linx_event_set(event, 1), 1);
    CHECK_EQ(linx_mutex_unlock(mutex), LINX_OK);
    linx_handle all[] = { sem, mutex, full, empty, event };
    for (unsigned i = 0; i < 5; i++)
        CHECK_EQ(linx_object_delete(all[i]), LINX_OK);
    end();
    begin("a joined task is killed: who joins hears it");
    linx_handle t = spawn("sleeps", waits, (void *)ON_SLEEP, 0), j = spawn("joins", joins, arg_of((uint64_t)t), 0);
    int64_t status = -1;
    linx_sleep(100000);
    CHECK_EQ(linx_task_kill(t), LINX_OK);
    CHECK_EQ(linx_task_join(j, &status, 50000000), LINX_ENDED_EXIT);
    CHECK_EQ(status, LINX_ENDED_KILLED);
    end();
}

// ---- no memory -----------------------------------------------------------------------------------------------------------------------
static linx_handle filler[600];
static int fillers;
static void exhaust(size_t leave) {     // the kernel pool, but for pieces smaller than `leave`
    for (size_t bytes = (size_t)64 << 20; bytes >= leave; bytes /= 2)
        while (fillers < 600 &&
               (filler[fillers] = linx_queue_create(bytes > 4096 ? 4096 : bytes, bytes > 4096 ? bytes / 4096 : 1)) > 0)
            fillers++;
}
static void give_back(void) {
    while (fillers > 0)
        CHECK_EQ(linx_object_delete(filler[--fillers]), LINX_OK);
}
static void spins(void *arg) {
    for (volatile uint64_t i = 0; i < (uint64_t)(uintptr_t)arg; i++)
        ;
}

static void test_no_memory(void) {
    begin("no memory: every call that creates something is refused and leaves nothing behind");
    for (size_t leave = 8192; leave >= 1; leave /= 4) {
        exhaust(leave);
        struct linx_task_attr attr = { .name = "none", .priority = 1 };
        struct linx_gang_attr gang = { .name = "none", .priority = PRIO + 1, .count = 1, .regs = 1 };
        linx_handle made[200];
        int n = 0;
        for (int round = 0; round < 33; round++) {      // until each of them has failed
            linx_handle h[] = { linx_sem_create(0, 1), linx_mutex_create(), linx_event_create(0), linx_queue_create(8, 8) };
            for (int i = 0; i < 4; i++)
                if (h[i] > 0)
                    made[n++] = h[i];
                else
                    CHECK_EQ(h[i], LINX_ENOMEM);
        }
        for (int i = 0; i < 8; i++) {
            linx_handle t = linx_task_create(&attr, spins, NULL);
            CHECK(t == LINX_ENOMEM || t > 0);
            if (t > 0)
                kill_and_join(t);
        }
        linx_handle g = linx_gang_create(&gang, spins, NULL);
        CHECK(g == LINX_ENOMEM || g > 0);
        if (g > 0)
            CHECK_EQ(linx_gang_join(g, LINX_FOREVER), 0);
        void *p = linx_mem_alloc(64);
        if (p != NULL)
            CHECK_EQ(linx_mem_free(p), LINX_OK);
        while (n > 0)
            CHECK_EQ(linx_object_delete(made[--n]), LINX_OK);
        give_back();
    }
    end();
    begin("no memory for a save area: who needs it ends, the others go on");
    for (int i = 0; i < 6; i++) {
        linx_handle h = spawn("long", long_runs, arg_of(1000000), i & 1 ? LINX_TASK_NO_INHERIT : 0);
        if (i >= 2)
            linx_sleep(3000 + 500 * (uint64_t)i);
        exhaust(64);
        linx_sleep(300000);             // the survivors have their areas, the new task has none
        give_back();
        linx_task_kill(h);
        int how = join(h);
        CHECK(how == LINX_ENDED_NOMEM || how == LINX_ENDED_KILLED);
    }
    end();
}

// ---- gangs ---------------------------------------------------------------------------------------------------------------------------
static uint32_t given[4][64], taken[4][64];
static volatile uint64_t gang_wrong[4], gang_rounds[4];    // by member: they run at once
static void dies_in_turn(void *arg) {
    unsigned me = linx_gang_index();
    share(given[me]);
    linx_gang_barrier();
    uint64_t how = (uint64_t)(uintptr_t)arg;
    if (me == 0) {
        if (how == 1)
            long_body(20, arg_of(0x7000000000));        // inside a body
        if (how == 2)
            linx_task_exit(3);
        if (how == 3)
            *(volatile uint32_t *)arg_of(0x18) = 1;
    }
    if (how == 4)
        long_body(10000000, out[1 + me]);
    linx_gang_barrier();                // without member 0
    if (how != 0)
        for (int i = 0; i < 4; i++)
            unshare(taken[me]);
}
static void shares(void *arg) {         // the gang that goes on
    unsigned me = linx_gang_index();
    uint32_t mine[64], back[64];
    for (uint64_t round = 0; round < (uint64_t)(uintptr_t)arg; round++) {
        for (uint32_t i = 0; i < 64; i++)
            mine[i] = (uint32_t)(round * 1000 + 64 * me + i);
        share(mine);
        linx_gang_barrier();
        hold_registers(round);
        unshare(back);
        for (uint32_t i = 0; i < 64; i++)
            gang_wrong[me] += back[i] != mine[i];
        linx_gang_barrier();
        gang_rounds[me]++;
    }
}

static void test_gangs(void) {
    uint32_t count = pes >= 4 ? 4 : pes >= 2 ? 2 : 1;
    begin("a member of a gang dies in its turn, another gang wants its window");
    for (uint64_t how = 0; how < 12; how++) {
        struct linx_gang_attr attr = { .name = "gang", .priority = PRIO, .count = count, .regs = 4, .stack_bytes = 4096 };
        uint64_t rounds = 6;
        for (unsigned i = 0; i < 4; i++)
            gang_wrong[i] = gang_rounds[i] = 0;
        linx_handle good = linx_gang_create(&attr, shares, arg_of(rounds));
        linx_handle bad = linx_gang_create(&attr, dies_in_turn, arg_of(how % 6));
        CHECK(good > 0 && bad > 0);
        if (how % 6 >= 4) {
            linx_sleep(40000 + 7000 * how);
            CHECK_EQ(linx_gang_kill(bad), LINX_OK);
        }
        int failed = linx_gang_join(bad, LINX_FOREVER);
        CHECK(how % 6 >= 4 ? failed >= 0 : failed == (how % 6 == 1 || how % 6 == 3));
        CHECK_EQ(linx_gang_join(good, LINX_FOREVER), 0);
        for (unsigned i = 0; i < count; i++) {
            CHECK_EQ(gang_wrong[i], 0);
            CHECK_EQ(gang_rounds[i], rounds);
        }
    }
    end();
}

// ---- several PEs -----------------------------------------------------------------------------------------------------------------------
static void computes(void *arg) {
    uint64_t me = (uint64_t)(uintptr_t)arg;
    long_body(200 + pick(800), out[me]);
    hold_registers(me);
}
static void test_scatter(void) {
    begin("killed, suspended and moved at any moment, on any PE");
    for (int round = 0; round < 40; round++) {
        linx_handle h[6];
        for (uint64_t i = 0; i < 6; i++)
            h[i] = spawn("computes", computes, arg_of(i), i & 1 ? LINX_TASK_NO_INHERIT : 0);
        for (int step = 0; step < 6; step++) {
            linx_handle t = h[pick(6)];
            linx_sleep(500 + pick(9000));
            switch (pick(4)) {
            case 0: (void)linx_task_kill(t); break;
            case 1: (void)linx_task_affinity(t, before.pe_mask & -(uint64_t)(1 + pick(8))); break;
            case 2: (void)linx_task_affinity(t, (uint64_t)1 << pick(pes)); break;
            case 3:
                if (linx_task_suspend(t) == LINX_OK) {
                    linx_sleep(pick(5000));
                    if (pick(2))
                        (void)linx_task_kill(t);
                    else
                        (void)linx_task_resume(t);
                }
                break;
            }
        }
        for (int i = 0; i < 6; i++) {
            int how = join(h[i]);
            CHECK(how == LINX_ENDED_EXIT || how == LINX_ENDED_KILLED);
        }
    }
    end();
}

int main(void) {
    linx_system_info(&before);
    pes = before.pes;
    state = option(before.bootargs, "choice", 1) * 2654435761u + 99;
    linx_set_slice(option(before.bootargs, "slice", 3000));
    for (uint32_t i = 0; i < 256; i++)
        in[i] = i * 2654435761u;
    for (uint32_t m = 0; m < 4; m++)
        for (uint32_t i = 0; i < 64; i++)
            given[m][i] = 0xbad00000 + 64 * m + i;
    mix(in, want);
    linx_handle spare[12];
    for (uint64_t i = 0; i < 3; i++)
        survivor[i] = spawn("survives", survives, arg_of(i), 0);
    for (int i = 0; i < 12; i++)        // grows the kernel's tables to what the tests need
        spare[i] = spawn("spare", spins, arg_of(2000), 0);
    for (int i = 0; i < 12; i++)
        join(spare[i]);
    linx_handle h = spawn("long", long_runs, arg_of(20000), 0);    // gives the survivors their save areas
    join(h);
    linx_sleep(300000);
    test_engine();
    test_locks();
    test_waits();
    test_no_memory();
    test_gangs();
    test_scatter();
    for (int i = 0; i < 3; i++) {
        linx_task_kill(survivor[i]);
        join(survivor[i]);
    }
    return test_failures;
}
