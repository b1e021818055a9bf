// SPDX-License-Identifier: BSD-2-Clause
// Blocks, templates, traps, interrupts, memory protection, atomicity, waiting: what one instruction row cannot show.
#include "harness.h"
#include "core/exec.h"

static struct machine *m;
static struct pe *pe;
static uint64_t at;         // where I() puts the next instruction

enum { HANDLER1 = CODE + 0x8000, HANDLER0 = CODE + 0x9000, USER = CODE + 0x1000 };
enum { A0 = 2, A1, A2, A3, A4, RA = 10, S0 = 11, SP = 1, T1 = 24, U1 = 28, DT = 31, DU = 30 };

#define I(form, ...) (at = emit_word(m, at, LINX_##form, encode(LINX_##form, __VA_ARGS__ __VA_OPT__(,) -1)))
#define F(name, value) LINX_F_##name, (value)
static void STD(void) { I(C_BSTART_STD, F(BrType, 1)); }
static void SYS(void) { I(C_BSTART_SYS); }
static void STOP(void) { I(C_BSTOP); }

// A fresh machine; both handlers are endless blocks. The PE starts at CODE in ring `ring`.
static void fresh(unsigned ring)
{
    vm_reset(m);
    pe = m->pe[0];
    for (unsigned k = 0; k < 2; k++) {
        at = k ? HANDLER1 : HANDLER0;
        SYS();
        I(C_BSTART_DIRECT, F(simm12, -2));
    }
    pe->bank[0].evbase = HANDLER0;
    pe->bank[1].evbase = HANDLER1;
    pe->bank[1].econfig = 0;
    set_ring(pe, ring);
    at = CODE;
}

// Runs instruction by instruction until the PE is in ring `ring` (a trap came) or `max` have passed.
static bool until_ring(unsigned ring, unsigned max)
{
    while (max-- && pe_ring(pe) != ring && !m->exiting) run_pe(pe, pe_time(pe) + 1);
    return pe_ring(pe) == ring;
}
static void steps(unsigned n) { while (n-- && !m->exiting) run_pe(pe, pe_time(pe) + 1); }

// The trap record of bank 1 (bank 0 from ring 0).
static void check_trap(const char *name, unsigned bank, uint64_t num, uint64_t cause, uint64_t arg, bool sync, bool bi,
                       uint64_t ebpc, uint64_t etpc, uint64_t ebpcn, uint64_t ebarg)
{
    const struct ring_bank *b = &pe->bank[bank];
    char t[96];
#define WANT(what, got, want_) do { snprintf(t, sizeof t, "%s %s", name, what); CHECK_EQ(t, got, want_); } while (0)
    WANT("TRAPNO", b->trapno, (uint64_t)sync << 63 | cause << 24 | num);
    WANT("TRAPARG0", b->traparg0, arg);
    WANT("ECSTATE.BI", b->ecstate >> 6 & 1, bi);
    WANT("EBPC", b->ebpc, ebpc);
    WANT("ETPC", b->etpc, etpc);
    WANT("EBPCN", b->ebpcn, ebpcn);
    WANT("EBARG", b->ebarg, ebarg);
    WANT("CSTATE.I", pe->cstate >> 4 & 1, 0);
    // An interrupt takes no time, so the handler's first block may be over already: it is empty.
    WANT("BPC", pe->bpc == b->evbase || pe->bpc == b->evbase + 2, 1);
}
#define TYPE_(t) ((uint64_t)(t) << LINX_EBARG_TYPE_SHIFT)
#define BT(t) ((uint64_t)(t) << LINX_EBARG_BLOCKTYPE_SHIFT)
#define TAKEN ((uint64_t)1 << LINX_EBARG_TAKEN_BIT)

