// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/usermem.h"

#include "kernel/heap.h"
#include "kernel/space_private.h"

#define CHUNK_PAGES 512

struct chunk {                  // 2 MB of the window, one space's: what one last-level table spans
    struct list link;           // of its space; those that hold one extent follow each other
    uint64_t va;
    uint32_t used;              // pages
    uint64_t map[CHUNK_PAGES / 64];
};
static uint64_t *window;        // bit: that chunk is some space's
static uint32_t window_chunks;  // a multiple of 64

OPTIONAL(share_revoke);

bool usermem_init(uint64_t spaces, uint64_t pages) {
    uint64_t chunks = 2 * (pages / CHUNK_PAGES) + spaces, most = (WINDOW_END - WINDOW_BASE) / CHUNK;
    window_chunks = (uint32_t)(chunks < most ? (chunks + 63) & ~(uint64_t)63 : most);
    window = kernel_alloc(window_chunks / 8);
    return window != NULL;
}

// The first n clear bits in a row; `bits` or more: there are none. `bits` is a multiple of 64.
static uint32_t find_run(const uint64_t *map, uint32_t bits, uint32_t n) {
    uint32_t start = 0, at = 0;
    while (at < bits) {
        uint64_t w = map[at / 64] >> at % 64;
        if (w & 1) {
            at += ~w == 0 ? 64 : (uint32_t)__builtin_ctzll(~w);
            start = at;
        } else {
            at += w == 0 ? 64 - at % 64 : (uint32_t)__builtin_ctzll(w);
            if (at - start >= n)
                return start;
        }
    }
    return bits;
}

static void toggle(uint64_t *map, uint32_t at, uint32_t n) {
    while (n != 0) {
        uint32_t k = 64 - at % 64 < n ? 64 - at % 64 : n;
        map[at / 64] ^= (~(uint64_t)0 >> (64 - k)) << at % 64;
        at += k;
        n -= k;
    }
}

static uint32_t in_chunk(uint32_t at, uint32_t n) { return n < CHUNK_PAGES - at ? n : CHUNK_PAGES - at; }

// Takes n pages from page `at` of `c` on, and the chunks behind it.
static void take(struct chunk *c, uint32_t at, uint32_t n) {
    for (uint32_t k; n != 0; n -= k, at = 0, c = list_entry(c->link.next, struct chunk, link)) {
        k = in_chunk(at, n);
        toggle(c->map, at, k);
        c->used += k;
    }
}

static void chunk_free(struct chunk *c) {
    toggle(window, (uint32_t)((c->va - WINDOW_BASE) / CHUNK), 1);
    list_remove(&c->link);
    kernel_free(c);
}

static void give_back(struct chunk *c, uint32_t at, uint32_t n) {
    uint32_t k;
    for (struct chunk *next; n != 0; n -= k, at = 0, c = next) {
        next = list_entry(c->link.next, struct chunk, link);
        k = in_chunk(at, n);
        toggle(c->map, at, k);
        c->used -= k;
        if (c->used == 0)
            chunk_free(c);
    }
}

// Where n pages are free: in a chunk of the space, else in new ones. NULL: no memory or no addresses.
static struct chunk *find(struct space *s, uint32_t n, uint32_t *at) {
    for (struct list *l = s->chunks.next; n <= CHUNK_PAGES && l != &s->chunks; l = l->next) {
        struct chunk *c = list_entry(l, struct chunk, link);
        if (c->used + n <= CHUNK_PAGES && (*at = find_run(c->map, CHUNK_PAGES, n)) < CHUNK_PAGES)
            return c;
    }
    uint32_t chunks = (n + CHUNK_PAGES - 1) / CHUNK_PAGES, first = find_run(window, window_chunks, chunks);
    if (first >= window_chunks)
        return NULL;
    struct list *before = s->chunks.next;
    for (uint32_t i = 0; i < chunks; i++) {
        struct chunk *c = kernel_alloc(sizeof *c);
        if (c == NULL) {
            while (i-- != 0)
                chunk_free(list_entry(before->prev, struct chunk, link));
            return NULL;
        }
        c->va = WINDOW_BASE + (first + i) * CHUNK;
        toggle(window, first + i, 1);
        list_insert_before(before, &c->link);
    }
    *at = 0;
    return list_entry(s->chunks.next, struct chunk, link);
}

struct extent *extent_new(struct space *s, uint64_t pages, bool stack) {
    uint32_t n = (uint32_t)pages + 2 * stack, at;
    if (pages == 0 || pages > (WINDOW_END - WINDOW_BASE) / PAGE - 2 || pages > s->quota - s->used ||
        !pages_promise(pages))
        return NULL;
    struct extent *e = kernel_alloc(sizeof *e);
    struct chunk *c = e != NULL ? find(s, n, &at) : NULL;
    if (c == NULL) {
        kernel_free(e);
        pages_break_promise(pages);
        return NULL;
    }
    take(c, at, n);
    *e = (struct extent){ .chunk = c, .va = c->va + (uint64_t)(at + stack) * PAGE, .pages = pages, .stack = stack };
    uint64_t done = space_fill(s, e->va, pages, PTE_USER_RW | PTE_MARK, 0);
    if (done < pages) {
        pages_break_promise(pages - done);
        space_clear(s, e->va, done);
        give_back(c, at, n);
        kernel_free(e);
        return NULL;
    }
    s->used += pages;
    return e;
}

void extents_free(struct space *s, struct extent *first) {
    bool flush = false;
    for (struct extent *e = first; e != NULL; e = e->next) {
        if (share_revoke != NULL)
            share_revoke(e);
        flush |= space_hide(s, e->va, e->pages);
    }
    if (flush)
        space_flush(s);
    for (struct extent *e = first, *next; e != NULL; e = next) {
        next = e->next;
        space_clear(s, e->va, e->pages);
        uint64_t from = e->va - (uint64_t)e->stack * PAGE;
        give_back(e->chunk, (uint32_t)((from - e->chunk->va) / PAGE), (uint32_t)e->pages + 2 * e->stack);
        s->used -= e->pages;
        kernel_free(e);
    }
}

struct extent *extent_of(const struct task *t, uint64_t at, uint64_t bytes) {
    for (struct extent *e = t->extents; e != NULL; e = e->next)
        if (!e->stack && at >= e->va && at < extent_end(e) && bytes <= extent_end(e) - at)
            return e;
    return NULL;
}
