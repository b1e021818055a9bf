// SPDX-License-Identifier: BSD-2-Clause
// Headers of data blocks: decoded into struct block_header, checked as far as the core can, handed to the engine.
#include "core.h"

struct parse {
    struct pe *pe;
    struct block_header *h;
    uint64_t at;            // instruction being parsed
    unsigned insns;
    bool last, text, absent; // `last` seen; B.TEXT seen; a B.IOS leaves this PE out
    uint64_t next;          // where execution goes on after the block
};

static int64_t field(enum linx_form f, enum linx_field_name name, uint64_t word)
{
    int i = linx_find_field(f, name);
    return i < 0 ? 0 : linx_field_value(&linx_forms[f].field[i], word);
}

static enum exec_status fetch_insn(struct pe *pe, uint64_t at, uint64_t *word, unsigned *bytes, enum linx_form *form)
{
    uint64_t half;
    if (pe_fetch(pe, at, 2, &half) != EXEC_OK) return EXEC_TRAP;
    *bytes = linx_insn_bytes((uint16_t)half);
    if (pe_fetch(pe, at, *bytes, word) != EXEC_OK) return EXEC_TRAP;
    *form = linx_decode(*word, *bytes);
    return EXEC_OK;
}

static unsigned pe_mask(unsigned mode)      // PEMode to PEs, bit p = PE p (seed B.IOS)
{
    static const uint8_t mask[8] = { 0, 1, 2, 4, 8, 3, 7, 15 };
    return mask[mode & 7];
}

static enum exec_status bad(struct parse *p, uint32_t cause) { return pe_trap(p->pe, LINX_E_BLOCK, cause, 0); }
static enum exec_status illegal(struct parse *p) { return pe_trap(p->pe, LINX_E_INST, LINX_EC_ILLEGAL, 0); }

static enum exec_status parse_ior(struct parse *p, enum linx_form f, uint64_t w)
{
    struct block_header *h = p->h;
    static const enum linx_field_name source[3] = { LINX_F_RegSrc0, LINX_F_RegSrc1, LINX_F_RegSrc2 };
    for (unsigned k = 0; k < 3; k++) {
        unsigned r = (unsigned)field(f, source[k], w);
        if (!r) continue;
        if (r > 23) return bad(p, LINX_EC_INVAL_PARM);
        for (unsigned i = 0; i < h->num_ri; i++) if (h->ri_reg[i] == r) return bad(p, LINX_EC_INVAL_DOUBLESET);
        if (h->num_ri == 12) return bad(p, LINX_EC_INVAL_PARM);
        h->ri_reg[h->num_ri] = (uint8_t)r;
        h->ri[h->num_ri++] = p->pe->r[r];
    }
    unsigned d = (unsigned)field(f, LINX_F_RegDst, w);
    if (!d) return EXEC_OK;
    if (d > 23) return bad(p, LINX_EC_INVAL_PARM);
    for (unsigned i = 0; i < h->num_ro; i++) if (h->ro_reg[i] == d) return bad(p, LINX_EC_INVAL_DOUBLESET);
    if (h->num_ro == 4) return bad(p, LINX_EC_INVAL_PARM);
    h->ro_reg[h->num_ro++] = (uint8_t)d;
    return EXEC_OK;
}

static enum exec_status add_source(struct parse *p, unsigned code, bool shared, bool reuse)
{
    struct block_header *h = p->h;
    if (h->num_src == MAX_TILE_SRC) return bad(p, LINX_EC_INVAL_PARM);
    h->src[h->num_src] = (struct tile_operand){ shared, reuse, (uint8_t)code };
    h->src_at[h->num_src++] = p->at;
    return EXEC_OK;
}

static enum exec_status add_dest(struct parse *p, unsigned index, bool shared, unsigned size)
{
    struct block_header *h = p->h;
    if (h->num_dst == MAX_TILE_DST) return bad(p, LINX_EC_INVAL_PARM);
    h->dst[h->num_dst] = (struct tile_dest){ shared, (uint8_t)index, (uint8_t)size };
    h->dst_at[h->num_dst++] = p->at;
    return EXEC_OK;
}

