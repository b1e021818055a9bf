// SPDX-License-Identifier: BSD-2-Clause
// Local tiles: hands, release, reuse, sizes, header checks; .local range; faults without partial effect; ECONFIG.
#include "harness.h"

static struct pe *pe;
static uint32_t tile_data[TILE_MAX / 4];

static void fault(enum exec_status st, unsigned num, unsigned cause, const char *what)
{
    CHECK(st == EXEC_TRAP && pe->trap.num == num && pe->trap.cause == cause, "%s: status %d trap %u/%u arg 0x%" PRIx64, what, st, pe->trap.num, pe->trap.cause, pe->trap.arg);
}
static uint64_t body(uint64_t w)
{
    struct prog p;
    prog_start(&p, CODE);
    if (w)
        emit(&p, w);
    emit_stop(&p);
    return CODE;
}
#define LWL(base, off) ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(base, UD), F(SrcR), off, F(C), 1, F(L), 1)
#define SWL(base, off) ENC(V_SW, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(base, UD), F(SrcR), off, F(C), 1, F(L), 1)

static void hands(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    // push 20 tiles: the hand keeps the last 16, position shifts by pushes only
    for (unsigned i = 0; i < 20; i++) {
        tile_data[0] = 100 + i;
        push_tile(pe, 2, 1 + i % 11, tile_data);
    }
    for (unsigned k = 1; k <= 16; k++) {
        CHECK_EQ(*(uint32_t *)hand_entry(pe->engine, 2, k)->data, 100 + 20 - k, "#k");
        CHECK_EQ(engine_tile_map(pe, 2) >> 4 * (k - 1) & 15, 1 + (20 - k) % 11, "map");
    }
    // a block with 3 outputs in one hand pushes them in header order; sources mean the state before
    struct block_header h = header(LINX_BSTART_VPAR, body(LWL(TA, SRC(ZR, UD))), 1, 1, 1);
    add_src(&h, 2, 3, false);
    add_src(&h, 2, 5, true);
    add_src(&h, 2, 3, true);            // the same entry again: released, as one of its uses is not .reuse
    add_dst(&h, 2, 1);
    add_dst(&h, 2, 2);
    add_dst(&h, 2, 3);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "block");
    uint64_t map = engine_tile_map(pe, 2);
    CHECK_EQ(map & 0xfff, 0x123, "outputs in header order, #1 the last");
    CHECK_EQ(map >> 4 * 5 & 15, 0, "#3 became #6 and is released");
    CHECK(map >> 4 * 7 & 15, "#5 became #8 and lives");
    CHECK_EQ(vec_src(&pe->engine->group[0], VT, 1)[0], 117, "read #3 before the pushes");
    // reading the released entry
    struct block_header r = header(LINX_BSTART_VPAR, CODE, 1, 1, 1);
    add_src(&r, 2, 1, false);
    add_src(&r, 2, 6, false);
    map = engine_tile_map(pe, 2);
    fault(run_block(pe, &r), LINX_E_BLOCK, LINX_EC_INVAL_GET, "released");
    CHECK_EQ(pe->tpc, r.src_at[1], "ETPC: the header instruction");
    CHECK_EQ(engine_tile_map(pe, 2), map, "nothing released or pushed by the fault");
    CHECK_EQ(pe->engine->mark, MARK_NONE, "no block in the engine");
    struct block_header never = header(LINX_BSTART_VPAR, CODE, 1, 1, 1);
    add_src(&never, 3, 16, false);
    fault(run_block(pe, &never), LINX_E_BLOCK, LINX_EC_INVAL_GET, "never written");
    pe_delete(pe);
    test_end("hands");
}

