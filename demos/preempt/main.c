// SPDX-License-Identifier: BSD-2-Clause
// The main demonstration: scalar, VPAR, VSEQ, MPAR and MSEQ tasks of one priority share a PE at a short tick. Each task
// repeats its work on changing input and compares every result with a scalar computation. The demonstration ends when
// every type of body has been preempted often enough, prints a table, and fails on any wrong result.
//
// Boot arguments (-append): min=N preemptions of each type (1000), slice=N ns (700), rounds=N steps in a body (60).
#include <stdbool.h>

#include "demos/options.h"
#include "bodies.h"
#include "lib/string.h"
#include "linx/rt.h"

#define VARIANTS 3              // different inputs
#define HASH     2654435761u
#define LIMIT_NS 2000000000ul   // give up after so long

static uint64_t minimum = 1000, slice = 700, rounds = 60;
static uint32_t lanes;                  // of one group for each slot of the engine
static volatile bool stop;

static uint32_t input[VARIANTS][ELEMENTS], expected[VARIANTS][ELEMENTS];       // expected = f(input)
static uint64_t expected_sum[VARIANTS], expected_hash[VARIANTS];

static uint32_t f(uint32_t x) {
    for (uint64_t i = 0; i < rounds; i++)
        x = x * MUL + ADD;
    return x;
}

static void prepare(void) {
    for (uint32_t v = 0; v < VARIANTS; v++) {
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            input[v][i] = (i + 1) * HASH ^ v << 20;
            expected[v][i] = f(input[v][i]);
            expected_sum[v] += expected[v][i];
        }
        for (uint32_t g = 0; g < ELEMENTS / 64; g++) {
            uint32_t x = 0;
            for (uint32_t i = 0; i < 64; i++)
                x ^= expected[v][64 * g + i];
            expected_hash[v] = (expected_hash[v] + x) * MUL;
        }
    }
}

// ---- the tasks: one run of each kind of work; false = a wrong result ------------------------------------------------------
struct work {
    const char *name;
    bool (*once)(struct work *w, uint32_t v);
    uint32_t flags;
    uint64_t tiles[3];          // hands T, U, M at most: what a kernel without tile-map registers has to save
    uint32_t *out;
    linx_handle task;
    volatile uint64_t runs, wrong;
};

static bool same(const uint32_t *a, const uint32_t *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool once_scalar(struct work *w, uint32_t v) {
    uint32_t i = (uint32_t)w->runs % ELEMENTS;
    return f(input[v][i]) == expected[v][i];
}

static bool once_vpar4(struct work *w, uint32_t v) {
    const uint32_t *e = expected[v];
    uint32_t *o = w->out;
    vpar4(input[v], o, rounds);
    bool good = same(o, e, ELEMENTS);
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        good &= o[ELEMENTS + i] == (e[i] ^ e[i] >> 16);
        good &= o[2 * ELEMENTS + i] == e[i] + i % 256;
        good &= o[3 * ELEMENTS + i] == e[i] - i / 256;
    }
    return good;
}

static bool once_vpar1(struct work *w, uint32_t v) {
    vpar1(input[v], w->out, 8 * rounds);
    if (w->runs < VARIANTS) {           // f with other rounds: compute, then compare with the first time
        bool good = true;
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t x = input[v][i];
            for (uint64_t r = 0; r < 8 * rounds; r++)
                x = x * MUL + ADD;
            good &= w->out[i] == x;
            w->out[64 * (v + 1) + i] = x;
        }
        return good;
    }
    return same(w->out, w->out + 64 * (v + 1), 64);
}

static bool once_vseq2(struct work *w, uint32_t v) {
    const uint32_t *e = expected[v];
    uint32_t *o = w->out;
    bool good = vseq2(input[v], o, rounds) == expected_sum[v] && same(o, e, ELEMENTS);
    uint32_t sum = 0;
    for (uint32_t g = 0; g < ELEMENTS; g += 64) {
        for (uint32_t i = 0; i < 64; i++)
            sum += e[g + i];
        for (uint32_t i = 0; i < 64; i++)
            good &= o[ELEMENTS + g + i] == e[g + i] + sum;
    }
    return good;
}

static bool once_mpar_dr(struct work *w, uint32_t v) {
    uint32_t *o = w->out;
    mpar_dr(input[v], o, rounds);
    bool good = same(o, expected[v], 1000);
    for (uint32_t i = 0; i < 1000; i++)
        good &= o[ELEMENTS + i] == expected[v][i] + i;
    return good;
}

static bool once_mseq0(struct work *w, uint32_t v) {
    return mseq0(input[v], w->out, rounds) == expected_hash[v] && same(w->out, expected[v], ELEMENTS);
}

static bool once_inherit(struct work *w, uint32_t v) {
    leave_queues(input[v], rounds, lanes);
    if (w->runs % 2 != 0)
        linx_yield();                   // the queues have to survive this, too
    take_queues(w->out, lanes);
    bool good = true;
    for (uint32_t i = 0; i < lanes; i++)
        good &= w->out[i] == (expected[v][i] ^ (expected[v][i] + i)) + (i / 64 * 64 + (uint32_t)rounds);
    return good;
}

