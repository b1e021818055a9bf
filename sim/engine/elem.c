// SPDX-License-Identifier: BSD-2-Clause
#include "elem.h"

#include <math.h>

bool etype_make(struct etype *t, unsigned data_type, enum fp_round rm, unsigned *flags)
{
    *t = (struct etype){.type = data_type, .es = element_bytes(data_type), .rm = rm, .flags = flags};
    t->bits = 8 * t->es;
    t->is_float = data_type < 16;
    t->is_signed = data_type < 24;
    if (t->is_float)
        return fp_supported(data_type);
    return t->es != 0 && data_type != LINX_DataType_S4x2 && data_type != LINX_DataType_U4x2;
}

static uint64_t trim(const struct etype *t, uint64_t v) { return t->bits == 64 ? v : v & ((1ull << t->bits) - 1); }
static int64_t as_signed(const struct etype *t, uint64_t v) { return (int64_t)(v << (64 - t->bits)) >> (64 - t->bits); }
// Extended to 64 bits as the type says.
static uint64_t wide(const struct etype *t, uint64_t v) { return t->is_signed ? (uint64_t)as_signed(t, v) : trim(t, v); }

bool elem_supported(enum elem_op op, const struct etype *t)
{
    switch (op) {
    case EL_AND: case EL_OR: case EL_XOR: case EL_SHL: case EL_SHR: case EL_NOT:
        return !t->is_float;
    case EL_EXP: case EL_LOG: case EL_RECIP: case EL_SQRT: case EL_RSQRT: case EL_EXPDIF:
        return t->is_float;
    default:
        return true;
    }
}

static uint64_t int_do(enum elem_op op, const struct etype *t, uint64_t x, uint64_t y)
{
    uint64_t a = wide(t, x), b = wide(t, y);
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    bool less = t->is_signed ? sa < sb : a < b;
    switch (op) {
    case EL_ADD: return a + b;
    case EL_SUB: return a - b;
    case EL_MUL: return a * b;
    case EL_DIV:
        if (b == 0)
            return ~0ull;
        return !t->is_signed ? a / b : sb == -1 ? -a : (uint64_t)(sa / sb);
    case EL_FMOD:                                       // sign of the dividend
        if (b == 0)
            return a;
        return !t->is_signed ? a % b : sb == -1 ? 0 : (uint64_t)(sa % sb);
    case EL_REM: {                                      // sign of the divisor
        if (b == 0)
            return a;
        if (!t->is_signed)
            return a % b;
        int64_t r = sb == -1 ? 0 : sa % sb;
        return (uint64_t)(r != 0 && (r < 0) != (sb < 0) ? r + sb : r);
    }
    case EL_AND: return a & b;
    case EL_OR: return a | b;
    case EL_XOR: return a ^ b;
    case EL_SHL: return trim(t, y) >= t->bits ? 0 : a << trim(t, y);
    case EL_SHR: {                                      // arithmetic for signed types
        uint64_t n = trim(t, y);
        if (t->is_signed)
            return (uint64_t)(sa >> (n < 63 ? n : 63));
        return n >= t->bits ? 0 : a >> n;
    }
    case EL_MAX: return less ? b : a;
    case EL_MIN: return less ? a : b;
    case EL_PRELU: return (t->is_signed ? sa > 0 : a > 0) ? a : a * b;
    case EL_ABS: return t->is_signed && sa < 0 ? -a : a;
    case EL_NOT: return ~a;
    case EL_NEG: return -a;
    case EL_RELU: return t->is_signed && sa < 0 ? 0 : a;
    default: return 0;
    }
}

static double to_double(const struct etype *t, uint64_t v)
{
    double d;
    uint64_t bits = fp_convert(t->type, FP_F64, v, FP_RNE, &(unsigned){0});
    memcpy(&d, &bits, 8);
    return d;
}
static uint64_t from_double(const struct etype *t, double d, unsigned *flags)
{
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return fp_convert(FP_F64, t->type, bits, t->rm, flags);
}
static bool is_nan(const struct etype *t, uint64_t v) { return fp_class(t->type, v) & 3; }

// The remainder of a division truncated toward zero is exact in every format.
static uint64_t float_fmod(const struct etype *t, uint64_t a, uint64_t b)
{
    unsigned flags = 0;
    double x = to_double(t, a), y = to_double(t, b);
    if (is_nan(t, a) || is_nan(t, b))
        return fp_add(t->type, a, b, t->rm, t->flags);
    if (isinf(x) || y == 0) {
        *t->flags |= FP_NV;
        return from_double(t, NAN, &flags);
    }
    return from_double(t, fmod(x, y), &flags);
}

