// SPDX-License-Identifier: BSD-2-Clause
// Gangs over Shared registers: each gang multiplies matrices whose right operand its four members load together into one
// Shared register, and computes prefix sums whose parts go from PE to PE through Shared registers. Two gangs with disjoint
// windows, one whose window overlaps the first one's, and single tasks compete for every core; main sends the gangs from
// core to core. Every result is compared with a scalar computation; the line "results" is the same on every machine.
// Boot arguments: rounds=N of each gang (4), slice=N ns (3000), choice=N.
#include <stdbool.h>

#include "demos/options.h"
#include "lib/string.h"
#include "linx/rt.h"
#include "tiles.h"

#define MEMBERS 4
#define GANGS   3
#define SINGLES 3

struct job {
    const struct tile_set *tiles;
    uint32_t first;
    linx_handle gang;
    uint32_t a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
    uint32_t in[MEMBERS * PART], sums[MEMBERS * PART];
    uint32_t give[MEMBERS][32], take[MEMBERS][MEMBERS * 32], own[MEMBERS][32];
    volatile uint64_t wrong, hash[MEMBERS];
};
static struct job jobs[GANGS] = { { .tiles = &tiles_0, .first = 0 }, { .tiles = &tiles_100, .first = 100 },
                                  { .tiles = &tiles_0, .first = 0 } };
static uint64_t rounds;
static volatile bool stop;
static volatile uint64_t single_runs[SINGLES], single_wrong;

static uint32_t value(uint32_t job, uint32_t round, uint32_t i) { return (i + 1) * 2654435761u ^ (job + 1) << 20 ^ round * 40503u; }

static void fill(struct job *j, uint32_t round, unsigned me) {      // this member's rows
    uint32_t n = (uint32_t)(j - jobs);
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
    linx_set_slice(option(s.bootargs, "slice", 3000));
    int bad = 0;
    linx_handle singles[SINGLES];
    for (uint64_t i = 0; i < SINGLES; i++) {
        struct linx_task_attr attr = { .name = "single", .priority = 10 };
        singles[i] = linx_task_create(&attr, single, (void *)i);
        bad += singles[i] < 0;
    }
    for (int i = 0; i < GANGS; i++) {
        struct linx_gang_attr attr = { .name = "gang", .priority = 10, .count = MEMBERS, .first = jobs[i].first, .regs = 3,
                                       .flags = LINX_TASK_NO_INHERIT, .stack_bytes = 4096 };
        jobs[i].gang = linx_gang_create(&attr, member, &jobs[i]);
        if (jobs[i].gang < 0) {
            linx_printf("cannot create a gang: error %d\n", jobs[i].gang);
            return 1;
        }
    }
    struct linx_gang_info info[GANGS], n;
    memset(info, 0, sizeof info);
    for (bool alive = true; alive;) {
        alive = false;
        linx_sleep(20000);
        for (int i = 0; i < GANGS; i++) {
            if (linx_gang_info(jobs[i].gang, &n) != 0)
                continue;
            info[i] = n;
            alive |= n.alive != 0;
        }
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        (void)linx_gang_move(jobs[state % GANGS].gang, (state >> 8) % cores);
    }
    uint64_t starts = 0, saves = 0, loads = 0, moves = 0, moved = 0, live = 0, wrong = single_wrong, result = 0;
    for (int i = 0; i < GANGS; i++) {
        bad += linx_gang_join(jobs[i].gang, LINX_FOREVER) != 0;
        starts += info[i].starts, saves += info[i].shared_saves, loads += info[i].shared_loads, moves += info[i].moves;
        moved += info[i].bytes_moved, live += info[i].bytes_live;
        wrong += jobs[i].wrong;
        for (int p = 0; p < MEMBERS; p++)
            result = (result ^ jobs[i].hash[p]) * 1099511628211u;
    }
    stop = true;
    for (int i = 0; i < SINGLES; i++)
        bad += linx_task_join(singles[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT || single_runs[i] == 0;
    linx_printf("PEs %u, gang starts %lu, Shared saves %lu, loads %lu, gang moves %lu, bytes moved %lu, live %lu\n", s.pes,
                starts, saves, loads, moves, moved, live);
    linx_printf("results %lx rounds %lu wrong %lu\n", result, rounds, wrong);
    bad += saves == 0 || loads == 0 || (cores > 1 && moves == 0) || moved * 10 > live * 11;
    linx_printf("%s\n", bad == 0 && wrong == 0 ? "PASS: every result right" : "FAIL");
    return bad != 0 || wrong != 0;
}
