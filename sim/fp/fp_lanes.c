// SPDX-License-Identifier: BSD-2-Clause
// Operations over the lanes of a group. FP32 add, subtract, multiply, divide, square root, reciprocal and fused
// multiply-add use the vector unit of x86-64 hosts: SSE and FMA round, detect tininess (after rounding) and raise
// flags exactly as the Linx core does, except that NaN results need canonical bits and that FMA does not raise NV
// for infinity * 0 + quiet NaN. Other hosts, formats and modes go lane by lane through the scalar functions.
#include "fp_core.h"

#include <string.h>

enum { MAX_LANES = 64 };

static void lanes_one_by_one(enum fp_op op, enum fp_format f, uint32_t *dst, const uint32_t *a, const uint32_t *b,
                             const uint32_t *c, uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    for (unsigned i = 0; i < n; i++)
        dst[i] = mask >> i & 1
            ? (uint32_t)fp_do(op, f, a[i], b ? b[i] : 0, c ? c[i] : 0, rm, flags) : 0;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

// One group of operands, inactive lanes replaced by 1.0, which raises nothing in any operation.
typedef union { float v[MAX_LANES]; uint32_t w[MAX_LANES]; } __attribute__((aligned(64))) lane_block;

// noinline: the arithmetic must stay between the two accesses to MXCSR.
#define KERNEL(name, expr)                                                                              \
    static __attribute__((noinline)) void name(lane_block *d, const lane_block *x,       \
                                               const lane_block *y)                              \
    {                                                                                                   \
        (void)y;                                                                                        \
        for (int i = 0; i < MAX_LANES; i += 4) {                                                        \
            __m128 p = _mm_load_ps(x->v + i), q = _mm_load_ps(y->v + i);                                \
            (void)q;                                                                                    \
            _mm_store_ps(d->v + i, expr);                                                               \
        }                                                                                               \
    }
KERNEL(lanes_add, _mm_add_ps(p, q))
KERNEL(lanes_sub, _mm_sub_ps(p, q))
KERNEL(lanes_mul, _mm_mul_ps(p, q))
KERNEL(lanes_div, _mm_div_ps(p, q))
KERNEL(lanes_sqrt, _mm_sqrt_ps(p))
KERNEL(lanes_recip, _mm_div_ps(_mm_set1_ps(1), p))

static __attribute__((noinline, target("avx,fma"))) void lanes_madd(lane_block *d, const lane_block *x,
                                                                    const lane_block *y,
                                                                    const lane_block *z)
{
    for (int i = 0; i < MAX_LANES; i += 8)
        _mm256_store_ps(d->v + i, _mm256_fmadd_ps(_mm256_load_ps(x->v + i), _mm256_load_ps(y->v + i),
                                                  _mm256_load_ps(z->v + i)));
}

// One mask bit per lane to one word of ones or zeros per lane.
static void expand_mask(uint32_t *word, uint64_t mask)
{
    for (int i = 0; i < MAX_LANES; i++)
        word[i] = -(uint32_t)(mask >> i & 1);
}

static void load_block(lane_block *d, const uint32_t *src, const uint32_t *active, unsigned n, uint32_t flip)
{
    const uint32_t one = 0x3f800000;
    for (unsigned i = 0; i < n; i++)
        d->w[i] = ((src[i] ^ flip) & active[i]) | (one & ~active[i]);
    for (unsigned i = n; i < MAX_LANES; i++)
        d->w[i] = one;
}

static bool lanes_by_host(enum fp_op op, uint32_t *dst, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                          uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    static const uint16_t mxcsr_round[4] = {0 << 13, 3 << 13, 1 << 13, 2 << 13};    // RNE RTZ RDN RUP
    const bool fused = op >= FP_MADD && op <= FP_NMSUB;
    if (rm > FP_RUP || (fused && !__builtin_cpu_supports("fma")))
        return false;
    lane_block x, y, z, r;
    uint32_t active[MAX_LANES] __attribute__((aligned(64)));
    expand_mask(active, mask);
    load_block(&x, a, active, n, 0);
    if (op < FP_MAX || fused)
        load_block(&y, b, active, n, 0);
    else
        y = x;
    if (fused)
        load_block(&z, c, active, n, op == FP_MSUB || op == FP_NMSUB ? 0x80000000 : 0);

    unsigned saved = _mm_getcsr();
    _mm_setcsr(0x1f80 | mxcsr_round[rm]);       // all exceptions masked, flags clear, no flushing of subnormals
    switch (op) {
    case FP_ADD:   lanes_add(&r, &x, &y); break;
    case FP_SUB:   lanes_sub(&r, &x, &y); break;
    case FP_MUL:   lanes_mul(&r, &x, &y); break;
    case FP_DIV:   lanes_div(&r, &x, &y); break;
    case FP_SQRT:  lanes_sqrt(&r, &x, &y); break;
    case FP_RECIP: lanes_recip(&r, &x, &y); break;
    default:       lanes_madd(&r, &x, &y, &z); break;
    }
    unsigned raised = _mm_getcsr();
    _mm_setcsr(saved);
    *flags |= (raised & 1 ? FP_NV : 0) | (raised & 4 ? FP_DZ : 0) | (raised & 8 ? FP_OF : 0) |
              (raised & 0x10 ? FP_UF : 0) | (raised & 0x20 ? FP_NX : 0);

    uint32_t *bits = r.w, flip = op == FP_NMADD || op == FP_NMSUB ? 0x80000000 : 0, nans = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t nan = -(uint32_t)((bits[i] & 0x7fffffff) > 0x7f800000);
        nans |= nan;
        bits[i] = (((bits[i] ^ flip) & ~nan) | (0x7fc00000 & nan)) & active[i];
    }
    if (nans && fused) {                        // infinity * 0 + quiet NaN
        for (unsigned i = 0; i < n; i++)
            if (bits[i] == 0x7fc00000)
                (void)fp_do(op, FP_F32, a[i], b[i], c[i], rm, flags);
    }
    memcpy(dst, bits, n * sizeof *dst);
    return true;
}
#else
static bool lanes_by_host(enum fp_op op, uint32_t *dst, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                          uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    (void)op, (void)dst, (void)a, (void)b, (void)c, (void)mask, (void)n, (void)rm, (void)flags;
    return false;
}
#endif

