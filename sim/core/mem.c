// SPDX-License-Identifier: BSD-2-Clause
// Memory as a PE sees it: translation (docs/target.md 7), RAM and devices, reservations, atomic windows.
#include <stdlib.h>

#include "core.h"

enum { GRANULE = 64 };          // reservation granule, bytes

enum exec_status pe_trap(struct pe *pe, uint8_t num, uint32_t cause, uint64_t arg)
{
    pe->trap = (struct trap){ .num = num, .cause = cause, .arg = arg };
    return EXEC_TRAP;
}

static enum exec_status access_fault(struct pe *pe, enum access acc, uint64_t va)
{
    switch (acc) {
    case ACC_READ: return pe_trap(pe, LINX_E_DATA, LINX_EC_LOAD_ACCESS, va);
    case ACC_WRITE: return pe_trap(pe, LINX_E_DATA, LINX_EC_STORE_ACCESS, va);
    default: return pe_trap(pe, LINX_E_INST, LINX_EC_ACCESS, va);
    }
}

static enum exec_status page_fault(struct pe *pe, enum access acc, uint64_t va)
{
    switch (acc) {
    case ACC_READ: return pe_trap(pe, LINX_E_DATA, LINX_EC_LOAD_PAGE, va);
    case ACC_WRITE: return pe_trap(pe, LINX_E_DATA, LINX_EC_STORE_PAGE, va);
    default: return pe_trap(pe, LINX_E_INST, LINX_EC_PAGE, va);
    }
}

void *machine_ram(struct machine *m, uint64_t pa, uint64_t len)
{
    uint64_t off = pa - m->cfg.ram_base;
    return off < m->cfg.ram_size && len <= m->cfg.ram_size - off ? m->ram + off : NULL;
}

static struct device *device_at(struct machine *m, uint64_t pa, unsigned size)
{
    for (unsigned i = 0; i < m->num_devs; i++) {
        struct device *d = m->dev[i];
        if (pa - d->base < d->size && size <= d->size - (pa - d->base)) return d;
    }
    return NULL;
}

static uint64_t load_le(const void *p, unsigned size)
{
    uint64_t v = 0;
    memcpy(&v, p, size);
    return v;
}

bool machine_read(struct machine *m, uint64_t pa, unsigned size, uint64_t *value)
{
    void *p = machine_ram(m, pa, size);
    if (p) { *value = load_le(p, size); return true; }
    struct device *d = device_at(m, pa, size);
    return d && d->read && d->read(d, pa - d->base, size, value);
}

bool machine_write(struct machine *m, uint64_t pa, unsigned size, uint64_t value)
{
    void *p = machine_ram(m, pa, size);
    if (p) {
        memcpy(p, &value, size);
        machine_wrote(m, pa, size);
        return true;
    }
    struct device *d = device_at(m, pa, size);
    return d && d->write && d->write(d, pa - d->base, size, value);
}

void machine_wrote(struct machine *m, uint64_t pa, uint64_t len)
{
    if (!len) return;
    if (m->reservations)
        for (unsigned i = 0; i < m->num_pes; i++) {
            struct core *x = m->pe[i]->x;
            if (x->resv_live && x->resv_pa < pa + len && pa < x->resv_pa + GRANULE) mem_clear_reservation(m->pe[i]);
        }
    uint64_t first = (pa - m->cfg.ram_base) >> PAGE_BITS, last = (pa - m->cfg.ram_base + len - 1) >> PAGE_BITS;
    for (uint64_t p = first; p <= last; p++)
        if (m->page_flags[p] & PAGE_HAS_CODE) {
            uint64_t base = m->cfg.ram_base + (p << PAGE_BITS);
            uint64_t a = pa > base ? pa - base : 0, b = pa + len - base;
            code_wrote(m, p, (unsigned)a, b < PAGE_SIZE ? (unsigned)b : PAGE_SIZE);
        }
}

void mem_select(struct pe *pe)
{
    struct core *x = pe->x;
    unsigned ring = pe_ring(pe);
    x->r = pe->atomic ? x->none : x->rtlb[ring];
    x->w = pe->atomic || pe->m->reservations ? x->none : x->wtlb[ring];
    x->j = x->jc + ring * JC_SIZE;
}

static void tlb_clear(struct tlb_entry *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++) t[i].tag = 1;   // no page address is odd
}

void mem_flush(struct pe *pe)
{
    struct core *x = pe->x;
    tlb_clear(&x->rtlb[0][0], RINGS * TLB_SIZE);
    tlb_clear(&x->wtlb[0][0], RINGS * TLB_SIZE);
    tlb_clear(x->none, TLB_SIZE);
    for (unsigned i = 0; i < RINGS * JC_SIZE; i++) x->jc[i].pc = 1;
    pe->leave = true;
}

