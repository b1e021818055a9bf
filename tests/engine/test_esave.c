// SPDX-License-Identifier: BSD-2-Clause
// The bytes of the ESAVE image (seed ESAVE; docs/target.md 2.4), group numbering and lanes, the mark, and what ESAVE,
// ERCOV and ACRE 1 refuse.
#include "harness.h"

enum { N = 3 };
static struct pe *pe;

static uint64_t u64(const uint8_t *p, unsigned off) { uint64_t v; memcpy(&v, p + off, 8); return v; }
static unsigned u16(const uint8_t *p, unsigned off) { return p[off] | p[off + 1] << 8; }
static uint32_t u32(const uint8_t *p, unsigned off) { uint32_t v; memcpy(&v, p + off, 4); return v; }

static struct block_header tepl(unsigned function)
{
    struct block_header h = header(LINX_BSTART_TEPL, 0, 1, 1, 1);
    h.function = (uint16_t)function;
    return h;
}
static enum exec_status esave_n(unsigned tiles)
{
    struct block_header h = tepl(LINX_TileOpcode_ESAVE);
    for (unsigned i = 0; i < tiles; i++)
        add_dst(&h, N, 11);
    return engine_tile_block(pe, &h);
}
static enum exec_status ercov_n(unsigned tiles)
{
    struct block_header h = tepl(LINX_TileOpcode_ERCOV);
    for (unsigned i = 0; i < tiles; i++)
        add_src(&h, N, tiles - i, false);
    return engine_tile_block(pe, &h);
}
static const uint8_t *image(void) { return hand_entry(pe->engine, N, 1)->data; }

// A body that leaves recognisable values: vt#k lane i = group*0x10000 + 0x100*(20-k) + i ...
static void emit_marks(struct prog *p)
{
    for (unsigned n = 0; n < 4; n++)
        for (int q = D_VT; q <= D_VN; q++) {
            EMIT(p, V_ADDI, F(RegDst), DSTW(q, WW), F(SrcL), SRC(LC0, UH), F(uimm12), (int)(0x100 * q + 0x10 * n));
        }
    for (unsigned n = 0; n < 4; n++) {
        EMIT(p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(LC0, UH), F(uimm12), 0x700 + n);
        EMIT(p, V_ADDI, F(RegDst), DSTW(D_U, WD), F(SrcL), SRC(LC1, UH), F(uimm12), 0x800 + n);
    }
    EMIT(p, V_ADD, F(RegDst), DSTW(D_RO1, WD), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(RI1, UD));
    EMIT(p, V_ADDI, F(RegDst), DSTW(D_P, WD), F(SrcL), SRC(LC2, UH), F(uimm12), 0xabc);
    EMIT(p, J, F(simm22), 0);       // stays here
}
enum { MARK_INSNS = 4 * 4 + 8 + 2 };

