// SPDX-License-Identifier: BSD-2-Clause
// TEPL blocks: element-wise, scalar, reducing and expanding tile operations, and ESAVE/ERCOV.
// Numbers are TileOpcode = Mode << 5 | Function of the manual's tile instruction tables; docs/data-engine.md lists them.
#include "elem.h"
#include "trace.h"

enum shape_kind {
    K_BINARY,           // dst[i,j] = src0[i,j] op src1[i,j]
    K_SCALAR,           // dst[i,j] = src0[i,j] op scalar
    K_UNARY,            // dst[i,j] = op src0[i,j]
    K_ADDC, K_SUBC,     // (src0 +- src1) + src2
    K_ADDSC, K_SUBSC,   // (src0 +- scalar) + src1
    K_CMP, K_CMPS,      // packed bits
    K_SEL, K_SELS,      // mask ? src0 : src1 or scalar
    K_EXPANDS,          // scalar everywhere
    K_CVT,
    K_ROW_REDUCE, K_COL_REDUCE,     // one value a row, a column
    K_ROW_COPY, K_COL_COPY,         // broadcast src0[i] or src0[j]
    K_ROW_EXPAND, K_COL_EXPAND,     // src0[i,j] op src1[i] or src1[j]
    K_NONE = 0xff,
};
struct row { const char *name; uint8_t kind, op, sources; };

#define BIN(n, name, op) [n] = {name, K_BINARY, op, 2}
#define UNA(n, name, op) [n] = {name, K_UNARY, op, 1}
#define SCA(n, name, op) [32 + n] = {name, K_SCALAR, op, 1}
#define RED(n, name, kind, op) [64 + n] = {name, kind, op, 1}
#define EXP(n, name, kind, op) [64 + n] = {name, kind, op, 2}
static const struct row rows[128] = {
    BIN(0, "TADD", EL_ADD), BIN(1, "TSUB", EL_SUB), BIN(2, "TMUL", EL_MUL), BIN(3, "TDIV", EL_DIV), BIN(4, "TREM", EL_REM),
    BIN(5, "TFMOD", EL_FMOD), BIN(6, "TAND", EL_AND), BIN(7, "TOR", EL_OR), BIN(8, "TXOR", EL_XOR), BIN(9, "TSHL", EL_SHL),
    BIN(10, "TSHR", EL_SHR), BIN(11, "TMAX", EL_MAX), BIN(12, "TMIN", EL_MIN), [13] = {"TCMP", K_CMP, 0, 2},
    BIN(14, "TPRELU", EL_PRELU), UNA(15, "TABS", EL_ABS), UNA(16, "TNOT", EL_NOT), UNA(17, "TNEG", EL_NEG), UNA(18, "TEXP", EL_EXP),
    UNA(19, "TLOG", EL_LOG), UNA(20, "TRECIP", EL_RECIP), UNA(21, "TSQRT", EL_SQRT), UNA(22, "TRSQRT", EL_RSQRT),
    UNA(23, "TRELU", EL_RELU), [24] = {"TADDC", K_ADDC, EL_ADD, 3}, [25] = {"TSUBC", K_SUBC, EL_SUB, 3},
    [26] = {"TSEL", K_SEL, 0, 3}, [27] = {"TCVT", K_CVT, 0, 1},
    SCA(0, "TADDS", EL_ADD), SCA(1, "TSUBS", EL_SUB), SCA(2, "TMULS", EL_MUL), SCA(3, "TDIVS", EL_DIV), SCA(4, "TREMS", EL_REM),
    SCA(5, "TFMODS", EL_FMOD), SCA(6, "TANDS", EL_AND), SCA(7, "TORS", EL_OR), SCA(8, "TXORS", EL_XOR), SCA(9, "TSHLS", EL_SHL),
    SCA(10, "TSHRS", EL_SHR), SCA(11, "TMAXS", EL_MAX), SCA(12, "TMINS", EL_MIN), [45] = {"TCMPS", K_CMPS, 0, 1},
    SCA(14, "TLRELU", EL_PRELU), [56] = {"TADDSC", K_ADDSC, EL_ADD, 2}, [57] = {"TSUBSC", K_SUBSC, EL_SUB, 2},
    [58] = {"TSELS", K_SELS, 0, 2}, [59] = {"TEXPANDS", K_EXPANDS, 0, 0},
    RED(0, "TROWSUM", K_ROW_REDUCE, EL_ADD), RED(1, "TROWMAX", K_ROW_REDUCE, EL_MAX), RED(2, "TROWMIN", K_ROW_REDUCE, EL_MIN),
    RED(3, "TROWPROD", K_ROW_REDUCE, EL_MUL), RED(4, "TROWEXPAND", K_ROW_COPY, 0),
    EXP(5, "TROWEXPANDADD", K_ROW_EXPAND, EL_ADD), EXP(6, "TROWEXPANDSUB", K_ROW_EXPAND, EL_SUB),
    EXP(7, "TROWEXPANDMUL", K_ROW_EXPAND, EL_MUL), EXP(8, "TROWEXPANDDIV", K_ROW_EXPAND, EL_DIV),
    EXP(9, "TROWEXPANDMAX", K_ROW_EXPAND, EL_MAX), EXP(10, "TROWEXPANDMIN", K_ROW_EXPAND, EL_MIN),
    EXP(11, "TROWEXPANDEXPDIF", K_ROW_EXPAND, EL_EXPDIF),
    RED(16, "TCOLSUM", K_COL_REDUCE, EL_ADD), RED(17, "TCOLMAX", K_COL_REDUCE, EL_MAX), RED(18, "TCOLMIN", K_COL_REDUCE, EL_MIN),
    RED(19, "TCOLPROD", K_COL_REDUCE, EL_MUL), RED(20, "TCOLEXPAND", K_COL_COPY, 0),
    EXP(21, "TCOLEXPANDADD", K_COL_EXPAND, EL_ADD), EXP(22, "TCOLEXPANDSUB", K_COL_EXPAND, EL_SUB),
    EXP(23, "TCOLEXPANDMUL", K_COL_EXPAND, EL_MUL), EXP(24, "TCOLEXPANDDIV", K_COL_EXPAND, EL_DIV),
    EXP(25, "TCOLEXPANDMAX", K_COL_EXPAND, EL_MAX), EXP(26, "TCOLEXPANDMIN", K_COL_EXPAND, EL_MIN),
    EXP(27, "TCOLEXPANDEXPDIF", K_COL_EXPAND, EL_EXPDIF),
};

