// SPDX-License-Identifier: BSD-2-Clause
// What the rows of insns.inc call that is too long to be a row.
#ifndef LINX_SIM_EXEC_H
#define LINX_SIM_EXEC_H

#include "core.h"
#include "handlers.h"
#include "fp/fp.h"

static inline bool handler_is_uncounted(unsigned h) { return h >= HANDLER(H_END_FALL) && h <= HANDLER(H_CONTINUE); }
bool handler_is_start(unsigned h);   // a block start of any kind (breakpoints excluded)

// Successor of the scalar block in progress, looked up in BARG. E_BLOCK when an indirect block has no target.
MUST_USE enum exec_status block_next(struct pe *pe, uint64_t following, uint64_t *next);
void block_ended(struct pe *pe, uint64_t next);     // commits; the next block is at `next`
bool header_position(struct pe *pe, uint64_t pc);   // only header instructions lie between BPC and pc
void wait_block(struct pe *pe, int form, uint64_t operand);
MUST_USE enum exec_status maintain(struct pe *pe, int form, uint64_t operand);
uint32_t ssr_swap_id(const struct pe *pe, uint32_t id);
uint64_t lsr_read(const struct pe *pe, unsigned id);

enum amo_op { AMO_ADD, AMO_AND, AMO_OR, AMO_XOR, AMO_SMAX, AMO_SMIN, AMO_UMAX, AMO_UMIN, AMO_SWAP };
MUST_USE enum exec_status load_reserved(struct pe *pe, uint64_t va, unsigned size, uint64_t *value);
MUST_USE enum exec_status store_conditional(struct pe *pe, uint64_t va, unsigned size, uint64_t value, uint64_t *failed);
MUST_USE enum exec_status amo(struct pe *pe, uint64_t va, unsigned size, enum amo_op what, uint64_t operand, uint64_t *old);
MUST_USE enum exec_status compare_swap(struct pe *pe, uint64_t va, unsigned size, uint64_t expect, uint64_t value, uint64_t *old);
MUST_USE enum exec_status store_pair(struct pe *pe, uint64_t va, unsigned size, uint64_t v0, uint64_t v1);

bool fp_arith(struct pe *pe, enum fp_op what, unsigned type, uint64_t a, uint64_t b, uint64_t c, uint64_t *out);
bool fp_cvt(struct pe *pe, int form, unsigned from, unsigned to, uint64_t v, uint64_t *out);

void trace_begin(struct pe *pe, uint64_t pc, uint64_t seq);
// --strict: reports T and U operands of the instruction at pc that nothing has ever written.
void strict_sources(struct pe *pe, uint64_t pc);
void trace_end(struct pe *pe);
void trace_trap(struct pe *pe);
void trace_mem(struct pe *pe, char kind, uint64_t va, unsigned size, uint64_t value);
#endif
