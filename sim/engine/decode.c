// SPDX-License-Identifier: BSD-2-Clause
// Decodes one instruction of a data body into struct insn. Every rule that does not depend on the running block is
// checked here (docs/target.md 2.3, 3); what is not legal decodes to body_illegal with the reason.
#include "body.h"
#include "fp/fp.h"

static int64_t field(const struct insn *d, enum linx_field_name name, bool *has)
{
    int i = linx_find_field(d->form, name);
    if (has)
        *has = i >= 0;
    return i < 0 ? 0 : linx_field_get(&linx_forms[d->form].field[i], d->word);
}

static void illegal(struct insn *d, const char *why)
{
    if (d->body != body_illegal) {
        d->body = body_illegal;
        d->why = why;
    }
}

// ---- operands of 64-bit forms: id 6:0, type 9:7 (docs/target.md 2.3) --------------------------------------------
static struct operand wide_src(struct insn *d, unsigned v)
{
    unsigned id = v & 127, type = v >> 7;
    struct operand o = {.type = type};
    if (id >= 96)                       // `.reuse` forms: same register
        id -= 96;
    if (id < 32 && (id & 7) < 4) {
        o.kind = OP_VEC;
        o.n = id >> 3;
        o.k = (id & 7) + 1;
        if (o.n >= VM)
            d->uses_mn = true;
        if ((type & 3) == 0)
            illegal(d, "64-bit type on a vector register: lanes are 32 bits");
        return o;
    }
    id = v & 127;
    if (id >= 32 && id < 32 + NUM_RI) {
        o.kind = OP_RI;
        o.n = id - 32;
    } else if (id >= 56 && id < 64) {
        o.kind = id < 60 ? OP_T : OP_U;
        o.k = (id & 3) + 1;
    } else if (id >= 64 && id <= 73 && (id & 3) < 2) {
        o.kind = id & 1 ? OP_LB : OP_LC;
        o.n = (id - 64) >> 2;
    } else if (id >= 80 && id < 92) {
        o.kind = OP_TILE;
        o.n = id - 80;
    } else if (id == 92) {
        o.kind = OP_P;
    } else if (id == 95) {
        o.kind = OP_ZERO;
    } else {
        illegal(d, "reserved source register");
    }
    return o;
}

static struct dest wide_dst(struct insn *d, unsigned v)
{
    unsigned id = v & 127;
    struct dest o = {.width = v >> 7 & 3};
    if (v >> 9)
        illegal(d, "reserved destination width");
    if (id < 4) {
        o.kind = DST_VEC;
        o.n = id;
        if (id >= VM)
            d->uses_mn = true;
        if (o.width == 0)
            illegal(d, "64-bit vector destination: lanes are 32 bits");
    } else if (id >= 32 && id < 32 + NUM_RO) {
        o.kind = DST_RO;
        o.n = id - 32;
    } else if (id == 62) {
        o.kind = DST_U;
    } else if (id == 63) {
        o.kind = DST_T;
    } else if (id == 92) {
        o.kind = DST_P;
    } else {
        illegal(d, "reserved destination register");
    }
    return o;
}

// ---- operands of 32-bit forms: t, u and zero only (docs/target.md 2.3) ------------------------------------------
static struct operand short_src(struct insn *d, unsigned v)
{
    struct operand o = {.kind = OP_ZERO, .type = T_SD};
    if (v >= 24) {
        o.kind = v < 28 ? OP_T : OP_U;
        o.k = (v & 3) + 1;
    } else if (v != 0) {
        illegal(d, "R1..R23 in a data body");
    }
    return o;
}
static struct dest short_dst(struct insn *d, unsigned v)
{
    struct dest o = {.kind = v == 31 ? DST_T : v == 30 ? DST_U : DST_NONE};
    if (v >= 1 && v < 24)
        illegal(d, "R1..R23 in a data body");
    return o;
}

static bool is_vec(const struct operand *o) { return o->kind == OP_VEC; }

// FP element type of a source: .fd .fs .fh, .bf (6). .fb (3) and e5m2 (7) are not implemented.
static unsigned fp_type(struct insn *d, struct operand *o)
{
    static const uint8_t raw[4] = {T_UD, T_UW, T_UH, T_UB};
    unsigned t = o->type;
    enum fp_format f = FP_F32;
    if (t == 6)
        f = FP_BF16;
    else if (t > 3 || !fp_format_of_srctype(t, &f))
        illegal(d, "8-bit float element type is not implemented");
    o->type = t == 6 ? T_UH : raw[t & 3];
    return f;
}

