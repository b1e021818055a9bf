// SPDX-License-Identifier: BSD-2-Clause
// CUBE blocks: matrix products into ACC and ACCCVT out of it (docs/data-engine.md).
//
// A (M x K) lies in NZ, B (K x N) in ZN fractals of 512 B. Elements become FP32 or INT32 first; products and sums are
// rounded one by one, k ascending. ACC holds M x N 32-bit results.
#include "elem.h"

enum { CU_MATMUL = 0, CU_BIAS = 1, CU_ACC = 2, CU_ACCCVT = 8, CU_GEMV = 16 };

static unsigned cube_function(const struct block_header *h)
{
    switch (h->form) {
    case LINX_BSTART_TMATMUL: return CU_MATMUL;
    case LINX_BSTART_TMATMUL_ACC: return CU_ACC;
    case LINX_BSTART_ACCCVT: return CU_ACCCVT;
    default: return h->function;
    }
}
static uint32_t round_up(uint32_t v, uint32_t n) { return (v + n - 1) / n * n; }
static enum exec_status bad(struct engine *e, const char *why) { return engine_block_fault(e, LINX_EC_INVAL_PARM, why); }
static enum fp_round frm(const struct engine *e) { return fp_round_of_frm(e->pe->cstate >> LINX_CSTATE_FRM_SHIFT & 7); }

// Position of (i, j) in ACC: NZ with 16 x 16 fractals, `rows` a multiple of 16.
static uint32_t acc_index(uint32_t i, uint32_t j, uint32_t rows) { return j / 16 * rows * 16 + i * 16 + j % 16; }

static void unbind(struct tile_in *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        tile_unbind(&in[i]);
}

static enum exec_status matmul(struct engine *e, const struct block_header *h, unsigned kind, bool vector, const struct tile_in *in)
{
    unsigned flags = 0;
    struct etype a, b, c;
    unsigned type_b = h->has_datr && h->datr_type != LINX_DataType_INVALID ? h->datr_type : h->data_type;
    if (element_bytes(h->data_type) == 0 || element_bytes(type_b) == 0)
        return bad(e, "reserved DataType");
    if (!etype_make(&a, h->data_type, frm(e), &flags) || !etype_make(&b, type_b, frm(e), &flags))
        return engine_illegal(e, "matrices of 8-bit or smaller floats and 4-bit integers are not implemented");
    if (a.is_float != b.is_float)
        return bad(e, "a float matrix times an integer matrix");
    unsigned type_c = a.is_float ? LINX_DataType_FP32 : a.is_signed || b.is_signed ? LINX_DataType_S32 : LINX_DataType_U32;
    etype_make(&c, type_c, frm(e), &flags);
    uint32_t m = vector ? 1 : h->lb[0], n = h->lb[1], k = h->lb[2];
    uint32_t a_col = round_up(k, 32 / a.es), b_col = round_up(n, 16), b_row = round_up(k, 32 / b.es);
    uint32_t rows = round_up(m, 16), cols = round_up(n, 16);
    if (m == 0 || n == 0 || k == 0)
        return bad(e, "M, N and K must not be 0");
    // A's physical rows follow from its size, as TLOAD ND2NZ made it.
    uint32_t a_row = in[0].bytes / (a_col * a.es);
    if (vector && a_row % 16)           // a row vector that is no matrix of fractals: plain elements
        a_row = a_row != 0;
    if (a_row < m || (!vector && a_row % 16))
        return bad(e, "A (M x K in NZ) does not fit its tile");
    if ((uint64_t)b_row * b_col * b.es > in[1].bytes)
        return bad(e, "B (K x N in ZN) does not fit its tile");
    if (kind == CU_BIAS && (uint64_t)n * 4 > in[2].bytes)
        return bad(e, "the bias row does not fit its tile");
    if ((uint64_t)rows * cols * 4 > tile_bytes(h->dst[0].size))
        return bad(e, "C (M x N) does not fit ACC<Size>");
    if (kind == CU_ACC && !e->acc_valid)
        return engine_block_fault(e, LINX_EC_INVAL_GET, "ACC holds nothing to add to");
    if (kind == CU_ACC && (e->acc_rows != m || e->acc_cols != n || (e->acc_type < 16) != c.is_float))
        return bad(e, "ACC holds a matrix of another shape or type");