static struct work works[] = {
    { .name = "scalar", .once = once_scalar },
    { .name = "vpar 4 out", .once = once_vpar4, .flags = LINX_TASK_NO_INHERIT, .tiles = { 0x888, 8, 8 } },
    { .name = "vpar 1 group", .once = once_vpar1, .flags = LINX_TASK_NO_INHERIT, .tiles = { 0, 0x44, 0 } },
    { .name = "vseq 2 out", .once = once_vseq2, .flags = LINX_TASK_NO_INHERIT, .tiles = { 8, 8, 8 } },
    { .name = "mpar DR", .once = once_mpar_dr, .flags = LINX_TASK_NO_INHERIT, .tiles = { 0, 0, 8 } },
    { .name = "mseq", .once = once_mseq0 },
    { .name = "vpar inherits", .once = once_inherit, .tiles = { 0x66, 0, 0 } },
};
#define WORKS (sizeof works / sizeof works[0])

static void worker(void *arg) {
    struct work *w = arg;
    for (uint32_t v = 0; !stop; v = v + 1 == VARIANTS ? 0 : v + 1) {
        if (!w->once(w, v))
            w->wrong++;
        w->runs++;
    }
}

// ---- main -------------------------------------------------------------------------------------------------------------------
static bool enough(void) {
    uint64_t seen[4] = { 0 };
    for (size_t i = 0; i < WORKS; i++) {
        struct linx_task_info info;
        if (linx_task_info(works[i].task, &info) == 0)
            for (int k = 0; k < 4; k++)
                seen[k] += info.body_preempts[k];
    }
    return seen[0] >= minimum && seen[1] >= minimum && seen[2] >= minimum && seen[3] >= minimum;
}

// On several PEs, two of them are the workers' at a time, so that they go on competing, and go round all of them.
static void crowd(uint64_t pe_mask) {
    static uint64_t left;
    uint64_t two = 0;
    for (int i = 0; i < 2; i++) {
        if (left == 0)
            left = pe_mask;
        two |= left & -left;
        left &= left - 1;
    }
    for (size_t i = 0; i < WORKS; i++)
        (void)linx_task_affinity(works[i].task, two);
}

int main(void) {
    static struct linx_system_info before, after;
    linx_system_info(&before);
    minimum = option(before.bootargs, "min", minimum);
    slice = option(before.bootargs, "slice", slice);
    rounds = option(before.bootargs, "rounds", rounds);
    lanes = 64 * before.group_slots;
    prepare();
    int bad = linx_set_slice(slice) != 0;

    linx_task_priority(linx_task_self(), 17);       // above the workers: it looks in now and then
    for (size_t i = 0; i < WORKS; i++) {
        struct work *w = &works[i];
        struct linx_task_attr attr = { .name = w->name, .priority = 16, .flags = w->flags,
                                       .tiles = { w->tiles[0], w->tiles[1], w->tiles[2] } };
        w->out = linx_mem_alloc(4 * ELEMENTS * sizeof(uint32_t));
        w->task = w->out != NULL ? linx_task_create(&attr, worker, w) : LINX_ENOMEM;
        if (w->task < 0) {
            linx_printf("cannot create %s: error %d\n", w->name, w->task);
            return 1;
        }
    }
    uint64_t start = linx_time();
    while (!enough() && linx_time() - start < LIMIT_NS) {
        if (before.pes > 1)
            crowd(before.pe_mask);
        linx_sleep(200000);
    }
    stop = true;

    linx_printf("%-14s %8s %8s %8s   in %5s %7s %7s %7s  %7s %7s %10s %5s\n", "task", "runs", "switches", "preempt", "VPAR",
                "VSEQ", "MPAR", "MSEQ", "ESAVE", "ERCOV", "bytes", "wrong");
    uint64_t total[4] = { 0 }, moved = 0, live = 0, migrations = 0;
    for (size_t i = 0; i < WORKS; i++) {
        struct work *w = &works[i];
        struct linx_task_info n;
        int64_t status = -1;
        for (int tries = 0; linx_task_info(w->task, &n) == 0 && n.state != 3 && tries < 10000; tries++)
            linx_sleep(100000);
        if (n.ended_how != LINX_ENDED_EXIT || n.state != 3)
            bad++;
        linx_printf("%-14s %8lu %8lu %8lu  %8lu %7lu %7lu %7lu  %7lu %7lu %10lu %5lu\n", w->name, w->runs, n.switches,
                    n.preemptions, n.body_preempts[0], n.body_preempts[1], n.body_preempts[2], n.body_preempts[3], n.esaves,
                    n.ercovs, n.bytes_moved, w->wrong);
        for (int k = 0; k < 4; k++)
            total[k] += n.body_preempts[k];
        moved += n.bytes_moved;
        live += n.bytes_live;
        migrations += n.body_migrations;
        bad += w->wrong != 0 || w->runs == 0;
        linx_task_join(w->task, &status, LINX_FOREVER);
    }
    for (int k = 0; k < 4; k++)
        bad += total[k] < minimum;
    linx_system_info(&after);
    linx_printf("preemptions inside bodies: VPAR %lu, VSEQ %lu, MPAR %lu, MSEQ %lu; interrupts inside bodies %lu\n", total[0],
                total[1], total[2], total[3], after.body_interrupts);
    linx_printf("ticks %lu, switches %lu, engine saves %lu, bytes moved / live bytes 1.%03lu\n", after.ticks, after.switches,
                after.wide_saves, live != 0 ? (moved - live) * 1000 / live : 0);
    if (after.pes > 1)
        linx_printf("PEs %u, migrations inside bodies %lu\n", after.pes, migrations);
    linx_printf("%s\n", bad == 0 ? "PASS: every result right, every type of body preempted" : "FAIL");
    return bad;
}
