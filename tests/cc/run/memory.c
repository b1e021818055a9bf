// SPDX-License-Identifier: BSD-2-Clause
// Loads and stores of all sizes and address forms, copies and fills, bit-fields, volatile.
#include "test.h"
#include <stdint.h>

static int8_t g8 = -1;
static uint16_t g16 = 0xfffe;
static int32_t g32 = -3;
static uint64_t g64 = 0x1122334455667788;
static float gf = 1.5f;
static int32_t table[100];
static const char *const names[] = {"zero", "one", "two"};

struct bits { unsigned a : 3; int b : 7; unsigned long c : 40; unsigned d : 14; };
struct __attribute__((packed)) odd { char c; int i; long l; short s; };
struct blob { char c[100]; };

NOINLINE void store_all(char *p, long i, long v)
{
    ((int8_t *)p)[i] = (int8_t)v;
    ((int16_t *)(p + 100))[i] = (int16_t)v;
    ((int32_t *)(p + 300))[i] = (int32_t)v;
    ((int64_t *)(p + 700))[i] = v;
}
NOINLINE long load_all(const char *p, int i)
{
    return ((int8_t *)p)[i] + ((uint16_t *)(p + 100))[i] + ((int32_t *)(p + 300))[i] + ((int64_t *)(p + 700))[i] +
           ((uint32_t *)(p + 300))[(unsigned)i];
}
NOINLINE int far(const int *p) { return p[511] + p[512] + p[-512] + p[-513] + p[100000]; }
NOINLINE long unaligned(const char *p) { return *(const int *)(p + 1) + *(const long *)(p + 3) + *(const short *)(p + 2047); }
NOINLINE struct blob copy(const struct blob *b) { return *b; }
NOINLINE void clear(struct blob *b) { __builtin_memset(b, 0, sizeof *b); }
NOINLINE void fill(char *p) { __builtin_memset(p, 0xa5, 77); }
NOINLINE long walk(const long *p, const long *e) { long s = 0; while (p != e) s = s * 3 + *p++; return s; }

static char buffer[4096];
static int wide[200000];

void test(void)
{
    CHECK(g8 == -1 && g16 == 0xfffe && g32 == -3 && g64 == 0x1122334455667788 && gf == 1.5f);
    g8 = OPAQUE(5);
    g16 = (uint16_t)OPAQUE(0x12345);
    g32 += 10;
    g64 <<= 8;
    gf += 1;
    CHECK(g8 == 5 && g16 == 0x2345 && g32 == 7 && g64 == 0x2233445566778800 && gf == 2.5f);
    for (int i = 0; i < 100; i++)
        table[i] = i * i;
    CHECK(table[OPAQUE(99)] == 9801 && names[OPAQUE(2)][1] == 'w');
    store_all(buffer, 3, -2);
    CHECK(load_all(buffer, 3) == -2 + 0xfffe - 2 - 2 + 0xfffffffel);
    wide[1000 + 511] = 1, wide[1000 + 512] = 2, wide[1000 - 512] = 4, wide[1000 - 513] = 8, wide[101000] = 16;
    CHECK(far(wide + 1000) == 31);
    for (int i = 0; i < 4096; i++)
        buffer[i] = (char)i;
    CHECK(unaligned(buffer) == 0x04030201 + 0x0a09080706050403 + (short)0x00ff);
    struct blob b, c;
    for (int i = 0; i < 100; i++)
        b.c[i] = (char)(i * 3);
    c = copy(&b);
    for (int i = 0; i < 100; i++)
        CHECK(c.c[i] == (char)(i * 3));
    clear(&c);
    fill(c.c + 10);
    for (int i = 0; i < 100; i++)
        CHECK(c.c[i] == (i >= 10 && i < 87 ? (char)0xa5 : 0));
    struct bits x = {0};
    x.a = OPAQUE(5u), x.b = OPAQUE(-3), x.c = OPAQUE(0x123456789aul), x.d = OPAQUE(0x3fffu);
    CHECK(x.a == 5 && x.b == -3 && x.c == 0x123456789a && x.d == 0x3fff);
    x.c++;
    CHECK(x.a == 5 && x.c == 0x123456789b && x.d == 0x3fff);
    struct odd o = {1, -2, 0x123456789, 4};
    OPAQUE(&o);
    CHECK(sizeof o == 15 && o.i == -2 && o.l == 0x123456789 && o.s == 4);
    long l[5] = {1, 2, 3, 4, 5};
    CHECK(walk(l, l + 5) == 5 + 3 * (4 + 3 * (3 + 3 * (2 + 3))));
    volatile int *vp = &table[0];
    *vp = 1;
    *vp = *vp + 1;
    CHECK(table[0] == 2);
    char big[40000];
    OPAQUE(&big[0]);
    big[39999] = 7;
    *(long *)(big + 20000) = 1234567;
    OPAQUE(&big[0]);
    CHECK(big[39999] + *(long *)(big + 20000) == 1234574);
}
