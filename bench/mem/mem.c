// SPDX-License-Identifier: BSD-2-Clause
// Instructions of the C library's memory functions against plain C of the same meaning, by size. TIME advances by one
// for each instruction; MCOPY and MSET count as one whatever their size, so on a core that spends time per byte in them
// the gain is smaller (docs/target.md 1 and 2.8).
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "linx/rt.h"

static unsigned char a[8192 + 64], b[8192 + 64];

// Eight bytes at a time when both pointers allow it: what a compiler's run-time library does.
__attribute__((noinline, no_builtin)) static void *c_memcpy(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    if ((((uintptr_t)d | (uintptr_t)s) & 7) == 0)
        for (; n >= 8; n -= 8, d += 8, s += 8)
            *(volatile uint64_t *)d = *(const uint64_t *)s;
    while (n-- != 0)
        *(volatile char *)d++ = *s++;
    return to;
}
__attribute__((noinline, no_builtin)) static void *c_memset(void *to, int byte, size_t n) {
    char *d = to;
    uint64_t word = 0x0101010101010101u * (uint8_t)byte;
    if (((uintptr_t)d & 7) == 0)
        for (; n >= 8; n -= 8, d += 8)
            *(volatile uint64_t *)d = word;
    while (n-- != 0)
        *(volatile char *)d++ = (char)byte;
    return to;
}

static uint64_t empty;          // instructions of the measurement itself
#define COST(call) ({ uint64_t t_ = linx_time(); call; linx_time() - t_ - empty; })

int main(void) {
    static const size_t sizes[] = { 0, 1, 7, 8, 16, 31, 64, 256, 1000, 4096, 8192 };
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    void *(*volatile fill)(void *, int, size_t) = memset;
    int (*volatile compare)(const void *, const void *, size_t) = memcmp;
    size_t (*volatile length)(const char *) = strlen;
    empty = COST((void)0);
    printf("instructions  memcpy      in C  unaligned      in C   memset      in C   memcmp   strlen\n");
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = sizes[i];
        memset(b, 'x', sizeof b);
        printf("%6zu bytes %9lu %9lu %10lu %9lu %8lu %9lu", n, COST(copy(a, b, n)), COST(c_memcpy(a, b, n)), COST(copy(a + 1, b + 2, n)),
               COST(c_memcpy(a + 1, b + 2, n)), COST(fill(a, 'x', n)), COST(c_memset(a, 'x', n)));
        a[n] = 0;
        uint64_t same = COST(compare(a, b, n));
        printf(" %8lu %8lu\n", same, COST(length((char *)a)));
    }
    return 0;
}