static void test_blocks(void)
{
    fresh(0);       // fall-through by BSTART and by BSTOP, T and U live on
    STD(); I(C_MOVI, F(RegDst, DT), F(simm5, 5));
    STD(); I(C_ADDI, F(SrcL, T1), F(simm5, 2)); STOP();
    uint64_t b3 = at;
    STD(); I(C_MOVR, F(RegDst, A0), F(SrcL, T1)); STOP();
    steps(7);
    CHECK_EQ("fall: T survives blocks", pe->r[A0], 7);
    CHECK_EQ("fall: in third block", pe->bpc, b3);
    CHECK_EQ("fall: BSTOP counts, the following BSTART once", pe->insns, 7);

    for (int taken = 0; taken < 2; taken++) {
        fresh(0);
        I(BSTART_STD_COND, F(simm17, 0x100)); I(SETC_EQI, F(SrcL, A0), F(simm12, !taken));
        uint64_t next = at;
        STD();
        at = CODE + 0x100; STD();
        steps(3);
        CHECK_EQ(taken ? "cond taken" : "cond not taken", pe->bpc, taken ? CODE + 0x100 : next);
    }
    fresh(0);
    I(BSTART_STD_COND, F(simm17, 0x100)); STOP();
    uint64_t next = at;
    STD();
    steps(3);
    CHECK_EQ("cond without SETC falls through", pe->bpc, next);

    fresh(0);       // CALL + SETRET, RET
    I(HL_BSTART_STD_CALL, F(simm, 0x1000)); I(C_SETRET, F(uimm5, 4)); STOP();
    uint64_t ret = at;
    STD();
    at = CODE + 0x1000;
    I(C_BSTART_STD, F(BrType, 7)); I(C_SETC_TGT, F(SrcL, RA)); STOP();
    steps(7);
    CHECK_EQ("call: ra", pe->r[RA], ret);
    CHECK_EQ("call: returned", pe->bpc, ret);

    fresh(0);       // backwards direct, long form
    STD(); I(BSTART_DIRECT, F(simm25, -2));
    steps(3);
    CHECK_EQ("direct backwards", pe->bpc, CODE);

    fresh(0);       // an indirect block without target
    I(BSTART_FP_IND, F(reserve, 0)); uint64_t end = at; STOP();
    steps(2);
    check_trap("indirect without target", 0, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0, true, true, CODE, end, 0, BT(LINX_BT_FP) | TYPE_(3));

    fresh(0);       // no block start at the target
    I(BSTART_STD_DIRECT, F(simm17, 0x100)); STOP();
    at = CODE + 0x100; I(ADDI, F(RegDst, A0), F(SrcL, 0), F(uimm12, 1));
    steps(3);
    check_trap("target is no block start", 0, LINX_E_INST, LINX_EC_ILLEGAL, 0, true, false, CODE + 0x100, CODE + 0x100, 0, 0);
    CHECK_EQ("target is no block start: nothing ran", pe->r[A0], 0);

    fresh(0);       // odd target
    I(C_BSTART_STD, F(BrType, 5)); I(C_SETC_TGT, F(SrcL, A0)); STOP();
    pe->r[A0] = CODE + 0x101;
    steps(4);
    check_trap("odd target", 0, LINX_E_INST, LINX_EC_MISALIGNED, CODE + 0x101, true, false, CODE + 0x101, CODE + 0x101, 0, 0);

    fresh(0);       // XB and the stop-only encodings of C.BSTART are illegal
    STD(); I(XB, F(ACR_ID, 1), F(CROSS_BID, 2));
    steps(2);
    check_trap("XB", 0, LINX_E_INST, LINX_EC_ILLEGAL, 0, true, true, CODE, CODE + 2, 0, 0);
}

static void test_page_crossing(void)
{
    fresh(0);       // a block and an instruction that straddle a page
    at = CODE + 0xffa;
    STD();
    I(C_MOVI, F(RegDst, A0), F(simm5, 1));
    I(HL_LIS, F(RegDst, A1), F(simm32, 0x1234567));      // at ..ffe, six bytes
    I(C_ADDI, F(SrcL, A1), F(simm5, 1)); I(C_MOVR, F(RegDst, A2), F(SrcL, T1));
    STOP();
    STD();
    pe->bpc = pe->tpc = CODE + 0xffa;
    steps(7);
    CHECK_EQ("straddling instruction", pe->r[A2], 0x1234568);
    CHECK_EQ("straddling: count", pe->insns, 7);

    fresh(0);       // the next page's first instruction ends the block
    at = CODE + 0xffa;
    I(C_BSTART_COND, F(simm12, 0x80)); I(SETC_EQI, F(SrcL, A0), F(simm12, 0));
    STD();
    at = CODE + 0x107a; STD();
    pe->bpc = pe->tpc = CODE + 0xffa;
    steps(3);
    CHECK_EQ("block end on the next page", pe->bpc, CODE + 0x107a);

    fresh(0);       // a header instruction on the next page
    at = CODE + 0xffe;
    STD(); I(B_CATR, F(aq, 1)); I(LSRGET, F(RegDst, A0), F(LSR_ID, 2)); STOP();
    pe->bpc = pe->tpc = CODE + 0xffe;
    steps(3);
    CHECK_EQ("header on the next page", pe->r[A0], (uint64_t)1 << LINX_EBARG_AQ_BIT);

    fresh(0);       // a run longer than the decoder takes at once
    STD();
    for (unsigned i = 0; i < 200; i++) I(ADDI, F(RegDst, A0), F(SrcL, A0), F(uimm12, 1));
    STOP();
    STD();
    m->pe[0]->leave = false;
    run_pe(pe, 202);
    CHECK_EQ("long block", pe->r[A0], 200);
    CHECK_EQ("long block: count", pe->insns, 202);
}

