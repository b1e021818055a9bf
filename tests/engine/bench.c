// SPDX-License-Identifier: BSD-2-Clause
// Lane operations per second of processor time on five kinds of body: build/tests/engine/bench [seconds per body].
#include <time.h>

#include "harness.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void alu(struct prog *p)
{
    for (unsigned i = 0; i < 8; i++) {
        EMIT(p, V_ADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(VU1, SW));
        EMIT(p, V_XOR, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, UW), F(SrcR), SRC(VU1, UW));
        EMIT(p, V_MUL, F(RegDst), DSTW(D_VM, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(VU1, SW));
        EMIT(p, V_CMP_LT, F(RegDst), DSTW(D_VN, WW), F(SrcL), SRC(VM1, SW), F(SrcR), SRC(VU1, SW));
        EMIT(p, V_CSEL, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(VM1, SW), F(SrcP), SRC(VN1, SW));
        EMIT(p, V_MAX, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(VU1, SW));
        EMIT(p, V_SLLI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(shamt), 3);
        EMIT(p, V_ADDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(uimm12), 17);
    }
}
static void saxpy(struct prog *p)
{
    EMIT(p, V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(C), 1);
    EMIT(p, V_LW, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(ZR, UD), F(C), 1);
    EMIT(p, V_MADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(RI2, SW), F(SrcD), SRC(VU1, SW));
    EMIT(p, V_SW, F(SrcD), SRC(VT1, SW), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(ZR, UD), F(C), 1);
}
static void tile(struct prog *p)
{
    EMIT(p, V_LW, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(ZR, UD), F(C), 1, F(L), 1);
    EMIT(p, V_LHU, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(ZR, UD), F(C), 1, F(L), 1);
    EMIT(p, V_ADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, SW), F(SrcR), SRC(VU1, SH));
    EMIT(p, V_SW, F(SrcD), SRC(VT1, SW), F(SrcL), SRC(TO, UD), F(SrcR), SRC(ZR, UD), F(C), 1, F(L), 1);
}
static void gather(struct prog *p)
{
    EMIT(p, V_ANDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC0, UH), F(simm12), 1023);
    EMIT(p, V_LW, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(VT1, UW), F(shamt), 2);
    EMIT(p, V_LW, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(TA, UD), F(SrcR), SRC(VT1, UW), F(shamt), 2, F(L), 1);
    EMIT(p, V_SW, F(SrcD), SRC(VU1, UW), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(VT1, UW));
}
static void flt(struct prog *p)
{
    for (unsigned i = 0; i < 4; i++) {
        EMIT(p, V_FADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, 1), F(SrcR), SRC(VU1, 1));
        EMIT(p, V_FMUL, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, 1), F(SrcR), SRC(VU1, 1));
        EMIT(p, V_FMADD, F(RegDst), DSTW(D_VM, WW), F(SrcL), SRC(VT1, 1), F(SrcR), SRC(VU1, 1), F(SrcA), SRC(VM1, 1));
    }
}

static void run(const char *name, void (*emit)(struct prog *), double seconds)
{
    double best[5];
    for (unsigned k = 0; k < 5; k++) {
        struct pe *pe = pe_new(4, 0, NULL);
        ram_reset();
        struct prog p;
        prog_start(&p, CODE);
        emit(&p);
        emit_stop(&p);
        struct block_header h = header(LINX_BSTART_MPAR, CODE, 4096, 1, 1);
        add_ri(&h, DATA);
        add_ri(&h, DATA + 0x8000);
        add_ri(&h, 3);
        push_tile(pe, 0, 11, NULL);
        add_src(&h, 0, 1, true);
        add_dst(&h, 1, 11);
        double t0 = now(), t;
        uint64_t ops0 = engine_stats(pe->engine)->lane_ops;
        do {
            h.src[0].index = 0;
            for (unsigned i = 0; i < 16; i++)
                if (run_block(pe, &h) != EXEC_BLOCK_DONE) {
                    printf("trap %u/%u\n", pe->trap.num, pe->trap.cause);
                    exit(1);
                }
            t = now() - t0;
        } while (t < seconds);
        best[k] = (engine_stats(pe->engine)->lane_ops - ops0) / t;
        pe_delete(pe);
    }
    for (unsigned i = 0; i < 5; i++)
        for (unsigned j = i + 1; j < 5; j++)
            if (best[j] < best[i]) { double x = best[i]; best[i] = best[j]; best[j] = x; }
    printf("%-8s %6.2f G lane-operations/s (median of 5)\n", name, best[2] * 1e-9);
}

int main(int argc, char **argv)
{
    double s = argc > 1 ? atof(argv[1]) : 0.3;
    run("alu", alu, s);
    run("memory", saxpy, s);
    run("tile", tile, s);
    run("gather", gather, s);
    run("float", flt, s);
    return 0;
}
