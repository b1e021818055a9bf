// SPDX-License-Identifier: BSD-2-Clause
// State of one data engine and the functions its files share. docs/data-engine.md describes the model.
#ifndef LINX_SIM_ENGINE_H
#define LINX_SIM_ENGINE_H

#include <stdio.h>
#include <string.h>

#include "pe.h"

enum { LANES = LINX_LANES, MAX_SLOTS = LINX_MAX_GROUPS, HANDS = LINX_HANDS, DEPTH = LINX_HAND_DEPTH };
enum { MAX_IN = 8, MAX_OUT = 4, NUM_RI = 12, NUM_RO = 4, TILE_MAX = LINX_TILE_MAX_BYTES };
enum vector_queue { VT, VU, VM, VN, NUM_QUEUES };

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

// ---- tiles ----------------------------------------------------------------------------------------------------
// One entry of a hand. `code` is imm4 (bytes = 16 << code), 0 = never written, dropped or released.
struct tile {
    uint8_t *data;              // TILE_MAX bytes, owned
    uint8_t *defined;           // --strict: one byte per byte of data, else NULL
    uint8_t code;
};
struct hand { struct tile entry[DEPTH]; unsigned head; };   // entry[(head + k - 1) % DEPTH] is #k

// One allocation of a Shared register: capacity x participating PEs bytes. Counted references: the register itself
// and every body that is bound to it, so that a later allocation does not pull the array from under a running body.
struct shared_alloc {
    unsigned refs;
    uint8_t size_code, mask;    // per-PE capacity 64 << size_code bytes
    uint8_t written;            // fragments written, bit = PE
    uint32_t rows, cols, valid_rows, valid_cols;
    uint32_t bytes;
    uint8_t data[];
};
struct shared_bank { struct shared_alloc *reg[LINX_SHARED_TILES]; };

// ---- groups ---------------------------------------------------------------------------------------------------
struct group {
    uint64_t tpc;               // 0 = nothing left to run
    uint64_t id;                // group id, a function of lc
    uint16_t lc[3];             // LC of lane 0
    uint64_t p;                 // lane mask as written
    uint64_t valid;             // lanes that the iteration space has
    uint64_t t[4], u[4];        // [0] = #1
    uint8_t head[NUM_QUEUES];   // v[q][(head[q] + k - 1) & 3] is #k
    uint8_t lanes_ready;        // lane_lc is up to date
    uint32_t v[NUM_QUEUES][4][LANES] __attribute__((aligned(64)));
    uint32_t lane_lc[3][LANES] __attribute__((aligned(64)));    // LC of every lane
    // --strict
    uint8_t t_defined, u_defined, v_defined[NUM_QUEUES];        // bit per entry, by position for v
};

static inline uint32_t tile_bytes(unsigned code) { return 16u << code; }

static inline uint64_t group_active(const struct group *g) { return g->p & g->valid; }

// ---- the block in the engine ------------------------------------------------------------------------------------
struct tile_in {
    const uint8_t *data;
    const uint8_t *defined;
    struct tile *local;         // to release at commit; NULL for a Shared source
    struct shared_alloc *shared;
    uint32_t bytes;
    bool reuse;
};
struct tile_out {
    struct tile t;              // buffer; t.code is the size
    uint32_t bytes;             // bytes a body may touch (of one group for the stack tile)
    uint8_t hand;               // 0..3; OUT_STACK
    bool bound;
};
enum { OUT_STACK = 5 };

enum engine_mark {
    MARK_NONE,                  // nothing to resume
    MARK_FROZEN,                // a body is in progress; a trap leaves it here
    MARK_RECOVERED,             // ERCOV put a body here
};

struct insn;

struct engine {
    struct pe *pe;
    struct shared_bank *bank;
    unsigned slots;             // group slots of the machine: 1, 2, 4
    enum engine_mark mark;

    // the block
    bool is_mem, is_seq, vs16, dr, atom;
    uint16_t lb[3];
    uint64_t ri[NUM_RI], ro[NUM_RO];
    uint8_t num_ri, num_ro, ro_reg[NUM_RO];
    uint64_t body, bpc;
    uint64_t num_groups, chunks;        // of the iteration space; MD: groups along LC0
    unsigned width;                     // slots in use
    struct tile_in in[MAX_IN];
    struct tile_out out[MAX_OUT];       // buffers stay allocated between blocks
    unsigned num_in, num_out;
    unsigned cur;                       // slot whose turn it is
    unsigned live;                      // slots with TPC != 0

    struct group group[MAX_SLOTS];
    uint64_t next_tpc;                  // set by a branch body; 0 = fall through

    struct hand hand[HANDS];
    struct tile scratch[2];             // outputs of TMA, TEPL, ESAVE before they are pushed
    struct tile acc;                    // accumulator of CUBE
    bool acc_valid; uint8_t acc_type; uint16_t acc_rows, acc_cols;

    // decoded bodies
    struct insn *cache;
    uint8_t *tile_data;         // of all tiles, which may trade their parts
    uint64_t code_page;                 // page address that code_host stands for, 1 = none
    const uint8_t *code_host;

