// SPDX-License-Identifier: BSD-2-Clause
// Turns code into runs of decoded instructions and keeps them per RAM page.
#include <stdlib.h>

#include "core.h"
#include "handlers.h"
#include "ops.h"

const void *const *fast_labels;

static struct code_page *dead_pages;     // dropped while a loop may still be inside: freed by code_reap
static struct run *dead_runs;

static uint8_t dst(int64_t reg)          // reg5 as destination (digest 1.1)
{
    return reg == 0 || (reg >= 24 && reg <= 29) ? 32 : (uint8_t)reg;
}

// Fills registers and immediate from the fields of the form. Where a form has more operands than places:
// SrcRType/SrcType in imm 7:0, shamt in c (or imm 15:8 when c is taken), DstType in imm 23:16, imms in imm 7:0,
// imml or immr in imm 15:8, the second destination in c (in imm when c is SrcD).
static void fill_operands(struct op *o, int form, uint64_t word)
{
    const struct linx_form_desc *f = &linx_forms[form];
    int64_t shamt = -1, dst1 = -1;
    bool c_used = false;
    o->d = o->a = o->b = o->c = 0;
    o->imm = 0;
    for (unsigned i = 0; i < f->nfields; i++) {
        int64_t v = linx_field_value(&f->field[i], word);
        switch (f->field[i].name) {
        case LINX_F_RegDst: case LINX_F_RegDst0: o->d = dst(v); break;
        case LINX_F_RegDst1: dst1 = dst(v); break;
        case LINX_F_SrcL: case LINX_F_RegSrc0: case LINX_F_SrcBegin: case LINX_F_DstBegin: o->a = (uint8_t)v; break;
        case LINX_F_SrcR: case LINX_F_RegSrc1: case LINX_F_SrcEnd: case LINX_F_DstEnd: o->b = (uint8_t)v; break;
        case LINX_F_SrcD: case LINX_F_SrcP: case LINX_F_SrcA: case LINX_F_RegSrc2: o->c = (uint8_t)v; c_used = true; break;
        case LINX_F_SrcD1: o->d = (uint8_t)v; break;
        case LINX_F_SrcRType: case LINX_F_SrcType: case LINX_F_imms: o->imm |= v; break;
        case LINX_F_imml: o->imm |= form == LINX_REV ? v : v << 8; break;
        case LINX_F_immr: o->imm |= v << 8; break;
        case LINX_F_atom: o->imm |= v << CATR_ATOM; break;
        case LINX_F_aq: if (form == LINX_B_CATR) o->imm |= v << CATR_AQ; break;
        case LINX_F_rl: if (form == LINX_B_CATR) o->imm |= v << CATR_RL; break;
        case LINX_F_DstType: o->imm |= v << 16; break;
        case LINX_F_shamt: shamt = v; break;
        case LINX_F_uimm: case LINX_F_uimm5: case LINX_F_uimm12: case LINX_F_uimm19: case LINX_F_uimm24: case LINX_F_uimm32:
        case LINX_F_simm: case LINX_F_simm5: case LINX_F_simm12: case LINX_F_simm17: case LINX_F_simm22: case LINX_F_simm24:
        case LINX_F_simm25: case LINX_F_simm32: case LINX_F_imm: case LINX_F_imm4: case LINX_F_imm5: case LINX_F_imm20:
        case LINX_F_imm32: case LINX_F_SSR_ID: case LINX_F_SSRID: case LINX_F_LSR_ID: case LINX_F_RST_Type:
        case LINX_F_RRA_Type: case LINX_F_BrType:
            o->imm = v; break;
        default: break;
        }
    }
    if (dst1 >= 0) {
        if (c_used) o->imm = dst1; else o->c = (uint8_t)dst1;
        if (shamt >= 0) o->imm |= shamt << 8;
    } else if (shamt >= 0) {
        if (f->effect & LINX_EFFECT_SETC) o->imm = (int64_t)((uint64_t)o->imm << shamt);
        else o->c = (uint8_t)shamt;
    }
}

