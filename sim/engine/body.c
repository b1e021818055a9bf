// SPDX-License-Identifier: BSD-2-Clause
// Bodies of the integer, shuffle, reduction and control-flow instructions, and access to their operands.
#include "body.h"

// ---- operands ---------------------------------------------------------------------------------------------------
uint64_t operand_scalar(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o)
{
    uint64_t v = 0;
    switch (o->kind) {
    case OP_VEC: v = vec_src(g, o->n, o->k)[0]; break;
    case OP_RI: v = e->ri[o->n]; break;
    case OP_T:
        v = g->t[o->k - 1];
        if (unlikely(e->strict))
            strict_read_scalar(e->pe->engine, g->t_defined >> (o->k - 1) & 1);
        break;
    case OP_U:
        v = g->u[o->k - 1];
        if (unlikely(e->strict))
            strict_read_scalar(e->pe->engine, g->u_defined >> (o->k - 1) & 1);
        break;
    case OP_LC: v = g->lc[o->n]; break;
    case OP_LB: v = e->lb[o->n]; break;
    case OP_TILE: return TILE_HANDLE(o->n);
    case OP_P: v = g->p; break;
    case OP_IMM: return (uint64_t)d->imm;
    default: return 0;
    }
    return extend(v, o->type);
}

#define LOOP _Pragma("GCC ivdep") for (unsigned i = 0; i < LANES; i++)

const uint64_t *operand_lanes64(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o,
                                uint64_t *buf)
{
    const uint32_t *src;
    if (o->kind == OP_VEC) {
        if (unlikely(e->strict))
            strict_read_vector(e->pe->engine, g, o->n, o->k);
        src = vec_src(g, o->n, o->k);
    } else if (o->kind == OP_LC) {
        src = group_lc(e, g, o->n);
    } else {
        uint64_t v = operand_scalar(e, g, d, o);
        LOOP buf[i] = v;
        return buf;
    }
    switch (o->type) {
    case T_UD: case T_UW: LOOP buf[i] = src[i]; break;
    case T_SD: case T_SW: LOOP buf[i] = (uint64_t)(int64_t)(int32_t)src[i]; break;
    case T_UH: LOOP buf[i] = (uint16_t)src[i]; break;
    case T_SH: LOOP buf[i] = (uint64_t)(int64_t)(int16_t)src[i]; break;
    case T_UB: LOOP buf[i] = (uint8_t)src[i]; break;
    default:   LOOP buf[i] = (uint64_t)(int64_t)(int8_t)src[i]; break;
    }
    return buf;
}

const uint32_t *operand_lanes32(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o,
                                uint32_t *buf)
{
    const uint32_t *src;
    if (o->kind == OP_VEC) {
        if (unlikely(e->strict))
            strict_read_vector(e->pe->engine, g, o->n, o->k);
        src = vec_src(g, o->n, o->k);
    } else if (o->kind == OP_LC) {
        src = group_lc(e, g, o->n);
    } else {
        uint32_t v = (uint32_t)operand_scalar(e, g, d, o);
        LOOP buf[i] = v;
        return buf;
    }
    switch (o->type) {
    case T_UH: LOOP buf[i] = (uint16_t)src[i]; return buf;
    case T_SH: LOOP buf[i] = (uint32_t)(int16_t)src[i]; return buf;
    case T_UB: LOOP buf[i] = (uint8_t)src[i]; return buf;
    case T_SB: LOOP buf[i] = (uint32_t)(int8_t)src[i]; return buf;
    default: return src;
    }
}

// How an operand's 64-bit values fit into 32 bits: 1 = as int32, 2 = as uint32.
static unsigned operand_fit(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o)
{
    if (o->kind == OP_VEC || (o->kind == OP_LC && g->lanes_ready)) {
        static const uint8_t fit[8] = {2, 2, 3, 3, 1, 1, 1, 1};
        return o->kind == OP_LC && o->type != T_SH && o->type != T_SB ? 3 : fit[o->type];
    }
    if (o->kind == OP_LC)
        return o->type == T_SH || o->type == T_SB ? 1 : 3;
    if (o->kind == OP_NONE || o->kind == OP_ZERO)
        return 3;
    uint64_t v = operand_scalar(e, g, d, o);
    return ((int64_t)v == (int32_t)v) | (v == (uint32_t)v) << 1;
}

// ---- results ----------------------------------------------------------------------------------------------------
enum exec_status dest_scalar(struct engine *e, struct group *g, const struct insn *d, uint64_t v)
{
    v = narrow(v, d->dst.width);
    switch (d->dst.kind) {
    case DST_T:
        scalar_push(g->t, v);
        g->t_defined = g->t_defined << 1 | 1;
        break;
    case DST_U:
        scalar_push(g->u, v);
        g->u_defined = g->u_defined << 1 | 1;
        break;
    case DST_P:
        g->p = v;
        break;
    case DST_RO:
        if (d->dst.n >= e->num_ro)
            return engine_block_fault(e, LINX_EC_INVAL_SET, "ro without a register in B.IOR");
        e->ro[d->dst.n] = v;
        break;
    default:
        break;
    }
    return EXEC_OK;
}

