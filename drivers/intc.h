// SPDX-License-Identifier: BSD-2-Clause
// The interrupt controller's page of this PE and ring (include/linx/board.h, docs/target.md 5).
#ifndef LINX_INTC_H
#define LINX_INTC_H

#include <stdint.h>

void intc_init(uint64_t base, uint32_t lxlcid);     // base of the controller
void intc_enable(uint32_t line);
void intc_interrupt(void);                          // serves every pending line
void intc_ipi(uint32_t lxlcid, uint32_t ring);      // raises II on that PE and ring

#endif
