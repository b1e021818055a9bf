// SPDX-License-Identifier: BSD-2-Clause
#include "mem.h"

void *FN(memset)(void *to, int value, size_t n) {
    unsigned char *d = to;
    uint64_t all = 0x0101010101010101 * (unsigned char)value;
    for (; n >= 4 * sizeof(word); n -= 4 * sizeof(word), d += 4 * sizeof(word)) {
        word *w = (word *)d;
        w[0] = all;
        w[1] = all;
        w[2] = all;
        w[3] = all;
    }
    for (; n >= sizeof(word); n -= sizeof(word), d += sizeof(word)) *(word *)d = all;
    while (n--) *d++ = (unsigned char)value;
    return to;
}
