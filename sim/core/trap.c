// SPDX-License-Identifier: BSD-2-Clause
// Trap entry, fixup blocks, interrupts, ACRC and ACRE (docs/target.md 4; digest 6.5-6.8).
#include "core.h"

uint64_t ebarg_pack(const struct pe *pe, unsigned group)
{
    return (uint64_t)pe->block_type << LINX_EBARG_BLOCKTYPE_SHIFT | (uint64_t)pe->br_type << LINX_EBARG_TYPE_SHIFT |
           (uint64_t)pe->taken << LINX_EBARG_TAKEN_BIT | (uint64_t)pe->aq << LINX_EBARG_AQ_BIT |
           (uint64_t)pe->rl << LINX_EBARG_RL_BIT | (uint64_t)group << LINX_EBARG_GROUP_SHIFT | pe->x->data_regdst;
}

static void barg_clear(struct pe *pe)
{
    pe->block_type = LINX_BT_STD;
    pe->br_type = 0;
    pe->taken = pe->aq = pe->rl = false;
    pe->bpcn = 0;
    pe->x->data_regdst = 0;
}

// Enters ring `target`: EBPC.. take the state of the block in progress at pe->tpc.
static void enter(struct pe *pe, unsigned target, uint64_t trapno, uint64_t arg)
{
    struct machine *m = pe->m;
    struct ring_bank *b = &pe->bank[target];
    unsigned group = 0;
    if (pe->atomic) atomic_rollback(pe);
    if (pe->data_active && pe->x->data_atomic) {    // all or nothing (target 2.10)
        if (!(trapno >> LINX_TRAPNO_E_BIT)) engine_discard(pe);     // a fault has discarded it already
        pe->data_active = pe->in_body = false;
        pe->tpc = pe->bpc;
        pe->x->atom_tried = true;
        pe->x->atom_retry = pe->bpc;
    } else if (pe->data_active) {
        if (trapno >> LINX_TRAPNO_E_BIT) group = pe->x->data_group;
        else engine_where(pe, &pe->tpc, &group);
    }
    b->ecstate = (pe->cstate & ~(uint64_t)LINX_ECSTATE_BI) | (pe->in_body ? LINX_ECSTATE_BI : 0);
    b->ebpc = pe->bpc;
    b->ebpcn = pe->in_body ? pe->bpcn : 0;
    b->ebarg = pe->in_body ? ebarg_pack(pe, group) : (uint64_t)pe->block_type << LINX_EBARG_BLOCKTYPE_SHIFT;
    b->etpc = pe->tpc;
    b->trapno = trapno;
    b->traparg0 = arg;
    if (LOGS(m, LOG_TRAP)) {
        uint64_t off = 0;
        const char *sym = symbol_at(m, pe->tpc, &off);
        const char *why = trapno >> LINX_TRAPNO_E_BIT && pe->trap.why ? pe->trap.why : "";
        machine_log(m, "trap pe=%u ring=%u->%u %s num=%u cause=%u arg=%#llx bi=%d ebpc=%#llx etpc=%#llx ebpcn=%#llx ebarg=%#llx time=%llu %s+%#llx%s%s",
                    pe->lxlcid, pe_ring(pe), target, trapno >> 63 ? "sync" : "irq", (unsigned)(trapno & LINX_TRAPNO_NUM_MASK),
                    (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT & 0xffffff), (unsigned long long)arg, pe->in_body,
                    (unsigned long long)b->ebpc, (unsigned long long)b->etpc, (unsigned long long)b->ebpcn,
                    (unsigned long long)b->ebarg, (unsigned long long)pe_time(pe), sym ? sym : "?", (unsigned long long)off, *why ? " : " : "", why);
    }
    pe->cstate &= ~(uint64_t)LINX_CSTATE_I;
    pe->data_active = false;
    pe->in_body = false;
    barg_clear(pe);
    mem_clear_reservation(pe);
    set_ring(pe, target);
    pe->bpc = pe->tpc = b->evbase;
    if (!b->evbase) {
        m->why = trapno >> 63 ? "trap with no handler (EVBASE is 0)" : "interrupt with no handler (EVBASE is 0)";
        m->exiting = true;
        m->status = 1;
    }
}

// The FUTO bit that would let this exception trap although the block has a fixup label, or -1.
static int futo_bit(const struct trap *t)
{
    if (t->num == LINX_E_ASSERT) return LINX_FUTO_A;
    if (t->num != LINX_E_DATA) return -1;
    switch (t->cause) {
    case LINX_EC_LOAD_ACCESS: case LINX_EC_LOAD_PAGE: return LINX_FUTO_LF;
    case LINX_EC_LOAD_MISALIGNED: return LINX_FUTO_LMA;
    case LINX_EC_STORE_ACCESS: case LINX_EC_STORE_PAGE: return LINX_FUTO_SF;
    case LINX_EC_STORE_MISALIGNED: return LINX_FUTO_SMA;
    default: return -1;
    }
}

