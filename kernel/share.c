// SPDX-License-Identifier: BSD-2-Clause
// Memory shared between address spaces; an optional part.
#include "kernel/syscall.h"

int64_t sys_mem_share(struct task *t, const struct context *c) {
    (void)t, (void)c;
    return LINX_ENOSYS;
}
