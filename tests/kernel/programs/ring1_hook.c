// SPDX-License-Identifier: BSD-2-Clause
// A kernel that raises a row of raise.S in ring 1: linked before drivers/timer.c, it takes the place of its one function.
// Boot argument: row. The panic that follows shows the record.
#include "demos/options.h"
#include "drivers/timer.h"
#include "kernel/board_info.h"
#include "kernel/sched.h"
#include "raise.h"

static uint64_t buffer[512];

struct context *timer_interrupt(struct context *c, uint64_t trapno, struct pe *pe) {
    uint64_t row = option(board.bootargs, "row", raise_count);
    ssr_set(SSR1(LINX_SSRO_EOIEI), LINX_INT_ACR1_TI);
    if (row < raise_count)
        raise_call(RAISE_HOLE, buffer, raise_rows[row].function);
    return sched_tick(c, trapno, pe);
}
