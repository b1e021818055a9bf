// SPDX-License-Identifier: BSD-2-Clause
// Data blocks with `B.CATR atom`: every memory access in one aligned 16-byte window; a trap leaves no trace
// (docs/target.md 2.10).
#ifndef LINX_SIM_ATOM_H
#define LINX_SIM_ATOM_H

#include "engine.h"

void atom_begin(struct engine *e);                              // remembers the queues
// The access is inside the window (which the first access sets), or E_DATA(EC_RANGE); stores go to RAM, or
// E_DATA(store access): a device cannot be rolled back (docs/target.md 7.9).
MUST_USE enum exec_status atom_check(struct engine *e, uint64_t addr, unsigned size, bool write);
void atom_save(struct engine *e, uint64_t addr, unsigned size); // before a write: remembers the old bytes once
void atom_undo(struct engine *e);                               // memory and queues as before the block

#endif
