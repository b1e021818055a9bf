// SPDX-License-Identifier: BSD-2-Clause
// The natural logarithm, correctly rounded in every format and mode, from integer and plain double arithmetic only.
//
// x = m * 2**e with m in [0.7, 1.42): ln x = e ln 2 + 2 atanh z, z = (m - 1) / (m + 1), |z| < 0.18. For x != 1 the
// result is irrational: never exact, never a tie. Narrow formats first try double arithmetic as exp does; the rest
// computes to 2**-248 absolute, and |ln x| > 2**-54 for every x != 1, while no FP64 argument needs more than 2**-130
// relative (Lefevre and Muller's tables).
#include "fp_fixed.h"

// m = s / 2**52 as above; returns e.
static int split(struct fp_num n, uint64_t *s)
{
    *s = n.sig >> 11;                           // 53 bits, m in [1, 2)
    if (*s < 0x16a09e667f3bcdull)               // sqrt 2
        return n.exp;
    return n.exp + 1;                           // m = s / 2**53
}

static double estimate(struct fp_num n)
{
    uint64_t s;
    int e = split(n, &s);
    double one = e == n.exp ? 0x1p52 : 0x1p53, m = (double)s;
    double z = (m - one) / (m + one), z2 = z * z, p = 0;        // m - one and, to half a unit, m + one are exact
    static const double inverse[] = {1, 1 / 3., 1 / 5., 1 / 7., 1 / 9., 1 / 11., 1 / 13., 1 / 15., 1 / 17., 1 / 19.,
                                     1 / 21., 1 / 23.};
    for (int i = 11; i >= 1; i--)
        p = z2 * (inverse[i] + p);
    double ln_m = 2 * z + 2 * z * p;
    return e * LN2_HIGH + (e * LN2_LOW + ln_m);
}

// |ln x| = *sig / 2**63 * 2**result, *sign its sign; bit 0 of *sig is sticky.
static int log_exact(struct fp_num n, bool *sign, uint64_t *sig)
{
    uint64_t s;
    int e = split(n, &s);
    uint64_t one = e == n.exp ? 1ull << 52 : 1ull << 53;
    bool below = s < one;                       // ln m is negative
    fixed z = {.w = {[LIMBS - 1] = below ? one - s : s - one}};
    fixed_div_small(&z, s + one);
    fixed z2 = fixed_mul(&z, &z), acc = {{0}};
    // Horner's scheme for z + z**3/3 + ...; the first term left out is below 2**-260.
    for (int i = 105; i >= 1; i -= 2) {
        fixed t = {.w = {[LIMBS - 1] = 1}};
        fixed_div_small(&t, (uint64_t)i);
        acc = fixed_mul(&acc, &z2);
        fixed_add(&acc, &t);
    }
    acc = fixed_mul(&acc, &z);
    fixed_mul_small(&acc, 2);
    if (below)
        fixed_negate(&acc);
    fixed part = LN2;
    fixed_mul_small(&part, (uint64_t)(e < 0 ? -e : e));
    if (e < 0)
        fixed_negate(&part);
    fixed_add(&acc, &part);
    *sign = acc.w[LIMBS - 1] >> 63;
    if (*sign)
        fixed_negate(&acc);
    int top = LIMBS - 1;
    while (top > 1 && !acc.w[top])
        top--;
    int lead = __builtin_clzll(acc.w[top]);
    *sig = acc.w[top] << lead | (lead ? acc.w[top - 1] >> (64 - lead) : 0) | 1;
    return 64 * (top - (LIMBS - 1)) + 63 - lead;
}

ALWAYS_INLINE uint64_t log_in(struct fp_layout l, uint64_t a, enum fp_round rm, unsigned *flags)
{
    struct fp_num n = fp_unpack(l, a);
    if (fp_is_nan(n))
        return fp_from_nan(l, n, n, flags);
    if (n.kind == KIND_ZERO) {
        *flags |= FP_DZ;
        return fp_inf(l, 1);
    }
    if (n.sign)
        return fp_invalid(l, flags);
    if (n.kind == KIND_INF)
        return fp_inf(l, 0);
    if (n.sig == 1ull << 63 && n.exp == 0)
        return 0;
    bool sign;
    uint64_t sig, r;
    if (l.mbits <= 23) {
        double d = estimate(n);
        memcpy(&sig, &d, 8);
        int exp = (int)(sig >> 52 & 0x7ff) - 1023;
        sign = sig >> 63;
        if (fp_round_estimate(l, sign, exp, 1ull << 63 | sig << 11, 1ull << (63 - 48), rm, &r, flags))
            return r;
    }
    int exp = log_exact(n, &sign, &sig);
    return fp_round_pack(l, sign, exp, sig, rm, flags);
}

uint64_t fp_log(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags)
{
    FP_BY_FORMAT(f, log_in(l, a, rm, flags))
}
