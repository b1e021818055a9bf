// SPDX-License-Identifier: BSD-2-Clause
// Loads, stores and atomics of data bodies: memory and `.local` tiles. A fault is found before anything changes, so
// the instruction of the group restarts as a whole (docs/target.md; digest 3.7).
#include "body.h"
#include "atom.h"

static uint32_t get32(const uint8_t *p, unsigned size_log2, bool sign)
{
    switch (size_log2) {
    case 0: return sign ? (uint32_t)(int8_t)*p : *p;
    case 1: { uint16_t v; memcpy(&v, p, 2); return sign ? (uint32_t)(int16_t)v : v; }
    default: { uint32_t v; memcpy(&v, p, 4); return v; }
    }
}
static void put32(uint8_t *p, unsigned size_log2, uint32_t v)
{
    memcpy(p, &v, 1u << size_log2);     // little-endian host, checked in engine.c
}
static uint64_t load_extend(uint64_t v, unsigned size_log2, bool sign)
{
    return extend(v, (3 - size_log2) | (sign ? 4 : 0));
}

// ---- where the lanes point ---------------------------------------------------------------------------------------
struct lanes {
    uint64_t addr[LANES];
    uint64_t first;             // address of lane 0
    bool unit;                  // addr[i] = first + i * size; addr[] is not filled
};

static void lane_addresses(const struct engine *e, struct group *g, const struct insn *d, struct lanes *l)
{
    const struct operand *base = &d->b, *off = &d->c;
    if (d->cont && !e->dr) {
        l->unit = true;
        l->first = operand_scalar(e, g, d, base) + (operand_scalar(e, g, d, off) << d->shamt) + ((uint64_t)g->lc[0] << d->size_log2);
        return;
    }
    l->unit = false;
    uint64_t ob[LANES];
    const uint64_t *o = operand_lanes64(e, g, d, off, ob);
    const unsigned sh = d->shamt;
    if (base->kind == OP_VEC) {
        uint64_t bb[LANES];
        const uint64_t *b = operand_lanes64(e, g, d, base, bb);
        for (unsigned i = 0; i < LANES; i++)
            l->addr[i] = b[i] + (o[i] << sh);
    } else {
        uint64_t b = operand_scalar(e, g, d, base);
        for (unsigned i = 0; i < LANES; i++)
            l->addr[i] = b + (o[i] << sh);
    }
    if (d->cont) {
        const uint32_t *lc = group_lc(e, g, 0);
        for (unsigned i = 0; i < LANES; i++)
            l->addr[i] += (uint64_t)lc[i] << d->size_log2;
    }
}
static uint64_t scalar_address(const struct engine *e, struct group *g, const struct insn *d)
{
    return operand_scalar(e, g, d, &d->b) + (operand_scalar(e, g, d, &d->c) << d->shamt);
}

// ---- .local -------------------------------------------------------------------------------------------------------
// The tile that a handle names. Unbound formals have size 0.
struct local { uint8_t *data; uint8_t *defined; uint32_t bytes; bool output; uint64_t handle; };

static bool local_tile(struct engine *e, struct group *g, uint64_t addr, struct local *t)
{
    uint64_t n = ((addr + (1ull << 39)) >> 40) - (TILE_HANDLE(0) >> 40);
    if (n >= MAX_IN + MAX_OUT)
        return false;
    t->handle = TILE_HANDLE(n);
    if (n < MAX_IN) {
        struct tile_in *in = &e->in[n];
        bool bound = n < e->num_in;
        *t = (struct local){bound ? (uint8_t *)in->data : NULL, bound ? (uint8_t *)in->defined : NULL, bound ? in->bytes : 0, false, t->handle};
    } else {
        struct tile_out *out = &e->out[n - MAX_IN];
        uint32_t off = out->hand == OUT_STACK ? (uint32_t)(g - e->group) * out->bytes : 0;
        *t = (struct local){out->bound ? out->t.data + off : NULL, out->bound && out->t.defined ? out->t.defined + off : NULL,
                            out->bound ? out->bytes : 0, true, t->handle};
    }
    return true;
}

static enum exec_status local_range(struct engine *e, uint64_t off)
{
    return engine_trap(e, LINX_E_DATA, LINX_EC_RANGE, off, ".local access outside the bound tile");
}

