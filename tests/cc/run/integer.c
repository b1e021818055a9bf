// SPDX-License-Identifier: BSD-2-Clause
// Arithmetic of all widths against values worked out by hand or by another path.
#include "test.h"
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

NOINLINE static uint64_t mulh_slow(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t m = ah * bl + (al * bl >> 32), n = al * bh + (uint32_t)m;
    return ah * bh + (m >> 32) + (n >> 32);
}
NOINLINE static uint32_t rot_slow(uint32_t v, unsigned n)
{
    for (; n; n--)
        v = v * 2 + (v >> 31);
    return v;
}
NOINLINE static int popcount_slow(uint64_t v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

void test(void)
{
    static const uint64_t v[] = {0, 1, 2, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
                                 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffff800};
    enum { N = sizeof v / sizeof *v };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint64_t a = OPAQUE(v[i]), b = OPAQUE(v[j]);
            CHECK((uint64_t)((u128)a * b >> 64) == mulh_slow(a, b));
            CHECK((uint64_t)((i128)(int64_t)a * (int64_t)b >> 64) ==
                  mulh_slow(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0));
            if (b) {
                CHECK(a / b * b + a % b == a && a % b < b);
                u128 x = (u128)a << 64 | b, q = x / b;
                CHECK(q * b + x % b == x);
                if ((uint32_t)b)
                    CHECK((uint32_t)a / (uint32_t)b * (uint32_t)b + (uint32_t)a % (uint32_t)b == (uint32_t)a);
                if (!(a == 1ull << 63 && b == ~0ull))
                    CHECK((int64_t)a / (int64_t)b * (int64_t)b + (int64_t)a % (int64_t)b == (int64_t)a);
            }
            CHECK((a < b) == ((u128)a < b) && ((int64_t)a < (int64_t)b) == ((i128)(int64_t)a < (int64_t)b));
            CHECK(((uint32_t)a < (uint32_t)b) == ((a & 0xffffffff) < (b & 0xffffffff)));
            CHECK((a == b) == !(a ^ b) && (a >= b) == !(a < b));
            CHECK((int32_t)((uint32_t)a + (uint32_t)b) == (int32_t)(a + b));
            CHECK((a & ~b) == (a & (b ^ ~0ull)) && (a | ~b) == ~(~a & b));
            int64_t wide_sum;
            CHECK(__builtin_add_overflow((int64_t)a, (int64_t)b, &wide_sum) ==
                  ((i128)(int64_t)a + (int64_t)b != (int64_t)(a + b)));
        }
    for (int i = 0; i < N; i++) {
        uint64_t a = OPAQUE(v[i]);
        for (unsigned n = 0; n < 64; n++) {
            unsigned k = OPAQUE(n);
            CHECK(a << k == (uint64_t)((u128)a << k) && (a >> k) == (uint64_t)((u128)a << (64 - k) >> 64));
            CHECK(((int64_t)a >> k) == (int64_t)((i128)(int64_t)a >> k));
            if (n < 32) {
                CHECK((uint32_t)a << k == (uint32_t)(a << k) && ((uint32_t)a >> k) == (a & 0xffffffff) >> k);
                CHECK(((int32_t)a >> k) == (int64_t)(int32_t)a >> k);
                if (n)
                    CHECK(((uint32_t)a << k | (uint32_t)a >> (32 - k)) == rot_slow((uint32_t)a, n));
            }
            u128 x = (u128)a << 64 | v[N - 1 - i];
            CHECK(x << k >> k == (n ? x & ~(u128)0 >> n : x));
            CHECK(x >> (k + 64) == a >> k);
        }
        CHECK(((uint32_t)a << 7 | (uint32_t)a >> 25) == rot_slow((uint32_t)a, 7));
        CHECK((a << 13 | a >> 51) == ((a << 12 | a >> 52) << 1 | (a << 12 | a >> 52) >> 63));
        CHECK(__builtin_popcountll(a) == popcount_slow(a) && __builtin_popcount((uint32_t)a) == popcount_slow((uint32_t)a));
        if (a) {
            CHECK(a >> (63 - __builtin_clzll(a)) == 1);
            CHECK((a >> __builtin_ctzll(a) & 1) && (a & ((1ull << __builtin_ctzll(a)) - 1)) == 0);
        }
        if ((uint32_t)a) {
            CHECK((uint32_t)a >> (31 - __builtin_clz((uint32_t)a)) == 1);
            CHECK((uint32_t)a >> __builtin_ctz((uint32_t)a) & 1);
        }
        uint64_t r = 0;
        for (int k = 0; k < 64; k += 8)
            r = r << 8 | (a >> k & 255);
        CHECK(__builtin_bswap64(a) == r && __builtin_bswap32((uint32_t)a) == (uint32_t)(r >> 32));
        CHECK(__builtin_bswap16((uint16_t)a) == (uint16_t)((a & 255) << 8 | (a >> 8 & 255)));
        // bit fields: extract, clear, set, insert
        CHECK((a >> 5 & 0x1ff) == a / 32 % 512 && (a & 0xff0000) == a % 0x1000000 - a % 0x10000);
        CHECK((a & ~0xff0000ull) + (a & 0xff0000) == a && (a | 0xff00000) == a - (a & 0xff00000) + 0xff00000);
        CHECK((int64_t)(int8_t)a == ((int64_t)(a << 56) >> 56) && (int64_t)(int16_t)(a >> 3) == (int64_t)((a >> 3) << 48) >> 48);
    }
    CHECK(OPAQUE(0x123456789abcdef0ll) + 1 == 0x123456789abcdef1ll);
    CHECK(OPAQUE(-5000) == -5000 && OPAQUE(0x80000000u) == 0x80000000u && OPAQUE(-0x10000000000ll) == -0x8000000000ll * 2);
    CHECK(OPAQUE(1000) / 10 == 100 && OPAQUE(-1000) / 7 == -142 && OPAQUE(-1000) % 7 == -6);
    CHECK(OPAQUE(4000000000u) / 10 == 400000000 && OPAQUE(123456789012345ll) / 1000 == 123456789012ll);
}
