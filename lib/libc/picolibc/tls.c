// SPDX-License-Identifier: BSD-2-Clause
// picolibc's _set_tls: the thread pointer is SSR 0x0000, variables at TP + offset.
#include <picotls.h>

void _set_tls(void *tls) { __asm__ volatile("ssrset %0, 0x0000" : : "r"(tls) : "memory"); }
