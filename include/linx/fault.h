// SPDX-License-Identifier: BSD-2-Clause
// Faults as a program sees them: the record that says what happened, the state of the task that was stopped, and the
// handler that answers (docs/exceptions.md; trap numbers and causes: linx/arch.h).
//
//   static int handler(struct linx_fault *fault, struct linx_fault_state *state) {
//       if (fault->trap == LINX_E_DATA && repair(fault->address))
//           return LINX_FAULT_RETRY;
//       return LINX_FAULT_END_TASK;
//   }
//   linx_fault_handler(handler, NULL, 0);
#ifndef LINX_FAULT_H
#define LINX_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "linx/arch.h"

// ---- the record -----------------------------------------------------------------------------------------------------------
#define LINX_FAULT_VERSION 1

// What kind of block faulted. The engine's kinds follow EBARG.BlockType LINX_BT_DATA, taken apart by the header.
enum linx_block_kind {
    LINX_BLOCK_STD, LINX_BLOCK_SYS, LINX_BLOCK_FP, LINX_BLOCK_TEMPLATE,
    LINX_BLOCK_VPAR, LINX_BLOCK_VSEQ, LINX_BLOCK_MPAR, LINX_BLOCK_MSEQ,
    LINX_BLOCK_TMA, LINX_BLOCK_TEPL, LINX_BLOCK_CUBE,
    LINX_BLOCK_NONE,                // there is no block start at BPC, or it cannot be read
};
enum linx_access { LINX_ACCESS_NONE, LINX_ACCESS_LOAD, LINX_ACCESS_STORE, LINX_ACCESS_ATOMIC };

// LINX_BLOCK_TEMPLATE: linx_fault_header.function
enum linx_template { LINX_FENTRY, LINX_FEXIT, LINX_FRET_RA, LINX_FRET_STK, LINX_MCOPY, LINX_MSET };

#define LINX_HEADER_TEXT   1        // flags: B.TEXT was there: `body` is valid
#define LINX_HEADER_DATR   2        // B.DATR was there
#define LINX_HEADER_DR     4        // B.CATR: DR, atom, aq, rl
#define LINX_HEADER_ATOM   8
#define LINX_HEADER_AQ     16
#define LINX_HEADER_RL     32
#define LINX_HEADER_WHOLE  64       // it was read to its end

struct linx_tile_operand {
    uint8_t shared;                 // 1: S<tile>; 0: a Local tile
    uint8_t tile;                   // Local source: 16 * hand + k - 1 (hands T U M N); destination: hand, 4 ACC, 5 stack
    uint8_t size;                   // destination: size code, bytes = 16 << size (Shared: 64 << size, per PE)
    uint8_t reuse;
};

// The header's operands, as its instructions say them. After a fault in the header those up to the bad one.
struct linx_fault_header {
    uint16_t flags;                 // LINX_HEADER_*
    uint16_t function;              // body: 0 VS8, 1 VS16; TMA: Function; TEPL: TileOpcode; CUBE: Function; template: above
    uint8_t data_type;              // of TMA, TEPL, CUBE
    uint8_t sources, destinations, inputs, outputs;     // how many of the arrays below are used
    uint8_t dims;                   // bit n: B.DIM named LB<n>
    uint8_t layout, pad, datr_type, cmode, rmode, sat;  // B.DATR
    uint16_t dim[3];                // LB0..2 as B.DIM says (1 when it does not); template: dim[0] = bytes of FENTRY..
    uint8_t input[12];              // ri0.. : register numbers; template: first and last register, or the three of MCOPY
    uint8_t output[4];              // ro0..
    uint16_t reserved;
    struct linx_tile_operand source[8], destination[4];     // ta.., to.. in header order
    uint64_t body;                  // address of the body
};

#define LINX_SYMBOL_BYTES 24        // names are cut off, with a final zero

struct linx_fault {
    uint16_t version, bytes;        // LINX_FAULT_VERSION, sizeof(struct linx_fault)
    uint8_t trap;                   // LINX_E_*
    uint8_t ring;                   // LINX_ACR_*
    uint8_t block_type;             // EBARG.BlockType, LINX_BT_*
    uint8_t kind;                   // enum linx_block_kind
    uint32_t cause;                 // LINX_EC_*; for LINX_E_BREAKPOINT the instruction's immediate
    uint8_t inside;                 // 1: stopped at TPC inside the block; 0: the block has had no effect
    uint8_t access;                 // enum linx_access, of a body's memory instruction
    uint8_t access_bytes;           // per lane
    uint8_t local;                  // 1: a `.local` access
    uint64_t bpc, tpc;              // the block, the instruction
    uint64_t address;               // TRAPARG0: E_DATA address, or offset in the tile (LINX_EC_RANGE of `.local`); E_ISSR id
    // Faults inside bodies:
    uint16_t group;                 // EBARG.GroupID: low 16 bits of the group's number
    uint16_t slot;                  // which record of the image is its
    uint16_t lc[3], lb[3];          // LC of its lane 0; LB
    uint8_t groups;                 // records of the image; 0: not in a body, or it could not be saved
    uint8_t tpc_bytes;              // length of the instruction at TPC; 0: it cannot be read
    uint16_t reserved;
    uint64_t active;                // lanes that execute
    uint64_t lanes;                 // of these, the ones whose access is at fault; 0: not an access per lane
    struct linx_fault_header header;
    uint32_t bpc_offset, tpc_offset;
    char bpc_symbol[LINX_SYMBOL_BYTES], tpc_symbol[LINX_SYMBOL_BYTES];   // "": the image has no symbol there
};

