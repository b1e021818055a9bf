// SPDX-License-Identifier: BSD-2-Clause
// What tasks allocate, stacks included: extents of whole pages in one window of user addresses for all spaces, so that no
// address there ever means two things. The book-keeping is the kernel's; pages are given when they are touched first.
#ifndef LINX_USERMEM_H
#define LINX_USERMEM_H

#include "kernel/space.h"

struct extent {
    struct extent *next;        // its task's other allocations
    struct chunk *chunk;        // where its first address lies
    struct share *shares;       // which spaces may use it (kernel/share.c)
    uint64_t va;
    uint64_t pages;
    bool stack;                 // a page without memory below it, and one above
};

MUST_USE bool usermem_init(uint64_t spaces, uint64_t pages);    // address space for so many; false: no memory
// Pages of zeros, not there yet. NULL: no memory, no address space, or the space's quota is used up.
struct extent *extent_new(struct space *s, uint64_t pages, bool stack);
void extents_free(struct space *s, struct extent *first);       // it and all that follow
static inline uint64_t extent_end(const struct extent *e) { return e->va + e->pages * PAGE; }
// The task's allocation (not its stack) that holds [at, at + bytes). NULL: none.
struct extent *extent_of(const struct task *t, uint64_t at, uint64_t bytes);

#endif
