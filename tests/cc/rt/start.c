// SPDX-License-Identifier: BSD-2-Clause
#include "test.h"

extern char __tls_start[], __tls_image_end[], __tls_end[];
static char tls[4096] __attribute__((aligned(64)));
void set_tp(void *);

static void put(const char *s)
{
    while (*s)
        *(volatile char *)0x10000000 = *s++;
}

void fail(const char *file, int line, const char *what)
{
    char n[12];
    int i = 11;
    n[i] = 0;
    do
        n[--i] = (char)('0' + line % 10);
    while (line /= 10);
    put(file);
    put(":");
    put(n + i);
    put(": ");
    put(what);
    put("\n");
    *(volatile unsigned *)0x100000 = 0x3333 | 1 << 16;
    for (;;)
        ;
}

void start_c(void)
{
    for (char *p = __tls_start, *q = tls; p < __tls_image_end;)
        *q++ = *p++;
    set_tp(tls);
    test();
    *(volatile unsigned *)0x100000 = 0x5555;
    for (;;)
        ;
}

void *memcpy(void *restrict d, const void *restrict s, __SIZE_TYPE__ n)
{
    volatile char *p = d;
    const char *q = s;
    while (n--)
        *p++ = *q++;
    return d;
}
void *memset(void *d, int c, __SIZE_TYPE__ n)
{
    volatile char *p = d;
    while (n--)
        *p++ = (char)c;
    return d;
}
void *memmove(void *d, const void *s, __SIZE_TYPE__ n)
{
    volatile char *p = d;
    const char *q = s;
    if (p < q)
        while (n--)
            *p++ = *q++;
    else
        while (n--)
            p[n] = q[n];
    return d;
}
