/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects given to other address spaces (kernel/give.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_GIVE(STUB)
