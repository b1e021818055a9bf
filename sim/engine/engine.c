// SPDX-License-Identifier: BSD-2-Clause
// Life of a data block: start, run, resume, commit.
#include <stdlib.h>

#include "atom.h"
#include "body.h"
#include "trace.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tiles are copied as host bytes");

enum { CACHE_SIZE = 4096, PAGE = 4096, NO_PAGE = 1 };

// ---- construction -------------------------------------------------------------------------------------------------
struct tile *engine_tile(struct engine *e, unsigned i)
{
    if (i < HANDS * DEPTH)
        return &e->hand[i / DEPTH].entry[i % DEPTH];
    i -= HANDS * DEPTH;
    return i < MAX_OUT ? &e->out[i].t : i < MAX_OUT + 2 ? &e->scratch[i - MAX_OUT] : &e->acc;
}

struct engine *engine_new(struct pe *pe, unsigned group_slots, struct shared_bank *bank)
{
    struct engine *e = aligned_alloc(64, (sizeof(*e) + 63) & ~63ul);
    if (!e)
        return NULL;
    memset(e, 0, sizeof(*e));
    e->pe = pe;
    e->bank = bank;
    e->slots = group_slots == 1 || group_slots == 2 ? group_slots : MAX_SLOTS;
    e->code_page = NO_PAGE;
    e->cache = calloc(CACHE_SIZE, sizeof(*e->cache));
    e->insn_count = calloc(LINX_NFORMS, sizeof(*e->insn_count));
    e->tile_data = calloc(TILES, TILE_MAX);     // in one piece: the host gives pages when they are used
    if (!e->cache || !e->insn_count || !e->tile_data) {
        engine_free(e);
        return NULL;
    }
    uint8_t *data = e->tile_data;
    for (unsigned i = 0; i < TILES; i++, data += TILE_MAX)
        engine_tile(e, i)->data = data;
    e->cache[0].addr = 1;                       // no instruction; the others cannot hold address 0
    e->stats.insns = e->insn_count;
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    engine_drop_block(e);
    for (unsigned i = 0; i < TILES; i++)
        free(engine_tile(e, i)->defined);
    free(e->tile_data);
    free(e->cache);
    free(e->insn_count);
    free(e->atom_log);
    strict_free(e);
    free(e);
}

void engine_reset(struct engine *e)
{
    engine_drop_block(e);
    e->mark = MARK_NONE;
    memset(e->group, 0, sizeof(e->group));
    memset(e->lb, 0, sizeof(e->lb));
    memset(e->ri, 0, sizeof(e->ri));
    memset(e->ro, 0, sizeof(e->ro));
    for (unsigned h = 0; h < HANDS; h++)
        for (unsigned k = 0; k < DEPTH; k++)
            e->hand[h].entry[k].code = 0;
    e->acc_valid = false;
    for (unsigned i = 0; e->bank && i < LINX_SHARED_TILES; i++) {
        shared_unref(e->bank->reg[i]);
        e->bank->reg[i] = NULL;
    }
    const uint64_t *insns = e->stats.insns;
    memset(e->insn_count, 0, LINX_NFORMS * sizeof(*e->insn_count));
    memset(&e->stats, 0, sizeof(e->stats));
    e->stats.insns = insns;
    body_flush(e);
}

const struct engine_stats *engine_stats(const struct engine *e) { return &e->stats; }

enum exec_status engine_trap(struct engine *e, uint8_t num, uint32_t cause, uint64_t arg, const char *why)
{
    enum exec_status st = pe_trap(e->pe, num, cause, arg);
    e->pe->trap.why = why;
    return st;
}

// ECONFIG.V and .C govern blocks started in ACR2 (docs/target.md 2.5).
static enum exec_status permission(struct engine *e, unsigned bit)
{
    if (pe_ring(e->pe) != LINX_ACR_TASK || !(e->pe->bank[LINX_ACR_KERNEL].econfig >> bit & 1))
        return EXEC_OK;
    return engine_trap(e, LINX_E_INST, LINX_EC_PERM, bit == LINX_ECONFIG_C_BIT, "ECONFIG.V or .C forbids the data engine in ACR2");
}

