/* SPDX-License-Identifier: BSD-2-Clause */
/* Message queues (kernel/syscall_queue.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_QUEUE(STUB)
