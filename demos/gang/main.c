// SPDX-License-Identifier: BSD-2-Clause
// Gangs over Shared registers: each gang multiplies matrices whose right operand its four members load together into one
// Shared register, and computes prefix sums whose parts go from PE to PE through Shared registers. For every core there
// are two gangs with disjoint windows, one whose window overlaps the first one's, and three single tasks; main sends the
// gangs from core to core. Every result is compared with a scalar computation; the line "results" is the same on every
// machine.
// Boot arguments: rounds=N of each gang (4), slice=N ns (3000 for every core), choice=N.
#include <stdbool.h>

#include "demos/options.h"
#include "lib/string.h"
#include "linx/rt.h"
#include "tiles.h"

#define MEMBERS 4
#define GANGS   3               // for every core
#define SINGLES 3
#define CORES   16

struct job {
    const struct tile_set *tiles;
    uint32_t first;
    linx_handle gang;
    uint32_t kind;                  // jobs of one kind have the same numbers
    uint32_t a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
    uint32_t in[MEMBERS * PART], sums[MEMBERS * PART];
    uint32_t give[MEMBERS][32], take[MEMBERS][MEMBERS * 32], own[MEMBERS][32];
    volatile uint64_t wrong, hash[MEMBERS];
};
static struct job *jobs[CORES * GANGS];
static uint64_t rounds;
static volatile bool stop;
static volatile uint64_t single_runs[CORES * SINGLES], single_wrong;

static uint32_t value(uint32_t kind, uint32_t round, uint32_t i) {
    return (i + 1) * 2654435761u ^ (kind + 1) << 20 ^ round * 40503u;
}

static void fill(struct job *j, uint32_t round, unsigned me) {      // this member's rows
    uint32_t n = j->kind;
    for (uint32_t i = me * ROWS * SIZE; i < (me + 1) * ROWS * SIZE; i++) {
        j->a[i] = value(n, round, i) >> 7;
        j->b[i] = value(n, round, i + SIZE * SIZE);
    }
    for (uint32_t i = me * PART; i < (me + 1) * PART; i++)
        j->in[i] = value(n, round, i + 2 * SIZE * SIZE);
}

static void multiply(struct job *j, unsigned me) {
    const uint32_t *a = j->a + me * ROWS * SIZE;
    uint32_t *c = j->c + me * ROWS * SIZE;
    j->tiles->share(j->b + me * ROWS * SIZE);
    linx_gang_barrier();                        // all of the operand is there
    j->tiles->multiply(a, c);
    for (uint32_t r = 0; r < ROWS; r += 5)      // some rows, in scalar code
        for (uint32_t col = 0; col < SIZE; col++) {
            uint32_t x = 0;
            for (uint32_t k = 0; k < SIZE; k++)
                x += a[r * SIZE + k] * j->b[k * SIZE + col];
            j->wrong += c[r * SIZE + col] != x;
        }
}

static void prefix(struct job *j, unsigned me) {
    uint32_t *sums = j->sums + me * PART, sum = 0;
    for (uint32_t i = 0; i < PART; i++)
        sum += j->in[me * PART + i];
    for (uint32_t i = 0; i < 32; i++)
        j->give[me][i] = sum + i;
    j->tiles->give(j->give[me]);
    linx_gang_barrier();
    j->tiles->take(j->take[me], j->own[me]);
    for (uint32_t i = 0; i < 32; i++)
        j->wrong += j->own[me][i] != sum + i;
    sum = 0;
    for (unsigned p = 0; p < me; p++)
        sum += j->take[me][32 * p];
    for (uint32_t i = 0; i < PART; i++)
        sums[i] = sum += j->in[me * PART + i];
    linx_gang_barrier();
    sum = 0;
    for (uint32_t i = 0; me == 0 && i < MEMBERS * PART; i++) {
        sum += j->in[i];
        j->wrong += j->sums[i] != sum;
    }
}

static void member(void *arg) {
    struct job *j = arg;
    unsigned me = linx_gang_index();
    for (uint32_t round = 0; round < rounds; round++) {
        fill(j, round, me);
        linx_gang_barrier();
        multiply(j, me);
        prefix(j, me);
        uint64_t h = j->hash[me];
        for (uint32_t i = 0; i < ROWS * SIZE; i++)
            h = (h ^ j->c[me * ROWS * SIZE + i]) * 1099511628211u;
        j->hash[me] = (h ^ j->sums[me * PART + PART - 1]) * 1099511628211u;
        linx_gang_barrier();
    }
}

