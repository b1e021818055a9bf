/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory shared between address spaces (kernel/share.c). */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_SHARE(STUB)