// Finds the tile and turns addresses into offsets; checks every active lane, lowest first.
static enum exec_status local_lanes(struct engine *e, struct group *g, const struct insn *d, struct lanes *l, uint64_t active,
                                    struct local *t, bool store)
{
    uint64_t probe = d->b.kind == OP_TILE ? TILE_HANDLE(d->b.n) : operand_scalar(e, g, d, &d->b);
    if (!local_tile(e, g, probe, t))
        return engine_trap(e, LINX_E_DATA, LINX_EC_RANGE, probe, ".local access through a value that is no tile");
    if (store && !t->output)
        return engine_illegal(e, ".local store to an input tile");
    uint32_t size = 1u << d->size_log2;
    if (l->unit) {
        l->first -= t->handle;
        unsigned lo = (unsigned)__builtin_ctzll(active), hi = 63 - (unsigned)__builtin_clzll(active);
        uint64_t start = l->first + lo * size;
        if (start < t->bytes && t->bytes - start >= (hi - lo + 1) * size)
            return EXEC_OK;
        for (uint64_t m = active; m; m &= m - 1) {
            uint64_t off = l->first + (uint64_t)__builtin_ctzll(m) * size;
            if (off >= t->bytes || t->bytes - off < size)
                return local_range(e, off);
        }
        return EXEC_OK;
    }
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint64_t off = l->addr[i] -= t->handle;
        if (off >= t->bytes || t->bytes - off < size)
            return local_range(e, off);
    }
    return EXEC_OK;
}

// ---- flat copies: `p` is the byte of offset 0 -----------------------------------------------------------------------
// Unit stride: lanes lo..hi lie at p[lo*size]...
static void gather_unit(uint32_t *r, const uint8_t *p, unsigned size_log2, bool sign, unsigned lo, unsigned hi)
{
    switch (size_log2) {
    case 2:
        memcpy(r + lo, p + 4 * lo, 4 * (hi - lo + 1));
        return;
    case 1:
        if (sign)
            for (unsigned i = lo; i <= hi; i++) { int16_t v; memcpy(&v, p + 2 * i, 2); r[i] = (uint32_t)v; }
        else
            for (unsigned i = lo; i <= hi; i++) { uint16_t v; memcpy(&v, p + 2 * i, 2); r[i] = v; }
        return;
    default:
        if (sign)
            for (unsigned i = lo; i <= hi; i++) r[i] = (uint32_t)(int8_t)p[i];
        else
            for (unsigned i = lo; i <= hi; i++) r[i] = p[i];
    }
}
// Lanes at p[addr[i] - bias]; inactive ones give 0.
#define GATHER(type, extended)                                                          \
    for (unsigned i = 0; i < LANES; i++) {                                              \
        type v = 0;                                                                     \
        if (active >> i & 1)                                                            \
            memcpy(&v, p + (addr[i] - bias), sizeof(v));                                \
        r[i] = (uint32_t)(extended)v;                                                   \
    }
static void gather_lanes(uint32_t *r, const uint8_t *p, const uint64_t *addr, uint64_t bias, unsigned size_log2, bool sign,
                         uint64_t active)
{
    if (size_log2 == 2 && active == ~0ull) {
        for (unsigned i = 0; i < LANES; i++)
            memcpy(&r[i], p + (addr[i] - bias), 4);
        return;
    }
    switch (size_log2 * 2 + sign) {
    case 0: GATHER(uint8_t, uint8_t) break;
    case 1: GATHER(int8_t, int32_t) break;
    case 2: GATHER(uint16_t, uint16_t) break;
    case 3: GATHER(int16_t, int32_t) break;
    default: GATHER(uint32_t, uint32_t) break;
    }
}
static void scatter_unit(uint8_t *p, const uint32_t *v, unsigned size_log2, uint64_t active)
{
    unsigned lo = (unsigned)__builtin_ctzll(active), hi = 63 - (unsigned)__builtin_clzll(active);
    bool dense = active >> lo == ~0ull >> (63 - (hi - lo));
    if (dense && size_log2 == 2) {
        memcpy(p + 4 * lo, v + lo, 4 * (hi - lo + 1));
    } else if (dense && size_log2 == 1) {
        for (unsigned i = lo; i <= hi; i++) { uint16_t x = (uint16_t)v[i]; memcpy(p + 2 * i, &x, 2); }
    } else if (dense) {
        for (unsigned i = lo; i <= hi; i++) p[i] = (uint8_t)v[i];
    } else {
        for (uint64_t m = active; m; m &= m - 1) {
            unsigned i = (unsigned)__builtin_ctzll(m);
            put32(p + ((size_t)i << size_log2), size_log2, v[i]);
        }
    }
}