static void headers(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    for (unsigned code = 0; code < 16; code++) {
        struct block_header h = header(LINX_BSTART_VPAR, body(0), 64, 1, 1);
        add_dst(&h, 1, code);
        if (code >= 1 && code <= 11) {
            CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "size");
            CHECK_EQ(engine_tile_map(pe, 1) & 15, code, "size in the map");
        } else {
            fault(run_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "size code");
        }
    }
    struct block_header h = header(LINX_BSTART_VPAR, 0, 64, 1, 1);
    fault(run_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "no B.TEXT");
    h = header(LINX_BSTART_VPAR, body(0), 64, 1, 1);
    for (unsigned i = 0; i < 5; i++)
        add_dst(&h, 0, 1);
    fault(run_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "five outputs");
    h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
    add_dst(&h, 4, 1);
    fault(run_block(pe, &h), LINX_E_INST, LINX_EC_ILLEGAL, "ACC as output");
    h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
    h.function = 2;
    fault(run_block(pe, &h), LINX_E_INST, LINX_EC_ILLEGAL, "VS32");
    // the stack tile must be second, or alone
    static const uint8_t order[][4] = {{5, 0, 9}, {0, 0, 5}, {0, 0, 5}, {5, 5, 9}};
    for (unsigned i = 0; i < 4; i++) {
        h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
        for (unsigned k = 0; order[i][k] != 9 && k < 3; k++)
            add_dst(&h, order[i][k], 4);
        fault(run_block(pe, &h), LINX_E_INST, LINX_EC_ILLEGAL, "stack tile placement");
    }
    static const uint8_t good[][4] = {{5, 9}, {0, 5, 9}, {0, 5, 1}};
    for (unsigned i = 0; i < 3; i++) {
        h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
        for (unsigned k = 0; k < 3 && good[i][k] != 9; k++)
            add_dst(&h, good[i][k], 4);
        CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "stack tile placement");
    }
    // ECONFIG.V in ACR2 only
    for (unsigned ring = 0; ring < 3; ring++)
        for (unsigned v = 0; v < 2; v++) {
            pe->cstate = ring;
            pe->bank[1].econfig = (uint64_t)v << 32;
            h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
            struct block_header t = header(LINX_BSTART_TLOAD, 0, 4, 1, 1);
            t.function = LINX_tma_TLOAD;
            t.data_type = LINX_DataType_U32;
            add_ri(&t, DATA);
            add_dst(&t, 0, 1);
            struct block_header te = header(LINX_BSTART_TEPL, 0, 4, 1, 1);
            te.function = 59;           // TEXPANDS
            te.data_type = LINX_DataType_U32;
            add_dst(&te, 0, 1);
            if (ring == 2 && v) {
                fault(run_block(pe, &h), LINX_E_INST, LINX_EC_PERM, "VPAR with ECONFIG.V");
                CHECK_EQ(pe->trap.arg, 0, "TRAPARG0");
                fault(engine_tile_block(pe, &t), LINX_E_INST, LINX_EC_PERM, "TLOAD with ECONFIG.V");
                fault(engine_tile_block(pe, &te), LINX_E_INST, LINX_EC_PERM, "TEPL with ECONFIG.V");
            } else {
                CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "VPAR");
                CHECK_EQ(engine_tile_block(pe, &t), EXEC_OK, "TLOAD");
                CHECK_EQ(engine_tile_block(pe, &te), EXEC_OK, "TEXPANDS");
            }
            struct block_header c = header(LINX_BSTART_CUBE, 0, 1, 1, 1);
            c.function = 3;
            pe->bank[1].econfig = (uint64_t)v << 33;
            fault(engine_tile_block(pe, &c), LINX_E_INST, ring == 2 && v ? LINX_EC_PERM : LINX_EC_ILLEGAL, "CUBE and ECONFIG.C");
            CHECK_EQ(pe->trap.arg, ring == 2 && v, "TRAPARG0 1 for CUBE");
        }
    pe_delete(pe);
    test_end("headers");
}

// A fault leaves the group as it was and tells the offset or address; after a repair the block ends as if nothing was.
static void one_fault(int form, uint64_t insn, unsigned ri, uint64_t value, unsigned num, unsigned cause, uint64_t arg, const char *what)
{
    struct block_header h = header(form, body(insn), 64, 1, 1);
    for (unsigned i = 0; i < 4; i++)
        add_ri(&h, i == ri ? value : DATA);
    add_src(&h, 0, 1, true);
    add_dst(&h, 1, 5);          // 512 B
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, what);
    struct group *g = &pe->engine->group[0];
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VT, 1)[i] = i * 4;
    struct group before = *g;
    static uint8_t memory[RAM_SIZE];
    memcpy(memory, ram, RAM_SIZE);
    uint8_t out[512];
    memcpy(out, pe->engine->out[0].t.data, 512);
    uint64_t tpc, done;
    unsigned group;
    fault(engine_run(pe, 100, &done, &tpc, &group), num, cause, what);
    CHECK_EQ(pe->trap.arg, arg, what);
    CHECK_EQ(tpc, CODE, "ETPC: the instruction");
    CHECK_EQ(done, 0, "nothing executed");
    before.lanes_ready = g->lanes_ready;
    memcpy(before.lane_lc, g->lane_lc, sizeof(before.lane_lc));
    for (unsigned q = 0; q < NUM_QUEUES; q++)
        CHECK(!memcmp(vec_src(&before, q, 1), vec_src(g, q, 1), 256) && !memcmp(vec_src(&before, q, 3), vec_src(g, q, 3), 256), "%s: queue changed", what);
    CHECK(!memcmp(before.t, g->t, 64) && before.p == g->p && before.tpc == g->tpc && !memcmp(before.head, g->head, 4), "%s: group changed", what);
    CHECK(!memcmp(memory, ram, RAM_SIZE), "%s: memory changed", what);
    CHECK(!memcmp(out, pe->engine->out[0].t.data, 512), "%s: output tile changed", what);
}