// Block starts: block type in d, transfer type in a, displacement of target or fixup label in imm.
static bool fill_start(struct op *o, int form)
{
    static const struct { uint16_t form; uint8_t type, br; } plain[] = {
        { LINX_BSTART_STD_FALL, LINX_BT_STD, 1 }, { LINX_BSTART_STD_DIRECT, LINX_BT_STD, 2 },
        { LINX_BSTART_STD_COND, LINX_BT_STD, 3 }, { LINX_BSTART_STD_CALL, LINX_BT_STD, 4 },
        { LINX_BSTART_STD_IND, LINX_BT_STD, 5 }, { LINX_BSTART_STD_ICALL, LINX_BT_STD, 6 },
        { LINX_BSTART_STD_RET, LINX_BT_STD, 7 }, { LINX_BSTART_FP_FALL, LINX_BT_FP, 1 },
        { LINX_BSTART_FP_DIRECT, LINX_BT_FP, 2 }, { LINX_BSTART_FP_COND, LINX_BT_FP, 3 },
        { LINX_BSTART_FP_CALL, LINX_BT_FP, 4 }, { LINX_BSTART_FP_IND, LINX_BT_FP, 5 },
        { LINX_BSTART_FP_ICALL, LINX_BT_FP, 6 }, { LINX_BSTART_FP_RET, LINX_BT_FP, 7 },
        { LINX_BSTART_SYS_FALL, LINX_BT_SYS, 1 }, { LINX_BSTART_DIRECT, LINX_BT_STD, 2 },
        { LINX_BSTART_COND, LINX_BT_STD, 3 }, { LINX_C_BSTART_DIRECT, LINX_BT_STD, 2 },
        { LINX_C_BSTART_COND, LINX_BT_STD, 3 }, { LINX_C_BSTART_SYS, LINX_BT_SYS, 1 },
        { LINX_HL_BSTART_STD_FALL, LINX_BT_STD, 1 }, { LINX_HL_BSTART_STD_DIRECT, LINX_BT_STD, 2 },
        { LINX_HL_BSTART_STD_COND, LINX_BT_STD, 3 }, { LINX_HL_BSTART_STD_CALL, LINX_BT_STD, 4 },
        { LINX_HL_BSTART_FP_FALL, LINX_BT_FP, 1 }, { LINX_HL_BSTART_FP_DIRECT, LINX_BT_FP, 2 },
        { LINX_HL_BSTART_FP_COND, LINX_BT_FP, 3 }, { LINX_HL_BSTART_FP_CALL, LINX_BT_FP, 4 },
        { LINX_HL_BSTART_SYS_FALL, LINX_BT_SYS, 1 },
    };
    // BrType 1..7 to BARG.TYPE: FALL 0, DIRECT/CALL 1, COND 2, IND/ICALL/RET 3
    static const uint8_t type_of[8] = { 0, 0, 1, 2, 1, 3, 3, 3 };
    unsigned br;
    if (form == LINX_C_BSTART_STD || form == LINX_C_BSTART_FP) {
        br = (unsigned)o->imm;
        o->d = form == LINX_C_BSTART_FP ? LINX_BT_FP : LINX_BT_STD;
        // The short forms have no displacement: only fall-through and the indirect kinds make sense.
        if (br != 1 && br < 5) return false;
        o->imm = 0;
    } else {
        unsigned i = 0;
        while (i < sizeof plain / sizeof *plain && plain[i].form != form) i++;
        if (i == sizeof plain / sizeof *plain) return false;
        o->d = plain[i].type;
        br = plain[i].br;
        if (br >= 5) o->imm = 0;
    }
    o->a = type_of[br];
    o->h = HANDLER(H_START_FALL + o->a);
    return true;
}

static bool is_template(int form)
{
    return form == LINX_FENTRY || form == LINX_FEXIT || form == LINX_FRET_RA || form == LINX_FRET_STK ||
           form == LINX_MCOPY || form == LINX_MSET;
}

static bool is_stop(int form) { return form == LINX_BSTOP || form == LINX_C_BSTOP; }
static bool is_ebreak(int form) { return form == LINX_EBREAK || form == LINX_C_EBREAK; }

bool form_ends_block(int form)
{
    return form < LINX_NFORMS && (linx_forms[form].where & (LINX_WHERE_START | LINX_WHERE_STOP)) && form != LINX_XB;
}

static bool ends_own_block(int form)     // ACRC, ACRE, BSE.. end the block they stand in
{
    return form == LINX_ACRC || form == LINX_ACRE || form == LINX_BSE || form == LINX_BWE || form == LINX_BWI || form == LINX_BWT;
}

static void set(struct op *o, unsigned h)
{
    o->h = (uint16_t)h;
    o->fast = fast_labels[h];
}

// A block-body instruction: picks the handler variant from destination and operand modifier.
static void fill_body(struct op *o, int form, uint64_t word)
{
    const struct linx_form_desc *f = &linx_forms[form];
    fill_operands(o, form, word);
    unsigned variant = 0;
    if (handler_has_dst(form)) {
        if (linx_find_field(form, LINX_F_RegDst) < 0) o->d = 31;    // the 16-bit forms push T
        variant = o->d == 31 ? 1 : o->d == 30 ? 2 : 0;
    }
    if (handler_has_mod(form) && (o->imm & 3) != MOD_NONE) variant += 3;
    if (!(f->where & (LINX_WHERE_STD | LINX_WHERE_SYS | LINX_WHERE_FP)) || !handler_exists(form)) set(o, HANDLER(H_ILLEGAL));
    else set(o, HANDLER(form) + variant);
}

