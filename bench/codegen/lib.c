// SPDX-License-Identifier: BSD-2-Clause
// What the benchmarks need of a C library, compiled by the compiler under test.
#include "bench.h"

void *memcpy(void *restrict d, const void *restrict s, size_t n)
{
    char *p = d;
    const char *q = s;
    while (n--)
        *p++ = *q++;
    return d;
}

void *memset(void *d, int c, size_t n)
{
    char *p = d;
    while (n--)
        *p++ = (char)c;
    return d;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    for (; n; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

size_t strlen(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (size_t)(p - s);
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

char *strcpy(char *restrict d, const char *restrict s)
{
    char *p = d;
    while ((*p++ = *s++))
        ;
    return d;
}
