// SPDX-License-Identifier: BSD-2-Clause
// Private to sim/core: decoded code, software TLBs, and the functions the run loops share.
#ifndef LINX_SIM_CORE_H
#define LINX_SIM_CORE_H

#include <string.h>

#include "linx_forms.h"
#include "machine.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum { PAGE_BITS = 12, PAGE_SIZE = 1 << PAGE_BITS, TLB_SIZE = 256, JC_SIZE = 1024, MAX_RUN = 64, RINGS = 3 };
#define PAGE_MASK (~(uint64_t)(PAGE_SIZE - 1))

// One decoded instruction: everything the body needs, 32 bytes.
struct op {
    const void *fast;       // label in the fast loop
    int64_t imm;            // immediate, already extended and scaled
    struct op *link;        // block ends: the decoded successor in the same page, once known
    uint8_t d, a, b, c;     // destination (32 = dropped) and sources as register numbers; c also shift or type
    uint16_t h;             // handler = form * VARIANTS + variant (label index of the stepping loop)
    uint16_t off;           // address within its page
};
// A decoded straight piece of code: ops[0] .. block end or page end.
struct run {
    uint32_t n;             // instructions that count when the run goes through to its end
    uint16_t nops;          // entries in ops[]
    bool starts;            // ops[0] may begin a block
    struct code_page *page;
    struct run *next;       // all runs of a page, for freeing
    struct op ops[];
};
struct code_page {
    uint64_t ppn;                   // RAM page index
    struct run *at[PAGE_SIZE / 2];  // by halfword offset
    struct run *all;
    uint64_t lines;                 // 64-byte lines that hold decoded code
};

struct tlb_entry { uint64_t tag; uint64_t addend; };  // tag: page address; host = va + addend
struct jc_entry { uint64_t pc; struct run *run; };

struct core {
    struct tlb_entry rtlb[RINGS][TLB_SIZE], wtlb[RINGS][TLB_SIZE];
    struct jc_entry jc[RINGS * JC_SIZE];
    struct tlb_entry none[TLB_SIZE];          // always misses
    struct tlb_entry *r, *w;                  // what the loops consult now
    struct jc_entry *j;

    bool resv_live; uint64_t resv_pa;
    // atomic block in progress (target 2.10)
    uint64_t atom_regs[33], atom_cstate, atom_tp, atom_gp;
    bool atom_window; uint64_t atom_base; uint8_t atom_old[16]; bool atom_wrote;
    uint64_t atom_pa;
    bool atom_tried; uint64_t atom_retry;     // the block at atom_retry was rolled back: not interrupted again
    bool event; uint64_t wake_at;             // BWE, BWT
    uint64_t data_regdst;                     // EBARG RegDst fields of the data block in progress
    bool resume_fault;                        // ACRE could not fetch the header of the body it resumes
    bool data_atomic; unsigned data_group;    // the body in progress is atomic; group that faulted
    uint64_t data_next;                       // where execution goes on after the data body in progress
    uint8_t t_depth, u_depth;                 // --strict: entries of T and U ever written, at most 4
    // -d insn,mem: the instruction in progress
    bool tracing;                             // this PE's instructions are traced
    bool trace_live;
    uint64_t trace_pc, trace_seq, trace_regs[33];
    unsigned mem_n;
    struct { uint64_t va, value; uint8_t size; char kind; } mem[24];   // a frame template saves 22 registers
};

// ---- memory (mem.c) ----
enum access { ACC_READ, ACC_WRITE, ACC_FETCH };
// Virtual to physical for the current ring; on failure fills pe->trap.
MUST_USE enum exec_status mmu_translate(struct pe *pe, uint64_t va, enum access acc, uint64_t *pa);
void mem_select(struct pe *pe);               // after a change of ring, atomic state or reservations
void mem_flush(struct pe *pe);                // MMU configuration, page tables or P changed
void mem_flush_writes(struct machine *m);     // pages gained code: stores must look again
void mem_clear_reservation(struct pe *pe);
void mem_set_reservation(struct pe *pe, uint64_t pa);

// ---- decoder (decode.c) ----
// The run that starts at va: NULL when fetch faults (pe->trap is filled).
struct run *code_lookup(struct pe *pe, uint64_t va);
void code_wrote(struct machine *m, uint64_t ppn, unsigned from, unsigned to);  // bytes [from, to) of a code page changed
void code_flush(struct machine *m);           // drops all decoded code
void code_reap(struct machine *m);            // frees dropped code; only while no run loop is active
bool form_ends_block(int form);
enum { CATR_AQ, CATR_RL, CATR_ATOM };         // bits of a B.CATR op's imm
extern const void *const *fast_labels;        // by handler; set by the fast loop

// ---- run loops (exec_fast.c, exec_step.c from exec_loop.inc) ----
enum exit_reason { EXIT_LIMIT, EXIT_LEAVE, EXIT_TRAP, EXIT_BLOCK };
// Runs from pe->tpc / pe->bpc until `limit` instructions (absolute value of pe->insns). State is written back.
enum exit_reason exec_fast(struct pe *pe, uint64_t limit);
enum exit_reason exec_step(struct pe *pe, uint64_t limit);

// Runs one PE until its time reaches `until` ns; an atomic block is finished first (run.c).
void run_pe(struct pe *pe, uint64_t until);
void preempt_prepare(void);                     // sweep.c
bool preempt_fork(struct machine *m);

// ---- system (trap.c, ssr.c, block.c) ----
void trap_deliver(struct pe *pe);             // pe->trap, at pe->tpc
bool interrupt_take(struct pe *pe);           // takes the best deliverable interrupt
int interrupt_best(struct pe *pe);            // IntID or -1
bool interrupt_pending(struct pe *pe);        // anything pending for this PE, masked or not
uint64_t timer_next(struct pe *pe);           // PE time of its next timer edge, UINT64_MAX none
MUST_USE enum exec_status acre(struct pe *pe, unsigned rra);
MUST_USE enum exec_status acrc(struct pe *pe, unsigned type);
MUST_USE enum exec_status ssr_read(struct pe *pe, uint32_t id, uint64_t *value);
MUST_USE enum exec_status ssr_write(struct pe *pe, uint32_t id, uint64_t value);
MUST_USE enum exec_status ssr_check(struct pe *pe, uint32_t id, bool write);
unsigned ipending(const struct pe *pe, unsigned ring);   // IPENDING bits
unsigned top_interrupt(const struct pe *pe, unsigned ring);  // best pending and enabled IntID, LINX_INT_NONE
uint64_t ebarg_pack(const struct pe *pe, unsigned group);
enum exec_status block_header(struct pe *pe, uint64_t bpc, struct block_header *h);
enum exec_status block_data(struct pe *pe, uint64_t bpc);   // starts or runs the non-scalar block at bpc
enum exec_status block_resume(struct pe *pe, unsigned group);               // ACRE 1 of a data body
void atomic_begin(struct pe *pe);
void atomic_rollback(struct pe *pe);
void atomic_commit(struct pe *pe);
enum exec_status template_frame(struct pe *pe, int form, unsigned begin, unsigned end, uint64_t bytes, uint64_t *target);
enum exec_status template_copy(struct pe *pe, uint64_t dst, uint64_t src, uint64_t n);
enum exec_status template_set(struct pe *pe, uint64_t dst, uint64_t value, uint64_t n);

static inline void set_ring(struct pe *pe, unsigned ring)
{
    pe->cstate = (pe->cstate & ~(uint64_t)LINX_CSTATE_ACR_MASK) | ring;
    mem_select(pe);
}
#endif
