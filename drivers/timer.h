// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_TIMER_H
#define LINX_TIMER_H

#include "kernel/pe.h"

// The arguments of trap_dispatch, handed through; the context that runs next.
struct context *timer_interrupt(struct context *c, uint64_t trapno, struct pe *pe);

#endif