// One operation: its types, rectangle and operands.
struct op {
    const struct row *r;
    struct etype t, to;         // source elements; destination elements (TCVT, else the same)
    uint32_t vr, vc, col;
    const struct tile_in *in;
    uint64_t scalar;
    unsigned cmode;
    bool sat;
    uint8_t *out;
    uint32_t out_bytes;
    uint8_t *defined;           // --strict
    struct engine *e;
};

static uint64_t get(const struct op *o, unsigned s, uint32_t i, uint32_t j)
{
    uint32_t at = (i * o->col + j) * o->t.es;
    if (unlikely(o->e->strict))
        strict_tile_read(o->e, o->in[s].defined, at, o->t.es);
    return element_get(o->in[s].data + at, o->t.es);
}
static uint64_t get_1d(const struct op *o, unsigned s, uint32_t i)
{
    if (unlikely(o->e->strict))
        strict_tile_read(o->e, o->in[s].defined, i * o->t.es, o->t.es);
    return element_get(o->in[s].data + (size_t)i * o->t.es, o->t.es);
}
static void put_at(const struct op *o, uint32_t k, uint64_t v)
{
    element_put(o->out + (size_t)k * o->to.es, o->to.es, v);
    if (o->defined)
        memset(o->defined + (size_t)k * o->to.es, 1, o->to.es);
}
static bool mask_bit(const struct op *o, uint32_t k) { return o->in[0].data[k >> 3] >> (k & 7) & 1; }