    uint32_t *acc = (uint32_t *)e->acc.data;
    if (kind != CU_ACC)
        memset(acc, 0, (size_t)rows * cols * 4);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t at = acc_index(i, j, rows);
            uint64_t sum = acc[at];
            for (uint32_t x = 0; x < k; x++) {
                uint64_t va = element_get(in[0].data + (size_t)layout_index(LAY_NZ, i, x, a_row, a_col, a.es) * a.es, a.es);
                uint64_t vb = element_get(in[1].data + (size_t)layout_index(LAY_ZN, x, j, b_row, b_col, b.es) * b.es, b.es);
                uint64_t p = elem_do(EL_MUL, &c, elem_convert(&a, &c, va, false), elem_convert(&b, &c, vb, false));
                sum = elem_do(EL_ADD, &c, sum, p);
            }
            if (kind == CU_BIAS)
                sum = elem_do(EL_ADD, &c, sum, element_get(in[2].data + j * 4, 4));
            acc[at] = (uint32_t)sum;
        }
    e->acc_valid = true;
    e->acc_type = (uint8_t)type_c;
    e->acc_rows = (uint16_t)m;
    e->acc_cols = (uint16_t)n;
    e->pe->cstate |= (uint64_t)flags << LINX_CSTATE_FFLAGS_SHIFT;
    return EXEC_OK;
}

// Where element (i, j) goes: NORM keeps ACC's fractals, the others are layout.h's.
struct out_layout { bool raw; enum tile_layout lay; uint32_t rows, cols; };
static uint32_t out_index(const struct out_layout *o, uint32_t i, uint32_t j, unsigned es)
{
    return o->raw ? acc_index(i, j, o->rows) : layout_index(o->lay, i, j, o->rows, o->cols, es);
}

static enum exec_status acccvt(struct engine *e, const struct block_header *h)
{
    static const uint8_t mode[7] = {FP_RNE, FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RNA, FP_RTO};
    unsigned flags = 0;
    struct etype from, to;
    if (h->num_src != 0 || h->num_dst < 1 || h->num_dst > 2)
        return bad(e, "ACCCVT takes no source tile and one or two outputs");
    for (unsigned i = 0; i < h->num_dst; i++) {
        if (h->dst[i].index >= HANDS) {
            e->pe->tpc = h->dst_at[i];
            return engine_illegal(e, "ACCCVT writes hands T, U, M, N");
        }
        if (tile_dest_check(e, h, i) != EXEC_OK)
            return EXEC_TRAP;
    }
    if (h->has_datr && h->datr_rmode > 6)
        return engine_illegal(e, "hybrid rounding (RHB) is not implemented");
    enum fp_round rm = h->has_datr ? mode[h->datr_rmode] : FP_RNE;
    unsigned type = h->has_datr && h->datr_type != LINX_DataType_INVALID ? h->datr_type : h->data_type;
    if (h->data_type != LINX_DataType_FP32 && h->data_type != LINX_DataType_S32 && h->data_type != LINX_DataType_U32)
        return bad(e, "ACC holds FP32, S32 or U32");
    if (element_bytes(type) == 0)
        return bad(e, "reserved DataType");
    if (!etype_make(&from, h->data_type, rm, &flags) || !etype_make(&to, type, rm, &flags))
        return engine_illegal(e, "8-bit or smaller floats and 4-bit integers are not implemented");
    if (!e->acc_valid)
        return engine_block_fault(e, LINX_EC_INVAL_GET, "ACC is empty or released");
    if ((e->acc_type < 16) != from.is_float)
        return bad(e, "SrcType is not the type that ACC holds");
    uint32_t row = h->lb[0], col = h->lb[1];
    if (row == 0 || col == 0 || row > e->acc_rows || col > e->acc_cols)
        return bad(e, "Row or Col exceeds the matrix in ACC");
    unsigned code = h->has_datr ? h->datr_layout : LINX_Layout_NORM;
    enum tile_layout src_lay;
    struct out_layout o = {.raw = code == LINX_Layout_NORM};
    if (!layout_split(code, &src_lay, &o.lay) || (!o.raw && src_lay != LAY_NZ))
        return bad(e, "ACC lies in NZ");
    o.rows = row;
    o.cols = col;
    if (o.raw) {
        o.rows = round_up(row, 16);
        o.cols = round_up(col, 16);
    } else if (o.lay != LAY_ND && o.lay != LAY_DN) {
        uint32_t r0, c0;
        layout_fractal(o.lay, to.es, &r0, &c0);
        o.rows = round_up(row, r0);
        o.cols = round_up(col, c0);
    }
    if ((uint64_t)o.rows * o.cols * to.es > tile_bytes(h->dst[0].size))
        return bad(e, "the result does not fit the output tile");
    bool row_max = h->num_dst == 2;
    if (row_max && (o.raw || (o.lay != LAY_ND && o.lay != LAY_DN)))
        return bad(e, "row maximum only with NZ2ND or NZ2DN");
    if (row_max && (uint64_t)row * to.es > tile_bytes(h->dst[1].size))
        return bad(e, "the row maxima do not fit the output tile");

