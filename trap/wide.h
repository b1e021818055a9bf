// SPDX-License-Identifier: BSD-2-Clause
// The wide state of a task: data engine (private registers and outputs of an interrupted body, or what the last body
// left in the queues) and tile hands. It stays in the PE until another task needs the engine; then it is moved to the
// owner's save area by ESAVE and TSTORE, and it comes back by TLOAD and ERCOV when the owner needs it again.
//
// Ownership: pe->wide_owner. ECONFIG.V is 0 only while the owner runs, so every other task's first data block traps
// (E_INST(EC_PERM)) and wide_demand() hands the engine over; a task that goes on inside a body gets it in wide_switch.
// Nothing of the last owner is readable afterwards: its entries are released, its queues overwritten.
//
// The accumulator of CUBE cannot be saved (docs/data-engine.md E-1). ECONFIG.C is 0 only for an owner that has asked, and
// what such an owner leaves in the accumulator is destroyed with the next hand-over: whoever reads it then, be it the same
// task, faults. A task between its TMATMUL and ACCCVT must have its PE's engine for itself.
#ifndef LINX_WIDE_H
#define LINX_WIDE_H

#include "kernel/arch.h"
#include "linx/arch.h"

enum body_kind { BODY_VPAR, BODY_VSEQ, BODY_MPAR, BODY_MSEQ, BODY_KINDS, BODY_NONE = BODY_KINDS };

#define WIDE_VERSION 1

// What describes a saved image. A resume refuses an image whose version, geometry, owner or generation does not fit.
struct wide_image {
    uint16_t version;           // WIDE_VERSION
    uint8_t group_slots;        // of the PE that saved it
    uint8_t outputs;            // of the interrupted block
    uint16_t pe;                // LXLCID of the PE that saved it
    linx_handle owner;
    uint32_t generation;        // counts the saves of this owner
    uint32_t engine_bytes;      // private registers in the area; 0: none (not in a body, inheritance waived)
    uint16_t output_rows[4];    // of 32 bytes
    uint64_t map[3];            // hands T, U, M: nibble k-1 = size code of #k, 0 = empty or released
    // the area holds: engine_bytes, outputs, then the tiles of T, U, M, oldest first
};

struct wide {
    struct wide_image image;
    bool saved;                 // the area holds the state (else it is in the PE, or there is none yet)
    uint32_t generation;
    char *area;
    uint32_t area_bytes;
    uint64_t body_preempts[BODY_KINDS];
    uint64_t esaves, ercovs, bytes_moved, bytes_live;
    uint64_t declared[3];       // LINX_NO_TILEMAP
};

static inline bool in_body(const struct context *c) {
    return (c->ecstate & LINX_ECSTATE_BI) != 0 && ((c->ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT) & 31) == LINX_BT_DATA;
}

// Number of groups of the iteration space LB0..2; `dr`: B.CATR DR of the header (docs/data-engine.md).
static inline uint64_t iteration_groups(const uint16_t lb[3], bool dr) {
    return dr ? ((uint64_t)lb[0] * lb[1] * lb[2] + LINX_LANES - 1) / LINX_LANES
              : (uint64_t)((lb[0] + LINX_LANES - 1) / LINX_LANES) * lb[1] * lb[2];
}

#define ECONFIG_ON  (LINX_ECONFIG_E | LINX_ECONFIG_T | LINX_ECONFIG_I)
#define ECONFIG_C   ((uint64_t)1 << LINX_ECONFIG_C_BIT)
#define ECONFIG_VC  (((uint64_t)1 << LINX_ECONFIG_V_BIT) | ECONFIG_C)

static inline void wide_set_econfig(struct pe *pe, uint64_t econfig) {
    if (econfig != pe->econfig) {
        pe->econfig = econfig;
        ssr_set(SSR1(LINX_SSRO_ECONFIG), econfig);
    }
}

void wide_count_preemption(struct task *t);
MUST_USE bool wide_hand_over(struct pe *pe, struct task *next);

// `t` leaves the PE: a preemption inside a body is counted.
static inline void wide_leave(struct task *t) {
    if (in_body(&t->ctx))
        wide_count_preemption(t);
}
// `next` is to get the PE: hands the engine over if it goes on inside a body, sets ECONFIG. False: for want of memory or
// because of a false header a task has ended; choose again.
MUST_USE static inline bool wide_enter(struct pe *pe, struct task *next) {
    if (pe->wide_owner != next && in_body(&next->ctx) && !wide_hand_over(pe, next))
        return false;
    wide_set_econfig(pe, pe->wide_owner == next ? pe->owner_econfig : ECONFIG_ON | ECONFIG_VC);
    return true;
}

// The running task's first data block since it lost the engine, or its first matrix block (`cube`). False: it may not, or there is no memory; it has ended
// or is about to (the caller reports).
MUST_USE bool wide_demand(struct pe *pe, struct task *t, bool cube);
// The task ends: its state is dropped; the statistics stay until its TCB goes.
void wide_forget(struct task *t);
// Moves the owner's state from the PE to its save area. False: there is no memory, or its header is not the one of the body
// that was stopped; the state is lost then, and whoever asked ends the owner.
MUST_USE bool wide_put_away(struct pe *pe);
// Frees the PE of its owner's state. False: it could not be saved, and the owner has ended.
MUST_USE bool wide_evict(struct pe *pe);
// What kind of body starts at `header` (in the program's text)?
enum body_kind body_kind_at(uint64_t header);

#endif