static void faults(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    push_tile(pe, 0, 3, tile_data);     // 128 B input
    enum { BAD = DATA + 0x5000 };
    page_perm[(BAD - RAM_BASE) >> 12] = 0;
    page_perm[(BAD + 0x2000 - RAM_BASE) >> 12] = PAGE_R | PAGE_X;
    // .local outside the tile: the first lane that is outside
    one_fault(LINX_BSTART_VPAR, LWL(TA, SRC(ZR, UD)), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 128, "load past the input tile");
    one_fault(LINX_BSTART_VPAR, LWL(TA, SRC(RI0, UD)), 0, -4ull, LINX_E_DATA, LINX_EC_RANGE, -4ull, "load before the input tile");
    one_fault(LINX_BSTART_VPAR, SWL(TO, SRC(RI0, UD)), 0, 65, LINX_E_DATA, LINX_EC_RANGE, 512, "store past the output tile");
    one_fault(LINX_BSTART_VPAR, ENC(V_SW, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(TO, UD), F(SrcR), SRC(VT1, UW), F(L), 1, F(shamt), 1), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 512, "scatter past the output tile");
    one_fault(LINX_BSTART_VPAR, ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(VT1, UW), F(L), 1), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 128, "gather past the input tile");
    // elements that straddle the end
    one_fault(LINX_BSTART_VPAR, ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(RI0, UD), F(L), 1), 0, 126, LINX_E_DATA, LINX_EC_RANGE, 126, "broadcast over the end");
    one_fault(LINX_BSTART_VPAR, ENC(V_LH, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(RI0, UD), F(L), 1, F(C), 1), 0, 1, LINX_E_DATA, LINX_EC_RANGE, 127, "lanes over the end");
    one_fault(LINX_BSTART_VPAR, ENC(V_LDI_U, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(TA, UD), F(L), 1, F(simm24), 121), 0, 0, LINX_E_DATA, LINX_EC_RANGE, 121, "scalar over the end");
    one_fault(LINX_BSTART_VPAR, ENC(V_SWI_U, F(SrcL), SRC(VT1, UW), F(SrcR), SRC(TO, UD), F(L), 1, F(simm24), 509), 0, 0, LINX_E_DATA, LINX_EC_RANGE, 509, "store over the end");
    one_fault(LINX_BSTART_VPAR, LWL(TB, SRC(ZR, UD)), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 0, "unbound formal");
    one_fault(LINX_BSTART_VPAR, SWL(TA, SRC(ZR, UD)), 9, 0, LINX_E_INST, LINX_EC_ILLEGAL, 0, "store to an input tile");
    one_fault(LINX_BSTART_VPAR, SWL(TO1, SRC(ZR, UD)), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 0, "store to an unbound output");
    one_fault(LINX_BSTART_VPAR, ENC(V_LDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(TA, UD), F(L), 1, F(simm24), 16), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 128, "scalar .local load");
    one_fault(LINX_BSTART_VPAR, ENC(V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(TO, UD), F(L), 1, F(simm24), 64), 9, 0, LINX_E_DATA, LINX_EC_RANGE, 512, "scalar .local store");
    one_fault(LINX_BSTART_VPAR, ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(L), 1), 0, 0x1234, LINX_E_DATA, LINX_EC_RANGE, 0x1234, ".local through a number");
    // memory: a page in the middle of the lanes
    for (unsigned mode = 0; mode < 2; mode++) {
        uint64_t base = BAD - 100;      // lane 25 is the first that touches the bad page
        unsigned off = mode ? SRC(VT1, UW) : SRC(ZR, UD);
        one_fault(LINX_BSTART_MPAR, ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), off, F(C), !mode), 0, base, LINX_E_DATA, LINX_EC_LOAD_PAGE, BAD, "load into a bad page");
        one_fault(LINX_BSTART_MPAR, ENC(V_SW_U, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(RI0, UD), F(SrcR), off, F(C), !mode), 0, base, LINX_E_DATA, LINX_EC_STORE_PAGE, BAD, "store into a bad page");
        one_fault(LINX_BSTART_MPAR, ENC(V_SW_U, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(RI0, UD), F(SrcR), off, F(C), !mode), 0, BAD + 0x2000 - 8, LINX_E_DATA, LINX_EC_STORE_PAGE, BAD + 0x2000, "store into a read-only page");
        one_fault(LINX_BSTART_MPAR, ENC(V_LH, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), mode ? SRC(VT1, UW) : SRC(ZR, UD), F(C), !mode), 0, BAD - 51, LINX_E_DATA, LINX_EC_LOAD_PAGE, mode ? BAD + 1 : BAD, "misaligned load over the page end");
    }
    one_fault(LINX_BSTART_MPAR, ENC(V_SW_ADD, F(SrcL), SRC(VT1, UW), F(SrcR), SRC(VT1, UW)), 9, 0, LINX_E_DATA, LINX_EC_STORE_PAGE, 0, "atomic at address 0");
    one_fault(LINX_BSTART_MPAR, ENC(V_LW_ADD, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(RI1, UD)), 0, DATA + 2, LINX_E_DATA, LINX_EC_STORE_MISALIGNED, DATA + 2, "misaligned atomic");
    one_fault(LINX_BSTART_MPAR, ENC(V_SD_ADD, F(SrcL), SRC(RI0, UD), F(SrcR), SRC(RI1, UD)), 0, BAD + 0x2000, LINX_E_DATA, LINX_EC_STORE_PAGE, BAD + 0x2000, "atomic on a read-only page");
    one_fault(LINX_BSTART_MPAR, ENC(V_LDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(RI0, UD), F(simm24), 0), 0, BAD, LINX_E_DATA, LINX_EC_LOAD_PAGE, BAD, "scalar load");
    one_fault(LINX_BSTART_MPAR, ENC(V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI0, UD), F(simm24), 0), 0, BAD, LINX_E_DATA, LINX_EC_STORE_PAGE, BAD, "scalar store");
    // repaired, the same block goes on (ACRE 1 alone)
    struct block_header h = header(LINX_BSTART_MPAR, body(ENC(V_SW, F(SrcD), SRC(LC0, UW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1)), 200, 1, 1);
    add_ri(&h, BAD - 400);
    uint64_t done, tpc, total = 0;
    unsigned group;
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    fault(engine_run(pe, 100, &done, &tpc, &group), LINX_E_DATA, LINX_EC_STORE_PAGE, "page missing");
    total += done;
    CHECK_EQ(group, 1, "the second group faults");
    CHECK_EQ(pe->trap.arg, BAD, "address");
    page_perm[(BAD - RAM_BASE) >> 12] = PAGE_R | PAGE_W;
    CHECK_EQ(engine_resume(pe, &h, group), EXEC_OK, "resume");
    CHECK_EQ(engine_run(pe, 100, &done, &tpc, &group), EXEC_BLOCK_DONE, "the rest");
    total += done;
    CHECK_EQ(total, 8, "each instruction once");
    for (unsigned i = 0; i < 200; i++) {
        uint32_t w;
        memcpy(&w, &ram[BAD - 400 - RAM_BASE + 4 * i], 4);
        CHECK_EQ(w, i, "stored once");
    }
    // code: a page without execute permission, an instruction over the page end
    for (unsigned over = 0; over < 2; over++) {
        struct prog p;
        prog_start(&p, CODE + 0x2000 - (over ? 12 : 8));
        EMIT(&p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(ZR, UD), F(uimm12), 1);
        EMIT(&p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(ZR, UD), F(uimm12), 2);
        emit_stop(&p);
        page_perm[(CODE + 0x2000 - RAM_BASE) >> 12] = PAGE_R;
        h = header(LINX_BSTART_VPAR, p.base, 64, 1, 1);
        CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
        fault(engine_run(pe, 100, &done, &tpc, &group), LINX_E_INST, LINX_EC_PAGE, "code page");
        CHECK_EQ(tpc, p.base + 8, "the second instruction");
        CHECK_EQ(done, 1, "one done");
        page_perm[(CODE + 0x2000 - RAM_BASE) >> 12] = 7;
        CHECK_EQ(engine_resume(pe, &h, group), EXEC_OK, "resume");
        CHECK_EQ(engine_run(pe, 100, &done, &tpc, &group), EXEC_BLOCK_DONE, "the rest");
        CHECK_EQ(pe->engine->group[0].t[0], 2, "t");
    }
    // changed code is seen at once
    for (unsigned i = 1; i < 4; i++) {
        h = header(LINX_BSTART_VPAR, body(ENC(V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(ZR, UD), F(uimm12), (int)i)), 64, 1, 1);
        CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "run");
        CHECK_EQ(pe->engine->group[0].t[0], i, "new code");
    }
    // device memory: no host pointer, element by element
    page_perm[(DATA + 0x9000 - RAM_BASE) >> 12] = PAGE_R | PAGE_W | PAGE_DEVICE;
    h = header(LINX_BSTART_MPAR, body(ENC(V_SW, F(SrcD), SRC(LC0, UW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1)), 64, 1, 1);
    add_ri(&h, DATA + 0x9000);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "device store");
    h = header(LINX_BSTART_MPAR, body(ENC(V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1)), 64, 1, 1);
    add_ri(&h, DATA + 0x9000);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "device load");
    for (unsigned i = 0; i < LANES; i++)
        CHECK_EQ(vec_src(&pe->engine->group[0], VT, 1)[i], i, "device lanes");
    pe_delete(pe);
    test_end("faults");
}

