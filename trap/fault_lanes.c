// SPDX-License-Identifier: BSD-2-Clause
// Which lanes of a group are at fault. The trap names one address; the others follow from the instruction and the state of
// the engine: the address of each active lane is computed as the engine does (docs/data-engine.md) and asked about.
#include "kernel/copy.h"
#include "kernel/space.h"
#include "kernel_forms.h"
#include "trap/fault.h"
#include "trap/wide.h"

// ---- iteration space ----------------------------------------------------------------------------------------------------------
void fault_group_lc(const uint16_t lb[3], bool dr, uint64_t n, uint16_t lc[3]) {
    uint64_t row = dr ? lb[0] : (lb[0] + LINX_LANES - 1u) / LINX_LANES, at = dr ? n * LINX_LANES : n;
    lc[0] = (uint16_t)(dr ? at % row : at % row * LINX_LANES);
    lc[1] = (uint16_t)(at / row % lb[1]);
    lc[2] = (uint16_t)(at / row / lb[1]);
}

uint64_t fault_group_of(const uint16_t lb[3], bool dr, const uint16_t lc[3]) {
    uint64_t line = (uint64_t)lc[2] * lb[1] + lc[1];
    return dr ? (line * lb[0] + lc[0]) / LINX_LANES : line * ((lb[0] + LINX_LANES - 1u) / LINX_LANES) + lc[0] / LINX_LANES;
}

// ---- operands of 64-bit forms: id 6:0, element type 9:7 (docs/target.md 2.3; manual, vector instructions) ------------------------
enum {
    ID_VECTOR_END = 32, ID_RI = 32, ID_T = 56, ID_U = 60, ID_LC = 64, ID_TILE = 80, ID_TILE_END = 92, ID_P = 92, ID_REUSE = 96,
};
#define FORMALS_IN 8                // ta..th; then to..to3

struct view {                       // of the group at fault
    const struct linx_engine_image *image;
    const struct linx_engine_group *group;
    bool dr;
};

static unsigned id_of(uint64_t operand) {
    unsigned id = operand & 127;
    return id >= ID_REUSE ? id - ID_REUSE : id;
}
static bool is_vector(uint64_t operand) { return id_of(operand) < ID_VECTOR_END; }

static uint64_t extend(uint64_t v, unsigned type) {
    unsigned unused = 64 - (64u >> (type & 3));
    return type & 4 ? (uint64_t)((int64_t)(v << unused) >> unused) : v << unused >> unused;
}

static uint64_t lane_lc(const struct view *v, unsigned n, unsigned lane) {
    const uint16_t *lb = v->image->lb, *lc = v->group->lc;
    if (!v->dr)
        return lc[n] + (n == 0 ? lane : 0);
    uint64_t i = fault_group_of(lb, true, lc) * LINX_LANES + lane;
    return n == 0 ? i % lb[0] : n == 1 ? i / lb[0] % lb[1] : i / lb[0] / lb[1];
}

// The operand's value in a lane; a tile formal counts from 0.
static uint64_t value(const struct view *v, uint64_t operand, unsigned lane) {
    const struct linx_engine_group *g = v->group;
    unsigned id = id_of(operand), k = id & 3;
    uint64_t x = 0;
    if (id < ID_VECTOR_END)                     // vt#1..4 0..3, vu 8.., vm 16.., vn 24..
        x = g->vt[id / 8 * 4 + 3 - k][lane];    // the four queues follow one another
    else if (id < ID_RI + 12)
        x = v->image->ri[id - ID_RI];
    else if (id >= ID_T && id < ID_LC)
        x = (id < ID_U ? g->t : g->u)[3 - k];
    else if (id >= ID_LC && id < ID_LC + 12)    // lc0 64, lb0 65, lc1 68, ..
        x = k == 0 ? lane_lc(v, (id - ID_LC) / 4, lane) : v->image->lb[(id - ID_LC) / 4];
    else if (id == ID_P)
        x = g->p;
    return extend(x, (unsigned)(operand >> 7));
}

