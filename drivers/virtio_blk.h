// SPDX-License-Identifier: BSD-2-Clause
// Disks: virtio-blk behind virtio-mmio version 2 (Virtual I/O Device 1.2, sections 2.7, 4.2, 5.2), an optional part. A
// request goes through a buffer in kernel memory; its task waits, blocked, for the interrupt that ends it. Others queue
// behind it by priority. VIRTIO_BLK_F_FLUSH is not negotiated, so the device stores before it answers.
#ifndef LINX_VIRTIO_BLK_H
#define LINX_VIRTIO_BLK_H

#include "kernel/task.h"

MUST_USE int64_t block_info(uint64_t disk, struct linx_block_info *info);      // OK, ERANGE, ENOMEM
// Serves the call that stands in t's context (abi.h: block_read, block_write): BLOCKED, or an error.
MUST_USE int64_t block_transfer(struct task *t, uint64_t disk, uint64_t sector, uint64_t buffer, uint64_t sectors, bool write);
bool block_interrupt(uint32_t line);            // false: the line is no disk's

#endif
