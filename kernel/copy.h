// SPDX-License-Identifier: BSD-2-Clause
// Copies between the kernel and memory that a task named. `t` is the task whose space the addresses belong to; it need
// not be the one that runs. A range is checked first (inside what the task may use), and every access runs in a block
// with a fixup, so that a hole in memory is an answer and not a trap of the kernel.
#ifndef LINX_COPY_H
#define LINX_COPY_H

#include "kernel/task.h"

__attribute__((warn_unused_result)) bool copy_from_task(const struct task *t, void *to, const void *task_from, size_t n);
__attribute__((warn_unused_result)) bool copy_to_task(const struct task *t, void *task_to, const void *from, size_t n);
bool task_may_read(const struct task *t, uint64_t address, uint64_t n);
bool task_may_write(const struct task *t, uint64_t address, uint64_t n);
bool task_may_run(const struct task *t, uint64_t address);      // a plausible entry point: in code, 2-aligned

// n bytes; false at the first access that faults (trap/trap_calls.S). No range check.
__attribute__((warn_unused_result)) bool copy_checked(void *to, const void *from, size_t n);

#endif
