// SPDX-License-Identifier: BSD-2-Clause
// Compares sim/fp with the host's arithmetic, result and flags, over random and edge operands.
// usage: fp_test COUNT [SEED]; prints test lines. Needs a host whose <fenv.h> modes and flags are IEEE 754's and
// which detects tininess after rounding (x86-64).
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fp.h"

static uint64_t rng_state;
static uint64_t rnd(void)                       // splitmix64
{
    uint64_t z = rng_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static const int host_mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const char *const mode_name[6] = {"RNE", "RTZ", "RDN", "RUP", "RNA", "RTO"};
static const char *const format_name[6] = {"f64", "f32", "tf32", "hf32", "f16", "bf16"};
static const struct { int e, m; } shape[6] = {{11, 52}, {8, 23}, {8, 10}, {8, 11}, {5, 10}, {8, 7}};

static unsigned host_flags(void)
{
    int e = fetestexcept(FE_ALL_EXCEPT);
    return (e & FE_INVALID ? FP_NV : 0) | (e & FE_DIVBYZERO ? FP_DZ : 0) | (e & FE_OVERFLOW ? FP_OF : 0) |
           (e & FE_UNDERFLOW ? FP_UF : 0) | (e & FE_INEXACT ? FP_NX : 0);
}
static double d_of(uint64_t v) { double d; memcpy(&d, &v, 8); return d; }
static uint64_t of_d(double d) { uint64_t v; memcpy(&v, &d, 8); return v; }
static float f_of(uint32_t v) { float d; memcpy(&d, &v, 4); return d; }
static uint32_t of_f(float d) { uint32_t v; memcpy(&v, &d, 4); return v; }
static _Float16 h_of(uint16_t v) { _Float16 d; memcpy(&d, &v, 2); return d; }

// An operand: uniform bits, an edge exponent with edge fractions, or near `other` so that sums cancel.
static uint64_t operand(enum fp_format f, uint64_t other)
{
    int e = shape[f].e, m = shape[f].m;
    uint64_t frac_mask = (1ull << m) - 1, exp_max = (1ull << e) - 1, r = rnd();
    uint64_t frac, exp;
    switch (rnd() % 8) {
    case 0:                                     // special exponents
        exp = (uint64_t[]){0, 1, 2, exp_max, exp_max - 1, exp_max / 2, exp_max / 2 + 1, exp_max / 2 - 1}[r % 8];
        break;
    case 1: case 2:                             // close to the other operand
        exp = ((other >> m) + r % 5 - 2) & exp_max;
        break;
    case 3: case 4:                             // medium range
        exp = (exp_max / 2 + r % (2 * (uint64_t)m + 8) - (uint64_t)m - 4) & exp_max;
        break;
    default:
        exp = r & exp_max;
    }
    r = rnd();
    switch (rnd() % 6) {
    case 0: frac = 0; break;
    case 1: frac = frac_mask; break;
    case 2: frac = 1ull << r % (uint64_t)m; break;
    case 3: frac = frac_mask & ~(1ull << r % (uint64_t)m); break;
    case 4: frac = (r & frac_mask) & ~0ull << rnd() % (uint64_t)m; break;
    default: frac = r & frac_mask;
    }
    return (rnd() & 1) << (e + m) | exp << m | frac;
}

static uint64_t count;
static unsigned failures, named;
static char test_name[64];
static void begin(const char *format, const char *what)
{
    snprintf(test_name, sizeof test_name, "fp %s %s", format, what);
    named = 0;
}
static void differ(const char *mode, uint64_t a, uint64_t b, uint64_t c, uint64_t got, unsigned got_flags,
                   uint64_t want, unsigned want_flags)
{
    if (!named++)
        printf("not ok %s: %s a=%" PRIx64 " b=%" PRIx64 " c=%" PRIx64 ": got %" PRIx64 " flags %02x, want %" PRIx64
               " flags %02x\n", test_name, mode, a, b, c, got, got_flags, want, want_flags);
}
static void end(void)
{
    if (!named)
        printf("ok %s\n", test_name);
    else
        failures++;
    fflush(stdout);
}

// ---- the host as oracle: FP64 and FP32 natively ----------------------------------------------------------------
static const struct { enum fp_op op; const char *name; int arity; } arith[] = {
    {FP_ADD, "add", 2}, {FP_SUB, "sub", 2}, {FP_MUL, "mul", 2}, {FP_DIV, "div", 2},
    {FP_MADD, "madd", 3}, {FP_MSUB, "msub", 3}, {FP_NMADD, "nmadd", 3}, {FP_NMSUB, "nmsub", 3},
    {FP_SQRT, "sqrt", 1}, {FP_RECIP, "recip", 1},
};

#define HOST(type, fma_fn, sqrt_fn)                                     \
    volatile type x = a, y = b, z = c, r;                               \
    switch (op) {                                                       \
    case FP_ADD:   r = x + y; break;                                    \
    case FP_SUB:   r = x - y; break;                                    \
    case FP_MUL:   r = x * y; break;                                    \
    case FP_DIV:   r = x / y; break;                                    \
    case FP_MADD:  r = fma_fn(x, y, z); break;                          \
    case FP_MSUB:  r = fma_fn(x, y, -z); break;                         \
    case FP_NMADD: r = -fma_fn(x, y, z); break;                         \
    case FP_NMSUB: r = -fma_fn(x, y, -z); break;                        \
    case FP_SQRT:  r = sqrt_fn(x); break;                               \
    default:       r = 1 / x;                                           \
    }                                                                   \
    return r;

static double host64(enum fp_op op, double a, double b, double c) { HOST(double, fma, sqrt) }
static float host32(enum fp_op op, float a, float b, float c) { HOST(float, fmaf, sqrtf) }

static bool is_nan(enum fp_format f, uint64_t v)
{
    uint64_t inf = ((1ull << shape[f].e) - 1) << shape[f].m;
    return (v & ((1ull << (shape[f].e + shape[f].m)) - 1)) > inf;
}
static uint64_t canonical(enum fp_format f) { return ((2ull << shape[f].e) - 1) << (shape[f].m - 1); }

// Rounds the exact value hi + lo (|lo| far below hi) held in doubles to a narrow format with the same integer rule
// everywhere; used as an oracle for FP16 and BF16, written differently from the code under test (by search).
static uint64_t narrow(enum fp_format f, double v, enum fp_round rm, unsigned *flags)
{
    int m = shape[f].m, bias = (1 << (shape[f].e - 1)) - 1;
    uint64_t sign = (uint64_t)(signbit(v) != 0) << (shape[f].e + m);
    if (isnan(v))
        return canonical(f);
    double x = fabs(v);
    uint64_t inf = ((1ull << shape[f].e) - 1) << m;
    if (isinf(v))
        return sign | inf;
    // Number of units: x / 2**q with q the exponent of the last place; both exact in double.
    int e = x > 0 ? ilogb(x) : 1 - bias;
    for (int pass = 0;; pass++) {
        // pass 0: exponent unbounded below decides tininess; pass 1: the format's exponent
        int q = (pass && e < 1 - bias ? 1 - bias : e) - m;
        double units = ldexp(x, -q), low = floor(units), rest = units - low;
        bool up = false;
        switch (rm) {
        case FP_RNE: up = rest > 0.5 || (rest == 0.5 && fmod(low, 2) == 1); break;
        case FP_RTZ: break;
        case FP_RDN: up = sign && rest > 0; break;
        case FP_RUP: up = !sign && rest > 0; break;
        case FP_RNA: up = rest >= 0.5; break;
        case FP_RTO: up = rest > 0 && fmod(low, 2) == 0; break;
        }
        double rounded = ldexp(low + up, q);
        static bool tiny;
        if (!pass) {
            tiny = rounded < ldexp(1, 1 - bias) && x > 0;
            continue;
        }
        if (rest > 0)
            *flags |= FP_NX | (tiny ? FP_UF : 0);
        if (rounded >= ldexp(1, bias + 1)) {
            *flags |= FP_OF | FP_NX;
            bool to_inf = rm == FP_RNE || rm == FP_RNA || (rm == FP_RUP && !sign) || (rm == FP_RDN && sign);
            return sign | (to_inf ? inf : inf - 1);
        }
        if (rounded < ldexp(1, 1 - bias))
            return sign | (uint64_t)ldexp(rounded, m + bias - 1);
        int re = ilogb(rounded);
        return sign | (uint64_t)(re + bias) << m | (uint64_t)(ldexp(rounded, m - re) - ldexp(1, m));
    }
}

static double widen(enum fp_format f, uint64_t v)      // FP16, BF16 to double, exactly
{
    return f == FP_BF16 ? (double)f_of((uint32_t)v << 16) : (double)h_of((uint16_t)v);
}
static bool is_snan(enum fp_format f, uint64_t v) { return is_nan(f, v) && !(v >> (shape[f].m - 1) & 1); }

// fma's inf * 0 + qNaN: this core raises NV, hosts need not.
static bool inf_times_zero(double a, double b) { return (isinf(a) && b == 0) || (a == 0 && isinf(b)); }

static void test_arith(enum fp_format f)
{
    for (unsigned t = 0; t < sizeof arith / sizeof *arith; t++) {
        enum fp_op op = arith[t].op;
        begin(format_name[f], arith[t].name);
        for (uint64_t i = 0; i < count; i++) {
            enum fp_round rm = i & 3;
            uint64_t a = operand(f, rnd()), b = operand(f, a), c = operand(f, rnd() & 1 ? a : b);
            if (op >= FP_MADD && op <= FP_NMSUB && rnd() % 4 == 0)     // c near the product
                c = fp_do(FP_MUL, f, a, b, 0, FP_RTZ, &(unsigned){0}) ^ (rnd() & 3) ^ (rnd() & 1) << (shape[f].e + shape[f].m);
            unsigned got_flags = 0, want_flags = 0;
            uint64_t got = fp_do(op, f, a, b, c, rm, &got_flags), want;
            double da = 0, db = 0;
            fesetround(host_mode[rm]);
            feclearexcept(FE_ALL_EXCEPT);
            if (f == FP_F64) {
                want = of_d(host64(op, da = d_of(a), db = d_of(b), d_of(c)));
                want_flags = host_flags();
            } else if (f == FP_F32) {
                want = of_f(host32(op, f_of((uint32_t)a), f_of((uint32_t)b), f_of((uint32_t)c)));
                want_flags = host_flags();
                fesetround(FE_TONEAREST);
                da = f_of((uint32_t)a), db = f_of((uint32_t)b);
            } else {
                // In double with the target mode replaced by round-to-odd where the double is inexact: 53 >= 2*11+2.
                fesetround(FE_TOWARDZERO);
                da = widen(f, a), db = widen(f, b);
                double dc = widen(f, c);
                feclearexcept(FE_ALL_EXCEPT);   // widening a signalling NaN raises invalid by itself
                double r = host64(op == FP_NMADD ? FP_MADD : op == FP_NMSUB ? FP_MSUB : op, da, db, dc);
                want_flags = host_flags() & (FP_NV | FP_DZ);
                if (is_snan(f, a) || (arith[t].arity > 1 && is_snan(f, b)) || (arith[t].arity > 2 && is_snan(f, c)))
                    want_flags |= FP_NV;
                if (fetestexcept(FE_INEXACT) && !isinf(r) && r != 0)
                    r = d_of(of_d(r) | 1);
                fesetround(FE_TONEAREST);
                if (r == 0 && !(want_flags & FP_DZ)) {
                    // Sign of an exact zero depends on the mode.
                    fesetround(host_mode[rm]);
                    r = host64(op == FP_NMADD ? FP_MADD : op == FP_NMSUB ? FP_MSUB : op, da, db, dc);
                    fesetround(FE_TONEAREST);
                }
                want = narrow(f, r, rm, &want_flags);
                if (op == FP_NMADD || op == FP_NMSUB)
                    want ^= 1ull << (shape[f].e + shape[f].m);
            }
            fesetround(FE_TONEAREST);
            if (is_nan(f, want)) {
                want = canonical(f);
                if (arith[t].arity == 3 && inf_times_zero(da, db))
                    want_flags |= FP_NV;
            }
            if (got != want || got_flags != want_flags)
                differ(mode_name[rm], a, b, c, got, got_flags, want, want_flags);
        }
        end();
    }
}

// ---- comparisons, minimum and maximum ---------------------------------------------------------------------------
static double value(enum fp_format f, uint64_t v)
{
    return f == FP_F64 ? d_of(v) : f == FP_F32 ? (double)f_of((uint32_t)v) : widen(f, v);
}

static void test_order(enum fp_format f)
{
    static const struct { enum fp_op op; const char *name; } ops[] = {
        {FP_EQ, "eq"}, {FP_NE, "ne"}, {FP_LT, "lt"}, {FP_GE, "ge"}, {FP_EQS, "eqs"}, {FP_NES, "nes"},
        {FP_LTS, "lts"}, {FP_GES, "ges"}, {FP_MAX, "max"}, {FP_MIN, "min"},
    };
    for (unsigned t = 0; t < sizeof ops / sizeof *ops; t++) {
        enum fp_op op = ops[t].op;
        begin(format_name[f], ops[t].name);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t a = operand(f, rnd()), b = rnd() % 8 ? operand(f, a) : a ^ (rnd() & 1) << (shape[f].e + shape[f].m);
            double x = value(f, a), y = value(f, b);
            bool nan = is_nan(f, a) || is_nan(f, b), snan = is_snan(f, a) || is_snan(f, b);
            unsigned want_flags = snan || (nan && op >= FP_EQS && op <= FP_GES) ? FP_NV : 0, got_flags = 0;
            uint64_t want;
            switch (op) {
            case FP_EQ: case FP_EQS: want = x == y; break;
            case FP_NE: case FP_NES: want = !nan && x != y; break;
            case FP_LT: case FP_LTS: want = x < y; break;
            case FP_GE: case FP_GES: want = x >= y; break;
            default:
                if (is_nan(f, a) && is_nan(f, b))
                    want = canonical(f);
                else if (nan)
                    want = is_nan(f, a) ? b : a;
                else if (x == y)
                    want = signbit(x) == (op == FP_MIN) ? a : signbit(y) == (op == FP_MIN) ? b : a;
                else
                    want = (x > y) == (op == FP_MAX) ? a : b;
            }
            uint64_t got = fp_do(op, f, a, b, 0, FP_RNE, &got_flags);
            if (got != want || got_flags != want_flags)
                differ("-", a, b, 0, got, got_flags, want, want_flags);
        }
        end();
    }
    begin(format_name[f], "class");
    for (uint64_t i = 0; i < count / 4; i++) {
        uint64_t a = operand(f, rnd());
        double x = value(f, a);
        bool sub = x != 0 && fabs(x) < ldexp(1, 2 - (1 << (shape[f].e - 1)));
        int bit = is_snan(f, a) ? 0 : is_nan(f, a) ? 1 : (isinf(x) ? 2 : x == 0 ? 5 : sub ? 4 : 3) + (signbit(x) ? 0 : 4);
        if (fp_class(f, a) != 1ull << bit)
            differ("-", a, 0, 0, fp_class(f, a), 0, 1ull << bit, 0);
    }
    end();
    begin(format_name[f], "abs");
    for (uint64_t i = 0; i < count / 4; i++) {
        uint64_t a = operand(f, rnd()), want = a & ~(1ull << (shape[f].e + shape[f].m));
        if (fp_abs(f, a) != want)
            differ("-", a, 0, 0, fp_abs(f, a), 0, want, 0);
    }
    end();
}

