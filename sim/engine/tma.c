// SPDX-License-Identifier: BSD-2-Clause
// TMA blocks: TLOAD, TSTORE, TMOV, MGATHER, MSCATTER (docs/target.md 2.8, 3; digest 5.6). Everything is checked and every
// byte of memory probed before the first transfer, so a fault leaves no trace and the block restarts.
#include <stdlib.h>

#include "layout.h"
#include "trace.h"

// The rectangle that a header describes.
struct shape {
    unsigned type, es, pad;
    uint32_t valid_row, valid_col, col;     // ValidRow, ValidCol, Col
    uint32_t row;                           // of all tiles together
    enum tile_layout from, to;
};

static enum exec_status bad(struct engine *e, const char *why) { return engine_block_fault(e, LINX_EC_INVAL_PARM, why); }

static unsigned tma_function(const struct block_header *h)
{
    switch (h->form) {
    case LINX_BSTART_TLOAD: return LINX_tma_TLOAD;
    case LINX_BSTART_TSTORE: return LINX_tma_TSTORE;
    case LINX_BSTART_TMOV: return LINX_tma_TMOV;
    default: return h->function;
    }
}

// LB0 = ValidCol (mandatory), LB1 = ValidRow, LB2 = Col (default ValidCol). `bytes` of all tiles gives Row.
static enum exec_status shape_read(struct engine *e, const struct block_header *h, uint32_t bytes, struct shape *s)
{
    *s = (struct shape){.type = h->data_type, .es = element_bytes(h->data_type), .pad = h->has_datr ? h->datr_pad & 3 : LINX_PadValue_Null};
    if (s->es == 0)
        return bad(e, "reserved DataType");
    if (!h->lb_set[0])
        return bad(e, "TMA block without LB0 (ValidCol)");
    s->valid_col = h->lb[0];
    s->valid_row = h->lb[1];
    s->col = h->lb_set[2] ? h->lb[2] : s->valid_col;
    if (s->col == 0 || s->valid_col > s->col)
        return bad(e, "ValidCol must not exceed Col");
    s->row = bytes / (s->col * s->es);
    if (s->valid_row > s->row)
        return bad(e, "ValidRow exceeds the rows that the tile holds");
    if (!layout_split(h->has_datr ? h->datr_layout : LINX_Layout_NORM, &s->from, &s->to))
        return bad(e, "reserved DataLayout");
    uint64_t pattern;
    if (!pad_pattern(s->type, s->pad, &pattern))
        return engine_illegal(e, "PadValue Max or Min of an 8-bit or smaller float is not implemented");
    return EXEC_OK;
}

// ---- memory ---------------------------------------------------------------------------------------------------------
// Runs of contiguous elements: RAM by memcpy, devices element by element.
static enum exec_status memory_read(struct engine *e, uint64_t va, uint8_t *buf, uint32_t len, unsigned es)
{
    while (len) {
        uint32_t n = 4096 - (uint32_t)(va & 4095);
        n = n < len ? n : len;
        const uint8_t *p = pe_host(e->pe, va, n, false);
        if (p) {
            memcpy(buf, p, n);
        } else {
            uint64_t v;
            n = es < len ? es : len;
            if (pe_load(e->pe, va, n, &v) != EXEC_OK)
                return EXEC_TRAP;
            memcpy(buf, &v, n);
        }
        va += n;
        buf += n;
        len -= n;
    }
    return EXEC_OK;
}
static enum exec_status memory_write(struct engine *e, uint64_t va, const uint8_t *buf, uint32_t len, unsigned es)
{
    while (len) {
        uint32_t n = 4096 - (uint32_t)(va & 4095);
        n = n < len ? n : len;
        uint8_t *p = pe_host(e->pe, va, n, true);
        if (p) {
            memcpy(p, buf, n);
            pe_wrote(e->pe, va, n);
        } else {
            uint64_t v = 0;
            n = es < len ? es : len;
            memcpy(&v, buf, n);
            if (pe_store(e->pe, va, n, v) != EXEC_OK)
                return EXEC_TRAP;
        }
        va += n;
        buf += n;
        len -= n;
    }
    return EXEC_OK;
}

