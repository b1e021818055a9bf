// SPDX-License-Identifier: BSD-2-Clause
#include "mem.h"

int FN(memcmp)(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    while (n >= sizeof(word) && *(const word *)x == *(const word *)y) {
        x += sizeof(word);
        y += sizeof(word);
        n -= sizeof(word);
    }
    for (; n; n--, x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

int FN(bcmp)(const void *a, const void *b, size_t n) { return FN(memcmp)(a, b, n); }