// DataType code of a conversion (manual, datatype): float or integer of 8..64 bits.
static void convert_types(struct insn *d)
{
    unsigned st = field(d, LINX_F_SrcType, NULL), dt = field(d, LINX_F_DstType, NULL);
    bool float_src = d->form == LINX_V_FCVT || d->form == LINX_V_FCVTI;
    bool float_dst = d->form == LINX_V_FCVT || d->form == LINX_V_ICVTF;
    d->ft = st;
    d->ft2 = dt;
    // The type numbers are those of the operands (digest 3.6): 0 .fd 1 .fs 2 .fh 6 .bf, or 0..7 .ud .. .sb.
    for (int i = 0; i < 2; i++) {
        unsigned t = i ? dt : st;
        bool is_float = i ? float_dst : float_src;
        unsigned f = 0;
        if (is_float) {
            enum fp_format ff;
            if (t == 6)
                f = FP_BF16;
            else if (t <= 3 && fp_format_of_srctype(t, &ff))
                f = ff;
            else
                illegal(d, "conversion type is not implemented");
        } else if (t > 7) {
            illegal(d, "reserved conversion type");
        } else {
            f = t;
        }
        if (i)
            d->ft2 = f;
        else
            d->ft = f;
    }
    // The source is read with its conversion type; the low bits of the register hold it.
    unsigned bits = float_src ? fp_bits(d->ft) : type_bits(d->ft);
    if (is_vec(&d->a) && bits == 64)
        illegal(d, "64-bit type on a vector register: lanes are 32 bits");
    unsigned dbits = float_dst ? fp_bits(d->ft2) : type_bits(d->ft2);
    if (d->dst.kind == DST_VEC && dbits == 64)
        illegal(d, "64-bit vector destination: lanes are 32 bits");
    static const uint8_t raw[4] = {T_UD, T_UW, T_UH, T_UB};
    d->a.type = float_src ? raw[bits == 64 ? 0 : bits == 32 ? 1 : 2] : d->ft;
}