// ---- binding --------------------------------------------------------------------------------------------------------
void engine_drop_block(struct engine *e)
{
    for (unsigned i = 0; i < e->num_in; i++)
        tile_unbind(&e->in[i]);
    e->num_in = e->num_out = 0;
    for (unsigned i = 0; i < MAX_OUT; i++)
        e->out[i].bound = false;
}

// Slots that a block uses. A stack tile is `bytes` per slot and must fit a 32 KB buffer, so a large one leaves fewer.
static unsigned block_width(const struct engine *e, const struct block_header *h, bool seq)
{
    unsigned width = seq ? 1 : e->slots;
    for (unsigned i = 0; i < h->num_dst && i < MAX_OUT; i++)
        if (h->dst[i].index == OUT_STACK) {
            unsigned fit = TILE_MAX / tile_bytes(h->dst[i].size);
            width = width < fit ? width : fit;
        }
    return width;
}

static enum exec_status header_fault(struct engine *e, uint64_t at, uint8_t num, uint32_t cause, const char *why)
{
    e->pe->tpc = at;
    return engine_trap(e, num, cause, 0, why);
}

// Checks the whole header and resolves its sources into in[]; nothing of the engine changes.
static enum exec_status check_header(struct engine *e, const struct block_header *h, struct tile_in *in)
{
    e->pe->tpc = h->bpc;
    if (h->function > 1)
        return engine_illegal(e, "Mode of a data block is VS8 or VS16");
    if (h->num_src > MAX_IN || h->num_dst > MAX_OUT)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "a data block has at most 8 input and 4 output tiles");
    if (h->num_ri > NUM_RI || h->num_ro > NUM_RO)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "a data block has at most 12 RI and 4 RO");
    if (h->body == 0)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "data block without B.TEXT");
    for (unsigned i = 0; i < h->num_dst; i++) {
        const struct tile_dest *d = &h->dst[i];
        if (d->shared)
            return header_fault(e, h->dst_at[i], LINX_E_BLOCK, LINX_EC_TYPE, "Shared output of a data block");
        if (d->index > 3 && d->index != OUT_STACK)
            return header_fault(e, h->dst_at[i], LINX_E_INST, LINX_EC_ILLEGAL, "ACC or reserved output of a data block");
        if (d->index == OUT_STACK && !(i == 1 || (i == 0 && h->num_dst == 1)))
            return header_fault(e, h->dst_at[i], LINX_E_INST, LINX_EC_ILLEGAL, "the stack tile must be the second output or the only one");
        if (tile_dest_check(e, h, i) != EXEC_OK)
            return EXEC_TRAP;
    }
    for (unsigned i = 0; i < h->num_src; i++)
        if (tile_bind(e, h, i, &in[i]) != EXEC_OK) {
            while (i > 0)
                tile_unbind(&in[--i]);
            return EXEC_TRAP;
        }
    e->pe->tpc = h->bpc;
    return EXEC_OK;
}

