// SPDX-License-Identifier: BSD-2-Clause
// Block life: successors, atomic blocks, waiting, and the synchronising instructions of system blocks.
#include "core.h"
#include "exec.h"

bool handler_is_start(unsigned h)
{
    if (h >= HANDLER(H_START_FALL) && h <= HANDLER(H_START_IND)) return true;
    if (h == HANDLER(H_DATA_BLOCK)) return true;
    unsigned form = h / VARIANTS;
    return form < LINX_NFORMS && linx_forms[form].where & LINX_WHERE_START;
}

enum exec_status block_next(struct pe *pe, uint64_t following, uint64_t *next)
{
    switch (pe->br_type) {
    case 0: *next = following; break;
    case 1: *next = pe->bpcn; break;
    case 2: *next = pe->taken ? pe->bpcn : following; break;
    default:
        // TAKEN of an indirect block tells that SETC.TGT has run
        if (!pe->taken) return pe_trap(pe, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0);
        *next = pe->bpcn;
    }
    if (pe->atomic) atomic_commit(pe);
    return EXEC_OK;
}

void block_ended(struct pe *pe, uint64_t next)
{
    if (pe->atomic) atomic_commit(pe);
    pe->bpc = pe->tpc = next;
    pe->in_body = false;
}

bool header_position(struct pe *pe, uint64_t pc)
{
    uint64_t at = pe->bpc;
    struct trap saved = pe->trap;
    bool start = true;
    while (at < pc) {
        uint64_t half, word;
        if (pe_fetch(pe, at, 2, &half) != EXEC_OK) break;
        unsigned bytes = linx_insn_bytes((uint16_t)half);
        if (pe_fetch(pe, at, bytes, &word) != EXEC_OK) break;
        enum linx_form f = linx_decode(word, bytes);
        if (f == LINX_NFORMS || !(linx_forms[f].where & (start ? LINX_WHERE_START : LINX_WHERE_HEADER))) break;
        start = false;
        at += bytes;
    }
    pe->trap = saved;
    return at == pc;
}

// ---- atomic blocks: all or nothing (target 2.10). While one runs, every access takes the slow path.
void atomic_begin(struct pe *pe)
{
    struct core *x = pe->x;
    memcpy(x->atom_regs, pe->r, sizeof x->atom_regs);
    x->atom_cstate = pe->cstate;
    x->atom_tp = pe->tp;
    x->atom_gp = pe->gp;
    x->atom_window = x->atom_wrote = false;
    pe->atomic = true;
    mem_select(pe);
}

void atomic_commit(struct pe *pe)
{
    pe->atomic = false;
    pe->x->atom_tried = false;
    mem_select(pe);
}

void atomic_rollback(struct pe *pe)
{
    struct core *x = pe->x;
    memcpy(pe->r, x->atom_regs, sizeof x->atom_regs);
    pe->cstate = x->atom_cstate;
    pe->tp = x->atom_tp;
    pe->gp = x->atom_gp;
    if (x->atom_wrote) {
        memcpy(machine_ram(pe->m, x->atom_pa, 16), x->atom_old, 16);
        machine_wrote(pe->m, x->atom_pa, 16);
    }
    // The next attempt of the same block is not interrupted, so that an interrupt storm cannot starve it.
    x->atom_tried = true;
    x->atom_retry = pe->bpc;
    pe->atomic = false;
    pe->in_body = false;
    pe->tpc = pe->bpc;
    mem_select(pe);
}

// ---- waiting
void wait_block(struct pe *pe, int form, uint64_t operand)
{
    struct machine *m = pe->m;
    switch (form) {
    case LINX_BSE:
        for (unsigned i = 0; operand && i < m->num_pes; i++)
            if (m->pe[i] != pe) m->pe[i]->x->event = true;
        break;
    case LINX_BWE:
        if (pe->x->event) pe->x->event = false;
        else pe->sleep = SLEEP_EVENT;
        break;
    case LINX_BWI: pe->sleep = SLEEP_INTERRUPT; break;
    default:
        pe->sleep = SLEEP_TIME;
        pe->x->wake_at = pe_time(pe) + 1 + operand;
        if (pe->x->wake_at < operand) pe->x->wake_at = UINT64_MAX;
    }
}

// ---- caches: code is always coherent here, so only protection, DC.ZVA and the TLB matter
enum exec_status maintain(struct pe *pe, int form, uint64_t operand)
{
    if (pe->atomic) return pe_trap(pe, LINX_E_INST, LINX_EC_ILLEGAL, 0);
    switch (form) {
    case LINX_DC_IVA: case LINX_DC_IALL: case LINX_DC_ISW: case LINX_DC_CSW: case LINX_DC_CISW:
        return pe_ring(pe) == LINX_ACR_TASK ? pe_trap(pe, LINX_E_INST, LINX_EC_PERM, 0) : EXEC_OK;
    case LINX_TLB_IA: case LINX_TLB_IV: case LINX_TLB_IAV: case LINX_TLB_IALL:
        if (pe_ring(pe) == LINX_ACR_TASK) return pe_trap(pe, LINX_E_INST, LINX_EC_PERM, 0);
        mem_flush(pe);
        return EXEC_OK;
    case LINX_DC_ZVA: {
        uint64_t line = operand & ~(uint64_t)63;
        if (pe_probe(pe, line, 64, true) != EXEC_OK) return EXEC_TRAP;
        for (unsigned i = 0; i < 64; i += 8)
            if (pe_store(pe, line + i, 8, 0) != EXEC_OK) return EXEC_TRAP;
        return EXEC_OK;
    }
    default: return EXEC_OK;
    }
}