static void layout(unsigned slots, int form, bool dr)
{
    pe = pe_new(slots, 0, NULL);
    pe->cstate = LINX_ACR_KERNEL;
    bool seq = form == LINX_BSTART_VSEQ || form == LINX_BSTART_MSEQ;
    struct prog p;
    prog_start(&p, CODE);
    emit_marks(&p);
    struct block_header h = header(form, CODE, 100, 3, 2);
    h.dr = dr;
    for (unsigned i = 0; i < 12; i++)
        add_ri(&h, 0x1122334455660000 + i);
    pe->r[10] = 77;
    pe->r[11] = 88;
    add_ro(&h, 10);
    add_ro(&h, 11);
    add_dst(&h, 0, 6);
    add_dst(&h, 1, 5);
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    unsigned width = seq ? 1 : slots, group;
    uint64_t tpc;
    for (unsigned i = 0; i < MARK_INSNS * width; i++)
        CHECK_EQ(engine_step(pe, &tpc, &group), EXEC_OK, "step");
    memset(pe->engine->out[0].t.data, 0x5a, 1024);
    memset(pe->engine->out[1].t.data, 0xa5, 512);
    // whatever lay in the tiles before must not show
    for (unsigned i = 0; i < DEPTH; i++)
        memset(pe->engine->hand[N].entry[i].data, 0xee, TILE_MAX);
    memset(pe->engine->scratch[0].data, 0xee, TILE_MAX);
    CHECK_EQ(esave_n(3), EXEC_OK, "ESAVE");

    const uint8_t *im = hand_entry(pe->engine, N, 3)->data;
    CHECK_EQ(u16(im, 0), 100, "LB0");
    CHECK_EQ(u16(im, 2), 3, "LB1");
    CHECK_EQ(u16(im, 4), 2, "LB2");
    CHECK_EQ(u16(im, 6), 0, "6,7");
    for (unsigned i = 0; i < 12; i++)
        CHECK_EQ(u64(im, 8 + 8 * i), 0x1122334455660000 + i, "RI");
    CHECK_EQ(u64(im, 8 + 8 * 12), 77, "RO0");
    CHECK_EQ(u64(im, 8 + 8 * 13), 2 * 0x1122334455660000 + 1, "RO1");
    CHECK_EQ(u64(im, 8 + 8 * 14), 0, "RO2");
    for (unsigned s = 0; s < (seq ? 1 : slots); s++) {
        const uint8_t *g = im + 136 + 4184 * s;
        // group s: MD chunks along LC0 first; DR 64 consecutive iterations
        unsigned first = dr ? 64 * s % 100 : s % 2 * 64, lc1 = dr ? 64 * s / 100 : s / 2, lc2 = 0;
        CHECK_EQ(u64(g, 0), CODE + 8 * MARK_INSNS, "TPC");
        CHECK_EQ(u16(g, 8), first, "LC0");
        CHECK_EQ(u16(g, 10), lc1, "LC1");
        CHECK_EQ(u16(g, 12), lc2, "LC2");
        CHECK_EQ(u16(g, 14), 0, "14,15");
        CHECK_EQ(u64(g, 16), 0xabc, "P");
        for (unsigned k = 4; k >= 1; k--) {         // #4 first
            CHECK_EQ(u64(g, 24 + 8 * (4 - k)), first + 0x700 + 4 - k, "t");
            CHECK_EQ(u64(g, 56 + 8 * (4 - k)), lc1 + 0x800 + 4 - k, "u");
        }
        for (unsigned q = 0; q < 4; q++)
            for (unsigned k = 4; k >= 1; k--)
                for (unsigned i = 0; i < 64; i++) {
                    uint64_t it = 64 * s + i;
                    unsigned lc0 = dr ? it % 100 : first + i;
                    uint32_t want = lc0 + 0x100 * q + 0x10 * (4 - k);
                    if (!dr && first + i >= 100)
                        want = 0;                   // lanes outside the iteration space hold 0
                    CHECK_EQ(u32(g, 88 + 1024 * q + 256 * (4 - k) + 4 * i), want, "vector lane");
                }
    }
    for (unsigned i = 136 + 4184 * (seq ? 1 : slots); i < TILE_MAX; i++)
        if (im[i]) {
            CHECK(false, "byte %u past the image is 0x%x", i, im[i]);
            break;
        }
    const uint8_t *o0 = hand_entry(pe->engine, N, 2)->data, *o1 = hand_entry(pe->engine, N, 1)->data;
    for (unsigned i = 0; i < TILE_MAX; i++)
        if (o0[i] != (i < 1024 ? 0x5a : 0) || o1[i] != (i < 512 ? 0xa5 : 0)) {
            CHECK(false, "output image byte %u: 0x%x 0x%x", i, o0[i], o1[i]);
            break;
        }
    CHECK_EQ(engine_tile_map(pe, N), 0xbbb, "three 32 KB tiles");
    CHECK_EQ(engine_tile_map(pe, 0), 0, "nothing committed");
    // repeated: same bytes; ERCOV of them and ESAVE again: same bytes
    static uint8_t first[TILE_MAX];
    memcpy(first, im, TILE_MAX);
    CHECK_EQ(esave_n(1), EXEC_OK, "again");
    CHECK(!memcmp(first, image(), TILE_MAX), "a second ESAVE differs");
    CHECK_EQ(ercov_n(1), EXEC_OK, "ERCOV");
    CHECK_EQ(pe->engine->mark, MARK_RECOVERED, "mark");
    CHECK_EQ(esave_n(1), EXEC_OK, "ESAVE of a recovered block");
    CHECK(!memcmp(first, image(), TILE_MAX), "ESAVE after ERCOV differs");
    pe_delete(pe);
}

