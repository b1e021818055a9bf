// SPDX-License-Identifier: BSD-2-Clause
#include "bodies.h"

uint32_t sample_word(unsigned i) { return i * 2654435761u ^ i >> 3; }
uint32_t sample_tile_word(unsigned tile, unsigned i) { return (tile + 1) * 1000003u + i * 97u; }

struct block_header sample_setup(const struct sample *s, struct pe *pe)
{
    for (unsigned i = 0; i < AREA / 4; i++) {
        uint32_t w = sample_word(i);
        memcpy(&ram[DATA - RAM_BASE + 4 * i], &w, 4);
    }
    for (unsigned k = 0; k < 3; k++)
        if (s->in_code[k]) {
            uint32_t data[TILE_MAX / 4];
            for (unsigned i = 0; i < TILE_MAX / 4; i++)
                data[i] = sample_tile_word(k, i);
            push_tile(pe, k, s->in_code[k], data);
        }
    struct prog p;
    prog_start(&p, CODE);
    s->emit(&p);
    emit_stop(&p);
    struct block_header h = header(s->form, CODE, s->lb[0], s->lb[1], s->lb[2]);
    h.function = s->vs8 ? LINX_vsize_VS8 : LINX_vsize_VS16;
    h.dr = s->dr;
    h.atom = s->atom;
    add_ri(&h, DATA);
    add_ri(&h, OUT_A);
    add_ri(&h, OUT_B);
    add_ri(&h, 12345);
    for (unsigned i = 0; i < s->num_ro; i++) {
        pe->r[18 + i] = 1000 + i;
        add_ro(&h, 18 + i);
    }
    for (unsigned k = 0; k < 3; k++)
        if (s->in_code[k])
            add_src(&h, k, 1, k == 1);
    for (unsigned k = 0; k < s->num_out; k++)
        add_dst(&h, s->out_hand[k], s->out_code[k]);
    return h;
}

// ---- emit helpers ---------------------------------------------------------------------------------------------------
static void lw(struct prog *p, unsigned dst, unsigned base, unsigned off, unsigned shamt, bool cont, bool local)
{
    EMIT(p, V_LW, F(RegDst), DSTW(dst, WW), F(SrcL), SRC(base, UD), F(SrcR), off, F(shamt), shamt, F(C), cont, F(L), local);
}
static void sw(struct prog *p, unsigned data, unsigned base, unsigned off, unsigned shamt, bool cont, bool local)
{
    EMIT(p, V_SW, F(SrcD), data, F(SrcL), SRC(base, UD), F(SrcR), off, F(shamt), shamt, F(C), cont, F(L), local);
}
#define ZERO SRC(ZR, UD)
static void op(struct prog *p, int form, unsigned dst, unsigned a, unsigned b)
{
    emit(p, enc(form, F(RegDst), (int)dst, F(SrcL), (int)a, F(SrcR), (int)b, -1));
}
static void addi(struct prog *p, unsigned dst, unsigned a, int imm) { EMIT(p, V_ADDI, F(RegDst), (int)dst, F(SrcL), (int)a, F(uimm12), imm); }
static uint32_t word_at(uint64_t va)
{
    uint32_t w;
    memcpy(&w, &ram[va - RAM_BASE], 4);
    return w;
}
static uint32_t tile_word(struct pe *pe, unsigned hand, unsigned k, unsigned i)
{
    uint32_t w;
    memcpy(&w, hand_entry(pe->engine, hand, k)->data + 4 * i, 4);
    return w;
}