// ---- the instruction ------------------------------------------------------------------------------------------------------------
enum { LOAD = LINX_ACCESS_LOAD, STORE = LINX_ACCESS_STORE, ATOMIC = LINX_ACCESS_ATOMIC };
enum addressing { REG_LOAD, REG_STORE, IMM_LOAD, IMM_STORE, PLAIN, PLAIN_STORE };
static const struct {
    uint64_t mask, match;
    uint8_t access, addressing, size_log2, shift;
} accesses[] = {
#define ROW(mask, match, access, addressing, size, shift) { mask, match, access, addressing, size, shift },
    LINX_BODY_ACCESSES(ROW)
#undef ROW
};

struct access {
    uint64_t base, offset;          // operands; `offset` is a value when `immediate`
    unsigned shift, size_log2;
    bool immediate, continuous, local, per_lane;
};

// False: not a 64-bit memory instruction.
static bool decode(struct linx_fault *f, uint64_t w, struct access *a) {
    unsigned i = 0;
    while ((w & accesses[i].mask) != accesses[i].match)
        if (++i == sizeof accesses / sizeof accesses[0])
            return false;
    uint64_t left = V_SW_SrcL(w), right = V_SW_SrcR(w), other = ID_TILE;    // other operand that may be a vector
    *a = (struct access){ .base = left, .immediate = true, .size_log2 = accesses[i].size_log2 };
    switch (accesses[i].addressing) {
    case REG_LOAD:
        *a = (struct access){ .base = left, .offset = right, .size_log2 = a->size_log2, .shift = (unsigned)V_LW_shamt(w) };
        other = V_LW_RegDst(w);
        break;
    case REG_STORE:
        *a = (struct access){ .base = left, .offset = right, .size_log2 = a->size_log2,
                              .shift = (unsigned)V_SW_shamt(w) + accesses[i].shift };
        other = V_SW_SrcD(w);
        break;
    case IMM_LOAD:                  // the macro's scale is that of its own form
        a->offset = (uint64_t)(V_LWI_simm24(w) / V_LWI_simm24_SCALE) << accesses[i].shift;
        other = V_LWI_RegDst(w);
        break;
    case IMM_STORE:
        a->base = right;
        a->offset = (uint64_t)(V_SWI_simm24(w) / V_SWI_simm24_SCALE) << accesses[i].shift;
        other = left;
        break;
    case PLAIN:
    case PLAIN_STORE:
        other = right;
        break;
    }
    if (accesses[i].access != ATOMIC) {
        a->continuous = V_LW_C(w) != 0;
        a->local = V_LW_L(w) != 0;
    }
    a->per_lane = is_vector(a->base) || (!a->immediate && is_vector(a->offset)) || is_vector(other) ||
                  (a->continuous && accesses[i].access == STORE) ||
                  (accesses[i].addressing == PLAIN && is_vector(V_LW_ADD_RegDst(w)));
    f->access = accesses[i].access;
    f->access_bytes = (uint8_t)(1 << a->size_log2);
    f->local = a->local;
    return true;
}

// ---- what is allowed ------------------------------------------------------------------------------------------------------------
// Bytes of the tile that formal `n` names (to, to1, .. follow th); 0: it is not bound.
static uint64_t tile_bytes(const struct linx_fault_header *h, const struct task *t, unsigned n) {
    if (n < FORMALS_IN) {
        const struct linx_tile_operand *s = &h->source[n];
        if (n >= h->sources)
            return 0;
        if (s->shared) {
            ssr_set(LINX_SSR_SHSELECT, s->tile);
            uint64_t d = ssr_get(LINX_SSR_SHDESC);      // size code 3:0, mask 7:4
            return (uint64_t)__builtin_popcountll(d & 0xf0) * (64u << (d & 15));
        }
        unsigned hand = s->tile / LINX_HAND_DEPTH, k = s->tile % LINX_HAND_DEPTH;
        uint64_t code = hand < 3 ? t->wide->image.map[hand] >> 4 * k & 15 : 0;
        return code != 0 ? (uint64_t)LINX_TILE_BYTES(code) : 0;
    }
    n -= FORMALS_IN;
    if (h->destinations == 1 && h->destination[0].tile == 5) {     // a stack tile alone is `ts`, to1
        if (n-- == 0)
            return 0;
    }
    return n < h->destinations ? (uint64_t)LINX_TILE_BYTES(h->destination[n].size) : 0;
}

