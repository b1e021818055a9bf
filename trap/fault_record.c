// SPDX-License-Identifier: BSD-2-Clause
// What a trap's registers and the code at BPC say about it: class, block, header operands, symbols. Nothing here can
// fault: all code is read with checked copies, and what it says is not believed further than the arrays reach.
#include "kernel/copy.h"
#include "kernel/symbols.h"
#include "kernel_forms.h"
#include "lib/string.h"
#include "trap/fault.h"

#define IS(word, form) (((word) & form##_MASK) == form##_MATCH)
#define HEADER_LIMIT 64             // instructions

extern const char __image_start[], __image_text_end[];      // linker.ld

unsigned fault_fetch(const struct task *t, uint64_t at, uint64_t *word) {
    const void *from = (const void *)(uintptr_t)at;
    if (t == NULL && (at < (uint64_t)(uintptr_t)__image_start || at > (uint64_t)(uintptr_t)__image_text_end - 8))
        return 0;                   // a panic must not trap
    unsigned bytes = 2;
    *word = 0;
    for (int i = 0; i < 2; i++) {   // the first halfword tells the length
        if (t != NULL ? !copy_from_task(t, word, from, bytes) : !copy_checked(word, from, bytes))
            return 0;
        bytes = (*word & 15) == 15 ? 8 : (*word & 1) != 0 ? 4 : (*word & 15) == 14 ? 6 : 2;
    }
    return bytes;
}

static const struct {
    uint32_t mask, match;
    uint8_t bytes, end;
} block_ends[] = {
#define ROW(mask, match, bytes, stop) { mask, match, bytes, stop ? BLOCK_STOP : BLOCK_START },
    LINX_BLOCK_ENDS(ROW)
#undef ROW
};

enum block_end fault_block_end(uint64_t word, unsigned bytes) {
    for (unsigned i = 0; i < sizeof block_ends / sizeof block_ends[0]; i++)
        if (bytes == block_ends[i].bytes && (word & block_ends[i].mask) == block_ends[i].match)
            return block_ends[i].end;
    return NO_BLOCK_END;
}

static uint64_t gpr(const struct context *c, uint64_t n) {
    return n == 0 || n > 23 ? 0 : n == 1 ? c->sp : ((const uint64_t *)c)[CTX_REG(n) / 8];
}