static void decode_wide(struct insn *d)
{
    const struct linx_form_desc *f = &linx_forms[d->form];
    bool fp = d->body == body_fp || d->body == body_freduce;
    bool has_l = false, has_r = false, has_dst = false, has_imm = false, has_shamt = false, has_c3 = false;
    unsigned l = field(d, LINX_F_SrcL, &has_l), r = field(d, LINX_F_SrcR, &has_r), dst = field(d, LINX_F_RegDst, &has_dst);
    unsigned c3 = 0;
    static const enum linx_field_name third[] = {LINX_F_SrcD, LINX_F_SrcP, LINX_F_SrcA, LINX_F_SrcZero};
    for (unsigned i = 0; i < 4 && !has_c3; i++)
        c3 = field(d, third[i], &has_c3);
    if (has_l)
        d->a = wide_src(d, l);
    if (has_r)
        d->b = wide_src(d, r);
    if (has_c3)
        d->c = wide_src(d, c3);
    if (has_dst)
        d->dst = wide_dst(d, dst);
    for (unsigned i = 0; i < f->nfields; i++) {
        const struct linx_field *x = &f->field[i];
        if (x->name == LINX_F_simm12 || x->name == LINX_F_uimm12 || x->name == LINX_F_simm24 || x->name == LINX_F_imm) {
            d->imm = linx_field_value(x, d->word);
            has_imm = true;
        }
    }
    d->shamt = field(d, LINX_F_shamt, &has_shamt);
    unsigned rtype = field(d, LINX_F_SrcRType, NULL);
    if (rtype == 1 || rtype == 2)
        illegal(d, "reserved SrcRType of a 64-bit form");
    d->rtype = rtype == 3;
    d->m = field(d, LINX_F_imms, NULL);
    d->n = field(d, LINX_F_imml, NULL) + 1;
    d->local = field(d, LINX_F_L, NULL);
    d->cont = field(d, LINX_F_C, NULL);

    if (d->alu && !has_r && has_imm)                    // second operand is the immediate
        d->b = (struct operand){.kind = OP_IMM};
    if (d->alu && !has_r && !has_imm && has_shamt)      // shift by an immediate
        d->b = (struct operand){.kind = OP_IMM}, d->imm = d->shamt, d->shamt = 0;
    if (d->form == LINX_V_REV) {
        unsigned m = field(d, LINX_F_immr, NULL) + 1, n = field(d, LINX_F_imml, NULL);
        if (m < 2 || m & (m - 1) || n == 0 || n & (n - 1) || n > 32 || m <= n)
            illegal(d, "V.REV: M must be 2..64, N 1..32, powers of two, N < M");
        d->m = m;
        d->n = n;
    }
    if (fp) {
        unsigned t = d->a.type;
        if ((has_r && d->b.type != t) || (has_c3 && d->c.type != t))
            illegal(d, "FP sources of different types");
        d->ft = fp_type(d, &d->a);
        if (has_r)
            fp_type(d, &d->b);
        if (has_c3)
            fp_type(d, &d->c);
    }

    d->vform = is_vec(&d->a) || is_vec(&d->b) || is_vec(&d->c) || d->dst.kind == DST_VEC;
    if (d->body == body_fcvt || d->body == body_fcvti || d->body == body_icvtf || d->alu == &alu_icvt)
        convert_types(d);
    bool reduce = d->body == body_reduce || d->body == body_freduce;
    if (reduce) {
        d->vform = true;
        if (d->dst.kind == DST_VEC || d->dst.kind == DST_P)
            illegal(d, "a reduction writes t, u or ro");
    } else if (d->vform) {
        bool compare = (d->alu && d->alu->flags & ALU_COMPARE) || (d->body == body_fp && d->op >= FP_EQ && d->op <= FP_GES);
        if (d->dst.kind == DST_T || d->dst.kind == DST_U || d->dst.kind == DST_RO)
            illegal(d, "a v-form writes vectors (and P when it compares)");
        if (d->dst.kind == DST_P && !compare)
            illegal(d, "only a comparison writes P lane by lane");
    }

    if (d->body == body_load || d->body == body_store) {
        if (d->body == body_store) {
            // Register form: data SrcD, base SrcL, offset SrcR; immediate form: data SrcL, base SrcR.
            if (has_c3) {
                struct operand data = d->c;
                d->c = d->b, d->b = d->a, d->a = data;
                bool u = f->id[strlen(f->id) - 1] == 'U' && f->id[strlen(f->id) - 2] == '_';
                d->shamt += u ? 0 : d->size_log2;
            } else {
                d->c = (struct operand){.kind = OP_IMM};
            }
            d->vform |= d->cont;
        } else {
            d->c = has_r ? d->b : (struct operand){.kind = OP_IMM};
            d->b = d->a;
            d->a = (struct operand){0};
        }
        // From here: a data, b base, c offset.
        if (d->cont && (is_vec(&d->b) || is_vec(&d->c)))
            illegal(d, "continuous access with a vector base or offset");
        if (d->vform && d->size_log2 == 3)
            illegal(d, "8-byte access in a v-form: lanes are 32 bits");
        if (d->local && is_vec(&d->b))
            illegal(d, ".local with a vector base");
        if (!d->local && d->b.kind == OP_TILE)
            illegal(d, "memory access through a tile formal: .local is missing");
    }
    if (d->body == body_amo && d->vform && d->size_log2 == 3)
        illegal(d, "8-byte atomic in a v-form: lanes are 32 bits");
}

