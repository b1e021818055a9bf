// SPDX-License-Identifier: BSD-2-Clause
// Comparisons, minimum and maximum, absolute value, classification, and the dispatch by operation number.
#include "fp_core.h"

// Orders non-NaN patterns as signed integers; the two zeros stay apart (-0 < +0).
ALWAYS_INLINE int64_t order_key(struct fp_layout l, uint64_t v)
{
    uint64_t sign = fp_sign_bit(l);
    uint64_t magnitude = v & (sign - 1) & ~((1ull << l.pad) - 1);
    return v & sign ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

ALWAYS_INLINE bool compare_in(struct fp_layout l, enum fp_op op, uint64_t x, uint64_t y, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y);
    if (fp_is_nan(a) || fp_is_nan(b)) {
        if (op >= FP_EQS || a.kind == KIND_SNAN || b.kind == KIND_SNAN)
            *flags |= FP_NV;
        return false;
    }
    int64_t kx = order_key(l, x), ky = order_key(l, y);
    kx += kx < 0;                               // for comparisons -0 and +0 are one number
    ky += ky < 0;
    switch (op) {
    case FP_EQ: case FP_EQS: return kx == ky;
    case FP_NE: case FP_NES: return kx != ky;
    case FP_LT: case FP_LTS: return kx < ky;
    default:                 return kx >= ky;
    }
}

bool fp_compare(enum fp_op op, enum fp_format f, uint64_t a, uint64_t b, unsigned *flags)
{
    FP_BY_FORMAT(f, compare_in(l, op, a, b, flags))
}

ALWAYS_INLINE uint64_t pick_in(struct fp_layout l, bool max, uint64_t x, uint64_t y, unsigned *flags)
{
    struct fp_num a = fp_unpack(l, x), b = fp_unpack(l, y);
    uint64_t value = ((fp_sign_bit(l) << 1) - 1) & ~((1ull << l.pad) - 1);    // bits of the container in use
    if (fp_is_nan(a) || fp_is_nan(b)) {
        uint64_t nan = fp_from_nan(l, a, b, flags);
        return !fp_is_nan(a) ? x & value : !fp_is_nan(b) ? y & value : nan;
    }
    return ((order_key(l, x) > order_key(l, y)) == max ? x : y) & value;
}

uint64_t fp_max(enum fp_format f, uint64_t a, uint64_t b, unsigned *flags)
{
    FP_BY_FORMAT(f, pick_in(l, true, a, b, flags))
}

uint64_t fp_min(enum fp_format f, uint64_t a, uint64_t b, unsigned *flags)
{
    FP_BY_FORMAT(f, pick_in(l, false, a, b, flags))
}

uint64_t fp_abs(enum fp_format f, uint64_t a)
{
    return a & (fp_sign_bit(fp_layout(f)) - 1);
}

uint64_t fp_class(enum fp_format f, uint64_t a)
{
    struct fp_layout l = fp_layout(f);
    struct fp_num n = fp_unpack(l, a);
    switch (n.kind) {
    case KIND_SNAN: return 1 << 0;
    case KIND_QNAN: return 1 << 1;
    case KIND_INF:  return n.sign ? 1 << 2 : 1 << 6;
    case KIND_ZERO: return n.sign ? 1 << 5 : 1 << 9;
    default:
        if (n.exp < 1 - fp_bias(l))
            return n.sign ? 1 << 4 : 1 << 8;
        return n.sign ? 1 << 3 : 1 << 7;
    }
}

uint64_t fp_do(enum fp_op op, enum fp_format f, uint64_t a, uint64_t b, uint64_t c, enum fp_round rm,
               unsigned *flags)
{
    switch (op) {
    case FP_ADD:   return fp_add(f, a, b, rm, flags);
    case FP_SUB:   return fp_sub(f, a, b, rm, flags);
    case FP_MUL:   return fp_mul(f, a, b, rm, flags);
    case FP_DIV:   return fp_div(f, a, b, rm, flags);
    case FP_MAX:   return fp_max(f, a, b, flags);
    case FP_MIN:   return fp_min(f, a, b, flags);
    case FP_EQ: case FP_NE: case FP_LT: case FP_GE: case FP_EQS: case FP_NES: case FP_LTS: case FP_GES:
        return fp_compare(op, f, a, b, flags);
    case FP_MADD:  return fp_madd(f, a, b, c, rm, flags);
    case FP_MSUB:  return fp_madd(f, a, b, c ^ fp_sign_bit(fp_layout(f)), rm, flags);
    case FP_NMADD: case FP_NMSUB: {
        struct fp_layout l = fp_layout(f);
        uint64_t sign = fp_sign_bit(l);
        uint64_t r = fp_madd(f, a, b, op == FP_NMSUB ? c ^ sign : c, rm, flags);
        return (r & (sign - 1)) > fp_inf(l, 0) ? r : r ^ sign;
    }
    case FP_ABS:   return fp_abs(f, a);
    case FP_SQRT:  return fp_sqrt(f, a, rm, flags);
    case FP_RECIP: return fp_recip(f, a, rm, flags);
    case FP_EXP:   return fp_exp(f, a, rm, flags);
    case FP_CLASS: return fp_class(f, a);
    }
    return 0;
}
