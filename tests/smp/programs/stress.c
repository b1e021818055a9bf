// SPDX-License-Identifier: BSD-2-Clause
// Random operations on several PEs: tasks come and go, sleep, lock, post, send, run bodies, change priorities and places,
// suspend, resume and kill each other; gangs start, pass data through Shared registers, move and end. With the debug kernel
// every rule is checked on the way out of every trap; here: counters that locks protect are exact, messages arrive once,
// bodies and Shared registers give the right numbers, memory and handles come back.
// Boot arguments: ops=N operations of each task (60), tasks=N (12), slice=N ns (2000), unit=N (1), choice=N.
#include <stdbool.h>

#include "args.h"
#include "demos/gang/tiles.h"
#include "demos/preempt/bodies.h"
#include "linx/rt.h"

#define LOCKS    4
#define MAX      32
#define ROUNDS   600            // of a body

static linx_handle locks[LOCKS], sem, queue, event;
static volatile uint64_t guarded[LOCKS];        // written under locks[i] only
static uint64_t entered[MAX][LOCKS], sent[MAX], received[MAX], posted[MAX], taken[MAX];
static linx_handle workers[MAX];
static volatile uint64_t finished;
static uint64_t ops, tasks, choice, pe_mask, unit;      // unit: ns of one step of times
static volatile uint64_t wrong, gangs_done, bodies_done;
static uint32_t input[ELEMENTS], expected[ELEMENTS], *output[MAX];

static void spin(uint64_t n) {
    for (volatile uint64_t i = 0; i < n; i++)
        ;
}

// Lives until it is killed or has done a little; a killed one may hold a lock, which the next owner learns.
static void victim(void *arg) {
    uint64_t state = (uint64_t)(uintptr_t)arg;
    uint32_t out[64];
    for (int i = 0; i < 20; i++) {
        if (next_random(&state) % 4 == 0) {
            vpar1(input, out, ROUNDS);
            wrong += out[i] != expected[i];
        }
        int l = (int)(next_random(&state) % LOCKS);
        if (linx_mutex_lock(locks[l], 20000 * unit) >= 0 || i == 0)
            spin(next_random(&state) % 40);
        (void)linx_mutex_unlock(locks[l]);
        linx_sleep(next_random(&state) % 300 * unit);
    }
}

static void lock_some(uint64_t me, uint64_t *state) {
    uint64_t a = next_random(state) % LOCKS, b = a + next_random(state) % (LOCKS - a);      // upwards: no circle
    int r = linx_mutex_lock(locks[a], next_random(state) % 2 ? LINX_FOREVER : 5000 * unit);
    if (r != 0 && r != LINX_EOWNERDEAD) {
        wrong += r != LINX_ETIMEOUT;
        return;
    }
    uint64_t before = guarded[a];
    spin(next_random(state) % 60);
    if (b != a) {
        r = linx_mutex_lock(locks[b], LINX_FOREVER);
        wrong += r != 0 && r != LINX_EOWNERDEAD;
        guarded[b] = guarded[b] + 1;
        entered[me][b]++;
        wrong += linx_mutex_unlock(locks[b]) != 0;
    }
    wrong += guarded[a] != before;
    guarded[a] = before + 1;
    entered[me][a]++;
    wrong += linx_mutex_unlock(locks[a]) != 0;
}

static void kill_one(uint64_t *state) {
    struct linx_task_attr attr = { .name = "victim", .priority = (uint32_t)(next_random(state) % 20), .stack_bytes = 2048 };
    linx_handle h = linx_task_create(&attr, victim, (void *)(next_random(state) | 1));
    if (h < 0)
        return;
    linx_sleep(next_random(state) % 2000 * unit);
    (void)linx_task_affinity(h, random_bit(state, pe_mask));
    int r = next_random(state) % 4 != 0 ? linx_task_kill(h) : 0;
    wrong += r != 0 && r != LINX_ESTATE;
    int how = linx_task_join(h, NULL, LINX_FOREVER);
    wrong += how != LINX_ENDED_KILLED && how != LINX_ENDED_EXIT;
}

// One of the four kinds of bodies, wherever it is interrupted and goes on.
static void body(uint32_t *out, uint64_t kind) {
    switch (kind) {
    case 0: vpar4(input, out, ROUNDS); break;
    case 1: (void)vseq2(input, out, ROUNDS); break;
    case 2: mpar_dr(input, out, ROUNDS); break;
    default: (void)mseq0(input, out, ROUNDS);
    }
    for (uint32_t i = (uint32_t)kind; i < 1000; i += 37)
        wrong += out[i] != expected[i];
    __atomic_fetch_add(&bodies_done, 1, __ATOMIC_RELAXED);
}

