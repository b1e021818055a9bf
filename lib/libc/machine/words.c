// SPDX-License-Identifier: BSD-2-Clause
// strlen and memcmp eight bytes at a time. The core loads words from any address (docs/target.md 2), so memcmp needs no
// alignment cases; strlen reads whole aligned words, which never cross into a page that the string does not touch.
// Both must not be changed back into calls of themselves: compiled with -fno-builtin.
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias, aligned(1))) unaligned_word;
typedef uint64_t __attribute__((may_alias)) word;

#define ONES  0x0101010101010101u
#define TOPS  0x8080808080808080u
#define ZERO_BYTES(w) (((w) - ONES) & ~(w) & TOPS)      // lowest set bit: top bit of the first zero byte

size_t strlen(const char *s) {
    const char *at = s;
    unsigned skip = (uintptr_t)at & 7;
    const word *w = (const word *)(at - skip);
    uint64_t v = *w | ((skip != 0 ? (uint64_t)1 << 8 * skip : 1) - 1);    // bytes before the string are not zero
    while (ZERO_BYTES(v) == 0)
        v = *++w;
    return (size_t)((const char *)w - s) + ((unsigned)__builtin_ctzll(ZERO_BYTES(v)) >> 3);
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    for (; n >= 8; n -= 8, p += 8, q += 8) {
        uint64_t v = *(const unaligned_word *)p, w = *(const unaligned_word *)q;
        if (v != w)
            return __builtin_bswap64(v) < __builtin_bswap64(w) ? -1 : 1;
    }
    for (; n != 0; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}