// An atomic block: one 16-byte window, no trace when it faults.
static void atomic_blocks(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    struct prog p;
    prog_start(&p, CODE);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(ZR, UD), F(uimm12), 7);
    EMIT(&p, V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI0, UD), F(simm24), 0);
    EMIT(&p, V_LDI, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(RI0, UD), F(simm24), 0);
    EMIT(&p, V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI0, UD), F(simm24), 2);      // the next window
    emit_stop(&p);
    struct block_header h = header(LINX_BSTART_MSEQ, CODE, 1, 1, 1);
    h.atom = true;
    add_ri(&h, DATA);
    add_ro(&h, 9);
    pe->r[9] = 1234;
    uint64_t t0 = pe->engine->group[0].t[0] = 55, done, tpc;
    unsigned group;
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    fault(engine_run(pe, 100, &done, &tpc, &group), LINX_E_DATA, LINX_EC_RANGE, "outside the window");
    CHECK_EQ(pe->trap.arg, DATA + 16, "address");
    CHECK_EQ(ram[DATA - RAM_BASE], 0, "memory as before");
    CHECK_EQ(pe->engine->group[0].t[0], t0, "t as before");
    CHECK_EQ(pe->r[9], 1234, "register as before");
    CHECK_EQ(pe->engine->mark, MARK_NONE, "nothing to resume");
    // a device cannot be rolled back
    page_perm[(DATA - RAM_BASE) >> 12] = PAGE_R | PAGE_W | PAGE_DEVICE;
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    fault(engine_run(pe, 100, &done, &tpc, &group), LINX_E_DATA, LINX_EC_STORE_ACCESS, "device store in an atomic block");
    pe_delete(pe);
    test_end("atomic blocks");
}

