// SPDX-License-Identifier: BSD-2-Clause
// Breaks the kernel on purpose (there is no memory protection in this build): the boot argument says how.
#include "lib/string.h"
#include "linx/rt.h"

extern char syscall[], printk[];        // kernel functions

static void destroy(char *function) {
    for (int i = 0; i < 8; i++)
        ((volatile unsigned char *)function)[i] = 0xff;         // no instruction
}

int main(void) {
    static struct linx_system_info info;
    linx_system_info(&info);
    linx_printf("about to break the kernel (%s)\n", info.bootargs);
    linx_sleep(1000000);
    if (memcmp(info.bootargs, "twice", 5) == 0)
        destroy(printk);                // the panic itself will fail
    destroy(syscall);
    linx_task_self();
    return 0;                           // not reached
}
