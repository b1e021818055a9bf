// SPDX-License-Identifier: BSD-2-Clause
// Faults: of a task (its handler answers, or it alone ends with a report) and of the kernel (evidence and the end of the
// machine). fault.c decides; fault_record.c and fault_lanes.c find out what happened; fault_print.c says it to people;
// fault_handler.c runs the handlers of tasks and is linked only into programs that use them.
#ifndef LINX_TRAP_FAULT_H
#define LINX_TRAP_FAULT_H

#include "kernel/pe.h"
#include "linx/fault.h"

// The one C call of a trap (trap_dispatch.c); gives the context to go on with.
struct context *trap_dispatch(struct context *c, uint64_t trapno, struct pe *pe);
void fault_of_task(struct pe *pe, struct task *t, uint64_t trapno);
// A trap taken while the kernel ran. Returns the context to go on with when the kernel had asked for the answer
// (ESAVE and ERCOV of wide_blocks.S) or when the resume of a task was refused; panics otherwise.
struct context *fault_in_kernel(struct pe *pe, struct context *c, uint64_t trapno);

// Ends a task, with a report of its fault and of why it led to that.
void fault_end(struct task *t, const struct linx_fault *f, const char *why);

// ---- what happened ----------------------------------------------------------------------------------------------------------
// The record of the trap that interrupted `c`, but for the members about lanes. Code is read as memory of `t`; NULL: the
// kernel's own.
void fault_record(struct linx_fault *f, const struct task *t, const struct context *c, uint64_t trapno, uint64_t arg);
// Adds group, lanes and access of a fault inside a body. The engine's state is in the task's save area.
void fault_lanes(struct linx_fault *f, const struct task *t);
// The instruction at `at`; 0: it cannot be read, else its bytes.
unsigned fault_fetch(const struct task *t, uint64_t at, uint64_t *word);
enum block_end { NO_BLOCK_END, BLOCK_START, BLOCK_STOP };
enum block_end fault_block_end(uint64_t word, unsigned bytes);      // how the instruction ends the block before it
// First LCs of group `n` of an iteration space; and back. `dr`: B.CATR DR.
void fault_group_lc(const uint16_t lb[3], bool dr, uint64_t n, uint16_t lc[3]);
uint64_t fault_group_of(const uint16_t lb[3], bool dr, const uint16_t lc[3]);

const char *fault_class_name(unsigned trap);
const char *fault_cause_name(unsigned trap, unsigned cause);
void fault_print(const struct linx_fault *f);
void fault_print_registers(const struct context *c);

#endif
