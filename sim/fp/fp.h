// SPDX-License-Identifier: BSD-2-Clause
// Floating point of the Linx core on bit patterns: pure functions, the same result on every host.
//
// Every function takes operands as bit patterns in the low bits of a uint64_t (higher bits are ignored), returns
// the result zero-extended, and ORs the exceptions it raises into *flags. Nothing traps (docs/target.md 2.9).
// Rules (docs/target.md, floating point):
//  - subnormals are full operands and results; tininess is detected after rounding;
//  - a NaN result is the canonical one (positive, quiet, payload 0), a signalling operand raises NV;
//  - scalar type .fb (8-bit floats) is not defined: fp_supported() is false and the caller raises
//    E_INST(EC_ILLEGAL).
#ifndef LINX_SIM_FP_H
#define LINX_SIM_FP_H

#include <stdbool.h>
#include <stdint.h>

// Numbers are the DataType codes of BSTART and B.DATR. TF32 and HF32 are FP32 containers whose unused low
// fraction bits are ignored on input and zero on output.
enum fp_format {
    FP_F64 = 0, FP_F32 = 1, FP_TF32 = 2, FP_HF32 = 3, FP_F16 = 4, FP_BF16 = 5,
};

// Numbers 0..3 are CSTATE.FRM; a reserved FRM means RNE (fp_round_of_frm). RNA: ties away from zero. RTO: to odd.
enum fp_round { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RNA, FP_RTO };

// Exception flags in CSTATE.FFLAGS order.
enum { FP_NV = 1, FP_DZ = 2, FP_OF = 4, FP_UF = 8, FP_NX = 16 };

// Comparisons give 0 or 1, and 0 whenever an operand is a NaN (FNE too). The -S forms raise NV for any NaN, the
// others for a signalling one.
enum fp_op {
    FP_ADD, FP_SUB, FP_MUL, FP_DIV, FP_MAX, FP_MIN,
    FP_EQ, FP_NE, FP_LT, FP_GE, FP_EQS, FP_NES, FP_LTS, FP_GES,     // two operands up to here
    FP_MADD, FP_MSUB, FP_NMADD, FP_NMSUB,                           // three
    FP_ABS, FP_SQRT, FP_RECIP, FP_EXP, FP_CLASS,                    // one
};

static inline enum fp_round fp_round_of_frm(unsigned frm) { return frm <= FP_RUP ? (enum fp_round)frm : FP_RNE; }

// True for a DataType code that this file implements.
static inline bool fp_supported(unsigned data_type) { return data_type <= FP_BF16; }

// Container width in bits: 16, 32 or 64.
static inline unsigned fp_bits(enum fp_format f) { return f == FP_F64 ? 64 : f >= FP_F16 ? 16 : 32; }

// SrcType of scalar and vector instructions (.fd .fs .fh .fb = 0..3) to a format; false: .fb, illegal.
static inline bool fp_format_of_srctype(unsigned src_type, enum fp_format *f)
{
    static const enum fp_format map[3] = {FP_F64, FP_F32, FP_F16};
    if (src_type > 2)
        return false;
    *f = map[src_type];
    return true;
}

uint64_t fp_add(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags);
uint64_t fp_sub(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags);
uint64_t fp_mul(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags);
uint64_t fp_div(enum fp_format f, uint64_t a, uint64_t b, enum fp_round rm, unsigned *flags);
// a*b + c rounded once. Infinity times zero raises NV whatever c is.
uint64_t fp_madd(enum fp_format f, uint64_t a, uint64_t b, uint64_t c, enum fp_round rm, unsigned *flags);
uint64_t fp_sqrt(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags);
// 1/a, correctly rounded. A zero gives an infinity of its sign and raises DZ.
uint64_t fp_recip(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags);
// e**a, correctly rounded in every mode (fp_exp.c says why).
uint64_t fp_exp(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags);
// ln a, correctly rounded in every mode (fp_log.c). A zero gives -infinity and DZ, a negative number NV.
uint64_t fp_log(enum fp_format f, uint64_t a, enum fp_round rm, unsigned *flags);
// maxNum/minNum: one NaN gives the other operand, two the canonical NaN; -0 < +0.
uint64_t fp_max(enum fp_format f, uint64_t a, uint64_t b, unsigned *flags);
uint64_t fp_min(enum fp_format f, uint64_t a, uint64_t b, unsigned *flags);
// Clears the sign bit, of NaNs too; raises nothing.
uint64_t fp_abs(enum fp_format f, uint64_t a);
// One of ten bits: 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +inf, 7 +normal,
// 8 +subnormal, 9 +0.
uint64_t fp_class(enum fp_format f, uint64_t a);
// op is one of FP_EQ..FP_GES.
bool fp_compare(enum fp_op op, enum fp_format f, uint64_t a, uint64_t b, unsigned *flags);

// Between float formats. An overflow gives infinity or the largest finite number as the mode says.
uint64_t fp_convert(enum fp_format from, enum fp_format to, uint64_t a, enum fp_round rm, unsigned *flags);
// The same, but what would exceed the range, infinities included, gives the largest finite number ("sat" of TCVT).
uint64_t fp_convert_sat(enum fp_format from, enum fp_format to, uint64_t a, enum fp_round rm, unsigned *flags);
// To an integer of `bits` 8, 16, 32 or 64. Out of range saturates, NaN gives 0, both raise NV (and not NX). Signed
// results come back sign-extended to 64 bits, unsigned ones zero-extended.
uint64_t fp_to_int(enum fp_format f, uint64_t a, unsigned bits, bool is_signed, enum fp_round rm, unsigned *flags);
// From an integer: the low `bits` of v, signed or not.
uint64_t fp_from_int(enum fp_format f, uint64_t v, unsigned bits, bool is_signed, enum fp_round rm,
                     unsigned *flags);

// Any operation by number; operands beyond its arity are ignored. FP_NMADD = -(a*b + c) and FP_NMSUB =
// -(a*b - c): the rounded result is negated (a NaN stays canonical).
uint64_t fp_do(enum fp_op op, enum fp_format f, uint64_t a, uint64_t b, uint64_t c, enum fp_round rm,
               unsigned *flags);

// The same over n 32-bit lanes that hold elements of format f (not FP_F64) in their low bits: for each i with bit i
// of mask set (n <= 64), dst[i] = op(a[i], b[i], c[i]) zero-extended; the other lanes become 0 and raise nothing.
// dst may be any of the operands; operands beyond the arity may be NULL. FP32 runs at the host's vector speed.
void fp_lanes(enum fp_op op, enum fp_format f, uint32_t *dst, const uint32_t *a, const uint32_t *b,
              const uint32_t *c, uint64_t mask, unsigned n, enum fp_round rm, unsigned *flags);

#endif
