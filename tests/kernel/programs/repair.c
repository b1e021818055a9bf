// SPDX-License-Identifier: BSD-2-Clause
// Faults injected into random bodies, at random groups and lanes, and what a handler's answers make of them:
//   retry       the handler repairs what was poisoned: the result is that of the body without a fault
//   skip lanes  everything but what the skipped lanes would have done from the point on
//   end block   exactly what had been done when the first fault came
// Every record is compared with what was injected. Boot arguments: first, count (bodies), rival (another task uses the
// engine all the time).
#include "check.h"
#include "demos/options.h"
#include "lib/string.h"
#include "linx/fault.h"
#include "repair.h"

#define ELEMENTS 1024
#define HOLE     0x3000000000
#define POISON   0x40000000u
#define UNTOUCHED 0xeeeeeeeeu

enum answer_mode { RETRY = LINX_FAULT_RETRY, SKIP = LINX_FAULT_SKIP_LANES, END = LINX_FAULT_END_BLOCK };
enum { OUT_TILE = 4, OUT_TARGET = 5, OUTS };           // after array[0..3]

static uint32_t idx[ELEMENTS], perm[ELEMENTS], data[ELEMENTS];
static uint32_t out[OUTS][ELEMENTS], want[OUTS][ELEMENTS], start[OUTS][ELEMENTS], spare[ELEMENTS];
static const uint64_t word = 0x123456789abcdef0;
static const void *pointer;
static bool bad[ELEMENTS];

static const struct body *body;         // what the handler is to answer, and to whom
static enum answer_mode mode;
static uint32_t elements, group_slots, faults, wrong;
static uint64_t total_faults[4], random_state = 1;

