// SPDX-License-Identifier: BSD-2-Clause
// Page tables and spaces (docs/protection.md).
#include "kernel/space.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/smp.h"
#include "kernel/space_private.h"

struct space root_space = { .rights = UINT32_MAX, .refs = 1, .quota = UINT64_MAX };
uint64_t space_kernel_root;
char *space_pristine;
static uint32_t epoch;                  // counts mappings taken away

OPTIONAL(share_forget);

// ---- tables -----------------------------------------------------------------------------------------------------------------
#define KIND(e)    ((e) & LINX_PTE_KIND)
#define COUNT_ONE  ((pte)1 << 48)
static unsigned index_of(uint64_t va, unsigned shift) { return (unsigned)(va >> shift) & 511; }

pte *space_leaf(const struct space *s, uint64_t va) {
    pte *t = direct(s->root);
    if (va >> USER_BITS != 0)
        return NULL;
    for (unsigned shift = 30; shift > 12; shift -= 9) {
        pte e = t[index_of(va, shift)];
        if (KIND(e) != LINX_PTE_TABLE)
            return NULL;
        t = space_table(e);
    }
    return &t[index_of(va, 12)];
}

// Table in `slot`, a copy of the one that all spaces share when there is one.
static bool table_new(pte *slot, pte shared) {
    if (!pages_promise(1))
        return false;
    uint64_t page = page_take();
    if (KIND(shared) == LINX_PTE_TABLE)
        page_copy(direct(page), space_table(shared));
    else
        page_zero(direct(page));
    *slot = page | LINX_PTE_TABLE;
    return true;
}

// The table with the leaf of `va`, the space's own, and the descriptor that names it. NULL: no memory.
static pte *own_table(struct space *s, uint64_t va, pte **named_by) {
    pte *t = direct(s->root), *above = NULL;
    const pte *k = direct(space_kernel_root);
    for (unsigned shift = 30; shift > 12; shift -= 9) {
        pte *slot = &t[index_of(va, shift)], shared = k != NULL ? k[index_of(va, shift)] : 0;
        if (*slot == shared) {
            if (!table_new(slot, shared))
                return NULL;
            if (above != NULL)
                *above += COUNT_ONE;
        }
        k = KIND(shared) == LINX_PTE_TABLE ? space_table(shared) : NULL;
        above = slot;
        t = space_table(*slot);
    }
    *named_by = above;
    return t;
}

// n leaves from `va` on are no longer used: tables that hold nothing go.
static void drop_tables(struct space *s, uint64_t va, unsigned n) {
    pte *r = (pte *)direct(s->root) + index_of(va, 30), shared_r = ((pte *)direct(space_kernel_root))[index_of(va, 30)];
    if (*r == shared_r)
        return;
    pte *l = space_table(*r) + index_of(va, 21);
    pte shared_l = KIND(shared_r) == LINX_PTE_TABLE ? space_table(shared_r)[index_of(va, 21)] : 0;
    if (*l != shared_l) {
        *l -= n * COUNT_ONE;
        if (*l < COUNT_ONE) {
            page_free(*l & LINX_PTE_ADDRESS);
            *l = shared_l;
            *r -= COUNT_ONE;
        }
    }
    if (*r < COUNT_ONE) {
        page_free(*r & LINX_PTE_ADDRESS);
        *r = shared_r;
    }
}

static unsigned in_table(uint64_t va, uint64_t pages) {     // how many of `pages` have their leaves in the table of `va`
    unsigned n = 512 - index_of(va, 12);
    return pages < n ? (unsigned)pages : n;
}

uint64_t space_fill(struct space *s, uint64_t va, uint64_t pages, pte value, uint64_t step) {
    uint64_t done = 0;
    while (done < pages) {
        pte *named_by, *t = own_table(s, va, &named_by);
        if (t == NULL) {
            drop_tables(s, va, 0);
            break;
        }
        unsigned n = in_table(va, pages - done);
        pte *leaf = &t[index_of(va, 12)];
        *named_by += n * COUNT_ONE;
        for (unsigned i = 0; i < n; i++, value += step)
            leaf[i] = value;
        done += n;
        va += (uint64_t)n * PAGE;
    }
    return done;
}

