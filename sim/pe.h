// SPDX-License-Identifier: BSD-2-Clause
// State of one PE (a Linx logical core) and the services that the scalar core and the data engine share.
// Scalar core: core/. Data engine (bodies, tiles, TMA, TEPL, CUBE, ESAVE/ERCOV): engine/.
#ifndef LINX_SIM_PE_H
#define LINX_SIM_PE_H

#include <stdbool.h>
#include <stdint.h>

#include "linx/arch.h"

struct machine;
struct engine;   // data-engine state of one PE, engine/engine.h

// A synchronous exception on its way: filled by whoever finds it, delivered by the core.
struct trap {
    uint8_t num;        // LINX_E_*
    uint32_t cause;     // LINX_EC_*
    uint64_t arg;       // TRAPARG0
    const char *why;    // one clause for `-d trap` ("V.LD in a v-form"), static text or NULL; not architectural
};

enum exec_status {      // outcome of one step; never ignored
    EXEC_OK,            // instruction done
    EXEC_TRAP,          // pe->trap holds the reason; the instruction had no effect
    EXEC_BLOCK_DONE,    // the data block finished (engine only)
};
enum { ATOM_LIMIT = 4096 };     // instructions for which the second attempt of an atomic data block is not interrupted
#define MUST_USE __attribute__((warn_unused_result))

// A decoded decoupled or template-tile header: everything between BSTART and the end of the header. The core
// parses headers (it knows fetch, B.IOR registers, SHARED windows); the engine consumes this record.
struct tile_operand {
    bool shared;        // B.IOS: absolute register `index`; else Local hand*16 + (k-1)
    bool reuse;         // Local source: `.reuse`
    uint8_t index;
};
struct tile_dest {
    bool shared;
    uint8_t index;      // Shared register, or hand 0..3 T U M N, 4 ACC, 5 S (stack tile)
    uint8_t size;       // Local: imm4 (bytes = 16 << imm4); Shared: SizeCode 1..12
};
#define MAX_TILE_SRC 8
#define MAX_TILE_DST 8  // checks per block kind are the engine's
struct block_header {
    uint64_t bpc, end;          // address of BSTART; address after the header (LRA)
    uint64_t body;              // B.TEXT target, 0 = none
    uint16_t form;              // enum linx_form of the BSTART
    uint8_t data_type;          // DataType of BSTART
    uint16_t function;          // TMA/CUBE Function, TEPL TileOpcode; Mode (VS8/VS16) for bodies
    uint16_t lb[3];             // default 1
    bool lb_set[3];
    uint8_t shared_mask;        // PE mask of the B.IOS (bit p = PE p), 0 when the header has none. The core completes a
                                // header whose mask excludes its PE, checks that all masks agree and the window
    bool has_datr, atom, dr;
    uint8_t datr_layout, datr_pad, datr_type, datr_cmode, datr_rmode; bool datr_sat;
    uint8_t num_ri, num_ro;
    uint64_t ri[12];            // values sampled when the header is parsed
    uint8_t ri_reg[12];         // their registers (0..23)
    uint8_t ro_reg[4];          // destination registers of RO0..
    uint8_t num_src, num_dst;
    struct tile_operand src[MAX_TILE_SRC];
    struct tile_dest dst[MAX_TILE_DST];
    uint64_t src_at[MAX_TILE_SRC], dst_at[MAX_TILE_DST];  // address of the header instruction, for ETPC
};

struct pe {
    struct machine *m;
    uint8_t core, index;        // index in core 0..3
    uint16_t lxlcid;            // core * 4 + index

    uint64_t r[33];             // R0..R23, then T#1..4, U#1..4 in 24..31 (source numbering of reg5); 32 = dropped results
    uint64_t bpc, tpc;
    // BARG
    uint64_t bpcn;
    uint8_t block_type;         // LINX_BT_*
    uint8_t br_type;            // TYPE 0..3
    bool taken, aq, rl;
    bool in_body;               // between a BSTART and its end: BI of a trap taken now

    uint64_t cstate, tp, gp;
    struct ring_bank {
        uint64_t ecstate, evbase, trapno, traparg0, etemp, futo, econfig, ebpc, ebarg, etpc, ebpcn;
        uint64_t timer_cmp, xbinfo;
        uint64_t timer_offset;  // TIMER_TIME = TIME + offset
        bool ipi, forced_ti;    // latched inter-PE interrupt; timer interrupt forced by --preempt-*
    } bank[2];                  // ACR0, ACR1
    uint64_t mmtbase, mmconfig, lcfr_en;
    uint64_t shared_window, shared_select;

    struct trap trap;           // valid after EXEC_TRAP
    struct engine *engine;
    uint64_t insns;             // executed instructions; TIME in ns is pe_time()

    // ---- scalar core only (core/) ----
    uint64_t idle_ns;           // time skipped asleep
    uint32_t run_done;          // instructions of the decoded run in progress that insns does not count yet
    bool data_active;           // a data body is in progress: next step is the engine's
    bool atomic;                // inside a `B.CATR atom` block
    bool leave;                 // something changed that the run loop must look at after this instruction
    uint8_t sleep;              // enum sleep_kind
    struct core *x;             // TLB, decoded-code caches, private to core/
};

