/* SPDX-License-Identifier: BSD-2-Clause */
/* Semaphores (kernel/syscall_sem.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_SEM(STUB)
