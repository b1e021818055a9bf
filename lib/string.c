// SPDX-License-Identifier: BSD-2-Clause
#include "lib/string.h"

#include <stdint.h>

void *memcpy(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    if ((((uintptr_t)d | (uintptr_t)s) & 7) == 0)
        for (; n >= 8; n -= 8, d += 8, s += 8)
            *(uint64_t *)d = *(const uint64_t *)s;
    while (n-- != 0)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    if (d <= s || d >= s + n)
        return memcpy(to, from, n);
    while (n-- != 0)
        d[n] = s[n];
    return to;
}

void *memset(void *to, int byte, size_t n) {
    char *d = to;
    uint64_t word = 0x0101010101010101u * (uint8_t)byte;
    for (; n != 0 && ((uintptr_t)d & 7) != 0; n--)
        *d++ = (char)byte;
    for (; n >= 8; n -= 8, d += 8)
        *(uint64_t *)d = word;
    while (n-- != 0)
        *d++ = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (; n != 0; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

int strcmp(const char *a, const char *b) {
    while (*a != 0 && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