// A memory side of TLOAD or TSTORE: `lines` runs of `line` bytes, `stride` apart. ND: lines are rows, DN: columns.
struct memory_side { uint64_t base, stride; uint32_t lines, line; };

static enum exec_status memory_side(struct engine *e, const struct block_header *h, const struct shape *s, bool dn, bool write,
                                    struct memory_side *m)
{
    if (h->num_ri < 1)
        return bad(e, "TMA block without a base address in B.IOR");
    m->base = h->ri[0];
    m->lines = dn ? s->valid_col : s->valid_row;
    m->line = (dn ? s->valid_row : s->valid_col) * s->es;
    m->stride = h->num_ri > 1 ? h->ri[1] : m->line;
    if (m->line)
        for (uint32_t i = 0; i < m->lines; i++)
            if (pe_probe(e->pe, m->base + i * m->stride, m->line, write) != EXEC_OK)
                return EXEC_TRAP;
    return EXEC_OK;
}

// Where element (i, j) of the whole matrix lies when it is spread over n tiles: along columns for ND memory, rows for DN.
struct spread { uint32_t n, row, col; bool by_rows; };
static inline uint32_t spread_tile(const struct spread *p, uint32_t *i, uint32_t *j)
{
    uint32_t t = p->by_rows ? *i / p->row : *j / p->col;
    if (p->by_rows)
        *i %= p->row;
    else
        *j %= p->col;
    return t;
}
static enum exec_status spread_make(struct engine *e, const struct shape *s, unsigned n, bool dn, enum tile_layout tile, struct spread *p)
{
    *p = (struct spread){.n = n, .row = s->row, .col = s->col, .by_rows = dn};
    if ((dn ? s->row : s->col) % n)
        return bad(e, "the matrix does not divide evenly among the tiles");
    if (dn)
        p->row /= n;
    else
        p->col /= n;
    if (!layout_fits(tile, p->row, p->col, s->es))
        return bad(e, "a fractal layout needs whole fractals of rows and columns");
    return EXEC_OK;
}

static void fill_pad(uint8_t *data, uint32_t bytes, unsigned es, uint64_t pattern)
{
    if (pattern == 0) {
        memset(data, 0, bytes);
        return;
    }
    for (uint32_t k = 0; k + es <= bytes; k += es)
        element_put(data + k, es, pattern);
}

// ---- TLOAD ------------------------------------------------------------------------------------------------------------
static enum exec_status tload(struct engine *e, const struct block_header *h)
{
    unsigned n = h->num_dst;
    if (n < 1 || n > 8 || h->num_src != 0)
        return bad(e, "TLOAD takes no source tile and 1 to 8 outputs");
    bool shared = h->dst[0].shared;
    uint32_t each = shared ? shared_capacity(h->dst[0].size) : tile_bytes(h->dst[0].size);
    for (unsigned i = 0; i < n; i++) {
        if (h->dst[i].shared != shared || h->dst[i].size != h->dst[0].size || (shared && n > 1))
            return bad(e, "the outputs of one TLOAD have one size, and a Shared one stands alone");
        if (!shared && h->dst[i].index >= HANDS) {
            e->pe->tpc = h->dst_at[i];
            return engine_illegal(e, "TLOAD to ACC or the stack tile");
        }
        if (!shared && tile_dest_check(e, h, i) != EXEC_OK)
            return EXEC_TRAP;
    }
    struct shape s;
    struct spread sp;
    struct memory_side m;
    if (shape_read(e, h, n * each, &s) != EXEC_OK)
        return EXEC_TRAP;
    if (s.from != LAY_ND && s.from != LAY_DN)
        return bad(e, "TLOAD: memory is ND or DN");
    if (shared && s.col & (s.col - 1))
        return bad(e, "columns of a Shared register are a power of two");
    bool dn = s.from == LAY_DN;
    if (spread_make(e, &s, n, dn, s.to, &sp) != EXEC_OK || memory_side(e, h, &s, dn, false, &m) != EXEC_OK)
        return EXEC_TRAP;