void mem_flush_writes(struct machine *m)
{
    for (unsigned i = 0; i < m->num_pes; i++) tlb_clear(&m->pe[i]->x->wtlb[0][0], RINGS * TLB_SIZE);
}

static void reservations_changed(struct machine *m)
{
    for (unsigned i = 0; i < m->num_pes; i++) mem_select(m->pe[i]);
}

void mem_clear_reservation(struct pe *pe)
{
    if (!pe->x->resv_live) return;
    pe->x->resv_live = false;
    if (--pe->m->reservations == 0) reservations_changed(pe->m);
}

void mem_set_reservation(struct pe *pe, uint64_t pa)
{
    mem_clear_reservation(pe);
    pe->x->resv_live = true;
    pe->x->resv_pa = pa & ~(uint64_t)(GRANULE - 1);
    if (pe->m->reservations++ == 0) reservations_changed(pe->m);
}

enum exec_status mmu_translate(struct pe *pe, uint64_t va, enum access acc, uint64_t *pa)
{
    struct machine *m = pe->m;
    unsigned ring = pe_ring(pe);
    if (ring == LINX_ACR_MONITOR || !(pe->mmconfig & LINX_MMCONFIG_EN)) { *pa = va; return EXEC_OK; }
    unsigned wide = pe->mmconfig >> 3 & 1, mode = pe->mmconfig >> 1 & 3, bits = 9 - wide;
    if (mode == 3) return page_fault(pe, acc, va);
    unsigned levels = 3 + mode, width = 12 + levels * bits;
    int64_t top = (int64_t)va >> (width - 1);
    if (top != 0 && top != -1)
        return acc == ACC_FETCH ? pe_trap(pe, LINX_E_INST, LINX_EC_TRANS, va) : page_fault(pe, acc, va);
    uint64_t table = (pe->mmtbase >> 2 & 0x3fffffffff) << 14;
    for (unsigned level = levels; level-- > 0;) {
        unsigned shift = 12 + level * bits;
        uint64_t at = table + ((va >> shift & ((1u << bits) - 1)) << (3 + wide));
        void *p = machine_ram(m, at, 8);
        if (!p) return access_fault(pe, acc, va);
        uint64_t pte = load_le(p, 8);
        unsigned kind = pte & LINX_PTE_KIND;
        if (kind == LINX_PTE_TABLE && level > 0) { table = pte & LINX_PTE_ADDRESS; continue; }
        if (kind != (level ? LINX_PTE_BLOCK : LINX_PTE_PAGE)) return page_fault(pe, acc, va);
        uint64_t need = acc == ACC_READ ? LINX_PTE_R : acc == ACC_WRITE ? LINX_PTE_W : LINX_PTE_X;
        bool user = pte & LINX_PTE_U;
        if (!(pte & need) || (ring == LINX_ACR_TASK && !user) ||
            (ring == LINX_ACR_KERNEL && user && !(pe->cstate & LINX_CSTATE_P)))
            return page_fault(pe, acc, va);
        if (!(pte & LINX_PTE_AF)) {
            if (!(pe->mmconfig & LINX_MMCONFIG_HU)) return page_fault(pe, acc, va);
            pte |= LINX_PTE_AF;
            memcpy(p, &pte, 8);
            machine_wrote(m, at, 8);
        }
        uint64_t low = ((uint64_t)1 << shift) - 1;
        *pa = (pte & LINX_PTE_ADDRESS & ~low) | (va & low);
        return EXEC_OK;
    }
    return page_fault(pe, acc, va);
}

// Atomic blocks stay within one aligned 16-byte window (target 2.10) and remember what it held.
static enum exec_status atomic_check(struct pe *pe, uint64_t va, unsigned size)
{
    struct core *x = pe->x;
    uint64_t base = va & ~(uint64_t)15;
    if (((va + size - 1) & ~(uint64_t)15) != base || (x->atom_window && base != x->atom_base))
        return pe_trap(pe, LINX_E_DATA, LINX_EC_RANGE, va);
    x->atom_window = true;
    x->atom_base = base;
    return EXEC_OK;
}

static void fill(struct tlb_entry *t, struct machine *m, uint64_t va, uint64_t pa)
{
    uint64_t page = va & PAGE_MASK;
    uint8_t *host = machine_ram(m, pa & PAGE_MASK, PAGE_SIZE);
    if (!host) return;
    t[page >> PAGE_BITS & (TLB_SIZE - 1)] = (struct tlb_entry){ page, (uint64_t)(uintptr_t)host - page };
}