static void test_code_modification(void)
{
    fresh(0);       // a store changes an instruction that was already decoded and comes next
    uint64_t add = encode(LINX_ADDI, F(RegDst, A0), F(SrcL, A0), F(uimm12, 1), -1);
    uint64_t add9 = encode(LINX_ADDI, F(RegDst, A0), F(SrcL, A0), F(uimm12, 9), -1);
    uint64_t loop = at;
    STD();
    uint64_t patch = CODE + 2 + 4;
    I(SWI, F(SrcL, A1), F(SrcR, A2), F(simm12, 0));
    at = emit_word(m, at, LINX_ADDI, add);
    I(C_BSTART_DIRECT, F(simm12, (int)(loop - at)));
    STD();
    pe->r[A1] = add;
    pe->r[A2] = patch;
    run_pe(pe, 8);
    pe->r[A1] = add9;
    uint64_t before = pe->r[A0];
    while (pe->bpc != loop || pe->in_body) run_pe(pe, pe_time(pe) + 1);
    run_pe(pe, pe_time(pe) + 3);
    CHECK_EQ("modified code is seen at once", pe->r[A0] - before >= 9, 1);
}

static void test_templates(void)
{
    fresh(0);
    pe->r[SP] = DATA + 0x1000;
    for (unsigned i = 2; i < 24; i++) pe->r[i] = 100 + i;
    I(FENTRY, F(SrcBegin, RA), F(SrcEnd, 14), F(uimm, 64));
    I(FRET_STK, F(DstBegin, RA), F(DstEnd, 14), F(uimm, 64));
    steps(1);
    CHECK_EQ("FENTRY sp", pe->r[SP], DATA + 0x1000 - 64);
    CHECK_EQ("FENTRY first register", peek(m, DATA + 0x1000 - 8, 8), 110);
    CHECK_EQ("FENTRY last register", peek(m, DATA + 0x1000 - 40, 8), 114);
    CHECK_EQ("FENTRY below", peek(m, DATA + 0x1000 - 48, 8), 0);
    poke(m, DATA + 0x1000 - 8, 8, CODE + 0x200);
    at = CODE + 0x200; STD();
    for (unsigned i = 10; i < 15; i++) pe->r[i] = 0;
    steps(1);
    CHECK_EQ("FRET.STK sp", pe->r[SP], DATA + 0x1000);
    CHECK_EQ("FRET.STK ra", pe->r[RA], CODE + 0x200);
    CHECK_EQ("FRET.STK s3", pe->r[14], 114);
    CHECK_EQ("FRET.STK target", pe->bpc, CODE + 0x200);

    fresh(0);       // FRET.RA jumps to the live ra; wrapping list
    pe->r[SP] = DATA; pe->r[RA] = CODE + 0x300;
    poke(m, DATA + 32 - 8, 8, 23); poke(m, DATA + 32 - 16, 8, 2); poke(m, DATA + 32 - 24, 8, 3);
    I(FRET_RA, F(DstBegin, 23), F(DstEnd, 3), F(uimm, 32));
    at = CODE + 0x300; STD();
    steps(1);
    CHECK_EQ("wrapping list: x3", pe->r[23], 23);
    CHECK_EQ("wrapping list: a0", pe->r[2], 2);
    CHECK_EQ("wrapping list: a1", pe->r[3], 3);
    CHECK_EQ("FRET.RA target", pe->bpc, CODE + 0x300);

    fresh(0);
    pe->r[SP] = DATA; poke(m, DATA + 24, 8, 77);
    I(FEXIT, F(DstBegin, S0), F(DstEnd, S0), F(uimm, 32)); STD();
    steps(2);
    CHECK_EQ("FEXIT", pe->r[S0], 77);
    CHECK_EQ("FEXIT falls through", pe->bpc, CODE + 4);

    fresh(0);
    I(FENTRY, F(SrcBegin, 1), F(SrcEnd, 3), F(uimm, 32));
    steps(1);
    check_trap("FENTRY of sp", 0, LINX_E_INST, LINX_EC_ILLEGAL, 0, true, false, CODE, CODE, 0, 0);

    fresh(0);       // a fault leaves nothing behind and restarts
    pe->r[SP] = RAM + 16; pe->r[RA] = 5; poke(m, RAM, 8, 9); poke(m, RAM + 8, 8, 9);
    I(FENTRY, F(SrcBegin, RA), F(SrcEnd, 13), F(uimm, 64));
    steps(1);
    check_trap("FENTRY fault", 0, LINX_E_DATA, LINX_EC_STORE_ACCESS, RAM - 16, true, false, CODE, CODE, 0, 0);
    CHECK_EQ("FENTRY fault: no store", peek(m, RAM + 8, 8), 9);
    CHECK_EQ("FENTRY fault: sp", pe->r[SP], RAM + 16);

    fresh(0);       // MCOPY forward over itself, MSET
    for (unsigned i = 0; i < 8; i++) poke(m, DATA + i, 1, i);
    pe->r[A0] = DATA + 2; pe->r[A1] = DATA; pe->r[A2] = 6; pe->r[A3] = 0x1ab; pe->r[A4] = DATA + 0xffe;
    I(MCOPY, F(RegSrc0, A0), F(RegSrc1, A1), F(RegSrc2, A2));
    I(MSET, F(RegSrc0, A4), F(RegSrc1, A3), F(RegSrc2, A2)); STD();
    steps(3);
    CHECK_EQ("MCOPY overlapping", peek(m, DATA, 8), 0x0100010001000100);
    CHECK_EQ("MSET over a page", peek(m, DATA + 0xffe, 8), 0x0000abababababab);

    fresh(0);
    pe->r[A0] = DATA; pe->r[A1] = DATA; pe->r[A2] = 65536;
    I(MCOPY, F(RegSrc0, A0), F(RegSrc1, A1), F(RegSrc2, A2));
    steps(1);
    check_trap("MCOPY too long", 0, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0, true, false, CODE, CODE, 0, 0);

    fresh(0);
    pe->r[A0] = RAM + RAM_SIZE - 4; pe->r[A1] = DATA; pe->r[A2] = 8; poke(m, DATA, 8, -1);
    I(MCOPY, F(RegSrc0, A0), F(RegSrc1, A1), F(RegSrc2, A2));
    steps(1);
    check_trap("MCOPY fault", 0, LINX_E_DATA, LINX_EC_STORE_ACCESS, RAM + RAM_SIZE, true, false, CODE, CODE, 0, 0);
    CHECK_EQ("MCOPY fault: nothing copied", peek(m, RAM + RAM_SIZE - 4, 4), 0);
}

