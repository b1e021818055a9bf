// SPDX-License-Identifier: BSD-2-Clause
// Faults: of a task (it alone ends, with a report) and of the kernel (evidence and the end of the machine).
#ifndef LINX_FAULT_H
#define LINX_FAULT_H

#include "kernel/pe.h"

// The one C call of a trap (trap_dispatch.c); gives the context to go on with.
struct context *trap_dispatch(struct context *c, uint64_t trapno, struct pe *pe);
void fault_of_task(struct pe *pe, struct task *t, uint64_t trapno);
// A trap taken while the kernel ran. Returns the context to go on with when the kernel had asked for the answer
// (ESAVE and ERCOV of wide_blocks.S) or when the resume of a task was refused; panics otherwise.
struct context *fault_in_kernel(struct pe *pe, struct context *c, uint64_t trapno);

#endif