// What was last asked about a whole page: neighbouring lanes mostly share one.
struct verdict {
    uint64_t page;
    bool good;
};

static bool lane_allowed(const struct linx_fault *f, const struct task *t, uint64_t at, uint64_t limit, struct verdict *last) {
    uint64_t n = f->access_bytes, page = at / PAGE;
    if (f->cause == LINX_EC_RANGE)
        return at < limit && limit - at >= n;
    if (at == f->address || (f->access == LINX_ACCESS_ATOMIC && (at & (n - 1)) != 0))
        return false;               // whatever we think of it, the PE refused the first one
    if (page != last->page || (at + n - 1) / PAGE != page) {
        last->page = (at + n - 1) / PAGE == page ? page : ~(uint64_t)0;
        last->good = f->access == LINX_ACCESS_LOAD ? task_may_read(t, at, n) : task_may_write(t, at, n);
    }
    return last->good;
}

// Differs it from lane to lane?
static bool varies(uint64_t operand) { return is_vector(operand) || (id_of(operand) >= ID_LC && id_of(operand) < ID_TILE); }

static uint64_t lanes_at_fault(struct linx_fault *f, const struct task *t, const struct view *v, const struct access *a) {
    uint64_t lanes = 0, limit = 0;
    unsigned formal = id_of(a->base) - ID_TILE;
    if (a->local) {
        if (formal >= ID_TILE_END - ID_TILE) {          // a computed handle names the formal (docs/data-engine.md, E-8)
            formal = (unsigned)((value(v, a->base, 0) + ((uint64_t)1 << 39)) >> LINX_TILE_HANDLE_BIT) - LINX_TILE_HANDLE;
            if (formal >= ID_TILE_END - ID_TILE)
                return f->active;                       // no tile at all
        }
        limit = tile_bytes(&f->header, t, formal);
    }
    struct verdict last = { .page = ~(uint64_t)0 };
    bool base_varies = varies(a->base), offset_varies = !a->immediate && varies(a->offset);
    uint64_t base = value(v, a->base, 0), offset = a->immediate ? a->offset : value(v, a->offset, 0) << a->shift;
    for (uint64_t m = f->active; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        if (base_varies)
            base = value(v, a->base, lane);
        if (offset_varies)
            offset = value(v, a->offset, lane) << a->shift;
        uint64_t at = base + offset;
        if (a->continuous)
            at += lane_lc(v, 0, lane) << a->size_log2;
        if (a->local)
            at = (uint64_t)((int64_t)(at << (64 - LINX_TILE_HANDLE_BIT)) >> (64 - LINX_TILE_HANDLE_BIT));   // its offset
        if (!lane_allowed(f, t, at, limit, &last))
            lanes |= (uint64_t)1 << lane;
    }
    return lanes;
}

void fault_lanes(struct linx_fault *f, const struct task *t) {
    const struct wide *w = t->wide;
    struct view v = { .image = (const struct linx_engine_image *)w->area, .dr = (f->header.flags & LINX_HEADER_DR) != 0 };
    const uint16_t *lb = v.image->lb;
    f->groups = (uint8_t)((w->image.engine_bytes - LINX_ESAVE_GROUP0) / LINX_ESAVE_GROUP_BYTES);
    for (f->slot = 0;; f->slot++) {
        if (f->slot == f->groups)
            return;
        v.group = &v.image->group[f->slot];
        if (v.group->tpc != 0 && (uint16_t)fault_group_of(lb, v.dr, v.group->lc) == f->group)
            break;
    }
    for (int i = 0; i < 3; i++) {
        f->lb[i] = lb[i];
        f->lc[i] = v.group->lc[i];
    }
    uint64_t valid = v.dr ? (uint64_t)lb[0] * lb[1] * lb[2] - fault_group_of(lb, true, v.group->lc) * LINX_LANES
                          : (uint64_t)(lb[0] - v.group->lc[0]);
    f->active = v.group->p & (valid >= LINX_LANES ? ~(uint64_t)0 : ((uint64_t)1 << valid) - 1);
    struct access a;
    uint64_t word;
    if (f->trap == LINX_E_DATA && fault_fetch(t, f->tpc, &word) == 8 && decode(f, word, &a) && a.per_lane)
        f->lanes = lanes_at_fault(f, t, &v, &a);
}