void dest_vector(struct group *g, const struct insn *d, uint64_t active)
{
    unsigned q = d->dst.n;
    uint32_t *r = vec_next(g, q);
    if (d->dst.width == 2)
        LOOP r[i] = (uint16_t)r[i];
    else if (d->dst.width == 3)
        LOOP r[i] = (uint8_t)r[i];
    mask_lanes(r, active);
    vec_push(g, q);
    g->v_defined[q] |= 1u << g->head[q];
}

static uint64_t lanes_to_mask(const uint32_t *r)
{
    uint64_t m = 0;
    for (unsigned i = 0; i < LANES; i++)
        m |= (uint64_t)(r[i] & 1) << i;
    return m;
}

// ---- integer ----------------------------------------------------------------------------------------------------
enum exec_status body_alu(struct engine *e, struct group *g, const struct insn *d)
{
    const struct alu *alu = d->alu;
    if (!d->vform) {
        uint64_t a = operand_scalar(e, g, d, &d->a), b = operand_scalar(e, g, d, &d->b), c = operand_scalar(e, g, d, &d->c);
        if (d->op & SCALAR_W && (alu == &alu_sll || alu == &alu_srl || alu == &alu_sra))
            b &= 31;
        uint64_t v = alu->one(a, b, c, d);
        if (d->op & SCALAR_W)
            v = d->op & SCALAR_ZERO_EXTEND ? (uint32_t)v : (uint64_t)(int64_t)(int32_t)v;
        return dest_scalar(e, g, d, v);
    }
    uint32_t tmp[LANES] __attribute__((aligned(64)));
    uint32_t *r = d->dst.kind == DST_P ? tmp : vec_next(g, d->dst.n);
    unsigned fit = 3;
    if (!(alu->flags & ALU_CLOSED))
        fit = !alu->lanes32s ? 0
            : operand_fit(e, g, d, &d->a) & operand_fit(e, g, d, &d->b) & operand_fit(e, g, d, &d->c);
    if (fit) {
        uint32_t ba[LANES] __attribute__((aligned(64))), bb[LANES] __attribute__((aligned(64))), bc[LANES] __attribute__((aligned(64)));
        const uint32_t *a = operand_lanes32(e, g, d, &d->a, ba), *b = operand_lanes32(e, g, d, &d->b, bb);
        const uint32_t *c = d->c.kind == OP_NONE ? a : operand_lanes32(e, g, d, &d->c, bc);
        (fit & 2 ? alu->lanes32u : alu->lanes32s)(r, a, b, c, d);
    } else {
        uint64_t ba[LANES], bb[LANES], bc[LANES];
        const uint64_t *a = operand_lanes64(e, g, d, &d->a, ba), *b = operand_lanes64(e, g, d, &d->b, bb);
        const uint64_t *c = d->c.kind == OP_NONE ? a : operand_lanes64(e, g, d, &d->c, bc);
        alu->lanes64(r, a, b, c, d);
    }
    if (d->dst.kind == DST_P) {
        g->p = lanes_to_mask(tmp) & group_active(g);
        return EXEC_OK;
    }
    dest_vector(g, d, group_active(g));
    return EXEC_OK;
}

// V.PSEL: a 64-bit scalar mask chooses per lane.
enum exec_status body_psel(struct engine *e, struct group *g, const struct insn *d)
{
    uint64_t mask = operand_scalar(e, g, d, &d->c);
    if (!d->vform) {
        uint64_t b = operand_scalar(e, g, d, &d->b);
        return dest_scalar(e, g, d, mask & 1 ? operand_scalar(e, g, d, &d->a) : d->rtype ? -b : b);
    }
    uint32_t ba[LANES], bb[LANES];
    const uint32_t *a = operand_lanes32(e, g, d, &d->a, ba), *b = operand_lanes32(e, g, d, &d->b, bb);
    uint32_t *r = vec_next(g, d->dst.n);
    const bool neg = d->rtype;
    for (unsigned i = 0; i < LANES; i++)
        r[i] = mask >> i & 1 ? a[i] : neg ? -b[i] : b[i];
    dest_vector(g, d, group_active(g));
    return EXEC_OK;
}

enum exec_status body_shuffle(struct engine *e, struct group *g, const struct insn *d)
{
    if (!d->vform)
        return dest_scalar(e, g, d, operand_scalar(e, g, d, &d->a));
    uint32_t src[LANES], buf[LANES];
    uint64_t range_buf[LANES], arg_buf[LANES];
    const uint32_t *a = operand_lanes32(e, g, d, &d->a, buf);
    const uint64_t *range = operand_lanes64(e, g, d, &d->b, range_buf);
    struct operand imm = {.kind = OP_IMM};
    const uint64_t *arg = operand_lanes64(e, g, d, d->c.kind == OP_NONE ? &imm : &d->c, arg_buf);
    memcpy(src, a, sizeof(src));
    uint32_t *r = vec_next(g, d->dst.n);
    unsigned kind = d->op & 7;
    for (uint64_t i = 0; i < LANES; i++) {
        uint64_t n = range[i] ? range[i] : LANES, k = arg[i] % n, from = i;
        switch (kind) {
        case SHFL_UP:   from = i % n >= k ? i - k : i; break;
        case SHFL_DOWN: from = i % n + k < n ? i + k : i; break;
        case SHFL_IDX:  from = i / n * n + k; break;
        default:        from = i ^ arg[i]; break;
        }
        r[i] = src[from < LANES ? from : i];
    }
    // Only V.SHFL.BFLY looks at P.
    dest_vector(g, d, kind == SHFL_BFLY && !(d->op & SHFL_ALL) ? group_active(g) : ~0ull);
    return EXEC_OK;
}

