// SPDX-License-Identifier: BSD-2-Clause
// Fixed-point numbers of 256 fraction bits, and what exp and log share. Internal to fp/.
#ifndef LINX_SIM_FP_FIXED_H
#define LINX_SIM_FP_FIXED_H

#include <string.h>

#include "fp_core.h"

enum { LIMBS = 5 };                             // little-endian, 256 fraction bits and a 64-bit integer part
typedef struct { uint64_t w[LIMBS]; } fixed;

static const fixed LN2 = {{0x8a0d175b8baafa2b, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab, 0}};

static inline void fixed_add(fixed *a, const fixed *b)
{
    u128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (u128)a->w[i] + b->w[i];
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static inline void fixed_negate(fixed *a)
{
    u128 carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        carry += ~a->w[i];
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static inline void fixed_mul_small(fixed *a, uint64_t m)
{
    u128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (u128)a->w[i] * m;
        a->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static inline void fixed_div_small(fixed *a, uint64_t d)
{
    u128 rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 64 | a->w[i];
        a->w[i] = (uint64_t)(rest / d);
        rest %= d;
    }
}

// a * b for non-negative a and b, truncated to 2**-256.
static inline fixed fixed_mul(const fixed *a, const fixed *b)
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

static inline bool fixed_below(const fixed *a, const fixed *b)         // unsigned a < b
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->w[i] != b->w[i])
            return a->w[i] < b->w[i];
    return false;
}

static inline double num_as_double(struct fp_num n)
{
    // 53 bits are enough for the exact value of every narrow format and for an estimate of FP64. |exp| < 64 here.
    double d = (double)(n.sig >> 11) * 0x1p-52;
    uint64_t scale = (uint64_t)(1023 + n.exp) << 52;
    double s;
    memcpy(&s, &scale, 8);
    return n.sign ? -d * s : d * s;
}

static const double INV_LN2 = 0x1.71547652b82fep+0, LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

// Rounds sig * 2**(exp - 63), known to within `doubt` units of sig and never exact, when every value that near rounds
// the same way; false otherwise.
ALWAYS_INLINE bool fp_round_estimate(struct fp_layout l, bool sign, int exp, uint64_t sig, uint64_t doubt,
                                     enum fp_round rm, uint64_t *result, unsigned *flags)
{
    unsigned f1 = 0, f2 = 0;
    if (sig - doubt < 1ull << 63 || sig > UINT64_MAX - doubt)
        return false;
    *result = fp_round_pack(l, sign, exp, (sig - doubt) | 1, rm, &f1);
    if (fp_round_pack(l, sign, exp, (sig + doubt) | 1, rm, &f2) != *result || f1 != f2)
        return false;
    *flags |= f1;
    return true;
}

#endif
