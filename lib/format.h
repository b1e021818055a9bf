// SPDX-License-Identifier: BSD-2-Clause
// printf's formatting for kernel and tasks: %d %i %u %x %X %p %c %s %%, flags 0 and -, width and precision (of %s;
// also *), lengths hh h l ll z. No floating point.
#ifndef LINX_FORMAT_H
#define LINX_FORMAT_H

#include <stdarg.h>

typedef void format_put(void *where, char c);
int format(format_put *put, void *where, const char *fmt, va_list args);     // characters put

#endif