static struct gang_work {
    uint64_t choices;               // the same for all members
    const struct tile_set *tiles;   // NULL: no Shared registers
    uint32_t give[4][32], take[4][128], own[4][32];
    volatile uint64_t wrong;
} gang_works[MAX];

static void pass_on(struct gang_work *w, unsigned me, uint32_t step) {
    for (uint32_t i = 0; i < 32; i++)
        w->give[me][i] = step << 16 | me << 8 | i;
    w->tiles->give(w->give[me]);
    linx_gang_barrier();
    w->tiles->take(w->take[me], w->own[me]);
    for (uint32_t i = 0; i < 128; i++)
        w->wrong += w->take[me][i] != (step << 16 | i / 32 << 8 | i % 32);
    for (uint32_t i = 0; i < 32; i++)
        w->wrong += w->own[me][i] != w->give[me][i];
    linx_gang_barrier();
}

static void in_gang(void *arg) {
    struct gang_work *w = arg;
    uint64_t state = w->choices;
    for (uint64_t n = next_random(&state) % 5; n > 0; n--) {
        if (next_random(&state) % 2)
            linx_sleep(next_random(&state) % 500 * unit);
        linx_gang_barrier();
        if (w->tiles != NULL)
            pass_on(w, linx_gang_index(), (uint32_t)n);
    }
}

static void gang_one(uint64_t me, uint64_t *state) {
    static const struct { const struct tile_set *tiles; uint32_t first; } sets[] = {
        { &tiles_0, 0 }, { &tiles_100, 100 }, { &tiles_253, 253 } };
    struct gang_work *w = &gang_works[me];
    uint32_t most = (uint32_t)__builtin_popcountll(pe_mask & 15), set = (uint32_t)(next_random(state) % 3);
    struct linx_gang_attr attr = { .name = "gang", .priority = (uint32_t)(next_random(state) % 20), .stack_bytes = 2048,
                                   .count = (uint32_t)(next_random(state) % most) + 1, .first = sets[set].first, .regs = 3 };
    w->choices = next_random(state) | 1;
    w->tiles = attr.count == 4 ? sets[set].tiles : NULL;
    w->wrong = 0;
    linx_handle g = linx_gang_create(&attr, in_gang, w);
    if (g < 0) {
        wrong += g != LINX_ENOMEM;
        return;
    }
    if (next_random(state) % 2) {
        linx_sleep(next_random(state) % 3000 * unit);
        (void)linx_gang_move(g, next_random(state) % 4);
    }
    linx_sleep(next_random(state) % 3000 * unit);
    bool killed = next_random(state) % 3 == 0 && linx_gang_kill(g) == 0;
    int failed = linx_gang_join(g, LINX_FOREVER);
    wrong += failed < 0 || failed > (int)attr.count || (!killed && (failed != 0 || w->wrong != 0));
    __atomic_fetch_add(&gangs_done, 1, __ATOMIC_RELAXED);
}

static void worker(void *arg) {
    uint64_t me = (uint64_t)(uintptr_t)arg, state = (me + 1) * 0x9e3779b97f4a7c15 + choice, message;
    linx_handle self = linx_task_self(), other;
    for (uint64_t i = 0; i < ops; i++) {
        other = workers[next_random(&state) % tasks];
        switch (next_random(&state) % 20) {
        case 0: case 1: case 2: lock_some(me, &state); break;
        case 3: linx_sleep(next_random(&state) % 3000 * unit); break;
        case 4: case 5:
            message = me << 32 | i;
            if (linx_queue_send(queue, &message, next_random(&state) % 4000 * unit) == 0)
                sent[me] += message;
            break;
        case 6: case 7:
            if (linx_queue_receive(queue, &message, next_random(&state) % 4000 * unit) == 0)
                received[me] += message;
            break;
        case 8: posted[me] += linx_sem_post(sem) == 0; break;
        case 9: taken[me] += linx_sem_wait(sem, next_random(&state) % 4000 * unit) == 0; break;
        case 10: (void)linx_task_priority(other, (int)(next_random(&state) % 20)); break;
        case 11: case 17: (void)linx_task_affinity(other, next_random(&state) % 2 ? random_bit(&state, pe_mask) : ~(uint64_t)0); break;
        case 12:
            if (other != self && linx_task_suspend(other) == 0) {
                spin(next_random(&state) % 200);
                (void)linx_task_resume(other);      // another one may have done it
            }
            break;
        case 13: kill_one(&state); break;
        case 16: gang_one(me, &state); break;
        case 18: case 19: body(output[me], next_random(&state) % 4); break;
        case 14:
            if (next_random(&state) % 2)
                (void)linx_event_set(event, 1u << next_random(&state) % 4);
            else
                (void)linx_event_wait(event, 15, LINX_EVENT_ANY | LINX_EVENT_CLEAR, next_random(&state) % 3000 * unit);
            break;
        default: linx_yield(); spin(next_random(&state) % 300);
        }
    }
    __atomic_fetch_add(&finished, 1, __ATOMIC_RELAXED);
}

