// SPDX-License-Identifier: BSD-2-Clause
// Physical pages: the RAM behind the kernel pool. What tasks get is promised when they ask for it and taken when it is
// touched first, so a page fault always finds a page. Contents are reached through the direct map (kernel/arch.h).
#ifndef LINX_PAGES_H
#define LINX_PAGES_H

#include "kernel/task.h"

#define PAGE        4096
#define ROOT_ALIGN  16384           // of a root table: MMTBASE names multiples of it

extern uint64_t pages_free;         // neither in use nor promised

void pages_init(uint64_t start, uint64_t end);      // physical, multiples of PAGE; reached through the direct map
MUST_USE bool pages_promise(uint64_t n);            // false: there are not so many
uint64_t page_take(void);           // physical address of a page that has been promised; its contents are whatever was there
uint64_t page_take_root(void);      // the same, aligned to ROOT_ALIGN; 0: there is none (the promise stands)
void page_free(uint64_t page);      // neither in use nor promised from now on
static inline void pages_break_promise(uint64_t n) { pages_free += n; }
#ifdef LINX_DEBUG
const char *pages_check(uint64_t used, uint64_t promised);      // NULL, or what does not add up
#endif

#endif