// Each row of the table "values per situation" (digest 6.5), from ring 2 into ring 1.
static void test_trap_rows(void)
{
    fresh(2);       // scalar body fault
    I(BSTART_STD_COND, F(simm17, 0x40)); I(SETC_EQI, F(SrcL, 0), F(simm12, 0));
    uint64_t insn = at;
    I(LDI, F(RegDst, A0), F(SrcL, 0), F(simm12, 8));
    until_ring(1, 5);
    check_trap("scalar body fault", 1, LINX_E_DATA, LINX_EC_LOAD_ACCESS, 8, true, true, CODE, insn, CODE + 0x40, TYPE_(2) | TAKEN);
    CHECK_EQ("scalar body fault: faulting instruction counts", pe->insns, 3);

    fresh(2);       // illegal instruction in the middle of a block
    STD(); insn = at; at = emit_word(m, at, LINX_ADD, 0x0000000d);
    until_ring(1, 5);
    check_trap("illegal instruction", 1, LINX_E_INST, LINX_EC_ILLEGAL, 0, true, true, CODE, insn, 0, 0);

    fresh(2);       // header instruction of a scalar block
    STD(); insn = at; I(B_DIM_LB0, F(RegSrc, 0), F(uimm17, 4)); STOP();
    until_ring(1, 5);
    check_trap("header of a scalar block", 1, LINX_E_BLOCK, LINX_EC_TYPE, 0, true, false, CODE, insn, 0, 0);

    fresh(2);       // header of a data block: B.IOR names one register twice
    I(BSTART_VPAR, F(Mode, 0)); insn = at; I(B_IOR, F(RegSrc0, A0), F(RegSrc1, A0)); I(B_TEXT, F(simm25, 64)); STOP();
    until_ring(1, 5);
    check_trap("header of a data block", 1, LINX_E_BLOCK, LINX_EC_INVAL_DOUBLESET, 0, true, false, CODE, insn, 0, BT(LINX_BT_DATA));

    fresh(2);       // ECONFIG.V, ECONFIG.C
    pe->bank[1].econfig = (uint64_t)3 << 32;
    I(BSTART_MSEQ, F(Mode, 0)); I(B_TEXT, F(simm25, 64)); STOP();
    until_ring(1, 5);
    check_trap("ECONFIG.V", 1, LINX_E_INST, LINX_EC_PERM, 0, true, false, CODE, CODE, 0, BT(LINX_BT_DATA));
    fresh(2);
    pe->bank[1].econfig = (uint64_t)1 << LINX_ECONFIG_V_BIT;
    I(BSTART_TLOAD, F(DataType, LINX_DataType_U8)); STOP();
    until_ring(1, 5);
    check_trap("ECONFIG.V covers TMA", 1, LINX_E_INST, LINX_EC_PERM, 0, true, false, CODE, CODE, 0, BT(LINX_BT_DATA));
    fresh(2);
    pe->bank[1].econfig = (uint64_t)1 << LINX_ECONFIG_C_BIT;
    I(BSTART_TMATMUL, F(DataType, LINX_DataType_FP32)); STOP();
    until_ring(1, 5);
    check_trap("ECONFIG.C", 1, LINX_E_INST, LINX_EC_PERM, 1, true, false, CODE, CODE, 0, BT(LINX_BT_DATA));

    fresh(2);       // fetch fault of the next block
    I(C_BSTART_STD, F(BrType, 5)); I(C_SETC_TGT, F(SrcL, A0)); STOP();
    pe->r[A0] = 0x1000;
    until_ring(1, 5);
    check_trap("fetch fault of the next block", 1, LINX_E_INST, LINX_EC_ACCESS, 0x1000, true, false, 0x1000, 0x1000, 0, 0);

    fresh(2);       // TMA that faults: base outside memory
    I(BSTART_TLOAD, F(DataType, LINX_DataType_U8));
    I(B_DIM_LB0, F(RegSrc, 0), F(uimm17, 32)); I(B_IOR, F(RegSrc0, A0)); I(B_IOT_SRC0, F(DstTile, 0), F(imm4, 1), F(L, 1)); STOP();
    pe->r[A0] = 0x4000;
    until_ring(1, 5);
    check_trap("TMA fault", 1, LINX_E_DATA, LINX_EC_LOAD_ACCESS, 0x4000, true, false, CODE, CODE, 0, BT(LINX_BT_DATA));

    fresh(2);       // ACRC, EBREAK, ASSERT
    STD(); insn = at; I(ACRC, F(RST_Type, 1)); STD();
    until_ring(1, 5);
    check_trap("ACRC", 1, LINX_E_SCALL, LINX_SCT_SYS, 0, true, true, CODE, insn, 0, 0);
    fresh(2);
    SYS(); insn = at; I(ACRC, F(RST_Type, 0)); STD();
    until_ring(0, 5);
    check_trap("ACRC to the monitor", 0, LINX_E_SCALL, LINX_SCT_MAC, 0, true, true, CODE, insn, 0, BT(LINX_BT_SYS));
    CHECK_EQ("ACRC to the monitor: ECSTATE.ACR", pe->bank[0].ecstate & 15, 2);
    fresh(2);
    STD(); insn = at; I(EBREAK, F(imm4, 5)); STOP();
    until_ring(1, 5);
    check_trap("EBREAK", 1, LINX_E_BREAKPOINT, 5, 0, true, true, CODE, insn, 0, 0);
    fresh(2);       // ... in place of a block start
    I(C_EBREAK, F(imm5, 9));
    until_ring(1, 5);
    check_trap("C.EBREAK as a block start", 1, LINX_E_BREAKPOINT, 9, 0, true, false, CODE, CODE, 0, 0);
    fresh(2);
    SYS(); insn = at; I(ASSERT, F(SrcL, 0)); STOP();
    until_ring(1, 5);
    check_trap("ASSERT", 1, LINX_E_ASSERT, 0, 0, true, true, CODE, insn, 0, BT(LINX_BT_SYS));
    fresh(2);       // a header instruction whose BARG bits show
    I(BSTART_STD_DIRECT, F(simm17, 0x40)); I(B_CATR, F(aq, 1), F(rl, 1)); insn = at; I(EBREAK, F(imm4, 0)); STOP();
    until_ring(1, 5);
    check_trap("AQ, RL, TAKEN", 1, LINX_E_BREAKPOINT, 0, 0, true, true, CODE, insn, CODE + 0x40,
               TYPE_(1) | TAKEN | (uint64_t)3 << LINX_EBARG_AQ_BIT);

    fresh(1);       // no handler ends the run
    pe->bank[1].evbase = 0;
    STD(); I(C_EBREAK, F(imm5, 0));
    steps(3);
    CHECK("no handler: the machine stops", m->exiting && m->why);
    fresh(1);       // the handler cannot be fetched
    pe->bank[1].evbase = 0x2000;
    STD(); I(C_EBREAK, F(imm5, 0));
    steps(5);
    CHECK("double fault: the machine stops", m->exiting && m->why);
    m->exiting = false;
}

