// SPDX-License-Identifier: BSD-2-Clause
// Integer operations, one expression each. Operands come extended to 64 bits; the destination takes the low bits.
//
// The 32-bit loops give the same low 32 bits as the 64-bit ones when every operand is a sign-extended 32-bit number
// (lanes32s) or a zero-extended one (lanes32u); for ALU_CLOSED rows always. body_alu picks the loop.
#include "body.h"

#define LOOP _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++)

// Expressions use a, b, c of type T (uint64_t or uint32_t), S (the signed type), B (its bits) and d's fields.
#define ONE(name, expr)                                                                                               \
    static uint64_t name##_one(uint64_t a, uint64_t b, uint64_t c, const struct insn *d)                              \
    {                                                                                                                 \
        typedef uint64_t T; typedef int64_t S; enum { B = 64 };                                                       \
        const unsigned sh = d->shamt; const bool neg = d->rtype; const bool sgn = (d->a.type | d->b.type) & 4;        \
        (void)a; (void)b; (void)c; (void)sh; (void)neg; (void)sgn; (void)sizeof(S); (void)sizeof(T); (void)B;         \
        return expr;                                                                                                  \
    }
#define LANES_FN(suffix, t, s, bits, name, expr)                                                                      \
    static void name##_##suffix(uint32_t *r, const t *pa, const t *pb, const t *pc, const struct insn *d)             \
    {                                                                                                                 \
        typedef t T; typedef s S; enum { B = bits };                                                                  \
        const unsigned sh = d->shamt; const bool neg = d->rtype; const bool sgn = (d->a.type | d->b.type) & 4;        \
        (void)pa; (void)pb; (void)pc; (void)sh; (void)neg; (void)sgn; (void)sizeof(S); (void)sizeof(T); (void)B;      \
        LOOP {                                                                                                        \
            T a = pa[i], b = pb[i], c = pc[i];                                                                        \
            (void)a; (void)b; (void)c;                                                                                \
            r[i] = (uint32_t)(expr);                                                                                  \
        }                                                                                                             \
    }
#define L64(name, expr)  LANES_FN(l64, uint64_t, int64_t, 64, name, expr)
#define L32S(name, expr) LANES_FN(l32s, uint32_t, int32_t, 32, name, expr)
#define L32U(name, expr) LANES_FN(l32u, uint32_t, int32_t, 32, name, expr)

// Low bits in, low bits out.
#define CLOSED(name, flag, expr)                                                                                      \
    ONE(name, expr) L64(name, expr) L32U(name, expr)                                                                  \
    const struct alu alu_##name = {#name, name##_one, name##_l64, name##_l32u, name##_l32u, ALU_CLOSED | (flag)};
// Different 32-bit loops for signed and unsigned operands.
#define SPLIT(name, flag, expr, expr_s, expr_u)                                                                       \
    ONE(name, expr) L64(name, expr) L32S(name, expr_s) L32U(name, expr_u)                                             \
    const struct alu alu_##name = {#name, name##_one, name##_l64, name##_l32s, name##_l32u, flag};
// Only in 64 bits.
#define WIDE(name, flag, expr)                                                                                        \
    ONE(name, expr) L64(name, expr)                                                                                   \
    const struct alu alu_##name = {#name, name##_one, name##_l64, NULL, NULL, flag};

CLOSED(add, 0, a + ((neg ? (T)-b : b) << sh))
CLOSED(sub, 0, a - ((neg ? (T)-b : b) << sh))
CLOSED(and, 0, a & ((neg ? (T)~b : b) << sh))
CLOSED(or,  0, a | ((neg ? (T)~b : b) << sh))
CLOSED(xor, 0, a ^ ((neg ? (T)~b : b) << sh))
CLOSED(mul, 0, a * b)
CLOSED(madd, 0, c + a * b)

// Shift amounts are the low 6 bits; a 32-bit loop sees amounts above 31 too.
#define BY(x) ((unsigned)(x) & 63)
CLOSED(sll, 0, BY(b) < (unsigned)B ? a << (BY(b) & (B - 1)) : 0)
SPLIT(srl, 0, a >> BY(b),
      // a sign-extended operand brings its sign in from bit 63
      (uint32_t)((uint64_t)(int64_t)(S)a >> BY(b)),
      BY(b) < 32 ? a >> (BY(b) & 31) : 0)
SPLIT(sra, 0, (T)((S)a >> BY(b)),
      (T)((S)a >> (BY(b) < 32 ? BY(b) : 31)),
      BY(b) < 32 ? a >> (BY(b) & 31) : 0)