// Memory as the current ring of `pe` sees it (MMU, devices). `size` 1, 2, 4, 8. On failure they fill pe->trap
// (E_DATA with address) and return EXEC_TRAP; nothing was changed.
MUST_USE enum exec_status pe_load(struct pe *pe, uint64_t va, unsigned size, uint64_t *value);
MUST_USE enum exec_status pe_store(struct pe *pe, uint64_t va, unsigned size, uint64_t value);
// Checks that [va, va+len) may be read (or written) so that a following run of accesses cannot fault.
MUST_USE enum exec_status pe_probe(struct pe *pe, uint64_t va, uint64_t len, bool write);
// Host pointer to RAM behind va when [va, va+len) is plain RAM within one page and accessible, else NULL (no trap).
void *pe_host(struct pe *pe, uint64_t va, uint64_t len, bool write);
// Tells reservations and decoded-code caches of every PE that RAM at va changed (pe_store does it itself; users of
// a writable pe_host pointer must call it).
void pe_wrote(struct pe *pe, uint64_t va, uint64_t len);
// Reads code: one 64-bit little-endian value at va, `bytes` valid. Faults are E_INST.
MUST_USE enum exec_status pe_fetch(struct pe *pe, uint64_t va, unsigned bytes, uint64_t *value);
// Records a synchronous exception; returns EXEC_TRAP so that "return pe_trap(...)" reads well.
enum exec_status pe_trap(struct pe *pe, uint8_t num, uint32_t cause, uint64_t arg);

// TIME of this PE, ns since reset.
static inline uint64_t pe_time(const struct pe *pe) { return pe->insns + pe->run_done + pe->idle_ns; }

static inline unsigned pe_ring(const struct pe *pe) { return pe->cstate & LINX_CSTATE_ACR_MASK; }

// ---- the data engine, called by the scalar core -------------------------------------------------------------
// One bank of Shared registers S0..S255 per core; every engine of the core is given the same one.
struct shared_bank;
struct shared_bank *shared_bank_new(void);
void shared_bank_free(struct shared_bank *b);
struct engine *engine_new(struct pe *pe, unsigned group_slots, struct shared_bank *bank);   // group_slots 1, 2 or 4
void engine_free(struct engine *e);
void engine_reset(struct engine *e);         // power-on state: queues 0, no tiles, no mark; the core's Shared registers empty
// `--strict`: report reads of undefined state and overlapping stores of PAR groups to `out` (NULL = off, the default).
void engine_set_strict(struct engine *e, void *out /* FILE * */);
// `-d insn` and `-d tile`: where body instructions and tile traffic are written (FILE *), NULL = off.
void engine_set_log(struct engine *e, void *insn, void *tile);
// Counters since reset, for `--stats`. `insns` is indexed by enum linx_form.
struct engine_stats {
    uint64_t blocks[4];         // VPAR, VSEQ, MPAR, MSEQ completed
    uint64_t groups, body_insns, lane_ops;
    uint64_t tload, tload_bytes, tstore, tstore_bytes, tmov, tepl, cube;
    uint64_t esave, ercov, resumes;
    const uint64_t *insns;
};
const struct engine_stats *engine_stats(const struct engine *e);

// When engine_start, engine_resume or engine_tile_block return EXEC_TRAP, pe->tpc is the address for ETPC (the header
// instruction at fault, or the BSTART).
// Starts a VPAR/VSEQ/MPAR/MSEQ block: checks ECONFIG.V and tiles, binds, allocates outputs, dispatches the first groups.
// On EXEC_TRAP nothing has changed. EXEC_BLOCK_DONE: an empty iteration space, the block is complete (committed).
MUST_USE enum exec_status engine_start(struct pe *pe, const struct block_header *h);
// Executes one instruction of one group (target.md 2.11). EXEC_BLOCK_DONE: all groups ended; outputs were pushed, sources
// released and RO written to the GPRs. EXEC_TRAP: frozen; *group is the group slot's group id and *tpc its instruction;
// in an atomic block (h->atom) the block was discarded instead (target.md 2.10): report BI = 0.
MUST_USE enum exec_status engine_step(struct pe *pe, uint64_t *tpc, unsigned *group);
// As engine_step, but up to `budget` instructions at once (the fast path); *done = number executed.
MUST_USE enum exec_status engine_run(struct pe *pe, uint64_t budget, uint64_t *done, uint64_t *tpc, unsigned *group);
// ACRE 1 of a data block: re-binds tiles from the re-read header, everything else from the frozen or recovered state.
// `group` is EBARG.GroupID: the round of group instructions goes on with that group. E_BLOCK(EC_INVAL_PARM) without the mark.
MUST_USE enum exec_status engine_resume(struct pe *pe, const struct block_header *h, unsigned group);
// An interrupt is taken in an atomic data block: undo it (memory, queues); the trap then has BI = 0 and ETPC = EBPC.
void engine_discard(struct pe *pe);
// The instruction and group an interrupt taken now would report (ETPC, EBARG.GroupID).
void engine_where(struct pe *pe, uint64_t *tpc, unsigned *group);
// TMA, TEPL (with ESAVE/ERCOV) and CUBE blocks: executed whole; on EXEC_TRAP no effect.
MUST_USE enum exec_status engine_tile_block(struct pe *pe, const struct block_header *h);
// Tile map SSR of a hand (target.md 2.6); Shared descriptor SSRs.
uint64_t engine_tile_map(const struct pe *pe, unsigned hand);
uint64_t engine_shared_desc(const struct pe *pe, unsigned reg);
uint64_t engine_shared_shape(const struct pe *pe, unsigned reg);

#endif
