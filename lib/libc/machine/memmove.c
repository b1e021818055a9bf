// SPDX-License-Identifier: BSD-2-Clause
// memmove: memcpy when the ranges are apart. MCOPY does not define overlapping ranges (docs/target.md 2.8), so these
// go in pieces no longer than the distance, from the end that is read before it is written.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NEAR 16         // below that distance pieces do not pay

void *memmove(void *to, const void *from, size_t n) {
    unsigned char *d = to;
    const unsigned char *s = from;
    size_t up = (size_t)((uintptr_t)d - (uintptr_t)s), down = (size_t)((uintptr_t)s - (uintptr_t)d);
    if (up >= n && down >= n)
        return memcpy(to, from, n);
    if (down < n) {                             // to lies below from: forward
        if (down >= NEAR)
            for (; n > down; n -= down, d += down, s += down)
                memcpy(d, s, down);
        else
            for (; n != 0 && down != 0; n--)
                *d++ = *s++;
        if (down >= NEAR)
            memcpy(d, s, n);
        return to;
    }
    if (up >= NEAR) {                           // to lies above from: backward
        for (; n > up; n -= up)
            memcpy(d + n - up, s + n - up, up);
        memcpy(d, s, n);
    } else {
        while (n != 0) {
            n--;
            d[n] = s[n];
        }
    }
    return to;
}
