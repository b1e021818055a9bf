/* SPDX-License-Identifier: BSD-2-Clause */
/* Gangs (kernel/gang.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_GANG(STUB)
