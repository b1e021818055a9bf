// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/copy.h"

#include "kernel/space.h"

// The kernel's address of what is at `at` in the task's space, up to the end of the page. NULL: not with these rights.
static char *reach(const struct task *t, uint64_t at, pte rights) {
    pte e = space_page(t->space, at, rights | LINX_PTE_U);
    return e != 0 ? (char *)direct(e & LINX_PTE_ADDRESS) + at % PAGE : NULL;
}

// Promised pages are as good as pages.
static bool allowed(const struct task *t, uint64_t at, uint64_t n, pte rights) {
    rights |= LINX_PTE_U;
    if (n == 0)
        return true;
    for (uint64_t last = at + n - 1; at <= last; at = (at | (PAGE - 1)) + 1) {
        const pte *leaf = space_leaf(t->space, at);
        if (leaf == NULL || (*leaf & rights) != rights)
            return false;
        n = 0;
    }
    return n == 0;              // else the range wraps around
}

bool task_may_write(const struct task *t, uint64_t at, uint64_t n) { return allowed(t, at, n, LINX_PTE_W); }
bool task_may_read(const struct task *t, uint64_t at, uint64_t n) { return allowed(t, at, n, LINX_PTE_R); }

bool copy_from_task(const struct task *t, void *to, const void *task_from, size_t n) {
    uint64_t at = (uint64_t)(uintptr_t)task_from;
    if (at % PAGE + n > PAGE && !allowed(t, at, n, LINX_PTE_R))     // all or nothing
        return false;
    for (char *d = to; n != 0;) {
        size_t k = PAGE - at % PAGE < n ? PAGE - at % PAGE : n;
        const char *from = reach(t, at, LINX_PTE_R);
        if (from == NULL || !copy_checked(d, from, k))
            return false;
        d += k, at += k, n -= k;
    }
    return true;
}

bool copy_to_task(const struct task *t, void *task_to, const void *from, size_t n) {
    uint64_t at = (uint64_t)(uintptr_t)task_to;
    if (at % PAGE + n > PAGE && !allowed(t, at, n, LINX_PTE_W))
        return false;
    for (const char *s = from; n != 0;) {
        size_t k = PAGE - at % PAGE < n ? PAGE - at % PAGE : n;
        char *to = reach(t, at, LINX_PTE_W);
        if (to == NULL || !copy_checked(to, s, k))
            return false;
        s += k, at += k, n -= k;
    }
    return true;
}