// From here nothing fails: takes over the header. Outputs keep their bytes when `resume`.
static void bind_block(struct engine *e, const struct block_header *h, const struct tile_in *in, bool resume)
{
    engine_drop_block(e);
    bool vpar = h->form == LINX_BSTART_VPAR || h->form == LINX_C_BSTART_VPAR;
    bool vseq = h->form == LINX_BSTART_VSEQ || h->form == LINX_C_BSTART_VSEQ;
    bool mseq = h->form == LINX_BSTART_MSEQ || h->form == LINX_C_BSTART_MSEQ;
    e->is_mem = !vpar && !vseq;
    e->is_seq = vseq || mseq;
    e->vs16 = h->function == 1;
    e->dr = h->dr;
    e->atom = h->atom;
    e->body = h->body;
    e->bpc = h->bpc;
    e->width = block_width(e, h, e->is_seq);
    memcpy(e->in, in, sizeof(e->in));
    e->num_in = h->num_src;
    e->num_out = h->num_dst;
    for (unsigned i = 0; i < h->num_dst; i++) {
        struct tile_out *o = &e->out[i];
        o->bound = true;
        o->hand = h->dst[i].index;
        o->bytes = tile_bytes(h->dst[i].size);
        o->t.code = h->dst[i].size;
        // A stack tile as the only output is formal to1/ts: it lives in out[1].
        uint32_t used = o->hand == OUT_STACK ? o->bytes * e->width : o->bytes;
        if (!resume) {
            memset(o->t.data, 0, used);
            if (o->t.defined)
                memset(o->t.defined, 0, used);
        }
    }
    if (h->num_dst == 1 && h->dst[0].index == OUT_STACK) {
        struct tile_out o = e->out[0];
        e->out[0] = e->out[1];
        e->out[1] = o;
        e->out[0].bound = false;
    }
    e->num_ro = h->num_ro;
    memcpy(e->ro_reg, h->ro_reg, sizeof(e->ro_reg));
    e->num_ri = h->num_ri;
}

// A header with B.IOS whose mask leaves this PE out completes at once. The core does that before any check; this keeps
// the engine safe by itself.
static bool left_out(const struct pe *pe, const struct block_header *h)
{
    bool shared = false;
    for (unsigned i = 0; i < h->num_src; i++)
        shared |= h->src[i].shared;
    for (unsigned i = 0; i < h->num_dst; i++)
        shared |= h->dst[i].shared;
    return shared && !(h->shared_mask >> pe->index & 1);
}

enum exec_status engine_start(struct pe *pe, const struct block_header *h)
{
    struct engine *e = pe->engine;
    struct tile_in in[MAX_IN] = {{0}};
    pe->tpc = h->bpc;
    if (left_out(pe, h))
        return EXEC_BLOCK_DONE;
    if (permission(e, LINX_ECONFIG_V_BIT) != EXEC_OK || shared_check(e, h) != EXEC_OK || check_header(e, h, in) != EXEC_OK)
        return EXEC_TRAP;
    bind_block(e, h, in, false);
    memcpy(e->lb, h->lb, sizeof(e->lb));
    memset(e->ri, 0, sizeof(e->ri));
    memcpy(e->ri, h->ri, h->num_ri * sizeof(e->ri[0]));
    memset(e->ro, 0, sizeof(e->ro));
    for (unsigned i = 0; i < e->num_ro; i++)
        e->ro[i] = pe->r[e->ro_reg[i]];
    if (e->atom)
        atom_begin(e);
    // The image of a SEQ block has one group record, so a SEQ block owns one slot: the queues of the others end here.
    if (e->is_seq)
        for (unsigned s = 1; s < e->slots; s++)
            memset(&e->group[s], 0, sizeof(e->group[s]));
    groups_start(e);
    e->mark = MARK_FROZEN;
    tile_log(e, "start %s bpc=%#llx body=%#llx groups=%llu in=%u out=%u", linx_forms[h->form].mnemonic, (unsigned long long)h->bpc,
             (unsigned long long)h->body, (unsigned long long)e->num_groups, e->num_in, e->num_out);
    if (unlikely(e->strict))
        strict_begin(e);
    return e->live ? EXEC_OK : engine_commit(e);
}

