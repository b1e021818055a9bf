// SPDX-License-Identifier: BSD-2-Clause
// Floating-point bodies: fp/fp.h does the arithmetic; flags of active lanes go to CSTATE at once (docs/target.md 2.9).
#include "body.h"
#include "fp/fp.h"

static enum fp_round rounding(const struct engine *e)
{
    return fp_round_of_frm(e->pe->cstate >> LINX_CSTATE_FRM_SHIFT & 7);
}
static void raise_flags(struct engine *e, unsigned flags)
{
    e->pe->cstate |= (uint64_t)flags << LINX_CSTATE_FFLAGS_SHIFT;
}

enum exec_status body_fp(struct engine *e, struct group *g, const struct insn *d)
{
    unsigned flags = 0;
    if (!d->vform) {
        uint64_t a = operand_scalar(e, g, d, &d->a), b = operand_scalar(e, g, d, &d->b), c = operand_scalar(e, g, d, &d->c);
        uint64_t v = fp_do(d->op, d->ft, a, b, c, rounding(e), &flags);
        enum exec_status st = dest_scalar(e, g, d, v);
        if (st == EXEC_OK)
            raise_flags(e, flags);
        return st;
    }
    uint32_t ba[LANES], bb[LANES], bc[LANES], tmp[LANES];
    const uint32_t *a = operand_lanes32(e, g, d, &d->a, ba);
    const uint32_t *b = d->b.kind == OP_NONE ? a : operand_lanes32(e, g, d, &d->b, bb);
    const uint32_t *c = d->c.kind == OP_NONE ? a : operand_lanes32(e, g, d, &d->c, bc);
    uint32_t *r = d->dst.kind == DST_P ? tmp : vec_next(g, d->dst.n);
    uint64_t active = group_active(g);
    fp_lanes(d->op, d->ft, r, a, b, c, active, LANES, rounding(e), &flags);
    raise_flags(e, flags);
    if (d->dst.kind == DST_P) {
        uint64_t p = 0;
        for (unsigned i = 0; i < LANES; i++)
            p |= (uint64_t)(tmp[i] & 1) << i;
        g->p = p & active;
        return EXEC_OK;
    }
    dest_vector(g, d, active);
    return EXEC_OK;
}

// FP sum, maximum, minimum over the active lanes, lane 0 upward, starting from RO or from +0 / the first active lane.
enum exec_status body_freduce(struct engine *e, struct group *g, const struct insn *d)
{
    uint64_t buf[LANES], acc = 0;
    const uint64_t *a = operand_lanes64(e, g, d, &d->a, buf);
    unsigned flags = 0;
    bool have = d->op == FP_ADD;
    if (d->dst.kind == DST_RO) {
        if (d->dst.n >= e->num_ro)
            return engine_block_fault(e, LINX_EC_INVAL_SET, "ro without a register in B.IOR");
        acc = e->ro[d->dst.n];
        have = true;
    }
    for (uint64_t m = group_active(g); m; m &= m - 1) {
        uint64_t v = a[__builtin_ctzll(m)];
        acc = have ? fp_do(d->op, d->ft, acc, v, 0, rounding(e), &flags) : v;
        have = true;
    }
    if (!have)          // no active lane: the identity, an infinity
        acc = fp_from_int(d->ft, d->op == FP_MAX ? ~0ull : 1, 64, true, FP_RNE, &(unsigned){0}),
        acc = fp_div(d->ft, acc, 0, FP_RNE, &(unsigned){0});
    enum exec_status st = dest_scalar(e, g, d, acc);
    if (st == EXEC_OK)
        raise_flags(e, flags);
    return st;
}

// ---- conversions ------------------------------------------------------------------------------------------------
static uint64_t convert(const struct insn *d, uint64_t v, enum fp_round rm, unsigned *flags)
{
    if (d->body == body_fcvt)
        return fp_convert(d->ft, d->ft2, v, rm, flags);
    if (d->body == body_fcvti)          // always toward zero
        return fp_to_int(d->ft, v, type_bits(d->ft2), d->ft2 & 4, FP_RTZ, flags);
    return fp_from_int(d->ft2, v, type_bits(d->ft), d->ft & 4, rm, flags);
}

static enum exec_status body_convert(struct engine *e, struct group *g, const struct insn *d)
{
    unsigned flags = 0;
    enum fp_round rm = rounding(e);
    enum exec_status st = EXEC_OK;
    if (!d->vform) {
        st = dest_scalar(e, g, d, convert(d, operand_scalar(e, g, d, &d->a), rm, &flags));
    } else {
        uint64_t buf[LANES], active = group_active(g);
        const uint64_t *a = operand_lanes64(e, g, d, &d->a, buf);
        uint32_t *r = vec_next(g, d->dst.n);
        for (unsigned i = 0; i < LANES; i++)
            r[i] = active >> i & 1 ? (uint32_t)convert(d, a[i], rm, &flags) : 0;
        dest_vector(g, d, active);
    }
    if (st == EXEC_OK)
        raise_flags(e, flags);
    return st;
}
enum exec_status body_fcvt(struct engine *e, struct group *g, const struct insn *d) { return body_convert(e, g, d); }
enum exec_status body_fcvti(struct engine *e, struct group *g, const struct insn *d) { return body_convert(e, g, d); }
enum exec_status body_icvtf(struct engine *e, struct group *g, const struct insn *d) { return body_convert(e, g, d); }
