// SPDX-License-Identifier: BSD-2-Clause
// Shared registers through assembler, simulator and kernel: every PE mask and capacity in S0 and S255, with two gangs of
// the same window that take turns between writing and reading; body sources; windows; gangs of 1 to 4; ends of members.
#include "args.h"
#include "tests/kernel/programs/check.h"

#define MEMBERS   4
#define SIZES     12
#define CAPACITY(size) (64u << (size))          // bytes, sizes 1..12
#define MAX_WORDS (CAPACITY(SIZES) / 4)

typedef void tile_function(void *at, uint64_t rows);
extern tile_function *const loads[2][8][SIZES], *const stores[2][8];
void body_sources(uint32_t *out);

static const uint8_t masks[8] = { 0, 1, 2, 4, 8, 3, 7, 15 };
struct shared_gang {
    uint32_t *fragment[MEMBERS], *whole[MEMBERS];
    volatile uint64_t wrong, steps;
};
static struct shared_gang gangs[2];
static uint32_t sizes;

static uint32_t word(const struct shared_gang *g, unsigned p, uint32_t i) {
    return (i + 1) * 2654435761u ^ p << 28 ^ (uint32_t)(g - gangs + 1) << 25;
}

static void one(struct shared_gang *g, unsigned me, unsigned reg, unsigned mode, unsigned size) {
    unsigned mask = masks[mode], rank = 0;
    uint32_t words = CAPACITY(size) / 4, stamp = (uint32_t)(mode << 8 | size << 4 | reg);
    g->fragment[me][0] = stamp << 4 | me;
    loads[reg][mode][size - 1](g->fragment[me], words / 32);
    loads[reg][0][size - 1](g->whole[me], words / 32);          // mask 0000: nothing happens
    linx_gang_barrier();
    if (me == 0)
        linx_sleep(3000);                       // a turn of the other gang may come between
    linx_gang_barrier();
    unsigned n = (unsigned)__builtin_popcount(mask);
    if (mask >> me & 1) {
        g->whole[me][0] = 0;
        stores[reg][mode](g->whole[me], n * words / 32);
        for (unsigned p = 0; p < MEMBERS; p++) {
            if (!(mask >> p & 1))
                continue;
            const uint32_t *part = g->whole[me] + rank++ * words;
            g->wrong += part[0] != (stamp << 4 | p);
            for (uint32_t i = 1; i < words; i += words > 1024 ? 1021 : 13)
                g->wrong += part[i] != word(g, p, i);
            g->wrong += part[words - 1] != word(g, p, words - 1);
        }
    }
    linx_gang_barrier();
}

static void every_size(void *arg) {
    struct shared_gang *g = arg;
    unsigned me = linx_gang_index();
    for (unsigned size = 1; size <= sizes; size++)
        for (unsigned mode = 1; mode < 8; mode++) {
            one(g, me, 0, mode, size);
            one(g, me, 1, mode, size);
        }
    loads[0][7][0](g->fragment[me], 1);
    linx_gang_barrier();
    uint32_t *out = g->whole[me];
    memset(out, 0, 512);
    body_sources(out);
    for (uint32_t k = 0; k < 128; k++)          // element i of the array is in member 0's fragment
        g->wrong += out[k] != (k % 32 == 0 ? g->fragment[0][0] : word(g, 0, k % 32));
    if (me == 0)
        g->steps = 1;
}

static linx_handle spawn(uint32_t count, uint32_t first, uint32_t regs, linx_entry *entry, void *arg) {
    struct linx_gang_attr attr = { .name = "shared", .priority = 10, .count = count, .first = first, .regs = regs,
                                   .cores = 1, .stack_bytes = 2048 };
    return linx_gang_create(&attr, entry, arg);
}

// ---- windows: loads[0] names S0, loads[1] names S255 ---------------------------------------------------------------------
static uint32_t buffer[MEMBERS][64];
static void uses_s0(void *arg) {
    (void)arg;
    loads[0][7][0](buffer[linx_gang_index()], 1);
}
static void uses_s255(void *arg) {
    (void)arg;
    loads[1][7][0](buffer[linx_gang_index()], 1);
}
static void reads_s255(void *arg) {
    (void)arg;
    stores[1][7](buffer[linx_gang_index()], 1);
}
static volatile uint32_t came;
static void barriers(void *arg) {
    for (uint64_t i = 0; i < (uint64_t)(uintptr_t)arg; i++) {
        __atomic_fetch_add(&came, 1, __ATOMIC_RELAXED);
        linx_gang_barrier();
    }
}
static void one_leaves(void *arg) {
    (void)arg;
    if (linx_gang_index() == 1)
        return;
    linx_gang_barrier();
    __atomic_fetch_add(&came, 1, __ATOMIC_RELAXED);
}
static void forever(void *arg) {
    (void)arg;
    for (;;)
        linx_gang_barrier();
}

