// SPDX-License-Identifier: BSD-2-Clause
// Faults that a handler answers, for bench/fault.py: each row is a window of time with nothing else in it.
#include "demos/options.h"
#include "linx/fault.h"
#include "linx/rt.h"

void fault_load(const uint64_t *p), fault_body_1(const void *p), fault_body_2(const void *p), fault_body_4(const void *p);
void fault_body_out(const void *p), fault_body_vector(const void *p);

#define HOLE ((const void *)0x3000000000)
static const uint32_t zeros[256];
_Alignas(16) static char stack[LINX_FAULT_STACK_BODY];
static volatile uint64_t handled;

static int repair(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f;
    handled++;
    if (s->image != NULL)
        s->image->ri[0] = (uint64_t)zeros;
    s->reg[2] = (uint64_t)zeros;
    return LINX_FAULT_RETRY;
}

static const struct {
    const char *name;
    void (*run)(const void *p);
} rows[] = { { "scalar", (void (*)(const void *))fault_load }, { "body,1group", fault_body_1 }, { "body,2groups", fault_body_2 },
             { "body,4groups", fault_body_4 }, { "body,4groups,1output,tile", fault_body_out },
             { "body,4groups,vector-offsets", fault_body_vector } };

static uint64_t count;

// A task that leaves nothing in the engine's queues for later blocks: only live groups are saved.
static void measure(void *arg) {
    (void)arg;
    linx_fault_handler(repair, stack, sizeof stack);
    rows[1].run(zeros);                         // the engine is this task's from now on
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        handled = 0;
        uint64_t begin = linx_time();
        for (uint64_t k = 0; k < count; k++)
            rows[i].run(HOLE);
        uint64_t end = linx_time();
        if (handled != count)
            linx_task_exit(1);
        linx_printf("row %s %lu %lu\n", rows[i].name, (unsigned long)begin, (unsigned long)end);
    }
}

int main(void) {
    struct linx_system_info info;
    struct linx_task_attr attr = { .name = "faults", .priority = 20, .flags = LINX_TASK_NO_INHERIT };
    int64_t status;
    linx_system_info(&info);
    count = option(info.bootargs, "count", 100);
    int how = linx_task_join(linx_task_create(&attr, measure, NULL), &status, LINX_FOREVER);
    return how != LINX_ENDED_EXIT || status != 0;
}
