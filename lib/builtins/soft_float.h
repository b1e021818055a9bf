// SPDX-License-Identifier: BSD-2-Clause
// IEEE 754 binary arithmetic on integers, rounding to nearest even, without flags. One body serves
// every format: a value is unpacked to a sign, an exponent and a 63-bit significand, and rounded once
// when it is packed.
#ifndef LINX_SOFT_FLOAT_H
#define LINX_SOFT_FLOAT_H
#include "builtins.h"

typedef struct { int mant, exp; } format; // stored significand bits, exponent bits
#define F16 ((format){10, 5})
#define BF16 ((format){7, 8})
#define F32 ((format){23, 8})
#define F64 ((format){52, 11})

typedef enum { IS_ZERO, IS_FINITE, IS_INF, IS_NAN } kind;
typedef struct {
    kind is;
    bool minus;
    int exp;      // IS_FINITE: value = sig * 2^(exp - 62)
    uint64_t sig; // bit 62 set; bit 0 also stands for everything below it ("sticky")
} number;

static inline uint64_t bits64(double v) { union { double f; uint64_t u; } x = {v}; return x.u; }
static inline uint32_t bits32(float v) { union { float f; uint32_t u; } x = {v}; return x.u; }
static inline double double_of(uint64_t v) { union { uint64_t u; double f; } x = {v}; return x.f; }
static inline float float_of(uint64_t v) { union { uint32_t u; float f; } x = {(uint32_t)v}; return x.f; }

// v >> n for n >= 0, where a lost bit sets bit 0.
static inline uint64_t shr_sticky(uint64_t v, int n) {
    if (n == 0) return v;
    if (n > 63) return v != 0;
    return v >> n | ((v << (64 - n)) != 0);
}

// sig * 2^(exp - 62) with any nonzero sig, brought to the form of "number".
static inline number normal(bool minus, int exp, uint64_t sig) {
    int lead = lead64(sig);
    if (lead == 0) return (number){IS_FINITE, minus, exp + 1, shr_sticky(sig, 1)};
    return (number){IS_FINITE, minus, exp - (lead - 1), sig << (lead - 1)};
}

static inline number unpack(uint64_t bits, format f) {
    int max = (1 << f.exp) - 1, bias = max >> 1;
    int exp = (int)(bits >> f.mant) & max;
    uint64_t mant = bits & ((1ull << f.mant) - 1);
    bool minus = bits >> (f.mant + f.exp) & 1;
    if (exp == max) return (number){mant ? IS_NAN : IS_INF, minus, 0, 0};
    if (exp) return (number){IS_FINITE, minus, exp - bias, (1ull << f.mant | mant) << (62 - f.mant)};
    if (mant) return normal(minus, 1 - bias, mant << (62 - f.mant));
    return (number){IS_ZERO, minus, 0, 0};
}

static inline uint64_t pack(number n, format f) {
    int max = (1 << f.exp) - 1, bias = max >> 1, spare = 62 - f.mant;
    uint64_t sign = (uint64_t)n.minus << (f.mant + f.exp), inf = (uint64_t)max << f.mant;
    if (n.is == IS_NAN) return inf | 1ull << (f.mant - 1);
    if (n.is == IS_ZERO) return sign;
    if (n.is == IS_INF) return sign | inf;
    int exp = n.exp + bias;
    if (exp >= max) return sign | inf;
    uint64_t sig = n.sig;
    if (exp <= 0) { // subnormal: the exponent field is 0 and stands for 1 - bias
        sig = shr_sticky(sig, 1 - exp);
        exp = 0;
    }
    uint64_t half = 1ull << (spare - 1), rest = sig & (2 * half - 1);
    uint64_t mant = sig >> spare;
    if (rest > half || (rest == half && (mant & 1))) mant++;
    // A carry out of the significand moves into the exponent, up to infinity; so does the hidden bit
    // of the result of rounding a subnormal up.
    return sign | (exp ? ((uint64_t)(exp - 1) << f.mant) + mant : mant);
}

static inline number f_nan(void) { return (number){IS_NAN, false, 0, 0}; }

static inline number f_add(number a, number b) {
    if (a.is == IS_NAN || b.is == IS_NAN) return f_nan();
    if (a.is == IS_INF) return b.is == IS_INF && a.minus != b.minus ? f_nan() : a;
    if (b.is == IS_INF) return b;
    if (a.is == IS_ZERO) {
        if (b.is == IS_ZERO) b.minus = a.minus && b.minus;
        return b;
    }
    if (b.is == IS_ZERO) return a;
    if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig)) {
        number t = a;
        a = b;
        b = t;
    }
    uint64_t low = shr_sticky(b.sig, a.exp - b.exp);
    if (a.minus == b.minus) return normal(a.minus, a.exp, a.sig + low);
    if (a.sig == low) return (number){IS_ZERO, false, 0, 0};
    return normal(a.minus, a.exp, a.sig - low);
}