    uint8_t *out = e->scratch[0].data, *max = e->scratch[1].data;
    memset(out, 0, tile_bytes(h->dst[0].size));
    if (row_max)
        memset(max, 0, tile_bytes(h->dst[1].size));
    uint32_t acc_rows = round_up(e->acc_rows, 16);
    bool sat = h->has_datr && h->datr_sat;
    for (uint32_t i = 0; i < row; i++)
        for (uint32_t j = 0; j < col; j++) {
            uint64_t v = ((const uint32_t *)e->acc.data)[acc_index(i, j, acc_rows)];
            if (h->num_ri)
                v = elem_do(EL_MUL, &from, v, h->ri[0]);
            v = elem_convert(&from, &to, v, sat);
            element_put(out + (size_t)out_index(&o, i, j, to.es) * to.es, to.es, v);
            if (row_max)
                element_put(max + (size_t)i * to.es, to.es, j ? elem_do(EL_MAX, &to, element_get(max + (size_t)i * to.es, to.es), v) : v);
        }
    for (unsigned i = 0; i < h->num_dst; i++) {
        struct tile *t = &e->scratch[i];
        t->code = h->dst[i].size;
        if (t->defined)
            memset(t->defined, 1, tile_bytes(t->code));
        hand_push(e, h->dst[i].index, t);
    }
    e->acc_valid = false;               // read once: ACCCVT releases ACC
    e->pe->cstate |= (uint64_t)flags << LINX_CSTATE_FFLAGS_SHIFT;
    e->stats.cube++;
    return EXEC_OK;
}

enum exec_status cube_block(struct engine *e, const struct block_header *h)
{
    unsigned f = cube_function(h);
    if (h->form == LINX_BSTART_FIXP)
        return engine_illegal(e, "BSTART.FIXP is not described and not implemented");
    if (f == CU_ACCCVT)
        return acccvt(e, h);
    if ((f >= 4 && f <= 6) || (f >= 20 && f <= 22))
        return engine_illegal(e, "scaled (MX) matrices are not implemented");
    bool vector = f >= CU_GEMV;
    unsigned kind = vector ? f - CU_GEMV : f;
    if (kind > CU_ACC)
        return engine_illegal(e, "reserved CUBE Function");
    unsigned sources = kind == CU_BIAS ? 3 : 2;
    if (h->num_src != sources || h->num_dst != 1)
        return bad(e, "a matrix product takes A, B (and the bias) and one output");
    if (h->dst[0].index != 4) {
        e->pe->tpc = h->dst_at[0];
        return engine_illegal(e, "a matrix product writes ACC only");
    }
    if (tile_dest_check(e, h, 0) != EXEC_OK)
        return EXEC_TRAP;
    struct tile_in in[3] = {{0}};
    for (unsigned i = 0; i < sources; i++)
        if (tile_bind(e, h, i, &in[i]) != EXEC_OK) {
            unbind(in, i);
            return EXEC_TRAP;
        }
    e->pe->tpc = h->bpc;
    if (matmul(e, h, kind, vector, in) != EXEC_OK) {
        unbind(in, sources);
        return EXEC_TRAP;
    }
    for (unsigned i = 0; i < sources; i++)
        tile_release(e, &in[i]);
    e->stats.cube++;
    return EXEC_OK;
}