// ---- conversions -------------------------------------------------------------------------------------------------
static void test_convert(void)
{
    static const enum fp_format from[] = {FP_F64, FP_F32, FP_F16, FP_BF16}, to[] = {FP_F64, FP_F32, FP_F16, FP_BF16, FP_TF32, FP_HF32};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 6; j++) {
            char name[32];
            enum fp_format s = from[i], d = to[j];
            snprintf(name, sizeof name, "to %s", format_name[d]);
            begin(format_name[s], name);
            for (uint64_t k = 0; k < count / 2; k++) {
                enum fp_round rm = k % 6;
                uint64_t a = operand(s, rnd()), want;
                unsigned got_flags = 0, want_flags = is_snan(s, a) ? FP_NV : 0;
                uint64_t got = fp_convert(s, d, a, rm, &got_flags);
                double x = value(s, a);
                if (is_nan(s, a))
                    want = canonical(d);
                else if (d == FP_F64)
                    want = of_d(x);
                else if (d == FP_F32 && rm < 4) {
                    fesetround(host_mode[rm]);
                    feclearexcept(FE_ALL_EXCEPT);
                    volatile double vx = x;
                    volatile float r = (float)vx;
                    want = of_f(r);
                    want_flags |= host_flags();
                    fesetround(FE_TONEAREST);
                } else
                    want = narrow(d, x, rm, &want_flags);
                want <<= d == FP_TF32 ? 13 : d == FP_HF32 ? 12 : 0;
                if (got != want || got_flags != want_flags)
                    differ(mode_name[rm], a, 0, 0, got, got_flags, want, want_flags);
            }
            end();
        }
    begin("f32", "to f16 saturating");
    for (uint64_t k = 0; k < count / 4; k++) {
        uint64_t a = operand(FP_F32, rnd());
        unsigned f1 = 0, f2 = 0;
        uint64_t got = fp_convert_sat(FP_F32, FP_F16, a, k % 6, &f1), want = fp_convert(FP_F32, FP_F16, a, k % 6, &f2);
        if ((want & 0x7fff) == 0x7c00)
            want--;
        if (got != want || f1 != f2)
            differ(mode_name[k % 6], a, 0, 0, got, f1, want, f2);
    }
    end();
}

