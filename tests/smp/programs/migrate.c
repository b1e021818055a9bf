// SPDX-License-Identifier: BSD-2-Clause
// Tasks stopped inside bodies of all four types go on on other PEs: main sends them to a random PE every few
// microseconds. The last line but one is the same for every number of PEs and every interleaving.
// Boot arguments: runs=N of each task (10), slice=N ns (1500), every=N ns between sendings (500), choice=N.
#include "args.h"
#include "demos/preempt/bodies.h"
#include "linx/rt.h"

#define TASKS  10
#define ROUNDS 240
#define WORDS  (4 * ELEMENTS)

static uint32_t input[ELEMENTS], expected[ELEMENTS];
static uint64_t runs;

enum kind { VPAR, VSEQ, MPAR, MSEQ, INHERIT, KINDS };
static const char *const kind_names[KINDS] = { "VPAR", "VSEQ", "MPAR", "MSEQ", "VPAR that inherits" };
static uint64_t reference[KINDS];

struct worker {
    enum kind kind;
    uint32_t *out;
    linx_handle task;
    uint64_t wrong, done;
};
static struct worker workers[TASKS];

static uint64_t hash(const uint32_t *p, uint32_t n) {
    uint64_t h = 14695981039346656037u;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static uint64_t once(enum kind kind, uint32_t *out) {
    uint64_t r = 0;
    memset(out, 0, WORDS * sizeof *out);
    switch (kind) {
    case VPAR: vpar4(input, out, ROUNDS); break;
    case VSEQ: r = vseq2(input, out, ROUNDS); break;
    case MPAR: mpar_dr(input, out, ROUNDS); break;
    case MSEQ: r = mseq0(input, out, ROUNDS); break;
    default:
        leave_queues(input, ROUNDS, 256);
        linx_yield();
        take_queues(out, 256);
    }
    return hash(out, WORDS) ^ r;
}

static void work(void *arg) {
    struct worker *w = arg;
    for (uint64_t i = 0; i < runs; i++) {
        w->wrong += once(w->kind, w->out) != reference[w->kind];
        w->done++;
    }
}

// What the bodies compute undisturbed, and that this is right.
static int prepare(uint32_t *out) {
    int bad = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        uint32_t x = input[i] = (i + 1) * 2654435761u;
        for (int r = 0; r < ROUNDS; r++)
            x = x * MUL + ADD;
        expected[i] = x;
    }
    for (int k = 0; k < KINDS; k++) {
        reference[k] = once((enum kind)k, out);
        uint32_t n = k == INHERIT ? 256 : k == MPAR ? 1000 : ELEMENTS;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t e = expected[i];
            if (k == INHERIT)
                e = (e ^ (e + i)) + (i / 64 * 64 + ROUNDS);
            bad += out[i] != e;
        }
    }
    return bad;
}

int main(void) {
    static struct linx_system_info s;
    linx_system_info(&s);
    runs = option(s.bootargs, "runs", 10);
    uint64_t every = option(s.bootargs, "every", 500), state = option(s.bootargs, "choice", 1) * 2654435761u + 1;
    linx_task_priority(linx_task_self(), 20);
    linx_set_slice(option(s.bootargs, "slice", 1500));
    int bad = 0;
    for (int i = 0; i < TASKS; i++) {
        workers[i].kind = (enum kind)(i % KINDS);
        workers[i].out = linx_mem_alloc(WORDS * sizeof(uint32_t));
        if (workers[i].out == NULL)
            return 1;
    }
    bad += prepare(workers[0].out);
    for (int i = 0; i < TASKS; i++) {
        struct linx_task_attr attr = { .name = kind_names[i % KINDS], .priority = 10,
                                       .flags = i % KINDS == INHERIT ? 0 : LINX_TASK_NO_INHERIT };
        workers[i].task = linx_task_create(&attr, work, &workers[i]);
        if (workers[i].task < 0)
            return 1;
    }
    uint64_t moves = 0, done = 0;
    while (done < TASKS * runs) {
        linx_sleep(every);
        (void)linx_task_affinity(workers[next_random(&state) % TASKS].task, random_bit(&state, s.pe_mask));
        moves++;
        done = 0;
        for (int i = 0; i < TASKS; i++)
            done += ((volatile struct worker *)&workers[i])->done;
    }
    uint64_t total = 0, all = 0, wrong = 0, in_body[KINDS] = { 0 };
    for (int i = 0; i < TASKS; i++) {
        struct worker *w = &workers[i];
        struct linx_task_info info;
        bad += linx_task_affinity(w->task, ~(uint64_t)0) == LINX_EINVAL;
        do
            linx_sleep(2000);
        while (linx_task_info(w->task, &info) == 0 && info.state != 3);
        in_body[w->kind] += info.body_migrations;
        total += info.body_migrations;
        all += info.migrations;
        wrong += w->wrong;
        int64_t status;
        bad += linx_task_join(w->task, &status, LINX_FOREVER) != LINX_ENDED_EXIT;
    }
    linx_system_info(&s);
    linx_printf("PEs %u, sent %lu times, migrations %lu, inside bodies %lu (", s.pes, moves, all, total);
    for (int k = 0; k < KINDS; k++)
        linx_printf("%s%s %lu", k == 0 ? "" : ", ", kind_names[k], in_body[k]);
    linx_printf("), stolen %lu\n", s.steals);
    bad += s.pes > 1 && total == 0;
    linx_printf("results %lx runs %lu wrong %lu\n", hash((const uint32_t *)reference, 2 * KINDS), done, wrong);
    linx_printf("%s\n", bad == 0 && wrong == 0 ? "PASS" : "FAIL");
    return bad != 0 || wrong != 0;
}