static uint64_t element(const struct op *o, uint32_t i, uint32_t j)
{
    const struct etype *t = &o->t;
    unsigned op = o->r->op;
    switch (o->r->kind) {
    case K_BINARY: return elem_do(op, t, get(o, 0, i, j), get(o, 1, i, j));
    case K_SCALAR: return elem_do(op, t, get(o, 0, i, j), o->scalar);
    case K_UNARY: return elem_do(op, t, get(o, 0, i, j), 0);
    case K_ADDC: case K_SUBC: return elem_do(EL_ADD, t, elem_do(op, t, get(o, 0, i, j), get(o, 1, i, j)), get(o, 2, i, j));
    case K_ADDSC: case K_SUBSC: return elem_do(EL_ADD, t, elem_do(op, t, get(o, 0, i, j), o->scalar), get(o, 1, i, j));
    case K_SEL: return get(o, mask_bit(o, i * o->col + j) ? 1 : 2, i, j);
    case K_SELS: return mask_bit(o, i * o->col + j) ? get(o, 1, i, j) : o->scalar;
    case K_EXPANDS: return o->scalar;
    case K_CVT: return elem_convert(t, &o->to, get(o, 0, i, j), o->sat);
    case K_ROW_COPY: return get_1d(o, 0, i);
    case K_COL_COPY: return get_1d(o, 0, j);
    case K_ROW_EXPAND: return elem_do(op, t, get(o, 0, i, j), get_1d(o, 1, i));
    default: return elem_do(op, t, get(o, 0, i, j), get_1d(o, 1, j));
    }
}

static void compute(const struct op *o)
{
    switch (o->r->kind) {
    case K_CMP: case K_CMPS:
        for (uint32_t i = 0; i < o->vr; i++)
            for (uint32_t j = 0; j < o->vc; j++) {
                uint32_t k = i * o->col + j;
                bool on = elem_compare(o->cmode, &o->t, get(o, 0, i, j), o->r->kind == K_CMP ? get(o, 1, i, j) : o->scalar);
                o->out[k >> 3] = (uint8_t)((o->out[k >> 3] & ~(1u << (k & 7))) | (unsigned)on << (k & 7));
                if (o->defined)
                    o->defined[k >> 3] = 1;
            }
        return;
    case K_ROW_REDUCE:
        for (uint32_t i = 0; i < o->vr && o->vc; i++) {
            uint64_t acc = get(o, 0, i, 0);
            for (uint32_t j = 1; j < o->vc; j++)
                acc = elem_do(o->r->op, &o->t, acc, get(o, 0, i, j));
            put_at(o, i, acc);
        }
        return;
    case K_COL_REDUCE:
        for (uint32_t j = 0; j < o->vc && o->vr; j++) {
            uint64_t acc = get(o, 0, 0, j);
            for (uint32_t i = 1; i < o->vr; i++)
                acc = elem_do(o->r->op, &o->t, acc, get(o, 0, i, j));
            put_at(o, j, acc);
        }
        return;
    default:
        for (uint32_t i = 0; i < o->vr; i++)
            for (uint32_t j = 0; j < o->vc; j++)
                put_at(o, i * o->col + j, element(o, i, j));
    }
}

// Bytes that source s and the destination must have.
static uint64_t source_need(const struct op *o, unsigned s)
{
    uint64_t whole = o->vr && o->vc ? ((uint64_t)(o->vr - 1) * o->col + o->vc) : 0;
    unsigned k = o->r->kind;
    if ((k == K_SEL || k == K_SELS) && s == 0)
        return (whole + 7) / 8;
    if (k == K_ROW_COPY || (k == K_ROW_EXPAND && s == 1))
        return (uint64_t)o->vr * o->t.es;
    if (k == K_COL_COPY || (k == K_COL_EXPAND && s == 1))
        return (uint64_t)o->vc * o->t.es;
    return whole * o->t.es;
}
static uint64_t dest_need(const struct op *o)
{
    uint64_t whole = o->vr && o->vc ? ((uint64_t)(o->vr - 1) * o->col + o->vc) : 0;
    switch (o->r->kind) {
    case K_CMP: case K_CMPS: return (whole + 7) / 8;
    case K_ROW_REDUCE: return (uint64_t)o->vr * o->t.es;
    case K_COL_REDUCE: return (uint64_t)o->vc * o->t.es;
    default: return whole * o->to.es;
    }
}

