// SPDX-License-Identifier: BSD-2-Clause
// Two pools of RAM. The kernel pool holds objects, queues and engine save areas, with headers in band. The task pool
// holds stacks and what tasks allocate; its book-keeping lies in the kernel pool, where a task cannot spoil it.
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

void task_pool_init(char *base, size_t bytes);
void *task_pool_alloc(size_t bytes, int owner);     // 16-aligned, zeroed; NULL when there is none
bool task_pool_free(void *p, int owner);            // false: not an allocation of that owner
void task_pool_free_all(int owner);                 // everything that a dead task still holds
size_t task_pool_left(void);
bool task_pool_has(uint64_t address, uint64_t bytes);   // the range lies inside the pool

#endif
