// SPDX-License-Identifier: BSD-2-Clause
// System calls: handlers check every argument, then act.
#ifndef LINX_SYSCALL_H
#define LINX_SYSCALL_H

#include <stdbool.h>

#include "kernel/sync.h"
#include "kernel/task.h"

#define SYS_YIELD 0             // abi.h; trap_dispatch serves it itself

// Serves one call: the calling task and its context (arguments in a0..a5); gives the result, or BLOCKED when whoever ends
// the wait will write a0.
typedef int64_t syscall_handler(struct task *t, const struct context *c);
#define SYSCALL_HANDLER(number, name) syscall_handler sys_##name;
LINX_SYSCALLS(SYSCALL_HANDLER)

// The call that task `t` has made by `acrc SCT_SYS`, with the arguments in its context `c`.
void syscall(struct task *t, struct context *c);

static inline void *pointer(uint64_t value) { return (void *)(uintptr_t)value; }
// The string in memory of `t` that *from names, in `to`, cut off; *from names it there afterwards. NULL stays NULL. False:
// the task may not read it.
MUST_USE bool syscall_name(const struct task *t, const char **from, char to[LINX_NAME_BYTES]);

#endif