static void strict(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    engine_set_strict(pe->engine, f);
    struct block_header h = header(LINX_BSTART_VPAR, body(ENC(V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VU3, UW), F(uimm12), 1)), 64, 1, 1);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "undefined vector");
    fflush(f);
    CHECK(text && strstr(text, "vector register read before it was written"), "report: %s", text ? text : "");
    size_t at = size;
    h = header(LINX_BSTART_VPAR, body(ENC(V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(uimm12), 1)), 64, 1, 1);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "defined vector");
    fflush(f);
    CHECK_EQ(size, at, "no report");
    h = header(LINX_BSTART_VPAR, body(LWL(TO, SRC(ZR, UD))), 64, 1, 1);
    add_dst(&h, 0, 6);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "undefined tile");
    fflush(f);
    CHECK(size > at && strstr(text + at, "undefined tile byte"), "report");
    at = size;
    h = header(LINX_BSTART_MPAR, body(ENC(V_SW, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1)), 64, 3, 1);
    add_ri(&h, DATA);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "overlap");
    fflush(f);
    CHECK(size > at && strstr(text + at, "two PAR groups store"), "report");
    at = size;
    h.form = LINX_BSTART_MSEQ;
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "no overlap in SEQ");
    fflush(f);
    CHECK_EQ(size, at, "no report");
    fclose(f);
    free(text);
    pe_delete(pe);
    test_end("strict");
}

int main(void)
{
    for (unsigned i = 0; i < TILE_MAX / 4; i++)
        tile_data[i] = i;
    hands();
    headers();
    faults();
    atomic_blocks();
    strict();
    return 0;
}