// 1. VPAR, one output: to[i] = ta[i] + 3 * tb[i]
static void b_add(struct prog *p)
{
    lw(p, D_VT, TA, ZERO, 0, true, true);
    lw(p, D_VU, TB, ZERO, 0, true, true);
    EMIT(p, V_MADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VU1, SW), F(SrcR), SRC(RI3, UW), F(SrcD), SRC(VT1, SW));
    sw(p, SRC(VT1, SW), TO, ZERO, 0, true, true);
}
static void c_add(const struct sample *s, struct pe *pe)
{
    for (unsigned i = 0; i < s->lb[0]; i++)
        CHECK_EQ(tile_word(pe, 0, 1, i), sample_tile_word(0, i) + 12345 * sample_tile_word(1, i), s->name);
}
// 2. VSEQ, running maximum carried between groups in vt; two outputs
static void b_scan(struct prog *p)
{
    lw(p, D_VU, TA, ZERO, 0, true, true);
    op(p, LINX_V_MAX, DSTW(D_VT, WW), SRC(VT1, UW), SRC(VU1, UW));
    sw(p, SRC(VT1, UW), TO, ZERO, 0, true, true);
    op(p, LINX_V_XOR, DSTW(D_VU, WW), SRC(VT1, UW), SRC(VU1, UW));
    sw(p, SRC(VU1, UW), TO1, ZERO, 0, true, true);
}
// 3. MPAR copy with transformation through memory and a tile
static void b_mem(struct prog *p)
{
    lw(p, D_VT, RI0, ZERO, 0, true, false);
    EMIT(p, V_SRLI, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, UW), F(shamt), 7);
    op(p, LINX_V_XOR, DSTW(D_VM, WW), SRC(VT1, UW), SRC(VU1, UW));
    sw(p, SRC(VM1, UW), RI1, ZERO, 0, true, false);
    sw(p, SRC(VU1, UW), TO, ZERO, 0, true, true);
}
static void c_mem(const struct sample *s, struct pe *pe)
{
    for (unsigned i = 0; i < s->lb[0]; i++) {
        uint32_t w = sample_word(i);
        CHECK_EQ(word_at(OUT_A + 4 * i), w ^ w >> 7, s->name);
        CHECK_EQ(tile_word(pe, 2, 1, i), w >> 7, s->name);
    }
}
// 4. MSEQ with a loop counted in t and u, per group
static void b_loop(struct prog *p)
{
    lw(p, D_VT, RI0, ZERO, 0, true, false);
    EMIT(p, ADDI, F(RegDst), 31, F(SrcL), 0, F(uimm12), 3);             // t = 3
    uint64_t top = p->at;
    op(p, LINX_V_ADD, DSTW(D_VT, WW), SRC(VT1, UW), SRC(VT1, UW));
    addi(p, DSTW(D_VT, WW), SRC(VT1, UW), 1);
    EMIT(p, SUBI, F(RegDst), 31, F(SrcL), 24, F(uimm12), 1);
    EMIT(p, B_NE, F(SrcL), 24, F(SrcR), 0, F(simm12), (int)((int64_t)(top - p->at) / 2));
    sw(p, SRC(VT1, UW), RI1, ZERO, 0, true, false);
    EMIT(p, V_RDADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(VT1, UW));
}
static void c_loop(const struct sample *s, struct pe *pe)
{
    uint64_t sum = 1000;
    for (unsigned i = 0; i < s->lb[0]; i++) {
        uint32_t v = sample_word(i) * 8 + 7;
        CHECK_EQ(word_at(OUT_A + 4 * i), v, s->name);
        sum += v;
    }
    CHECK_EQ(pe->r[18], sum, s->name);
}
// 5. VPAR with P: odd values halved, even ones kept; three outputs
static void b_pred(struct prog *p)
{
    lw(p, D_VT, TA, ZERO, 0, true, true);
    addi(p, DSTW(D_U, WD), SRC(PM, UD), 0);                              // u = P
    EMIT(p, V_CMP_ANDI, F(RegDst), DSTW(D_P, WD), F(SrcL), SRC(VT1, UW), F(simm12), 1);
    EMIT(p, B_Z, F(simm22), 8 + 8 + 2);
    EMIT(p, V_SRLI, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, UW), F(shamt), 1);
    sw(p, SRC(VU1, UW), TO, ZERO, 0, true, true);
    sw(p, SRC(VT1, UW), TO2, ZERO, 0, true, true);
    op(p, LINX_V_XOR, DSTW(D_P, WD), SRC(U1, UD), SRC(PM, UD));          // the other lanes
    sw(p, SRC(VT1, UW), TO, ZERO, 0, true, true);
    addi(p, DSTW(D_P, WD), SRC(U1, UD), 0);
    sw(p, SRC(LC0, UH), TO1, ZERO, 0, true, true);
}
static void c_pred(const struct sample *s, struct pe *pe)
{
    for (unsigned i = 0; i < s->lb[0]; i++) {
        uint32_t w = sample_tile_word(0, i);
        CHECK_EQ(tile_word(pe, 0, 1, i), w & 1 ? w >> 1 : w, s->name);
        CHECK_EQ(tile_word(pe, 2, 1, i), w & 1 ? w : 0, s->name);
    }
}
// 6. DR grouping of a 3-D space, LC of every lane used; four outputs
static void b_dr(struct prog *p)
{
    EMIT(p, V_MADD, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC2, UH), F(SrcR), SRC(LB1, UH), F(SrcD), SRC(LC1, UH));
    EMIT(p, V_MADD, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, UW), F(SrcR), SRC(LB0, UH), F(SrcD), SRC(LC0, UH));
    sw(p, SRC(VU1, UW), TO, SRC(VU1, UW), 0, false, true);
    addi(p, DSTW(D_VT, WW), SRC(LC0, UH), 0);
    sw(p, SRC(VT1, UW), TO1, SRC(VU1, UW), 0, false, true);
    addi(p, DSTW(D_VT, WW), SRC(LC1, UH), 0);
    sw(p, SRC(VT1, UW), TO2, SRC(VU1, UW), 0, false, true);
    addi(p, DSTW(D_VT, WW), SRC(LC2, UH), 0);
    sw(p, SRC(VT1, UW), TO3, SRC(VU1, UW), 0, false, true);
}
static void c_dr(const struct sample *s, struct pe *pe)
{
    unsigned n = 0;
    for (unsigned z = 0; z < s->lb[2]; z++)
        for (unsigned y = 0; y < s->lb[1]; y++)
            for (unsigned x = 0; x < s->lb[0]; x++, n++) {
                CHECK_EQ(tile_word(pe, 0, 1, n), n, s->name);
                CHECK_EQ(tile_word(pe, 1, 1, n), x, s->name);
                CHECK_EQ(tile_word(pe, 2, 1, n), y, s->name);
                CHECK_EQ(tile_word(pe, 3, 1, n), z, s->name);
            }
}
// 7. MD over three dimensions with a partial last group
static void b_md(struct prog *p)
{
    EMIT(p, V_MADD, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(LC2, UH), F(SrcR), SRC(LB1, UH), F(SrcD), SRC(LC1, UH));
    EMIT(p, V_MUL, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(T1, UD), F(SrcR), SRC(LB0, UH));
    addi(p, DSTW(D_VT, WW), SRC(LC0, UH), 0);
    op(p, LINX_V_ADD, DSTW(D_VT, WW), SRC(VT1, UW), SRC(T1, UW));
    sw(p, SRC(VT1, UW), TO, SRC(VT1, UW), 0, false, true);
    EMIT(p, V_RDMAX, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(VT1, UW));
    EMIT(p, V_RDADD, F(RegDst), DSTW(D_RO1, WD), F(SrcL), SRC(VT1, UW));
}
static void c_md(const struct sample *s, struct pe *pe)
{
    unsigned n = s->lb[0] * s->lb[1] * s->lb[2];
    for (unsigned i = 0; i < n; i++)
        CHECK_EQ(tile_word(pe, 0, 1, i), i, s->name);
    CHECK_EQ(pe->r[18], n - 1 > 1000 ? n - 1 : 1000, s->name);
    CHECK_EQ(pe->r[19], 1001 + (uint64_t)n * (n - 1) / 2, s->name);
}
// 8. stack tile: spill and reload per group
static void b_stack(struct prog *p)
{
    lw(p, D_VT, TA, ZERO, 0, true, true);
    addi(p, DSTW(D_VU, WW), SRC(LC0, UH), 0);
    EMIT(p, V_SUB, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VU1, UW), F(SrcR), SRC(LC0, UH));   // 0 for every lane
    op(p, LINX_V_ADD, DSTW(D_VU, WW), SRC(VU1, UW), SRC(VT1, UW));
    EMIT(p, V_ANDI, F(RegDst), DSTW(D_VM, WW), F(SrcL), SRC(LC0, UH), F(simm12), 63);
    sw(p, SRC(VU1, UW), TS, SRC(VM1, UW), 0, false, true);              // TS[lane]
    addi(p, DSTW(D_VU, WW), SRC(VU1, UW), 1);
    EMIT(p, V_SDI, F(SrcL), SRC(RI3, UD), F(SrcR), SRC(TS, UD), F(L), 1, F(simm24), 32);      // 8 bytes at 256
    lw(p, D_VN, TS, SRC(VM1, UW), 2, false, true);
    EMIT(p, V_LDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(TS, UD), F(L), 1, F(simm24), 32);
    op(p, LINX_V_ADD, DSTW(D_VN, WW), SRC(VN1, UW), SRC(T1, UW));
    sw(p, SRC(VN1, UW), TO, ZERO, 0, true, true);
}
static void c_stack(const struct sample *s, struct pe *pe)
{
    for (unsigned i = 0; i < s->lb[0]; i++)
        CHECK_EQ(tile_word(pe, 0, 1, i), sample_tile_word(0, i) + 12345, s->name);
}
// 9. atomics of all groups on shared words
static void b_atomic(struct prog *p)
{
    EMIT(p, V_ANDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(LC0, UH), F(simm12), 7);
    EMIT(p, V_SLLI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(shamt), 2);
    op(p, LINX_V_ADD, DSTW(D_VT, WW), SRC(VT1, UW), SRC(RI1, UW));
    EMIT(p, V_SW_ADD, F(SrcL), SRC(VT1, UW), F(SrcR), SRC(LC0, UH));
    EMIT(p, V_LW_MAX, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(RI2, UD), F(SrcR), SRC(LC0, SH));
    EMIT(p, V_LD_ADD, F(RegDst), DSTW(D_U, WD), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(RI3, UD));
}
// 10. shuffles and floating point, reductions into RO; 11. the same serially
static void b_float(struct prog *p)
{
    lw(p, D_VT, RI0, ZERO, 0, true, false);
    EMIT(p, V_ANDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(simm12), 1023);
    EMIT(p, V_ICVTF, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(VT1, SW), F(SrcType), SW, F(DstType), 1);
    EMIT(p, V_SHFLI_DOWN, F(RegDst), DSTW(D_VM, WW), F(SrcL), SRC(VU1, UW), F(SrcR), SRC(ZR, UW), F(imm), 5);
    EMIT(p, V_FMADD, F(RegDst), DSTW(D_VN, WW), F(SrcL), SRC(VU1, 1), F(SrcR), SRC(VM1, 1), F(SrcA), SRC(VU1, 1));
    EMIT(p, V_FDIV, F(RegDst), DSTW(D_VN, WW), F(SrcL), SRC(VN1, 1), F(SrcR), SRC(VU1, 1));
    EMIT(p, V_RDFADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(VU1, 1));
    EMIT(p, V_RDFMAX, F(RegDst), DSTW(D_RO1, WD), F(SrcL), SRC(VN1, 1));
    sw(p, SRC(VN1, UW), RI2, ZERO, 0, true, false);
}
// 12. gather and scatter with a permutation
static void b_gather(struct prog *p)
{
    addi(p, DSTW(D_VT, WW), SRC(LC0, UH), 0);
    EMIT(p, V_MUL, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(SrcR), SRC(RI3, UW));
    EMIT(p, V_ANDI, F(RegDst), DSTW(D_VT, WW), F(SrcL), SRC(VT1, UW), F(simm12), 1023);
    lw(p, D_VU, RI0, SRC(VT1, UW), 2, false, false);
    EMIT(p, V_LBU, F(RegDst), DSTW(D_VM, WB), F(SrcL), SRC(RI0, UD), F(SrcR), SRC(VT1, UW));
    op(p, LINX_V_SUB, DSTW(D_VU, WW), SRC(VU1, UW), SRC(VM1, UB));
    addi(p, DSTW(D_VN, WW), SRC(LC0, UH), 0);
    sw(p, SRC(VU1, UW), RI2, SRC(VN1, UW), 0, false, false);
    EMIT(p, V_SB, F(SrcD), SRC(VM1, UB), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(VN1, UW));
}
static void c_gather(const struct sample *s, struct pe *pe)
{
    (void)pe;
    for (unsigned i = 0; i < s->lb[0]; i++) {
        uint32_t k = i * 12345 & 1023;
        CHECK_EQ(word_at(OUT_B + 4 * i), word_at(DATA + 4 * k) - ram[DATA - RAM_BASE + k], s->name);
    }
}
// 13. VSEQ in VS8 with 8- and 16-bit elements
static void b_narrow(struct prog *p)
{
    EMIT(p, V_LHU, F(RegDst), DSTW(D_VT, WH), F(SrcL), SRC(TA, UD), F(SrcR), ZERO, F(C), 1, F(L), 1);
    EMIT(p, V_LB, F(RegDst), DSTW(D_VU, WW), F(SrcL), SRC(TA, UD), F(SrcR), ZERO, F(C), 1, F(L), 1);
    op(p, LINX_V_ADD, DSTW(D_VT, WH), SRC(VT1, UH), SRC(VU1, SB));
    EMIT(p, V_SH, F(SrcD), SRC(VT1, UH), F(SrcL), SRC(TO, UD), F(SrcR), ZERO, F(C), 1, F(L), 1);
    EMIT(p, V_SB, F(SrcD), SRC(VU1, SB), F(SrcL), SRC(TO1, UD), F(SrcR), ZERO, F(C), 1, F(L), 1);
}
// 14. 32-bit instructions and JR: a chain of values in t and u, one group at a time
static void b_scalar(struct prog *p)
{
    EMIT(p, V_ADDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(LC0, UH), F(uimm12), 5);
    EMIT(p, ADDTPC, F(RegDst), 30, F(imm20), 0);
    EMIT(p, MUL, F(RegDst), 31, F(SrcL), 24, F(SrcR), 24);
    EMIT(p, ADDI, F(RegDst), 30, F(SrcL), 28, F(uimm12), (int)(p->at + 8 - (CODE & ~0xfff) ) & 0xfff);
    EMIT(p, JR, F(SrcL), 28, F(simm12), 2);
    EMIT(p, ADDI, F(RegDst), 31, F(SrcL), 0, F(uimm12), 99);             // skipped
    EMIT(p, XORI, F(RegDst), 31, F(SrcL), 24, F(simm12), 0x55);
    EMIT(p, V_ADD, F(RegDst), DSTW(D_U, WD), F(SrcL), SRC(RI1, UD), F(SrcR), SRC(LC0, UH), F(shamt), 2);
    EMIT(p, SD, F(SrcD), 24, F(SrcL), 28, F(SrcR), 0, F(SrcRType), 3);
    EMIT(p, V_ADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(T1, UD), F(SrcR), SRC(ZR, UD));
}
// 15. an atomic block: a 64-bit counter pair in one 16-byte window
static void b_window(struct prog *p)
{
    EMIT(p, V_LDI, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(RI1, UD), F(simm24), 0);
    addi(p, DSTW(D_T, WD), SRC(T1, UD), 7);
    EMIT(p, V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI1, UD), F(simm24), 0);
    EMIT(p, V_SDI, F(SrcL), SRC(T1, UD), F(SrcR), SRC(RI1, UD), F(simm24), 1);
}

