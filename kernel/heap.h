// SPDX-License-Identifier: BSD-2-Clause
// The kernel's own memory: objects, queues, engine save areas. What tasks get is made of pages (kernel/pages.h).
#ifndef LINX_HEAP_H
#define LINX_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void kernel_pool_init(char *base, size_t bytes);
void *kernel_alloc(size_t bytes);           // 16-aligned, zeroed; NULL when there is none
void *kernel_alloc_raw(size_t bytes);       // the same, not zeroed
void kernel_free(void *p);                  // NULL is fine
size_t kernel_pool_left(void);              // free bytes

#endif
