// SPDX-License-Identifier: BSD-2-Clause
// Memory shared between address spaces; an optional part. The owner's pages stand in the other space's tables too, at the
// same address, until the allocation is freed or the other space dies.
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/space_private.h"
#include "kernel/syscall.h"
#include "kernel/usermem.h"

struct share {
    struct share *next_of_extent, *next_of_space;
    struct extent *extent;
    struct space *space;        // that may use it
    uint64_t va, pages;
};

static bool unused(const struct space *s, uint64_t va, uint64_t pages) {
    for (; pages != 0; pages--, va += PAGE) {
        const pte *leaf = space_leaf(s, va);
        if (leaf != NULL && *leaf != 0)
            return false;
    }
    return true;
}

static int64_t share(struct space *from, struct extent *e, struct space *to, uint64_t va, uint64_t pages, pte rights) {
    if (!unused(to, va, pages))
        return LINX_ESTATE;
    struct share *sh = kernel_alloc(sizeof *sh);
    if (sh == NULL)
        return LINX_ENOMEM;
    for (uint64_t i = 0; i < pages; i++) {
        pte leaf = space_page(from, va + i * PAGE, LINX_PTE_W);     // it was promised: it can be given
        if (space_fill(to, va + i * PAGE, 1, (leaf & LINX_PTE_ADDRESS) | rights | PTE_FOREIGN | LINX_PTE_PAGE, 0) != 1) {
            (void)space_hide(to, va, i);
            space_flush(to);
            space_clear(to, va, i);
            kernel_free(sh);
            return LINX_ENOMEM;
        }
    }
    *sh = (struct share){ e->shares, to->shares, e, to, va, pages };
    e->shares = to->shares = sh;
    return LINX_OK;
}

static void unlink_from_space(struct share *sh) {
    struct share **link = &sh->space->shares;
    while (*link != sh)
        link = &(*link)->next_of_space;
    *link = sh->next_of_space;
}

static void unlink_from_extent(struct share *sh) {
    struct share **link = &sh->extent->shares;
    while (*link != sh)
        link = &(*link)->next_of_extent;
    *link = sh->next_of_extent;
}

static void end(struct share *sh) {
    unlink_from_space(sh);
    unlink_from_extent(sh);
    (void)space_hide(sh->space, sh->va, sh->pages);
    space_flush(sh->space);
    space_clear(sh->space, sh->va, sh->pages);
    kernel_free(sh);
}

void share_revoke(struct extent *e) {
    while (e->shares != NULL)
        end(e->shares);
}

void share_forget(struct space *s) {
    while (s->shares != NULL)
        end(s->shares);
}

int64_t sys_mem_share(struct task *t, const struct context *c) {
    struct task *target = task_find(t, c->a0);
    uint64_t at = c->a1, bytes = c->a2, rights = c->a3;
    if (target == NULL || target == target->pe->idle)
        return LINX_EHANDLE;
    if (at % PAGE != 0 || bytes % PAGE != 0 || bytes == 0 || rights == 0 || (rights & ~(uint64_t)(LINX_MEM_READ | LINX_MEM_WRITE)))
        return LINX_EINVAL;
    if (target->state == TASK_ENDED)
        return LINX_ESTATE;
    if (target->space == t->space)
        return LINX_EINVAL;
    struct extent *e = extent_of(t, at, bytes);
    return e == NULL ? LINX_EFAULT
                     : share(t->space, e, target->space, at, bytes / PAGE,
                             (rights & LINX_MEM_WRITE ? PTE_USER_RW : PTE_USER_RW & ~(pte)LINX_PTE_W));
}