enum exec_status pe_load(struct pe *pe, uint64_t va, unsigned size, uint64_t *value)
{
    struct core *x = pe->x;
    struct machine *m = pe->m;
    struct tlb_entry *e = &x->r[va >> PAGE_BITS & (TLB_SIZE - 1)];
    if (e->tag == ((va + size - 1) & PAGE_MASK)) {
        *value = load_le((void *)(uintptr_t)(va + e->addend), size);
        return EXEC_OK;
    }
    if (pe->atomic && atomic_check(pe, va, size) != EXEC_OK) return EXEC_TRAP;
    uint64_t pa, last = va + size - 1;
    if (mmu_translate(pe, va, ACC_READ, &pa) != EXEC_OK) return EXEC_TRAP;
    if ((va ^ last) & PAGE_MASK) {      // straddles two pages: each byte's page must allow it
        uint64_t pa2, v = 0;
        if (mmu_translate(pe, last & PAGE_MASK, ACC_READ, &pa2) != EXEC_OK) return EXEC_TRAP;
        unsigned first = (unsigned)(PAGE_SIZE - (va & (PAGE_SIZE - 1)));
        uint8_t *p = machine_ram(m, pa, first), *q = machine_ram(m, pa2, size - first);
        if (!p) return access_fault(pe, ACC_READ, va);
        if (!q) return access_fault(pe, ACC_READ, last & PAGE_MASK);
        memcpy(&v, p, first);
        memcpy((uint8_t *)&v + first, q, size - first);
        *value = v;
        return EXEC_OK;
    }
    uint8_t *p = machine_ram(m, pa, size);
    if (p) {
        *value = load_le(p, size);
        fill(x->rtlb[pe_ring(pe)], m, va, pa);
        return EXEC_OK;
    }
    if (va & (size - 1) && device_at(m, pa, 1)) return pe_trap(pe, LINX_E_DATA, LINX_EC_LOAD_MISALIGNED, va);
    pe->leave = true;
    return machine_read(m, pa, size, value) ? EXEC_OK : access_fault(pe, ACC_READ, va);
}

enum exec_status pe_store(struct pe *pe, uint64_t va, unsigned size, uint64_t value)
{
    struct core *x = pe->x;
    struct machine *m = pe->m;
    struct tlb_entry *e = &x->w[va >> PAGE_BITS & (TLB_SIZE - 1)];
    if (e->tag == ((va + size - 1) & PAGE_MASK)) {
        memcpy((void *)(uintptr_t)(va + e->addend), &value, size);
        return EXEC_OK;
    }
    if (pe->atomic && atomic_check(pe, va, size) != EXEC_OK) return EXEC_TRAP;
    uint64_t pa, last = va + size - 1;
    if (mmu_translate(pe, va, ACC_WRITE, &pa) != EXEC_OK) return EXEC_TRAP;
    if ((va ^ last) & PAGE_MASK) {
        uint64_t pa2;
        if (mmu_translate(pe, last & PAGE_MASK, ACC_WRITE, &pa2) != EXEC_OK) return EXEC_TRAP;
        unsigned first = (unsigned)(PAGE_SIZE - (va & (PAGE_SIZE - 1)));
        uint8_t *p = machine_ram(m, pa, first), *q = machine_ram(m, pa2, size - first);
        if (!p) return access_fault(pe, ACC_WRITE, va);
        if (!q) return access_fault(pe, ACC_WRITE, last & PAGE_MASK);
        memcpy(p, &value, first);
        memcpy(q, (uint8_t *)&value + first, size - first);
        machine_wrote(m, pa, first);
        machine_wrote(m, pa2, size - first);
        return EXEC_OK;
    }
    uint8_t *p = machine_ram(m, pa, size);
    if (p) {
        if (pe->atomic && !x->atom_wrote) {
            x->atom_wrote = true;
            x->atom_pa = pa & ~(uint64_t)15;
            memcpy(x->atom_old, machine_ram(m, x->atom_pa, 16), 16);
        }
        memcpy(p, &value, size);
        machine_wrote(m, pa, size);
        if (!m->reservations && !(m->page_flags[(pa - m->cfg.ram_base) >> PAGE_BITS] & PAGE_HAS_CODE))
            fill(x->wtlb[pe_ring(pe)], m, va, pa);
        return EXEC_OK;
    }
    if (va & (size - 1) && device_at(m, pa, 1)) return pe_trap(pe, LINX_E_DATA, LINX_EC_STORE_MISALIGNED, va);
    if (pe->atomic) return access_fault(pe, ACC_WRITE, va);     // a device write could not be taken back
    pe->leave = true;
    return machine_write(m, pa, size, value) ? EXEC_OK : access_fault(pe, ACC_WRITE, va);
}