// Starting value: what RO holds, or the operation's identity for t and u.
enum exec_status body_reduce(struct engine *e, struct group *g, const struct insn *d)
{
    uint64_t buf[LANES], active = group_active(g), acc;
    const uint64_t *a = operand_lanes64(e, g, d, &d->a, buf);
    bool sgn = d->a.type & 4;
    unsigned bits = type_bits(d->a.type);
    if (d->dst.kind == DST_RO) {
        if (d->dst.n >= e->num_ro)
            return engine_block_fault(e, LINX_EC_INVAL_SET, "ro without a register in B.IOR");
        acc = extend(e->ro[d->dst.n], d->dst.width | (sgn ? 4 : 0));
    } else {
        switch (d->op) {
        case RD_AND: acc = ~0ull; break;
        case RD_MAX: acc = sgn ? ~0ull << (bits - 1) : 0; break;
        case RD_MIN: acc = sgn ? ~0ull >> (65 - bits) : ~0ull >> (64 - bits); break;
        default: acc = 0; break;
        }
    }
    for (uint64_t m = active; m; m &= m - 1) {
        uint64_t v = a[__builtin_ctzll(m)];
        switch (d->op) {
        case RD_ADD: acc += v; break;
        case RD_AND: acc &= v; break;
        case RD_OR: acc |= v; break;
        case RD_XOR: acc ^= v; break;
        case RD_MAX: acc = (sgn ? (int64_t)v > (int64_t)acc : v > acc) ? v : acc; break;
        case RD_MIN: acc = (sgn ? (int64_t)v < (int64_t)acc : v < acc) ? v : acc; break;
        }
    }
    return dest_scalar(e, g, d, acc);
}

// ---- control flow: per group, on t, u and zero --------------------------------------------------------------------
static enum exec_status jump(struct engine *e, uint64_t target)
{
    if (target & 1)
        return engine_trap(e, LINX_E_INST, LINX_EC_MISALIGNED, target, "odd branch target");
    if (target == 0)                    // a group at TPC 0 would have ended
        return engine_trap(e, LINX_E_INST, LINX_EC_ACCESS, 0, "branch to address 0 in a data body");
    e->next_tpc = target;
    return EXEC_OK;
}
enum exec_status body_branch(struct engine *e, struct group *g, const struct insn *d)
{
    uint64_t a = operand_scalar(e, g, d, &d->a), b = operand_scalar(e, g, d, &d->b);
    bool taken = false;
    switch (d->op) {
    case BR_EQ: taken = a == b; break;
    case BR_NE: taken = a != b; break;
    case BR_LT: taken = (int64_t)a < (int64_t)b; break;
    case BR_GE: taken = (int64_t)a >= (int64_t)b; break;
    case BR_LTU: taken = a < b; break;
    case BR_GEU: taken = a >= b; break;
    }
    return taken ? jump(e, d->addr + (uint64_t)d->imm) : EXEC_OK;
}
enum exec_status body_branch_p(struct engine *e, struct group *g, const struct insn *d)
{
    return (g->p != 0) == d->op ? jump(e, d->addr + (uint64_t)d->imm) : EXEC_OK;
}
enum exec_status body_jump(struct engine *e, struct group *g, const struct insn *d)
{
    (void)g;
    return jump(e, d->addr + (uint64_t)d->imm);
}
enum exec_status body_jr(struct engine *e, struct group *g, const struct insn *d)
{
    return jump(e, operand_scalar(e, g, d, &d->a) + (uint64_t)d->imm);
}
enum exec_status body_addtpc(struct engine *e, struct group *g, const struct insn *d)
{
    return dest_scalar(e, g, d, (d->addr & ~0xfffull) + ((uint64_t)d->imm << 12));
}

enum exec_status body_nop(struct engine *e, struct group *g, const struct insn *d)
{
    (void)e; (void)g; (void)d;
    return EXEC_OK;
}
enum exec_status body_ebreak(struct engine *e, struct group *g, const struct insn *d)
{
    (void)g;
    int i = linx_find_field(d->form, LINX_F_imm4);
    return engine_trap(e, LINX_E_BREAKPOINT, i < 0 ? 0 : (uint32_t)linx_field_get(&linx_forms[d->form].field[i], d->word), 0, NULL);
}
enum exec_status body_illegal(struct engine *e, struct group *g, const struct insn *d)
{
    (void)g;
    return engine_illegal(e, d->why);
}
enum exec_status body_end(struct engine *e, struct group *g, const struct insn *d)
{
    (void)d;
    group_end(e, g);
    return EXEC_OK;
}
