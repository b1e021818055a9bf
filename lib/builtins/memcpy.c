// SPDX-License-Identifier: BSD-2-Clause
#include "mem.h"

void *FN(memcpy)(void *restrict to, const void *restrict from, size_t n) {
    copy_up(to, from, n);
    return to;
}
