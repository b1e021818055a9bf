// SPDX-License-Identifier: BSD-2-Clause
// A benchmark is one function that returns a checksum of all it computed. Both machines must give
// the same one; the runner compares them.
#ifndef BENCH_H
#define BENCH_H
#include <stddef.h>
#include <stdint.h>

uint32_t bench(void);

void *memcpy(void *restrict d, const void *restrict s, size_t n);
void *memset(void *d, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
char *strcpy(char *restrict d, const char *restrict s);

// A linear congruential generator: the benchmarks' input.
static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state;
}

static inline uint32_t mix(uint32_t sum, uint32_t value)
{
    return (sum ^ value) * 16777619u;
}
#endif
