// SPDX-License-Identifier: BSD-2-Clause
// Address spaces: which memory a task has (docs/protection.md). The root space is the program's first task and its
// threads; a task created with LINX_TASK_SPACE begins one of its own, which lives as long as a task in it.
//
// Kernel, program text and constants stand in every space, through tables that all spaces share; a space has tables of
// its own where it has memory of its own. The software bits of descriptors: 63:48 of one that names such a table count
// what that table holds; an invalid leaf with PTE_MARK stands for a page that will be given when it is touched.
#ifndef LINX_SPACE_H
#define LINX_SPACE_H

#include "kernel/arch.h"
#include "kernel/pages.h"

typedef uint64_t pte;
#define SPACE_MMCONFIG  LINX_MMCONFIG_EN    // VA39, 8-byte descriptors
#define PTE_MARK        ((pte)1 << 9)       // invalid: promised, with the rights that stand there
#define PTE_MARK_DATA   ((pte)1 << 8)       // of these: a copy of the program's initial data; else zero
#define PTE_FOREIGN     ((pte)1 << 10)      // valid: the page belongs to somebody else
#define PTE_USER_RW     ((pte)(LINX_PTE_R | LINX_PTE_W | LINX_PTE_U | LINX_PTE_AF))

struct space {
    struct space *next;         // of all
    uint64_t root;              // physical address of its root table
    uint64_t mmtbase;           // the register's value: root and ASID
    struct list chunks;         // of the window (kernel/usermem.c)
    uint64_t used, quota;       // pages allocated, and at most
    struct share *shares;       // what other spaces let it use (kernel/share.c)
    uint32_t refs;              // tasks in it that have not ended
    uint32_t rights;            // LINX_RIGHT_* of its tasks
    uint16_t id;                // object.owner; the rest is explained in kernel/authority.h
    uint8_t max_prio;           // its tasks raise nobody above it
    uint8_t objects, tasks;
    uint64_t kernel_used, kernel_quota;
    struct grant *grants;
};
extern struct space root_space;

// Turns translation on, on PE 0, with the kernel in place and the root space. Pages from `start` to `end` (physical) are
// for tasks; `pristine`: room for a copy of the program's initial data; spaces: at most at a time.
void space_boot(struct pe *pe, uint64_t start, uint64_t end, char *pristine, uint32_t spaces);
extern char __program_data[], __program_bss[];  // linker.ld
#define SPACE_PRISTINE_BYTES ((uint64_t)(__program_bss - __program_data + PAGE - 1) / PAGE * PAGE)
void space_map_device(uint64_t at);             // 2 MB around it, for the kernel, in every space
// A new space with the program's initial data, without tasks. NULL: no memory.
struct space *space_new(uint64_t memory);
void space_release(struct space *s);            // a task of it has ended

void space_load(struct pe *pe, struct space *s);        // this PE's translation becomes that of `s`
static inline void space_enter(struct pe *pe, const struct task *next) {
    if (next->space != pe->space)
        space_load(pe, next->space);
}
// Several PEs: the last thing on the way out of the kernel, with the lock held.
void space_leave(struct pe *pe);

// The leaf of a user address. NULL: there is no table.
pte *space_leaf(const struct space *s, uint64_t va);
// The leaf of the page at `va` if its rights include `need` (LINX_PTE_*); the page is given when it was not there yet.
// 0: not so.
pte space_page(struct space *s, uint64_t va, pte need);
// A fault of task `t`: gives the page when there is one to be given. False: it is a fault indeed.
MUST_USE bool space_page_in(struct task *t, unsigned num, unsigned cause, uint64_t address);

// Leaves of a range in tables of the space's own. space_fill sets them, adding `step` from page to page, and tells how many
// it did: fewer when there is no memory for tables. A range is taken away in three steps, in this order:
uint64_t space_fill(struct space *s, uint64_t va, uint64_t pages, pte value, uint64_t step);
bool space_hide(struct space *s, uint64_t va, uint64_t pages);      // no more valid; true: some were
void space_flush(struct space *s);                                  // no PE has it in its TLB any more
void space_clear(struct space *s, uint64_t va, uint64_t pages);     // pages and promises come back
#ifdef LINX_DEBUG
const char *space_check(void);                  // NULL, or which rule of the memory is broken
#endif

#endif
