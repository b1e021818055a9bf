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

typedef uint32_t lane_block[MAX_LANES] __attribute__((aligned(64)));

// A kernel computes 64 lanes and returns non-zero when a result is a NaN. noinline: the arithmetic must stay between
// the two accesses to MXCSR.
typedef int lane_kernel(uint32_t *d, const uint32_t *x, const uint32_t *y, const uint32_t *z);
static inline __m128 load4(const uint32_t *p) { return _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)p)); }
static inline void store4(uint32_t *p, __m128 v) { _mm_storeu_si128((__m128i *)p, _mm_castps_si128(v)); }
#define KERNEL(name, expr)                                                                              \
    static __attribute__((noinline)) int name(uint32_t *d, const uint32_t *x, const uint32_t *y,       \
                                              const uint32_t *z)                                        \
    {                                                                                                   \
        __m128 nans = _mm_setzero_ps();                                                                 \
        for (int i = 0; i < MAX_LANES; i += 4) {                                                        \
            __m128 p = load4(x + i), q = load4(y + i), r;                                               \
            (void)q, (void)z;                                                                           \
            r = expr;                                                                                   \
            nans = _mm_or_ps(nans, _mm_cmpunord_ps(r, r));                                              \
            store4(d + i, r);                                                                           \
        }                                                                                               \
        return _mm_movemask_ps(nans);                                                                   \
    }
KERNEL(lanes_add, _mm_add_ps(p, q))
KERNEL(lanes_sub, _mm_sub_ps(p, q))
KERNEL(lanes_mul, _mm_mul_ps(p, q))
KERNEL(lanes_div, _mm_div_ps(p, q))
KERNEL(lanes_sqrt, _mm_sqrt_ps(p))
KERNEL(lanes_recip, _mm_div_ps(_mm_set1_ps(1), p))
#pragma GCC push_options
#pragma GCC target("avx,fma")
KERNEL(lanes_madd, _mm_fmadd_ps(p, q, load4(z + i)))
KERNEL(lanes_msub, _mm_fmsub_ps(p, q, load4(z + i)))
#pragma GCC pop_options

static lane_kernel *const kernels[FP_CLASS + 1] = {
    [FP_ADD] = lanes_add, [FP_SUB] = lanes_sub, [FP_MUL] = lanes_mul, [FP_DIV] = lanes_div, [FP_SQRT] = lanes_sqrt,
    [FP_RECIP] = lanes_recip, [FP_MADD] = lanes_madd, [FP_MSUB] = lanes_msub, [FP_NMADD] = lanes_madd,
    [FP_NMSUB] = lanes_msub,
};

// Operands with inactive lanes replaced by 1.0, which raises nothing in any of the operations.
static const uint32_t *masked(uint32_t *buf, const uint32_t *src, uint64_t mask)
{
    for (int i = 0; i < MAX_LANES; i++)
        buf[i] = mask >> i & 1 ? src[i] : 0x3f800000;
    return buf;
}

