// SPDX-License-Identifier: BSD-2-Clause
// ESAVE and ERCOV: the frozen state of the engine as a tile image (docs/target.md 2.4; layout in linx/arch.h).
#include "body.h"
#include "trace.h"

static void put(uint8_t *p, uint32_t off, const void *v, size_t n) { memcpy(p + off, v, n); }

static void save_queue(uint8_t *p, const uint64_t *q)
{
    for (unsigned i = 0; i < 4; i++)                    // #4 first
        put(p, 8 * i, &q[3 - i], 8);
}
static void load_queue(const uint8_t *p, uint64_t *q)
{
    for (unsigned i = 0; i < 4; i++)
        memcpy(&q[3 - i], p + 8 * i, 8);
}

static void save_group(uint8_t *p, struct group *g)
{
    put(p, LINX_ESAVE_G_TPC, &g->tpc, 8);
    put(p, LINX_ESAVE_G_LC, g->lc, 6);
    put(p, LINX_ESAVE_G_P, &g->p, 8);
    save_queue(p + LINX_ESAVE_G_T, g->t);
    save_queue(p + LINX_ESAVE_G_U, g->u);
    for (unsigned q = 0; q < NUM_QUEUES; q++)
        for (unsigned i = 0; i < 4; i++)
            put(p, LINX_ESAVE_G_VT + 256 * (4 * q + i), vec_src(g, q, 4 - i), 256);
}
static void load_group(const uint8_t *p, struct group *g)
{
    memcpy(&g->tpc, p + LINX_ESAVE_G_TPC, 8);
    memcpy(g->lc, p + LINX_ESAVE_G_LC, 6);
    memcpy(&g->p, p + LINX_ESAVE_G_P, 8);
    load_queue(p + LINX_ESAVE_G_T, g->t);
    load_queue(p + LINX_ESAVE_G_U, g->u);
    for (unsigned q = 0; q < NUM_QUEUES; q++) {
        g->head[q] = 0;
        g->v_defined[q] = 15;
        for (unsigned i = 0; i < 4; i++)
            memcpy(vec_src(g, q, 4 - i), p + LINX_ESAVE_G_VT + 256 * (4 * q + i), 256);
    }
    g->t_defined = g->u_defined = 15;
    g->lanes_ready = false;
}

// Output i of the block in the engine, in header order. A stack tile that is the only output lives in out[1].
static struct tile_out *output(struct engine *e, unsigned i)
{
    return e->mark == MARK_FROZEN && e->num_out == 1 && !e->out[0].bound ? &e->out[1] : &e->out[i];
}
static uint32_t output_bytes(const struct engine *e, const struct tile_out *o)
{
    if (e->mark == MARK_RECOVERED)
        return TILE_MAX;
    return o->hand == OUT_STACK ? o->bytes * e->width : o->bytes;
}

static enum exec_status privileged(struct engine *e)
{
    return pe_ring(e->pe) == LINX_ACR_TASK ? engine_trap(e, LINX_E_INST, LINX_EC_PERM, 0, "ESAVE or ERCOV in ACR2") : EXEC_OK;
}

