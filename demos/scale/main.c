// SPDX-License-Identifier: BSD-2-Clause
// The image filter of demos/image over all PEs: a made-up picture is blurred in bands, as many tasks as there are PEs
// taking the next band from a counter. The result is compared with a scalar computation; prints the time and a checksum
// that is the same for every number of PEs. Boot arguments: height=N (256), repeat=N times (32).
#include <stdbool.h>

#include "demos/image/filters.h"
#include "demos/options.h"
#include "linx/rt.h"

#define WIDTH 256
#define BAND  4                 // rows

static struct frame frame;
static uint8_t *out;
static uint32_t bands, total;
static volatile uint32_t next_band;
static uint64_t runs_by_pe[64];
static linx_handle gate;
static volatile uint64_t finished_at[64];

static void worker(void *arg) {
    linx_event_wait(gate, 1, LINX_EVENT_ANY, LINX_FOREVER);     // all of them start together
    for (;;) {
        uint32_t n = __atomic_fetch_add(&next_band, 1, __ATOMIC_RELAXED);
        if (n >= total)
            break;
        n %= bands;
        struct frame band = { .pixels = frame.pixels + (size_t)n * BAND * frame.stride, .w = frame.w, .h = BAND,
                              .stride = frame.stride };
        blur(&band, out + (size_t)n * BAND * frame.w);
        uint64_t pe;
        __asm__ volatile("ssrget 0x0021, ->%0" : "=r"(pe));
        __atomic_fetch_add(&runs_by_pe[pe], 1, __ATOMIC_RELAXED);
    }
    finished_at[(uintptr_t)arg] = linx_time();
}

static uint8_t expected(uint32_t x, uint32_t y) {
    static const uint8_t weights[3] = { 1, 2, 1 };
    uint32_t sum = 8;
    for (uint32_t j = 0; j < 3; j++)
        for (uint32_t i = 0; i < 3; i++)
            sum += weights[i] * weights[j] * frame.pixels[(y + j) * frame.stride + x + i];
    return (uint8_t)(sum >> 4);
}

int main(void) {
    static struct linx_system_info s;
    linx_system_info(&s);
    uint32_t height = (uint32_t)option(s.bootargs, "height", 256) / BAND * BAND;
    bands = height / BAND;
    total = bands * (uint32_t)option(s.bootargs, "repeat", 32);
    frame = (struct frame){ .w = WIDTH, .h = height, .stride = WIDTH + 2 };
    uint8_t *pixels = linx_mem_alloc((size_t)(WIDTH + 2) * (height + 2));
    out = linx_mem_alloc((size_t)WIDTH * height);
    if (pixels == NULL || out == NULL || bands == 0)
        return 1;
    for (uint32_t i = 0; i < (WIDTH + 2) * (height + 2); i++)
        pixels[i] = (uint8_t)((i * 2654435761u) >> 24);
    frame.pixels = pixels;
    linx_task_priority(linx_task_self(), 20);
    linx_handle tasks[64];
    int bad = 0;
    gate = linx_event_create(0);
    for (uint64_t i = 0; i < s.pes; i++) {
        struct linx_task_attr attr = { .name = "filter", .priority = 10, .flags = LINX_TASK_NO_INHERIT };
        tasks[i] = linx_task_create(&attr, worker, (void *)i);
        bad += tasks[i] < 0;
    }
    linx_sleep(100000);
    uint64_t start = linx_time(), took = 0, sum = 0;
    linx_event_set(gate, 1);
    for (uint32_t i = 0; i < s.pes; i++) {
        bad += linx_task_join(tasks[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT;
        took = finished_at[i] - start > took ? finished_at[i] - start : took;
    }
    uint32_t used = 0, wrong = 0;
    for (int i = 0; i < 64; i++)
        used += runs_by_pe[i] != 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            sum = (sum ^ out[y * WIDTH + x]) * 1099511628211u;
            if ((x + y) % 7 == 0)
                wrong += out[y * WIDTH + x] != expected(x, y);
        }
    linx_printf("PEs %u, used %u, bands %u, time %lu ns\n", s.pes, used, total, took);
    linx_printf("results %lx wrong %u\n", sum, wrong);
    linx_printf("%s\n", bad == 0 && wrong == 0 ? "PASS" : "FAIL");
    return bad != 0 || wrong != 0;
}
