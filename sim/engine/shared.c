// SPDX-License-Identifier: BSD-2-Clause
// Shared registers S0..S255 of a core (docs/target.md 3). The core has already completed headers whose mask leaves
// this PE out, and checked that the masks agree and the window.
#include <stdlib.h>

#include "body.h"
#include "trace.h"

struct shared_bank *shared_bank_new(void) { return calloc(1, sizeof(struct shared_bank)); }

void shared_unref(struct shared_alloc *a)
{
    if (a && --a->refs == 0)
        free(a);
}

void shared_bank_free(struct shared_bank *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < LINX_SHARED_TILES; i++)
        shared_unref(b->reg[i]);
    free(b);
}

// Sources: TSTORE, TMOV, data bodies, CUBE. Destinations: TLOAD and TMOV. Elsewhere E_BLOCK(EC_TYPE).
enum exec_status shared_check(struct engine *e, const struct block_header *h)
{
    bool src_ok = true, dst_ok = false;
    const char *id = linx_forms[h->form].id;
    bool tma = !strcmp(id, "BSTART_TMA") || !strcmp(id, "BSTART_TLOAD") || !strcmp(id, "BSTART_TSTORE") || !strcmp(id, "BSTART_TMOV");
    if (tma) {
        src_ok = h->function == LINX_tma_TSTORE || h->function == LINX_tma_TMOV;
        dst_ok = h->function == LINX_tma_TLOAD || h->function == LINX_tma_TMOV;
    } else if (h->form == LINX_BSTART_TEPL) {
        src_ok = false;
    }
    for (unsigned i = 0; i < h->num_src; i++)
        if (h->src[i].shared && !src_ok) {
            e->pe->tpc = h->src_at[i];
            return engine_block_fault(e, LINX_EC_TYPE, "a Shared source is not allowed in this block");
        }
    for (unsigned i = 0; i < h->num_dst; i++)
        if (h->dst[i].shared && !dst_ok) {
            e->pe->tpc = h->dst_at[i];
            return engine_block_fault(e, LINX_EC_TYPE, "a Shared destination is not allowed in this block");
        }
    return EXEC_OK;
}

struct shared_alloc *shared_alloc_new(unsigned size_code, unsigned mask)
{
    uint32_t bytes = shared_capacity(size_code) * (uint32_t)__builtin_popcount(mask);
    struct shared_alloc *a = calloc(1, sizeof(*a) + bytes);
    if (!a)
        return NULL;
    a->refs = 1;
    a->size_code = (uint8_t)size_code;
    a->mask = (uint8_t)mask;
    a->bytes = bytes;
    return a;
}

bool shared_write(struct engine *e, unsigned reg, unsigned size_code, unsigned mask, const uint8_t *data, uint32_t cols,
                  uint32_t valid_rows, uint32_t valid_cols, unsigned es)
{
    unsigned me = e->pe->index;
    uint32_t cap = shared_capacity(size_code);
    struct shared_alloc *a = e->bank->reg[reg];
    bool joins = a && a->size_code == size_code && a->mask == mask && !(a->written >> me & 1);
    if (!joins) {
        a = shared_alloc_new(size_code, mask);
        if (!a)
            return false;
        shared_unref(e->bank->reg[reg]);
        e->bank->reg[reg] = a;
    }
    memcpy(a->data + shared_rank(mask, me) * cap, data, cap);
    a->written |= (uint8_t)(1u << me);
    a->cols = cols;
    a->rows = cap / (cols * es);
    a->valid_rows = valid_rows;
    a->valid_cols = valid_cols;
    tile_log(e, "write S%u size=%u mask=%#x written=%#x", reg, size_code, mask, a->written);
    return true;
}

static uint64_t field16(uint32_t v) { return v > 0xffff ? 0xffff : v; }

uint64_t engine_shared_desc(const struct pe *pe, unsigned reg)
{
    const struct shared_bank *b = pe->engine->bank;
    const struct shared_alloc *a = b ? b->reg[reg & 255] : NULL;
    return a ? (uint64_t)a->size_code | (uint64_t)a->mask << 4 | (uint64_t)a->written << 8 | 1ull << 12 : 0;
}

uint64_t engine_shared_shape(const struct pe *pe, unsigned reg)
{
    const struct shared_bank *b = pe->engine->bank;
    const struct shared_alloc *a = b ? b->reg[reg & 255] : NULL;
    return a ? field16(a->rows) | field16(a->cols) << 16 | field16(a->valid_rows) << 32 | field16(a->valid_cols) << 48 : 0;
}