    struct atom_log *atom_log;
    struct engine_stats stats;
    uint64_t *insn_count;
    FILE *strict;
    FILE *log_insn, *log_tile;
    struct strict_state *strict_state;
};

static inline struct engine *engine_of(struct pe *pe) { return pe->engine; }

enum exec_status engine_trap(struct engine *e, uint8_t num, uint32_t cause, uint64_t arg, const char *why);
static inline enum exec_status engine_illegal(struct engine *e, const char *why)
{
    return engine_trap(e, LINX_E_INST, LINX_EC_ILLEGAL, 0, why);
}
static inline enum exec_status engine_block_fault(struct engine *e, uint32_t cause, const char *why)
{
    return engine_trap(e, LINX_E_BLOCK, cause, 0, why);
}

// groups.c
uint64_t groups_count(const struct engine *e);
void groups_start(struct engine *e);                            // slots of a block that starts
void groups_resume(struct engine *e, unsigned group_id);        // slots of a block that goes on
void group_place(struct engine *e, struct group *g);            // id, valid from lc and LB
void group_lanes(const struct engine *e, struct group *g);      // fills lane_lc
void group_end(struct engine *e, struct group *g);              // the group in its slot ended: dispatch the next
static inline const uint32_t *group_lc(const struct engine *e, struct group *g, unsigned n)
{
    if (!g->lanes_ready)
        group_lanes(e, g);
    return g->lane_lc[n];
}

// Vector queue access.
static inline uint32_t *vec_src(struct group *g, unsigned q, unsigned k)   // k = 1..4
{
    return g->v[q][(g->head[q] + k - 1) & 3];
}
static inline uint32_t *vec_next(struct group *g, unsigned q)              // where the next push goes
{
    return g->v[q][(g->head[q] + 3) & 3];
}
static inline void vec_push(struct group *g, unsigned q) { g->head[q] = (g->head[q] + 3) & 3; }
static inline void scalar_push(uint64_t *queue, uint64_t v)
{
    queue[3] = queue[2]; queue[2] = queue[1]; queue[1] = queue[0]; queue[0] = v;
}

// engine.c
void engine_drop_block(struct engine *e);                       // unbinds whatever block is in the engine
MUST_USE enum exec_status engine_commit(struct engine *e);      // EXEC_BLOCK_DONE

// tiles.c
// All tiles of an engine: the hands' entries, the outputs, two scratch tiles, the accumulator.
enum { TILES = HANDS * DEPTH + MAX_OUT + 3 };
struct tile *engine_tile(struct engine *e, unsigned i);
struct tile *hand_entry(struct engine *e, unsigned hand, unsigned k);      // k = 1..16
void hand_push(struct engine *e, unsigned hand, struct tile *t);           // swaps buffers with the entry that falls off
// Resolves source i of the header; faults as target.md 1 and 3 say (pe->tpc = the header instruction).
MUST_USE enum exec_status tile_bind(struct engine *e, const struct block_header *h, unsigned i, struct tile_in *in);
void tile_unbind(struct tile_in *in);                                      // drops the Shared reference
void tile_release(struct engine *e, struct tile_in *in);                   // commit of a source
// Size code and hand of Local destination i, or a fault.
MUST_USE enum exec_status tile_dest_check(struct engine *e, const struct block_header *h, unsigned i);

// shared.c
MUST_USE enum exec_status shared_check(struct engine *e, const struct block_header *h);
struct shared_alloc *shared_alloc_new(unsigned size_code, unsigned mask);
void shared_unref(struct shared_alloc *a);
// Writes PE's fragment of register `reg`: joins or replaces the allocation. `rows`.. describe the shape.
bool shared_write(struct engine *e, unsigned reg, unsigned size_code, unsigned mask, const uint8_t *data,
                  uint32_t cols, uint32_t valid_rows, uint32_t valid_cols, unsigned es);
static inline uint32_t shared_capacity(unsigned size_code) { return 64u << size_code; }
static inline unsigned shared_rank(unsigned mask, unsigned pe_index) { return __builtin_popcount(mask & ((1u << pe_index) - 1)); }

// body.c, decode.c
void body_flush(struct engine *e);                                         // forget code pointers (not decoded words)

// esave.c
MUST_USE enum exec_status esave(struct engine *e, const struct block_header *h);
MUST_USE enum exec_status ercov(struct engine *e, const struct block_header *h);

// tma.c, tepl.c, cube.c
MUST_USE enum exec_status tma_block(struct engine *e, const struct block_header *h);
MUST_USE enum exec_status tepl_block(struct engine *e, const struct block_header *h);
MUST_USE enum exec_status cube_block(struct engine *e, const struct block_header *h);

// strict.c
void strict_free(struct engine *e);
void strict_begin(struct engine *e);                                        // a block starts
void strict_store(struct engine *e, struct group *g, uint64_t addr, uint32_t len);
void strict_read_vector(struct engine *e, struct group *g, unsigned q, unsigned k);
void strict_read_scalar(struct engine *e, bool defined);
void strict_tile_read(struct engine *e, const uint8_t *defined, uint32_t off, uint32_t len);

#endif