// A run being decoded into ops[].
struct decoder { struct pe *pe; uint64_t base; struct op *ops; unsigned n, counted; int start; bool atom, header, starts; };

static void put_end(struct decoder *d, unsigned off, unsigned following, bool counted)
{
    struct op *o = &d->ops[d->n++];
    memset(o, 0, sizeof *o);
    o->off = (uint16_t)off;
    o->imm = following;
    unsigned kind = d->start < 0 || d->atom ? 4 : (unsigned)d->start;
    set(o, HANDLER((counted ? H_STOP_FALL : H_END_FALL) + kind));
    d->counted += counted;
}

static void put_page_end(struct decoder *d, unsigned off)
{
    struct op *o = &d->ops[d->n++];
    memset(o, 0, sizeof *o);
    o->off = (uint16_t)off;
    o->imm = off;
    set(o, HANDLER(H_CONTINUE));
}

// One instruction at page offset `off`; false when the run is complete after it.
static bool put_insn(struct decoder *d, uint64_t word, unsigned bytes, unsigned off)
{
    struct op *o = &d->ops[d->n];
    memset(o, 0, sizeof *o);
    o->off = (uint16_t)off;
    int form = linx_decode(word, bytes);
    bool first = d->n == 0;
    if (form < LINX_NFORMS && (linx_forms[form].where & LINX_WHERE_PSEUDO)) form = LINX_NFORMS;
    if (!first && form_ends_block(form)) {
        put_end(d, off, is_stop(form) ? off + bytes : off, is_stop(form));
        return false;
    }
    d->n++;
    d->counted++;
    if (form == LINX_NFORMS || form == LINX_XB) { set(o, HANDLER(H_ILLEGAL)); return false; }
    if (first && is_stop(form)) {       // continues a block (or is illegal as a block: the outer loop knows)
        d->n--;
        d->counted--;
        put_end(d, off, off + bytes, true);
        return false;
    }
    unsigned where = linx_forms[form].where;
    // A breakpoint may replace a block start (digest 1.5).
    d->starts |= first && (where & LINX_WHERE_START || is_ebreak(form));
    if (where & LINX_WHERE_START) {
        if (is_template(form)) {
            fill_operands(o, form, word);
            o->d = (uint8_t)bytes;
            set(o, HANDLER(form));
            return false;
        }
        fill_operands(o, form, word);
        if (fill_start(o, form)) {
            d->start = o->a;
            d->header = true;
            o->fast = fast_labels[o->h];
            return true;
        }
        // Data blocks, and C.BSTART.STD/FP with a transfer type that has no displacement to go to
        set(o, HANDLER(form == LINX_C_BSTART_STD || form == LINX_C_BSTART_FP ? H_ILLEGAL : H_DATA_BLOCK));
        return false;
    }
    if (where & LINX_WHERE_HEADER && !is_ebreak(form)) {
        fill_operands(o, form, word);
        o->a = d->header;
        if (form == LINX_B_CATR) d->atom |= o->imm >> CATR_ATOM & 1;
        set(o, HANDLER(form == LINX_B_CATR ? H_CATR
                       : form == LINX_B_HINT || form == LINX_B_HINT_TRACE || form == LINX_B_IOR ? H_HEADER_NOP
                       : H_HEADER_BAD));
        return true;
    }
    d->header = false;
    fill_body(o, form, word);
    if (o->h == HANDLER(H_ILLEGAL)) return false;
    return !ends_own_block(form);
}

static struct run *finish(struct decoder *d, struct code_page *page)
{
    struct run *r = malloc(sizeof *r + d->n * sizeof(struct op));
    if (!r) abort();
    r->n = d->counted;
    r->nops = d->n;
    r->page = page;
    r->starts = d->starts;
    memcpy(r->ops, d->ops, d->n * sizeof(struct op));
    return r;
}

// Code that is not cached: the one instruction at va straddles two pages.
static struct run *decode_straddling(struct pe *pe, uint64_t va, unsigned bytes)
{
    uint64_t word;
    if (pe_fetch(pe, va, bytes, &word) != EXEC_OK) return NULL;
    struct op ops[4];
    struct decoder d = { pe, va & PAGE_MASK, ops, 0, 0, -1, false, false, false };
    unsigned off = va & (PAGE_SIZE - 1);
    if (put_insn(&d, word, bytes, off)) put_page_end(&d, off + bytes);
    struct run *r = finish(&d, NULL);
    r->next = dead_runs;         // lives until the next reap
    dead_runs = r;
    return r;
}

