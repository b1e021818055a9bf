// SPDX-License-Identifier: BSD-2-Clause
// Copies between the kernel and memory that a task named. A range is checked first (inside what tasks may use), and
// every access runs in a block with a fixup, so that a hole in memory is an answer and not a trap of the kernel.
#ifndef LINX_COPY_H
#define LINX_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__attribute__((warn_unused_result)) bool copy_from_task(void *to, const void *task_from, size_t n);
__attribute__((warn_unused_result)) bool copy_to_task(void *task_to, const void *from, size_t n);
bool task_may_read(uint64_t address, uint64_t n);
bool task_may_write(uint64_t address, uint64_t n);
bool task_may_run(uint64_t address);            // a plausible entry point: in code, 2-aligned

// n bytes; false at the first access that faults (trap/copy.S). No range check.
__attribute__((warn_unused_result)) bool copy_checked(void *to, const void *from, size_t n);

#endif
