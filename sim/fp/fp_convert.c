// SPDX-License-Identifier: BSD-2-Clause
// Conversions between floating-point formats and between floating point and integers.
#include "fp_core.h"

ALWAYS_INLINE uint64_t convert(struct fp_num n, struct fp_layout l, bool saturate, enum fp_round rm,
                               unsigned *flags)
{
    uint64_t r;
    switch (n.kind) {
    case KIND_ZERO: return n.sign ? fp_sign_bit(l) : 0;
    case KIND_INF:  return saturate ? fp_largest(l, n.sign) : fp_inf(l, n.sign);
    case KIND_FINITE:
        r = fp_round_pack(l, n.sign, n.exp, n.sig, rm, flags);
        return saturate && r == fp_inf(l, n.sign) ? fp_largest(l, n.sign) : r;
    default: return fp_from_nan(l, n, n, flags);
    }
}

uint64_t fp_convert(enum fp_format from, enum fp_format to, uint64_t a, enum fp_round rm, unsigned *flags)
{
    struct fp_num n = fp_unpack(fp_layout(from), a);
    FP_BY_FORMAT(to, convert(n, l, false, rm, flags))
}

uint64_t fp_convert_sat(enum fp_format from, enum fp_format to, uint64_t a, enum fp_round rm, unsigned *flags)
{
    struct fp_num n = fp_unpack(fp_layout(from), a);
    FP_BY_FORMAT(to, convert(n, l, true, rm, flags))
}

uint64_t fp_to_int(enum fp_format f, uint64_t a, unsigned bits, bool is_signed, enum fp_round rm, unsigned *flags)
{
    struct fp_num n = fp_unpack(fp_layout(f), a);
    if (n.kind == KIND_ZERO)
        return 0;
    if (fp_is_nan(n)) {
        *flags |= FP_NV;
        return 0;
    }
    // Largest magnitude that each sign can take.
    uint64_t top = UINT64_MAX >> (64 - bits);
    uint64_t limit = !is_signed ? (n.sign ? 0 : top) : (top >> 1) + n.sign;
    uint64_t magnitude = limit;
    bool over = n.kind == KIND_INF || n.exp > 63, inexact = false;
    if (!over) {
        // Integer part in the upper half, fraction (with sticky) in the lower.
        u128 fixed = shr_jam128((u128)n.sig << 64, 63 - n.exp);
        uint64_t frac = (uint64_t)fixed;
        magnitude = (uint64_t)(fixed >> 64);
        inexact = frac != 0;
        bool up = fp_rounds_up(frac, 64, magnitude & 1, n.sign, rm);
        over = magnitude == UINT64_MAX && up;
        magnitude += up;
        over |= magnitude > limit;
    }
    if (over) {
        *flags |= FP_NV;
        magnitude = limit;
    } else if (inexact) {
        *flags |= FP_NX;
    }
    return n.sign ? -magnitude : magnitude;
}

uint64_t fp_from_int(enum fp_format f, uint64_t v, unsigned bits, bool is_signed, enum fp_round rm, unsigned *flags)
{
    unsigned shift = 64 - bits;
    v = is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
    bool sign = is_signed && (int64_t)v < 0;
    uint64_t magnitude = sign ? -v : v;
    if (!magnitude)
        return 0;
    int lead = __builtin_clzll(magnitude);
    FP_BY_FORMAT(f, fp_round_pack(l, sign, 63 - lead, magnitude << lead, rm, flags))
}