static void test_int(enum fp_format f)
{
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        for (int sgn = 0; sgn < 2; sgn++) {
            char name[32];
            snprintf(name, sizeof name, "to %c%u", sgn ? 's' : 'u', bits);
            begin(format_name[f], name);
            for (uint64_t k = 0; k < count / 2; k++) {
                enum fp_round rm = k % 5;
                // Values around the integer range are the interesting ones.
                uint64_t a = operand(f, f == FP_F64 ? of_d(ldexp(1, (int)(rnd() % 66))) : rnd());
                unsigned got_flags = 0, want_flags = 0;
                uint64_t got = fp_to_int(f, a, bits, sgn, rm, &got_flags), want = 0;
                long double x = value(f, a), r;
                if (is_nan(f, a)) {
                    want_flags = FP_NV;
                } else {
                    switch (rm) {
                    case FP_RTZ: r = truncl(x); break;
                    case FP_RDN: r = floorl(x); break;
                    case FP_RUP: r = ceill(x); break;
                    case FP_RNA: r = roundl(x); break;
                    default:     r = rintl(x);
                    }
                    long double lo = sgn ? -ldexpl(1, (int)bits - 1) : 0, hi = ldexpl(1, (int)bits - sgn) - 1;
                    if (r < lo || r > hi) {
                        want_flags = FP_NV;
                        r = r < lo ? lo : hi;
                    } else if (r != x) {
                        want_flags = FP_NX;
                    }
                    want = r < 0 ? (uint64_t)(int64_t)r : (uint64_t)r;
                }
                if (got != want || got_flags != want_flags)
                    differ(mode_name[rm], a, 0, 0, got, got_flags, want, want_flags);
            }
            end();
            snprintf(name, sizeof name, "from %c%u", sgn ? 's' : 'u', bits);
            begin(format_name[f], name);
            for (uint64_t k = 0; k < count / 2; k++) {
                enum fp_round rm = k & 3;
                uint64_t v = rnd() >> rnd() % 64, want;
                if (rnd() % 4 == 0)
                    v = -(rnd() >> rnd() % 64);
                if (rnd() % 4 == 0)
                    v = (1ull << rnd() % 64) + rnd() % 5 - 2;
                unsigned got_flags = 0, want_flags = 0;
                uint64_t got = fp_from_int(f, v, bits, sgn, rm, &got_flags);
                uint64_t u = v << (64 - bits) >> (64 - bits);
                int64_t s = (int64_t)(v << (64 - bits)) >> (64 - bits);
                if (f == FP_F64 || f == FP_F32) {
                    fesetround(host_mode[rm]);
                    feclearexcept(FE_ALL_EXCEPT);
                    volatile uint64_t vu = u;
                    volatile int64_t vs = s;
                    // The host converts unsigned numbers of 64 bits by a sequence that is right in RNE only: go
                    // through the 64-bit significand of long double there.
                    if (f == FP_F64) {
                        volatile double r = sgn ? (double)vs : (double)(long double)vu;
                        want = of_d(r);
                    } else {
                        volatile float r = sgn ? (float)vs : (float)(long double)vu;
                        want = of_f(r);
                    }
                    want_flags = host_flags();
                    fesetround(FE_TONEAREST);
                } else {
                    // To odd in 50 bits first, so that it fits a double.
                    bool neg = sgn && s < 0;
                    uint64_t mag = neg ? -(uint64_t)s : u;
                    if (mag >> 50)
                        mag = (mag & ~0x3fffull) | ((mag & 0x3fff) ? 0x4000 : 0);
                    double x = (double)mag;
                    want = narrow(f, neg ? -x : x, rm, &want_flags);
                }
                if (got != want || got_flags != want_flags)
                    differ(mode_name[rm], v, 0, 0, got, got_flags, want, want_flags);
            }
            end();
        }
}