bool space_hide(struct space *s, uint64_t va, uint64_t pages) {
    pte seen = 0;
    while (pages != 0) {
        unsigned n = in_table(va, pages);
        pte *leaf = space_leaf(s, va);
        for (unsigned i = 0; i < n; i++) {
            seen |= leaf[i];
            leaf[i] &= ~(pte)LINX_PTE_KIND;
        }
        pages -= n;
        va += (uint64_t)n * PAGE;
    }
    return KIND(seen) != 0;
}

void space_clear(struct space *s, uint64_t va, uint64_t pages) {
    while (pages != 0) {
        unsigned n = in_table(va, pages);
        pte *leaf = space_leaf(s, va);
        for (unsigned i = 0; i < n; i++) {
            if (leaf[i] & PTE_MARK)
                pages_break_promise(1);
            else if (!(leaf[i] & PTE_FOREIGN))
                page_free(leaf[i] & LINX_PTE_ADDRESS);
            leaf[i] = 0;
        }
        drop_tables(s, va, n);
        pages -= n;
        va += (uint64_t)n * PAGE;
    }
}

// ---- TLBs ---------------------------------------------------------------------------------------------------------------------
// Only a PE itself can empty its TLB (docs/target.md 7.20). One that executes a task of the space is called into the
// kernel and waited for; it stays there, at the lock, until this one is done. All empty their TLBs on their way out.
void space_flush(struct space *s) {
    struct pe *me = this_pe();
    tlb_flush();
    if (!smp_active())
        return;
    me->tlb_epoch = ++epoch;
    for (uint64_t m = pes_online & ~pe_bit(me); m != 0; m &= m - 1) {
        struct pe *pe = pes[__builtin_ctzll(m)];
        if (pe->space != s || !__atomic_load_n(&pe->in_user, __ATOMIC_ACQUIRE))
            continue;
        smp_kick(pe);
        while (__atomic_load_n(&pe->in_user, __ATOMIC_ACQUIRE))
            ;
    }
}

void space_leave(struct pe *pe) {
    if (pe->tlb_epoch != epoch) {
        pe->tlb_epoch = epoch;
        tlb_flush();
    }
    __atomic_store_n(&pe->in_user, pe->current != pe->idle, __ATOMIC_RELEASE);      // idle touches nothing
}

void space_load(struct pe *pe, struct space *s) {
    pe->space = s;
    ssr_set(LINX_SSR_MMTBASE, s->mmtbase);
}

// ---- pages ----------------------------------------------------------------------------------------------------------------------
pte space_page(struct space *s, uint64_t va, pte need) {
    pte *leaf = space_leaf(s, va);
    if (leaf == NULL || (*leaf & need) != need)
        return 0;
    pte e = *leaf;
    if (e & PTE_MARK) {
        uint64_t page = page_take();
        if (e & PTE_MARK_DATA)
            page_copy(direct(page), space_pristine + ((va & ~(uint64_t)(PAGE - 1)) - space_data_start()));
        else
            page_zero(direct(page));
        *leaf = e = (e & PTE_USER_RW) | page | LINX_PTE_PAGE;
    }
    return e;
}

bool space_page_in(struct task *t, unsigned num, unsigned cause, uint64_t address) {
    pte need = num == LINX_E_DATA && cause == LINX_EC_LOAD_PAGE    ? LINX_PTE_R | LINX_PTE_U
               : num == LINX_E_DATA && cause == LINX_EC_STORE_PAGE ? LINX_PTE_W | LINX_PTE_U
                                                                   : 0;
    if (need == 0 || space_page(t->space, address, need) == 0)
        return false;
    t->page_ins++;
    return true;
}

// ---- spaces ---------------------------------------------------------------------------------------------------------------------
static uint64_t asid_new(void) {
    static uint32_t last;
    static bool reused;
    for (;;) {
        bool taken = false;
        last = (last + 1) & 0xffffff;
        if (last == 0) {                    // a space's death empties the TLBs, so its number can come again
            reused = true;
            continue;
        }
        for (const struct space *s = reused ? &root_space : NULL; s != NULL; s = s->next)
            taken |= s->mmtbase >> 40 == last;
        if (!taken)
            return last;
    }
}

