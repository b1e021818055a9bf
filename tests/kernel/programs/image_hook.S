/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/syscall_stub.h"

LINX_SYSCALLS_TEST(STUB)