static void arm_timer(unsigned ring, uint64_t when)
{
    pe->bank[ring].timer_cmp = when;
    pe->bank[ring].econfig |= LINX_ECONFIG_T;
}

static void test_interrupts(void)
{
    // A block of six instructions, a jump back: the interrupt at every instant, resumed by ACRE 1, changes nothing.
    for (unsigned n = 1; n < 14; n++) {
        fresh(2);
        STD();
        I(C_MOVI, F(RegDst, DT), F(simm5, 3));
        I(C_ADDI, F(SrcL, T1), F(simm5, 1));
        I(ADD, F(RegDst, A0), F(SrcL, T1), F(SrcR, T1 + 1), F(SrcRType, 3));
        I(C_BSTART_COND, F(simm12, 0x100 - 10));
        I(SETC_EQI, F(SrcL, A0), F(simm12, 7));
        STOP();
        uint64_t at_[] = { CODE, CODE + 2, CODE + 4, CODE + 6, CODE + 10, CODE + 12, CODE + 16, CODE + 0x100, CODE + 0x102 };
        uint64_t start[] = { CODE, CODE, CODE, CODE, CODE + 10, CODE + 10, CODE + 10, CODE + 0x100, CODE + 0x100 };
        bool bi[] = { 0, 1, 1, 1, 0, 1, 1, 0, 1 };
        at = CODE + 0x100;
        STD();
        I(C_MOVI, F(RegDst, A1), F(simm5, 9));
        I(C_BSTART_DIRECT, F(simm12, 0));
        at = HANDLER1;      // stops the timer, goes back
        SYS(); I(HL_SSRSET, F(SSR_ID, 0x1f21), F(SrcL, 0)); I(ACRE, F(RRA_Type, 1));
        arm_timer(1, n);
        bool came = until_ring(1, 20);
        char name[64];
        snprintf(name, sizeof name, "interrupt at %u", n);
        if (n < sizeof at_ / sizeof *at_) {
            bool cond = start[n] == CODE + 10 && bi[n], taken = n == 6;
            check_trap(name, 1, LINX_INT_ACR1_TI, 0, 0, false, bi[n], start[n], at_[n], cond ? CODE + 0x100 : 0,
                       cond ? TYPE_(2) | (taken ? TAKEN : 0) : 0);
        } else CHECK(name, came);
        run_pe(pe, 40);
        CHECK_EQ(name, pe->r[A0], 7);
        CHECK_EQ(name, pe->r[A1], 9);
    }

    fresh(2);       // ring 1 with I = 0 holds it back, I = 1 lets it in; ring 2 cannot
    set_ring(pe, 1);
    STD(); I(SSRSET, F(SSR_ID, 0x20), F(SrcL, A0)); I(C_MOVI, F(RegDst, A1), F(simm5, 1)); STOP();
    STD(); STOP();
    pe->r[A0] = LINX_CSTATE_I;
    arm_timer(1, 1);
    uint64_t mid = CODE + 6;
    steps(2);
    run_pe(pe, pe_time(pe) + 1);
    check_trap("interrupt after I = 1", 1, LINX_INT_ACR1_TI, 0, 0, false, true, CODE, mid, 0, 0);
    CHECK_EQ("interrupt after I = 1: before the next instruction", pe->r[A1], 0);

    fresh(1);       // priority EI > TI > II; TOPEI, IPENDING
    pe->bank[1].ipi = true;
    arm_timer(1, 1);
    pe->bank[1].econfig |= LINX_ECONFIG_E | LINX_ECONFIG_I;
    pe->idle_ns = 5;
    uint64_t v;
    CHECK("TOPEI readable", ssr_read(pe, 0x1f09, &v) == EXEC_OK);
    CHECK_EQ("TOPEI: TI before II", v, LINX_INT_ACR1_TI);
    m->intc.page[0][1].enable[1] = 0xff;
    machine_irq(m, 10, true);
    CHECK("TOPEI readable", ssr_read(pe, 0x1f09, &v) == EXEC_OK);
    CHECK_EQ("TOPEI: EI before TI", v, LINX_INT_ACR1_EI);
    CHECK("IPENDING readable", ssr_read(pe, 0x1f08, &v) == EXEC_OK);
    CHECK_EQ("IPENDING", v, 7);
    machine_irq(m, 10, false);
    CHECK("EOIEI", ssr_write(pe, 0x1f0a, LINX_INT_ACR1_II) == EXEC_OK);
    CHECK("IPENDING readable", ssr_read(pe, 0x1f08, &v) == EXEC_OK);
    CHECK_EQ("IPENDING after EOIEI and line down", v, 2);

    fresh(2);       // ring 0's timer goes to ring 0
    STD(); STOP(); STD();
    arm_timer(0, 2);
    CHECK("monitor timer", until_ring(0, 5));
    CHECK_EQ("monitor timer: TRAPNO", pe->bank[0].trapno, LINX_INT_ACR0_TI);

    fresh(2);       // preempt-every
    STD(); I(C_BSTART_DIRECT, F(simm12, -2));
    pe->bank[1].econfig = LINX_ECONFIG_T;
    m->cfg.preempt_every = 3;
    m->preempt_left[0] = 3;
    until_ring(1, 10);
    CHECK_EQ("preempt-every: three instructions, then the handler", pe->insns, 4);
    m->cfg.preempt_every = 0;
}