// ---- which lanes and groups run ------------------------------------------------------------------------------------
// Every iteration adds 1 to its own counter and its number to a sum; PAR order is slot order.
static void iteration(unsigned slots, int form, bool dr, unsigned a, unsigned b, unsigned c)
{
    ram_reset();
    pe = pe_new(slots, 0, NULL);
    struct prog p;
    prog_start(&p, CODE);
    EMIT(&p, V_MADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC2, UH), F(SrcR), SRC(LB1, UH), F(SrcD), SRC(LC1, UH));
    EMIT(&p, V_MADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(SrcR), SRC(LB0, UH), F(SrcD), SRC(LC0, UH));
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(ZR, UW), F(uimm12), 1);
    EMIT(&p, V_SLLI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(shamt), 2);
    EMIT(&p, V_ADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(SrcR), SRC(RI0, UW));
    EMIT(&p, V_SW_ADD, F(SrcL), SRC(VT1, UW), F(SrcR), SRC(VU1, UW));
    EMIT(&p, V_LD_ADD, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(RI2, UD));
    emit_stop(&p);
    struct block_header h = header(form, CODE, a, b, c);
    h.dr = dr;
    add_ri(&h, DATA);
    add_ri(&h, DATA + 0x20000);
    add_ri(&h, 1);
    enum exec_status st = run_block(pe, &h);
    unsigned n = a * b * c, groups = dr ? (n + 63) / 64 : b * c * ((a + 63) / 64);
    CHECK_EQ(st, EXEC_BLOCK_DONE, "iteration");
    for (unsigned i = 0; i < n + 64; i++)
        CHECK(u32(&ram[DATA - RAM_BASE], 4 * i) == (i < n), "%ux%ux%u dr=%d: iteration %u ran %u times", a, b, c, dr, i, u32(&ram[DATA - RAM_BASE], 4 * i));
    CHECK_EQ(u64(&ram[DATA + 0x20000 - RAM_BASE], 0), n ? groups : 0, "groups");
    CHECK_EQ(engine_stats(pe->engine)->groups, n ? groups : 0, "groups counted");
    pe_delete(pe);
}

// Slot 0 holds group 0, ... and the next group goes to the lowest free slot: groups of different length.
static void dispatch_order(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    struct prog p;
    prog_start(&p, CODE);
    // group g (LC1 = g) loops (7 * g) % 5 times, then appends its number to a list
    EMIT(&p, V_MUL, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(LC1, UH), F(SrcR), SRC(RI2, UD));
    EMIT(&p, V_REM, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI3, UD));
    uint64_t top = p.at;
    EMIT(&p, B_EQ, F(SrcL), 24, F(SrcR), 0, F(simm12), 4 + 2 + 2);
    EMIT(&p, SUBI, F(RegDst), 31, F(SrcL), 24, F(uimm12), 1);
    EMIT(&p, J, F(simm22), (int)((int64_t)(top - p.at) / 2));
    emit(&p, linx_forms[LINX_BSTOP].match);       // never reached
    EMIT(&p, V_LD_ADD, F(RegDst), DSTW(D_U, WD), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(RI3 + 1, UD));
    EMIT(&p, V_SW, F(SrcD), SRC(LC1, UW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(U1, UD));
    emit_stop(&p);
    struct block_header h = header(LINX_BSTART_MPAR, CODE, 1, 12, 1);
    add_ri(&h, DATA);
    add_ri(&h, DATA + 0x1000);
    add_ri(&h, 7);
    add_ri(&h, 5);
    add_ri(&h, 1);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "dispatch");
    // the same schedule on paper: 4 slots, one instruction each in slot order
    struct { int group, left; } slot[4];
    unsigned next = 4, done = 0, order[12];
    for (int s = 0; s < 4; s++)
        slot[s].group = s, slot[s].left = 2 + 3 * (7 * s % 5) + 1 + 2 + 1;
    for (unsigned s = 0; done < 12; s = (s + 1) % 4) {
        if (slot[s].group < 0)
            continue;
        if (--slot[s].left == 1)
            order[done++] = (unsigned)slot[s].group;    // the store
        if (slot[s].left == 0) {
            slot[s].group = next < 12 ? (int)next : -1;
            slot[s].left = 2 + 3 * (7 * (int)next % 5) + 1 + 2 + 1;
            next++;
        }
    }
    for (unsigned i = 0; i < 12; i++)
        CHECK_EQ(u32(&ram[DATA - RAM_BASE], 4 * i), order[i], "order of completion");
    pe_delete(pe);
}