// ---- memory ---------------------------------------------------------------------------------------------------------
// Host address of every active lane where that is RAM, else NULL; faults are found here, lowest lane first.
static enum exec_status probe_lanes(struct engine *e, const struct insn *d, struct lanes *l, uint64_t active, bool write,
                                    uint8_t **host)
{
    uint32_t size = 1u << d->size_log2;
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        if (l->unit)
            l->addr[i] = l->first + (uint64_t)i * size;
        if (e->atom && atom_check(e, l->addr[i], size, write) != EXEC_OK)
            return EXEC_TRAP;
        host[i] = pe_host(e->pe, l->addr[i], size, write);
        if (!host[i] && pe_probe(e->pe, l->addr[i], size, write) != EXEC_OK)
            return EXEC_TRAP;
    }
    return EXEC_OK;
}

static bool address_span(const struct lanes *l, uint64_t active, unsigned size, uint64_t *lo, uint64_t *len)
{
    uint64_t min = ~0ull, max = 0;
    if (active == ~0ull)
        for (unsigned i = 0; i < LANES; i++) {
            min = l->addr[i] < min ? l->addr[i] : min;
            max = l->addr[i] > max ? l->addr[i] : max;
        }
    else for (unsigned i = 0; i < LANES; i++) {
        uint64_t on = -(active >> i & 1);
        uint64_t a = l->addr[i];
        min = (a | ~on) < min ? a : min;
        max = (a & on) > max ? a : max;
    }
    *lo = min;
    *len = max - min + size;
    return max - min < 4096;
}

static enum exec_status load_memory(struct engine *e, const struct insn *d, struct lanes *l, uint64_t active, uint32_t *r)
{
    unsigned size = 1u << d->size_log2;
    if (likely(!e->atom)) {
        if (l->unit) {
            unsigned lo = (unsigned)__builtin_ctzll(active), hi = 63 - (unsigned)__builtin_clzll(active);
            const uint8_t *p = pe_host(e->pe, l->first + lo * size, (hi - lo + 1) * size, false);
            if (likely(p != NULL)) {
                gather_unit(r, p - lo * size, d->size_log2, d->sign, lo, hi);
                return EXEC_OK;
            }
        } else {
            uint64_t lo, len;
            const uint8_t *p = address_span(l, active, size, &lo, &len) ? pe_host(e->pe, lo, len, false) : NULL;
            if (p) {
                gather_lanes(r, p, l->addr, lo, d->size_log2, d->sign, active);
                return EXEC_OK;
            }
        }
    }
    uint8_t *host[LANES];
    if (probe_lanes(e, d, l, active, false, host) != EXEC_OK)
        return EXEC_TRAP;
    uint32_t tmp[LANES];
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        uint64_t v;
        if (host[i]) {
            tmp[i] = get32(host[i], d->size_log2, d->sign);
        } else {
            if (pe_load(e->pe, l->addr[i], size, &v) != EXEC_OK)
                return EXEC_TRAP;
            tmp[i] = (uint32_t)load_extend(v, d->size_log2, d->sign);
        }
    }
    for (uint64_t m = active; m; m &= m - 1)
        r[__builtin_ctzll(m)] = tmp[__builtin_ctzll(m)];
    return EXEC_OK;
}

static enum exec_status store_memory(struct engine *e, struct group *g, const struct insn *d, struct lanes *l, uint64_t active,
                                     const uint32_t *v)
{
    unsigned size = 1u << d->size_log2;
    if (likely(!e->atom && !e->strict)) {
        if (l->unit) {
            unsigned lo = (unsigned)__builtin_ctzll(active), hi = 63 - (unsigned)__builtin_clzll(active);
            uint8_t *p = pe_host(e->pe, l->first + lo * size, (hi - lo + 1) * size, true);
            if (likely(p != NULL)) {
                scatter_unit(p - lo * size, v, d->size_log2, active);
                pe_wrote(e->pe, l->first + lo * size, (hi - lo + 1) * size);
                return EXEC_OK;
            }
        } else {
            uint64_t lo, len;
            uint8_t *p = address_span(l, active, size, &lo, &len) ? pe_host(e->pe, lo, len, true) : NULL;
            if (p) {
                for (uint64_t m = active; m; m &= m - 1) {
                    unsigned i = (unsigned)__builtin_ctzll(m);
                    put32(p + (l->addr[i] - lo), d->size_log2, v[i]);
                }
                pe_wrote(e->pe, lo, len);
                return EXEC_OK;
            }
        }
    }
    uint8_t *host[LANES];
    if (probe_lanes(e, d, l, active, true, host) != EXEC_OK)
        return EXEC_TRAP;
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        if (unlikely(e->strict))
            strict_store(e, g, l->addr[i], size);
        if (e->atom)
            atom_save(e, l->addr[i], size);
        if (host[i]) {
            put32(host[i], d->size_log2, v[i]);
            pe_wrote(e->pe, l->addr[i], size);
        } else if (pe_store(e->pe, l->addr[i], size, load_extend(v[i], d->size_log2, false)) != EXEC_OK) {
            return EXEC_TRAP;
        }
    }
    return EXEC_OK;
}