static void test_windows(void) {
    test_begin("a window confines its gang; other tasks have none");
    int64_t status = 0;
    struct linx_task_attr attr = { .name = "outside", .priority = 25 };
    linx_handle h = linx_task_create(&attr, uses_s0, NULL);
    CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_ENDED_FAULT);
    CHECK_EQ(status, 4 << 24 | 0);              // E_BLOCK(EC_INVAL_SET)
    CHECK_EQ(linx_gang_join(spawn(1, 0, 1, uses_s0, NULL), LINX_FOREVER), 0);
    CHECK_EQ(linx_gang_join(spawn(1, 255, 1, uses_s255, NULL), LINX_FOREVER), 0);
    CHECK_EQ(linx_gang_join(spawn(1, 0, 256, uses_s255, NULL), LINX_FOREVER), 0);
    CHECK_EQ(linx_gang_join(spawn(1, 0, 255, uses_s255, NULL), LINX_FOREVER), 1);
    CHECK_EQ(linx_gang_join(spawn(1, 0, 255, reads_s255, NULL), LINX_FOREVER), 1);
    CHECK_EQ(linx_gang_join(spawn(1, 1, 255, uses_s0, NULL), LINX_FOREVER), 1);
    CHECK_EQ(linx_gang_join(spawn(1, 0, 0, uses_s0, NULL), LINX_FOREVER), 1);
    test_end();
}

static void test_calls(uint32_t most) {
    test_begin("gang calls check their arguments");
    CHECK_EQ(spawn(0, 0, 1, uses_s0, NULL), LINX_EINVAL);
    CHECK_EQ(spawn(5, 0, 1, uses_s0, NULL), LINX_EINVAL);
    CHECK_EQ(spawn(1, 256, 1, uses_s0, NULL), LINX_EINVAL);
    CHECK_EQ(spawn(1, 255, 2, uses_s0, NULL), LINX_EINVAL);
    CHECK_EQ(spawn(1, 0, 1, (linx_entry *)8, NULL), LINX_EFAULT);
    CHECK_EQ(linx_gang_barrier(), LINX_ESTATE);
    CHECK_EQ(linx_gang_join(12345, 0), LINX_EHANDLE);
    for (uint32_t n = 1; n <= 4; n++) {
        came = 0;
        linx_handle g = spawn(n, 0, 1, barriers, (void *)10);
        if (n > most) {
            CHECK_EQ(g, LINX_ERANGE);
            continue;
        }
        CHECK_EQ(linx_gang_move(g, 99), LINX_EINVAL);
        CHECK_EQ(linx_object_delete(g), LINX_EHANDLE);
        CHECK_EQ(linx_gang_join(g, LINX_FOREVER), 0);
        CHECK_EQ(came, 10 * n);
        CHECK_EQ(linx_gang_join(g, 0), LINX_EHANDLE);
        linx_handle k = spawn(n, 0, 1, forever, NULL);
        CHECK_EQ(linx_gang_join(k, 20000), LINX_ETIMEOUT);
        CHECK_EQ(linx_gang_kill(k), 0);
        CHECK_EQ(linx_gang_join(k, LINX_FOREVER), n);
    }
    if (most == 4) {
        came = 0;
        CHECK_EQ(linx_gang_join(spawn(4, 0, 1, one_leaves, NULL), LINX_FOREVER), 0);
        CHECK_EQ(came, 3);
    }
    test_end();
}

static void test_sizes(void) {
    test_begin("every mask and capacity of S0 and S255 survives the other gang's turns");
    struct linx_gang_info info[2];
    linx_handle h[2];
    for (int k = 0; k < 2; k++)
        for (unsigned p = 0; p < MEMBERS; p++) {
            gangs[k].fragment[p] = linx_mem_alloc(CAPACITY(sizes));
            gangs[k].whole[p] = linx_mem_alloc(MEMBERS * CAPACITY(sizes));
            CHECK(gangs[k].fragment[p] != NULL && gangs[k].whole[p] != NULL);
            for (uint32_t i = 0; i < CAPACITY(sizes) / 4; i++)
                gangs[k].fragment[p][i] = word(&gangs[k], p, i);
        }
    for (int k = 0; k < 2; k++)
        CHECK((h[k] = spawn(MEMBERS, 0, 256, every_size, &gangs[k])) > 0);
    bool alive = true;
    while (alive) {
        linx_sleep(30000);
        alive = false;
        for (int k = 0; k < 2; k++)
            if (linx_gang_info(h[k], &info[k]) == 0)
                alive |= info[k].alive != 0;
    }
    for (int k = 0; k < 2; k++) {
        CHECK_EQ(linx_gang_join(h[k], LINX_FOREVER), 0);
        CHECK_EQ(gangs[k].wrong, 0);
        CHECK_EQ(gangs[k].steps, 1);
        CHECK(info[k].shared_saves > 20 && info[k].shared_loads == info[k].shared_saves);
        CHECK(info[k].bytes_moved * 10 <= info[k].bytes_live * 11);
        linx_printf("# gang %d: starts %lu, saves %lu, bytes moved %lu, live %lu\n", k, info[k].starts, info[k].shared_saves,
                    info[k].bytes_moved, info[k].bytes_live);
    }
    test_end();
}

int main(void) {
    static struct linx_system_info s, after;
    linx_task_priority(linx_task_self(), 20);
    linx_system_info(&s);
    sizes = (uint32_t)option(s.bootargs, "sizes", SIZES);
    uint32_t most = (uint32_t)__builtin_popcountll(s.pe_mask & 15);
    linx_set_slice(option(s.bootargs, "slice", 3000));
    test_windows();
    test_calls(most);
    if (most == 4)
        test_sizes();
    linx_system_info(&after);
    test_begin("no task and no object is left");
    CHECK_EQ(after.tasks, s.tasks);
    CHECK_EQ(after.objects, s.objects);
    test_end();
    return test_failures != 0;
}
