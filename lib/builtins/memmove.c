// SPDX-License-Identifier: BSD-2-Clause
#include "mem.h"

void *FN(memmove)(void *to, const void *from, size_t n) {
    // Copying upwards is right unless "to" lies inside [from, from + n).
    if ((uintptr_t)to - (uintptr_t)from >= n) {
        copy_up(to, from, n);
        return to;
    }
    unsigned char *d = (unsigned char *)to + n;
    const unsigned char *s = (const unsigned char *)from + n;
    for (; n >= sizeof(word); n -= sizeof(word)) {
        d -= sizeof(word);
        s -= sizeof(word);
        *(word *)d = *(const word *)s;
    }
    while (n--) *--d = *--s;
    return to;
}