static void test_fixup(void)
{
    static const struct { const char *name; unsigned kind; uint64_t bit; } rows[] = {
        { "fixup load", 0, LINX_FUTO_LF }, { "fixup store", 1, LINX_FUTO_SF }, { "fixup assert", 2, LINX_FUTO_A },
        { "fixup misaligned load", 3, LINX_FUTO_LMA }, { "fixup misaligned store", 4, LINX_FUTO_SMA } };
    for (unsigned i = 0; i < 5; i++)
        for (unsigned trap = 0; trap < 2; trap++) {
            fresh(2);
            I(BSTART_SYS_FALL, F(simm17, 0x100)); I(C_MOVI, F(RegDst, A0), F(simm5, 1));
            uint64_t insn = at;
            pe->r[A2] = rows[i].kind >= 3 ? BOARD_INTC_BASE + 0x22 : 0x1000;
            switch (rows[i].kind) {
            case 0: case 3: I(LWI, F(RegDst, A1), F(SrcL, A2), F(simm12, 0)); break;
            case 1: case 4: I(SWI, F(SrcL, A1), F(SrcR, A2), F(simm12, 0)); break;
            default: I(ASSERT, F(SrcL, 0));
            }
            I(C_MOVI, F(RegDst, A0), F(simm5, 2));
            STOP();
            at = CODE + 0x100; STD(); I(C_MOVI, F(RegDst, A3), F(simm5, 3));
            pe->bank[1].futo = trap ? rows[i].bit : 31 & ~rows[i].bit;
            steps(5);
            if (trap) {
                CHECK_EQ(rows[i].name, pe->bank[1].etpc, insn);
                CHECK_EQ(rows[i].name, pe->bank[1].ebpcn, CODE + 0x100);
            } else {
                CHECK_EQ(rows[i].name, pe->r[A3], 3);
                CHECK_EQ(rows[i].name, pe->r[A0], 1);
                CHECK_EQ(rows[i].name, pe_ring(pe), 2);
            }
        }
    fresh(2);       // a fixup label survives preemption in the middle of its block
    I(BSTART_SYS_FALL, F(simm17, 0x100)); I(C_MOVI, F(RegDst, A0), F(simm5, 1)); I(ASSERT, F(SrcL, 0)); STOP();
    at = CODE + 0x100; STD();
    at = HANDLER1; SYS(); I(HL_SSRSET, F(SSR_ID, 0x1f21), F(SrcL, 0)); I(ACRE, F(RRA_Type, 1));
    arm_timer(1, 2);
    CHECK("fixup after preemption: interrupted", until_ring(1, 5));
    until_ring(2, 5);
    steps(2);
    CHECK_EQ("fixup after preemption", pe->bpc, CODE + 0x100);
}

