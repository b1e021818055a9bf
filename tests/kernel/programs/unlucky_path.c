// SPDX-License-Identifier: BSD-2-Clause
// The trap path under an interrupt at every instruction (test_unlucky.py). Two tasks and main go through every kind of
// entry and exit: system calls that block and do not, ticks in scalar code and in bodies, first use and hand-over of the
// engine, a new task, the end of one, a fault. "window A B" says from which to which instruction that took place; all
// other lines have to be the same whenever one more interrupt comes.
#include "check.h"
#include "demos/options.h"

uint64_t hold_registers(uint64_t seed);
void mix(const uint32_t in[256], uint32_t out[256]);
void leave_queue(uint64_t seed), find_queue(uint32_t out[256]);

static uint32_t in[256], out[2][256], found[2][256];
static linx_handle turn[2];
static volatile uint64_t sums[2], wrong;

static void works(void *arg) {
    uint64_t me = (uint64_t)(uintptr_t)arg, sum = me;
    wrong += hold_registers(0x1000 * (me + 1)) != 0;
    leave_queue(100 * me);
    linx_sem_post(turn[1 - me]);
    linx_sem_wait(turn[me], LINX_FOREVER);
    find_queue(found[me]);
    mix(in, out[me]);
    linx_yield();
    for (uint32_t i = me; i < 256; i += 51) {
        sum = (sum ^ out[me][i]) * 1099511628211u;
        wrong += found[me][i] != 100 * me + i;
    }
    sums[me] = sum;
}

static void faults(void *arg) { *(volatile uint32_t *)arg = 1; }

int main(void) {
    struct linx_task_attr attr = { .name = "works", .priority = 16, .stack_bytes = 1024, .flags = LINX_TASK_SUSPENDED };
    static struct linx_system_info info;
    linx_handle h[2];
    uint64_t from[2], to[2];
    for (uint32_t i = 0; i < 256; i++)
        in[i] = i * 2654435761u;
    turn[0] = linx_sem_create(0, 4);
    turn[1] = linx_sem_create(0, 4);
    linx_system_info(&info);
    linx_set_slice(option(info.bootargs, "slice", 1500));
    for (uint64_t i = 0; i < 2; i++)
        h[i] = linx_task_create(&attr, works, (void *)i);
    from[0] = linx_time();
    linx_task_resume(h[0]);
    linx_task_resume(h[1]);
    wrong += hold_registers(7) != 0;
    for (int i = 0; i < 2; i++)
        wrong += linx_task_join(h[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT;
    to[0] = linx_time();

    attr.name = "faults";
    attr.flags = 0;
    int64_t status = 0;
    from[1] = to[0];
    h[0] = linx_task_create(&attr, faults, (void *)0x10);
    wrong += hold_registers(8) != 0;
    wrong += linx_task_join(h[0], &status, LINX_FOREVER) != LINX_ENDED_FAULT;
    to[1] = linx_time();
    linx_printf("sums %lx %lx fault %lx wrong %lu\n", sums[0], sums[1], status, wrong);
    for (int i = 0; i < 2 && option(info.bootargs, "windows", 0) != 0; i++)
        linx_printf("window %lu %lu\n", from[i], to[i]);
    return wrong != 0;
}
