// SPDX-License-Identifier: BSD-2-Clause
// Lets the timer come once: ring1_hook.c then raises its row.
#include "linx/rt.h"

int main(void) {
    linx_printf("a tick comes\n");
    return linx_sleep(10000);
}
