// SPDX-License-Identifier: BSD-2-Clause
// System calls on disks; an optional part.
#include "kernel/syscall.h"

#include "drivers/virtio_blk.h"
#include "kernel/authority.h"
#include "kernel/copy.h"

int64_t sys_block_info(struct task *t, const struct context *c) {
    struct linx_block_info info;
    if (!has_right(t, LINX_RIGHT_MACHINE))
        return LINX_EPERM;
    int64_t r = block_info(c->a0, &info);
    return r != LINX_OK ? r : copy_to_task(t, pointer(c->a1), &info, sizeof info) ? LINX_OK : LINX_EFAULT;
}

static int64_t transfer(struct task *t, const struct context *c, bool write) {
    return has_right(t, LINX_RIGHT_MACHINE) ? block_transfer(t, c->a0, c->a1, c->a2, c->a3, write) : LINX_EPERM;
}
int64_t sys_block_read(struct task *t, const struct context *c) { return transfer(t, c, false); }
int64_t sys_block_write(struct task *t, const struct context *c) { return transfer(t, c, true); }