enum exec_status engine_resume(struct pe *pe, const struct block_header *h, unsigned group)
{
    struct engine *e = pe->engine;
    struct tile_in in[MAX_IN] = {{0}};
    pe->tpc = h->bpc;
    if (e->mark == MARK_NONE)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "ACRE 1 of a data block: the engine holds nothing to resume");
    if (shared_check(e, h) != EXEC_OK || check_header(e, h, in) != EXEC_OK)
        return EXEC_TRAP;
    // A recovered stack tile that is the only output arrived as output 0; bind_block moves it to its formal.
    if (e->mark == MARK_FROZEN && h->num_dst == 1 && h->dst[0].index == OUT_STACK) {
        struct tile_out o = e->out[0];
        e->out[0] = e->out[1];
        e->out[1] = o;
    }
    bind_block(e, h, in, true);
    groups_resume(e, group);
    e->mark = MARK_FROZEN;
    e->stats.resumes++;
    tile_log(e, "resume %s bpc=%#llx group=%u live=%u", linx_forms[h->form].mnemonic, (unsigned long long)h->bpc, group, e->live);
    if (e->atom)
        atom_begin(e);
    if (unlikely(e->strict))
        strict_begin(e);
    return e->live ? EXEC_OK : engine_commit(e);
}

enum exec_status engine_commit(struct engine *e)
{
    for (unsigned i = 0; i < e->num_in; i++)
        tile_release(e, &e->in[i]);
    for (unsigned i = 0; i < MAX_OUT; i++)
        if (e->out[i].bound && e->out[i].hand != OUT_STACK)
            hand_push(e, e->out[i].hand, &e->out[i].t);
    for (unsigned i = 0; i < e->num_ro; i++)
        if (e->ro_reg[i] != 0)
            e->pe->r[e->ro_reg[i]] = e->ro[i];
    e->stats.blocks[e->is_mem * 2 + e->is_seq]++;
    tile_log(e, "commit bpc=%#llx", (unsigned long long)e->bpc);
    engine_drop_block(e);
    e->mark = MARK_NONE;
    return EXEC_BLOCK_DONE;
}

void engine_discard(struct pe *pe)
{
    struct engine *e = pe->engine;
    if (e->mark == MARK_NONE || !e->atom)
        return;
    atom_undo(e);
    for (unsigned s = 0; s < e->slots; s++)
        e->group[s].tpc = 0;
    engine_drop_block(e);
    e->mark = MARK_NONE;
}

// ---- running --------------------------------------------------------------------------------------------------------
void body_flush(struct engine *e)
{
    e->code_page = NO_PAGE;
    e->code_host = NULL;
}

// Reads the instruction at addr; *len its bytes.
static enum exec_status fetch(struct engine *e, uint64_t addr, uint64_t *word, unsigned *len)
{
    uint64_t page = addr & ~(uint64_t)(PAGE - 1), v = 0;
    if (page != e->code_page) {
        if (pe_fetch(e->pe, addr, 2, &v) != EXEC_OK)
            return EXEC_TRAP;
        e->code_page = page;
        e->code_host = pe_host(e->pe, page, PAGE, false);
    }
    unsigned off = (unsigned)(addr - page);
    if (e->code_host && off <= PAGE - 8) {
        memcpy(&v, e->code_host + off, 8);
        *len = linx_insn_bytes((uint16_t)v);
    } else {
        if (pe_fetch(e->pe, addr, 2, &v) != EXEC_OK)
            return EXEC_TRAP;
        *len = linx_insn_bytes((uint16_t)v);
        if (*len > 2 && pe_fetch(e->pe, addr, *len, &v) != EXEC_OK)
            return EXEC_TRAP;
    }
    *word = *len == 8 ? v : v & ((1ull << 8 * *len) - 1);
    return EXEC_OK;
}

// The decoded instruction at addr. Entries are checked against the code bytes, so changed code needs no flush.
static const struct insn *lookup(struct engine *e, uint64_t addr)
{
    struct insn *d = &e->cache[(addr >> 2 ^ addr >> 14) & (CACHE_SIZE - 1)];
    uint64_t off = addr - e->code_page;
    if (likely(d->addr == addr && off <= PAGE - 8 && e->code_host)) {
        uint64_t v;
        memcpy(&v, e->code_host + off, 8);
        if (likely((d->len == 8 ? v : v & ((1ull << 8 * d->len) - 1)) == d->word))
            return d;
    }
    uint64_t word;
    unsigned len;
    if (fetch(e, addr, &word, &len) != EXEC_OK)
        return NULL;
    if (d->addr != addr || d->word != word || d->len != len)
        body_decode(d, addr, word, len);
    return d;
}