bool space_init(struct space *s) {
    if (!pages_promise(1))
        return false;
    s->root = page_take_root();
    if (s->root == 0) {
        pages_break_promise(1);
        return false;
    }
    page_copy(direct(s->root), direct(space_kernel_root));
    s->mmtbase = s->root / ROOT_ALIGN << 2 | asid_new() << 40;
    list_init(&s->chunks);
    if (s != &root_space) {
        s->next = root_space.next;
        root_space.next = s;
    }
    return true;
}

static void space_free(struct space *s, uint64_t filled) {
    struct space **link = &root_space.next;
    authority_end(s);
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    if (this_pe()->space == s)              // nobody else's: its last task has just ended here
        space_load(this_pe(), &root_space);
    if (share_forget != NULL)
        share_forget(s);
    (void)space_hide(s, space_data_start(), filled);
    space_flush(s);
    space_clear(s, space_data_start(), filled);
    page_free(s->root);
    kernel_free(s);
}

struct space *space_new(uint64_t memory) {
    uint64_t data = space_data_pages(), all = space_bss_end_pages();
    struct space *s = kernel_alloc(sizeof *s);
    if (s == NULL || !space_init(s)) {
        kernel_free(s);
        return NULL;
    }
    s->quota = (memory != 0 ? memory : SPACE_MEMORY_DEFAULT) / PAGE;
    if (!pages_promise(all)) {
        space_free(s, 0);
        return NULL;
    }
    uint64_t done = space_fill(s, space_data_start(), data, PTE_USER_RW | PTE_MARK | PTE_MARK_DATA, 0);
    if (done == data)
        done += space_fill(s, space_data_start() + data * PAGE, all - data, PTE_USER_RW | PTE_MARK, 0);
    if (done < all) {
        pages_break_promise(all - done);
        space_free(s, done);
        return NULL;
    }
    return s;
}

void space_release(struct space *s) {
    if (--s->refs == 0)
        space_free(s, space_bss_end_pages());
}

#ifdef LINX_DEBUG
// ---- rules --------------------------------------------------------------------------------------------------------------------
// Counts the tables and leaves of `s` below `t` that are not in the shared table `k`.
static const char *walk(const pte *t, const pte *k, unsigned shift, uint64_t *used, uint64_t *promised) {
    for (unsigned i = 0; i < (shift == 30 ? 256 : 512); i++) {
        pte e = t[i], shared = k != NULL ? k[i] : 0;
        if (e == shared)
            continue;
        if (shift == 12) {
            *promised += (e & PTE_MARK) != 0;
            *used += KIND(e) == LINX_PTE_PAGE && !(e & PTE_FOREIGN);
            if (KIND(e) == 0 && !(e & PTE_MARK))
                return "a leaf that is neither a page nor a promise";
            continue;
        }
        const pte *sub = KIND(shared) == LINX_PTE_TABLE ? space_table(shared) : NULL;
        uint64_t count = 0;
        for (unsigned n = 0; n < 512; n++)
            count += space_table(e)[n] != (sub != NULL ? sub[n] : 0);
        ++*used;
        if (count != e / COUNT_ONE)
            return "a table counts its entries wrongly";
        const char *bad = walk(space_table(e), sub, shift - 9, used, promised);
        if (bad != NULL)
            return bad;
    }
    return NULL;
}

const char *space_check(void) {
    uint64_t used = 0, promised = 0;
    for (const struct space *s = &root_space; s != NULL; s = s->next) {
        const char *bad = walk(direct(s->root), direct(space_kernel_root), 30, &used, &promised);
        if (bad != NULL)
            return bad;
        used++;                             // its root
        if (s != &root_space && (s->used > s->quota || s->refs == 0))
            return "a space over its quota, or without a task";
    }
    return pages_check(used, promised);
}
#endif
