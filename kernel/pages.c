// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/pages.h"

#include "kernel/arch.h"

static uint64_t lists[2];           // linked through the first word of each page; [1]: those that can be a root table
static uint64_t fresh, fresh_end;   // never used yet: boot does not have to touch them
uint64_t pages_free;

void pages_init(uint64_t start, uint64_t end) {
    lists[0] = lists[1] = 0;
    fresh = start;
    fresh_end = end;
    pages_free = (end - start) / PAGE;
}

static unsigned list_of(uint64_t page) { return page % ROOT_ALIGN == 0; }

static void push(uint64_t page) {
    *(uint64_t *)direct(page) = lists[list_of(page)];
    lists[list_of(page)] = page;
}

static uint64_t take_from(unsigned which) {
    uint64_t page = lists[which];
    if (page != 0) {
        lists[which] = *(uint64_t *)direct(page);
        return page;
    }
    while (fresh != fresh_end) {    // at most three times round
        page = fresh;
        fresh += PAGE;
        if (list_of(page) == which)
            return page;
        push(page);
    }
    return 0;
}

bool pages_promise(uint64_t n) {
    if (n > pages_free)
        return false;
    pages_free -= n;
    return true;
}

uint64_t page_take(void) {
    uint64_t page = take_from(0);
    if (page == 0)
        page = take_from(1);
    ASSERT(page != 0);
    return page;
}

uint64_t page_take_root(void) { return take_from(1); }

void page_free(uint64_t page) {
    push(page);
    pages_free++;
}

#ifdef LINX_DEBUG
const char *pages_check(uint64_t used, uint64_t promised) {
    static uint64_t total;
    uint64_t listed = (fresh_end - fresh) / PAGE;
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t p = lists[i]; p != 0; p = *(uint64_t *)direct(p))
            listed++;
    if (total == 0)
        total = listed + used;
    if (listed != pages_free + promised)
        return "free pages are not those that are neither used nor promised";
    return listed + used == total ? NULL : "a page is lost, or used twice";
}
#endif