// A slot with nothing left has TPC 0 and keeps its LC.
static void idle_slot(void)
{
    pe = pe_new(4, 0, NULL);
    pe->cstate = LINX_ACR_KERNEL;
    struct prog p;
    prog_start(&p, CODE);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(LC1, UH), F(uimm12), 0);
    EMIT(&p, B_NE, F(SrcL), 24, F(SrcR), 0, F(simm12), 4);
    EMIT(&p, J, F(simm22), 0);          // group 0 stays
    emit_stop(&p);
    struct block_header h = header(LINX_BSTART_VPAR, CODE, 1, 6, 1);
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    uint64_t tpc, done;
    unsigned group;
    CHECK_EQ(engine_run(pe, 40, &done, &tpc, &group), EXEC_OK, "run");
    CHECK_EQ(esave_n(1), EXEC_OK, "ESAVE");
    const uint8_t *im = image();
    static const unsigned lc1[4] = {0, 4, 5, 3};        // groups 4 and 5 went to slots 1 and 2; 3 was last in slot 3
    for (unsigned s = 0; s < 4; s++) {
        CHECK_EQ(u64(im, 136 + 4184 * s) != 0, s == 0, "TPC");
        CHECK_EQ(u16(im, 136 + 4184 * s + 10), lc1[s], "LC1 kept");
    }
    pe_delete(pe);
}

// ---- mark, refusals ------------------------------------------------------------------------------------------------
static void fault(enum exec_status st, unsigned num, unsigned cause, const char *what)
{
    CHECK(st == EXEC_TRAP && pe->trap.num == num && pe->trap.cause == cause, "%s: status %d trap %u/%u", what, st, pe->trap.num, pe->trap.cause);
}
static void refusals(void)
{
    pe = pe_new(4, 0, NULL);
    pe->cstate = LINX_ACR_KERNEL;
    struct prog p;
    prog_start(&p, CODE);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(ZR, UD), F(uimm12), 7);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC0, UH), F(uimm12), 7);
    emit_stop(&p);
    struct block_header h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
    add_dst(&h, 0, 5);
    fault(engine_resume(pe, &h, 0), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ACRE 1 at power-on");
    fault(esave_n(2), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ESAVE names an output, none there");
    uint64_t tpc;
    unsigned group;
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    CHECK_EQ(engine_step(pe, &tpc, &group), EXEC_OK, "step");
    fault(esave_n(3), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ESAVE names two outputs of one");
    CHECK_EQ(engine_tile_map(pe, N), 0, "nothing pushed");
    pe->cstate = LINX_ACR_TASK;
    pe->bank[1].econfig = 0;
    fault(esave_n(1), LINX_E_INST, LINX_EC_PERM, "ESAVE in ACR2");
    push_tile(pe, N, 11, NULL);
    fault(ercov_n(1), LINX_E_INST, LINX_EC_PERM, "ERCOV in ACR2");
    pe->cstate = LINX_ACR_MONITOR;
    CHECK_EQ(esave_n(1), EXEC_OK, "ESAVE in ACR0");
    pe->cstate = LINX_ACR_KERNEL;
    struct block_header small = tepl(LINX_TileOpcode_ESAVE);
    add_dst(&small, N, 10);
    fault(engine_tile_block(pe, &small), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "16 KB do not hold four groups");
    struct block_header empty = tepl(LINX_TileOpcode_ERCOV);
    add_src(&empty, 2, 5, false);
    fault(engine_tile_block(pe, &empty), LINX_E_BLOCK, LINX_EC_INVAL_GET, "ERCOV of an empty entry");
    CHECK_EQ(pe->tpc, empty.src_at[0], "ETPC is the B.IOT");
    // naming fewer outputs leaves those out
    CHECK_EQ(esave_n(1), EXEC_OK, "fewer outputs");
    // the mark survives scalar and tile blocks; a data block that starts clears it
    CHECK_EQ(ercov_n(1), EXEC_OK, "ERCOV");
    push_tile(pe, N, 1, NULL);
    CHECK_EQ(pe->engine->mark, MARK_RECOVERED, "mark set");
    struct block_header other = header(LINX_BSTART_VPAR, CODE, 0, 1, 1);
    CHECK_EQ(engine_start(pe, &other), EXEC_BLOCK_DONE, "an empty block");
    CHECK_EQ(pe->engine->mark, MARK_NONE, "mark cleared");
    fault(engine_resume(pe, &h, 0), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ACRE 1 after another data block");
    // outside a body: every TPC 0, no outputs; ERCOV of it restores the queues and sets no mark
    struct group keep = pe->engine->group[0];
    CHECK_EQ(esave_n(1), EXEC_OK, "ESAVE outside a body");
    for (unsigned s = 0; s < 4; s++)
        CHECK_EQ(u64(image(), 136 + 4184 * s), 0, "TPC");
    memset(pe->engine->group, 0x77, sizeof(pe->engine->group));
    for (unsigned s = 0; s < 4; s++)
        memset(pe->engine->group[s].head, 0, 4);
    CHECK_EQ(ercov_n(1), EXEC_OK, "ERCOV");
    CHECK_EQ(pe->engine->mark, MARK_NONE, "no mark");
    CHECK(!memcmp(keep.t, pe->engine->group[0].t, 32) && !memcmp(vec_src(&keep, VT, 1), vec_src(&pe->engine->group[0], VT, 1), 256), "queues restored");
    fault(engine_resume(pe, &h, 0), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ACRE 1 after ERCOV of an idle image");
    pe_delete(pe);
}

// What a body leaves in the queues of its slot is there for the next data block; TMA and TEPL between do not matter.
static void inheritance(void)
{
    pe = pe_new(4, 0, NULL);
    pe->cstate = LINX_ACR_KERNEL;
    struct prog p, q;
    prog_start(&p, CODE);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC1, UH), F(uimm12), 100);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(uimm12), 100);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_U, WD), F(SrcL), SRC(LC1, UH), F(uimm12), 9);
    emit_stop(&p);
    prog_start(&q, CODE + 0x1000);
    EMIT(&q, V_ADD, F(RegDst), DSTW(D_VN, WW), F(SrcL), SRC(VT2, UW), F(SrcR), SRC(U1, UW));
    EMIT(&q, V_RDADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(VN1, UW));
    emit_stop(&q);
    struct block_header a = header(LINX_BSTART_VPAR, CODE, 64, 4, 1), b = header(LINX_BSTART_MPAR, CODE + 0x1000, 64, 4, 1);
    CHECK_EQ(run_block(pe, &a), EXEC_BLOCK_DONE, "first");
    CHECK_EQ(esave_n(1), EXEC_OK, "a TEPL block between");
    add_ro(&b, 5);
    CHECK_EQ(run_block(pe, &b), EXEC_BLOCK_DONE, "second");
    CHECK_EQ(pe->r[5], 64 * (4 * 109 + 2 * (0 + 1 + 2 + 3)), "values of the first block");
    // a SEQ block owns slot 0 only: what the other slots held ends there, preempted or not
    struct block_header seq = header(LINX_BSTART_VSEQ, CODE, 64, 1, 1);
    CHECK_EQ(run_block(pe, &seq), EXEC_BLOCK_DONE, "seq");
    for (unsigned s = 1; s < 4; s++)
        CHECK_EQ(vec_src(&pe->engine->group[s], VT, 1)[0], 0, "slots beyond 0 after a SEQ block");
    CHECK_EQ(vec_src(&pe->engine->group[0], VT, 2)[0], 100, "slot 0 goes on");
    pe_delete(pe);
}

