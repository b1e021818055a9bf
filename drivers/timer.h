// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_TIMER_H
#define LINX_TIMER_H

#include "kernel/pe.h"

struct context *timer_interrupt(struct pe *pe, struct task *t);    // the context that runs next

#endif
