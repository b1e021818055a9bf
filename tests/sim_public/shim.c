// SPDX-License-Identifier: BSD-2-Clause
// What the public CoreMark objects need beyond the torture tests' library.
#include <stddef.h>
#include <stdint.h>

int vprintf(const char *, void *);

// clock() in microseconds of the board's TIME. The objects' own division of it by CLOCKS_PER_SEC uses a wrong
// constant (single precision bits taken for double precision), so their "secs" mean nothing.
long clock(void) {
    unsigned long ns;
    __asm__ volatile("ssrget 0x0010, ->%0" : "=r"(ns));
    return (long)(ns / 1000);
}

// args: the format, then the arguments, each of its own size and alignment (int 4 bytes, the others 8). Our
// va_list is a row of 8-byte slots.
int print_packed(const unsigned char *args) {
    const char *format = *(const char *const *)args;
    uint64_t slots[16];
    size_t n = 0, at = 8;
    for (const char *f = format; *f; f++) {
        if (*f != '%') continue;
        while (*++f && (*f == '-' || *f == '.' || (*f >= '0' && *f <= '9'))) {}
        if (*f == '%') continue;
        if (n == sizeof slots / sizeof *slots) break;
        if (*f == 'l' || *f == 's' || *f == 'f' || *f == 'p') {
            at = (at + 7) & ~(size_t)7;
            slots[n++] = *(const uint64_t *)(args + at);
            at += 8;
        } else {
            slots[n++] = (uint64_t)(int64_t) * (const int32_t *)(args + at);
            at += 4;
        }
    }
    return vprintf(format, slots);
}