static enum exec_status parse_iot(struct parse *p, enum linx_form f, uint64_t w)
{
    enum { DST_RESERVED = 6, DST_NONE = 7 };
    if (p->last) return bad(p, LINX_EC_INVAL_PARM);
    p->last = field(f, LINX_F_L, w);
    if (f != LINX_B_IOT_SRC0 &&
        add_source(p, (unsigned)field(f, LINX_F_SrcTile0, w), false, field(f, LINX_F_S0R, w)) != EXEC_OK) return EXEC_TRAP;
    if (f == LINX_B_IOT_SRC2 &&
        add_source(p, (unsigned)field(f, LINX_F_SrcTile1, w), false, field(f, LINX_F_S1R, w)) != EXEC_OK) return EXEC_TRAP;
    unsigned dst = (unsigned)field(f, LINX_F_DstTile, w);
    if (dst == DST_RESERVED) return illegal(p);
    return dst == DST_NONE ? EXEC_OK : add_dest(p, dst, false, (unsigned)field(f, LINX_F_imm4, w));
}

static enum exec_status parse_ios(struct parse *p, enum linx_form f, uint64_t w)
{
    struct pe *pe = p->pe;
    struct block_header *h = p->h;
    unsigned reg = (unsigned)field(f, LINX_F_SharedTID, w), size = (unsigned)field(f, LINX_F_SizeCode, w);
    unsigned mask = pe_mask((unsigned)field(f, LINX_F_PEMode, w));
    if (h->shared_mask && h->shared_mask != mask) return bad(p, LINX_EC_INVAL_PARM);
    h->shared_mask = (uint8_t)mask;
    if (pe_ring(pe) == LINX_ACR_TASK) {
        unsigned first = pe->shared_window & 0xff, count = pe->shared_window >> 16 & 0x1ff;
        if (reg < first || reg >= first + count) return bad(p, size ? LINX_EC_INVAL_SET : LINX_EC_INVAL_GET);
    }
    return size ? add_dest(p, reg, true, size) : add_source(p, reg, true, true);
}

static enum exec_status parse_dim(struct parse *p, enum linx_form f, uint64_t w)
{
    struct pe *pe = p->pe;
    uint64_t v;
    unsigned n;
    switch (f) {
    case LINX_C_B_DIMI: n = (unsigned)field(f, LINX_F_LoopNest, w); v = (uint64_t)field(f, LINX_F_imm8, w); break;
    case LINX_C_B_DIM: n = (unsigned)field(f, LINX_F_LoopNest, w); v = pe->r[field(f, LINX_F_RegSrc, w)]; break;
    default:
        n = f == LINX_B_DIM_LB0 ? 0 : f == LINX_B_DIM_LB1 ? 1 : 2;
        v = pe->r[field(f, LINX_F_RegSrc, w)] + (uint64_t)field(f, LINX_F_uimm17, w);
    }
    if (n > 2) return bad(p, LINX_EC_INVAL_PARM);
    p->h->lb[n] = (uint16_t)v;
    p->h->lb_set[n] = true;
    return EXEC_OK;
}

static enum exec_status parse_one(struct parse *p, enum linx_form f, uint64_t w)
{
    struct block_header *h = p->h;
    switch (f) {
    case LINX_B_TEXT:
        h->body = p->at + (uint64_t)field(f, LINX_F_simm25, w);
        p->text = true;
        return EXEC_OK;
    case LINX_B_CATR:
        h->atom = field(f, LINX_F_atom, w);
        h->dr = field(f, LINX_F_DR, w);
        p->pe->aq = field(f, LINX_F_aq, w);
        p->pe->rl = field(f, LINX_F_rl, w);
        return EXEC_OK;
    case LINX_B_DATR:
        h->has_datr = true;
        h->datr_layout = (uint8_t)field(f, LINX_F_DataLayout, w);
        h->datr_pad = (uint8_t)field(f, LINX_F_PadValue, w);
        h->datr_type = (uint8_t)field(f, LINX_F_DataType, w);
        h->datr_cmode = (uint8_t)field(f, LINX_F_CMode, w);
        h->datr_rmode = (uint8_t)field(f, LINX_F_RMode, w);
        h->datr_sat = field(f, LINX_F_Sat, w);
        return EXEC_OK;
    case LINX_B_IOR: return parse_ior(p, f, w);
    case LINX_B_IOT_SRC0: case LINX_B_IOT_SRC1: case LINX_B_IOT_SRC2: return parse_iot(p, f, w);
    case LINX_B_IOS: return parse_ios(p, f, w);
    case LINX_B_DIM_LB0: case LINX_B_DIM_LB1: case LINX_B_DIM_LB2: case LINX_C_B_DIM: case LINX_C_B_DIMI: return parse_dim(p, f, w);
    case LINX_B_HINT: case LINX_B_HINT_TRACE: return EXEC_OK;
    default: return illegal(p);         // B.ARG: its meaning is nowhere described
    }
}

