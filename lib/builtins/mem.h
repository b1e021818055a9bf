// SPDX-License-Identifier: BSD-2-Clause
// What the memory functions share. Unaligned loads and stores are legal on Linx. The files must be
// compiled with -fno-builtin, or the loops would be turned into calls of themselves; each function has
// a file of its own, so that a program can replace one and use the others.
#ifndef LINX_MEM_H
#define LINX_MEM_H
#include "builtins.h"

typedef uint64_t __attribute__((may_alias, aligned(1))) word;

static inline void copy_up(void *to, const void *from, size_t n) {
    unsigned char *d = to;
    const unsigned char *s = from;
    for (; n >= 4 * sizeof(word); n -= 4 * sizeof(word)) {
        const word *f = (const word *)s;
        word *t = (word *)d;
        word a = f[0];
        t[0] = a;
        word b = f[1];
        t[1] = b;
        word c = f[2];
        t[2] = c;
        word e = f[3];
        t[3] = e;
        d += 4 * sizeof(word);
        s += 4 * sizeof(word);
    }
    for (; n >= sizeof(word); n -= sizeof(word)) {
        *(word *)d = *(const word *)s;
        d += sizeof(word);
        s += sizeof(word);
    }
    while (n--) *d++ = *s++;
}
#endif
