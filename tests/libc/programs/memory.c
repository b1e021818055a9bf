// SPDX-License-Identifier: BSD-2-Clause
// The memory functions of lib/libc/machine against byte loops, at every alignment and overlap that matters.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linx/rt.h"
#include "tests/libc/programs/check.h"

enum { ROOM = 6000 };
static unsigned char x[ROOM], y[ROOM], want[ROOM];
static const int sizes[] = { 0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 255, 2047, 2048, 2049, 4096, 4100 };
#define SIZES (int)(sizeof sizes / sizeof sizes[0])

static void fill(unsigned char *p, unsigned seed) {
    for (int i = 0; i < ROOM; i++)
        p[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
}
static int same(const unsigned char *p, const unsigned char *q) {
    for (int i = 0; i < ROOM; i++)
        if (p[i] != q[i])
            return 0;
    return 1;
}

static void copies(void) {
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    for (int s = 0; s < SIZES; s++)
        for (int to = 0; to < 9; to += 1 + (s > 12) * 3)
            for (int from = 0; from < 9; from += 3) {
                fill(x, 1);
                fill(y, 2);
                memmove(want, y, ROOM);
                for (int i = 0; i < sizes[s]; i++)
                    want[to + i] = x[from + i];
                CHECK(copy(y + to, x + from, (size_t)sizes[s]) == y + to && same(y, want));
            }
}
static void moves(void) {
    void *(*volatile move)(void *, const void *, size_t) = memmove;
    static const int distances[] = { -4097, -100, -17, -16, -15, -8, -1, 0, 1, 7, 8, 15, 16, 17, 100, 1500 };
    for (int s = 0; s < SIZES; s++)
        for (unsigned d = 0; d < sizeof distances / sizeof distances[0]; d++) {
            int from = distances[d] < 0 ? -distances[d] : 3, to = from + distances[d];
            if (from + sizes[s] > ROOM || to + sizes[s] > ROOM)
                continue;
            fill(x, 3);
            fill(want, 3);
            for (int i = 0; i < sizes[s]; i++) {        // byte by byte from the end that is safe
                int k = distances[d] > 0 ? sizes[s] - 1 - i : i;
                want[to + k] = want[from + k];
            }
            CHECK(move(x + to, x + from, (size_t)sizes[s]) == x + to && same(x, want));
        }
}
static void sets(void) {
    void *(*volatile set)(void *, int, size_t) = memset;
    for (int s = 0; s < SIZES; s++)
        for (int to = 0; to < 9; to++) {
            fill(x, 4);
            fill(want, 4);
            for (int i = 0; i < sizes[s]; i++)
                want[to + i] = 0xa5;
            CHECK(set(x + to, 0x1a5, (size_t)sizes[s]) == x + to && same(x, want));
        }
}
static void compares(void) {
    int (*volatile compare)(const void *, const void *, size_t) = memcmp;
    for (int n = 0; n < 40; n++)
        for (int off = 0; off < 9; off++)
            for (int at = 0; at < n + 2; at++) {        // at >= n: the difference lies outside
                fill(x, 5);
                memmove(y + 3, x + off, 64);
                y[3 + at] ^= 0x80;
                int r = compare(x + off, y + 3, (size_t)n), expect = at >= n ? 0 : x[off + at] < y[3 + at] ? -1 : 1;
                CHECK((r > 0) - (r < 0) == expect);
            }
}
static void lengths(void) {
    size_t (*volatile length)(const char *) = strlen;
    for (int off = 0; off < 17; off++)
        for (int n = 0; n < 70; n++) {
            memset(x, 0, 200);                          // zeros before the string must not count
            memset(x + off, n & 1 ? 0x80 : 0x01, (size_t)n);
            CHECK(length((char *)x + off) == (size_t)n);
        }
}

// A task in an address space of its own has a heap of its own.
static void allocates(void *arg) {
    char *p[32], *q = (char *)arg;
    for (int i = 0; i < 32; i++) {
        p[i] = malloc(1000);
        if (p[i] == NULL || p[i] == q)
            linx_task_exit(1);
        memset(p[i], i, 1000);
    }
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 1000; k++)
            if (p[i][k] != i)
                linx_task_exit(2);
    void *volatile big = malloc(2u << 20);                  // more than the space may have
    linx_task_exit(big == NULL ? 0 : 3);
}
static void isolated_heap(void) {
    struct linx_task_attr attr = { .flags = LINX_TASK_SPACE, .stack_bytes = 8192 };
    char *mine = malloc(1000);
    int64_t status = -1;
    memset(mine, 0x5a, 1000);
    CHECK(linx_task_join(linx_task_create(&attr, allocates, mine), &status, LINX_FOREVER) == LINX_ENDED_EXIT && status == 0);
    CHECK(mine[0] == 0x5a && mine[999] == 0x5a);
    free(mine);
}

int main(void) {
    test("libc memory: the heap of an isolated task", isolated_heap);
    test("libc memory: memcpy", copies);
    test("libc memory: memmove", moves);
    test("libc memory: memset", sets);
    test("libc memory: memcmp", compares);
    test("libc memory: strlen", lengths);
    return check_failures;
}
