// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_TIMER_H
#define LINX_TIMER_H

struct pe;
void timer_interrupt(struct pe *pe);

#endif
