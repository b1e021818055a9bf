// SPDX-License-Identifier: BSD-2-Clause
// abort: the report names who gave up; a handler of SIGABRT may run before the end (C17 7.22.4.1).
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "port.h"

void abort(void) {
    struct linx_task_info info;
    int self = linx_task_self();
    if (linx_task_info(self, &info) < 0)
        info.name[0] = 0;
    linx_printf("abort: task %d '%s', called from %p\n", self, info.name, __builtin_return_address(0));
    raise(SIGABRT);
    _exit(128 + SIGABRT);
    for (;;)
        ;
}