// Comparisons. Sign extension keeps the unsigned order of 32-bit numbers.
SPLIT(eq, ALU_COMPARE, a == b, a == b, a == b)
SPLIT(ne, ALU_COMPARE, a != b, a != b, a != b)
SPLIT(lt, ALU_COMPARE, (S)a < (S)b, (S)a < (S)b, a < b)
SPLIT(ge, ALU_COMPARE, (S)a >= (S)b, (S)a >= (S)b, a >= b)
SPLIT(ltu, ALU_COMPARE, a < b, a < b, a < b)
SPLIT(geu, ALU_COMPARE, a >= b, a >= b, a >= b)
SPLIT(tand, ALU_COMPARE, (a & b) != 0, (a & b) != 0, (a & b) != 0)
SPLIT(tor, ALU_COMPARE, (a | b) != 0, (a | b) != 0, (a | b) != 0)

SPLIT(max, 0, sgn ? ((S)a > (S)b ? a : b) : (a > b ? a : b), sgn ? ((S)a > (S)b ? a : b) : (a > b ? a : b), a > b ? a : b)
SPLIT(min, 0, sgn ? ((S)a < (S)b ? a : b) : (a < b ? a : b), sgn ? ((S)a < (S)b ? a : b) : (a < b ? a : b), a < b ? a : b)
SPLIT(csel, 0, c != 0 ? a : (neg ? (T)-b : b), c != 0 ? a : (neg ? (T)-b : b), c != 0 ? a : (neg ? (T)-b : b))
// The 32-bit CSEL takes SrcR when SrcP is not 0 (docs/target.md 2.1).
WIDE(scsel, 0, c != 0 ? (neg ? (T)-b : b) : a)

// Division never traps: x / 0 = all ones, x rem 0 = x, MIN / -1 = MIN rem 0 (docs/target.md 2.9).
static uint64_t divide(uint64_t a, uint64_t b, bool sgn)
{
    if (b == 0)
        return ~0ull;
    if (!sgn)
        return a / b;
    return b == ~0ull ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}
static uint64_t remainder64(uint64_t a, uint64_t b, bool sgn)
{
    if (b == 0)
        return a;
    if (!sgn)
        return a % b;
    return b == ~0ull ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}
WIDE(div, 0, divide(a, b, sgn))
WIDE(rem, 0, remainder64(a, b, sgn))

// Bit fields: n bits from bit m on, on a ring of the source's width (docs/target.md; the manual's newoperand).
static uint64_t ring_get(uint64_t v, unsigned m, unsigned n, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < n; i++)
        r |= (v >> (m + i) % width & 1) << i;
    return r;
}
static uint64_t ring_mask(unsigned m, unsigned n, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < n; i++)
        r |= 1ull << (m + i) % width;
    return r;
}
static uint64_t field_get(uint64_t v, const struct insn *d)
{
    unsigned width = type_bits(d->a.type), m = d->m % width;
    if (m + d->n <= width)
        return v >> m & (~0ull >> (64 - d->n));
    return ring_get(v, m, d->n, width);
}
static uint64_t sign_from(uint64_t v, unsigned n) { return (uint64_t)((int64_t)(v << (64 - n)) >> (64 - n)); }
static uint64_t leading(uint64_t v, unsigned n) { return v == 0 ? n : (unsigned)__builtin_clzll(v) - (64 - n); }
static uint64_t reverse(uint64_t v, unsigned group, unsigned unit)
{
    uint64_t r = 0, unit_mask = ~0ull >> (64 - unit);
    for (unsigned base = 0; base < 64; base += group)
        for (unsigned i = 0; i < group; i += unit)
            r |= (v >> (base + i) & unit_mask) << (base + group - unit - i);
    return r;
}
WIDE(bxu, 0, field_get(a, d))
WIDE(bxs, 0, sign_from(field_get(a, d), d->n))
WIDE(bic, 0, a & ~ring_mask(d->m, d->n, type_bits(d->a.type)))
WIDE(bis, 0, a | ring_mask(d->m, d->n, type_bits(d->a.type)))
WIDE(clz, 0, leading(field_get(a, d), d->n))
WIDE(ctz, 0, field_get(a, d) == 0 ? d->n : (unsigned)__builtin_ctzll(field_get(a, d)))
WIDE(bcnt, 0, (unsigned)__builtin_popcountll(field_get(a, d)))
WIDE(rev, 0, reverse(a, d->m, d->n))
// Wide to narrow truncates, narrow to wide extends as the destination type says.
WIDE(icvt, 0, extend(a, d->ft2))
