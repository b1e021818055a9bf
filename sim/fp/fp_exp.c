// SPDX-License-Identifier: BSD-2-Clause
// e**x, correctly rounded in every format and mode, from integer and plain double arithmetic only (no libm), so
// that every host gives the same bits.
//
// e**x of a non-zero x is irrational: never exact, never a tie. The narrow formats first compute in double with a
// relative error below 2**-49 and accept the result when every value that near rounds the same way. The rest, and
// FP64, compute to 2**-240; the hardest FP64 arguments need less than 2**-160 (Lefevre and Muller's tables).
#include "fp_core.h"

#include <string.h>

enum { LIMBS = 5 };                             // little-endian, 256 fraction bits and a 64-bit integer part
typedef struct { uint64_t w[LIMBS]; } fixed;

static const fixed LN2 = {{0x8a0d175b8baafa2b, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab, 0}};

static void fixed_add(fixed *a, const fixed *b)
{
    u128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (u128)a->w[i] + b->w[i];
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void fixed_negate(fixed *a)
{
    u128 carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        carry += ~a->w[i];
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void fixed_mul_small(fixed *a, uint64_t m)
{
    u128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (u128)a->w[i] * m;
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void fixed_div_small(fixed *a, uint64_t d)
{
    u128 rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 64 | a->w[i];
        a->w[i] = (uint64_t)(rest / d);
        rest %= d;
    }
}

// a * b for non-negative a and b, truncated to 2**-256.
static fixed fixed_mul(const fixed *a, const fixed *b)
{
    uint64_t p[2 * LIMBS] = {0};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            u128 t = (u128)a->w[i] * b->w[j] + p[i + j] + carry;
            p[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        p[i + LIMBS] = carry;
    }
    fixed r;
    memcpy(r.w, p + LIMBS - 1, sizeof r.w);
    return r;
}

static bool fixed_below(const fixed *a, const fixed *b)         // unsigned a < b
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->w[i] != b->w[i])
            return a->w[i] < b->w[i];
    return false;
}

static double num_as_double(struct fp_num n)
{
    // 53 bits are enough for the exact value of every narrow format and for an estimate of FP64. |exp| < 64 here.
    double d = (double)(n.sig >> 11) * 0x1p-52;
    uint64_t scale = (uint64_t)(1023 + n.exp) << 52;
    double s;
    memcpy(&s, &scale, 8);
    return n.sign ? -d * s : d * s;
}

static const double INV_LN2 = 0x1.71547652b82fep+0, LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

// e**x = *sig / 2**63 * 2**result with *sig's bit 63 set; error below one unit of bit 0, which is set as sticky.
static int exp_exact(struct fp_num n, uint64_t *sig)
{
    fixed r = {{0}};
    // 2**-60 <= |x| < 2**12: bit 0 of the significand's 53 lies at 2**-112 or above.
    int low = n.exp - 52 + 256;                 // position of the last significand bit
    uint64_t s = n.sig >> 11;
    r.w[low / 64] = s << low % 64;
    if (low % 64 && low / 64 + 1 < LIMBS)
        r.w[low / 64 + 1] = s >> (64 - low % 64);
    if (n.sign)
        fixed_negate(&r);
    int k = (int)(num_as_double(n) * INV_LN2);
    fixed m = LN2;
    fixed_mul_small(&m, (uint64_t)(k < 0 ? -k : k));
    if (k > 0)
        fixed_negate(&m);
    fixed_add(&r, &m);
    fixed minus_ln2 = LN2;
    fixed_negate(&minus_ln2);
    while (r.w[LIMBS - 1] >> 63) {
        fixed_add(&r, &LN2);
        k--;
    }
    while (!fixed_below(&r, &LN2)) {
        fixed_add(&r, &minus_ln2);
        k++;
    }
    // Horner's scheme for the series to r**60/60!, below 2**-270; every step errs by at most two units of 2**-256.
    fixed acc = {.w = {[LIMBS - 1] = 1}};
    for (int i = 60; i >= 1; i--) {
        acc = fixed_mul(&acc, &r);
        fixed_div_small(&acc, (uint64_t)i);
        acc.w[LIMBS - 1]++;
    }
    *sig = 1ull << 63 | acc.w[LIMBS - 2] >> 1 | 1;
    return k;
}

// The same within a relative error of 2**-49, by double arithmetic in RNE.
static int exp_estimate(double x, uint64_t *sig)
{
    int k = (int)(x * INV_LN2 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;                // |r| < 0.35; k * LN2_HIGH is exact
    double p = 1;
    static const double inverse[] = {1, 1, 1 / 2., 1 / 3., 1 / 4., 1 / 5., 1 / 6., 1 / 7., 1 / 8., 1 / 9., 1 / 10.,
                                     1 / 11., 1 / 12., 1 / 13., 1 / 14.};
    for (int i = 14; i >= 1; i--)
        p = 1 + p * r * inverse[i];
    uint64_t bits;
    memcpy(&bits, &p, 8);
    *sig = 1ull << 63 | bits << 11;
    return k + (int)(bits >> 52) - 1023;
}

ALWAYS_INLINE uint64_t exp_in(struct fp_layout l, uint64_t a, enum fp_round rm, unsigned *flags)
{
    struct fp_num n = fp_unpack(l, a);
    if (fp_is_nan(n))
        return fp_from_nan(l, n, n, flags);
    if (n.kind == KIND_INF)
        return n.sign ? 0 : fp_inf(l, 0);
    if (n.kind == KIND_ZERO)
        return (uint64_t)fp_bias(l) << (l.mbits + l.pad);
    if (n.exp >= 12)                            // far outside every range
        return fp_round_pack(l, 0, n.sign ? -8192 : 8192, 1ull << 63 | 1, rm, flags);
    if (n.exp < -60)                            // nearer to 1 than any rounding can tell
        return fp_round_pack(l, 0, n.sign ? -1 : 0, n.sign ? UINT64_MAX : 1ull << 63 | 1, rm, flags);
    uint64_t sig;
    if (l.mbits <= 23) {
        int exp = exp_estimate(num_as_double(n), &sig);
        const uint64_t doubt = 1ull << (63 - 49);
        if (sig - doubt >= 1ull << 63 && sig <= UINT64_MAX - doubt) {
            unsigned f1 = 0, f2 = 0;
            uint64_t r1 = fp_round_pack(l, 0, exp, (sig - doubt) | 1, rm, &f1);
            uint64_t r2 = fp_round_pack(l, 0, exp, (sig + doubt) | 1, rm, &f2);
            if (r1 == r2 && f1 == f2) {
                *flags |= f1;
                return r1;
            }
        }
    }
    int exp = exp_exact(n, &sig);
    return fp_round_pack(l, 0, exp, sig, rm, flags);
}

uint64_t fp_exp(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags)
{
    FP_BY_FORMAT(f, exp_in(l, a, rm, flags))
}