// BSTART of a data block: what the word itself says.
static void parse_start(struct block_header *h, enum linx_form f, uint64_t w)
{
    h->form = (uint16_t)f;
    h->data_type = (uint8_t)field(f, LINX_F_DataType, w);
    switch (f) {
    case LINX_BSTART_TEPL: h->function = (uint16_t)field(f, LINX_F_TileOpcode, w); break;
    case LINX_BSTART_VPAR: case LINX_BSTART_VSEQ: case LINX_BSTART_MPAR: case LINX_BSTART_MSEQ:
        h->function = (uint16_t)field(f, LINX_F_Mode, w); break;
    case LINX_C_BSTART_VPAR: case LINX_C_BSTART_VSEQ: case LINX_C_BSTART_MPAR: case LINX_C_BSTART_MSEQ:
        h->function = LINX_vsize_VS16; break;
    case LINX_BSTART_TMA: case LINX_BSTART_TLOAD: case LINX_BSTART_TSTORE: case LINX_BSTART_TMOV:
        h->function = (uint16_t)field(LINX_BSTART_TMA, LINX_F_Function, w); break;
    default:
        h->function = (uint16_t)field(LINX_BSTART_CUBE, LINX_F_Function, w); break;
    }
}

// One pass over the header. With `shape` only the lengths and B.IOS masks are looked at, nothing is checked.
static enum exec_status scan(struct parse *p, bool shape)
{
    struct pe *pe = p->pe;
    struct block_header *h = p->h;
    uint64_t word;
    unsigned bytes;
    enum linx_form f;
    p->at = pe->tpc = h->bpc;
    p->insns = 1;
    if (fetch_insn(pe, p->at, &word, &bytes, &f) != EXEC_OK) return EXEC_TRAP;
    if (f == LINX_NFORMS || !(linx_forms[f].where & LINX_WHERE_START)) return illegal(p);
    parse_start(h, f, word);
    for (;;) {
        p->at += bytes;
        pe->tpc = p->at;
        if (fetch_insn(pe, p->at, &word, &bytes, &f) != EXEC_OK) return EXEC_TRAP;
        if (f == LINX_NFORMS) return illegal(p);
        if (form_ends_block(f)) {
            h->end = p->at;
            p->next = linx_forms[f].where & LINX_WHERE_STOP ? p->at + bytes : p->at;
            p->insns += (linx_forms[f].where & LINX_WHERE_STOP) != 0;
            pe->tpc = h->bpc;
            return EXEC_OK;
        }
        p->insns++;
        if (f == LINX_EBREAK || f == LINX_C_EBREAK)
            return pe_trap(pe, LINX_E_BREAKPOINT, (uint32_t)field(f, f == LINX_EBREAK ? LINX_F_imm4 : LINX_F_imm5, word), 0);
        if (!(linx_forms[f].where & LINX_WHERE_HEADER)) return illegal(p);
        if (shape) {
            if (f != LINX_B_IOS) continue;
            if (field(f, LINX_F_SizeCode, word) > 12) return illegal(p);
            if (!(pe_mask((unsigned)field(f, LINX_F_PEMode, word)) >> pe->index & 1)) p->absent = true;
            continue;
        }
        if (p->text) return bad(p, LINX_EC_TYPE);       // B.TEXT is the last header instruction
        if (parse_one(p, f, word) != EXEC_OK) return EXEC_TRAP;
    }
}

static enum exec_status parse_header(struct parse *p, struct pe *pe, uint64_t bpc, struct block_header *h)
{
    *h = (struct block_header){ .bpc = bpc, .lb = { 1, 1, 1 } };
    *p = (struct parse){ .pe = pe, .h = h };
    if (scan(p, true) != EXEC_OK || p->absent) return p->absent && pe->tpc == bpc ? EXEC_OK : EXEC_TRAP;
    uint64_t next = p->next;
    *p = (struct parse){ .pe = pe, .h = h };
    *h = (struct block_header){ .bpc = bpc, .lb = { 1, 1, 1 } };
    if (scan(p, false) != EXEC_OK) return EXEC_TRAP;
    p->next = next;
    return EXEC_OK;
}