static void test_atomic(void)
{
    fresh(2);       // commit
    I(C_BSTART_STD, F(BrType, 1)); I(B_CATR, F(atom, 1));
    I(LDI, F(RegDst, A1), F(SrcL, A0), F(simm12, 0)); I(C_ADDI, F(SrcL, A1), F(simm5, 1));
    I(C_SDI, F(SrcL, A0), F(simm5, 8)); I(SDI, F(SrcL, T1), F(SrcR, A0), F(simm12, 0)); STOP();
    uint64_t after = at;
    STD();
    pe->r[A0] = DATA; poke(m, DATA, 8, 41);
    run_pe(pe, 1);
    steps(1);
    CHECK_EQ("atomic block is not split by a time slice", pe->bpc, after);
    CHECK_EQ("atomic block stores", peek(m, DATA, 8), 42);
    CHECK_EQ("atomic block stores", peek(m, DATA + 8, 8), 42);

    fresh(2);       // outside the window
    STD(); I(B_CATR, F(atom, 1)); I(C_MOVI, F(RegDst, A1), F(simm5, 7)); I(SDI, F(SrcL, A1), F(SrcR, A0), F(simm12, 0));
    I(SDI, F(SrcL, A1), F(SrcR, A0), F(simm12, 16)); STOP();
    pe->r[A0] = DATA; poke(m, DATA, 8, 1);
    until_ring(1, 8);
    check_trap("atomic outside its window", 1, LINX_E_DATA, LINX_EC_RANGE, DATA + 16, true, false, CODE, CODE, 0, 0);
    CHECK_EQ("atomic rolled back: memory", peek(m, DATA, 8), 1);
    CHECK_EQ("atomic rolled back: register", pe->r[A1], 0);
    fresh(2);       // straddling the window
    STD(); I(B_CATR, F(atom, 1)); I(LDI, F(RegDst, A1), F(SrcL, A0), F(simm12, 0)); STOP();
    pe->r[A0] = DATA + 12;
    until_ring(1, 8);
    check_trap("atomic straddling", 1, LINX_E_DATA, LINX_EC_RANGE, DATA + 12, true, false, CODE, CODE, 0, 0);

    fresh(2);       // interrupted: no trace, restarts; the second attempt goes through
    STD(); I(B_CATR, F(atom, 1)); I(C_MOVI, F(RegDst, DT), F(simm5, 7)); I(C_SDI, F(SrcL, A0), F(simm5, 0));
    I(C_SDI, F(SrcL, A0), F(simm5, 8)); STOP();
    STD(); I(C_BSTART_DIRECT, F(simm12, -2));
    pe->r[A0] = DATA;
    at = HANDLER1; SYS(); I(HL_SSRSET, F(SSR_ID, 0x1f21), F(SrcL, A4)); I(ACRE, F(RRA_Type, 1));
    arm_timer(1, 4);
    CHECK("atomic interrupted", until_ring(1, 8));
    check_trap("atomic interrupted", 1, LINX_INT_ACR1_TI, 0, 0, false, false, CODE, CODE, 0, 0);
    CHECK_EQ("atomic interrupted: memory", peek(m, DATA, 8), 0);
    CHECK_EQ("atomic interrupted: T", pe->r[T1], 0);
    pe->r[A4] = 9;     // strikes again within the second attempt
    run_pe(pe, 30);
    CHECK_EQ("atomic second attempt", peek(m, DATA + 8, 8), 7);

    fresh(2);       // an endless body: its second attempt is interrupted after ATOM_LIMIT instructions, and so are all others
    I(BSTART_VPAR, F(Mode, 1)); I(B_CATR, F(atom, 1)); I(B_TEXT, F(simm25, (int)(CODE + 0x400 - at))); STOP();
    at = CODE + 0x400; I(B_EQ, F(SrcL, 0), F(SrcR, 0), F(simm12, 0));
    at = HANDLER1; SYS(); I(HL_SSRSET, F(SSR_ID, 0x1f21), F(SrcL, A4)); I(ACRE, F(RRA_Type, 1));
    pe->r[A4] = 1;      // in the past: the interrupt is always pending
    arm_timer(1, 4);
    for (uint64_t k = 0, before = 0; k < 6; k++, before = m->stats[0].interrupts[LINX_INT_ACR1_TI]) {
        run_pe(pe, pe_time(pe) + 3 * ATOM_LIMIT);
        CHECK("an endless atomic body is interrupted again and again", m->stats[0].interrupts[LINX_INT_ACR1_TI] > before);
    }
}

