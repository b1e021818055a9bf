// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_SIM_ENGINE_TRACE_H
#define LINX_SIM_ENGINE_TRACE_H

#include "body.h"

void tile_log_(struct engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#define tile_log(e, ...) do { if (unlikely((e)->log_tile)) tile_log_(e, __VA_ARGS__); } while (0)

// After the instruction d of group `id` in slot g.
void trace_body(struct engine *e, struct group *g, const struct insn *d, uint64_t id);

#endif
