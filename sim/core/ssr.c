// SPDX-License-Identifier: BSD-2-Clause
// System registers (docs/target.md 4): access rights, reads, writes.
#include "core.h"
#include "exec.h"

enum { SSR_RO = 1, SSR_WO = 2 };
enum { VENDOR_ID = 0x4c52,          // "LR"
       VERSION_ID = 0x0056 };       // instruction set v0.56
// LCFR: features and sizes of the data engine. C cube, F floating point, V vector; no hardware queues (G).
enum { LCFR_C = 1, LCFR_F = 4, LCFR_V = 8, LCFR_LANES = 6 << 16, LCFR_TMAX = 63 << 24 };

static uint64_t lcfr(const struct pe *pe)
{
    unsigned log = 0;
    while (1u << (log + 1) <= pe->m->cfg.group_slots) log++;
    return LCFR_C | LCFR_F | LCFR_V | LCFR_LANES | LCFR_TMAX | log << 8;
}

static enum exec_status refuse(struct pe *pe, uint32_t id) { return pe_trap(pe, LINX_E_ISSR, 0, id); }

// Ring whose bank the id names, or -1.
static int bank_of(uint32_t id) { return (id & 0xff00) == 0x0f00 || (id & 0xff00) == 0x1f00 ? (int)(id >> 12) : -1; }

uint32_t ssr_swap_id(const struct pe *pe, uint32_t id)
{
    return (id & 0xf00) == 0xf00 ? (id & 0xfff) | pe_ring(pe) << 12 : id;
}

enum exec_status ssr_check(struct pe *pe, uint32_t id, bool write)
{
    unsigned ring = pe_ring(pe);
    int bank = bank_of(id);
    if (id > 0xffff) return refuse(pe, id);
    if (bank >= 0) {
        if (ring > (unsigned)bank) return refuse(pe, id);
        switch (id & 0xff) {
        case LINX_SSRO_ECSTATE: case LINX_SSRO_EVBASE: case LINX_SSRO_TRAPNO: case LINX_SSRO_TRAPARG0: case LINX_SSRO_ETEMP:
        case LINX_SSRO_FUTO: case LINX_SSRO_ECONFIG: case LINX_SSRO_EBPC: case LINX_SSRO_EBARG: case LINX_SSRO_ETPC:
        case LINX_SSRO_EBPCN: case LINX_SSRO_TIMER_TIME: case LINX_SSRO_TIMER_CMP: case LINX_SSRO_XBINFO:
            return EXEC_OK;
        case LINX_SSRO_IPENDING: case LINX_SSRO_TOPEI: case LINX_SSRO_ACR_PARAM:
            return write ? refuse(pe, id) : EXEC_OK;
        case LINX_SSRO_EOIEI:
            return write ? EXEC_OK : refuse(pe, id);
        case LINX_SSR_MMTBASE & 0xff: case LINX_SSR_MMCONFIG & 0xff:
            return bank == 1 ? EXEC_OK : refuse(pe, id);
        default: return refuse(pe, id);
        }
    }
    switch (id) {
    case LINX_SSR_TP: case LINX_SSR_GP: case LINX_SSR_CSTATE: return EXEC_OK;
    case LINX_SSR_TIME: case LINX_SSR_CYCLE: case LINX_SSR_LXLCID: case LINX_SSR_VENDOR: case LINX_SSR_VERSION:
    case LINX_SSR_LCFR: case LINX_SSR_BLOCKNUM: case LINX_SSR_BLOCKID: case LINX_SSR_PEID:
    case LINX_SSR_TILEMAP_T: case LINX_SSR_TILEMAP_T + 1: case LINX_SSR_TILEMAP_T + 2: case LINX_SSR_TILEMAP_T + 3:
        return write ? refuse(pe, id) : EXEC_OK;
    case LINX_SSR_LCFR_EN: case LINX_SSR_SHWINDOW:
        return write && ring == LINX_ACR_TASK ? refuse(pe, id) : EXEC_OK;
    case LINX_SSR_SHSELECT:
        return ring == LINX_ACR_TASK ? refuse(pe, id) : EXEC_OK;
    case LINX_SSR_SHDESC: case LINX_SSR_SHSHAPE:
        return write || ring == LINX_ACR_TASK ? refuse(pe, id) : EXEC_OK;
    default: return refuse(pe, id);
    }
}

// Pending interrupts of a ring as IPENDING bits.
unsigned ipending(const struct pe *pe, unsigned ring)
{
    const struct ring_bank *b = &pe->bank[ring];
    unsigned p = 0;
    if (pe->m->intc.ext[pe->lxlcid][ring]) p |= LINX_ECONFIG_E;
    if (b->forced_ti || (b->timer_cmp && pe_time(pe) + b->timer_offset >= b->timer_cmp)) p |= LINX_ECONFIG_T;
    if (b->ipi) p |= LINX_ECONFIG_I;
    return p;
}