    uint64_t pattern;
    pad_pattern(s.type, s.pad, &pattern);
    uint8_t *whole = malloc((size_t)n * each + m.line + 1), *line = whole + (size_t)n * each;
    if (!whole)
        return bad(e, "the simulator is out of memory");
    uint8_t *defined = e->strict && !shared ? calloc(n, each) : NULL;
    fill_pad(whole, n * each, s.es, pattern);
    if (defined && s.pad != LINX_PadValue_Null)
        memset(defined, 1, (size_t)n * each);
    for (uint32_t l = 0; l < m.lines; l++) {
        if (memory_read(e, m.base + l * m.stride, line, m.line, s.es) != EXEC_OK) {
            free(defined);
            free(whole);
            return EXEC_TRAP;           // a device refused what the probe allowed; nothing was pushed
        }
        for (uint32_t k = 0; k * s.es < m.line; k++) {
            uint32_t i = dn ? k : l, j = dn ? l : k, run = 1;
            uint32_t t = spread_tile(&sp, &i, &j);
            if (s.to == LAY_ND && !dn)  // the rest of this row in this tile is contiguous
                run = m.line / s.es - k < sp.col - j ? m.line / s.es - k : sp.col - j;
            size_t at = (size_t)t * each + (size_t)layout_index(s.to, i, j, sp.row, sp.col, s.es) * s.es;
            memcpy(whole + at, line + k * s.es, run * s.es);
            if (defined)
                memset(defined + at, 1, run * s.es);
            k += run - 1;
        }
    }
    if (shared) {
        bool ok = shared_write(e, h->dst[0].index, h->dst[0].size, h->shared_mask, whole, s.col, s.valid_row, s.valid_col, s.es);
        if (!ok) {
            free(whole);
            return bad(e, "the simulator is out of memory");
        }
    } else {
        for (unsigned i = 0; i < n; i++) {
            struct tile *t = &e->scratch[0];
            memcpy(t->data, whole + (size_t)i * each, each);
            if (t->defined)
                memcpy(t->defined, defined + (size_t)i * each, each);
            t->code = h->dst[i].size;
            hand_push(e, h->dst[i].index, t);
        }
    }
    free(defined);
    free(whole);
    tile_log(e, "TLOAD base=%#llx stride=%llu %u lines of %u bytes", (unsigned long long)m.base, (unsigned long long)m.stride, m.lines, m.line);
    e->stats.tload++;
    e->stats.tload_bytes += (uint64_t)m.lines * m.line;
    return EXEC_OK;
}

// ---- TSTORE -----------------------------------------------------------------------------------------------------------
static void unbind_all(struct tile_in *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        tile_unbind(&in[i]);
}

static enum exec_status bind_all(struct engine *e, const struct block_header *h, struct tile_in *in)
{
    for (unsigned i = 0; i < h->num_src; i++)
        if (tile_bind(e, h, i, &in[i]) != EXEC_OK) {
            unbind_all(in, i);
            return EXEC_TRAP;
        }
    return EXEC_OK;
}

