// SPDX-License-Identifier: BSD-2-Clause
// Add, multiply, fused multiply-add, divide, square root, reciprocal.
//
// The generic bodies work on integers alone. FP64 and FP32 additions and multiplications in RNE first try the
// host's arithmetic (IEEE 754 in every host that the project builds on; the build fixes -ffp-contract=off) where
// exactness, the only flag that can then be raised, can be told exactly; anything else falls to the generic body.
#include "fp_core.h"

#include <math.h>
#include <string.h>

// ---- generic bodies ------------------------------------------------------------------------------------------

static inline __attribute__((always_inline)) uint64_t add_in(struct fp_layout l, uint64_t x, uint64_t y,
                                                             enum fp_round rm, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y);
    if (a.kind != KIND_FINITE || b.kind != KIND_FINITE) {
        if (fp_is_nan(a) || fp_is_nan(b))
            return fp_from_nan(l, a, b, flags);
        if (a.kind == KIND_INF)
            return b.kind == KIND_INF && a.sign != b.sign ? fp_invalid(l, flags) : fp_inf(l, a.sign);
        if (b.kind == KIND_INF)
            return fp_inf(l, b.sign);
        if (a.kind == KIND_FINITE)
            return fp_round_pack(l, a.sign, a.exp, a.sig, rm, flags);
        if (b.kind == KIND_FINITE)
            return fp_round_pack(l, b.sign, b.exp, b.sig, rm, flags);
        return (a.sign == b.sign ? a.sign : rm == FP_RDN) ? fp_sign_bit(l) : 0;
    }
    if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig)) {
        struct fp_num t = a; a = b; b = t;
    }
    // One bit of headroom above; at least 10 spare bits below, so that a shifted-out part of b stays below the
    // rounding position even after the one-bit cancellation which a shift of two or more leaves possible.
    uint64_t s = a.sig >> 1, t = shr_jam64(b.sig >> 1, a.exp - b.exp);
    uint64_t sum = a.sign == b.sign ? s + t : s - t;
    if (!sum)
        return rm == FP_RDN ? fp_sign_bit(l) : 0;
    int lead = __builtin_clzll(sum);
    return fp_round_pack(l, a.sign, a.exp + 1 - lead, sum << lead, rm, flags);
}

static inline __attribute__((always_inline)) uint64_t mul_in(struct fp_layout l, uint64_t x, uint64_t y,
                                                             enum fp_round rm, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y);
    bool sign = a.sign != b.sign;
    if (a.kind != KIND_FINITE || b.kind != KIND_FINITE) {
        if (fp_is_nan(a) || fp_is_nan(b))
            return fp_from_nan(l, a, b, flags);
        if (a.kind == KIND_INF || b.kind == KIND_INF)
            return a.kind == KIND_ZERO || b.kind == KIND_ZERO ? fp_invalid(l, flags) : fp_inf(l, sign);
        return sign ? fp_sign_bit(l) : 0;
    }
    u128 p = (u128)a.sig * b.sig;
    int exp = a.exp + b.exp + 1;
    if (!(p >> 127)) {
        p <<= 1;
        exp--;
    }
    return fp_round_pack(l, sign, exp, (uint64_t)(p >> 64) | ((uint64_t)p != 0), rm, flags);
}

static inline __attribute__((always_inline)) uint64_t madd_in(struct fp_layout l, uint64_t x, uint64_t y,
                                                              uint64_t z, enum fp_round rm, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y), c = fp_unpack(l, z);
    bool sign = a.sign != b.sign;
    if (a.kind != KIND_FINITE || b.kind != KIND_FINITE || c.kind != KIND_FINITE) {
        bool inf_by_zero = (a.kind == KIND_INF && b.kind == KIND_ZERO) || (a.kind == KIND_ZERO && b.kind == KIND_INF);
        if (fp_is_nan(a) || fp_is_nan(b) || fp_is_nan(c)) {
            if (inf_by_zero || c.kind == KIND_SNAN)
                *flags |= FP_NV;
            return fp_from_nan(l, a, b, flags);
        }
        if (inf_by_zero)
            return fp_invalid(l, flags);
        if (a.kind == KIND_INF || b.kind == KIND_INF)
            return c.kind == KIND_INF && c.sign != sign ? fp_invalid(l, flags) : fp_inf(l, sign);
        if (c.kind == KIND_INF)
            return fp_inf(l, c.sign);
        if (a.kind == KIND_ZERO || b.kind == KIND_ZERO) {
            if (c.kind == KIND_FINITE)
                return fp_round_pack(l, c.sign, c.exp, c.sig, rm, flags);
            return (c.sign == sign ? sign : rm == FP_RDN) ? fp_sign_bit(l) : 0;
        }
        // a*b + 0 with a finite product goes on: c takes part as nothing
    }
    // The product exactly, bit 126 leading; a 106-bit product leaves at least 20 zero bits below it.
    u128 p = (u128)a.sig * b.sig;
    int exp = a.exp + b.exp;
    if (p >> 127) {
        p >>= 1;
        exp++;
    }
    u128 sum = p;
    if (c.kind == KIND_FINITE) {
        u128 q = (u128)c.sig << 63;
        if (exp > c.exp) {
            q = shr_jam128(q, exp - c.exp);
        } else {
            p = shr_jam128(p, c.exp - exp);
            exp = c.exp;
        }
        if (sign == c.sign) {
            sum = p + q;
        } else if (p >= q) {
            sum = p - q;
        } else {
            sum = q - p;
            sign = c.sign;
        }
        if (!sum)
            return rm == FP_RDN ? fp_sign_bit(l) : 0;
    }
    uint64_t high = sum >> 64;
    int lead = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)sum);
    sum <<= lead;
    return fp_round_pack(l, sign, exp + 1 - lead, (uint64_t)(sum >> 64) | ((uint64_t)sum != 0), rm, flags);
}

