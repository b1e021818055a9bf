/* SPDX-License-Identifier: BSD-2-Clause */
/* How a parked PE learns where to start: one mailbox each, written by the monitor, `entry` last. */
#ifndef LINX_MAILBOX_H
#define LINX_MAILBOX_H

#define MAILBOX_ENTRY       0
#define MAILBOX_ARG         8
#define MAILBOX_KERNEL_SP   16
#define MAILBOX_MONITOR_SP  24
#define MAILBOX_SHIFT       5

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>
struct mailbox {
    uint64_t entry, arg, kernel_sp, monitor_sp;
};
_Static_assert(offsetof(struct mailbox, entry) == MAILBOX_ENTRY && offsetof(struct mailbox, arg) == MAILBOX_ARG, "mailbox.h");
_Static_assert(offsetof(struct mailbox, kernel_sp) == MAILBOX_KERNEL_SP, "mailbox.h");
_Static_assert(offsetof(struct mailbox, monitor_sp) == MAILBOX_MONITOR_SP, "mailbox.h");
_Static_assert(sizeof(struct mailbox) == 1 << MAILBOX_SHIFT, "mailbox.h");
#endif

#endif