enum exec_status pe_probe(struct pe *pe, uint64_t va, uint64_t len, bool write)
{
    enum access acc = write ? ACC_WRITE : ACC_READ;
    while (len) {
        uint64_t pa, n = PAGE_SIZE - (va & (PAGE_SIZE - 1));
        if (n > len) n = len;
        if (mmu_translate(pe, va, acc, &pa) != EXEC_OK) return EXEC_TRAP;
        if (!machine_ram(pe->m, pa, n)) {
            for (uint64_t i = 0; i < n; i++)
                if (!machine_ram(pe->m, pa + i, 1) && !device_at(pe->m, pa + i, 1)) return access_fault(pe, acc, va + i);
        }
        va += n;
        len -= n;
    }
    return EXEC_OK;
}

void *pe_host(struct pe *pe, uint64_t va, uint64_t len, bool write)
{
    struct core *x = pe->x;
    struct tlb_entry *e = &(write ? x->w : x->r)[va >> PAGE_BITS & (TLB_SIZE - 1)];
    if (!len || len > PAGE_SIZE) return NULL;
    if (e->tag == (va & PAGE_MASK) && e->tag == ((va + len - 1) & PAGE_MASK)) return (void *)(uintptr_t)(va + e->addend);
    if (pe->atomic || ((va ^ (va + len - 1)) & PAGE_MASK)) return NULL;
    struct trap saved = pe->trap;
    uint64_t pa;
    if (mmu_translate(pe, va, write ? ACC_WRITE : ACC_READ, &pa) != EXEC_OK) { pe->trap = saved; return NULL; }
    void *p = machine_ram(pe->m, pa, len);
    if (!p) return NULL;
    if (!write)
        fill(x->rtlb[pe_ring(pe)], pe->m, va, pa);
    else if (!pe->m->reservations && !(pe->m->page_flags[(pa - pe->m->cfg.ram_base) >> PAGE_BITS] & PAGE_HAS_CODE))
        fill(x->wtlb[pe_ring(pe)], pe->m, va, pa);
    return p;
}

void pe_wrote(struct pe *pe, uint64_t va, uint64_t len)
{
    struct core *x = pe->x;
    while (len) {
        uint64_t pa, n = PAGE_SIZE - (va & (PAGE_SIZE - 1));
        if (n > len) n = len;
        struct trap saved = pe->trap;
        // A page the fast store path may write holds no code and no reservation: nothing to tell.
        if (x->w[va >> PAGE_BITS & (TLB_SIZE - 1)].tag != (va & PAGE_MASK) &&
            mmu_translate(pe, va, ACC_WRITE, &pa) == EXEC_OK && machine_ram(pe->m, pa, n))
            machine_wrote(pe->m, pa, n);
        pe->trap = saved;
        va += n;
        len -= n;
    }
}

enum exec_status pe_fetch(struct pe *pe, uint64_t va, unsigned bytes, uint64_t *value)
{
    uint64_t pa, v = 0;
    if (va & 1) return pe_trap(pe, LINX_E_INST, LINX_EC_MISALIGNED, va);
    for (unsigned done = 0; done < bytes;) {
        uint64_t at = va + done;
        unsigned n = (unsigned)(PAGE_SIZE - (at & (PAGE_SIZE - 1)));
        if (n > bytes - done) n = bytes - done;
        if (mmu_translate(pe, at, ACC_FETCH, &pa) != EXEC_OK) return EXEC_TRAP;
        uint8_t *p = machine_ram(pe->m, pa, n);
        if (!p) return access_fault(pe, ACC_FETCH, at);
        memcpy((uint8_t *)&v + done, p, n);
        done += n;
    }
    *value = v;
    return EXEC_OK;
}

static uint64_t copy_virtual(struct pe *pe, uint64_t va, uint8_t *to, const uint8_t *from, uint64_t len)
{
    uint64_t done = 0;
    struct trap saved = pe->trap;
    while (done < len) {
        uint64_t pa, at = va + done, n = PAGE_SIZE - (at & (PAGE_SIZE - 1));
        if (n > len - done) n = len - done;
        // A debugger may look at whatever any kind of access reaches.
        if (mmu_translate(pe, at, ACC_READ, &pa) != EXEC_OK && mmu_translate(pe, at, ACC_FETCH, &pa) != EXEC_OK) break;
        uint8_t *p = machine_ram(pe->m, pa, n);
        if (!p) break;
        if (to) memcpy(to + done, p, n);
        else {
            memcpy(p, from + done, n);
            machine_wrote(pe->m, pa, n);
        }
        done += n;
    }
    pe->trap = saved;
    return done;
}

uint64_t pe_peek(struct pe *pe, uint64_t va, void *buf, uint64_t len) { return copy_virtual(pe, va, buf, NULL, len); }
uint64_t pe_poke(struct pe *pe, uint64_t va, const void *buf, uint64_t len) { return copy_virtual(pe, va, NULL, buf, len); }
