// SPDX-License-Identifier: BSD-2-Clause
// Groups of the iteration space: numbering, lanes, dispatch to slots (docs/target.md 1; digest 4).
//
// A slot holds a group; LC of its lane 0 says which one. MD: 64 consecutive LC0 of one (LC1, LC2). DR: 64 consecutive
// iterations of the flattened space. Groups go in ascending id to the lowest free slot; the next one is
// 1 + the largest id that any slot holds, so nothing beyond the slots needs saving.
#include "engine.h"

static inline uint64_t iterations(const struct engine *e) { return (uint64_t)e->lb[0] * e->lb[1] * e->lb[2]; }

uint64_t groups_count(const struct engine *e)
{
    if (iterations(e) == 0)
        return 0;
    if (e->dr)
        return (iterations(e) + LANES - 1) / LANES;
    return (uint64_t)e->lb[2] * e->lb[1] * ((e->lb[0] + LANES - 1u) / LANES);
}

static uint64_t first_iteration(const struct engine *e, const struct group *g)
{
    return ((uint64_t)g->lc[2] * e->lb[1] + g->lc[1]) * e->lb[0] + g->lc[0];
}

static uint64_t low_lanes(uint64_t n) { return n >= LANES ? ~0ull : (1ull << n) - 1; }

void group_place(struct engine *e, struct group *g)
{
    g->lanes_ready = false;
    if (e->dr) {
        uint64_t i = first_iteration(e, g), n = iterations(e);
        g->id = i / LANES;
        g->valid = i < n ? low_lanes(n - i) : 0;
    } else {
        uint64_t chunks = (e->lb[0] + LANES - 1u) / LANES;
        g->id = ((uint64_t)g->lc[2] * e->lb[1] + g->lc[1]) * chunks + g->lc[0] / LANES;
        g->valid = g->lc[0] < e->lb[0] ? low_lanes(e->lb[0] - g->lc[0]) : 0;
    }
}

void group_lanes(const struct engine *e, struct group *g)
{
    if (e->dr && e->lb[0] && e->lb[1]) {
        uint64_t i = first_iteration(e, g);
        for (unsigned l = 0; l < LANES; l++, i++) {
            g->lane_lc[0][l] = (uint16_t)(i % e->lb[0]);
            g->lane_lc[1][l] = (uint16_t)(i / e->lb[0] % e->lb[1]);
            g->lane_lc[2][l] = (uint16_t)(i / e->lb[0] / e->lb[1]);
        }
    } else {
        for (unsigned l = 0; l < LANES; l++) {
            g->lane_lc[0][l] = (uint16_t)(g->lc[0] + l);
            g->lane_lc[1][l] = g->lc[1];
            g->lane_lc[2][l] = g->lc[2];
        }
    }
    g->lanes_ready = true;
}

// Puts group `id` into the slot and starts it.
static void dispatch(struct engine *e, struct group *g, uint64_t id)
{
    if (e->dr) {
        uint64_t i = id * LANES;
        g->lc[0] = (uint16_t)(i % e->lb[0]);
        g->lc[1] = (uint16_t)(i / e->lb[0] % e->lb[1]);
        g->lc[2] = (uint16_t)(i / e->lb[0] / e->lb[1]);
    } else {
        uint64_t chunks = e->chunks;
        g->lc[0] = (uint16_t)(id % chunks * LANES);
        g->lc[1] = (uint16_t)(id / chunks % e->lb[1]);
        g->lc[2] = (uint16_t)(id / chunks / e->lb[1]);
    }
    group_place(e, g);
    g->p = g->valid;
    g->tpc = e->body;
    e->stats.groups++;
}

static uint64_t next_group(const struct engine *e)
{
    uint64_t max = 0;
    for (unsigned s = 0; s < e->width; s++)
        max = e->group[s].id > max ? e->group[s].id : max;
    return max + 1;
}

void groups_start(struct engine *e)
{
    e->num_groups = groups_count(e);
    e->chunks = (e->lb[0] + LANES - 1u) / LANES;
    for (unsigned s = 0; s < e->slots; s++) {
        struct group *g = &e->group[s];
        g->tpc = 0;
        memset(g->lc, 0, sizeof(g->lc));
        group_place(e, g);
    }
    e->live = 0;
    for (unsigned s = 0; s < e->width && s < e->num_groups; s++) {
        dispatch(e, &e->group[s], s);
        e->live++;
    }
    e->cur = 0;
}

void group_end(struct engine *e, struct group *g)
{
    uint64_t id = next_group(e);
    if (id < e->num_groups) {
        dispatch(e, g, id);
    } else {
        g->tpc = 0;
        e->live--;
    }
}

void groups_resume(struct engine *e, unsigned group_id)
{
    e->num_groups = groups_count(e);
    e->chunks = (e->lb[0] + LANES - 1u) / LANES;
    e->live = 0;
    e->cur = MAX_SLOTS;
    for (unsigned s = 0; s < e->slots; s++) {
        struct group *g = &e->group[s];
        if (s >= e->width)
            g->tpc = 0;
        group_place(e, g);
        if (g->tpc) {
            e->live++;
            if (e->cur == MAX_SLOTS && (g->id & 0xffff) == group_id)
                e->cur = s;
        }
    }
    if (e->cur == MAX_SLOTS)
        for (e->cur = 0; e->cur + 1 < e->slots && !e->group[e->cur].tpc; e->cur++)
            ;
}
