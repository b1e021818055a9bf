// SPDX-License-Identifier: BSD-2-Clause
// Unpacking, rounding and packing: the one place that knows the formats. Internal to fp/.
#ifndef LINX_SIM_FP_CORE_H
#define LINX_SIM_FP_CORE_H

#include "fp.h"

typedef unsigned __int128 u128;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct fp_layout { int ebits, mbits, pad; };    // pad: unused low bits of the container

ALWAYS_INLINE struct fp_layout fp_layout(enum fp_format f)
{
    switch (f) {
    case FP_F64:  return (struct fp_layout){11, 52, 0};
    case FP_TF32: return (struct fp_layout){8, 10, 13};
    case FP_HF32: return (struct fp_layout){8, 11, 12};
    case FP_F16:  return (struct fp_layout){5, 10, 0};
    case FP_BF16: return (struct fp_layout){8, 7, 0};
    default:      return (struct fp_layout){8, 23, 0};
    }
}

enum fp_kind { KIND_ZERO, KIND_FINITE, KIND_INF, KIND_QNAN, KIND_SNAN };

// A finite non-zero number is sig * 2**(exp - 63) with bit 63 of sig set, that is 1.xxx * 2**exp.
struct fp_num { uint64_t sig; int exp; bool sign; enum fp_kind kind; };

ALWAYS_INLINE int fp_bias(struct fp_layout l) { return (1 << (l.ebits - 1)) - 1; }
ALWAYS_INLINE uint64_t fp_sign_bit(struct fp_layout l) { return 1ull << (l.ebits + l.mbits + l.pad); }
ALWAYS_INLINE uint64_t fp_inf(struct fp_layout l, bool sign)
{
    return (sign ? fp_sign_bit(l) : 0) | ((1ull << l.ebits) - 1) << (l.mbits + l.pad);
}
ALWAYS_INLINE uint64_t fp_largest(struct fp_layout l, bool sign) { return fp_inf(l, sign) - (1ull << l.pad); }
ALWAYS_INLINE uint64_t fp_nan(struct fp_layout l) { return fp_inf(l, 0) | 1ull << (l.mbits + l.pad - 1); }

ALWAYS_INLINE struct fp_num fp_unpack(struct fp_layout l, uint64_t bits)
{
    struct fp_num n = {.sign = bits & fp_sign_bit(l)};
    uint64_t frac = bits >> l.pad & ((1ull << l.mbits) - 1);
    int e = bits >> (l.pad + l.mbits) & ((1u << l.ebits) - 1);
    if (e == (1 << l.ebits) - 1) {
        n.kind = !frac ? KIND_INF : frac >> (l.mbits - 1) ? KIND_QNAN : KIND_SNAN;
    } else if (e) {
        n.kind = KIND_FINITE;
        n.sig = 1ull << 63 | frac << (63 - l.mbits);
        n.exp = e - fp_bias(l);
    } else if (frac) {
        int lead = __builtin_clzll(frac);
        n.kind = KIND_FINITE;
        n.sig = frac << lead;
        n.exp = 1 - fp_bias(l) - l.mbits + 63 - lead;
    } else {
        n.kind = KIND_ZERO;
    }
    return n;
}

ALWAYS_INLINE bool fp_is_nan(struct fp_num n) { return n.kind >= KIND_QNAN; }

// Shifts right; what falls off stays visible as bit 0 ("sticky").
ALWAYS_INLINE uint64_t shr_jam64(uint64_t v, int n)
{
    return n <= 0 ? v : n > 63 ? v != 0 : v >> n | ((v << (64 - n)) != 0);
}
ALWAYS_INLINE u128 shr_jam128(u128 v, int n)
{
    return n <= 0 ? v : n > 127 ? v != 0 : v >> n | ((v << (128 - n)) != 0);
}

// Whether a magnitude with the discarded part `low` out of one unit `1 << drop` is rounded up.
ALWAYS_INLINE bool fp_rounds_up(uint64_t low, int drop, bool odd, bool sign, enum fp_round rm)
{
    uint64_t half = 1ull << (drop - 1);
    switch (rm) {
    case FP_RTZ: return false;
    case FP_RDN: return sign && low;
    case FP_RUP: return !sign && low;
    case FP_RNA: return low >= half;
    case FP_RTO: return low && !odd;
    default:     return low > half || (low == half && odd);
    }
}

// Rounds sig * 2**(exp - 63) (bit 63 set; bit 0 may be sticky) to the format, raising OF, UF, NX.
ALWAYS_INLINE uint64_t fp_round_pack(struct fp_layout l, bool sign, int exp, uint64_t sig, enum fp_round rm,
                                     unsigned *flags)
{
    const int drop = 63 - l.mbits, emin = 1 - fp_bias(l), emax = fp_bias(l);
    const uint64_t low_mask = (1ull << drop) - 1;
    bool tiny = false;
    if (__builtin_expect(exp < emin, 0)) {
        // Tiny after rounding: still below 2**emin when rounded with an unbounded exponent.
        uint64_t low = sig & low_mask, top = sig >> drop;
        bool carries = top + 1 == 2ull << l.mbits && fp_rounds_up(low, drop, top & 1, sign, rm);
        tiny = exp < emin - 1 || !carries;
        sig = shr_jam64(sig, emin - exp);
        exp = emin - 1;                         // exponent field 0; a carry out of the rounding makes it 1
    }
    uint64_t low = sig & low_mask, top = sig >> drop;
    if (low) {
        *flags |= FP_NX | (tiny ? FP_UF : 0);
        top += fp_rounds_up(low, drop, top & 1, sign, rm);
    }
    // `top` holds the hidden bit for normal numbers, so adding it steps the exponent field where needed.
    uint64_t field = exp < emin ? 0 : (uint64_t)(exp - emin);
    uint64_t bits = (field << l.mbits) + top;
    if (__builtin_expect(exp > emax || bits >= fp_inf(l, 0) >> l.pad, 0)) {
        *flags |= FP_OF | FP_NX;
        bool to_inf = rm == FP_RNE || rm == FP_RNA || (rm == FP_RUP && !sign) || (rm == FP_RDN && sign);
        return to_inf ? fp_inf(l, sign) : fp_largest(l, sign);
    }
    return (sign ? fp_sign_bit(l) : 0) | bits << l.pad;
}

// The result of an operation with a NaN operand.
ALWAYS_INLINE uint64_t fp_from_nan(struct fp_layout l, struct fp_num a, struct fp_num b, unsigned *flags)
{
    if (a.kind == KIND_SNAN || b.kind == KIND_SNAN)
        *flags |= FP_NV;
    return fp_nan(l);
}
ALWAYS_INLINE uint64_t fp_invalid(struct fp_layout l, unsigned *flags)
{
    *flags |= FP_NV;
    return fp_nan(l);
}

// Defines the public function `name` as one specialised copy of name##_in per format.
#define FP_BY_FORMAT(f, call)                                                       \
    switch (f) {                                                                    \
    case FP_F64:  { const struct fp_layout l = fp_layout(FP_F64);  return call; }   \
    case FP_F32:  { const struct fp_layout l = fp_layout(FP_F32);  return call; }   \
    case FP_F16:  { const struct fp_layout l = fp_layout(FP_F16);  return call; }   \
    case FP_BF16: { const struct fp_layout l = fp_layout(FP_BF16); return call; }   \
    default:      { const struct fp_layout l = fp_layout(f);       return call; }   \
    }

#endif
