// SPDX-License-Identifier: BSD-2-Clause
// `--strict`: reports what a program reads without having written it, and stores of different PAR groups to the same
// byte. Costs nothing when off.
#include <stdlib.h>

#include "body.h"

enum { TABLE = 1 << 16, PROBES = 8 };
struct strict_state {
    uint32_t epoch;                                         // counts blocks
    struct { uint64_t addr; uint32_t epoch; uint16_t group; bool told; } byte[TABLE];
};

void engine_set_strict(struct engine *e, void *out)
{
    e->strict = out;
    if (!out)
        return;
    if (!e->strict_state)
        e->strict_state = calloc(1, sizeof(*e->strict_state));
    for (unsigned i = 0; i < TILES; i++)
        if (!engine_tile(e, i)->defined)
            engine_tile(e, i)->defined = calloc(1, TILE_MAX);
}

void strict_free(struct engine *e) { free(e->strict_state); }

static void say(struct engine *e, const char *what, unsigned long long x)
{
    const struct group *g = &e->group[e->cur];
    fprintf(e->strict, "strict: PE %u: block 0x%llx group %llu tpc 0x%llx: ", e->pe->lxlcid, (unsigned long long)e->bpc,
            (unsigned long long)g->id, (unsigned long long)g->tpc);
    fprintf(e->strict, what, x);
    fputc('\n', e->strict);
}

void strict_begin(struct engine *e)
{
    if (e->strict_state)
        e->strict_state->epoch++;
}

void strict_store(struct engine *e, struct group *g, uint64_t addr, uint32_t len)
{
    struct strict_state *s = e->strict_state;
    if (e->is_seq || !s)
        return;
    uint16_t me = (uint16_t)g->id;
    for (uint64_t a = addr; a < addr + len; a++) {
        for (unsigned p = 0; p < PROBES; p++) {
            unsigned i = (unsigned)((a * 0x9e3779b97f4a7c15ull >> 48) + p) & (TABLE - 1);
            if (s->byte[i].epoch == s->epoch && s->byte[i].addr != a)
                continue;
            if (s->byte[i].epoch == s->epoch && s->byte[i].group != me) {
                if (!s->byte[i].told)
                    say(e, "two PAR groups store to 0x%llx", a);
                s->byte[i].told = true;
            } else if (s->byte[i].epoch != s->epoch) {
                s->byte[i].addr = a;
                s->byte[i].epoch = s->epoch;
                s->byte[i].group = me;
                s->byte[i].told = false;
            }
            break;
        }
    }
}

void strict_read_vector(struct engine *e, struct group *g, unsigned q, unsigned k)
{
    if (!(g->v_defined[q] >> ((g->head[q] + k - 1) & 3) & 1))
        say(e, "vector register read before it was written (queue*16+k = 0x%llx)", q * 16 + k);
}

void strict_read_scalar(struct engine *e, bool defined)
{
    if (!defined)
        say(e, "t or u entry read before it was written", 0);
}

void strict_tile_read(struct engine *e, const uint8_t *defined, uint32_t off, uint32_t len)
{
    if (defined && memchr(defined + off, 0, len))
        say(e, "undefined tile byte read at offset 0x%llx", off);
}