// ---- reservations and read-modify-write
static uint64_t sign_extend(uint64_t v, unsigned size)
{
    unsigned up = 64 - 8 * size;
    return (uint64_t)((int64_t)(v << up) >> up);
}

enum exec_status load_reserved(struct pe *pe, uint64_t va, unsigned size, uint64_t *value)
{
    uint64_t pa;
    if (va & (size - 1)) return pe_trap(pe, LINX_E_DATA, LINX_EC_LOAD_MISALIGNED, va);
    if (pe_load(pe, va, size, value) != EXEC_OK || mmu_translate(pe, va, ACC_READ, &pa) != EXEC_OK) return EXEC_TRAP;
    trace_mem(pe, 'R', va, size, *value);
    *value = sign_extend(*value, size);
    mem_set_reservation(pe, pa);
    return EXEC_OK;
}

enum exec_status store_conditional(struct pe *pe, uint64_t va, unsigned size, uint64_t value, uint64_t *failed)
{
    uint64_t pa;
    struct core *x = pe->x;
    if (va & (size - 1)) return pe_trap(pe, LINX_E_DATA, LINX_EC_STORE_MISALIGNED, va);
    if (mmu_translate(pe, va, ACC_WRITE, &pa) != EXEC_OK) return EXEC_TRAP;
    bool hit = x->resv_live && pa - x->resv_pa < 64;
    if (hit && pe_store(pe, va, size, value) != EXEC_OK) return EXEC_TRAP;
    if (hit) trace_mem(pe, 'W', va, size, value);
    mem_clear_reservation(pe);
    *failed = !hit;
    return EXEC_OK;
}

static uint64_t amo_result(enum amo_op what, uint64_t old, uint64_t operand, unsigned size)
{
    int64_t so = (int64_t)sign_extend(old, size), sx = (int64_t)sign_extend(operand, size);
    uint64_t mask = size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * size) - 1, uo = old & mask, ux = operand & mask;
    switch (what) {
    case AMO_ADD: return old + operand;
    case AMO_AND: return old & operand;
    case AMO_OR: return old | operand;
    case AMO_XOR: return old ^ operand;
    case AMO_SMAX: return so > sx ? old : operand;
    case AMO_SMIN: return so < sx ? old : operand;
    case AMO_UMAX: return uo > ux ? old : operand;
    case AMO_UMIN: return uo < ux ? old : operand;
    default: return operand;
    }
}

// Reads for a write: nothing is changed when either would fault.
static enum exec_status load_for_update(struct pe *pe, uint64_t va, unsigned size, uint64_t *old)
{
    if (va & (size - 1)) return pe_trap(pe, LINX_E_DATA, LINX_EC_STORE_MISALIGNED, va);
    if (pe_probe(pe, va, size, true) != EXEC_OK) return EXEC_TRAP;
    if (pe_load(pe, va, size, old) != EXEC_OK) return EXEC_TRAP;
    trace_mem(pe, 'R', va, size, *old);
    return EXEC_OK;
}

static enum exec_status store_update(struct pe *pe, uint64_t va, unsigned size, uint64_t value)
{
    if (pe_store(pe, va, size, value) != EXEC_OK) return EXEC_TRAP;
    trace_mem(pe, 'W', va, size, value);
    return EXEC_OK;
}

enum exec_status amo(struct pe *pe, uint64_t va, unsigned size, enum amo_op what, uint64_t operand, uint64_t *old)
{
    uint64_t v;
    if (load_for_update(pe, va, size, &v) != EXEC_OK ||
        store_update(pe, va, size, amo_result(what, v, operand, size)) != EXEC_OK) return EXEC_TRAP;
    *old = what == AMO_SWAP ? v : sign_extend(v, size);
    return EXEC_OK;
}

enum exec_status compare_swap(struct pe *pe, uint64_t va, unsigned size, uint64_t expect, uint64_t value, uint64_t *old)
{
    uint64_t v, mask = size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * size) - 1;
    if (load_for_update(pe, va, size, &v) != EXEC_OK) return EXEC_TRAP;
    if (v == (expect & mask) && store_update(pe, va, size, value) != EXEC_OK) return EXEC_TRAP;
    *old = v;
    return EXEC_OK;
}

enum exec_status store_pair(struct pe *pe, uint64_t va, unsigned size, uint64_t v0, uint64_t v1)
{
    if (pe_probe(pe, va, 2 * size, true) != EXEC_OK) return EXEC_TRAP;
    if (pe_store(pe, va, size, v0) != EXEC_OK) return EXEC_TRAP;
    trace_mem(pe, 'W', va, size, v0);
    if (pe_store(pe, va + size, size, v1) != EXEC_OK) return EXEC_TRAP;
    trace_mem(pe, 'W', va + size, size, v1);
    return EXEC_OK;
}