// ---- lanes against the scalar functions --------------------------------------------------------------------------
static void test_lanes(enum fp_format f)
{
    begin(format_name[f], "lanes equal scalar operations");
    for (uint64_t k = 0; k < count / 16; k++) {
        enum fp_op op = rnd() % (FP_CLASS + 1);
        enum fp_round rm = rnd() % 4;
        unsigned n = rnd() % 4 ? 64 : 1 + (unsigned)(rnd() % 64), got_flags = 0, want_flags = 0;
        uint64_t mask = rnd() % 4 ? rnd() : ~0ull;
        uint32_t a[64], b[64], c[64], got[64], want[64];
        for (unsigned i = 0; i < 64; i++) {
            // Few flags per group, or every group would raise them all: mostly tame operands in half of the groups.
            bool tame = k & 1;
            a[i] = (uint32_t)(tame ? fp_convert(FP_F64, f, of_d((double)(rnd() % 64)), 0, &got_flags) : operand(f, rnd()));
            b[i] = (uint32_t)(tame ? fp_convert(FP_F64, f, of_d((double)(rnd() % 64)), 0, &got_flags) : operand(f, a[i]));
            c[i] = (uint32_t)operand(f, a[i]);
            if (tame)
                c[i] = b[i];
        }
        if (rnd() & 1)
            a[rnd() % 64] = (uint32_t)operand(f, 0);
        got_flags = 0;
        for (unsigned i = 0; i < n; i++)
            want[i] = mask >> i & 1 ? (uint32_t)fp_do(op, f, a[i], b[i], c[i], rm, &want_flags) : 0;
        uint32_t *dst = rnd() & 1 ? got : a;    // in place too
        uint32_t a0 = a[0], b0 = b[0];
        fp_lanes(op, f, dst, a, b, c, mask, n, rm, &got_flags);
        for (unsigned i = 0; i < n; i++)
            if (dst[i] != want[i])
                differ(mode_name[rm], op, i, mask, dst[i], got_flags, want[i], want_flags);
        if (got_flags != want_flags)
            differ("flags", op, a0, b0, n, got_flags, mask, want_flags);
    }
    end();
}