static enum exec_status tstore_run(struct engine *e, const struct block_header *h, const struct tile_in *in)
{
    unsigned n = h->num_src;
    for (unsigned i = 1; i < n; i++)
        if (in[i].bytes != in[0].bytes)
            return bad(e, "the sources of one TSTORE have one size");
    struct shape s;
    struct spread sp;
    struct memory_side m;
    if (shape_read(e, h, n * in[0].bytes, &s) != EXEC_OK)
        return EXEC_TRAP;
    if (s.to != LAY_ND && s.to != LAY_DN)
        return bad(e, "TSTORE: memory is ND or DN");
    bool dn = s.to == LAY_DN;
    if (spread_make(e, &s, n, dn, s.from, &sp) != EXEC_OK || memory_side(e, h, &s, dn, true, &m) != EXEC_OK)
        return EXEC_TRAP;
    uint8_t *line = malloc(m.line + 1u);
    if (!line)
        return bad(e, "the simulator is out of memory");
    enum exec_status st = EXEC_OK;
    for (uint32_t l = 0; l < m.lines && st == EXEC_OK; l++) {
        for (uint32_t k = 0; k * s.es < m.line; k++) {
            uint32_t i = dn ? k : l, j = dn ? l : k, run = 1;
            uint32_t t = spread_tile(&sp, &i, &j);
            if (s.from == LAY_ND && !dn)
                run = m.line / s.es - k < sp.col - j ? m.line / s.es - k : sp.col - j;
            uint32_t at = layout_index(s.from, i, j, sp.row, sp.col, s.es) * s.es;
            if (unlikely(e->strict))
                strict_tile_read(e, in[t].defined, at, run * s.es);
            memcpy(line + k * s.es, in[t].data + at, run * s.es);
            k += run - 1;
        }
        st = memory_write(e, m.base + l * m.stride, line, m.line, s.es);
    }
    free(line);
    if (st != EXEC_OK)
        return st;
    tile_log(e, "TSTORE base=%#llx stride=%llu %u lines of %u bytes", (unsigned long long)m.base, (unsigned long long)m.stride, m.lines, m.line);
    e->stats.tstore++;
    e->stats.tstore_bytes += (uint64_t)m.lines * m.line;
    return EXEC_OK;
}

// ---- TMOV -------------------------------------------------------------------------------------------------------------
static enum exec_status tmov_run(struct engine *e, const struct block_header *h, const struct tile_in *in)
{
    const struct tile_dest *d = &h->dst[0];
    uint32_t dst_bytes = d->shared ? shared_capacity(d->size) : tile_bytes(d->size);
    const uint8_t *src = in->data;
    uint32_t src_bytes = in->bytes;
    // A Local tile of exactly the per-PE capacity takes this PE's own fragment.
    const struct shared_alloc *a = in->shared;
    if (a && !d->shared && dst_bytes == shared_capacity(a->size_code) && a->mask >> e->pe->index & 1) {
        src += shared_rank(a->mask, e->pe->index) * dst_bytes;
        src_bytes = dst_bytes;
    }
    struct shape s;
    if (shape_read(e, h, src_bytes, &s) != EXEC_OK)
        return EXEC_TRAP;
    uint32_t dst_row = dst_bytes / (s.col * s.es);
    if (s.valid_row > dst_row)
        return bad(e, "TMOV: ValidRow exceeds the rows of the destination");
    if (!layout_fits(s.from, s.row, s.col, s.es) || !layout_fits(s.to, dst_row, s.col, s.es))
        return bad(e, "a fractal layout needs whole fractals of rows and columns");
    if (d->shared && s.col & (s.col - 1))
        return bad(e, "columns of a Shared register are a power of two");
    uint64_t pattern;
    pad_pattern(s.type, s.pad, &pattern);
    uint8_t *out = d->shared ? malloc(dst_bytes) : e->scratch[0].data;
    uint8_t *defined = d->shared ? NULL : e->scratch[0].defined;
    if (!out)
        return bad(e, "the simulator is out of memory");
    fill_pad(out, dst_bytes, s.es, pattern);
    if (defined)
        memset(defined, s.pad != LINX_PadValue_Null, dst_bytes);
    for (uint32_t i = 0; i < s.valid_row; i++)
        for (uint32_t j = 0; j < s.valid_col; j++) {
            uint32_t from = layout_index(s.from, i, j, s.row, s.col, s.es) * s.es, to = layout_index(s.to, i, j, dst_row, s.col, s.es) * s.es;
            memcpy(out + to, src + from, s.es);
            if (defined)
                memset(defined + to, 1, s.es);
        }
    if (d->shared) {
        bool ok = shared_write(e, d->index, d->size, h->shared_mask, out, s.col, s.valid_row, s.valid_col, s.es);
        free(out);
        if (!ok)
            return bad(e, "the simulator is out of memory");
    } else {
        e->scratch[0].code = d->size;
        // The source's entry is released before the push: both are commit actions and positions do not shift by a release.
    }
    e->stats.tmov++;
    return EXEC_OK;
}

