// SPDX-License-Identifier: BSD-2-Clause
// Scalar floating point: rounding mode and flags of CSTATE around the pure functions of fp/.
#include "core.h"
#include "exec.h"

static enum fp_round rounding(const struct pe *pe)
{
    return fp_round_of_frm(pe->cstate >> LINX_CSTATE_FRM_SHIFT & 7);
}

static void raise_flags(struct pe *pe, unsigned flags) { pe->cstate |= (uint64_t)flags << LINX_CSTATE_FFLAGS_SHIFT; }

bool fp_arith(struct pe *pe, enum fp_op what, unsigned type, uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
    enum fp_format f;
    unsigned flags = 0;
    if (!fp_format_of_srctype(type, &f)) return false;
    *out = fp_do(what, f, a, b, c, rounding(pe), &flags);
    raise_flags(pe, flags);
    return true;
}

// `from` is SrcType, `to` is DstType: floats 0..3 .fd .fs .fh .fb; integers 0..3 .ud .uw .uh .ub, 4..7 .sd .sw .sh .sb.
bool fp_cvt(struct pe *pe, int form, unsigned from, unsigned to, uint64_t v, uint64_t *out)
{
    enum fp_format f, g;
    unsigned flags = 0;
    enum fp_round rm = rounding(pe);
    switch (form) {
    case LINX_FCVT:
        if (!fp_format_of_srctype(from, &f) || !fp_format_of_srctype(to, &g)) return false;
        *out = fp_convert(f, g, v, rm, &flags);
        break;
    case LINX_SCVTF: case LINX_UCVTF:
        if (!fp_format_of_srctype(to, &g)) return false;
        *out = fp_from_int(g, v, 64 >> from, form == LINX_SCVTF, rm, &flags);
        break;
    default:
        rm = form == LINX_FCVTA ? FP_RNA : form == LINX_FCVTM ? FP_RDN : form == LINX_FCVTN ? FP_RNE
             : form == LINX_FCVTP ? FP_RUP : FP_RTZ;
        if (!fp_format_of_srctype(from, &f) || to > 7) return false;
        *out = fp_to_int(f, v, 64 >> (to & 3), to >= 4, rm, &flags);
    }
    raise_flags(pe, flags);
    return true;
}
