// SPDX-License-Identifier: BSD-2-Clause
// A kernel that raises a row of raise.S in ring 1: linked before drivers/timer.c, it takes the place of its one function.
// Boot argument: row. The panic that follows shows the record.
#include "drivers/timer.h"
#include "kernel/board_info.h"
#include "kernel/sched.h"
#include "raise.h"

static uint64_t buffer[512];

// The row that the arguments name; raise_count: none. (The library's string functions are the program's, not the kernel's.)
static uint64_t row_of(const char *args) {
    for (; *args != 0; args++)
        if (args[0] == 'r' && args[1] == 'o' && args[2] == 'w' && args[3] == '=') {
            uint64_t row = 0;
            for (args += 4; *args >= '0' && *args <= '9'; args++)
                row = 10 * row + (uint64_t)(*args - '0');
            return row;
        }
    return raise_count;
}

struct context *timer_interrupt(struct context *c, uint64_t trapno, struct pe *pe) {
    uint64_t row = row_of(board.bootargs);
    ssr_set(SSR1(LINX_SSRO_EOIEI), LINX_INT_ACR1_TI);
    if (row < raise_count)
        raise_call(RAISE_HOLE, buffer, raise_rows[row].function);
    return sched_tick(c, trapno, pe);
}