static void test_reservations(void)
{
    static const char *const name[] = { "sc after lr", "sc after own store", "sc after another PE's store", "sc elsewhere", "sc after a trap" };
    for (unsigned i = 0; i < 5; i++) {
        fresh(0);
        uint64_t v, failed;
        poke(m, DATA + 64, 8, 5);
        CHECK(name[i], load_reserved(pe, DATA + 64, 8, &v) == EXEC_OK);
        if (i == 1) CHECK(name[i], pe_store(pe, DATA + 72, 8, 1) == EXEC_OK);
        if (i == 2) machine_wrote(m, DATA + 64, 4);
        if (i == 4) { (void)pe_trap(pe, LINX_E_ASSERT, 0, 0); trap_deliver(pe); }
        CHECK(name[i], store_conditional(pe, i == 3 ? DATA + 128 : DATA + 64, 8, 9, &failed) == EXEC_OK);
        CHECK_EQ(name[i], failed, i != 0);
        CHECK_EQ(name[i], peek(m, DATA + 64, 8), i == 0 ? 9 : 5);
        CHECK(name[i], store_conditional(pe, DATA + 64, 8, 9, &failed) == EXEC_OK && failed);
        CHECK_EQ(name[i], m->reservations, 0);
    }
}

int main(void)
{
    m = vm_new(1, 1);
    test_blocks();
    test_page_crossing();
    test_code_modification();
    test_templates();
    test_trap_rows();
    test_interrupts();
    test_fixup();
    test_atomic();
    test_reservations();
    return report_end();
}
