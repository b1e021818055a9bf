// SPDX-License-Identifier: BSD-2-Clause
// The fast loop.
#define STEPPING 0
#define EXEC_NAME exec_fast
#define EXEC_LABELS fast_labels
#include "exec_loop.inc"