// ---- MGATHER, MSCATTER --------------------------------------------------------------------------------------------------
// Offsets are bytes; their type is B.DATR's DataType when that is U16, U32 or U64, else U32.
static unsigned offset_bytes(const struct block_header *h)
{
    if (h->has_datr && (h->datr_type == LINX_DataType_U16 || h->datr_type == LINX_DataType_U64))
        return element_bytes(h->datr_type);
    return 4;
}

struct indexed { const uint8_t *offsets, *mask; unsigned os; uint64_t base; };

static bool indexed_on(const struct indexed *x, uint32_t k) { return !x->mask || x->mask[k >> 3] >> (k & 7) & 1; }
static uint64_t indexed_address(const struct indexed *x, uint32_t k) { return x->base + element_get(x->offsets + (size_t)k * x->os, x->os); }

static enum exec_status indexed_prepare(struct engine *e, const struct block_header *h, const struct shape *s, const struct tile_in *off,
                                        const struct tile_in *mask, bool write, struct indexed *x)
{
    if (h->num_ri < 1)
        return bad(e, "MGATHER or MSCATTER without a base address in B.IOR");
    *x = (struct indexed){off->data, mask ? mask->data : NULL, offset_bytes(h), h->ri[0]};
    uint32_t elements = s->valid_row ? (s->valid_row - 1) * s->col + s->valid_col : 0;
    if ((uint64_t)elements * x->os > off->bytes)
        return bad(e, "the offset tile is too small");
    if (mask && elements > mask->bytes * 8)
        return bad(e, "the mask tile is too small");
    for (uint32_t i = 0; i < s->valid_row; i++)
        for (uint32_t j = 0; j < s->valid_col; j++) {
            uint32_t k = i * s->col + j;
            if (indexed_on(x, k) && pe_probe(e->pe, indexed_address(x, k), s->es, write) != EXEC_OK)
                return EXEC_TRAP;
        }
    return EXEC_OK;
}

static enum exec_status mgather_run(struct engine *e, const struct block_header *h, const struct tile_in *in, bool masked)
{
    struct shape s;
    struct indexed x;
    uint32_t bytes = tile_bytes(h->dst[0].size);
    if (shape_read(e, h, bytes, &s) != EXEC_OK || indexed_prepare(e, h, &s, &in[0], masked ? &in[1] : NULL, false, &x) != EXEC_OK)
        return EXEC_TRAP;
    uint64_t pattern, v;
    pad_pattern(s.type, s.pad, &pattern);
    struct tile *t = &e->scratch[0];
    fill_pad(t->data, bytes, s.es, pattern);
    if (t->defined)
        memset(t->defined, s.pad != LINX_PadValue_Null, bytes);
    for (uint32_t i = 0; i < s.valid_row; i++)
        for (uint32_t j = 0; j < s.valid_col; j++) {
            uint32_t k = i * s.col + j;
            if (!indexed_on(&x, k))
                continue;
            if (pe_load(e->pe, indexed_address(&x, k), s.es, &v) != EXEC_OK)
                return EXEC_TRAP;
            element_put(t->data + k * s.es, s.es, v);
            if (t->defined)
                memset(t->defined + k * s.es, 1, s.es);
        }
    t->code = h->dst[0].size;
    return EXEC_OK;
}