// ---- the state --------------------------------------------------------------------------------------------------------------
// The private registers of a body, as ESAVE stores them (seed ESAVE; docs/target.md 2.4). A slot with TPC 0 has nothing left
// to run. Its last LC counts: the next group to start is 1 + the largest group of all slots.
struct linx_engine_group {
    uint64_t tpc;
    uint16_t lc[3], unused;         // of lane 0
    uint64_t p;                     // lane mask
    uint64_t t[4], u[4];            // t#4 .. t#1: oldest first, as are the queues below
    uint32_t vt[4][LINX_LANES], vu[4][LINX_LANES], vm[4][LINX_LANES], vn[4][LINX_LANES];   // vt#4 .. vt#1
};
struct linx_engine_image {
    uint16_t lb[3], unused;
    uint64_t ri[12], ro[4];
    struct linx_engine_group group[];
};
#define LINX_IMAGE_CHECK(what, value) _Static_assert((what) == (value), "linx/fault.h: " #what)
LINX_IMAGE_CHECK(offsetof(struct linx_engine_image, lb), LINX_ESAVE_LB);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_image, ri), LINX_ESAVE_RI);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_image, ro), LINX_ESAVE_RO);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_image, group), LINX_ESAVE_GROUP0);
LINX_IMAGE_CHECK(sizeof(struct linx_engine_group), LINX_ESAVE_GROUP_BYTES);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_group, lc), LINX_ESAVE_G_LC);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_group, p), LINX_ESAVE_G_P);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_group, t), LINX_ESAVE_G_T);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_group, u), LINX_ESAVE_G_U);
LINX_IMAGE_CHECK(offsetof(struct linx_engine_group, vt), LINX_ESAVE_G_VT);
#undef LINX_IMAGE_CHECK

struct linx_fault_state {
    uint64_t reg[24];               // R0 (ignored), R1 = sp, R2..R9 = a0..a7, R10 = ra, R11.. = s0..s8, R20.. = x0..x3
    uint64_t t[4], u[4];            // of the scalar engine; [0] = t#1
    uint64_t tpc;                   // inside a scalar block: where it goes on
    uint64_t bpc;                   // the block. Changed, the task goes on at the start of the block that is there.
    uint64_t fp;                    // FFLAGS and FRM, as in CSTATE
    uint64_t next, barg;            // EBPCN, EBARG: to look at
    struct linx_engine_image *image;    // NULL: not inside a body
};

// ---- handlers ---------------------------------------------------------------------------------------------------------------
// Answers. Any other value, and one that does not fit, ends the task.
#define LINX_FAULT_END_TASK    0
#define LINX_FAULT_RETRY       1    // the instruction again, or the block when it is not inside
#define LINX_FAULT_SKIP_LANES  2    // record.lanes leave the group (its P) for good; the others go on with the instruction
#define LINX_FAULT_END_BLOCK   3    // the block is over, with what it has done so far

typedef int linx_fault_fn(struct linx_fault *fault, struct linx_fault_state *state);

#define LINX_FAULT_STACK_MIN   2048             // for faults outside bodies
#define LINX_FAULT_STACK_BODY  (LINX_FAULT_STACK_MIN + LINX_ESAVE_IMAGE_BYTES(LINX_MAX_GROUPS) + 248)
#define LINX_FAULT_BUDGET_NS   10000000         // processor time that one fault's handler may use

// Faults of the calling task run fn on a stack of its own; fn NULL: no handler any more (then the rest is ignored). stack NULL:
// the kernel gives one with a guard page on either side (bytes 0: LINX_FAULT_STACK_BODY). EINVAL: smaller than
// LINX_FAULT_STACK_MIN; EFAULT: fn is no program text, or the stack not writable; ENOMEM; ESTATE: called from a handler.
int linx_fault_handler(linx_fault_fn *fn, void *stack, size_t bytes);
// What a handler's return does. It does not come back; ESTATE outside a handler.
int linx_fault_return(int answer);

#endif
