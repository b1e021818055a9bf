// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_PRINTK_H
#define LINX_PRINTK_H

// To the console, at once, in order with what tasks have written. Formats: lib/format.h.
void printk(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