static inline __attribute__((always_inline)) uint64_t div_in(struct fp_layout l, uint64_t x, uint64_t y,
                                                             enum fp_round rm, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y);
    bool sign = a.sign != b.sign;
    if (a.kind != KIND_FINITE || b.kind != KIND_FINITE) {
        if (fp_is_nan(a) || fp_is_nan(b))
            return fp_from_nan(l, a, b, flags);
        if (a.kind == b.kind)
            return fp_invalid(l, flags);        // 0/0, inf/inf
        if (a.kind == KIND_INF)
            return fp_inf(l, sign);
        if (b.kind == KIND_ZERO) {
            *flags |= FP_DZ;
            return fp_inf(l, sign);
        }
        return sign ? fp_sign_bit(l) : 0;
    }
    int exp = a.exp - b.exp - (a.sig < b.sig);
    u128 n = (u128)a.sig << (a.sig < b.sig ? 64 : 63);
    uint64_t q = (uint64_t)(n / b.sig);
    return fp_round_pack(l, sign, exp, q | ((u128)q * b.sig != n), rm, flags);
}

// floor(sqrt(n)) for n with bit 126 or 127 set.
static uint64_t isqrt128(u128 n)
{
    // The host's correctly rounded square root gives 52 good bits, one Newton step all but the last unit or two.
    double estimate = sqrt((double)(uint64_t)(n >> 64)) * 0x1p32;
    uint64_t r = estimate < 0x1p64 ? (uint64_t)estimate : UINT64_MAX;
    __int128 rest = (__int128)(n - (u128)r * r);
    r += (int64_t)(rest / ((__int128)r << 1));
    while ((u128)r * r > n)
        r--;
    while (r != UINT64_MAX && (u128)(r + 1) * (r + 1) <= n)
        r++;
    return r;
}

static inline __attribute__((always_inline)) uint64_t sqrt_in(struct fp_layout l, uint64_t x, enum fp_round rm,
                                                              unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x);
    if (fp_is_nan(a))
        return fp_from_nan(l, a, a, flags);
    if (a.kind == KIND_ZERO)
        return a.sign ? fp_sign_bit(l) : 0;
    if (a.sign)
        return fp_invalid(l, flags);
    if (a.kind == KIND_INF)
        return fp_inf(l, 0);
    // a = n * 2**(even - 126), so sqrt(a) = sqrt(n) * 2**(even/2 - 63) with bit 63 of the root leading.
    bool odd = a.exp & 1;
    u128 n = (u128)a.sig << (odd ? 64 : 63);
    uint64_t r = isqrt128(n);
    return fp_round_pack(l, 0, (a.exp - odd) / 2, r | ((u128)r * r != n), rm, flags);
}

// ---- the host's arithmetic where it is provably the same ------------------------------------------------------

static inline double as_double(uint64_t v) { double d; memcpy(&d, &v, 8); return d; }
static inline uint64_t of_double(double d) { uint64_t v; memcpy(&v, &d, 8); return v; }
static inline float as_float(uint32_t v) { float d; memcpy(&d, &v, 4); return d; }
static inline uint32_t of_float(float d) { uint32_t v; memcpy(&v, &d, 4); return v; }

// A finite sum rounded to nearest has the exact error b - (s - a) for |a| >= |b|; sums never underflow inexactly.
static inline bool add64_host(uint64_t x, uint64_t y, uint64_t *r, unsigned *flags)
{
    double a = as_double(x), b = as_double(y), s = a + b;
    if (!(fabs(s) <= 0x1.fffffffffffffp1023))
        return false;
    double big = fabs(a) < fabs(b) ? b : a, small = fabs(a) < fabs(b) ? a : b;
    *flags |= small - (s - big) != 0 ? FP_NX : 0;
    *r = of_double(s);
    return true;
}
static inline bool add32_host(uint32_t x, uint32_t y, uint64_t *r, unsigned *flags)
{
    float a = as_float(x), b = as_float(y), s = a + b;
    if (!(fabsf(s) <= 0x1.fffffep127f))
        return false;
    float big = fabsf(a) < fabsf(b) ? b : a, small = fabsf(a) < fabsf(b) ? a : b;
    *flags |= small - (s - big) != 0 ? FP_NX : 0;
    *r = of_float(s);
    return true;
}