static enum exec_status operate(struct engine *e, const struct block_header *h, const struct row *r, const struct tile_in *in)
{
    unsigned flags = 0;
    enum fp_round rm = fp_round_of_frm(e->pe->cstate >> LINX_CSTATE_FRM_SHIFT & 7);
    struct op o = {.r = r, .in = in, .e = e, .vc = h->lb[0], .vr = h->lb[1], .col = h->lb_set[2] ? h->lb[2] : h->lb[0]};
    unsigned to = r->kind == K_CVT ? h->datr_type : h->data_type;
    if (r->kind == K_CVT) {             // its own rounding mode; none means nearest even
        static const uint8_t mode[7] = {FP_RNE, FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RNA, FP_RTO};
        if (!h->has_datr)
            return engine_block_fault(e, LINX_EC_INVAL_PARM, "TCVT without B.DATR");
        if (h->datr_rmode > 6)
            return engine_illegal(e, "hybrid rounding (RHB) is not implemented");
        rm = mode[h->datr_rmode];
    }
    if (element_bytes(h->data_type) == 0 || element_bytes(to) == 0)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "reserved DataType");
    if (!etype_make(&o.t, h->data_type, rm, &flags) || !etype_make(&o.to, to, rm, &flags))
        return engine_illegal(e, "floats of 8 bits or less and 4-bit integers are not implemented");
    bool arithmetic = r->kind == K_BINARY || r->kind == K_SCALAR || r->kind == K_UNARY || r->kind == K_ROW_EXPAND || r->kind == K_COL_EXPAND;
    if (arithmetic && !elem_supported(r->op, &o.t))
        return engine_illegal(e, "the tile operation does not exist for this DataType");
    if (!h->lb_set[0] || o.col == 0 || o.vc > o.col)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "tile operation: LB0 (ValidCol) is mandatory and must not exceed Col");
    o.scalar = h->num_ri ? h->ri[0] : 0;
    o.cmode = h->has_datr ? h->datr_cmode : LINX_CMode_EQ;
    if ((r->kind == K_CMP || r->kind == K_CMPS) && o.cmode > LINX_CMode_GE)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "reserved CMode");
    o.sat = h->has_datr && h->datr_sat;
    for (unsigned s = 0; s < r->sources; s++)
        if (source_need(&o, s) > in[s].bytes)
            return engine_block_fault(e, LINX_EC_INVAL_PARM, "the valid rectangle exceeds a source tile");
    o.out_bytes = tile_bytes(h->dst[0].size);
    if (dest_need(&o) > o.out_bytes)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "the result exceeds the destination tile");
    unsigned pad = h->has_datr ? h->datr_pad & 3 : LINX_PadValue_Null;
    uint64_t pattern;
    pad_pattern(to, pad, &pattern);

    struct tile *t = &e->scratch[0];
    o.out = t->data;
    o.defined = t->defined;
    if (pattern == 0)
        memset(o.out, 0, o.out_bytes);
    else
        for (uint32_t k = 0; k + o.to.es <= o.out_bytes; k += o.to.es)
            element_put(o.out + k, o.to.es, pattern);
    if (o.defined)
        memset(o.defined, pad != LINX_PadValue_Null, o.out_bytes);
    compute(&o);
    t->code = h->dst[0].size;
    e->pe->cstate |= (uint64_t)flags << LINX_CSTATE_FFLAGS_SHIFT;
    return EXEC_OK;
}

enum exec_status tepl_block(struct engine *e, const struct block_header *h)
{
    if (h->function == LINX_TileOpcode_ESAVE)
        return esave(e, h);
    if (h->function == LINX_TileOpcode_ERCOV)
        return ercov(e, h);
    const struct row *r = h->function < 128 ? &rows[h->function] : NULL;
    if (!r || !r->name)
        return engine_illegal(e, h->function == 104 ? "THISTOGRAM is not implemented (ByteId has no place in B.DATR)" : "reserved TileOpcode");
    if (h->num_src != r->sources || h->num_dst != 1)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "wrong number of source or destination tiles for this operation");
    if (h->dst[0].index >= HANDS) {
        e->pe->tpc = h->dst_at[0];
        return engine_illegal(e, "tile operation to ACC or the stack tile");
    }
    if (tile_dest_check(e, h, 0) != EXEC_OK)
        return EXEC_TRAP;
    struct tile_in in[3] = {{0}};
    for (unsigned i = 0; i < h->num_src; i++)
        if (tile_bind(e, h, i, &in[i]) != EXEC_OK)
            return EXEC_TRAP;           // Local sources only: nothing to unbind
    e->pe->tpc = h->bpc;
    if (operate(e, h, r, in) != EXEC_OK)
        return EXEC_TRAP;
    for (unsigned i = 0; i < h->num_src; i++)
        tile_release(e, &in[i]);
    hand_push(e, h->dst[0].index, &e->scratch[0]);
    tile_log(e, "%s", r->name);
    e->stats.tepl++;
    return EXEC_OK;
}