// ---- bodies ---------------------------------------------------------------------------------------------------------
static enum exec_status memory_allowed(struct engine *e)
{
    return e->is_mem ? EXEC_OK : engine_illegal(e, "memory access in a vector block (VPAR, VSEQ)");
}

enum exec_status body_load(struct engine *e, struct group *g, const struct insn *d)
{
    if (!d->local && memory_allowed(e) != EXEC_OK)
        return EXEC_TRAP;
    uint64_t active = group_active(g);
    if (d->vform) {
        struct lanes l;
        uint32_t *r = vec_next(g, d->dst.n);
        if (likely(active != 0)) {
            lane_addresses(e, g, d, &l);
            if (d->local) {
                struct local t;
                if (local_lanes(e, g, d, &l, active, &t, false) != EXEC_OK)
                    return EXEC_TRAP;
                if (unlikely(e->strict))
                    for (uint64_t m = active; m; m &= m - 1) {
                        unsigned i = (unsigned)__builtin_ctzll(m);
                        strict_tile_read(e, t.defined, (uint32_t)(l.unit ? l.first + ((uint64_t)i << d->size_log2) : l.addr[i]), 1u << d->size_log2);
                    }
                if (l.unit)
                    gather_unit(r, t.data + (int64_t)l.first, d->size_log2, d->sign, (unsigned)__builtin_ctzll(active), 63 - (unsigned)__builtin_clzll(active));
                else
                    gather_lanes(r, t.data, l.addr, 0, d->size_log2, d->sign, active);
            } else if (load_memory(e, d, &l, active, r) != EXEC_OK) {
                return EXEC_TRAP;
            }
        }
        dest_vector(g, d, active);
        return EXEC_OK;
    }
    uint64_t addr = scalar_address(e, g, d), v = 0;
    unsigned size = 1u << d->size_log2;
    if (d->cont)
        addr += (uint64_t)g->lc[0] << d->size_log2;
    if (d->local) {
        struct local t;
        struct lanes one = {.addr = {addr}};
        if (local_lanes(e, g, d, &one, 1, &t, false) != EXEC_OK)
            return EXEC_TRAP;
        if (unlikely(e->strict))
            strict_tile_read(e, t.defined, (uint32_t)one.addr[0], size);
        memcpy(&v, t.data + one.addr[0], size);
    } else {
        if (e->atom && atom_check(e, addr, size, false) != EXEC_OK)
            return EXEC_TRAP;
        if (pe_load(e->pe, addr, size, &v) != EXEC_OK)
            return EXEC_TRAP;
    }
    return dest_scalar(e, g, d, load_extend(v, d->size_log2, d->sign));
}