int main(void)
{
    ram_reset();
    static const int forms[] = {LINX_BSTART_VPAR, LINX_BSTART_VSEQ, LINX_BSTART_MPAR, LINX_BSTART_MSEQ};
    for (unsigned slots = 1; slots <= 4; slots *= 2)
        for (unsigned f = 0; f < 4; f++)
            for (unsigned dr = 0; dr < 2; dr++)
                layout(slots, forms[f], dr);
    test_end("ESAVE image");
    static const unsigned spaces[][3] = {{1, 1, 1}, {64, 1, 1}, {65, 1, 1}, {63, 2, 1}, {130, 3, 2}, {5, 7, 3}, {1, 1, 200}, {0, 4, 4}, {4, 0, 4}, {4, 4, 0}, {64, 2, 2}, {128, 1, 3}};
    for (unsigned slots = 1; slots <= 4; slots *= 2)
        for (unsigned dr = 0; dr < 2; dr++)
            for (unsigned f = 2; f < 4; f++)
                for (unsigned i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
                    iteration(slots, forms[f], dr, spaces[i][0], spaces[i][1], spaces[i][2]);
    test_end("iteration space");
    ram_reset();
    dispatch_order();
    idle_slot();
    test_end("dispatch");
    refusals();
    test_end("mark and refusals");
    inheritance();
    test_end("inheritance");
    return 0;
}
