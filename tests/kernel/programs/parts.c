// SPDX-License-Identifier: BSD-2-Clause
// A program that uses no optional part of the kernel: their calls, forged, do not exist.
#include "check.h"

#define FORGE(number, name) CHECK_EQ(raw_syscall(0, 0, 0, 0, number), LINX_ENOSYS);

int main(void) {
    test_begin("calls of parts that are not linked are LINX_ENOSYS");
    LINX_SYSCALLS_OPTIONAL(FORGE)
    test_end();
    return test_failures != 0;
}
