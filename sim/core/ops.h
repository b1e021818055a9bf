// SPDX-License-Identifier: BSD-2-Clause
// Arithmetic helpers of the scalar instructions; pure functions.
#ifndef LINX_SIM_OPS_H
#define LINX_SIM_OPS_H

#include <stdbool.h>
#include <stdint.h>

#define S32(x) ((uint64_t)(int64_t)(int32_t)(uint32_t)(x))

// SrcRType codes (docs/target.md 2.1)
enum { MOD_SW, MOD_UW, MOD_NEG, MOD_NONE };
static inline uint64_t modify_ext(uint64_t v, unsigned type)
{
    return type == MOD_SW ? S32(v) : type == MOD_UW ? (uint32_t)v : v;
}
static inline uint64_t modify_neg(uint64_t v, unsigned type) { return type == MOD_NEG ? 0 - v : modify_ext(v, type); }
static inline uint64_t modify_not(uint64_t v, unsigned type) { return type == MOD_NEG ? ~v : modify_ext(v, type); }

// Division never traps: by zero gives all ones and the dividend; MIN / -1 gives MIN, remainder 0.
static inline uint64_t div_s64(uint64_t a, uint64_t b)
{
    if (!b) return ~(uint64_t)0;
    return b == ~(uint64_t)0 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}
static inline uint64_t rem_s64(uint64_t a, uint64_t b)
{
    if (!b) return a;
    return b == ~(uint64_t)0 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}
static inline uint32_t div_s32(uint64_t a, uint64_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    if (!y) return ~(uint32_t)0;
    return y == -1 ? 0 - (uint32_t)x : (uint32_t)(x / y);
}
static inline uint32_t rem_s32(uint64_t a, uint64_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    if (!y) return (uint32_t)x;
    return y == -1 ? 0 : (uint32_t)(x % y);
}

// Bit fields: n bits (1..64) from bit m (0..63) of a ring of 64.
static inline uint64_t low_bits(unsigned n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }
static inline uint64_t rotate_left(uint64_t v, unsigned n) { return n & 63 ? v << (n & 63) | v >> (64 - (n & 63)) : v; }
static inline uint64_t bits_mask(unsigned m, uint64_t n) { return rotate_left(low_bits((unsigned)n), m); }
static inline uint64_t bits_get(uint64_t v, unsigned m, uint64_t n) { return rotate_left(v, 64 - m) & low_bits((unsigned)n); }
static inline uint64_t bits_signed(uint64_t v, unsigned m, uint64_t n)
{
    unsigned up = 64 - (unsigned)n;
    return (uint64_t)((int64_t)(bits_get(v, m, n) << up) >> up);
}
static inline uint64_t bits_insert(uint64_t a, uint64_t b, unsigned m, uint64_t n)
{
    uint64_t mask = bits_mask(m, n);
    return (a & ~mask) | (rotate_left(b & low_bits((unsigned)n), m) & mask);
}
static inline uint64_t bits_clz(uint64_t v, uint64_t n) { return v ? (uint64_t)__builtin_clzll(v) - (64 - n) : n; }
static inline uint64_t bits_ctz(uint64_t v, uint64_t n) { return v ? (uint64_t)__builtin_ctzll(v) : n; }

// REV: reverses units of n bits in every group of m bits; false for a combination that does not exist.
static inline bool bits_reverse(uint64_t v, uint64_t m, uint64_t n, uint64_t *out)
{
    if (m < 2 || m > 64 || n < 1 || n > 32 || (m & (m - 1)) || (n & (n - 1)) || m <= n) return false;
    // Swapping neighbours of n, 2n, .. m/2 bits reverses the order of the units of a group.
    for (unsigned s = (unsigned)n; s < m; s *= 2) {
        uint64_t low = 0;
        for (unsigned i = 0; i < 64; i += 2 * s) low |= low_bits(s) << i;
        v = (v & low) << s | (v >> s & low);
    }
    *out = v;
    return true;
}
#endif
