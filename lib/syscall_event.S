/* SPDX-License-Identifier: BSD-2-Clause */
/* Event flags (kernel/syscall_event.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_EVENT(STUB)
