// SPDX-License-Identifier: BSD-2-Clause
// Copies between the kernel and memory that a task named. `t` is the task whose space the addresses belong to; it need
// not be the one that runs. A range is checked first (inside what the task may use), and every access runs in a block
// with a fixup, so that a hole in memory is an answer and not a trap of the kernel.
#ifndef LINX_COPY_H
#define LINX_COPY_H

#include "kernel/arch.h"

__attribute__((warn_unused_result)) bool copy_from_task(const struct task *t, void *to, const void *task_from, size_t n);
__attribute__((warn_unused_result)) bool copy_to_task(const struct task *t, void *task_to, const void *from, size_t n);
bool task_may_read(const struct task *t, uint64_t address, uint64_t n);
bool task_may_write(const struct task *t, uint64_t address, uint64_t n);
extern char __program_text[], __program_rodata[];       // linker.ld
// Two or four bytes of code at a task's address, as the kernel can read them: the same in all spaces, and never written.
// NULL: not in the program's text, which ends with the page.
static inline const void *task_text(uint64_t at) {
    uint64_t offset = at - (uint64_t)(uintptr_t)__program_text;
    return at % 2 == 0 && offset < (uint64_t)(__program_rodata - __program_text) - 2 ? direct(at) : NULL;
}
// Is it a plausible entry point: in code, 2-aligned?
#ifdef LINX_HOST_TEST
bool task_may_run(uint64_t at);
#else
static inline bool task_may_run(uint64_t at) { return task_text(at) != NULL; }
#endif

// n bytes; false at the first access that faults (trap/trap_calls.S). No range check.
__attribute__((warn_unused_result)) bool copy_checked(void *to, const void *from, size_t n);

#endif