static enum exec_status mscatter_run(struct engine *e, const struct block_header *h, const struct tile_in *in, bool masked)
{
    struct shape s;
    struct indexed x;
    if (shape_read(e, h, in[0].bytes, &s) != EXEC_OK || indexed_prepare(e, h, &s, &in[1], masked ? &in[2] : NULL, true, &x) != EXEC_OK)
        return EXEC_TRAP;
    for (uint32_t i = 0; i < s.valid_row; i++)
        for (uint32_t j = 0; j < s.valid_col; j++) {
            uint32_t k = i * s.col + j;
            if (indexed_on(&x, k) && pe_store(e->pe, indexed_address(&x, k), s.es, element_get(in[0].data + k * s.es, s.es)) != EXEC_OK)
                return EXEC_TRAP;
        }
    return EXEC_OK;
}

// ---- dispatch -----------------------------------------------------------------------------------------------------------
enum exec_status tma_block(struct engine *e, const struct block_header *h)
{
    static const struct { const char *name; uint8_t src_min, src_max, dst; } rule[8] = {
        [LINX_tma_TSTORE] = {"TSTORE takes 1 to 8 sources and no output", 1, 8, 0},
        [LINX_tma_TMOV] = {"TMOV takes one source and one output", 1, 1, 1},
        [LINX_tma_MGATHER] = {"MGATHER takes the offset tile and one output", 1, 1, 1},
        [LINX_tma_MSCATTER] = {"MSCATTER takes data and offsets and no output", 2, 2, 0},
        [LINX_tma_MGATHER_MASK] = {"MGATHER.MASK takes offsets, mask and one output", 2, 2, 1},
        [LINX_tma_MSCATTER_MASK] = {"MSCATTER.MASK takes data, offsets, mask and no output", 3, 3, 0},
    };
    unsigned f = tma_function(h);
    if (f == LINX_tma_TLOAD)
        return tload(e, h);
    if (f > 7 || !rule[f].name)
        return engine_illegal(e, "reserved TMA Function");
    if (h->num_src < rule[f].src_min || h->num_src > rule[f].src_max || h->num_dst != rule[f].dst)
        return bad(e, rule[f].name);
    if (h->num_dst && !h->dst[0].shared) {
        if (h->dst[0].index >= HANDS) {
            e->pe->tpc = h->dst_at[0];
            return engine_illegal(e, "TMA output to ACC or the stack tile");
        }
        if (tile_dest_check(e, h, 0) != EXEC_OK)
            return EXEC_TRAP;
    }
    struct tile_in in[MAX_TILE_SRC] = {{0}};
    if (bind_all(e, h, in) != EXEC_OK)
        return EXEC_TRAP;
    e->pe->tpc = h->bpc;
    enum exec_status st;
    switch (f) {
    case LINX_tma_TSTORE: st = tstore_run(e, h, in); break;
    case LINX_tma_TMOV: st = tmov_run(e, h, in); break;
    case LINX_tma_MGATHER: st = mgather_run(e, h, in, false); break;
    case LINX_tma_MSCATTER: st = mscatter_run(e, h, in, false); break;
    case LINX_tma_MGATHER_MASK: st = mgather_run(e, h, in, true); break;
    default: st = mscatter_run(e, h, in, true); break;
    }
    if (st != EXEC_OK) {
        unbind_all(in, h->num_src);
        return st;
    }
    if (f != LINX_tma_TSTORE)
        tile_log(e, "%s", (const char *[]){"", "", "TMOV", "", "MGATHER", "MSCATTER", "MGATHER.MASK", "MSCATTER.MASK"}[f]);
    for (unsigned i = 0; i < h->num_src; i++)
        tile_release(e, &in[i]);
    if (h->num_dst && !h->dst[0].shared)
        hand_push(e, h->dst[0].index, &e->scratch[0]);
    return EXEC_OK;
}
