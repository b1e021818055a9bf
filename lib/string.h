// SPDX-License-Identifier: BSD-2-Clause
// The memory and string functions that the compiler may call and the kernel uses.
#ifndef LINX_LIB_STRING_H
#define LINX_LIB_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

#endif
