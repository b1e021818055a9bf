// SPDX-License-Identifier: BSD-2-Clause
// e**x, correctly rounded in every format and mode, from integer and plain double arithmetic only (no libm), so
// that every host gives the same bits.
//
// e**x of a non-zero x is irrational: never exact, never a tie. The narrow formats first compute in double with a
// relative error below 2**-49 and accept the result when every value that near rounds the same way. The rest, and
// FP64, compute to 2**-240; the hardest FP64 arguments need less than 2**-160 (Lefevre and Muller's tables).
#include "fp_fixed.h"

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
        uint64_t r;
        if (fp_round_estimate(l, 0, exp, sig, 1ull << (63 - 49), rm, &r, flags))
            return r;
    }
    int exp = exp_exact(n, &sig);
    return fp_round_pack(l, 0, exp, sig, rm, flags);
}

uint64_t fp_exp(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags)
{
    FP_BY_FORMAT(f, exp_in(l, a, rm, flags))
}