static bool lanes_by_host(enum fp_op op, uint32_t *dst, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                          uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    static const uint16_t mxcsr_round[4] = {0 << 13, 3 << 13, 1 << 13, 2 << 13};    // RNE RTZ RDN RUP
    const bool fused = op >= FP_MADD && op <= FP_NMSUB, binary = op < FP_MAX || fused;
    if (n != MAX_LANES || rm > FP_RUP || (fused && !__builtin_cpu_supports("fma")))
        return false;
    lane_block xbuf, ybuf, zbuf, r;
    const uint32_t *x = a, *y = binary ? b : a, *z = fused ? c : a;
    if (mask != ~0ull) {
        x = masked(xbuf, x, mask);
        y = binary ? masked(ybuf, y, mask) : x;
        z = fused ? masked(zbuf, z, mask) : x;
    }

    unsigned saved = _mm_getcsr();
    _mm_setcsr(0x1f80 | mxcsr_round[rm]);       // all exceptions masked, flags clear, no flushing of subnormals
    int nans = kernels[op](r, x, y, z);
    unsigned raised = _mm_getcsr();
    _mm_setcsr(saved);
    *flags |= (raised & 1 ? FP_NV : 0) | (raised & 4 ? FP_DZ : 0) | (raised & 8 ? FP_OF : 0) |
              (raised & 0x10 ? FP_UF : 0) | (raised & 0x20 ? FP_NX : 0);

    if (op == FP_NMADD || op == FP_NMSUB)
        for (int i = 0; i < MAX_LANES; i++)
            r[i] ^= 0x80000000;
    if (nans)
        for (int i = 0; i < MAX_LANES; i++)
            if ((r[i] & 0x7fffffff) > 0x7f800000) {
                r[i] = 0x7fc00000;
                if (fused)                      // infinity * 0 + quiet NaN
                    (void)fp_do(op, FP_F32, x[i], y[i], z[i], rm, flags);
            }
    if (mask == ~0ull)
        memcpy(dst, r, sizeof r);
    else
        for (int i = 0; i < MAX_LANES; i++)
            dst[i] = mask >> i & 1 ? r[i] : 0;
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

// Comparisons, minimum and maximum of FP32 by integer arithmetic; always_inline so that each operation gets its own
// loop, which compilers turn into vector code.
ALWAYS_INLINE void lanes_order(enum fp_op op, uint32_t *dst, const uint32_t *a, const uint32_t *b, unsigned n,
                               const uint32_t *active, unsigned *flags)
{
    uint32_t any_nan = 0, any_snan = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t x = a[i], y = b[i], mx = x & 0x7fffffff, my = y & 0x7fffffff;
        uint32_t nx = -(uint32_t)((int32_t)mx > 0x7f800000), ny = -(uint32_t)((int32_t)my > 0x7f800000);
        any_nan |= (nx | ny) & active[i];
        any_snan |= ((nx & ~x) | (ny & ~y)) & 0x00400000 & active[i];
        // Signed integers in the order of the numbers, -0 just below +0.
        int32_t kx = (int32_t)(x ^ ((uint32_t)((int32_t)x >> 31) >> 1));
        int32_t ky = (int32_t)(y ^ ((uint32_t)((int32_t)y >> 31) >> 1));
        uint32_t r;
        if (op == FP_MAX || op == FP_MIN) {
            uint32_t take_x = -(uint32_t)(op == FP_MAX ? kx > ky : kx <= ky);
            take_x = (take_x & ~nx) | ny;
            r = (x & take_x) | (y & ~take_x);
            r = (r & ~(nx & ny)) | (0x7fc00000 & nx & ny);
        } else {
            kx -= kx >> 31;                     // for comparisons -0 and +0 are one number
            ky -= ky >> 31;
            uint32_t t = op == FP_EQ || op == FP_EQS ? kx == ky : op == FP_NE || op == FP_NES ? kx != ky :
                         op == FP_LT || op == FP_LTS ? kx < ky : kx >= ky;
            r = t & ~(nx | ny);
        }
        dst[i] = r & active[i];
    }
    if (any_snan || (any_nan && op >= FP_EQS && op <= FP_GES))
        *flags |= FP_NV;
}

void fp_lanes(enum fp_op op, enum fp_format f, uint32_t *dst, const uint32_t *a, const uint32_t *b,
              const uint32_t *c, uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags)
{
    if (f == FP_F32) {
        uint32_t active[MAX_LANES];
        switch (op) {
#define ORDER(op)                                                   \
        case op:                                                    \
            for (unsigned i = 0; i < n; i++)                        \
                active[i] = -(uint32_t)(mask >> i & 1);             \
            lanes_order(op, dst, a, b, n, active, flags);           \
            return;
        ORDER(FP_MAX) ORDER(FP_MIN) ORDER(FP_EQ) ORDER(FP_NE) ORDER(FP_LT) ORDER(FP_GE)
        ORDER(FP_EQS) ORDER(FP_NES) ORDER(FP_LTS) ORDER(FP_GES)
#undef ORDER
        case FP_ADD: case FP_SUB: case FP_MUL: case FP_DIV: case FP_SQRT: case FP_RECIP:
        case FP_MADD: case FP_MSUB: case FP_NMADD: case FP_NMSUB:
            if (lanes_by_host(op, dst, a, b, c, mask, n, rm, flags))
                return;
            break;
        case FP_ABS:
            for (unsigned i = 0; i < n; i++)
                dst[i] = mask >> i & 1 ? a[i] & 0x7fffffff : 0;
            return;
        case FP_EXP: case FP_CLASS:
            break;
        }
    }
    lanes_one_by_one(op, f, dst, a, b, c, mask, n, rm, flags);
}
