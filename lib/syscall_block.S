/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks (drivers/virtio_blk.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_BLOCK(STUB)