// Comparisons, minimum and maximum of FP32 by integer arithmetic that compilers turn into vector code.
static void lanes_order(enum fp_op op, uint32_t *dst, const uint32_t *a, const uint32_t *b, uint64_t mask, unsigned n,
                        unsigned *flags)
{
    uint32_t any_nan = 0, any_snan = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t active = -(uint32_t)(mask >> i & 1);
        uint32_t x = a[i], y = b[i], mx = x & 0x7fffffff, my = y & 0x7fffffff;
        uint32_t nx = -(uint32_t)(mx > 0x7f800000), ny = -(uint32_t)(my > 0x7f800000);
        any_nan |= (nx | ny) & active;
        any_snan |= ((nx & ~x) | (ny & ~y)) & 0x00400000 & active;
        int32_t kx = x >> 31 ? (int32_t)(~mx) : (int32_t)mx, ky = y >> 31 ? (int32_t)(~my) : (int32_t)my;
        uint32_t r;
        if (op == FP_MAX || op == FP_MIN) {
            uint32_t take_x = -(uint32_t)((kx > ky) == (op == FP_MAX));
            take_x = (take_x & ~nx) | ny;
            r = (x & take_x) | (y & ~take_x);
            uint32_t both = nx & ny;
            r = (r & ~both) | (0x7fc00000 & both);
        } else {
            kx += kx < 0;
            ky += ky < 0;
            bool t = op == FP_EQ || op == FP_EQS ? kx == ky : op == FP_NE || op == FP_NES ? kx != ky :
                     op == FP_LT || op == FP_LTS ? kx < ky : kx >= ky;
            r = t & ~(nx | ny);
        }
        dst[i] = r & active;
    }
    if (any_snan || (any_nan && op >= FP_EQS && op <= FP_GES))
        *flags |= FP_NV;
}

void fp_lanes(enum fp_op op, enum fp_format f, uint32_t *dst, const uint32_t *a, const uint32_t *b,
              const uint32_t *c, uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    if (f == FP_F32) {
        switch (op) {
        case FP_MAX: case FP_MIN: case FP_EQ: case FP_NE: case FP_LT: case FP_GE:
        case FP_EQS: case FP_NES: case FP_LTS: case FP_GES:
            lanes_order(op, dst, a, b, mask, n, flags);
            return;
        case FP_ADD: case FP_SUB: case FP_MUL: case FP_DIV: case FP_SQRT: case FP_RECIP:
        case FP_MADD: case FP_MSUB: case FP_NMADD: case FP_NMSUB:
            if (lanes_by_host(op, dst, a, b, c, mask, n, rm, flags))
                return;
            break;
        case FP_ABS: case FP_EXP: case FP_CLASS:
            break;
        }
    }
    lanes_one_by_one(op, f, dst, a, b, c, mask, n, rm, flags);
}
