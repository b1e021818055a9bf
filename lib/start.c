// SPDX-License-Identifier: BSD-2-Clause
// The first task of a program: main(), whose result ends the machine (0 = pass).
#include "linx/rt.h"

int main(void);
linx_entry linx_program_start;

void linx_program_start(void *arg) {
    (void)arg;
    linx_shutdown(main());
}
