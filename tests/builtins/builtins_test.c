// SPDX-License-Identifier: BSD-2-Clause
// Compares every function of lib/builtins with the result of the compiler that builds this file.
// Built on the host with -DBUILTINS_TEST (the functions are then called t_NAME). Prints one line a group.
#include "../../lib/builtins/builtins.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *group;
static unsigned long checks, wrong;

static void begin(const char *name) { group = name; checks = wrong = 0; }
static void end(void) {
    if (wrong) {

        printf("not ok %s: %lu of %lu results differ\n", group, wrong, checks);
    } else {
        printf("ok %s (%lu results)\n", group, checks);
    }
}
static void check(bool good, const char *what, u128 a, u128 b) {
    checks++;
    if (good) return;
    if (wrong++ < 5)
        printf("# %s: wrong for %016llx%016llx, %016llx%016llx\n", what, (unsigned long long)(a >> 64),
               (unsigned long long)a, (unsigned long long)(b >> 64), (unsigned long long)b);
}

static uint64_t state = 88172645463325252u;
static uint64_t rnd(void) { // xorshift64: the same values on every run
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
// Corner values first, then random ones of every length.
static u128 int_sample(unsigned i) {
    static const uint64_t corner[] = {0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
        INT64_MAX, 1ull << 63, UINT64_MAX, 10, 0xfffffffffffffffe, 0x8000000000000001, 0xffffffff00000000};
    unsigned n = sizeof corner / sizeof *corner;
    if (i < n * n) return (u128)corner[i / n] << 64 | corner[i % n];
    u128 v = (u128)rnd() << 64 | rnd();
    return v >> (rnd() & 127);
}
enum { INTS = 225 + 30 };

static void integers(void) {
    begin("int128");
    for (unsigned i = 0; i < INTS; i++)
        for (unsigned j = 0; j < INTS; j++) {
            u128 a = int_sample(i), b = int_sample(j), r;
            i128 s = (i128)a, t = (i128)b, q;
            int o = 2;
            check(t___multi3(s, t) == (i128)(a * b), "__multi3", a, b);
            check(t___ucmpti2(a, b) == (a < b ? 0 : a == b ? 1 : 2), "__ucmpti2", a, b);
            check(t___cmpti2(s, t) == (s < t ? 0 : s == t ? 1 : 2), "__cmpti2", a, b);
            i128 p = 0;
            bool over = __builtin_mul_overflow(s, t, &p);
            check(t___muloti4(s, t, &o) == p && o == over, "__muloti4", a, b);
            if (!b) continue;
            check(t___udivti3(a, b) == a / b, "__udivti3", a, b);
            check(t___umodti3(a, b) == a % b, "__umodti3", a, b);
            check(t___udivmodti4(a, b, &r) == a / b && r == a % b, "__udivmodti4", a, b);
            if (t == -1 && a == (u128)1 << 127) continue;
            check(t___divti3(s, t) == s / t, "__divti3", a, b);
            check(t___modti3(s, t) == s % t, "__modti3", a, b);
            check(t___divmodti4(s, t, &q) == s / t && q == s % t, "__divmodti4", a, b);
        }
    for (unsigned i = 0; i < INTS; i++)
        for (int n = 0; n < 128; n++) {
            u128 a = int_sample(i);
            check((u128)t___ashlti3((i128)a, n) == a << n, "__ashlti3", a, (u128)n);
            check((u128)t___lshrti3((i128)a, n) == a >> n, "__lshrti3", a, (u128)n);
            check(t___ashrti3((i128)a, n) == (i128)a >> n, "__ashrti3", a, (u128)n);
            check((u128)t___negti2((i128)a) == 0 - a, "__negti2", a, 0);
        }
    end();

    begin("int64");
    for (unsigned i = 0; i < INTS; i++)
        for (unsigned j = 0; j < INTS; j++) {
            uint64_t a = (uint64_t)int_sample(i), b = (uint64_t)int_sample(j), r;
            int64_t s = (int64_t)a, t = (int64_t)b, q;
            uint32_t a4 = (uint32_t)a, b4 = (uint32_t)b, r4;
            int32_t s4 = (int32_t)a, t4 = (int32_t)b, q4;
            int n = (int)(b & 63);
            check(t___muldi3(s, t) == (int64_t)(a * b), "__muldi3", a, b);
            check(t___ashldi3(s, n) == (int64_t)(a << n), "__ashldi3", a, b);
            check(t___lshrdi3(s, n) == (int64_t)(a >> n), "__lshrdi3", a, b);
            check(t___ashrdi3(s, n) == s >> n, "__ashrdi3", a, b);
            check(t___negdi2(s) == (int64_t)(0 - a), "__negdi2", a, b);
            if (b) {
                check(t___udivdi3(a, b) == a / b && t___umoddi3(a, b) == a % b, "__udivdi3", a, b);
                check(t___udivmoddi4(a, b, &r) == a / b && r == a % b, "__udivmoddi4", a, b);
                if (!(t == -1 && s == INT64_MIN)) {
                    check(t___divdi3(s, t) == s / t && t___moddi3(s, t) == s % t, "__divdi3", a, b);
                    check(t___divmoddi4(s, t, &q) == s / t && q == s % t, "__divmoddi4", a, b);
                }
            }
            if (b4) {
                check(t___udivsi3(a4, b4) == a4 / b4 && t___umodsi3(a4, b4) == a4 % b4, "__udivsi3", a, b);
                check(t___udivmodsi4(a4, b4, &r4) == a4 / b4 && r4 == a4 % b4, "__udivmodsi4", a, b);
                if (!(t4 == -1 && s4 == INT32_MIN)) {
                    check(t___divsi3(s4, t4) == s4 / t4 && t___modsi3(s4, t4) == s4 % t4, "__divsi3", a, b);
                    check(t___divmodsi4(s4, t4, &q4) == s4 / t4 && q4 == s4 % t4, "__divmodsi4", a, b);
                }
            }
        }
    end();

    begin("bits");
    for (unsigned i = 0; i < INTS * 10; i++) {
        u128 v = int_sample(i);
        uint64_t d = (uint64_t)v, h = (uint64_t)(v >> 64);
        uint32_t w = (uint32_t)v;
        check(t___clzsi2(w) == (w ? __builtin_clz(w) : 32), "__clzsi2", v, 0);
        check(t___clzdi2(d) == (d ? __builtin_clzll(d) : 64), "__clzdi2", v, 0);
        check(t___clzti2(v) == (h ? __builtin_clzll(h) : d ? 64 + __builtin_clzll(d) : 128), "__clzti2", v, 0);
        check(t___ctzsi2(w) == (w ? __builtin_ctz(w) : 32), "__ctzsi2", v, 0);
        check(t___ctzdi2(d) == (d ? __builtin_ctzll(d) : 64), "__ctzdi2", v, 0);
        check(t___ctzti2(v) == (d ? __builtin_ctzll(d) : h ? 64 + __builtin_ctzll(h) : 128), "__ctzti2", v, 0);
        check(t___ffssi2(w) == __builtin_ffs((int)w), "__ffssi2", v, 0);
        check(t___ffsdi2(d) == __builtin_ffsll((long long)d), "__ffsdi2", v, 0);
        check(t___ffsti2(v) == (d ? __builtin_ffsll((long long)d) : h ? 64 + __builtin_ffsll((long long)h) : 0), "__ffsti2", v, 0);
        check(t___popcountsi2(w) == __builtin_popcount(w), "__popcountsi2", v, 0);
        check(t___popcountdi2(d) == __builtin_popcountll(d), "__popcountdi2", v, 0);
        check(t___popcountti2(v) == __builtin_popcountll(d) + __builtin_popcountll(h), "__popcountti2", v, 0);
        check(t___paritysi2(w) == __builtin_parity(w), "__paritysi2", v, 0);
        check(t___paritydi2(d) == __builtin_parityll(d), "__paritydi2", v, 0);
        check(t___parityti2(v) == __builtin_parityll(d ^ h), "__parityti2", v, 0);
        check(t___bswapsi2(w) == __builtin_bswap32(w), "__bswapsi2", v, 0);
        check(t___bswapdi2(d) == __builtin_bswap64(d), "__bswapdi2", v, 0);
    }
    end();

    begin("overflow");
#define TRAPPING(bits, T)                                                                               \
    {                                                                                                   \
        T a = (T)x, b = (T)y, r;                                                                        \
        if (!__builtin_add_overflow(a, b, &r)) check(t___addv##bits##3(a, b) == r, "__addv" #bits "3", x, y); \
        if (!__builtin_sub_overflow(a, b, &r)) check(t___subv##bits##3(a, b) == r, "__subv" #bits "3", x, y); \
        if (!__builtin_mul_overflow(a, b, &r)) check(t___mulv##bits##3(a, b) == r, "__mulv" #bits "3", x, y); \
        if (!__builtin_sub_overflow((T)0, a, &r)) {                                                     \
            check(t___negv##bits##2(a) == r, "__negv" #bits "2", x, y);                                 \
            check(t___absv##bits##2(a) == (a < 0 ? r : a), "__absv" #bits "2", x, y);                   \
        }                                                                                               \
    }
    for (unsigned i = 0; i < INTS; i++)
        for (unsigned j = 0; j < INTS; j++) {
            u128 x = int_sample(i), y = int_sample(j);
            int o = 2;
            int32_t p4;
            int64_t p8;
            bool v4 = __builtin_mul_overflow((int32_t)x, (int32_t)y, &p4);
            bool v8 = __builtin_mul_overflow((int64_t)x, (int64_t)y, &p8);
            check(t___mulosi4((int32_t)x, (int32_t)y, &o) == p4 && o == v4, "__mulosi4", x, y);
            check(t___mulodi4((int64_t)x, (int64_t)y, &o) == p8 && o == v8, "__mulodi4", x, y);
            TRAPPING(si, int32_t)
            TRAPPING(di, int64_t)
            TRAPPING(ti, i128)
        }
    end();
}

static uint64_t d2u(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static uint32_t f2u(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static bool eqd(double a, double b) { return isnan(a) ? isnan(b) : d2u(a) == d2u(b); }
static bool eqf(float a, float b) { return isnan(a) ? isnan(b) : f2u(a) == f2u(b); }

static double double_sample(unsigned i) {
    static const uint64_t corner[] = {0, 1, 2, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
        0x3ca0000000000000, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001,
        0x4000000000000000, 0x4008000000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0x41f0000000000000,
        0x43e0000000000000, 0x43dfffffffffffff, 0x43f0000000000000, 0x4340000000000001, 0x47e0000000000000,
        0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000, 0x3e80000000000000, 0x36a0000000000000,
        0x381fffffe0000000, 0x47efffffe0000000, 0x47effffff0000000};
    unsigned n = sizeof corner / sizeof *corner;
    uint64_t u;
    if (i < 2 * n) u = corner[i / 2] | (uint64_t)(i & 1) << 63;
    else {
        u = rnd();
        if (i % 3 == 0) u = (u & 0x800fffffffffffff) | (1000 + rnd() % 50) << 52; // near each other
        if (i % 7 == 0) u &= 0xffffffff00000000;
    }
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static float float_sample(unsigned i) {
    static const uint32_t corner[] = {0, 1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x33800000, 0x3f000000,
        0x3f7fffff, 0x3f800000, 0x3f800001, 0x40000000, 0x40400000, 0x4effffff, 0x4f000000, 0x4f800000,
        0x5effffff, 0x5f000000, 0x5f800000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x33000000, 0x477fe000,
        0x477ff000, 0x38800000, 0x387fffff, 0x33000001};
    unsigned n = sizeof corner / sizeof *corner;
    uint32_t u;
    if (i < 2 * n) u = corner[i / 2] | (i & 1u) << 31;
    else {
        u = (uint32_t)rnd();
        if (i % 3 == 0) u = (u & 0x807fffff) | (uint32_t)(110 + rnd() % 30) << 23;
    }
    float f;
    memcpy(&f, &u, 4);
    return f;
}
enum { REALS = 250 };
static int sign(int v) { return (v > 0) - (v < 0); }
static int order(double a, double b) { return a < b ? -1 : a > b ? 1 : 0; }

#define REAL_GROUP(T, m, sample, eq, bits, name)                                                            \
    begin(name);                                                                                            \
    for (unsigned i = 0; i < REALS; i++)                                                                    \
        for (unsigned j = 0; j < REALS; j++) {                                                              \
            T a = sample(i), b = sample(j);                                                                 \
            u128 x = bits(a), y = bits(b);                                                                  \
            bool un = isunordered(a, b);                                                                    \
            check(eq(t___add##m##3(a, b), a + b), "__add" #m "3", x, y);                                    \
            check(eq(t___sub##m##3(a, b), a - b), "__sub" #m "3", x, y);                                    \
            check(eq(t___mul##m##3(a, b), a * b), "__mul" #m "3", x, y);                                    \
            check(eq(t___div##m##3(a, b), a / b), "__div" #m "3", x, y);                                    \
            check(t___unord##m##2(a, b) == un, "__unord" #m "2", x, y);                                     \
            check(sign(t___cmp##m##2(a, b)) == (un ? 1 : order(a, b)), "__cmp" #m "2", x, y);               \
            check((t___eq##m##2(a, b) == 0) == (a == b), "__eq" #m "2", x, y);                              \
            check((t___ne##m##2(a, b) != 0) == (a != b), "__ne" #m "2", x, y);                              \
            check((t___lt##m##2(a, b) < 0) == (a < b), "__lt" #m "2", x, y);                                \
            check((t___le##m##2(a, b) <= 0) == (a <= b), "__le" #m "2", x, y);                              \
            check((t___gt##m##2(a, b) > 0) == (a > b), "__gt" #m "2", x, y);                                \
            check((t___ge##m##2(a, b) >= 0) == (a >= b), "__ge" #m "2", x, y);                              \
        }                                                                                                   \
    for (unsigned i = 0; i < REALS * 20; i++) {                                                             \
        T a = sample(i);                                                                                    \
        u128 x = bits(a);                                                                                   \
        check(t___neg##m##2(a) == -a || isnan(a), "__neg" #m "2", x, 0);                                    \
        /* in range: the host's own conversion; out of range: the nearest value (isnan: 0) */               \
        check(t___fix##m##si(a) == (isnan(a) ? 0 : a >= 0x1p31 ? INT32_MAX : a <= -0x1p31 ? INT32_MIN : (int32_t)a), "__fix" #m "si", x, 0); \
        check(t___fix##m##di(a) == (isnan(a) ? 0 : a >= 0x1p63 ? INT64_MAX : a <= -0x1p63 ? INT64_MIN : (int64_t)a), "__fix" #m "di", x, 0); \
        check(t___fix##m##ti(a) == (isnan(a) ? 0 : a >= 0x1p127 ? (i128)(~(u128)0 >> 1) : a <= -0x1p127 ? (i128)((u128)1 << 127) : (i128)a), "__fix" #m "ti", x, 0); \
        check(t___fixuns##m##si(a) == (!(a > -1) ? 0 : a >= 0x1p32 ? UINT32_MAX : (uint32_t)a), "__fixuns" #m "si", x, 0); \
        check(t___fixuns##m##di(a) == (!(a > -1) ? 0 : a >= 0x1p64 ? UINT64_MAX : (uint64_t)a), "__fixuns" #m "di", x, 0); \
        check(t___fixuns##m##ti(a) == (!(a > -1) ? 0 : a >= 0x1p127 * 2 ? ~(u128)0 : (u128)a), "__fixuns" #m "ti", x, 0); \
        u128 v = int_sample(i);                                                                             \
        check(eq(t___floatsi##m((int32_t)v), (T)(int32_t)v), "__floatsi" #m, v, 0);                         \
        check(eq(t___floatdi##m((int64_t)v), (T)(int64_t)v), "__floatdi" #m, v, 0);                         \
        check(eq(t___floatti##m((i128)v), (T)(i128)v), "__floatti" #m, v, 0);                               \
        check(eq(t___floatunsi##m((uint32_t)v), (T)(uint32_t)v), "__floatunsi" #m, v, 0);                   \
        check(eq(t___floatundi##m((uint64_t)v), (T)(uint64_t)v), "__floatundi" #m, v, 0);                   \
        check(eq(t___floatunti##m(v), (T)v), "__floatunti" #m, v, 0);                                       \
    }                                                                                                       \
    for (int n = -40; n <= 40; n++) {                                                                       \
        T r = 1;                                                                                            \
        for (int k = 0; k < (n < 0 ? -n : n); k++) r *= 2;                                                  \
        check(t___powi##m##2(2, n) == (n < 0 ? 1 / r : r), "__powi" #m "2", (u128)n, 0);                    \
    }                                                                                                       \
    end();

static void reals(void) {
    REAL_GROUP(double, df, double_sample, eqd, d2u, "double")
    REAL_GROUP(float, sf, float_sample, eqf, f2u, "float")

    begin("conversions between floating formats");
    for (unsigned i = 0; i < REALS * 50; i++) {
        double d = double_sample(i);
        float f = float_sample(i);
        check(eqd(t___extendsfdf2(f), (double)f), "__extendsfdf2", f2u(f), 0);
        check(eqf(t___truncdfsf2(d), (float)d), "__truncdfsf2", d2u(d), 0);
        uint32_t w = f2u(f), up = (w + 0x7fff + (w >> 16 & 1)) >> 16; // bfloat16 by integer rounding
        if (!isnan(f)) check(t___truncsfbf2(f) == (uint16_t)up, "__truncsfbf2", w, 0);
        if (!isnan(d)) check(t___truncdfbf2((double)f) == t___truncsfbf2(f), "__truncdfbf2", w, 0);
        check(isnan(f) || f2u(t___extendbfsf2((uint16_t)(w >> 16))) == (w & 0xffff0000), "__extendbfsf2", w, 0);
    }
    for (uint32_t h = 0; h < 0x10000; h++) { // every half, against its definition
        int e = h >> 10 & 31;
        double m = h & 1023, v = e == 31 ? (m != 0 ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
        if (h >> 15) v = -v;
        check(eqd(t___extendhfdf2((uint16_t)h), v), "__extendhfdf2", h, 0);
        check(eqf(t___extendhfsf2((uint16_t)h), (float)v), "__extendhfsf2", h, 0);
        check(eqf(t___gnu_h2f_ieee((uint16_t)h), (float)v), "__gnu_h2f_ieee", h, 0);
        if (isnan(v)) continue;
        check(t___truncdfhf2(v) == h, "__truncdfhf2", h, 0);
        check(t___truncsfhf2((float)v) == h, "__truncsfhf2", h, 0);
        if (e == 31 || h == 0x7bff || h == 0xfbff) continue;
        // Halfway to the next larger magnitude goes to the even one; one float above goes up.
        uint16_t n = (uint16_t)(h + 1), even = (uint16_t)(h & 1 ? n : h);
        float mid = (float)((v + t___extendhfdf2(n)) / 2);
        check(t___gnu_f2h_ieee(mid) == even, "__gnu_f2h_ieee tie", h, 0);
        check(t___truncsfhf2(nextafterf(mid, v < 0 || h >> 15 ? -INFINITY : INFINITY)) == n, "__truncsfhf2 up", h, 0);
        check(t___truncsfhf2(nextafterf(mid, 0)) == (uint16_t)h, "__truncsfhf2 down", h, 0);
    }
    end();
}

// Complex results: infinities and NaN in the same places, finite parts to a few units in the last place
// of the larger part (the usual formula has no tighter bound).
static bool near(double a, double b, double scale, double eps) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b)) return a == b;
    return fabs(a - b) <= 8 * eps * scale;
}
static bool same_complex(double ar, double ai, double br, double bi, double eps) {
    bool inf_a = isinf(ar) || isinf(ai), inf_b = isinf(br) || isinf(bi);
    if (inf_a || inf_b) return inf_a == inf_b;
    double scale = fmax(fabs(br), fabs(bi));
    return near(ar, br, scale, eps) && near(ai, bi, scale, eps);
}
static double part(unsigned i) {
    static const double c[] = {0, -0.0, 1, -1, 2.5, -3.25, 1e-3, 1e10, INFINITY, -INFINITY, NAN, 1e300, 1e-300};
    return i < 13 ? c[i] : (double)(int64_t)rnd() * 0x1p-50;
}
static void complexes(void) {
    begin("complex");
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            for (unsigned k = 0; k < 16; k++)
                for (unsigned l = 0; l < 16; l++) {
                    double a = part(i), b = part(j), c = part(k), d = part(l);
                    double complex x = CMPLX(a, b), y = CMPLX(c, d), p = x * y, q = x / y;
                    double complex tp = t___muldc3(a, b, c, d), tq = t___divdc3(a, b, c, d);
                    u128 u = (u128)d2u(a) << 64 | d2u(b), v = (u128)d2u(c) << 64 | d2u(d);
                    check(same_complex(creal(tp), cimag(tp), creal(p), cimag(p), 0x1p-52), "__muldc3", u, v);
                    // Parts whose squares overflow or vanish have a test of their own: the host's division
                    // does not get all of them right.
                    double all[] = {a, b, c, d};
                    bool wild = false;
                    for (int n = 0; n < 4; n++)
                        wild |= isfinite(all[n]) && all[n] != 0 && (fabs(all[n]) > 1e200 || fabs(all[n]) < 1e-200);
                    if (!wild) check(same_complex(creal(tq), cimag(tq), creal(q), cimag(q), 0x1p-50), "__divdc3", u, v);
                    float fa = (float)a, fb = (float)b, fc = (float)c, fd = (float)d;
                    float complex g = t___mulsc3(fa, fb, fc, fd), h = CMPLXF(fa, fb) * CMPLXF(fc, fd);
                    check(same_complex(crealf(g), cimagf(g), crealf(h), cimagf(h), 0x1p-22), "__mulsc3", u, v);
                    g = t___divsc3(fa, fb, fc, fd);
                    h = CMPLXF(fa, fb) / CMPLXF(fc, fd);
                    check(same_complex(crealf(g), cimagf(g), crealf(h), cimagf(h), 0x1p-20), "__divsc3", u, v);
                }
    end();
}

// Quotients whose straightforward evaluation overflows, vanishes or loses digits: the exact results, of which
// both parts must be right to the last place but one.
static void hard_quotients(void) {
    static const double v[][6] = {
        {-0x1.16e7fad79e45ep+651, -0x1.f7f75b94c6c6ap-860, -0x1.2f40d8ff7e55ep+245, -0x0.0000000004ebcp-968,
         0x1.d6e4b0e2828694570ba839070beep+405, -0x1.e9095e311e70498db810196259b7p-846},
        {-0x1.21ff587f953d3p-310, -0x1.5a526dcc59960p+837, 0x1.b88b8b552eaadp+735, -0x1.873e2d6544d92p-327,
         0x1.65734a88b2ddff699c482ee8eef6p-961, -0x1.927e85b8b576f94a797a1bcb733dp+101},
        {0x1.4612e41aa8080p-846, -0x0.0000000613e07p-968, 0x1.df9cd0d58caafp-820, -0x1.e47051a9036dbp-584,
         0x1.9b194f3aaadea545174c5372d8p-415, 0x1.58a00ab740a6ad3249002f2b79p-263},
        {1, 1, 1, 0x1p1023, 0x1p-1023, -0x1p-1023},
        {0x1p1023, 0x1p-1023, 0x1p677, 0x1p-677, 0x1p346, -0x1p-1008},
        {0x1p1020, 0x1p-844, 0x1p656, 0x1p-780, 0x1p364, -0x1p-1072},
        {0x1p-71, 0x1p1021, 0x1p1001, 0x1p-323, 0x1p-1072, 0x1p20},
        {0x1p-347, 0x1p-54, 0x1p-1037, 0x1p-1058, 3.898125604559113300e289, 8.174961907852353577e295},
        {0x1p-1074, 0x1p-1074, 0x1p-1073, 0x1p-1074, 0.6, 0.2},
    };
    begin("hard complex quotients");
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double complex q = t___divdc3(v[i][0], v[i][1], v[i][2], v[i][3]);
        bool good = fabs(creal(q) - v[i][4]) <= fabs(v[i][4]) * 0x1p-52 + 0x1p-1074 && fabs(cimag(q) - v[i][5]) <= fabs(v[i][5]) * 0x1p-52 + 0x1p-1074;
        check(good, "__divdc3", d2u(creal(q)), d2u(cimag(q)));
    }
    end();
}

static void memory(void) {
    static unsigned char a[200], b[200], c[200];
    begin("memory");
    for (size_t n = 0; n < 90; n++)
        for (unsigned from = 0; from < 17; from++)
            for (unsigned to = 0; to < 17; to++) {
                for (unsigned i = 0; i < sizeof a; i++) a[i] = b[i] = c[i] = (unsigned char)rnd();
                memcpy(b + 1, a, 190);
                memcpy(c + 1, a, 190);
                check(t_memcpy(b + to, a + from, n) == b + to, "memcpy result", n, from);
                memcpy(c + to, a + from, n);
                check(!memcmp(b, c, sizeof b), "memcpy", n, from * 100 + to);
                check(t_memmove(b + to, b + from, n) == b + to, "memmove result", n, from);
                memmove(c + to, c + from, n);
                check(!memcmp(b, c, sizeof b), "memmove", n, from * 100 + to);
                check(t_memset(b + to, (int)from * 31, n) == b + to, "memset result", n, from);
                memset(c + to, (int)from * 31, n);
                check(!memcmp(b, c, sizeof b), "memset", n, from * 100 + to);
                check(sign(t_memcmp(a + from, b + to, n)) == sign(memcmp(a + from, b + to, n)), "memcmp", n, from);
                memcpy(b + to, a + from, n);
                check(t_memcmp(a + from, b + to, n) == 0 && t_bcmp(a + from, b + to, n) == 0, "memcmp equal", n, from);
                if (n) {
                    b[to + n - 1] ^= 0x80;
                    check(sign(t_memcmp(a + from, b + to, n)) == sign(memcmp(a + from, b + to, n)), "memcmp last", n, from);
                    check(t_bcmp(a + from, b + to, n) != 0, "bcmp last", n, from);
                }
            }
    end();
}

#define SIZED(T, n)                                                                                            \
    {                                                                                                          \
        T v = (T)x, e = (T)x;                                                                                  \
        check(t___atomic_load_##n(&v, 5) == (T)x, "load", x, y);                                               \
        check(t___atomic_exchange_##n(&v, (T)y, 5) == (T)x && v == (T)y, "exchange", x, y);                    \
        t___atomic_store_##n(&v, (T)x, 5);                                                                     \
        check(v == (T)x, "store", x, y);                                                                       \
        check(t___atomic_fetch_add_##n(&v, (T)y, 5) == (T)x && v == (T)(x + y), "fetch_add", x, y);            \
        v = (T)x;                                                                                              \
        check(t___atomic_fetch_sub_##n(&v, (T)y, 5) == (T)x && v == (T)(x - y), "fetch_sub", x, y);            \
        v = (T)x;                                                                                              \
        check(t___atomic_fetch_and_##n(&v, (T)y, 5) == (T)x && v == (T)(x & y), "fetch_and", x, y);            \
        v = (T)x;                                                                                              \
        check(t___atomic_fetch_or_##n(&v, (T)y, 5) == (T)x && v == (T)(x | y), "fetch_or", x, y);              \
        v = (T)x;                                                                                              \
        check(t___atomic_fetch_xor_##n(&v, (T)y, 5) == (T)x && v == (T)(x ^ y), "fetch_xor", x, y);            \
        v = (T)x;                                                                                              \
        check(t___atomic_fetch_nand_##n(&v, (T)y, 5) == (T)x && v == (T)~(x & y), "fetch_nand", x, y);         \
        v = (T)x;                                                                                              \
        check(t___atomic_compare_exchange_##n(&v, &e, (T)y, 5, 5) && v == (T)y && e == (T)x, "cas", x, y);     \
        e = (T)(y + 1);                                                                                        \
        check(!t___atomic_compare_exchange_##n(&v, &e, (T)x, 5, 5) && v == (T)y && e == (T)y, "cas fails", x, y); \
    }

static void atomics(void) {
    begin("atomic");
    for (unsigned i = 0; i < 300; i++) {
        u128 x = int_sample(i), y = int_sample(i + 1);
        SIZED(uint8_t, 1)
        SIZED(uint16_t, 2)
        SIZED(uint32_t, 4)
        SIZED(uint64_t, 8)
        SIZED(u128, 16)
    }
    for (size_t n = 1; n < 40; n++)
        for (unsigned at = 0; at < 9; at++) {
            _Alignas(16) unsigned char object[64], before[64], v[40], w[40], old[40];
            for (unsigned i = 0; i < 64; i++) object[i] = before[i] = (unsigned char)rnd();
            for (unsigned i = 0; i < 40; i++) v[i] = w[i] = (unsigned char)rnd();
            t___atomic_load(n, object + at, old, 5);
            check(!memcmp(old, before + at, n), "__atomic_load", n, at);
            t___atomic_exchange(n, object + at, v, old, 5);
            check(!memcmp(old, before + at, n) && !memcmp(object + at, v, n), "__atomic_exchange", n, at);
            t___atomic_store(n, object + at, before + at, 5);
            check(!memcmp(object, before, 64), "__atomic_store", n, at);
            memcpy(old, before + at, n);
            check(t___atomic_compare_exchange(n, object + at, old, v, 5, 5) && !memcmp(object + at, v, n), "cas", n, at);
            old[n - 1] = (unsigned char)~v[n - 1];
            check(!t___atomic_compare_exchange(n, object + at, old, w, 5, 5) && !memcmp(old, v, n), "cas fails", n, at);
            memcpy(object + at, before + at, n);
            check(!memcmp(object, before, 64), "bytes around", n, at);
            bool free = (n == 1 || n == 2 || n == 4 || n == 8) && (uintptr_t)(object + at) % n == 0;
            check(t___atomic_is_lock_free(n, object + at) == free, "__atomic_is_lock_free", n, at);
        }
    end();
}

int main(void) {
    integers();
    reals();
    complexes();
    hard_quotients();
    memory();
    atomics();
    return 0; // the lines above are the verdict
}