// A product of normal size is inexact when its exact 105 or 106 bits end below the 53 kept ones.
static inline bool mul64_host(uint64_t x, uint64_t y, uint64_t *r, unsigned *flags)
{
    double p = as_double(x) * as_double(y);
    uint64_t bits = of_double(p);
    int ex = x >> 52 & 0x7ff, ey = y >> 52 & 0x7ff, ep = bits >> 52 & 0x7ff;
    if (!ex || !ey || ep <= 1 || ep == 0x7ff)
        return false;
    int zeros = __builtin_ctzll(x | 1ull << 52) + __builtin_ctzll(y | 1ull << 52);
    *flags |= zeros < (ep - (ex + ey - 1023) ? 53 : 52) ? FP_NX : 0;
    *r = bits;
    return true;
}
// Products of FP32 numbers are exact in a double.
static inline bool mul32_host(uint32_t x, uint32_t y, uint64_t *r, unsigned *flags)
{
    double exact = (double)as_float(x) * (double)as_float(y);
    float p = (float)exact;
    if (!(fabsf(p) <= 0x1.fffffep127f) || (fabs(exact) < 0x1p-125 && exact != 0))
        return false;
    *flags |= (double)p != exact ? FP_NX : 0;
    *r = of_float(p);
    return true;
}
// FP32 a*b exactly, plus c in double rounded to odd, then to FP32: the same as rounding once, for 53 >= 24 + 2.
static inline bool madd32_host(uint32_t x, uint32_t y, uint32_t z, uint64_t *r, unsigned *flags)
{
    double p = (double)as_float(x) * (double)as_float(y), c = as_float(z), s = p + c;
    float f = (float)s;
    if (!(fabsf(f) <= 0x1.fffffep127f) || (fabs(s) < 0x1p-125 && s != 0))
        return false;
    double big = fabs(p) < fabs(c) ? c : p, small = fabs(p) < fabs(c) ? p : c;
    double err = small - (s - big);
    if (err != 0) {
        uint64_t bits = of_double(s);
        if (!(bits & 1))                        // to odd: towards the side where the exact sum lies
            bits += (err > 0) == (s > 0) ? 1 : -1;
        f = (float)as_double(bits);
        *flags |= FP_NX;
    } else {
        *flags |= (double)f != s ? FP_NX : 0;
    }
    if (!(fabsf(f) <= 0x1.fffffep127f))
        return false;
    *r = of_float(f);
    return true;
}

// ---- public functions -----------------------------------------------------------------------------------------

uint64_t fp_add(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags)
{
    uint64_t r;
    if (rm == FP_RNE && ((f == FP_F32 && add32_host((uint32_t)a, (uint32_t)b, &r, flags)) ||
                         (f == FP_F64 && add64_host(a, b, &r, flags))))
        return r;
    FP_BY_FORMAT(f, add_in(l, a, b, rm, flags))
}

uint64_t fp_sub(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags)
{
    // A NaN operand keeps being one of its kind, so subtraction is addition of the negated operand.
    return fp_add(f, a, b ^ fp_sign_bit(fp_layout(f)), rm, flags);
}

uint64_t fp_mul(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags)
{
    uint64_t r;
    if (rm == FP_RNE && ((f == FP_F32 && mul32_host((uint32_t)a, (uint32_t)b, &r, flags)) ||
                         (f == FP_F64 && mul64_host(a, b, &r, flags))))
        return r;
    FP_BY_FORMAT(f, mul_in(l, a, b, rm, flags))
}

uint64_t fp_madd(enum fp_format f, uint64_t a, uint64_t b, uint64_t c, enum fp_round rm, unsigned *flags)
{
    uint64_t r;
    if (rm == FP_RNE && f == FP_F32 && madd32_host((uint32_t)a, (uint32_t)b, (uint32_t)c, &r, flags))
        return r;
    FP_BY_FORMAT(f, madd_in(l, a, b, c, rm, flags))
}

uint64_t fp_div(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags)
{
    FP_BY_FORMAT(f, div_in(l, a, b, rm, flags))
}

uint64_t fp_sqrt(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags)
{
    FP_BY_FORMAT(f, sqrt_in(l, a, rm, flags))
}

uint64_t fp_recip(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags)
{
    struct fp_layout l = fp_layout(f);
    return fp_div(f, (uint64_t)fp_bias(l) << (l.mbits + l.pad), a, rm, flags);
}