static uint32_t rnd(uint32_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

// ---- iteration space
static uint32_t group_count(void) {
    return body->dr ? (elements + 63) / 64 : (uint32_t)(body->lb[0] + 63) / 64 * body->lb[1] * body->lb[2];
}
static uint32_t group_of(uint32_t e) {
    return body->dr ? e / 64 : e / body->lb[0] * ((body->lb[0] + 63u) / 64) + e % body->lb[0] / 64;
}
static uint32_t slots_used(void) { return body->kind == LINX_BLOCK_VSEQ || body->kind == LINX_BLOCK_MSEQ ? 1 : group_slots; }

static bool shared_poison(void) { return body->type == BASE || body->type == SCALAR; }

// ---- the handler
static void expect(bool good, const char *what) {
    if (!good && wrong++ < 3)
        linx_printf("# the record's %s is wrong\n", what);
}

static void check_record(const struct linx_fault *f, uint64_t *lanes) {
    static const uint8_t access[] = { LINX_ACCESS_LOAD, LINX_ACCESS_STORE, LINX_ACCESS_LOAD, LINX_ACCESS_STORE, LINX_ACCESS_ATOMIC,
                                      LINX_ACCESS_LOAD, LINX_ACCESS_LOAD };
    uint32_t first = ((uint32_t)f->lc[2] * body->lb[1] + f->lc[1]) * body->lb[0] + f->lc[0];
    uint32_t valid = body->dr ? elements - first : (uint32_t)(body->lb[0] - f->lc[0]);
    uint64_t active = 0;
    *lanes = 0;
    for (uint32_t i = 0; i < 64 && i < valid; i++) {
        active |= (uint64_t)1 << i;
        *lanes |= (uint64_t)(bad[first + i] || body->type == BASE) << i;
    }
    expect(f->trap == LINX_E_DATA && f->inside && f->ring == LINX_ACR_TASK, "class");
    expect(f->kind == body->kind, "kind");
    expect(f->tpc == body->point, "TPC");
    expect(f->access == access[body->type] && f->access_bytes == (body->type == SCALAR ? 8 : 4), "access");
    expect(f->local == (body->type == LOCAL || body->type == LOCAL_OUT), ".local");
    expect(f->active == active, "active mask");
    expect(f->lanes == *lanes, "lane mask");
    expect(f->group == group_of(first), "group");
    expect(f->lb[0] == body->lb[0] && f->lb[1] == body->lb[1] && f->lb[2] == body->lb[2], "LB");
    expect(f->header.dim[0] == f->lb[0] && f->header.inputs == 9 && (f->header.flags & LINX_HEADER_TEXT), "header");
    expect((f->header.flags & LINX_HEADER_DR) == (body->dr ? LINX_HEADER_DR : 0), "DR");
}

static int handler(struct linx_fault *f, struct linx_fault_state *s) {
    uint64_t lanes;
    faults++;
    total_faults[mode]++;
    check_record(f, &lanes);
    if (mode != RETRY)
        return (int)mode;
    struct linx_engine_group *g = &s->image->group[f->slot];
    switch (body->type) {
    case BASE:
        s->image->ri[1] = (uint64_t)data;
        break;
    case SCALAR:
        pointer = &word;
        g->t[3] = (uint64_t)&word;      // t#1
        break;
    default:
        for (uint64_t m = f->lanes; m != 0; m &= m - 1)     // vm#1
            g->vm[3][__builtin_ctzll(m)] &= body->type == ATOMIC ? ~1u : ~POISON;
    }
    return LINX_FAULT_RETRY;
}

// ---- one run
static void prepare(const bool *poisoned) {
    for (uint32_t e = 0; e < elements; e++) {
        idx[e] = body->type == ATOMIC ? (uint32_t)(uint64_t)&out[OUT_TARGET][perm[e]] : perm[e];
        if (poisoned[e])
            idx[e] |= body->type == ATOMIC ? 1 : POISON;
    }
    memcpy(out, start, sizeof out);
}

static void run(bool poison) {
    struct arguments a = { .idx = idx, .data = data, .target = out[OUT_TARGET], .constant = 0x9e3779b9, .pointer = &pointer,
                           .array = { out[0], out[1], out[2], out[3] }, .tile = out[OUT_TILE], .spare = spare };
    pointer = &word;
    if (poison && body->type == BASE)
        a.data = (const void *)HOLE;
    if (poison && body->type == SCALAR)
        pointer = (const void *)HOLE;
    faults = 0;
    body->run(&a);
}

// What each output keeps where nothing was stored.
static void fill_start(void) {
    for (int i = 0; i < OUTS; i++)
        for (uint32_t e = 0; e < ELEMENTS; e++) {
            bool tile = (i == OUT_TILE && body->output) || (body->tiles && i < 2 && e < 256);
            start[i][e] = tile ? 0 : UNTOUCHED;         // the block stores the whole tile, which began as zeros
        }
}

enum reached { NOTHING, TO_POINT, AT_POINT, DONE };    // how far an element came; AT_POINT: the point itself was executed

// Turns the fault-free result in `want` into what is there when e came only so far.
static void take_back(uint32_t e, enum reached r) {
    for (int i = 0; i < body->before + body->after; i++)
        if (r == NOTHING || (r != DONE && i >= body->before))
            want[i][e] = start[i][e];
    if (body->output && body->type != LOCAL_OUT && r != DONE)
        want[OUT_TILE][e] = start[OUT_TILE][e];
    if (r < AT_POINT) {
        if (body->type == LOCAL_OUT)
            want[OUT_TILE][perm[e]] = start[OUT_TILE][perm[e]];
        if (body->type == SCATTER || body->type == ATOMIC)
            want[OUT_TARGET][perm[e]] = start[OUT_TARGET][perm[e]];
    }
}

static uint32_t predict(void) {
    bool hit[256] = { false };                          // groups with a poisoned element
    uint32_t groups = group_count(), expected = 0, first = groups;
    for (uint32_t e = 0; e < elements; e++)
        hit[group_of(e)] |= bad[e] || shared_poison();
    for (uint32_t g = 0; g < groups; g++) {
        expected += hit[g];
        if (hit[g] && first == groups)
            first = g;
    }
    switch (mode) {
    case RETRY:                                         // a repaired base is everybody's; groups under way have the bad pointer
        return body->type == BASE ? 1 : body->type == SCALAR ? (groups < slots_used() ? groups : slots_used()) : expected;
    case SKIP:
        for (uint32_t e = 0; e < elements; e++)
            if (bad[e] || body->type == BASE)
                take_back(e, TO_POINT);
        return expected;
    default: {                                          // groups of a wave go in step, the lower slots one instruction ahead
        uint32_t width = slots_used(), wave = first / width;
        for (uint32_t e = 0; e < elements; e++) {
            uint32_t g = group_of(e);
            take_back(e, g / width < wave ? DONE : g / width > wave ? NOTHING : g < first ? AT_POINT : TO_POINT);
        }
        return 1;
    }
    }
}

static void compare(uint32_t expected) {
    CHECK_EQ(faults, expected);
    CHECK(faults > 0);
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < OUTS; i++)
        if (memcmp(out[i], want[i], sizeof out[i]) != 0) {
            uint32_t e = 0;
            while (out[i][e] == want[i][e])
                e++;
            test_bad++;
            linx_printf("# output %d, element %u of %u is 0x%x, expected 0x%x\n", i, e, elements, out[i][e], want[i][e]);
        }
}