enum exec_status block_header(struct pe *pe, uint64_t bpc, struct block_header *h)
{
    struct parse p;
    return parse_header(&p, pe, bpc, h);
}

static bool is_body(unsigned form)
{
    return form == LINX_BSTART_VPAR || form == LINX_BSTART_VSEQ || form == LINX_BSTART_MPAR || form == LINX_BSTART_MSEQ ||
           form == LINX_C_BSTART_VPAR || form == LINX_C_BSTART_VSEQ || form == LINX_C_BSTART_MPAR || form == LINX_C_BSTART_MSEQ;
}

static enum block_class class_of(unsigned form)
{
    switch (form) {
    case LINX_BSTART_TMA: case LINX_BSTART_TLOAD: case LINX_BSTART_TSTORE: case LINX_BSTART_TMOV: return BC_TMA;
    case LINX_BSTART_TEPL: return BC_TEPL;
    default: return is_body(form) ? BC_BODY : BC_CUBE;
    }
}

static void set_barg(struct pe *pe, const struct block_header *h)
{
    pe->bpcn = h->end;
    pe->x->data_regdst = 0;
    for (unsigned i = 0; i < h->num_ro; i++) pe->x->data_regdst |= (uint64_t)h->ro_reg[i] << (5 * i);
}

// The block at bpc is not a scalar one. EXEC_BLOCK_DONE: complete. EXEC_OK: a body runs (pe->data_active).
enum exec_status block_data(struct pe *pe, uint64_t bpc)
{
    struct block_header h;
    struct parse p;
    uint64_t word;
    unsigned bytes;
    enum linx_form f;
    pe->bpc = pe->tpc = bpc;
    pe->in_body = false;
    pe->block_type = LINX_BT_DATA;
    pe->br_type = 0;
    pe->taken = pe->aq = pe->rl = false;
    if (fetch_insn(pe, bpc, &word, &bytes, &f) != EXEC_OK) return EXEC_TRAP;
    enum block_class class = class_of(f);
    if (pe_ring(pe) == LINX_ACR_TASK) {     // target 2.5
        unsigned bit = class == BC_CUBE ? LINX_ECONFIG_C_BIT : LINX_ECONFIG_V_BIT;
        if (pe->bank[1].econfig >> bit & 1) return pe_trap(pe, LINX_E_INST, LINX_EC_PERM, class == BC_CUBE);
    }
    if (parse_header(&p, pe, bpc, &h) != EXEC_OK) return EXEC_TRAP;
    pe->x->data_next = p.next;
    enum exec_status st = EXEC_BLOCK_DONE;
    if (!p.absent) {
        set_barg(pe, &h);
        st = class == BC_BODY ? engine_start(pe, &h) : engine_tile_block(pe, &h);
        if (st == EXEC_TRAP) return st;
        if (class != BC_BODY) st = EXEC_BLOCK_DONE;
    }
    pe->insns += p.insns;
    pe->m->stats[pe->lxlcid].blocks[class]++;
    if (st == EXEC_BLOCK_DONE) {
        pe->bpc = pe->tpc = p.next;
        pe->bpcn = 0;
    } else {
        pe->in_body = pe->data_active = true;
        pe->x->data_atomic = h.atom;
    }
    return st;
}

enum exec_status block_resume(struct pe *pe, unsigned group)
{
    struct block_header h;
    struct parse p;
    uint64_t etpc = pe->tpc;
    pe->x->resume_fault = false;
    if (parse_header(&p, pe, pe->bpc, &h) != EXEC_OK) return EXEC_TRAP;
    if (p.absent || !is_body(h.form)) return pe_trap(pe, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0);
    enum exec_status st = engine_resume(pe, &h, group);
    if (st == EXEC_TRAP) return st;
    pe->tpc = etpc;
    set_barg(pe, &h);
    pe->x->data_next = p.next;
    pe->x->data_atomic = h.atom;
    pe->data_active = pe->in_body = true;
    if (st == EXEC_BLOCK_DONE) {
        pe->data_active = pe->in_body = false;
        pe->bpc = pe->tpc = p.next;
    }
    return EXEC_OK;
}