void trap_deliver(struct pe *pe)
{
    const struct trap t = pe->trap;
    struct machine *m = pe->m;
    unsigned ring = pe_ring(pe), target = ring == LINX_ACR_MONITOR ? 0 : 1;
    if (t.num == LINX_E_SCALL && t.cause != LINX_SCT_SYS) target = 0;
    int futo = futo_bit(&t);
    // A scalar fall-through block carries its fixup label in BPCN.
    if (futo >= 0 && pe->in_body && !pe->data_active && pe->br_type == 0 && pe->bpcn && !(pe->bank[target].futo & (unsigned)futo)) {
        uint64_t label = pe->bpcn;
        if (pe->atomic) atomic_rollback(pe);
        pe->in_body = false;
        pe->bpc = pe->tpc = label;
        barg_clear(pe);
        return;
    }
    m->stats[pe->lxlcid].sync_traps[t.num & 63]++;
    m->stats[pe->lxlcid].causes[t.num & 63][t.cause & 7]++;
    bool stuck = ring == target && !pe->in_body && pe->bpc == pe->bank[target].evbase;
    enter(pe, target, (uint64_t)1 << LINX_TRAPNO_E_BIT | (uint64_t)t.cause << LINX_TRAPNO_CAUSE_SHIFT | t.num, t.arg);
    if (stuck && !m->exiting) {
        m->why = "double fault: the trap handler itself cannot start";
        m->exiting = true;
        m->status = 1;
    }
}

bool interrupt_take(struct pe *pe)
{
    int id = interrupt_best(pe);
    if (id < 0 || ((pe->atomic || (pe->data_active && pe->x->data_atomic)) && pe->x->atom_tried && pe->x->atom_retry == pe->bpc)) return false;
    struct machine *m = pe->m;
    unsigned target = id == LINX_INT_ACR0_EI || id == LINX_INT_ACR0_TI || id == LINX_INT_ACR0_II ? 0 : 1;
    m->stats[pe->lxlcid].interrupts[id]++;
    if (pe->data_active) m->stats[pe->lxlcid].preempted_bodies++;
    if (!pe->in_body) barg_clear(pe);
    if (LOGS(m, LOG_IRQ)) machine_log(m, "irq pe=%u id=%d time=%llu", pe->lxlcid, id, (unsigned long long)pe_time(pe));
    enter(pe, target, (uint64_t)id, 0);
    return true;
}

enum exec_status acrc(struct pe *pe, unsigned type)
{
    unsigned ring = pe_ring(pe);
    bool ok = type == LINX_SCT_SYS ? ring == LINX_ACR_TASK
              : type == LINX_SCT_MAC || type == LINX_SCT_SEC ? ring != LINX_ACR_MONITOR : false;
    return ok ? pe_trap(pe, LINX_E_SCALL, type, 0) : pe_trap(pe, LINX_E_INST, LINX_EC_ILLEGAL, 0);
}

// On EXEC_OK the PE stands where it goes on; on EXEC_TRAP nothing has changed.
enum exec_status acre(struct pe *pe, unsigned rra)
{
    unsigned ring = pe_ring(pe);
    if (ring == LINX_ACR_TASK) return pe_trap(pe, LINX_E_INST, LINX_EC_PERM, 0);
    if (rra > LINX_RRA_RESUME) return pe_trap(pe, LINX_E_INST, LINX_EC_ILLEGAL, 0);
    const struct ring_bank *b = &pe->bank[ring];
    unsigned to = b->ecstate & LINX_CSTATE_ACR_MASK;
    if (to < ring || to > LINX_ACR_TASK) return pe_trap(pe, LINX_E_INST, LINX_EC_PARAM, 0);
    bool resume = rra == LINX_RRA_RESUME && (b->ecstate & LINX_ECSTATE_BI);
    unsigned type = b->ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT & 31;
    if (resume && type > LINX_BT_DATA) return pe_trap(pe, LINX_E_INST, LINX_EC_PARAM, 0);

    struct pe before = *pe;
    if (pe->atomic) atomic_commit(pe);
    pe->cstate = b->ecstate & ~(uint64_t)LINX_ECSTATE_BI;
    set_ring(pe, to);
    barg_clear(pe);
    pe->bpc = pe->tpc = b->ebpc;
    pe->in_body = false;
    if (resume) {
        pe->in_body = true;
        pe->tpc = b->etpc;
        pe->bpcn = b->ebpcn;
        pe->block_type = (uint8_t)type;
        pe->br_type = b->ebarg >> LINX_EBARG_TYPE_SHIFT & 3;
        pe->taken = b->ebarg >> LINX_EBARG_TAKEN_BIT & 1;
        pe->aq = b->ebarg >> LINX_EBARG_AQ_BIT & 1;
        pe->rl = b->ebarg >> LINX_EBARG_RL_BIT & 1;
        if (type == LINX_BT_DATA) {
            enum exec_status st = block_resume(pe, b->ebarg >> LINX_EBARG_GROUP_SHIFT & 0xffff);
            if (st == EXEC_TRAP && pe->trap.num == LINX_E_INST && pe->trap.cause != LINX_EC_ILLEGAL) {
                // The header cannot be fetched: the task's fault. Its frozen body stays resumable.
                pe->x->resume_fault = true;
            } else if (st == EXEC_TRAP) {
                struct trap t = pe->trap;
                uint64_t run_done = pe->run_done;
                *pe = before;
                pe->run_done = (uint32_t)run_done;
                pe->trap = t;
                mem_select(pe);
                return EXEC_TRAP;
            }
        }
    }
    if (LOGS(pe->m, LOG_TRAP))
        machine_log(pe->m, "acre pe=%u ring=%u->%u bi=%d type=%u bpc=%#llx tpc=%#llx time=%llu", pe->lxlcid, ring, to, resume, type,
                    (unsigned long long)pe->bpc, (unsigned long long)pe->tpc, (unsigned long long)pe_time(pe));
    mem_clear_reservation(pe);
    pe->leave = true;
    if (((before.cstate ^ pe->cstate) & LINX_CSTATE_P)) mem_flush(pe);
    return EXEC_OK;
}