static void decode_short(struct insn *d, const struct body_row *row)
{
    const struct linx_form_desc *f = &linx_forms[d->form];
    bool has_r = false, has_d = false, has_imm = false, has_shamt = false, has_type = false, has_dst = false, has_p = false;
    unsigned l = field(d, LINX_F_SrcL, NULL), r = field(d, LINX_F_SrcR, &has_r), dr = field(d, LINX_F_SrcD, &has_d);
    unsigned p = field(d, LINX_F_SrcP, &has_p), dst = field(d, LINX_F_RegDst, &has_dst);
    d->a = short_src(d, l);
    if (has_r)
        d->b = short_src(d, r);
    if (has_d || has_p)
        d->c = short_src(d, has_d ? dr : p);
    if (has_dst)
        d->dst = short_dst(d, dst);
    for (unsigned i = 0; i < f->nfields; i++) {
        const struct linx_field *x = &f->field[i];
        switch (x->name) {
        case LINX_F_simm12: case LINX_F_uimm12: case LINX_F_simm17: case LINX_F_simm22: case LINX_F_simm: case LINX_F_imm20:
            d->imm = linx_field_value(x, d->word);
            has_imm = true;
            break;
        }
    }
    d->shamt = field(d, LINX_F_shamt, &has_shamt);
    unsigned type = field(d, LINX_F_SrcRType, &has_type);
    if (has_type) {                         // 0 .sw, 1 .uw, 2 .neg/.not, 3 none (docs/target.md 2.1)
        d->b.type = type == 0 ? T_SW : type == 1 ? T_UW : T_SD;
        d->rtype = type == 2;
    }
    if (d->form == LINX_CSEL)
        d->rtype = type == 2;
    d->m = field(d, LINX_F_imms, NULL);
    d->n = field(d, LINX_F_imml, NULL) + 1;
    if (d->form == LINX_REV) {
        unsigned m = field(d, LINX_F_immr, NULL) + 1, n = field(d, LINX_F_imml, NULL);
        if (d->form == LINX_REV && (m < 2 || m & (m - 1) || n == 0 || n & (n - 1) || n > 32 || m <= n))
            illegal(d, "REV: M must be 2..64, N 1..32, powers of two, N < M");
        d->m = m;
        d->n = n;
    }
    if (d->alu && !has_r && has_imm)
        d->b = (struct operand){.kind = OP_IMM};
    if (d->alu && !has_r && !has_imm && has_shamt)
        d->b = (struct operand){.kind = OP_IMM}, d->imm = d->shamt, d->shamt = 0;
    if (d->form == LINX_LUI)
        d->a.kind = OP_ZERO, d->imm = (int64_t)((uint64_t)d->imm << 12);
    if (d->alu && row->op & SCALAR_UNSIGNED) {
        d->a.type = T_UD;
        if (!has_type && has_r)
            d->b.type = T_UD;
    }
    if (d->alu && row->op & SCALAR_W) {               // 32-bit operands
        d->a.type = row->op & SCALAR_UNSIGNED ? T_UW : T_SW;
        if (!has_type && has_r)
            d->b.type = d->a.type;
    }
    if (d->body == body_load || d->body == body_store) {
        bool pcr = linx_find_field(d->form, LINX_F_simm17) >= 0 || linx_find_field(d->form, LINX_F_simm) >= 0;
        if (d->body == body_store) {
            if (pcr) {                      // data SrcL, address TPC + simm
                d->b = (struct operand){.kind = OP_ZERO};
            } else if (has_d) {             // data SrcD, base SrcL, offset SrcR << scale
                struct operand data = d->c;
                d->c = d->b, d->b = d->a, d->a = data;
                bool u = f->id[strlen(f->id) - 1] == 'U' && f->id[strlen(f->id) - 2] == '_';
                d->shamt = u ? 0 : d->size_log2;
            } else {                        // data SrcL, base SrcR
                d->c = (struct operand){.kind = OP_IMM};
            }
            if (pcr)
                d->c = (struct operand){.kind = OP_IMM};
        } else {
            d->c = has_r ? d->b : (struct operand){.kind = OP_IMM};
            d->b = pcr ? (struct operand){.kind = OP_ZERO} : d->a;
            d->a = (struct operand){0};
        }
        if (pcr)
            d->imm += (int64_t)d->addr;
    }
}

void body_decode(struct insn *d, uint64_t addr, uint64_t word, unsigned len)
{
    unsigned form = linx_decode(word, len);
    *d = (struct insn){.addr = addr, .word = word, .form = form, .len = len, .body = NULL};
    if (form == LINX_NFORMS) {
        d->form = LINX_NFORMS - 1;          // counts nowhere else; body_illegal never completes
        illegal(d, "no such instruction");
        return;
    }
    const struct linx_form_desc *f = &linx_forms[form];
    if (f->where & (LINX_WHERE_START | LINX_WHERE_STOP)) {
        d->body = body_end;                 // BSTOP, C.BSTOP or any block start ends the group (target.md, A-14)
        return;
    }
    const struct body_row *row = &body_rows[form];
    if (!(f->where & (LINX_WHERE_VEC | LINX_WHERE_MEM)) || !row->body) {
        illegal(d, "not an instruction of data bodies");
        return;
    }
    d->body = row->body;
    d->alu = row->alu;
    d->size_log2 = row->size_log2;
    d->sign = row->sign;
    d->op = row->op;
    if (row->body == body_illegal) {
        d->why = f->mnemonic[strlen(f->mnemonic) - 1] == 'G' ? ".BRG is not implemented (its table is not in the saved state)"
                                                              : "GQM queues are not implemented (LCFR.G = 0)";
        return;
    }
    if (len == 8)
        decode_wide(d);
    else
        decode_short(d, row);
}