static const uint8_t int_id[2][3] = { { LINX_INT_ACR0_EI, LINX_INT_ACR0_TI, LINX_INT_ACR0_II },
                                      { LINX_INT_ACR1_EI, LINX_INT_ACR1_TI, LINX_INT_ACR1_II } };

unsigned top_interrupt(const struct pe *pe, unsigned ring)
{
    unsigned p = ipending(pe, ring) & pe->bank[ring].econfig;
    for (unsigned i = 0; i < 3; i++)
        if (p >> i & 1) return int_id[ring][i];
    return LINX_INT_NONE;
}

static uint64_t bank_read(struct pe *pe, unsigned ring, unsigned off)
{
    struct ring_bank *b = &pe->bank[ring];
    switch (off) {
    case LINX_SSRO_ECSTATE: return b->ecstate;
    case LINX_SSRO_EVBASE: return b->evbase;
    case LINX_SSRO_TRAPNO: return b->trapno;
    case LINX_SSRO_TRAPARG0: return b->traparg0;
    case LINX_SSRO_ETEMP: return b->etemp;
    case LINX_SSRO_FUTO: return b->futo;
    case LINX_SSRO_ECONFIG: return b->econfig;
    case LINX_SSRO_IPENDING: return ipending(pe, ring);
    case LINX_SSRO_TOPEI: return top_interrupt(pe, ring);
    case LINX_SSRO_EBPC: return b->ebpc;
    case LINX_SSRO_EBARG: return b->ebarg;
    case LINX_SSRO_ETPC: return b->etpc;
    case LINX_SSRO_EBPCN: return b->ebpcn;
    case LINX_SSRO_TIMER_TIME: return pe_time(pe) + b->timer_offset;
    case LINX_SSRO_TIMER_CMP: return b->timer_cmp;
    case LINX_SSRO_XBINFO: return b->xbinfo;
    case LINX_SSR_MMTBASE & 0xff: return pe->mmtbase;
    case LINX_SSR_MMCONFIG & 0xff: return pe->mmconfig;
    default: return 0;
    }
}

enum exec_status ssr_read(struct pe *pe, uint32_t id, uint64_t *value)
{
    if (ssr_check(pe, id, false) != EXEC_OK) return EXEC_TRAP;
    int bank = bank_of(id);
    if (bank >= 0) { *value = bank_read(pe, (unsigned)bank, id & 0xff); return EXEC_OK; }
    switch (id) {
    case LINX_SSR_TP: *value = pe->tp; break;
    case LINX_SSR_GP: *value = pe->gp; break;
    case LINX_SSR_TIME: case LINX_SSR_CYCLE: *value = pe_time(pe); break;
    case LINX_SSR_CSTATE: *value = pe->cstate; break;
    case LINX_SSR_LXLCID: case LINX_SSR_BLOCKID: *value = pe->lxlcid; break;
    case LINX_SSR_VENDOR: *value = VENDOR_ID; break;
    case LINX_SSR_VERSION: *value = VERSION_ID; break;
    case LINX_SSR_LCFR: *value = lcfr(pe); break;
    case LINX_SSR_LCFR_EN: *value = pe->lcfr_en; break;
    case LINX_SSR_BLOCKNUM: *value = pe->m->num_pes; break;
    case LINX_SSR_PEID: *value = pe->index; break;
    case LINX_SSR_SHWINDOW: *value = pe->shared_window; break;
    case LINX_SSR_SHSELECT: *value = pe->shared_select; break;
    case LINX_SSR_SHDESC: *value = engine_shared_desc(pe, (unsigned)pe->shared_select); break;
    case LINX_SSR_SHSHAPE: *value = engine_shared_shape(pe, (unsigned)pe->shared_select); break;
    default: *value = engine_tile_map(pe, id - LINX_SSR_TILEMAP_T);
    }
    return EXEC_OK;
}

static const uint64_t ecstate_mask = LINX_CSTATE_ACR_MASK | LINX_CSTATE_I | LINX_ECSTATE_BI | LINX_CSTATE_P |
                                     (uint64_t)0xff << LINX_CSTATE_FFLAGS_SHIFT;

static void end_of_interrupt(struct pe *pe, uint64_t id)
{
    // External interrupts end at the interrupt controller (claim/complete); the timer also needs a new compare value.
    if (id == LINX_INT_ACR0_TI) pe->bank[0].forced_ti = false;
    else if (id == LINX_INT_ACR1_TI) pe->bank[1].forced_ti = false;
    else if (id == LINX_INT_ACR0_II) pe->bank[0].ipi = false;
    else if (id == LINX_INT_ACR1_II) pe->bank[1].ipi = false;
}