// ---- exp: the FP32, FP16 and BF16 results against long double where that decides, FP64 within one unit --------------
static void test_exp(void)
{
    static const enum fp_format formats[] = {FP_F32, FP_F16, FP_BF16};
    for (unsigned t = 0; t < 3; t++) {
        enum fp_format f = formats[t];
        begin(format_name[f], "exp");
        uint64_t undecided = 0;
        for (uint64_t k = 0; k < count; k++) {
            enum fp_round rm = k & 3;
            uint64_t a = operand(f, rnd()), want;
            if (f == FP_F32 && rnd() % 4)
                a = of_f((float)(((double)(rnd() >> 11) * 0x1p-53 - 0.5) * 220));
            unsigned got_flags = 0, want_flags = is_snan(f, a) ? FP_NV : 0, other = 0;
            uint64_t got = fp_exp(f, a, rm, &got_flags);
            double x = value(f, a);
            if (is_nan(f, a)) {
                want = canonical(f);
            } else if (isinf(x) || x == 0) {
                want = narrow(f, exp(x), rm, &want_flags);
            } else {
                // exp in long double to 60 bits, forced to be inexact; ambiguous when both sides differ.
                long double e = expl(x < -300 ? -300 : x > 300 ? 300 : x);
                double lo = (double)(e * (1 - 0x1p-50L)), hi = (double)(e * (1 + 0x1p-50L));
                if (fabs(x) < 0x1p-30)          // 1 plus or minus something that no narrow format sees
                    lo = hi = x > 0 ? 1 + 0x1p-52 : 1 - 0x1p-53;
                want = narrow(f, d_of(of_d(lo) | 1), rm, &want_flags);
                uint64_t w2 = narrow(f, d_of(of_d(hi) | 1), rm, &other);
                if (want != w2 || want_flags != other) {
                    undecided++;
                    if (got != want && got != w2)
                        differ(mode_name[rm], a, 0, 0, got, got_flags, want, want_flags);
                    continue;
                }
            }
            if (got != want || got_flags != want_flags)
                differ(mode_name[rm], a, 0, 0, got, got_flags, want, want_flags);
        }
        printf("# %s exp: %" PRIu64 " of %" PRIu64 " arguments beyond the oracle's precision\n", format_name[f], undecided, count);
        end();
    }
    begin("f64", "exp");
    for (uint64_t k = 0; k < count / 20; k++) {
        enum fp_round rm = k & 3;
        uint64_t a = operand(FP_F64, rnd()), want;
        if (rnd() % 4)
            a = of_d(((double)(rnd() >> 11) * 0x1p-53 - 0.5) * (rnd() & 1 ? 1500 : 2));
        unsigned got_flags = 0;
        uint64_t got = fp_exp(FP_F64, a, rm, &got_flags);
        double x = d_of(a);
        if (isnan(x) || isinf(x) || x == 0) {
            want = isnan(x) ? canonical(FP_F64) : of_d(exp(x));
            if (got != want || (got_flags & ~FP_NV))
                differ(mode_name[rm], a, 0, 0, got, got_flags, want, 0);
            continue;
        }
        long double e = expl(x < -2000 ? -2000 : x > 2000 ? 2000 : x);      // wide exponent: rounding it to double in the mode is the result
        volatile long double lo = e * (1 - 0x1p-61L), hi = e * (1 + 0x1p-61L);
        fesetround(host_mode[rm]);
        volatile double w1 = (double)lo, w2 = (double)hi;
        fesetround(FE_TONEAREST);
        if (got != of_d(w1) && got != of_d(w2))
            differ(mode_name[rm], a, 0, 0, got, got_flags, of_d(w1), 0);
        if (!(got_flags & FP_NX))
            differ(mode_name[rm], a, 0, 0, got, got_flags, of_d(w1), FP_NX);
    }
    end();
}