const struct sample samples[] = {
    {"vpar add", LINX_BSTART_VPAR, {300, 1, 1}, 0, 0, 0, {7, 7}, {0}, {7}, 1, 0, b_add, c_add},
    {"vseq scan", LINX_BSTART_VSEQ, {200, 1, 1}, 0, 0, 0, {6}, {0, 1}, {6, 6}, 2, 0, b_scan, NULL},
    {"mpar copy", LINX_BSTART_MPAR, {300, 1, 1}, 0, 0, 0, {0}, {2}, {7}, 1, 0, b_mem, c_mem},
    {"mseq loop", LINX_BSTART_MSEQ, {150, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 1, b_loop, c_loop},
    {"mpar loop", LINX_BSTART_MPAR, {270, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 1, b_loop, c_loop},
    {"vpar predicate", LINX_BSTART_VPAR, {250, 1, 1}, 0, 0, 0, {6}, {0, 1, 2}, {6, 6, 6}, 3, 0, b_pred, c_pred},
    {"vpar dr", LINX_BSTART_VPAR, {7, 5, 9}, 1, 0, 0, {0}, {0, 1, 2, 3}, {7, 7, 7, 7}, 4, 0, b_dr, c_dr},
    {"vseq dr", LINX_BSTART_VSEQ, {11, 3, 6}, 1, 0, 0, {0}, {0, 1, 2, 3}, {7, 7, 7, 7}, 4, 0, b_dr, c_dr},
    {"vpar md", LINX_BSTART_VPAR, {70, 3, 2}, 0, 0, 0, {0}, {0}, {7}, 1, 2, b_md, c_md},
    {"vpar stack", LINX_BSTART_VPAR, {320, 1, 1}, 0, 0, 0, {7}, {0, 5}, {7, 5}, 2, 0, b_stack, c_stack},
    {"vseq stack", LINX_BSTART_VSEQ, {130, 1, 1}, 0, 0, 0, {7}, {0, 5, 2}, {7, 6, 3}, 3, 0, b_stack, c_stack},
    {"vpar large stack", LINX_BSTART_VPAR, {320, 1, 1}, 0, 0, 0, {7}, {0, 5}, {7, 10}, 2, 0, b_stack, c_stack},
    {"mpar atomics", LINX_BSTART_MPAR, {200, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 0, b_atomic, NULL},
    {"mpar float", LINX_BSTART_MPAR, {200, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 2, b_float, NULL},
    {"mseq float", LINX_BSTART_MSEQ, {150, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 2, b_float, NULL},
    {"mpar gather", LINX_BSTART_MPAR, {200, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 0, b_gather, c_gather},
    {"vseq narrow", LINX_BSTART_VSEQ, {150, 1, 1}, 0, 1, 0, {6}, {0, 1}, {6, 5}, 2, 0, b_narrow, NULL},
    {"mpar scalar", LINX_BSTART_MPAR, {290, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 1, b_scalar, NULL},
    {"mseq scalar", LINX_BSTART_MSEQ, {130, 1, 1}, 0, 0, 0, {0}, {0}, {0}, 0, 1, b_scalar, NULL},
    {"mseq atomic block", LINX_BSTART_MSEQ, {64, 2, 1}, 0, 0, 1, {0}, {0}, {0}, 0, 0, b_window, NULL},
};
const unsigned num_samples = sizeof(samples) / sizeof(samples[0]);