static void single(void *arg) {
    uint64_t me = (uint64_t)(uintptr_t)arg;
    while (!stop) {
        uint32_t x = (uint32_t)me, y = (uint32_t)me;
        for (int i = 0; i < 500; i++)
            x = x * 1664525 + 1013904223;
        for (int i = 0; i < 500; i++)
            y = y * 1664525 + 1013904223;
        single_wrong += x != y;
        single_runs[me]++;
    }
}

static bool start_jobs(uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        struct job *j = jobs[i] = linx_mem_alloc(sizeof *j);
        if (j == NULL)
            return false;
        j->kind = i % GANGS;
        j->first = j->kind == 1 ? 100 : 0;
        j->tiles = j->kind == 1 ? &tiles_100 : &tiles_0;
        struct linx_gang_attr attr = { .name = "gang", .priority = 10, .count = MEMBERS, .first = j->first, .regs = 3,
                                       .flags = LINX_TASK_NO_INHERIT, .stack_bytes = 4096 };
        j->gang = linx_gang_create(&attr, member, j);
        if (j->gang < 0)
            return false;
    }
    return true;
}

// Sends gangs about until none is left; adds what their last information says.
static void watch(uint32_t gangs, uint32_t cores, uint64_t state, struct linx_gang_info *sum) {
    static struct linx_gang_info info[CORES * GANGS];
    for (bool alive = true; alive;) {
        alive = false;
        linx_sleep(20000);
        for (uint32_t i = 0; i < gangs; i++) {
            struct linx_gang_info n;
            if (linx_gang_info(jobs[i]->gang, &n) != 0)
                continue;
            info[i] = n;
            alive |= n.alive != 0;
        }
        for (uint32_t i = 0; i < cores; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            (void)linx_gang_move(jobs[state % gangs]->gang, (state >> 8) % cores);
        }
    }
    for (uint32_t i = 0; i < gangs; i++) {
        sum->starts += info[i].starts, sum->shared_saves += info[i].shared_saves, sum->shared_loads += info[i].shared_loads;
        sum->moves += info[i].moves, sum->bytes_moved += info[i].bytes_moved, sum->bytes_live += info[i].bytes_live;
    }
}

int main(void) {
    static struct linx_system_info s;
    linx_system_info(&s);
    rounds = option(s.bootargs, "rounds", 4);
    uint64_t state = option(s.bootargs, "choice", 1) * 2654435761u + 1;
    if ((s.pe_mask & 15) != 15) {
        linx_printf("a gang of four needs a core of four PEs: run with -smp cores=N,pes=4\n");
        return 0;
    }
    uint32_t cores = 0;
    for (uint64_t m = s.pe_mask; m != 0; m >>= 4)
        cores += (m & 15) == 15;
    linx_task_priority(linx_task_self(), 20);
    linx_set_slice(option(s.bootargs, "slice", 3000 * cores));
    int bad = 0;
    linx_handle singles[CORES * SINGLES];
    for (uint64_t i = 0; i < cores * SINGLES; i++) {
        struct linx_task_attr attr = { .name = "single", .priority = 10 };
        singles[i] = linx_task_create(&attr, single, (void *)i);
        bad += singles[i] < 0;
    }
    uint32_t gangs = cores * GANGS;
    if (!start_jobs(gangs)) {
        linx_printf("cannot create the gangs\n");
        return 1;
    }
    struct linx_gang_info sum = { 0 };
    watch(gangs, cores, state, &sum);
    uint64_t wrong = single_wrong, result = 0;
    for (uint32_t i = 0; i < gangs; i++) {
        const struct job *j = jobs[i], *like = jobs[i % GANGS];
        bad += linx_gang_join(j->gang, LINX_FOREVER) != 0;
        wrong += j->wrong;
        for (int p = 0; p < MEMBERS; p++) {
            wrong += j->hash[p] != like->hash[p];
            if (j == like)
                result = (result ^ j->hash[p]) * 1099511628211u;
        }
    }
    stop = true;
    for (uint32_t i = 0; i < cores * SINGLES; i++)
        bad += linx_task_join(singles[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT || single_runs[i] == 0;
    linx_printf("PEs %u, gangs %u, gang starts %lu, Shared saves %lu, loads %lu, gang moves %lu, bytes moved %lu, live %lu\n",
                s.pes, gangs, sum.starts, sum.shared_saves, sum.shared_loads, sum.moves, sum.bytes_moved, sum.bytes_live);
    linx_printf("results %lx rounds %lu wrong %lu\n", result, rounds, wrong);
    bad += sum.shared_saves == 0 || sum.shared_loads == 0 || (cores > 1 && sum.moves == 0) ||
           sum.bytes_moved * 10 > sum.bytes_live * 11;
    linx_printf("%s\n", bad == 0 && wrong == 0 ? "PASS: every result right" : "FAIL");
    return bad != 0 || wrong != 0;
}