// ---- the block's first instruction --------------------------------------------------------------------------------------------
struct start {
    uint32_t mask, match;
    uint8_t kind, function;         // function of bodies: VS16; of templates: which
};
static const struct start starts[] = {
#define BODY(kind) { C_BSTART_##kind##_MASK, C_BSTART_##kind##_MATCH, LINX_BLOCK_##kind, 1 }, \
                   { BSTART_##kind##_MASK, BSTART_##kind##_MATCH, LINX_BLOCK_##kind, 0 },
    BODY(VPAR) BODY(VSEQ) BODY(MPAR) BODY(MSEQ)
#undef BODY
    { BSTART_TMA_MASK, BSTART_TMA_MATCH, LINX_BLOCK_TMA, 0 },
    { BSTART_CUBE_MASK, BSTART_CUBE_MATCH, LINX_BLOCK_CUBE, 0 },
    { BSTART_FIXP_MASK, BSTART_FIXP_MATCH, LINX_BLOCK_CUBE, 0 },
    { BSTART_TEPL_MASK, BSTART_TEPL_MATCH, LINX_BLOCK_TEPL, 0 },
    { FENTRY_MASK, FENTRY_MATCH, LINX_BLOCK_TEMPLATE, LINX_FENTRY },
    { FEXIT_MASK, FEXIT_MATCH, LINX_BLOCK_TEMPLATE, LINX_FEXIT },
    { FRET_RA_MASK, FRET_RA_MATCH, LINX_BLOCK_TEMPLATE, LINX_FRET_RA },
    { FRET_STK_MASK, FRET_STK_MATCH, LINX_BLOCK_TEMPLATE, LINX_FRET_STK },
    { MCOPY_MASK, MCOPY_MATCH, LINX_BLOCK_TEMPLATE, LINX_MCOPY },
    { MSET_MASK, MSET_MATCH, LINX_BLOCK_TEMPLATE, LINX_MSET },
};

// Sets kind, function and what else the word says.
static void decode_start(struct linx_fault *f, uint64_t word, unsigned bytes) {
    struct linx_fault_header *h = &f->header;
    const struct start *s = starts, *end = starts + sizeof starts / sizeof starts[0];
    while (s < end && (word & s->mask) != s->match)
        s++;
    if (s == end) {
        f->kind = f->block_type < LINX_BT_DATA && fault_block_end(word, bytes) == BLOCK_START ? f->block_type : LINX_BLOCK_NONE;
        return;
    }
    f->kind = s->kind;
    h->function = s->function;
    switch (f->kind) {
    case LINX_BLOCK_TMA:
    case LINX_BLOCK_CUBE:
        h->function = (uint16_t)BSTART_TMA_Function(word);
        h->data_type = (uint8_t)BSTART_TMA_DataType(word);
        break;
    case LINX_BLOCK_TEPL:
        h->function = (uint16_t)BSTART_TEPL_TileOpcode(word);
        h->data_type = (uint8_t)BSTART_TEPL_DataType(word);
        break;
    case LINX_BLOCK_TEMPLATE:
        h->inputs = 2;
        if (s->function >= LINX_MCOPY) {
            h->inputs = 3;
            h->input[0] = (uint8_t)MCOPY_RegSrc0(word);
            h->input[1] = (uint8_t)MCOPY_RegSrc1(word);
            h->input[2] = (uint8_t)MCOPY_RegSrc2(word);
        } else {
            h->input[0] = (uint8_t)FENTRY_SrcBegin(word);
            h->input[1] = (uint8_t)FENTRY_SrcEnd(word);
            h->dim[0] = (uint16_t)FENTRY_uimm(word);
        }
        h->flags |= LINX_HEADER_WHOLE;
        break;
    default:
        if (bytes == 4)
            h->function = (uint16_t)BSTART_VPAR_Mode(word);
    }
}

// ---- header instructions --------------------------------------------------------------------------------------------------------
static void add_source(struct linx_fault_header *h, bool shared, uint64_t tile, uint64_t reuse) {
    if (h->sources < 8)
        h->source[h->sources++] = (struct linx_tile_operand){ .shared = shared, .tile = (uint8_t)tile, .reuse = (uint8_t)reuse };
}
static void add_destination(struct linx_fault_header *h, bool shared, uint64_t tile, uint64_t size) {
    if (h->destinations < 4)
        h->destination[h->destinations++] = (struct linx_tile_operand){ .shared = shared, .tile = (uint8_t)tile, .size = (uint8_t)size };
}
static void add_input(struct linx_fault_header *h, uint64_t reg) {
    if (reg != 0 && h->inputs < 12)
        h->input[h->inputs++] = (uint8_t)reg;
}
static void set_dim(struct linx_fault_header *h, uint64_t level, uint64_t value) {
    if (level < 3) {
        h->dim[level] = (uint16_t)value;
        h->dims |= (uint8_t)(1 << level);
    }
}

// False: not a header instruction.
static bool decode_operand(struct linx_fault_header *h, const struct context *c, uint64_t at, uint64_t w) {
    if (IS(w, B_TEXT)) {
        h->body = at + (uint64_t)B_TEXT_simm25(w);
        h->flags |= LINX_HEADER_TEXT;
    } else if (IS(w, B_CATR)) {
        h->flags |= (uint16_t)(B_CATR_DR(w) * LINX_HEADER_DR | B_CATR_atom(w) * LINX_HEADER_ATOM | B_CATR_aq(w) * LINX_HEADER_AQ |
                               B_CATR_rl(w) * LINX_HEADER_RL);
    } else if (IS(w, B_DATR)) {
        h->flags |= LINX_HEADER_DATR;
        h->layout = (uint8_t)B_DATR_DataLayout(w);
        h->pad = (uint8_t)B_DATR_PadValue(w);
        h->datr_type = (uint8_t)B_DATR_DataType(w);
        h->cmode = (uint8_t)B_DATR_CMode(w);
        h->rmode = (uint8_t)B_DATR_RMode(w);
        h->sat = (uint8_t)B_DATR_Sat(w);
    } else if (IS(w, B_IOS)) {
        if (B_IOS_SizeCode(w) == 0)
            add_source(h, true, B_IOS_SharedTID(w), 1);
        else
            add_destination(h, true, B_IOS_SharedTID(w), B_IOS_SizeCode(w));
    } else if (IS(w, B_IOT_SRC2) || IS(w, B_IOT_SRC1) || IS(w, B_IOT_SRC0)) {
        if (!IS(w, B_IOT_SRC0))
            add_source(h, false, B_IOT_SRC2_SrcTile0(w), B_IOT_SRC2_S0R(w));
        if (IS(w, B_IOT_SRC2))
            add_source(h, false, B_IOT_SRC2_SrcTile1(w), B_IOT_SRC2_S1R(w));
        if (B_IOT_SRC0_DstTile(w) != 7)
            add_destination(h, false, B_IOT_SRC0_DstTile(w), B_IOT_SRC0_imm4(w));
    } else if (IS(w, B_IOR)) {
        add_input(h, B_IOR_RegSrc0(w));
        add_input(h, B_IOR_RegSrc1(w));
        add_input(h, B_IOR_RegSrc2(w));
        if (B_IOR_RegDst(w) != 0 && h->outputs < 4)
            h->output[h->outputs++] = (uint8_t)B_IOR_RegDst(w);
    } else if (IS(w, B_DIM_LB0) || IS(w, B_DIM_LB1) || IS(w, B_DIM_LB2)) {
        set_dim(h, IS(w, B_DIM_LB0) ? 0 : IS(w, B_DIM_LB1) ? 1 : 2, gpr(c, B_DIM_LB0_RegSrc(w)) + B_DIM_LB0_uimm17(w));
    } else if (IS(w, C_B_DIM)) {
        set_dim(h, C_B_DIM_LoopNest(w), gpr(c, C_B_DIM_RegSrc(w)));
    } else if (IS(w, C_B_DIMI)) {
        set_dim(h, C_B_DIMI_LoopNest(w), C_B_DIMI_imm8(w));
    } else {
        return IS(w, B_HINT) || IS(w, B_HINT_TRACE);
    }
    return true;
}

static void decode_header(struct linx_fault *f, const struct task *t, const struct context *c) {
    struct linx_fault_header *h = &f->header;
    uint64_t at = f->bpc, word;
    unsigned bytes = fault_fetch(t, at, &word);
    h->dim[0] = h->dim[1] = h->dim[2] = 1;
    f->kind = LINX_BLOCK_NONE;
    if (bytes == 0)
        return;
    decode_start(f, word, bytes);
    if (f->kind == LINX_BLOCK_NONE || f->kind == LINX_BLOCK_TEMPLATE)
        return;
    for (int n = 0; n < HEADER_LIMIT; n++) {
        at += bytes;
        bytes = fault_fetch(t, at, &word);
        if (bytes == 0)
            return;
        if (bytes > 4 || !decode_operand(h, c, at, word)) {
            if (f->kind <= LINX_BLOCK_FP || fault_block_end(word, bytes) != NO_BLOCK_END)
                h->flags |= LINX_HEADER_WHOLE;  // of a scalar block: anything else is its body
            return;
        }
    }
}

static void set_symbol(uint64_t at, char name[LINX_SYMBOL_BYTES], uint32_t *from) {
    uint64_t offset = 0;
    const char *symbol = symbol_at(at, &offset);
    *from = (uint32_t)offset;
    for (int i = 0; symbol != NULL && i < LINX_SYMBOL_BYTES - 1 && symbol[i] != 0; i++)
        name[i] = symbol[i];
}

void fault_record(struct linx_fault *f, const struct task *t, const struct context *c, uint64_t trapno, uint64_t arg) {
    memset(f, 0, sizeof *f);
    f->version = LINX_FAULT_VERSION;
    f->bytes = sizeof *f;
    f->trap = trapno & LINX_TRAPNO_NUM_MASK;
    f->cause = (uint32_t)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff;
    f->ring = c->ecstate & LINX_CSTATE_ACR_MASK;
    f->block_type = (uint8_t)(c->ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT) & 31;
    f->inside = (c->ecstate & LINX_ECSTATE_BI) != 0;
    f->bpc = c->ebpc;
    f->tpc = c->etpc;
    f->address = arg;
    if (f->inside && f->block_type == LINX_BT_DATA)
        f->group = (uint16_t)(c->ebarg >> LINX_EBARG_GROUP_SHIFT);
    uint64_t word;
    f->tpc_bytes = (uint8_t)fault_fetch(f->ring == LINX_ACR_TASK ? t : NULL, f->tpc, &word);
    decode_header(f, f->ring == LINX_ACR_TASK ? t : NULL, c);
    set_symbol(f->bpc, f->bpc_symbol, &f->bpc_offset);
    set_symbol(f->tpc, f->tpc_symbol, &f->tpc_offset);
}