static void test_body(uint32_t n, enum answer_mode how) {
    static const bool none[ELEMENTS];
    body = &bodies[n];
    mode = how;
    elements = (uint32_t)body->lb[0] * body->lb[1] * body->lb[2];
    for (uint32_t e = 0; e < elements; e++)
        perm[e] = e;
    for (uint32_t e = elements - 1; e > 0; e--) {
        uint32_t other = rnd(e + 1), x = perm[e];
        perm[e] = perm[other];
        perm[other] = x;
    }
    memset(bad, 0, sizeof bad);
    if (!shared_poison())
        for (uint32_t k = how == END ? 1 : 1 + rnd(8); k > 0; k--)
            bad[rnd(elements)] = true;
    fill_start();
    prepare(none);
    run(false);
    test_bad += faults != 0;
    memcpy(want, out, sizeof want);
    uint32_t expected = predict();
    prepare(bad);
    wrong = 0;
    run(true);
    compare(expected);
}

// ---- a rival for the engine
static volatile bool stop;
static void rival(void *arg) {
    static const struct body *const mine = bodies;
    static uint32_t sink[OUTS + 1][ELEMENTS], ids[ELEMENTS];
    (void)arg;
    struct arguments a = { .idx = ids, .data = data, .target = sink[5], .pointer = &pointer, .array = { sink[0], sink[1], sink[2], sink[3] },
                           .tile = sink[4], .spare = sink[6] };
    while (!stop)
        mine->run(&a);
}

int main(void) {
    _Alignas(16) static char stack[LINX_FAULT_STACK_BODY];
    struct linx_system_info info;
    linx_system_info(&info);
    group_slots = info.group_slots;
    uint32_t first = (uint32_t)option(info.bootargs, "first", 0), count = (uint32_t)option(info.bootargs, "count", body_count);
    for (uint32_t i = 0; i < ELEMENTS; i++)
        data[i] = i * 2654435761u;
    linx_handle other = 0;
    if (option(info.bootargs, "rival", 0)) {
        struct linx_task_attr attr = { .name = "rival", .priority = 16 };
        other = linx_task_create(&attr, rival, NULL);
        linx_set_slice(5000);
    }
    CHECK_EQ(linx_fault_handler(handler, stack, sizeof stack), LINX_OK);
    const struct { enum answer_mode mode; const char *name; } runs[] = {
        { RETRY, "retry gives the result without faults" }, { SKIP, "skipped lanes and nothing else are missing" },
        { END, "an ended block leaves exactly what was done" } };
    for (int k = 0; k < 3; k++) {
        uint32_t done = 0;
        test_begin(runs[k].name);
        for (uint32_t i = first; i < first + count && i < body_count && test_bad == 0; i++) {
            if (runs[k].mode == SKIP && bodies[i].type == SCALAR)
                continue;               // there are no lanes to skip
            test_body(i, runs[k].mode);
            if (test_bad != 0)
                linx_printf("# body %u, type %u, kind %u, slots %u\n", i, body->type, body->kind, group_slots);
            done++;
        }
        CHECK(total_faults[runs[k].mode] >= done && done > 0);
        linx_printf("# %u bodies, %lu faults injected\n", done, total_faults[runs[k].mode]);
        test_end();
    }
    stop = true;
    if (other > 0)
        linx_task_join(other, NULL, LINX_FOREVER);
    return test_failures;
}
