// SPDX-License-Identifier: BSD-2-Clause
#include "atom.h"

#include <stdlib.h>

struct atom_log {
    bool have_window, saved;
    uint64_t window;
    uint64_t old[2];
    struct group group[MAX_SLOTS];
};

void atom_begin(struct engine *e)
{
    if (!e->atom_log)
        e->atom_log = calloc(1, sizeof(*e->atom_log));
    e->atom_log->have_window = e->atom_log->saved = false;
    memcpy(e->atom_log->group, e->group, sizeof(e->group));
}

enum exec_status atom_check(struct engine *e, uint64_t addr, unsigned size, bool write)
{
    struct atom_log *l = e->atom_log;
    uint64_t window = addr & ~15ull;
    if ((addr + size - 1) >> 4 != addr >> 4 || (l->have_window && window != l->window))
        return engine_trap(e, LINX_E_DATA, LINX_EC_RANGE, addr, "access outside the 16-byte window of an atomic block");
    l->have_window = true;
    l->window = window;
    if (pe_probe(e->pe, addr, size, write) != EXEC_OK)
        return EXEC_TRAP;
    if (write && !pe_host(e->pe, addr, size, true))
        return engine_trap(e, LINX_E_DATA, LINX_EC_STORE_ACCESS, addr, "store to a device in an atomic block");
    return EXEC_OK;
}

void atom_save(struct engine *e, uint64_t addr, unsigned size)
{
    struct atom_log *l = e->atom_log;
    (void)addr; (void)size;
    if (l->saved)
        return;
    struct trap keep = e->pe->trap;
    l->saved = pe_load(e->pe, l->window, 8, &l->old[0]) == EXEC_OK && pe_load(e->pe, l->window + 8, 8, &l->old[1]) == EXEC_OK;
    e->pe->trap = keep;
}

void atom_undo(struct engine *e)
{
    struct atom_log *l = e->atom_log;
    if (l->saved) {
        struct trap keep = e->pe->trap;
        if (pe_store(e->pe, l->window, 8, l->old[0]) != EXEC_OK || pe_store(e->pe, l->window + 8, 8, l->old[1]) != EXEC_OK)
            e->pe->trap = keep;         // the pages were writable a moment ago: nothing else can undo it
        e->pe->trap = keep;
    }
    memcpy(e->group, l->group, sizeof(e->group));
}
