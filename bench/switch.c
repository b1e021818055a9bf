// SPDX-License-Identifier: BSD-2-Clause
// What a switch costs: the program that bench/switch.py measures from outside. It runs one situation after the other
// and prints "row NAME FROM TO SAVES MOVED LIVE" (times in ns = instructions, sums of the two tasks). Boot arguments:
// count=N switches per row (1000); single = only one busy task, for ticks that switch nothing (--preempt-every).
#include <stdbool.h>

#include "lib/string.h"
#include "linx/rt.h"

typedef void body(uint64_t rounds, void *scratch);
extern body *const bench_bodies[4][5][2];       // kind, outputs, groups 1 and 4
body bench_spin;

static uint64_t count = 1000;
static volatile bool stop;
static body *volatile work;
static uint32_t scratch[2][1024];

static void spins(void *arg) {
    while (!stop)
        bench_spin(1000, arg);
}
static void yields(void *arg) {
    (void)arg;
    while (!stop)
        linx_yield();
}
static void runs(void *arg) {
    while (!stop)
        work(2000, arg);
}

// Two tasks of one kind until each has been switched to `count` times.
static void row(const char *name, linx_entry *entry, uint32_t tasks) {
    linx_handle h[2];
    struct linx_task_info n[2];
    struct linx_task_attr attr = { .name = "bench", .priority = 10, .flags = LINX_TASK_NO_INHERIT };
    stop = false;
    uint64_t from = linx_time();
    for (uint32_t i = 0; i < tasks; i++)
        h[i] = linx_task_create(&attr, entry, scratch[i]);
    do {
        linx_sleep(count * 500);
        for (uint32_t i = 0; i < tasks; i++)
            linx_task_info(h[i], &n[i]);
    } while (tasks == 2 && n[0].switches + n[1].switches < 2 * count);
    uint64_t to = linx_time();
    stop = true;
    for (uint32_t i = 0; i < tasks; i++)
        linx_task_join(h[i], NULL, LINX_FOREVER);
    uint64_t saves = 0, moved = 0, live = 0;
    for (uint32_t i = 0; i < tasks; i++) {
        saves += n[i].esaves;
        moved += n[i].bytes_moved;
        live += n[i].bytes_live;
    }
    linx_printf("row %s %lu %lu %lu %lu %lu\n", name, from, to, saves, moved, live);
}

static uint64_t number_after(const char *args, const char *name) {
    for (; *args != 0; args++)
        if (memcmp(args, name, strlen(name)) == 0) {
            uint64_t v = 0;
            for (args += strlen(name); *args >= '0' && *args <= '9'; args++)
                v = 10 * v + (uint64_t)(*args - '0');
            return v + 1;
        }
    return 0;
}

int main(void) {
    static const char *const kinds[] = { "VPAR", "VSEQ", "MPAR", "MSEQ" };
    static struct linx_system_info info;
    linx_system_info(&info);
    if (number_after(info.bootargs, "count=") != 0)
        count = number_after(info.bootargs, "count=") - 1;
    linx_set_slice(600);
    if (number_after(info.bootargs, "single") != 0) {
        row("tick,no-switch,scalar", spins, 1);
        work = bench_bodies[0][4][1];
        row("tick,no-switch,VPAR/4groups/4outputs", runs, 1);
        return 0;
    }
    row("tick,scalar", spins, 2);
    row("yield,scalar", yields, 2);
    for (int kind = 0; kind < 4; kind++)
        for (int groups = 0; groups < 2; groups++)
            for (int outputs = 0; outputs <= 4; outputs++) {
                char name[] = "tick,VPAR/1groups/0outputs";
                memcpy(name + 5, kinds[kind], 4);
                name[10] = groups ? '4' : '1';
                name[18] = (char)('0' + outputs);
                work = bench_bodies[kind][outputs][groups];
                row(name, runs, 2);
            }
    return 0;
}