static void bank_write(struct pe *pe, unsigned ring, unsigned off, uint64_t v)
{
    struct ring_bank *b = &pe->bank[ring];
    switch (off) {
    case LINX_SSRO_ECSTATE: b->ecstate = v & ecstate_mask; break;
    case LINX_SSRO_EVBASE: b->evbase = v; break;
    case LINX_SSRO_TRAPNO: b->trapno = v; break;
    case LINX_SSRO_TRAPARG0: b->traparg0 = v; break;
    case LINX_SSRO_ETEMP: b->etemp = v; break;
    case LINX_SSRO_FUTO: b->futo = v & 31; break;
    case LINX_SSRO_ECONFIG:
        b->econfig = v & (LINX_ECONFIG_E | LINX_ECONFIG_T | LINX_ECONFIG_I | (uint64_t)1 << LINX_ECONFIG_V_BIT |
                          (uint64_t)1 << LINX_ECONFIG_C_BIT);
        pe->leave = true;
        break;
    case LINX_SSRO_EOIEI:
        if (ring == 0 || (v & 0xff) == LINX_INT_ACR1_TI || (v & 0xff) == LINX_INT_ACR1_II) end_of_interrupt(pe, v & 0xff);
        pe->leave = true;
        break;
    case LINX_SSRO_EBPC: b->ebpc = v; break;
    case LINX_SSRO_EBARG: b->ebarg = v; break;
    case LINX_SSRO_ETPC: b->etpc = v; break;
    case LINX_SSRO_EBPCN: b->ebpcn = v; break;
    case LINX_SSRO_TIMER_TIME: b->timer_offset = v - pe_time(pe); pe->leave = true; break;
    case LINX_SSRO_TIMER_CMP: b->timer_cmp = v; b->forced_ti = false; pe->leave = true; break;
    case LINX_SSRO_XBINFO: b->xbinfo = v; break;
    case LINX_SSR_MMTBASE & 0xff: pe->mmtbase = v; mem_flush(pe); break;
    case LINX_SSR_MMCONFIG & 0xff: pe->mmconfig = v & 31; mem_flush(pe); break;
    }
}

enum exec_status ssr_write(struct pe *pe, uint32_t id, uint64_t v)
{
    if (ssr_check(pe, id, true) != EXEC_OK) return EXEC_TRAP;
    int bank = bank_of(id);
    if (bank >= 0) { bank_write(pe, (unsigned)bank, id & 0xff, v); return EXEC_OK; }
    switch (id) {
    case LINX_SSR_TP: pe->tp = v; break;
    case LINX_SSR_GP: pe->gp = v; break;
    case LINX_SSR_CSTATE: {
        // Tasks own flags and rounding mode; I and P belong to the rings above, ACR changes by traps and ACRE only.
        uint64_t mask = (uint64_t)0xff << LINX_CSTATE_FFLAGS_SHIFT, old = pe->cstate;
        if (pe_ring(pe) != LINX_ACR_TASK) mask |= LINX_CSTATE_I | LINX_CSTATE_P;
        pe->cstate = (old & ~mask) | (v & mask);
        if ((old ^ pe->cstate) & LINX_CSTATE_P) mem_flush(pe);
        pe->leave = true;
        break;
    }
    case LINX_SSR_LCFR_EN: pe->lcfr_en = v; break;
    case LINX_SSR_SHWINDOW: pe->shared_window = v & 0x1ff00ff; break;
    case LINX_SSR_SHSELECT: pe->shared_select = v & 0xff; break;
    }
    return EXEC_OK;
}

uint64_t lsr_read(const struct pe *pe, unsigned id)
{
    return id == 0 ? pe->bpc : id == 1 ? pe->bpcn : id == 2 ? ebarg_pack(pe, 0) : 0;
}

int interrupt_best(struct pe *pe)
{
    unsigned ring = pe_ring(pe);
    bool enabled = pe->cstate & LINX_CSTATE_I;
    for (unsigned target = 0; target < 2; target++) {
        if (target > ring || (target == ring && !enabled)) continue;
        unsigned id = top_interrupt(pe, target);
        if (id != LINX_INT_NONE) return (int)id;
    }
    return -1;
}

bool interrupt_pending(struct pe *pe)
{
    return top_interrupt(pe, 0) != LINX_INT_NONE || top_interrupt(pe, 1) != LINX_INT_NONE;
}

uint64_t timer_next(struct pe *pe)
{
    uint64_t now = pe_time(pe), best = UINT64_MAX;
    for (unsigned ring = 0; ring < 2; ring++) {
        const struct ring_bank *b = &pe->bank[ring];
        uint64_t count = now + b->timer_offset;
        if (b->timer_cmp && count < b->timer_cmp && b->timer_cmp - count < best - now) best = now + (b->timer_cmp - count);
    }
    return best;
}
