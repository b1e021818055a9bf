// SPDX-License-Identifier: BSD-2-Clause
// Makes the kernel execute what the test (test_programs.py) has destroyed in a copy of this image: no program can do it.
#include "linx/rt.h"

int main(void) {
    linx_printf("about to break the kernel\n");
    linx_sleep(1000000);
    linx_task_self();
    return 0;                           // not reached
}
