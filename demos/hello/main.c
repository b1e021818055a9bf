// SPDX-License-Identifier: BSD-2-Clause
// The smallest program: one line, and the machine ends with its result.
#include "linx/rt.h"

int main(void) {
    linx_printf("hello from task %d at %lu ns\n", linx_task_self(), (unsigned long)linx_time());
    return 0;
}
