// SPDX-License-Identifier: BSD-2-Clause
// What several PEs cost and bring (bench/scale.py prints the table):
//   throughput  one independent vector task for each PE, the same work each: finished work by time
//   wake        from linx_sem_post on one PE to the return from linx_sem_wait on another, and from the sleep of an idle PE
//   choice      the next one of N ready tasks of one priority, by yield and by tick (bench/scale.py reads the trap log)
//   gang        a turn of gangs with disjoint and with overlapping windows (16 KB): instructions that member 0 does not get
//   balance     gangs that wait on one core while another one is free
// Boot arguments: what=throughput|wake|gang|choice|balance is what=1 to 5; work=N blocks of each task (1800); tasks=N ready
// tasks (10).
#include <stdbool.h>

#include "demos/options.h"
#include "lib/string.h"
#include "linx/rt.h"
#include "linx/tile.h"
#include "demos/gang/tiles.h"

static struct linx_system_info s;

// ---- throughput -----------------------------------------------------------------------------------------------------------
LINX_BODY(steps,
    "l.add  ri0, zero, ->u\n"
    "v.lwi.local [ta, lc0<<2], ->vt.w\n"
    "1: v.mul vt#1, ri1, ->vt.w\n"
    "v.addi vt#1, 7, ->vt.w\n"
    "subi   u#1, 1, ->u\n"
    "b.ne   u#1, zero, 1b\n"
    "v.swi.local vt#1, [to, lc0<<2]\n");

static uint32_t in[64], results[64][64];
static uint64_t work;

static linx_handle gate;
static volatile uint64_t finished_at[64];