// The kernel's tables grow to what so many tasks need, and stay so.
static void grow_tables(void) {
    linx_handle h[128];
    struct linx_task_attr attr = { .flags = LINX_TASK_SUSPENDED, .stack_bytes = LINX_STACK_MIN };
    for (int i = 0; i < 128; i++)
        h[i] = linx_task_create(&attr, worker, NULL);
    for (int i = 0; i < 128; i++) {
        (void)linx_task_kill(h[i]);
        wrong += linx_task_join(h[i], NULL, LINX_FOREVER) != LINX_ENDED_KILLED;
    }
}

int main(void) {
    static struct linx_system_info before, after;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        uint32_t x = input[i] = (i + 1) * 2654435761u;
        for (int r = 0; r < ROUNDS; r++)
            x = x * MUL + ADD;
        expected[i] = x;
    }
    for (int i = 0; i < MAX; i++)
        if ((output[i] = linx_mem_alloc(4 * ELEMENTS * sizeof(uint32_t))) == NULL)
            return 1;
    grow_tables();
    linx_system_info(&before);
    ops = option(before.bootargs, "ops", 60);
    tasks = option(before.bootargs, "tasks", 12);
    choice = option(before.bootargs, "choice", 1);
    unit = option(before.bootargs, "unit", 1);
    pe_mask = before.pe_mask;
    if (tasks > MAX)
        tasks = MAX;
    linx_task_priority(linx_task_self(), 25);
    linx_set_slice(option(before.bootargs, "slice", 2000));
    for (int i = 0; i < LOCKS; i++)
        locks[i] = linx_mutex_create();
    sem = linx_sem_create(0, 1000000);
    queue = linx_queue_create(sizeof(uint64_t), 8);
    event = linx_event_create(0);
    for (uint64_t i = 0; i < tasks; i++) {
        struct linx_task_attr attr = { .name = "worker", .priority = 10,
                                       .flags = LINX_TASK_SUSPENDED | (i % 2 ? LINX_TASK_NO_INHERIT : 0) };
        workers[i] = linx_task_create(&attr, worker, (void *)i);
        wrong += workers[i] < 0;
    }
    for (uint64_t i = 0; i < tasks; i++)
        linx_task_resume(workers[i]);
    uint64_t migrations = 0, in_bodies = 0;
    while (finished < tasks) {                      // wakes whoever was suspended when its helper was gone
        linx_sleep(20000 * unit);
        for (uint64_t i = 0; i < tasks; i++)
            (void)linx_task_resume(workers[i]);
    }
    for (uint64_t i = 0; i < tasks; i++) {
        struct linx_task_info info;
        if (linx_task_info(workers[i], &info) == 0)
            migrations += info.migrations, in_bodies += info.body_migrations;
        wrong += linx_task_join(workers[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT;
    }
    uint64_t in = 0, out = 0, posts = 0, takes = 0, message;
    for (uint64_t i = 0; i < tasks; i++)
        in += sent[i], out += received[i], posts += posted[i], takes += taken[i];
    while (linx_queue_receive(queue, &message, 0) == 0)
        out += message;
    while (linx_sem_wait(sem, 0) == 0)
        takes++;
    wrong += in != out || posts != takes;
    for (int l = 0; l < LOCKS; l++) {
        uint64_t n = 0;
        for (uint64_t i = 0; i < tasks; i++)
            n += entered[i][l];
        wrong += n != guarded[l];
        wrong += linx_object_delete(locks[l]) != 0;
    }
    wrong += linx_object_delete(sem) != 0 || linx_object_delete(queue) != 0 || linx_object_delete(event) != 0;
    linx_system_info(&after);
    bool leaked = after.tasks != before.tasks || after.objects != before.objects || after.task_free != before.task_free ||
                  after.kernel_free != before.kernel_free;
    linx_printf("PEs %u, switches %lu, migrations of workers %lu, inside bodies %lu, stolen %lu, gangs %lu, bodies %lu, wrong %lu%s\n", after.pes,
                after.switches, migrations, in_bodies, after.steals, gangs_done, bodies_done, wrong, leaked ? ", something leaked" : "");
    linx_printf("%s\n", wrong == 0 && !leaked ? "PASS" : "FAIL");
    return wrong != 0 || leaked;
}