static struct run *decode_run(struct pe *pe, uint64_t va, uint64_t pa)
{
    struct machine *m = pe->m;
    uint64_t ppn = (pa - m->cfg.ram_base) >> PAGE_BITS;
    struct code_page *page = m->code[ppn];
    unsigned start = pa & (PAGE_SIZE - 1), off = start;
    if (page && page->at[start / 2]) return page->at[start / 2];

    const uint8_t *host = m->ram + (ppn << PAGE_BITS);
    struct op ops[MAX_RUN + 2];
    struct decoder d = { pe, va & PAGE_MASK, ops, 0, 0, -1, false, false, false };
    for (bool more = true; more;) {
        if (off >= PAGE_SIZE || d.n >= MAX_RUN) { put_page_end(&d, off); break; }
        uint16_t half;
        memcpy(&half, host + off, 2);
        unsigned bytes = linx_insn_bytes(half);
        if (off + bytes > PAGE_SIZE) {
            if (d.n == 0) return decode_straddling(pe, va, bytes);
            put_page_end(&d, off);
            break;
        }
        uint64_t word = 0;
        memcpy(&word, host + off, bytes);
        more = put_insn(&d, word, bytes, off);
        off += bytes;
    }
    if (!page) {
        page = calloc(1, sizeof *page);
        if (!page) abort();
        page->ppn = ppn;
        m->code[ppn] = page;
        m->page_flags[ppn] |= PAGE_HAS_CODE;
        mem_flush_writes(m);
    }
    for (unsigned line = start / 64; line <= (off - 1) / 64 && line < 64; line++) page->lines |= (uint64_t)1 << line;
    struct run *r = finish(&d, page);
    r->next = page->all;
    page->all = r;
    page->at[start / 2] = r;
    return r;
}

struct run *code_lookup(struct pe *pe, uint64_t va)
{
    if (va & 1) { (void)pe_trap(pe, LINX_E_INST, LINX_EC_MISALIGNED, va); return NULL; }
    uint64_t pa;
    if (mmu_translate(pe, va, ACC_FETCH, &pa) != EXEC_OK) return NULL;
    if (!machine_ram(pe->m, pa & PAGE_MASK, PAGE_SIZE)) { (void)pe_trap(pe, LINX_E_INST, LINX_EC_ACCESS, va); return NULL; }
    struct run *r = decode_run(pe, va, pa);
    if (r && r->page) pe->x->j[va >> 1 & (JC_SIZE - 1)] = (struct jc_entry){ va, r };
    return r;
}

static void forget_lookups(struct machine *m)
{
    for (unsigned i = 0; i < m->num_pes; i++) {
        struct core *x = m->pe[i]->x;
        for (unsigned k = 0; k < RINGS * JC_SIZE; k++) x->jc[k].pc = 1;
        m->pe[i]->leave = true;
    }
}

static void drop_page(struct machine *m, uint64_t ppn)
{
    struct code_page *page = m->code[ppn];
    if (!page) return;
    m->code[ppn] = NULL;
    m->page_flags[ppn] &= (uint8_t)~PAGE_HAS_CODE;
    page->ppn = (uint64_t)(uintptr_t)dead_pages;      // link of the list of dead pages
    dead_pages = page;
}

void code_wrote(struct machine *m, uint64_t ppn, unsigned from, unsigned to)
{
    struct code_page *page = m->code[ppn];
    if (!page || from >= to) return;
    unsigned a = from / 64, b = (to - 1) / 64;
    uint64_t mask = (b == 63 ? ~(uint64_t)0 : ((uint64_t)1 << (b + 1)) - 1) & ~(((uint64_t)1 << a) - 1);
    if (!(page->lines & mask)) return;
    drop_page(m, ppn);
    forget_lookups(m);
}

void code_flush(struct machine *m)
{
    for (uint64_t p = 0; p < m->cfg.ram_size >> PAGE_BITS; p++) drop_page(m, p);
    forget_lookups(m);
}

void code_reap(struct machine *m)
{
    (void)m;
    while (dead_pages) {
        struct code_page *page = dead_pages;
        dead_pages = (struct code_page *)(uintptr_t)page->ppn;
        for (struct run *r = page->all, *next; r; r = next) { next = r->next; free(r); }
        free(page);
    }
    for (struct run *r = dead_runs, *next; r; r = next) { next = r->next; free(r); }
    dead_runs = NULL;
}