static inline number f_mul(number a, number b) {
    bool minus = a.minus != b.minus;
    if (a.is == IS_NAN || b.is == IS_NAN) return f_nan();
    if (a.is == IS_INF || b.is == IS_INF)
        return a.is == IS_ZERO || b.is == IS_ZERO ? f_nan() : (number){IS_INF, minus, 0, 0};
    if (a.is == IS_ZERO || b.is == IS_ZERO) return (number){IS_ZERO, minus, 0, 0};
    wide p = mul64wide(a.sig << 1, b.sig << 1); // leading one at bit 126 or 127
    return normal(minus, a.exp + b.exp, p.high | (p.low != 0));
}

static inline number f_div(number a, number b) {
    bool minus = a.minus != b.minus;
    if (a.is == IS_NAN || b.is == IS_NAN) return f_nan();
    if (a.is == IS_INF) return b.is == IS_INF ? f_nan() : (number){IS_INF, minus, 0, 0};
    if (b.is == IS_INF) return (number){IS_ZERO, minus, 0, 0};
    if (b.is == IS_ZERO) return a.is == IS_ZERO ? f_nan() : (number){IS_INF, minus, 0, 0};
    if (a.is == IS_ZERO) return (number){IS_ZERO, minus, 0, 0};
    u128 rest, q = FN(__udivmodti4)(make128(a.sig >> 2, a.sig << 62), make128(0, b.sig), &rest);
    return normal(minus, a.exp - b.exp, wide_of(q).low | (rest != 0)); // quotient at bit 61 or 62
}

// -1, 0, 1 for less, equal, greater; 2 for unordered.
static inline int f_compare(number a, number b) {
    if (a.is == IS_NAN || b.is == IS_NAN) return 2;
    int sa = a.is == IS_ZERO ? 0 : a.minus ? -1 : 1, sb = b.is == IS_ZERO ? 0 : b.minus ? -1 : 1;
    if (sa != sb) return sa < sb ? -1 : 1;
    if (sa == 0) return 0;
    int order;
    if (a.is != b.is) order = a.is == IS_INF ? 1 : -1;
    else if (a.is == IS_INF) order = 0;
    else if (a.exp != b.exp) order = a.exp < b.exp ? -1 : 1;
    else order = a.sig == b.sig ? 0 : a.sig < b.sig ? -1 : 1;
    return sa * order;
}

// Integers. A value out of range gives the nearest integer of the type, NaN gives 0.

static inline u128 to_u128(number n, int bits) {
    u128 max = shr128(~(u128)0, (unsigned)(128 - bits));
    if (n.is == IS_NAN || n.is == IS_ZERO || n.minus) return 0;
    if (n.is == IS_INF || n.exp >= bits) return max;
    if (n.exp < 0) return 0;
    u128 sig = make128(0, n.sig);
    return n.exp <= 62 ? shr128(sig, (unsigned)(62 - n.exp)) : shl128(sig, (unsigned)(n.exp - 62));
}
static inline i128 to_i128(number n, int bits) {
    bool minus = n.minus;
    n.minus = false;
    wide lim = wide_of(shl128(1, (unsigned)(bits - 1))), w = wide_of(to_u128(n, 128));
    bool over = w.high > lim.high || (w.high == lim.high && w.low >= lim.low);
    if (over) w = lim;
    if (minus) return (i128)make128(~w.high + (w.low == 0), 0 - w.low);
    if (over) return (i128)make128(lim.high - (lim.low == 0), lim.low - 1);
    return (i128)w.all;
}
static inline number from_u128(u128 v, bool minus) {
    int lead = lead128(v);
    if (lead == 128) return (number){IS_ZERO, false, 0, 0};
    wide w = wide_of(shl128(v, (unsigned)lead)); // leading one at bit 127
    return normal(minus, 126 - lead, w.high | (w.low != 0));
}
static inline number from_i128(i128 v) {
    wide w = wide_of((u128)v);
    if ((int64_t)w.high >= 0) return from_u128(w.all, false);
    return from_u128(make128(~w.high + (w.low == 0), 0 - w.low), true);
}
#endif
