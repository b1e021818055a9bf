// SPDX-License-Identifier: BSD-2-Clause
// 128-bit integers: products, shifts, comparison, division.
#include "builtins.h"

i128 FN(__multi3)(i128 a, i128 b) {
    wide x = wide_of((u128)a), y = wide_of((u128)b), p = mul64wide(x.low, y.low);
    return (i128)make128(p.high + x.low * y.high + x.high * y.low, p.low);
}

i128 FN(__ashlti3)(i128 v, int n) { return (i128)shl128((u128)v, (unsigned)n & 127); }
i128 FN(__lshrti3)(i128 v, int n) { return (i128)shr128((u128)v, (unsigned)n & 127); }
i128 FN(__ashrti3)(i128 v, int n) {
    wide w = wide_of((u128)v);
    int64_t high = (int64_t)w.high;
    unsigned s = (unsigned)n & 127;
    if (s == 0) return v;
    if (s >= 64) return (i128)make128((uint64_t)(high >> 63), (uint64_t)(high >> (s - 64)));
    return (i128)make128((uint64_t)(high >> s), w.high << (64 - s) | w.low >> s);
}

i128 FN(__negti2)(i128 v) {
    wide w = wide_of((u128)v);
    return (i128)make128(~w.high + (w.low == 0), 0 - w.low);
}

// 0, 1, 2 for less, equal, greater.
int FN(__ucmpti2)(u128 a, u128 b) {
    wide x = wide_of(a), y = wide_of(b);
    if (x.high != y.high) return x.high < y.high ? 0 : 2;
    return x.low < y.low ? 0 : x.low == y.low ? 1 : 2;
}
int FN(__cmpti2)(i128 a, i128 b) {
    wide x = wide_of((u128)a), y = wide_of((u128)b);
    if (x.high != y.high) return (int64_t)x.high < (int64_t)y.high ? 0 : 2;
    return x.low < y.low ? 0 : x.low == y.low ? 1 : 2;
}

static inline u128 sub128(u128 a, u128 b) {
    wide x = wide_of(a), y = wide_of(b);
    return make128(x.high - y.high - (x.low < y.low), x.low - y.low);
}
static inline bool less128(u128 a, u128 b) {
    wide x = wide_of(a), y = wide_of(b);
    return x.high != y.high ? x.high < y.high : x.low < y.low;
}

// (high:low) / d where high < d: schoolbook division by two 32-bit digits (Knuth, algorithm D).
static uint64_t div_128_64(uint64_t high, uint64_t low, uint64_t d, uint64_t *rest) {
    int s = lead64(d);
    d <<= s;
    uint64_t d1 = d >> 32, d0 = (uint32_t)d;
    uint64_t n = s ? high << s | low >> (64 - s) : high, digits = low << s, q[2];
    for (int i = 0; i < 2; i++) {
        uint64_t next = i ? (uint32_t)digits : digits >> 32;
        uint64_t guess = n / d1, left = n % d1;
        while (guess >> 32 || guess * d0 > (left << 32 | next)) {
            guess--;
            left += d1;
            if (left >> 32) break;
        }
        n = (n << 32 | next) - guess * d;
        q[i] = guess;
    }
    *rest = n >> s;
    return q[0] << 32 | q[1];
}

u128 FN(__udivmodti4)(u128 a, u128 b, u128 *rest) {
    wide n = wide_of(a), d = wide_of(b);
    if (less128(a, b)) {
        if (rest) *rest = a;
        return 0;
    }
    if (d.high == 0) {
        if (d.low == 0) __builtin_trap();
        uint64_t r, high = n.high / d.low;
        uint64_t low = div_128_64(n.high % d.low, n.low, d.low, &r);
        if (rest) *rest = make128(0, r);
        return make128(high, low);
    }
    // The quotient is below 2^64. Divide by the divisor's leading 64 bits; that is at most 1 too much.
    int s = lead64(d.high);
    uint64_t lead = s ? d.high << s | d.low >> (64 - s) : d.high, unused;
    wide half = wide_of(shr128(a, 1));
    uint64_t q = div_128_64(half.high, half.low, lead, &unused) >> (63 - s);
    if (q) q--;
    wide p = mul64wide(q, d.low);
    p.high += q * d.high;
    u128 r = sub128(a, p.all);
    if (!less128(r, b)) {
        q++;
        r = sub128(r, b);
    }
    if (rest) *rest = r;
    return make128(0, q);
}

u128 FN(__udivti3)(u128 a, u128 b) { return FN(__udivmodti4)(a, b, NULL); }
u128 FN(__umodti3)(u128 a, u128 b) {
    u128 r;
    FN(__udivmodti4)(a, b, &r);
    return r;
}

static inline bool negative(i128 v) { return (int64_t)wide_of((u128)v).high < 0; }
static inline u128 magnitude(i128 v) { return (u128)(negative(v) ? FN(__negti2)(v) : v); }
static inline i128 signed_as(u128 v, bool minus) { return minus ? FN(__negti2)((i128)v) : (i128)v; }

i128 FN(__divmodti4)(i128 a, i128 b, i128 *rest) {
    u128 r, q = FN(__udivmodti4)(magnitude(a), magnitude(b), &r);
    if (rest) *rest = signed_as(r, negative(a));
    return signed_as(q, negative(a) != negative(b));
}
i128 FN(__divti3)(i128 a, i128 b) { return FN(__divmodti4)(a, b, NULL); }
i128 FN(__modti3)(i128 a, i128 b) {
    i128 r;
    FN(__divmodti4)(a, b, &r);
    return r;
}

// Product with *overflow = 1 when it does not fit.
i128 FN(__muloti4)(i128 a, i128 b, int *overflow) {
    wide x = wide_of(magnitude(a)), y = wide_of(magnitude(b));
    wide low = mul64wide(x.low, y.low), m1 = mul64wide(x.high, y.low), m2 = mul64wide(x.low, y.high);
    uint64_t mid = m1.low + m2.low, high = low.high + mid;
    bool minus = negative(a) != negative(b);
    bool over = (x.high && y.high) || m1.high || m2.high || mid < m1.low || high < mid;
    // The magnitude must be below 2^127, or exactly 2^127 when negative.
    over |= minus ? high > 1ull << 63 || (high == 1ull << 63 && low.low) : high >> 63;
    *overflow = over;
    return signed_as(make128(high, low.low), minus);
}
