// SPDX-License-Identifier: BSD-2-Clause
// What the files of the address spaces share: space.c, space_boot.c, usermem.c, share.c.
#ifndef LINX_SPACE_PRIVATE_H
#define LINX_SPACE_PRIVATE_H

#include "kernel/space.h"

#define USER_BITS    38                     // user addresses are below 1 << 38, the lower half of VA39
#define WINDOW_BASE  ((uint64_t)1 << 36)    // allocations and stacks
#define WINDOW_END   ((uint64_t)1 << 37)
#define CHUNK        ((uint64_t)512 * PAGE) // what one last-level table spans
#define SPACE_MEMORY_DEFAULT ((uint64_t)1 << 20)

extern uint64_t space_kernel_root;          // physical: a root table with nothing but the kernel, which all spaces share
extern char *space_pristine;                // the program's .data as it was before the first task
static inline pte *space_table(pte e) { return direct(e & LINX_PTE_ADDRESS); }

// linker.ld: the program's variables; those from __program_bss (rounded up to a page) on begin as zero
extern char __program_data[], __program_bss[], __program_data_end[];
#ifdef LINX_HOST_TEST
extern uint64_t host_data, host_data_pages, host_all_pages;
static inline uint64_t space_data_start(void) { return host_data; }
static inline uint64_t space_data_pages(void) { return host_data_pages; }
static inline uint64_t space_bss_end_pages(void) { return host_all_pages; }
#else
static inline uint64_t space_data_start(void) { return (uint64_t)(uintptr_t)__program_data; }
static inline uint64_t space_data_pages(void) { return (uint64_t)(__program_bss - __program_data + PAGE - 1) / PAGE; }
static inline uint64_t space_bss_end_pages(void) { return (uint64_t)(__program_data_end - __program_data) / PAGE; }
#endif

bool space_init(struct space *s);           // kernel_root's contents, a number, in the list; false: no memory
struct extent;
void share_forget(struct space *s);         // kernel/share.c: it dies, what others let it use goes
void share_revoke(struct extent *e);        // it is freed, who may use it may no more
#endif
