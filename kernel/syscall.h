// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_SYSCALL_H
#define LINX_SYSCALL_H

#include "kernel/task.h"

#define SYS_YIELD 0             // abi.h; trap_dispatch serves it itself

// The call that task `t` has made by `acrc SCT_SYS`, with the arguments in its context `c`.
void syscall(struct task *t, struct context *c);

#endif
