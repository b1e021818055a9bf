// SPDX-License-Identifier: BSD-2-Clause
// Arithmetic on one element of a tile. Integers wrap; floats follow fp/fp.h with the rounding of CSTATE.FRM.
#ifndef LINX_SIM_ELEM_H
#define LINX_SIM_ELEM_H

#include "fp/fp.h"
#include "layout.h"

// An element type and the state that its operations share.
struct etype {
    unsigned type, es, bits;
    bool is_float, is_signed;
    enum fp_round rm;
    unsigned *flags;
};
// False for reserved codes and for the formats that are not implemented (8-bit and smaller floats, 4-bit integers).
bool etype_make(struct etype *t, unsigned data_type, enum fp_round rm, unsigned *flags);

enum elem_op {
    EL_ADD, EL_SUB, EL_MUL, EL_DIV, EL_REM, EL_FMOD, EL_AND, EL_OR, EL_XOR, EL_SHL, EL_SHR, EL_MAX, EL_MIN, EL_PRELU,
    EL_ABS, EL_NOT, EL_NEG, EL_EXP, EL_LOG, EL_RECIP, EL_SQRT, EL_RSQRT, EL_RELU, EL_EXPDIF,
};
// Whether the operation exists for the type (bit operations: integers; exp, log, roots, reciprocals: floats).
bool elem_supported(enum elem_op op, const struct etype *t);
// Operands and result are bit patterns in the low bits, the result zero-extended.
uint64_t elem_do(enum elem_op op, const struct etype *t, uint64_t a, uint64_t b);
bool elem_compare(unsigned cmode, const struct etype *t, uint64_t a, uint64_t b);   // LINX_CMode_*
// sat: clamp to the destination's range (integers and floats); without it integers wrap. Float to integer always clamps.
uint64_t elem_convert(const struct etype *from, const struct etype *to, uint64_t v, bool sat);

#endif
