// SPDX-License-Identifier: BSD-2-Clause
// Real input: a binary PGM or PPM picture (P5, P6, 8 bits) given with -initrd is filtered by three vector tasks that
// preempt each other. The results go out on the console in hexadecimal, framed by "image NAME W H" and "end"; the host
// compares them with its own (tests/kernel/test_image.py).
#include <stdbool.h>

#include "filters.h"
#include "lib/string.h"
#include "linx/rt.h"

#define BODY_PREEMPTIONS 10     // so many at least, over all tasks, or the demonstration has not shown anything

static struct frame frame;
static uint8_t *blurred, *edges;
static uint32_t bins[256];

// ---- PGM, PPM -------------------------------------------------------------------------------------------------------------
struct reader {
    const uint8_t *at, *end;
};

static bool number(struct reader *r, uint32_t *value) {
    while (r->at < r->end && (*r->at <= ' ' || *r->at == '#')) {
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        else
            r->at++;
    }
    *value = 0;
    const uint8_t *start = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *value < 100000; r->at++)
        *value = 10 * *value + *r->at - '0';
    return r->at != start;
}

// The picture as a grey frame with a repeated border; NULL, or what is wrong with it.
static const char *load(const uint8_t *bytes, uint64_t n) {
    struct reader r = { bytes, bytes + n };
    uint32_t w, h, max;
    if (n < 8 || bytes[0] != 'P' || (bytes[1] != '5' && bytes[1] != '6'))
        return "no binary PGM or PPM picture (give one with -initrd)";
    uint32_t channels = bytes[1] == '6' ? 3 : 1;
    r.at += 2;
    if (!number(&r, &w) || !number(&r, &h) || !number(&r, &max) || w == 0 || h == 0 || w > 4096 || h > 4096 || max != 255)
        return "a picture of 1 to 4096 pixels each way, 8 bits deep, is wanted";
    r.at++;
    if ((uint64_t)(r.end - r.at) < (uint64_t)w * h * channels)
        return "the picture is cut off";
    frame = (struct frame){ .w = w, .h = h, .stride = w + 2 };
    uint8_t *f = linx_mem_alloc((size_t)(w + 2) * (h + 2));
    blurred = linx_mem_alloc((size_t)w * h);
    edges = linx_mem_alloc((size_t)w * h);
    if (f == NULL || blurred == NULL || edges == NULL)
        return "no memory for a picture of this size";
    for (uint32_t y = 0; y < h + 2; y++)
        for (uint32_t x = 0; x < w + 2; x++) {
            uint32_t sx = x == 0 ? 0 : x > w ? w - 1 : x - 1, sy = y == 0 ? 0 : y > h ? h - 1 : y - 1;
            const uint8_t *p = r.at + ((size_t)sy * w + sx) * channels;
            f[(size_t)y * (w + 2) + x] = channels == 1 ? p[0] : (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
        }
    frame.pixels = f;
    return NULL;
}

// ---- tasks ----------------------------------------------------------------------------------------------------------------
static void blurs(void *arg) { (void)arg, blur(&frame, blurred); }
static void finds_edges(void *arg) { (void)arg, sobel(&frame, edges); }
static void counts(void *arg) { (void)arg, histogram(&frame, bins); }

static void put_image(const char *name, const uint8_t *p) {
    static const char digit[] = "0123456789abcdef";
    char line[129];
    linx_printf("image %s %u %u\n", name, frame.w, frame.h);
    uint64_t n = (uint64_t)frame.w * frame.h;
    for (uint64_t at = 0; at < n;) {
        int k = 0;
        while (k < 128 && at < n) {
            line[k++] = digit[p[at] >> 4];
            line[k++] = digit[p[at++] & 15];
        }
        line[k] = 0;
        linx_printf("%s\n", line);
    }
    linx_printf("end\n");
}

int main(void) {
    static const struct { const char *name; linx_entry *entry; } tasks[] = {
        { "blur", blurs }, { "sobel", finds_edges }, { "histogram", counts },
    };
    struct linx_system_info info;
    linx_system_info(&info);
    const char *bad = load((const uint8_t *)info.initrd_base, info.initrd_bytes);
    if (bad != NULL) {
        linx_printf("image: %s\n", bad);
        return 1;
    }
    linx_set_slice(500);
    linx_handle h[3];
    for (int i = 0; i < 3; i++) {
        struct linx_task_attr attr = { .name = tasks[i].name, .priority = 10, .flags = LINX_TASK_NO_INHERIT };
        h[i] = linx_task_create(&attr, tasks[i].entry, NULL);
    }
    uint64_t preempted = 0;
    for (int i = 0; i < 3; i++) {
        struct linx_task_info n = { 0 };
        while (linx_task_info(h[i], &n) == 0 && n.state != 3)
            linx_sleep(50000);
        for (int k = 0; k < 4; k++)
            preempted += n.body_preempts[k];
        linx_printf("task %s: %lu switches, %lu preemptions, inside bodies MPAR %lu MSEQ %lu, %lu bytes moved\n", n.name,
                    n.switches, n.preemptions, n.body_preempts[2], n.body_preempts[3], n.bytes_moved);
        if (linx_task_join(h[i], NULL, LINX_FOREVER) != LINX_ENDED_EXIT)
            return 1;
    }
    put_image("blur", blurred);
    put_image("sobel", edges);
    linx_printf("histogram");
    for (int i = 0; i < 256; i++)
        linx_printf(" %u", bins[i]);
    linx_printf("\n");
    return info.pes > 1 || preempted >= BODY_PREEMPTIONS ? 0 : 1;     // on several PEs they need not share one
}