static inline void next_slot(struct engine *e)
{
    if (e->width == 1 || e->live == 0)
        return;
    do
        e->cur = e->cur + 1 == e->width ? 0 : e->cur + 1;
    while (!e->group[e->cur].tpc);
}

// One instruction of the current group. EXEC_BLOCK_DONE when it was the last of the block.
static inline enum exec_status step(struct engine *e)
{
    struct group *g = &e->group[e->cur];
    const uint64_t id = g->id;
    const struct insn *d = lookup(e, g->tpc);
    if (unlikely(!d))
        return EXEC_TRAP;
    if (unlikely(d->uses_mn && !e->vs16))
        return engine_illegal(e, "vm or vn in a VS8 block");
    if (unlikely(d->body(e, g, d) != EXEC_OK)) {
        e->next_tpc = 0;
        return EXEC_TRAP;
    }
    e->insn_count[d->form]++;
    if (unlikely(e->log_insn))
        trace_body(e, g, d, id);
    if (unlikely(d->body == body_end)) {
        if (e->live == 0)
            return engine_commit(e);
    } else if (unlikely(e->next_tpc)) {
        g->tpc = e->next_tpc;
        e->next_tpc = 0;
    } else {
        g->tpc += d->len;
        e->stats.lane_ops += d->vform ? LANES : 1;
    }
    next_slot(e);
    return EXEC_OK;
}

void engine_where(struct pe *pe, uint64_t *tpc, unsigned *group)
{
    const struct group *g = &pe->engine->group[pe->engine->cur];
    *tpc = g->tpc;
    *group = (unsigned)(g->id & 0xffff);
}

// An atomic block runs to its end in one go, so that no other PE can come between; a runaway one stops at ATOM_LIMIT.
enum exec_status engine_run(struct pe *pe, uint64_t budget, uint64_t *done, uint64_t *tpc, unsigned *group)
{
    struct engine *e = pe->engine;
    enum exec_status st = EXEC_OK;
    uint64_t n = 0;
    body_flush(e);
    if (e->atom && budget > 1 && budget < ATOM_LIMIT)
        budget = ATOM_LIMIT;
    while (n < budget && (st = step(e)) == EXEC_OK)
        n++;
    if (st == EXEC_BLOCK_DONE)
        n++;
    e->stats.body_insns += n;
    *done = n;
    if (st == EXEC_TRAP) {
        engine_where(pe, tpc, group);
        if (e->atom)
            engine_discard(pe);
    }
    return st;
}

enum exec_status engine_step(struct pe *pe, uint64_t *tpc, unsigned *group)
{
    uint64_t done;
    return engine_run(pe, 1, &done, tpc, group);
}

// ---- tile blocks ------------------------------------------------------------------------------------------------------
enum exec_status engine_tile_block(struct pe *pe, const struct block_header *h)
{
    struct engine *e = pe->engine;
    pe->tpc = h->bpc;
    if (left_out(pe, h))
        return EXEC_OK;
    const struct linx_form_desc *f = &linx_forms[h->form];
    bool cube = !strncmp(f->id, "BSTART_CUBE", 11) || h->form == LINX_BSTART_TMATMUL || h->form == LINX_BSTART_TMATMUL_ACC ||
                h->form == LINX_BSTART_ACCCVT || h->form == LINX_BSTART_FIXP;
    if (permission(e, cube ? LINX_ECONFIG_C_BIT : LINX_ECONFIG_V_BIT) != EXEC_OK || shared_check(e, h) != EXEC_OK)
        return EXEC_TRAP;
    if (cube)
        return cube_block(e, h);
    if (h->form == LINX_BSTART_TEPL)
        return tepl_block(e, h);
    return tma_block(e, h);
}
