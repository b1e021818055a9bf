// SPDX-License-Identifier: BSD-2-Clause
// Address translation, several PEs, devices, and data bodies stopped and resumed through the core.
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

static struct machine *m;
static struct pe *pe;
static uint64_t at;

enum { HANDLER = CODE + 0x8000, ROOT = DATA + 0x10000 };
enum { A0 = 2, A1, A2, A3, A4, T1 = 24, DT = 31 };
#define I(form, ...) (at = emit_word(m, at, LINX_##form, encode(LINX_##form, __VA_ARGS__ __VA_OPT__(,) -1)))
#define F(name, value) LINX_F_##name, (value)
static void STD(void) { I(C_BSTART_STD, F(BrType, 1)); }
static void SYS(void) { I(C_BSTART_SYS); }
static void STOP(void) { I(C_BSTOP); }

static void fresh(void)
{
    vm_reset(m);
    pe = m->pe[0];
    pe->bank[1].econfig = 0;
    pe->bank[1].evbase = HANDLER;
    at = CODE;
}

// ---- translation: 4 levels, 4 KB pages; one table page per level, made on demand
enum { R = 4, W = 8, X = 16, U = 32, AF = 64 };      // by hand, not from arch.h: they check it
static uint64_t next_table;
static void map(uint64_t va, uint64_t pa, uint64_t bits, unsigned leaf_level)
{
    uint64_t table = ROOT;
    for (unsigned level = 3; level > leaf_level; level--) {
        uint64_t at_ = table + (va >> (12 + 9 * level) & 511) * 8, e = peek(m, at_, 8);
        if (!e) {
            next_table += 4096;
            e = next_table | 3;
            poke(m, at_, 8, e);
        }
        table = e & ~(uint64_t)0xfff;
    }
    poke(m, table + (va >> (12 + 9 * leaf_level) & 511) * 8, 8, pa | bits | (leaf_level ? 2 : 1));
}

static void mmu_on(unsigned ring)
{
    fresh();
    next_table = ROOT;
    pe->mmtbase = (uint64_t)(ROOT >> 14) << 2;
    pe->mmconfig = LINX_MMCONFIG_EN | 1 << LINX_MMCONFIG_M_SHIFT;
    set_ring(pe, ring);
    mem_flush(pe);
}

static void expect(const char *name, enum exec_status st, uint64_t num, uint64_t cause, uint64_t arg)
{
    CHECK_EQ(name, st, EXEC_TRAP);
    CHECK_EQ(name, pe->trap.num, num);
    CHECK_EQ(name, pe->trap.cause, cause);
    CHECK_EQ(name, pe->trap.arg, arg);
}

