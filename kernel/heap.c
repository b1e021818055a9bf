// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/heap.h"

#include "kernel/arch.h"
#include "kernel/list.h"
#include "lib/string.h"

// First fit, boundary tags, neighbours joined when freed.
struct block {
    size_t size;                // with header; bit 0: in use
    size_t prev_size;           // of the block below, 0 = the first
    struct list free;           // only while free
};
#define HEADER   (2 * sizeof(size_t))
#define IN_USE   ((size_t)1)
#define ALIGN16(n) (((n) + 15) & ~(size_t)15)

static struct list free_blocks;
static size_t kernel_left;

static struct block *above(struct block *b) { return (struct block *)((char *)b + (b->size & ~IN_USE)); }

void kernel_pool_init(char *base, size_t bytes) {
    char *start = (char *)ALIGN16((size_t)base);
    bytes = (bytes - (size_t)(start - base)) & ~(size_t)15;
    list_init(&free_blocks);
    struct block *first = (struct block *)start;
    first->size = bytes - HEADER;
    first->prev_size = 0;
    above(first)->size = HEADER | IN_USE;       // a wall at the end
    above(first)->prev_size = first->size;
    list_push_back(&free_blocks, &first->free);
    kernel_left = first->size;
}

void *kernel_alloc_raw(size_t bytes) {
    if (bytes > kernel_left)
        return NULL;
    size_t need = ALIGN16(bytes + HEADER);
    if (need < sizeof(struct block))
        need = sizeof(struct block);
    for (struct list *l = free_blocks.next; l != &free_blocks; l = l->next) {
        struct block *b = list_entry(l, struct block, free);
        if (b->size < need)
            continue;
        list_remove(&b->free);
        size_t rest = b->size - need;
        if (rest >= sizeof(struct block)) {
            b->size = need;
            struct block *r = above(b);
            r->size = rest;
            r->prev_size = need;
            above(r)->prev_size = rest;
            list_push_back(&free_blocks, &r->free);
        }
        kernel_left -= b->size;
        b->size |= IN_USE;
        return (char *)b + HEADER;
    }
    return NULL;
}

void *kernel_alloc(size_t bytes) {
    void *p = kernel_alloc_raw(bytes);
    return p != NULL ? memset(p, 0, bytes) : NULL;
}

void kernel_free(void *p) {
    if (p == NULL)
        return;
    struct block *b = (struct block *)((char *)p - HEADER);
    ASSERT(b->size & IN_USE);
    b->size &= ~IN_USE;
    kernel_left += b->size;
    struct block *up = above(b);
    if (!(up->size & IN_USE)) {
        list_remove(&up->free);
        b->size += up->size;
    }
    struct block *down = (struct block *)((char *)b - b->prev_size);
    if (b->prev_size != 0 && !(down->size & IN_USE)) {
        down->size += b->size;
        b = down;
    } else {
        list_push_back(&free_blocks, &b->free);
    }
    above(b)->prev_size = b->size;
}

size_t kernel_pool_left(void) { return kernel_left; }