enum exec_status body_store(struct engine *e, struct group *g, const struct insn *d)
{
    if (!d->local && memory_allowed(e) != EXEC_OK)
        return EXEC_TRAP;
    unsigned size = 1u << d->size_log2;
    if (d->vform) {
        uint64_t active = group_active(g);
        if (active == 0)
            return EXEC_OK;
        struct lanes l;
        uint32_t buf[LANES];
        const uint32_t *v = operand_lanes32(e, g, d, &d->a, buf);
        lane_addresses(e, g, d, &l);
        if (!d->local)
            return store_memory(e, g, d, &l, active, v);
        struct local t;
        if (local_lanes(e, g, d, &l, active, &t, true) != EXEC_OK)
            return EXEC_TRAP;
        if (unlikely(e->strict))
            for (uint64_t m = active; m; m &= m - 1) {
                unsigned i = (unsigned)__builtin_ctzll(m);
                uint64_t off = l.unit ? l.first + ((uint64_t)i << d->size_log2) : l.addr[i];
                strict_store(e, g, t.handle + off, size);
                if (t.defined)
                    memset(t.defined + off, 1, size);
            }
        if (l.unit)
            scatter_unit(t.data + (int64_t)l.first, v, d->size_log2, active);
        else
            for (uint64_t m = active; m; m &= m - 1)
                put32(t.data + l.addr[__builtin_ctzll(m)], d->size_log2, v[__builtin_ctzll(m)]);
        return EXEC_OK;
    }
    uint64_t addr = scalar_address(e, g, d), v = operand_scalar(e, g, d, &d->a);
    if (d->local) {
        struct local t;
        struct lanes one = {.addr = {addr}};
        if (local_lanes(e, g, d, &one, 1, &t, true) != EXEC_OK)
            return EXEC_TRAP;
        if (unlikely(e->strict)) {
            strict_store(e, g, t.handle + one.addr[0], size);
            if (t.defined)
                memset(t.defined + one.addr[0], 1, size);
        }
        memcpy(t.data + one.addr[0], &v, size);
        return EXEC_OK;
    }
    if (e->atom && atom_check(e, addr, size, true) != EXEC_OK)
        return EXEC_TRAP;
    if (e->atom)
        atom_save(e, addr, size);
    if (unlikely(e->strict))
        strict_store(e, g, addr, size);
    return pe_store(e->pe, addr, size, load_extend(v, d->size_log2, false));
}

static uint64_t amo_result(unsigned op, uint64_t old, uint64_t v, unsigned size_log2, bool sgn)
{
    old = load_extend(old, size_log2, sgn);
    v = load_extend(v, size_log2, sgn);
    switch (op) {
    case AMO_ADD: return old + v;
    case AMO_AND: return old & v;
    case AMO_OR: return old | v;
    case AMO_XOR: return old ^ v;
    case AMO_MAX: return (sgn ? (int64_t)v > (int64_t)old : v > old) ? v : old;
    default: return (sgn ? (int64_t)v < (int64_t)old : v < old) ? v : old;
    }
}

// Serially in lane order over the active lanes; old values go to the destination (V.L*) or nowhere (V.S*).
enum exec_status body_amo(struct engine *e, struct group *g, const struct insn *d)
{
    if (memory_allowed(e) != EXEC_OK)
        return EXEC_TRAP;
    unsigned size = 1u << d->size_log2;
    bool sgn = d->b.type & 4;
    uint64_t active = d->vform ? group_active(g) : 1;
    uint64_t ab[LANES], vb[LANES];
    const uint64_t *addr = ab, *v = vb;
    if (d->vform) {
        addr = operand_lanes64(e, g, d, &d->a, ab);
        v = operand_lanes64(e, g, d, &d->b, vb);
    } else {
        ab[0] = operand_scalar(e, g, d, &d->a);
        vb[0] = operand_scalar(e, g, d, &d->b);
    }
    for (uint64_t m = active; m; m &= m - 1) {
        uint64_t a = addr[__builtin_ctzll(m)];
        if (a & (size - 1))
            return engine_trap(e, LINX_E_DATA, LINX_EC_STORE_MISALIGNED, a, "misaligned atomic");
        if (e->atom && atom_check(e, a, size, true) != EXEC_OK)
            return EXEC_TRAP;
        if (pe_probe(e->pe, a, size, true) != EXEC_OK || pe_probe(e->pe, a, size, false) != EXEC_OK)
            return EXEC_TRAP;
    }
    uint32_t result[LANES] = {0};
    uint64_t old = 0;
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned i = (unsigned)__builtin_ctzll(m);
        if (pe_load(e->pe, addr[i], size, &old) != EXEC_OK)
            return EXEC_TRAP;
        if (e->atom)
            atom_save(e, addr[i], size);
        if (pe_store(e->pe, addr[i], size, load_extend(amo_result(d->op, old, v[i], d->size_log2, sgn), d->size_log2, false)) != EXEC_OK)
            return EXEC_TRAP;
        result[i] = (uint32_t)old;
    }
    if (d->dst.kind == DST_VEC) {
        memcpy(vec_next(g, d->dst.n), result, sizeof(result));
        dest_vector(g, d, active);
        return EXEC_OK;
    }
    return dest_scalar(e, g, d, load_extend(old, d->size_log2, true));
}