static uint64_t float_do(enum elem_op op, const struct etype *t, uint64_t a, uint64_t b)
{
    enum fp_format f = t->type;
    enum fp_round rm = t->rm;
    unsigned *fl = t->flags;
    switch (op) {
    case EL_ADD: return fp_add(f, a, b, rm, fl);
    case EL_SUB: return fp_sub(f, a, b, rm, fl);
    case EL_MUL: return fp_mul(f, a, b, rm, fl);
    case EL_DIV: return fp_div(f, a, b, rm, fl);
    case EL_FMOD: return float_fmod(t, a, b);
    case EL_REM: {
        uint64_t r = float_fmod(t, a, b);
        double x = to_double(t, r), y = to_double(t, b);
        return x != 0 && !isnan(x) && signbit(x) != signbit(y) ? fp_add(f, r, b, rm, fl) : r;
    }
    case EL_MAX: return fp_max(f, a, b, fl);
    case EL_MIN: return fp_min(f, a, b, fl);
    case EL_PRELU: return fp_compare(FP_LT, f, 0, a, fl) ? a : fp_mul(f, a, b, rm, fl);
    case EL_ABS: return fp_abs(f, a);
    case EL_NEG: return a ^ 1ull << (t->bits - 1);
    case EL_EXP: return fp_exp(f, a, rm, fl);
    case EL_LOG: return fp_log(f, a, rm, fl);
    case EL_RECIP: return fp_recip(f, a, rm, fl);
    case EL_SQRT: return fp_sqrt(f, a, rm, fl);
    case EL_RSQRT: return fp_recip(f, fp_sqrt(f, a, rm, fl), rm, fl);
    case EL_RELU: return fp_compare(FP_LT, f, 0, a, fl) ? a : 0;
    case EL_EXPDIF: return fp_exp(f, fp_sub(f, a, b, rm, fl), rm, fl);
    default: return 0;
    }
}

uint64_t elem_do(enum elem_op op, const struct etype *t, uint64_t a, uint64_t b)
{
    return t->is_float ? float_do(op, t, trim(t, a), trim(t, b)) : trim(t, int_do(op, t, a, b));
}

bool elem_compare(unsigned cmode, const struct etype *t, uint64_t a, uint64_t b)
{
    bool swap = cmode == LINX_CMode_GT || cmode == LINX_CMode_LE;
    if (swap) {
        uint64_t c = a;
        a = b;
        b = c;
    }
    if (t->is_float) {
        enum fp_op op = cmode == LINX_CMode_EQ ? FP_EQ : cmode == LINX_CMode_NE ? FP_NE
                      : cmode == LINX_CMode_LT || cmode == LINX_CMode_GT ? FP_LT : FP_GE;
        return fp_compare(op, t->type, trim(t, a), trim(t, b), t->flags);
    }
    uint64_t x = wide(t, a), y = wide(t, b);
    bool less = t->is_signed ? (int64_t)x < (int64_t)y : x < y;
    switch (cmode) {
    case LINX_CMode_EQ: return x == y;
    case LINX_CMode_NE: return x != y;
    case LINX_CMode_LT: case LINX_CMode_GT: return less;
    default: return !less;
    }
}

static uint64_t int_convert(const struct etype *from, const struct etype *to, uint64_t v, bool sat)
{
    uint64_t x = wide(from, v);
    if (!sat)
        return trim(to, x);
    bool negative = from->is_signed && (int64_t)x < 0;
    if (to->is_signed) {
        int64_t max = (int64_t)(~0ull >> (65 - to->bits)), min = -max - 1;
        if (negative)
            return trim(to, (int64_t)x < min ? (uint64_t)min : x);
        return x > (uint64_t)max ? (uint64_t)max : x;
    }
    uint64_t max = ~0ull >> (64 - to->bits);
    return negative ? 0 : x > max ? max : x;
}

uint64_t elem_convert(const struct etype *from, const struct etype *to, uint64_t v, bool sat)
{
    if (from->is_float && to->is_float)
        return (sat ? fp_convert_sat : fp_convert)(from->type, to->type, v, to->rm, to->flags);
    if (from->is_float)
        return trim(to, fp_to_int(from->type, v, to->bits, to->is_signed, to->rm, to->flags));
    if (to->is_float)
        return fp_from_int(to->type, v, from->bits, from->is_signed, to->rm, to->flags);
    return int_convert(from, to, v, sat);
}