enum exec_status esave(struct engine *e, const struct block_header *h)
{
    if (privileged(e) != EXEC_OK)
        return EXEC_TRAP;
    unsigned outputs = e->mark == MARK_NONE ? 0 : e->num_out;
    if (h->num_src != 0 || h->num_dst < 1 || h->num_dst > 1 + MAX_OUT)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "ESAVE takes no source and 1 to 5 outputs");
    if (h->num_dst - 1u > outputs)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "ESAVE names more outputs than the block in the engine has");
    uint32_t image = LINX_ESAVE_IMAGE_BYTES(e->slots);
    for (unsigned i = 0; i < h->num_dst; i++) {
        if (h->dst[i].index >= HANDS) {
            e->pe->tpc = h->dst_at[i];
            return engine_illegal(e, "ESAVE writes hands T, U, M, N");
        }
        if (tile_dest_check(e, h, i) != EXEC_OK)
            return EXEC_TRAP;
        uint32_t need = i == 0 ? image : e->mark == MARK_RECOVERED ? 0 : output_bytes(e, output(e, i - 1));
        if (tile_bytes(h->dst[i].size) < need) {
            e->pe->tpc = h->dst_at[i];
            return engine_block_fault(e, LINX_EC_INVAL_PARM, "ESAVE: the tile is too small for the image");
        }
    }

    for (unsigned i = 0; i < h->num_dst; i++) {
        struct tile *t = &e->scratch[0];
        uint32_t bytes = tile_bytes(h->dst[i].size), used;
        if (i == 0) {
            used = image;
            memset(t->data, 0, image);
            put(t->data, LINX_ESAVE_LB, e->lb, 6);
            put(t->data, LINX_ESAVE_RI, e->ri, sizeof(e->ri));
            put(t->data, LINX_ESAVE_RO, e->ro, sizeof(e->ro));
            // A SEQ block has one record. The other slots are clear while it runs (engine_start), so the bytes agree.
            for (unsigned s = 0; s < e->slots; s++)
                save_group(t->data + LINX_ESAVE_GROUP0 + s * LINX_ESAVE_GROUP_BYTES, &e->group[s]);
        } else {
            struct tile_out *o = output(e, i - 1);
            used = output_bytes(e, o) < bytes ? output_bytes(e, o) : bytes;
            memcpy(t->data, o->t.data, used);
        }
        memset(t->data + used, 0, bytes - used);
        if (t->defined)
            memset(t->defined, 1, bytes);
        t->code = h->dst[i].size;
        hand_push(e, h->dst[i].index, t);
    }
    tile_log(e, "ESAVE outputs=%u mark=%u", h->num_dst - 1u, e->mark);
    e->stats.esave++;
    return EXEC_OK;
}

enum exec_status ercov(struct engine *e, const struct block_header *h)
{
    if (privileged(e) != EXEC_OK)
        return EXEC_TRAP;
    if (h->num_dst != 0 || h->num_src < 1 || h->num_src > 1 + MAX_OUT)
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "ERCOV takes 1 to 5 sources and no output");
    struct tile_in in[1 + MAX_OUT] = {{0}};
    for (unsigned i = 0; i < h->num_src; i++)
        if (tile_bind(e, h, i, &in[i]) != EXEC_OK)
            return EXEC_TRAP;
    if (in[0].bytes < (uint32_t)LINX_ESAVE_IMAGE_BYTES(1)) {
        e->pe->tpc = h->src_at[0];
        return engine_block_fault(e, LINX_EC_INVAL_PARM, "ERCOV: the tile is too small for an image");
    }

    engine_drop_block(e);
    const uint8_t *p = in[0].data;
    memcpy(e->lb, p + LINX_ESAVE_LB, 6);
    memcpy(e->ri, p + LINX_ESAVE_RI, sizeof(e->ri));
    memcpy(e->ro, p + LINX_ESAVE_RO, sizeof(e->ro));
    bool running = false;
    for (unsigned s = 0; s < e->slots; s++) {
        struct group *g = &e->group[s];
        if (in[0].bytes >= (uint32_t)LINX_ESAVE_IMAGE_BYTES(s + 1))
            load_group(p + LINX_ESAVE_GROUP0 + s * LINX_ESAVE_GROUP_BYTES, g);
        else
            memset(g, 0, sizeof(*g));
        running |= g->tpc != 0;
    }
    for (unsigned i = 1; i < h->num_src; i++) {
        struct tile_out *o = &e->out[i - 1];
        uint32_t n = in[i].bytes < TILE_MAX ? in[i].bytes : TILE_MAX;
        memcpy(o->t.data, in[i].data, n);
        memset(o->t.data + n, 0, TILE_MAX - n);
        if (o->t.defined)
            memset(o->t.defined, 1, TILE_MAX);
    }
    for (unsigned i = h->num_src - 1u; i < MAX_OUT; i++)      // an output that was not saved comes back as zeros
        memset(e->out[i].t.data, 0, TILE_MAX);
    e->num_out = h->num_src - 1;
    e->num_in = 0;
    e->atom = false;
    e->mark = running ? MARK_RECOVERED : MARK_NONE;
    if (!running)
        e->num_out = 0;
    for (unsigned i = 0; i < h->num_src; i++)
        tile_release(e, &in[i]);
    tile_log(e, "ERCOV outputs=%u mark=%u", h->num_src - 1u, e->mark);
    e->stats.ercov++;
    return EXEC_OK;
}
