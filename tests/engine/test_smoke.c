#include "harness.h"
int main(void)
{
    ram_reset();
    struct pe *pe = pe_new(4, 0, NULL);
    struct prog p;
    prog_start(&p, CODE);
    // out[i] = in[i] + 7
    EMIT(&p, V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1);
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(uimm12), 7);
    EMIT(&p, V_SW, F(SrcD), SRC(VT1, SW), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(ZR, UD), F(C), 1);
    EMIT(&p, V_SW, F(SrcD), SRC(VT1, SW), F(SrcL), SRC(TO, UD), F(SrcR), SRC(ZR, UD), F(C), 1, F(L), 1);
    EMIT(&p, V_RDADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(VT1, SW));
    emit_stop(&p);
    uint32_t *in = (uint32_t *)&ram[DATA - RAM_BASE], *out = in + 4096;
    uint64_t sum = 0;
    for (unsigned i = 0; i < 1000; i++) in[i] = i * 3, sum += i * 3 + 7;
    struct block_header h = header(LINX_BSTART_MPAR, CODE, 1000, 1, 1);
    add_ri(&h, DATA);
    add_ri(&h, DATA + 4 * 4096);
    add_ro(&h, 5);
    add_dst(&h, 0, 8);
    enum exec_status st = run_block(pe, &h);
    CHECK_EQ(st, EXEC_BLOCK_DONE, "status");
    if (st == EXEC_TRAP) printf("trap %u %u %lx %s\n", pe->trap.num, pe->trap.cause, pe->trap.arg, pe->trap.why);
    for (unsigned i = 0; i < 1000; i++) CHECK_EQ(out[i], i * 3 + 7, "out");
    CHECK_EQ(out[1000], 0, "past");
    CHECK_EQ(pe->r[5], sum, "ro");
    CHECK_EQ(engine_tile_map(pe, 0), 8, "map");
    uint32_t *t = (uint32_t *)hand_entry(pe->engine, 0, 1)->data;
    for (unsigned i = 0; i < 1000; i++) CHECK_EQ(t[i], i * 3 + 7, "tile");
    test_end("smoke");
    pe_delete(pe);
    return 0;
}