static void test_mmu(void)
{
    uint64_t v;
    enum { V = 0x400000 };
    mmu_on(2);
    map(V, DATA, R | W | U | AF, 0);
    map(V + 0x1000, DATA + 0x3000, R | U | AF, 0);
    map(V + 0x2000, DATA + 0x4000, R | W | AF, 0);
    map(V + 0x3000, DATA + 0x5000, R | W | U, 0);
    map(V + 0x4000, CODE, X | U | AF, 0);
    map(0x40000000, RAM, R | W | X | U | AF, 2);            // 1 GB block
    poke(m, DATA + 0xffc, 8, 0x11111111);
    poke(m, DATA + 0x3000, 8, 0x22222222);
    CHECK("mmu load", pe_load(pe, V + 0xffc, 4, &v) == EXEC_OK && v == 0x11111111);
    CHECK("mmu load over two pages", pe_load(pe, V + 0xffc, 8, &v) == EXEC_OK && v == 0x2222222211111111);
    CHECK("mmu store", pe_store(pe, V + 8, 8, 7) == EXEC_OK && peek(m, DATA + 8, 8) == 7);
    CHECK("mmu store again, through the TLB", pe_store(pe, V + 16, 8, 8) == EXEC_OK && peek(m, DATA + 16, 8) == 8);
    CHECK("mmu block", pe_load(pe, 0x40000000 + DATA - RAM + 8, 8, &v) == EXEC_OK && v == 7);
    expect("mmu read-only", pe_store(pe, V + 0x1000, 8, 1), LINX_E_DATA, LINX_EC_STORE_PAGE, V + 0x1000);
    expect("mmu store over two pages, second read-only", pe_store(pe, V + 0xffc, 8, -1), LINX_E_DATA, LINX_EC_STORE_PAGE, V + 0x1000);
    CHECK_EQ("mmu store over two pages: no effect", peek(m, DATA + 0xffc, 4), 0x11111111);
    expect("mmu kernel page", pe_load(pe, V + 0x2000, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V + 0x2000);
    expect("mmu no access flag", pe_load(pe, V + 0x3000, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V + 0x3000);
    expect("mmu execute-only", pe_load(pe, V + 0x4000, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V + 0x4000);
    expect("mmu not mapped", pe_load(pe, V + 0x9000, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V + 0x9000);
    expect("mmu not canonical", pe_load(pe, (uint64_t)1 << 47, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, (uint64_t)1 << 47);
    expect("mmu fetch not canonical", pe_fetch(pe, (uint64_t)1 << 47, 2, &v), LINX_E_INST, LINX_EC_TRANS, (uint64_t)1 << 47);
    expect("mmu fetch from data", pe_fetch(pe, V, 2, &v), LINX_E_INST, LINX_EC_PAGE, V);
    CHECK("mmu fetch", pe_fetch(pe, V + 0x4000, 2, &v) == EXEC_OK);
    pe->mmconfig |= LINX_MMCONFIG_HU;
    CHECK("mmu hardware access flag", pe_load(pe, V + 0x3000, 8, &v) == EXEC_OK);
    set_ring(pe, 1);
    CHECK("mmu ring 1 own page", pe_load(pe, V + 0x2000, 8, &v) == EXEC_OK);
    expect("mmu ring 1, user page, P = 0", pe_load(pe, V, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V);
    CHECK("mmu P", ssr_write(pe, LINX_SSR_CSTATE, LINX_CSTATE_P) == EXEC_OK);
    CHECK("mmu ring 1, user page, P = 1", pe_load(pe, V, 8, &v) == EXEC_OK);
    CHECK("mmu P", ssr_write(pe, LINX_SSR_CSTATE, 0) == EXEC_OK);
    expect("mmu ring 1, user page, P = 0 again", pe_load(pe, V, 8, &v), LINX_E_DATA, LINX_EC_LOAD_PAGE, V);
    set_ring(pe, 0);
    CHECK("mmu ring 0 untranslated", pe_load(pe, DATA + 8, 8, &v) == EXEC_OK && v == 7);

    mmu_on(2);      // a task runs, its page goes away, TLB.IALL by the kernel makes it fault
    map(V, CODE, R | X | U | AF, 0);
    map(V + 0x1000, DATA, R | W | U | AF, 0);
    STD(); I(LDI, F(RegDst, A0), F(SrcL, A1), F(simm12, 0)); I(C_BSTART_DIRECT, F(simm12, -6));
    pe->bpc = pe->tpc = V;
    pe->r[A1] = V + 0x1000;
    poke(m, DATA, 8, 99);
    run_pe(pe, 9);
    CHECK_EQ("mmu task runs", pe->r[A0], 99);
    map(V + 0x1000, 0, 0, 0);
    set_ring(pe, 1);
    CHECK("mmu TLB.IALL", pe_ring(pe) == 1);
    mem_flush(pe);
    set_ring(pe, 2);
    for (unsigned i = 0; i < 6 && pe_ring(pe) == 2; i++) run_pe(pe, pe_time(pe) + 1);
    CHECK_EQ("mmu task faults", pe->bank[1].traparg0, V + 0x1000);
    CHECK_EQ("mmu task faults: EBPC is virtual", pe->bank[1].ebpc, V);
}

// ---- several PEs
static void test_pes(void)
{
    struct machine *old = m;
    m = vm_new(2, 4);
    fresh();
    for (unsigned i = 0; i < 8; i++) CHECK_EQ("LXLCID in a0", m->pe[i]->r[A0], 4 * m->pe[i]->core + m->pe[i]->index);
    // Everybody adds 1 to a word 1000 times with LD.ADD, then sleeps; the last one ends the run.
    SYS(); I(HL_LIU, F(RegDst, A2), F(uimm32, DATA)); I(HL_LIS, F(RegDst, A3), F(simm32, 1000)); I(C_MOVI, F(RegDst, A4), F(simm5, 1));
    uint64_t loop = at;
    // a conditional block cannot hold AMOs: SYS blocks fall through only
    SYS(); I(LD_ADD, F(RegDst, DT), F(SrcL, A2), F(SrcR, A4));
    I(BSTART_STD_COND, F(simm17, (int)(loop - at))); I(SUBI, F(RegDst, A3), F(SrcL, A3), F(uimm12, 1)); I(SETC_NEI, F(SrcL, A3), F(simm12, 0));
    SYS(); I(LD_ADD, F(RegDst, A3), F(SrcL, A1), F(SrcR, A4)); STOP();
    I(BSTART_STD_COND, F(simm17, 0x100)); I(SETC_EQI, F(SrcL, A3), F(simm12, 7)); STOP();
    uint64_t sleep = at;
    SYS(); I(BWI, F(SrcL, 0));
    I(C_BSTART_DIRECT, F(simm12, (int)(sleep - at))); STOP();
    at = sleep - 4 - 4 - 2 + 0x100;
    STD(); I(LUI, F(RegDst, A1), F(imm20, 0x100)); I(HL_LIS, F(RegDst, A4), F(simm32, 0x5555)); I(SWI, F(SrcL, A4), F(SrcR, A1), F(simm12, 0)); STOP();
    for (unsigned i = 0; i < 8; i++) m->pe[i]->r[A1] = DATA + 8;
    int st = machine_run(m);
    CHECK_EQ("eight PEs: exit status", st, 0);
    CHECK_EQ("eight PEs: sum", peek(m, DATA, 8), 8000);
    uint64_t insns = m->pe[3]->insns;
    for (unsigned seed = 0; seed < 3; seed++) {     // the same seed gives the same run, any seed the same sum
        uint8_t image[512];
        memcpy(image, machine_ram(m, CODE, 512), 512);
        vm_reset(m);
        m->rng = seed * 77 + 1;
        m->cfg.seed = seed;
        memcpy(machine_ram(m, CODE, 512), image, 512);
        for (unsigned i = 0; i < 8; i++) m->pe[i]->r[A1] = DATA + 8;
        (void)machine_run(m);
        CHECK_EQ("eight PEs with a seed: sum", peek(m, DATA, 8), 8000);
        if (!seed) CHECK_EQ("eight PEs: same run again", m->pe[3]->insns, insns);
    }
    m->cfg.seed = 0;

    // IPI: PE 5 wakes PE 0 from BWI through its controller page
    fresh();
    SYS(); I(BWI, F(SrcL, 0)); STD(); I(C_MOVI, F(RegDst, A1), F(simm5, 9)); STOP(); STD();
    at = CODE + 0x200; STD(); I(HL_LIU, F(RegDst, A1), F(uimm32, BOARD_INTC_BASE + INTC_PAGE + INTC_IPI)); I(SWI, F(SrcL, A1), F(SrcR, A1), F(simm12, 0)); STOP(); STD();
    pe->bank[1].econfig = LINX_ECONFIG_I;
    set_ring(pe, 1);
    run_pe(pe, 2);
    CHECK_EQ("BWI sleeps", pe->sleep, SLEEP_INTERRUPT);
    run_pe(pe, 50);
    CHECK_EQ("asleep: time passes", pe_time(pe), 50);
    CHECK_EQ("asleep: no instruction", pe->insns, 2);
    struct pe *five = m->pe[5];
    five->bpc = five->tpc = CODE + 0x200;
    run_pe(five, 4);
    CHECK_EQ("IPI pending", pe->bank[1].ipi, 1);
    run_pe(pe, 53);
    CHECK_EQ("BWI wakes although masked by I", pe->r[A1], 9);
    CHECK_EQ("IPI not taken with I = 0", pe_ring(pe) == 1 && pe->bank[1].trapno == 0, 1);

    // BSE / BWE, BWT
    fresh();
    SYS(); I(BWE, F(SrcL, 0)); SYS(); I(BWT, F(SrcL, A2)); STD();
    at = CODE + 0x200; SYS(); I(BSE, F(SrcL, A1)); STD();
    m->pe[1]->bpc = m->pe[1]->tpc = CODE + 0x200;
    m->pe[1]->r[A1] = 1;
    pe->r[A2] = 1000;
    run_pe(pe, 10);
    CHECK_EQ("BWE sleeps", pe->sleep, SLEEP_EVENT);
    run_pe(m->pe[1], 2);
    run_pe(pe, 14);
    CHECK_EQ("BWE woken, BWT sleeps", pe->sleep, SLEEP_TIME);
    run_pe(pe, 5000);
    CHECK_EQ("BWT: instructions", pe->insns >= 4, 1);
    CHECK_EQ("BWT: slept 1000 ns", pe->idle_ns >= 1000 && pe->sleep == AWAKE, 1);

    // all asleep: time jumps to the timer
    fresh();
    SYS(); I(BWI, F(SrcL, 0)); STD(); I(C_MOVI, F(RegDst, A1), F(simm5, 9));
    I(LUI, F(RegDst, A1), F(imm20, 0x100)); I(HL_LIS, F(RegDst, A4), F(simm32, 0x5555)); I(SWI, F(SrcL, A4), F(SrcR, A1), F(simm12, 0)); STOP();
    for (unsigned i = 1; i < 8; i++) m->pe[i]->sleep = SLEEP_INTERRUPT;
    pe->bank[1].econfig = LINX_ECONFIG_T;
    pe->bank[1].timer_cmp = 1000000000;
    set_ring(pe, 1);
    CHECK_EQ("idle machine: exit", machine_run(m), 0);
    CHECK_EQ("idle machine: jumped to the timer", pe_time(pe) >= 1000000000 && pe->insns < 10, 1);
    machine_free(m);
    m = old;
}

static void test_intc(void)
{
    enum { P = BOARD_INTC_BASE + INTC_PAGE };       // PE 0, ring 1
    fresh();
    uint64_t v;
    machine_irq(m, 10, true);
    CHECK_EQ("intc pending", peek(m, P + INTC_PENDING, 4), 1 << 10);
    CHECK_EQ("intc claim, nothing enabled", peek(m, P + INTC_CLAIM, 4), 0);
    poke(m, P + INTC_ENVEC, 4, 10);
    CHECK_EQ("intc enable bit", peek(m, P + INTC_ENABLE, 4), 1 << 10);
    CHECK_EQ("intc EI", m->intc.ext[0][1], 1);
    CHECK_EQ("intc EI other ring", m->intc.ext[0][0], 0);
    poke(m, P + INTC_SETVEC, 4, 7);
    poke(m, P + INTC_ENVEC, 4, 7);
    CHECK_EQ("intc claim lowest", peek(m, P + INTC_CLAIM, 4), 7);
    CHECK_EQ("intc claim next", peek(m, P + INTC_CLAIM, 4), 10);
    CHECK_EQ("intc in service", peek(m, P + INTC_CLAIM, 4), 0);
    CHECK_EQ("intc EI down in service", m->intc.ext[0][1], 0);
    poke(m, P + INTC_CLAIM, 4, 10);
    CHECK_EQ("intc level comes back", m->intc.ext[0][1], 1);
    machine_irq(m, 10, false);
    CHECK_EQ("intc level gone", m->intc.ext[0][1], 0);
    poke(m, P + INTC_THRESHOLD, 4, 5);
    poke(m, P + INTC_SETVEC, 4, 7);
    CHECK_EQ("intc threshold", m->intc.ext[0][1], 0);
    poke(m, P + INTC_THRESHOLD, 4, 0);
    poke(m, P + INTC_CLRVEC, 4, 7);
    CHECK_EQ("intc clrvec", m->intc.ext[0][1], 0);
    poke(m, P + INTC_SETTYPE, 4, 3 | 1 << 8);       // edge
    poke(m, P + INTC_ENVEC, 4, 3);
    machine_irq(m, 3, true);
    machine_irq(m, 3, false);
    CHECK_EQ("intc edge stays", peek(m, P + INTC_CLAIM, 4), 3);
    poke(m, P + INTC_CLAIM, 4, 3);
    CHECK_EQ("intc edge once", peek(m, P + INTC_CLAIM, 4), 0);
    CHECK("intc byte access refused", !machine_read(m, P + INTC_PENDING, 1, &v));
    CHECK("intc page of an absent PE refused", !machine_read(m, BOARD_INTC_BASE + 2 * INTC_PAGE, 4, &v));
    CHECK("intc pending is read-only", !machine_write(m, P + INTC_PENDING, 4, 1));
}

static void test_uart(void)
{
    enum { B = BOARD_UART_BASE };
    char name[] = "/tmp/linx-uart-XXXXXX", where[64], buf[16] = "";
    int fd = mkstemp(name);
    CHECK("uart file", fd >= 0);
    snprintf(where, sizeof where, "file:%s", name);
    struct device *u = uart_new(m, where);
    CHECK("uart", u && machine_add_device(m, u));
    fresh();
    uint64_t v;
    poke(m, B + 3, 1, 0x80); poke(m, B, 1, 12); poke(m, B + 3, 1, 3);
    CHECK_EQ("uart LCR", peek(m, B + 3, 1), 3);
    CHECK_EQ("uart LSR", peek(m, B + 5, 1), 0x60);
    poke(m, B, 1, 'h'); poke(m, B, 1, 'i'); poke(m, B, 1, '\n');
    CHECK("uart output", read(fd, buf, sizeof buf) == 3 && !strcmp(buf, "hi\n"));
    poke(m, BOARD_INTC_BASE + INTC_PAGE + INTC_ENVEC, 4, BOARD_UART_IRQ);
    poke(m, B + 1, 1, 2);
    CHECK_EQ("uart transmit interrupt", m->intc.ext[0][1], 1);
    CHECK_EQ("uart IIR", peek(m, B + 2, 1), 2);
    CHECK_EQ("uart transmit interrupt acknowledged", m->intc.ext[0][1], 0);
    poke(m, B + 1, 1, 1);
    poke(m, B + 4, 1, 0x10); poke(m, B, 1, 'x');    // loopback
    CHECK_EQ("uart receive interrupt", m->intc.ext[0][1], 1);
    CHECK_EQ("uart LSR data", peek(m, B + 5, 1), 0x61);
    CHECK_EQ("uart data", peek(m, B, 1), 'x');
    CHECK_EQ("uart receive interrupt gone", m->intc.ext[0][1], 0);
    CHECK("uart beyond its registers", !machine_read(m, B + 8, 1, &v));
    close(fd);
    unlink(name);
}

// ---- a data body stopped at every instruction, resumed by ACRE 1 alone
static void body_program(void)
{
    at = CODE;
    I(BSTART_MPAR, F(Mode, 1)); I(B_DIM_LB0, F(RegSrc, 0), F(uimm17, 100)); I(B_IOR, F(RegSrc0, A0), F(RegSrc1, A1));
    I(B_TEXT, F(simm25, (int)(CODE + 0x400 - at))); STOP();
    STD(); I(C_MOVI, F(RegDst, A3), F(simm5, 9)); STOP();
    SYS(); I(BWI, F(SrcL, 0));
    at = CODE + 0x400;      // out[lc0] = in[lc0] * 3 + lc0
    enum { RI0 = 32, RI1 = 33, LC0 = 64, VT = 0, VT1 = 0, ZERO = 95, UW = 1 << 7, DW = 1 << 7 };
    I(V_LW, F(RegDst, VT | DW), F(SrcL, RI0), F(SrcR, LC0), F(shamt, 2));
    I(V_ADD, F(RegDst, VT | DW), F(SrcL, (VT1 + 96) | UW), F(SrcR, (VT1 + 96) | UW), F(SrcRType, 0), F(shamt, 1));
    I(V_ADD, F(RegDst, VT | DW), F(SrcL, (VT1 + 96) | UW), F(SrcR, LC0), F(SrcRType, 0));
    I(V_SW, F(SrcD, (VT1 + 96) | UW), F(SrcL, RI1), F(SrcR, LC0));
    I(BSTOP);
    for (unsigned i = 0; i < 100; i++) poke(m, DATA + 4 * i, 4, 1000 + i);
    pe->r[A0] = DATA;
    pe->r[A1] = DATA + 0x1000;
    at = HANDLER; SYS(); I(HL_SSRSET, F(SSR_ID, 0x1f21), F(SrcL, 0)); I(ACRE, F(RRA_Type, 1));
}

static unsigned body_errors(void)
{
    unsigned bad = 0;
    for (unsigned i = 0; i < 100; i++) bad += peek(m, DATA + 0x1000 + 4 * i, 4) != 3 * (1000 + i) + i;
    return bad;
}

static void test_bodies(void)
{
    fresh();
    body_program();
    set_ring(pe, 2);
    run_pe(pe, 100);
    CHECK_EQ("body: results", body_errors(), 0);
    CHECK_EQ("body: the block after it", pe->r[A3], 9);
    CHECK_EQ("body: asleep at the end", pe->sleep, SLEEP_INTERRUPT);
    uint64_t total = pe->insns;
    bool stopped[2][5] = { { false } };     // by group and instruction
    for (uint64_t n = 1; n < total; n++) {
        fresh();
        body_program();
        set_ring(pe, 2);
        pe->bank[1].econfig = LINX_ECONFIG_T;
        pe->bank[1].timer_cmp = n;
        for (unsigned i = 0; i < 100 && pe_ring(pe) == 2; i++) run_pe(pe, pe_time(pe) + 1);
        const struct ring_bank *b = &pe->bank[1];
        char name[64];
        snprintf(name, sizeof name, "body interrupted at %u", (unsigned)n);
        if (b->ecstate & LINX_ECSTATE_BI && (b->ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT & 31) == LINX_BT_DATA) {
            CHECK_EQ(name, b->ebpc, CODE);
            CHECK_EQ(name, b->ebpcn, CODE + 16);
            CHECK(name, b->etpc >= CODE + 0x400 && b->etpc <= CODE + 0x420);
            CHECK(name, b->ebarg >> LINX_EBARG_GROUP_SHIFT < 2);
            stopped[b->ebarg >> LINX_EBARG_GROUP_SHIFT & 1][(b->etpc - CODE - 0x400) / 8 % 5] = true;
        }
        run_pe(pe, 200);
        CHECK_EQ(name, body_errors(), 0);
        CHECK_EQ(name, pe->r[A3], 9);
    }
    for (unsigned i = 0; i < 10; i++) CHECK("body: stopped at every one of its instructions", stopped[i / 5][i % 5]);

    fresh();        // a faulting body freezes, and goes on once the fault is gone
    body_program();
    set_ring(pe, 2);
    pe->r[A1] = 0x1000;
    at = HANDLER; SYS(); I(BWI, F(SrcL, 0)); SYS();
    for (unsigned i = 0; i < 100 && pe_ring(pe) == 2; i++) run_pe(pe, pe_time(pe) + 1);
    CHECK_EQ("body fault: TRAPNO", pe->bank[1].trapno, (uint64_t)1 << 63 | LINX_EC_STORE_ACCESS << 24 | LINX_E_DATA);
    CHECK_EQ("body fault: TRAPARG0", pe->bank[1].traparg0, 0x1000);
    CHECK_EQ("body fault: ETPC", pe->bank[1].etpc, CODE + 0x418);
    CHECK_EQ("body fault: BI", pe->bank[1].ecstate >> 6 & 1, 1);

    // The header's page is away when ACRE 1 comes: the fault is the task's, the body stays resumable.
    fresh();
    body_program();
    next_table = ROOT;
    pe->mmtbase = (uint64_t)(ROOT >> 14) << 2;
    pe->mmconfig = LINX_MMCONFIG_EN | 1 << LINX_MMCONFIG_M_SHIFT;
    for (unsigned k = 0; k < 16; k++) map(CODE + 0x1000 * k, CODE + 0x1000 * k, R | X | AF | (k < 8 ? U : 0), 0);
    map(DATA, DATA, R | W | U | AF, 0);
    map(DATA + 0x1000, DATA + 0x1000, R | W | U | AF, 0);
    set_ring(pe, 2);
    mem_flush(pe);
    pe->bank[1].econfig = LINX_ECONFIG_T;
    pe->bank[1].timer_cmp = 9;
    for (unsigned i = 0; i < 100 && pe_ring(pe) == 2; i++) run_pe(pe, pe_time(pe) + 1);
    uint64_t etpc = pe->bank[1].etpc, ebarg = pe->bank[1].ebarg;
    CHECK("resume with the header away: stopped in the body", pe->bank[1].ecstate & LINX_ECSTATE_BI);
    map(CODE, 0, 0, 0);
    mem_flush(pe);
    while (!pe->bank[1].traparg0 && pe_time(pe) < 1000) run_pe(pe, pe_time(pe) + 1);
    CHECK_EQ("resume with the header away: TRAPNO", pe->bank[1].trapno, (uint64_t)1 << 63 | LINX_EC_PAGE << 24 | LINX_E_INST);
    CHECK_EQ("resume with the header away: TRAPARG0", pe->bank[1].traparg0, CODE);
    CHECK_EQ("resume with the header away: BI", pe->bank[1].ecstate >> 6 & 1, 1);
    CHECK_EQ("resume with the header away: from ring 2", pe->bank[1].ecstate & 15, 2);
    CHECK_EQ("resume with the header away: ETPC", pe->bank[1].etpc, etpc);
    CHECK_EQ("resume with the header away: EBARG", pe->bank[1].ebarg, ebarg);
    map(CODE, CODE, R | X | U | AF, 0);
    mem_flush(pe);
    run_pe(pe, pe_time(pe) + 300);
    CHECK_EQ("resume with the header back: results", body_errors(), 0);

    fresh();        // ACRE 1 of a data block with nothing to resume
    SYS(); I(ACRE, F(RRA_Type, 1));
    at = CODE + 0x100; I(BSTART_VPAR, F(Mode, 0)); I(B_TEXT, F(simm25, 0x100)); STOP();
    pe->bank[0].ecstate = 2 | LINX_ECSTATE_BI;
    pe->bank[0].ebpc = CODE + 0x100;
    pe->bank[0].ebarg = (uint64_t)LINX_BT_DATA << LINX_EBARG_BLOCKTYPE_SHIFT;
    pe->bank[0].evbase = HANDLER;
    at = HANDLER; SYS(); I(BWI, F(SrcL, 0));
    run_pe(pe, 4);
    CHECK_EQ("ACRE 1 without a mark", pe->bank[0].trapno, (uint64_t)1 << 63 | LINX_EC_INVAL_PARM << 24 | LINX_E_BLOCK);
    CHECK_EQ("ACRE 1 without a mark: ETPC is the ACRE", pe->bank[0].etpc, CODE + 2);
    CHECK_EQ("ACRE 1 without a mark: still in ring 0", pe_ring(pe), 0);

    // B.IOS: mask without this PE makes the block nothing at all; outside the window it faults
    fresh();
    I(BSTART_TLOAD, F(DataType, LINX_DataType_U8)); I(B_IOS, F(SharedTID, 3), F(SizeCode, 1), F(PEMode, 2)); STOP(); STD();
    set_ring(pe, 2);
    run_pe(pe, 4);
    CHECK_EQ("B.IOS without this PE", pe->bpc, CODE + 10);
    fresh();
    I(BSTART_TLOAD, F(DataType, LINX_DataType_U8)); uint64_t ios = at; I(B_IOS, F(SharedTID, 3), F(SizeCode, 1), F(PEMode, 1)); STOP(); STD();
    pe->shared_window = 8 | 4 << 16;
    set_ring(pe, 2);
    run_pe(pe, 1);
    CHECK_EQ("B.IOS outside the window", pe->bank[1].trapno, (uint64_t)1 << 63 | LINX_EC_INVAL_SET << 24 | LINX_E_BLOCK);
    CHECK_EQ("B.IOS outside the window: ETPC", pe->bank[1].etpc, ios);
    fresh();
    I(BSTART_TLOAD, F(DataType, LINX_DataType_U8)); I(B_IOS, F(SharedTID, 3), F(SizeCode, 13), F(PEMode, 0)); STOP(); STD();
    set_ring(pe, 2);
    run_pe(pe, 1);
    CHECK_EQ("B.IOS reserved size", pe->bank[1].trapno, (uint64_t)1 << 63 | LINX_EC_ILLEGAL << 24 | LINX_E_INST);
}

int main(void)
{
    m = vm_new(1, 1);
    test_mmu();
    test_intc();
    test_uart();
    test_bodies();
    test_pes();
    return report_end();
}