static void vector_task(void *arg) {
    uint32_t *out = results[(uintptr_t)arg];
    linx_event_wait(gate, 1, LINX_EVENT_ANY, LINX_FOREVER);
    for (uint64_t i = 0; i < work; i++) {
        LINX_TLOAD(T<256B>, U32, in, 64, 1);
        LINX_LAUNCH(VPAR, steps, 64, 1, 1, "T#1,", ", ->U<256B>", 500, 1664525, 0, 0);
        LINX_TSTORE(U#1, U32, out, 64, 1);
    }
    finished_at[(uintptr_t)arg] = linx_time();
    linx_event_wait(gate, 2, LINX_EVENT_ANY, LINX_FOREVER);     // its end is not part of the work of the others
}

static int throughput(void) {
    for (uint32_t i = 0; i < 64; i++)
        in[i] = i * 2654435761u;
    linx_handle t[64];
    gate = linx_event_create(0);
    for (uint64_t i = 0; i < s.pes; i++) {
        struct linx_task_attr attr = { .name = "vector", .priority = 10, .flags = LINX_TASK_NO_INHERIT };
        t[i] = linx_task_create(&attr, vector_task, (void *)i);
    }
    linx_sleep(100000);                         // all of them wait
    uint64_t start = linx_time(), end = start;
    linx_event_set(gate, 1);
    int bad = 0;
    for (uint64_t i = 0; i < s.pes; i++)
        while (finished_at[i] == 0)
            linx_sleep(1000000);
    linx_event_set(gate, 2);
    for (uint64_t i = 0; i < s.pes; i++) {
        bad += linx_task_join(t[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT;
        end = finished_at[i] > end ? finished_at[i] : end;
    }
    uint64_t took = end - start;
    for (uint64_t i = 1; i < s.pes; i++)
        for (int k = 0; k < 64; k++)
            bad += results[i][k] != results[0][k];
    linx_printf("throughput PEs %u time %lu\n", s.pes, took);
    return bad;
}

// ---- wake -------------------------------------------------------------------------------------------------------------------
static linx_handle ping;
static volatile uint64_t posted_at, woke_at, waits;

static void waiter(void *arg) {
    for (uint64_t i = 0; i < (uint64_t)(uintptr_t)arg; i++) {
        waits++;
        linx_sem_wait(ping, LINX_FOREVER);
        woke_at = linx_time();
    }
}

static int wake(void) {
    enum { TIMES = 32 };
    ping = linx_sem_create(0, 1);
    uint64_t first = s.pe_mask & -s.pe_mask, other = s.pe_mask & ~first & -(s.pe_mask & ~first);
    linx_task_affinity(linx_task_self(), first);
    struct linx_task_attr attr = { .name = "waiter", .priority = 10, .affinity = other };
    linx_handle t = linx_task_create(&attr, waiter, (void *)TIMES);
    uint64_t best = ~(uint64_t)0, worst = 0;
    for (uint64_t i = 0; i < TIMES; i++) {
        while (waits <= i)
            ;
        linx_sleep(20000);                      // it waits, and its PE is idle
        uint64_t before = woke_at;
        posted_at = linx_time();
        linx_sem_post(ping);
        while (woke_at == before)
            ;
        uint64_t took = woke_at - posted_at;
        best = took < best ? took : best;
        worst = took > worst ? took : worst;
    }
    linx_task_join(t, NULL, LINX_FOREVER);
    linx_printf("wake-up on an idle PE %lu to %lu\n", best, worst);
    return 0;
}

// ---- choice -----------------------------------------------------------------------------------------------------------------
static volatile uint64_t started, stop_tasks;

static void yields(void *arg) {
    (void)arg;
    started++;
    while (!stop_tasks)
        linx_yield();
}

static void spins(void *arg) {
    (void)arg;
    started++;
    while (!stop_tasks)
        ;
}

static int choice(uint64_t tasks) {
    static const struct { const char *name; linx_entry *entry; } kinds[] = { { "yield", yields }, { "tick", spins } };
    linx_handle *h = linx_mem_alloc(tasks * sizeof *h);
    if (h == NULL)
        return 1;
    linx_set_slice(600);
    for (int k = 0; k < 2; k++) {
        struct linx_task_attr attr = { .name = kinds[k].name, .priority = 10, .stack_bytes = LINX_STACK_MIN };
        stop_tasks = started = 0;
        for (uint64_t i = 0; i < tasks; i++)
            if ((h[i] = linx_task_create(&attr, kinds[k].entry, NULL)) < 0)
                return 1;
        while (started < (tasks < 200 ? tasks : 200))       // the others begin while they are watched
            linx_sleep(100000);
        uint64_t from = linx_time();
        linx_sleep(600000);
        linx_printf("choice %s %lu from %lu to %lu\n", kinds[k].name, tasks, from, linx_time());
        stop_tasks = 1;
        for (uint64_t i = 0; i < tasks; i++)
            linx_task_join(h[i], NULL, LINX_FOREVER);
    }
    return 0;
}

// ---- gang -------------------------------------------------------------------------------------------------------------------
static volatile bool stop;
static struct gang_turn {
    const struct tile_set *tiles;
    volatile uint64_t count[4];             // its own: gangs stop each other between load and store
    uint32_t rows[4][ROWS * SIZE];
} turns[2];

static void hold_shared(void *arg) {
    struct gang_turn *g = arg;
    unsigned me = linx_gang_index();
    g->tiles->share(g->rows[me]);
    linx_gang_barrier();
    while (!stop)
        g->count[me]++;
}

#define GANG_NS 2000000

// The loops that members 0 of all gangs do in GANG_NS; n gangs.
static uint64_t gang_turns(int n, const struct tile_set *second, uint32_t first, uint64_t *starts, uint64_t *moved, uint64_t *live) {
    linx_handle g[2];
    struct linx_gang_info info;
    stop = false;
    turns[0].tiles = &tiles_0;
    turns[1].tiles = second;
    for (int i = 0; i < n; i++) {
        struct linx_gang_attr attr = { .name = "turns", .priority = 10, .count = 4, .first = i == 0 ? 0 : first, .regs = 1,
                                       .flags = LINX_TASK_NO_INHERIT };
        g[i] = linx_gang_create(&attr, hold_shared, &turns[i]);
        if (g[i] < 0)
            return 0;
    }
    linx_sleep(100000);
    uint64_t before = turns[0].count[0] + turns[1].count[0];
    linx_sleep(GANG_NS);
    uint64_t loops = turns[0].count[0] + turns[1].count[0] - before;
    *starts = *moved = *live = 0;
    for (int i = 0; i < n; i++) {
        linx_gang_info(g[i], &info);
        *starts += info.starts, *moved += info.bytes_moved, *live += info.bytes_live;
    }
    stop = true;
    for (int i = 0; i < n; i++)
        linx_gang_join(g[i], LINX_FOREVER);
    return loops;
}

static int gang(void) {
    uint64_t starts, moved, live, alone, loops;
    linx_set_slice(5000);
    alone = gang_turns(1, NULL, 0, &starts, &moved, &live);
    int bad = alone == 0 || moved != 0;
    for (int k = 0; k < 2; k++) {
        loops = k == 0 ? gang_turns(2, &tiles_100, 100, &starts, &moved, &live) : gang_turns(2, &tiles_0, 0, &starts, &moved, &live);
        uint64_t lost = loops < alone ? GANG_NS * (alone - loops) / alone : 0;
        linx_printf("gang turns, windows %s: %lu turns, %lu instructions each, %lu bytes moved, %lu live\n",
                    k == 0 ? "disjoint" : "overlapping", starts, starts != 0 ? lost / starts : 0, moved, live);
        bad += starts < 10 || (k == 0 ? moved != 0 : moved == 0) || moved * 10 > live * 11;
    }
    return bad;
}

static void waits_for_stop(void *arg) {
    const volatile uint64_t *until = arg;
    while (!*until)
        ;
}

// Two gangs find a core each, two more join them; the gangs of the second core end: who comes there, and when?
static int balance(void) {
    static uint64_t until[4];
    linx_handle g[4];
    struct linx_gang_info info;
    linx_set_slice(5000);
    for (int i = 0; i < 4; i++) {
        struct linx_gang_attr attr = { .name = "balance", .priority = 10, .count = 4, .first = 0, .regs = 1,
                                       .flags = LINX_TASK_NO_INHERIT };
        if ((g[i] = linx_gang_create(&attr, waits_for_stop, &until[i])) < 0)
            return 1;
    }
    linx_sleep(200000);
    uint32_t first[4], moved = 0, bad = 0;
    for (int i = 0; i < 4; i++) {
        linx_gang_info(g[i], &info);
        first[i] = info.core;
        bad += info.moves != 0;
    }
    for (int i = 0; i < 4; i++)
        ((volatile uint64_t *)until)[i] = first[i] == first[1];
    for (int i = 0; i < 4; i++)
        if (first[i] == first[1])
            linx_gang_join(g[i], LINX_FOREVER);
    uint64_t start = linx_time(), took = 0;
    while (moved == 0 && (took = linx_time() - start) < 2000000) {
        linx_sleep(5000);
        for (int i = 0; i < 4; i++)
            if (first[i] != first[1] && linx_gang_info(g[i], &info) == 0)
                moved += (uint32_t)info.moves;
    }
    for (int i = 0; i < 4; i++) {
        ((volatile uint64_t *)until)[i] = 1;
        if (first[i] != first[1])
            linx_gang_join(g[i], LINX_FOREVER);
    }
    linx_printf("a core with two overlapping gangs, another one free: %u moved after %lu\n", moved, took);
    return bad != 0 || moved != 1;
}

int main(void) {
    linx_system_info(&s);
    work = option(s.bootargs, "work", 1800);
    linx_task_priority(linx_task_self(), 20);
    int bad = 0;
    switch (option(s.bootargs, "what", 1)) {
    case 1: bad = throughput(); break;
    case 2: bad = wake(); break;
    case 4: bad = choice(option(s.bootargs, "tasks", 10)); break;
    case 5: bad = balance(); break;
    default: bad = gang();
    }
    return bad != 0;
}