// ---- log: as exp, against logl -----------------------------------------------------------------------------------
static void test_log(void)
{
    static const enum fp_format formats[] = {FP_F32, FP_F16, FP_BF16, FP_F64};
    for (unsigned t = 0; t < 4; t++) {
        enum fp_format f = formats[t];
        begin(format_name[f], "log");
        for (uint64_t k = 0; k < (f == FP_F64 ? count / 20 : count); k++) {
            enum fp_round rm = k & 3;
            uint64_t one = ((1ull << (shape[f].e - 1)) - 1) << shape[f].m;
            uint64_t a = rnd() & 3 ? operand(f, rnd()) : one + (rnd() >> (70 - shape[f].m)) - 8, want;
            if (rnd() & 7)
                a &= ~(1ull << (shape[f].e + shape[f].m));
            unsigned got_flags = 0, want_flags = is_snan(f, a) ? FP_NV : 0, other = 0;
            uint64_t got = fp_log(f, a, rm, &got_flags), w2;
            double x = value(f, a);
            if (is_nan(f, a) || x < 0) {
                want = w2 = canonical(f);
                want_flags |= x < 0 ? FP_NV : 0;
            } else if (x == 0 || isinf(x) || x == 1) {
                want = w2 = f == FP_F64 ? of_d(log(x)) : narrow(f, log(x), 0, &other);
                want_flags = x == 0 ? FP_DZ : 0;
            } else if (f == FP_F64) {
                long double e = logl((long double)x);
                volatile long double lo = e * (1 - 0x1p-61L), hi = e * (1 + 0x1p-61L);
                fesetround(host_mode[rm]);
                volatile double w = (double)lo, v = (double)hi;
                fesetround(FE_TONEAREST);
                want = of_d(w), w2 = of_d(v);
                want_flags = FP_NX;
            } else {
                long double e = logl((long double)x);
                want = narrow(f, d_of(of_d((double)(e * (1 - 0x1p-50L))) | 1), rm, &want_flags);
                w2 = narrow(f, d_of(of_d((double)(e * (1 + 0x1p-50L))) | 1), rm, &other);
            }
            if ((got != want && got != w2) || got_flags != want_flags)
                differ(mode_name[rm], a, 0, 0, got, got_flags, want, want_flags);
        }
        end();
    }
}

int main(int argc, char **argv)
{
    // For the decimal oracle: fp_test exp64|log64 reads "bits mode" lines and prints results.
    if (argc > 1 && (!strcmp(argv[1], "exp64") || !strcmp(argv[1], "log64"))) {
        uint64_t a;
        unsigned rm;
        while (scanf("%" SCNx64 " %u", &a, &rm) == 2)
            printf("%016" PRIx64 "\n", (*argv[1] == 'e' ? fp_exp : fp_log)(FP_F64, a, rm, &(unsigned){0}));
        return 0;
    }
    count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    rng_state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static const enum fp_format formats[] = {FP_F64, FP_F32, FP_F16, FP_BF16};
    for (unsigned i = 0; i < 4; i++) {
        test_arith(formats[i]);
        test_order(formats[i]);
        test_int(formats[i]);
        if (formats[i] != FP_F64)
            test_lanes(formats[i]);
    }
    test_convert();
    test_exp();
    test_log();
    return 0;
}
