// SPDX-License-Identifier: BSD-2-Clause
// The stepping loop: stops anywhere, traces, counts.
#define STEPPING 1
#define EXEC_NAME exec_step
#define EXEC_LABELS step_labels
#include "core.h"
static const void *const *step_labels;
#include "exec_loop.inc"
