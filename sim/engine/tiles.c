// SPDX-License-Identifier: BSD-2-Clause
// Local tile hands T, U, M, N: 16 deep queues of 32 B .. 32 KB (docs/target.md 1, 2.6, 2.7; digest 5.1).
#include <stdlib.h>

#include "body.h"
#include "trace.h"

static const uint8_t never_written[1 << 20];    // what an unallocated Shared register reads as

struct tile *hand_entry(struct engine *e, unsigned hand, unsigned k)
{
    struct hand *h = &e->hand[hand];
    return &h->entry[(h->head + k - 1) % DEPTH];
}

void hand_push(struct engine *e, unsigned hand, struct tile *t)
{
    struct hand *h = &e->hand[hand];
    h->head = (h->head + DEPTH - 1) % DEPTH;
    struct tile old = h->entry[h->head];
    h->entry[h->head] = *t;
    *t = (struct tile){old.data, old.defined, 0};
    tile_log(e, "push %c imm4=%u (%u bytes)", "TUMN"[hand & 3], h->entry[h->head].code, tile_bytes(h->entry[h->head].code));
}

uint64_t engine_tile_map(const struct pe *pe, unsigned hand)
{
    uint64_t map = 0;
    for (unsigned k = 1; k <= DEPTH; k++)
        map |= (uint64_t)hand_entry(pe->engine, hand & 3, k)->code << 4 * (k - 1);
    return map;
}

enum exec_status tile_bind(struct engine *e, const struct block_header *h, unsigned i, struct tile_in *in)
{
    const struct tile_operand *o = &h->src[i];
    *in = (struct tile_in){.reuse = o->reuse};
    if (o->shared) {
        struct shared_alloc *a = e->bank ? e->bank->reg[o->index] : NULL;
        if (a) {
            a->refs++;
            in->shared = a;
            in->data = a->data;
            in->bytes = a->bytes;
        } else {
            in->data = never_written;
            in->bytes = sizeof(never_written);
        }
        if (unlikely(e->strict) && (!a || a->written != a->mask))
            fprintf(e->strict, "strict: PE %u: block 0x%llx reads S%u with unwritten fragments\n", e->pe->lxlcid,
                    (unsigned long long)h->bpc, o->index);
        return EXEC_OK;
    }
    struct tile *t = hand_entry(e, o->index >> 4 & 3, (o->index & 15) + 1);
    if (t->code == 0) {
        e->pe->tpc = h->src_at[i];
        return engine_block_fault(e, LINX_EC_INVAL_GET, "the source tile was never written or is released");
    }
    in->local = t;
    in->data = t->data;
    in->defined = t->defined;
    in->bytes = tile_bytes(t->code);
    return EXEC_OK;
}

void tile_unbind(struct tile_in *in)
{
    shared_unref(in->shared);
    in->shared = NULL;
}

void tile_release(struct engine *e, struct tile_in *in)
{
    if (in->local && !in->reuse && in->local->code) {
        for (unsigned i = 0; unlikely(e->log_tile) && i < HANDS * DEPTH; i++)
            if (hand_entry(e, i / DEPTH, i % DEPTH + 1) == in->local)
                tile_log(e, "release %c#%u", "TUMN"[i / DEPTH], i % DEPTH + 1);
        in->local->code = 0;
    }
    tile_unbind(in);
}

enum exec_status tile_dest_check(struct engine *e, const struct block_header *h, unsigned i)
{
    unsigned code = h->dst[i].size;
    if (code >= LINX_TILE_MIN_CODE && code <= LINX_TILE_MAX_CODE)
        return EXEC_OK;
    e->pe->tpc = h->dst_at[i];
    return engine_block_fault(e, LINX_EC_INVAL_PARM, "a tile has 32 B .. 32 KB");
}
