// SPDX-License-Identifier: BSD-2-Clause
// float and double: operations, compares with NaN, conversions, constants.
#include "test.h"
#include <stdint.h>

#define NAN __builtin_nan("")
#define INF __builtin_inf()
static uint64_t bits(double d) { uint64_t u; __builtin_memcpy(&u, &d, 8); return u; }
static uint32_t fbits(float f) { uint32_t u; __builtin_memcpy(&u, &f, 4); return u; }

NOINLINE int relations(double a, double b)
{
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
           __builtin_isunordered(a, b) << 6 | !(a < b) << 7 | !(a >= b) << 8 | __builtin_islessgreater(a, b) << 9;
}
NOINLINE int branches(float a, float b)
{
    int r = 0;
    if (a < b) r |= 1;
    if (!(a < b)) r |= 2;
    if (a == b) r |= 4;
    if (a != b) r |= 8;
    if (!(a > b)) r |= 16;
    if (a >= b || a != a) r |= 32;
    return r;
}
// With -frounding-math the compare stays in order with what follows.
NOINLINE int ordered(double x, int *below, volatile int *then) { *below = x < 0; return *then; }
NOINLINE double poly(double x) { return ((1.5 * x - 2.25) * x + 0.1) * x - 1e300 * 0; }
NOINLINE double pick(int c, double a, double b) { return c > 3 ? a : b; }
NOINLINE float fsum(const float *p, int n) { float s = 0; while (n--) s += *p++; return s; }

void test(void)
{
    CHECK(relations(1, 2) == (1 | 2 | 32 | 256 | 512));
    CHECK(relations(2, 1) == (4 | 8 | 32 | 128 | 512));
    CHECK(relations(3, 3) == (2 | 8 | 16 | 128));
    CHECK(relations(NAN, 1) == (32 | 64 | 128 | 256) && relations(NAN, NAN) == (32 | 64 | 128 | 256));
    CHECK(branches(1, 2) == (1 | 8 | 16) && branches(2, 1) == (2 | 8 | 32) && branches(2, 2) == (2 | 4 | 16 | 32));
    CHECK(branches(__builtin_nanf(""), 1) == (2 | 8 | 16 | 32));
    volatile int seven = 7;
    int below = 0;
    CHECK(ordered(-1, &below, &seven) == 7 && below == 1 && ordered(NAN, &below, &seven) == 7 && below == 0);
    CHECK(poly(OPAQUE(2.0)) == (1.5 * 2 - 2.25) * 2 * 2 + 0.1 * 2);
    CHECK(OPAQUE(7.0) / 2 == 3.5 && OPAQUE(1.0) / OPAQUE(0.0) == INF && OPAQUE(-1.0) / OPAQUE(0.0) == -INF);
    CHECK(OPAQUE(3.0f) * 2.5f - 0.5f == 7.0f);
    CHECK(bits(-OPAQUE(0.0)) == 1ull << 63 && bits(-OPAQUE(1.5)) == 0xbff8000000000000 && fbits(-OPAQUE(1.5f)) == 0xbfc00000);
    CHECK(__builtin_fabs(OPAQUE(-2.5)) == 2.5 && __builtin_fabsf(OPAQUE(-2.5f)) == 2.5f);
    CHECK(bits(__builtin_copysign(OPAQUE(3.0), OPAQUE(-0.0))) == bits(-3.0));
    CHECK(fbits(__builtin_copysignf(OPAQUE(-3.0f), OPAQUE(1.0f))) == fbits(3.0f));
    CHECK(bits(__builtin_copysign(OPAQUE(-3.0), (double)OPAQUE(2.0f))) == bits(3.0));
    CHECK(__builtin_sqrt(OPAQUE(2.25)) == 1.5 && __builtin_sqrtf(OPAQUE(0.25f)) == 0.5f);
    CHECK(__builtin_fma(OPAQUE(0x1p60), OPAQUE(0x1p60), -0x1p120) == 0 &&
          __builtin_fma(OPAQUE(1.0 + 0x1p-52), OPAQUE(1.0 + 0x1p-52), -1.0 - 0x1p-51) == 0x1p-104);
    CHECK(__builtin_fma(-OPAQUE(2.0), OPAQUE(3.0), 10.0) == 4 && __builtin_fma(OPAQUE(2.0), OPAQUE(3.0), -OPAQUE(1.0)) == 5);
    CHECK((int)OPAQUE(-3.99) == -3 && (unsigned)OPAQUE(4e9) == 4000000000u && (long)OPAQUE(-1e15f) == -999999986991104);
    CHECK((unsigned long)OPAQUE(1.8e19) == 18000000000000000000u && (unsigned char)OPAQUE(200.7f) == 200);
    CHECK((double)OPAQUE(-5) == -5.0 && (double)OPAQUE(4000000000u) == 4e9 && (float)OPAQUE(16777217) == 16777216.0f);
    CHECK((double)OPAQUE(1ul << 63) == 0x1p63 && (float)OPAQUE(~0ul) == 0x1p64f);
    CHECK((float)OPAQUE(0.1) == 0.1f && (double)OPAQUE(0.1f) == 0x1.99999ap-4);
    CHECK(pick(4, 1.25, 2.5) == 1.25 && pick(3, 1.25, 2.5) == 2.5);
    static const float v[] = {0.5f, 0.25f, 4, -1};
    CHECK(fsum(v, 4) == 3.75f);
    CHECK(bits(OPAQUE(3.141592653589793)) == 0x400921fb54442d18 && fbits(OPAQUE(1e-3f)) == 0x3a83126f);
    CHECK(__builtin_fmin(OPAQUE(1.0), 2.0) == 1 && __builtin_fmax(OPAQUE(NAN), 2.0) == 2);
    CHECK(sizeof(long double) == 8 && OPAQUE(1.5L) * 2 == 3);
    float f = OPAQUE(1.0f);
    uint32_t u = fbits(f) + 1;
    __builtin_memcpy(&f, &u, 4);
    CHECK(f > 1.0f && f < 1.0000002f);
}
