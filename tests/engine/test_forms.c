// SPDX-License-Identifier: BSD-2-Clause
// Every instruction form of data bodies with hand-computed values, edges included. A form without a row fails.
#include "harness.h"

static bool covered[LINX_NFORMS];
static struct pe *pe;

// Fields beyond the registers: pairs of name and value, ended by -1 or the array's end.
struct row {
    int form;
    uint8_t ta, tb, tc;         // source types
    uint8_t w;                  // destination width
    int f[8];
    struct { uint64_t a, b, c, want; } at[6];
    unsigned n;
};
#define N(...) (sizeof((uint64_t[][4]){__VA_ARGS__}) / 32)
#define R(form, ta, tb, tc, w, fields, ...) {LINX_##form, ta, tb, tc, w, fields, {__VA_ARGS__}, N(__VA_ARGS__)}
#define NOF {-1}
#define F1(n, v) {LINX_F_##n, v, -1}
#define F2(n, v, n2, v2) {LINX_F_##n, v, LINX_F_##n2, v2, -1}
#define F3(n, v, n2, v2, n3, v3) {LINX_F_##n, v, LINX_F_##n2, v2, LINX_F_##n3, v3, -1}

// Vector forms: a = vt#1, b = vu#1, c = vm#1.
static const struct row vec[] = {
    R(V_ADD, SW, SW, 0, WW, NOF, {1, 2, 0, 3}, {0x7fffffff, 1, 0, 0x80000000}, {0xffffffff, 1, 0, 0}),
    R(V_ADD, UW, UW, 0, WW, F2(shamt, 4, SrcRType, 3), {100, 3, 0, 52}, {0, 1, 0, 0xfffffff0}),
    R(V_ADD, SB, UH, 0, WH, NOF, {0x180, 0x10005, 0, 0xff85}, {0x7f, 0xffff, 0, 0x7e}),
    R(V_SUB, SW, SW, 0, WW, NOF, {5, 7, 0, 0xfffffffe}, {0x80000000, 1, 0, 0x7fffffff}),
    R(V_SUB, SW, SW, 0, WW, F2(shamt, 1, SrcRType, 3), {5, 7, 0, 19}),
    R(V_AND, UW, UW, 0, WW, NOF, {0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00}),
    R(V_AND, UW, UW, 0, WW, F1(SrcRType, 3), {0xff00ff00, 0x0ff00ff0, 0, 0xf000f000}),
    R(V_OR, UW, UW, 0, WW, NOF, {0xf0, 0x0f, 0, 0xff}), R(V_OR, UW, UW, 0, WB, F1(SrcRType, 3), {0, 0xf0, 0, 0x0f}),
    R(V_XOR, UW, UW, 0, WW, F1(shamt, 31), {0x80000000, 1, 0, 0}, {0, 3, 0, 0x80000000}),
    R(V_SLL, UW, UW, 0, WW, NOF, {1, 31, 0, 0x80000000}, {1, 32, 0, 0}, {3, 64, 0, 3}, {1, 63, 0, 0}),
    R(V_SRL, UW, UW, 0, WW, NOF, {0x80000000, 31, 0, 1}, {0x80000000, 32, 0, 0}, {5, 64, 0, 5}),
    R(V_SRL, SW, UW, 0, WW, NOF, {0x80000000, 1, 0, 0xc0000000}, {0xffffffff, 33, 0, 0x7fffffff}, {0xffffffff, 63, 0, 1}),
    R(V_SRA, SW, UW, 0, WW, NOF, {0x80000000, 31, 0, 0xffffffff}, {0x80000000, 63, 0, 0xffffffff}, {0x7fffffff, 40, 0, 0}, {9, 1, 0, 4}),
    R(V_SRA, UW, UW, 0, WW, NOF, {0x80000000, 31, 0, 1}, {0xffffffff, 40, 0, 0}),
    R(V_ADDI, UW, 0, 0, WW, F1(uimm12, 4095), {1, 0, 0, 4096}, {0xffffffff, 0, 0, 4094}),
    R(V_SUBI, UW, 0, 0, WW, F1(uimm12, 1), {0, 0, 0, 0xffffffff}),
    R(V_ANDI, SW, 0, 0, WW, F1(simm12, -16), {0x12345678, 0, 0, 0x12345670}),
    R(V_ORI, SW, 0, 0, WW, F1(simm12, -2048), {1, 0, 0, 0xfffff801}),
    R(V_XORI, SW, 0, 0, WW, F1(simm12, -1), {0x0f0f0f0f, 0, 0, 0xf0f0f0f0}),
    R(V_SLLI, UW, 0, 0, WW, F1(shamt, 31), {3, 0, 0, 0x80000000}), R(V_SLLI, UW, 0, 0, WW, F1(shamt, 40), {3, 0, 0, 0}),
    R(V_SRLI, UW, 0, 0, WW, F1(shamt, 4), {0x80000001, 0, 0, 0x08000000}),
    R(V_SRLI, SW, 0, 0, WW, F1(shamt, 36), {0x80000000, 0, 0, 0x0fffffff}),
    R(V_SRAI, SH, 0, 0, WW, F1(shamt, 8), {0x8000, 0, 0, 0xffffff80}, {0x7fff, 0, 0, 0x7f}),
    R(V_MUL, SW, SW, 0, WW, NOF, {0xffffffff, 5, 0, 0xfffffffb}, {0x10000, 0x10000, 0, 0}),
    R(V_MADD, SW, SW, SW, WW, NOF, {3, 4, 5, 17}, {0xffffffff, 2, 1, 0xffffffff}),
    R(V_DIV, SW, SW, 0, WW, NOF, {7, 0xfffffffe, 0, 0xfffffffd}, {7, 0, 0, 0xffffffff}, {0x80000000, 0xffffffff, 0, 0x80000000}),
    R(V_DIV, UW, UW, 0, WW, NOF, {0xfffffffe, 2, 0, 0x7fffffff}, {1, 0, 0, 0xffffffff}),
    R(V_REM, SW, SW, 0, WW, NOF, {0xfffffff9, 2, 0, 0xffffffff}, {7, 0, 0, 7}, {0x80000000, 0xffffffff, 0, 0}),
    R(V_REM, UW, UW, 0, WW, NOF, {0xffffffff, 16, 0, 15}, {9, 0, 0, 9}),
    R(V_MAX, SW, SW, 0, WW, NOF, {0xffffffff, 1, 0, 1}, {0x80000000, 0x7fffffff, 0, 0x7fffffff}),
    R(V_MAX, UW, UW, 0, WW, NOF, {0xffffffff, 1, 0, 0xffffffff}), R(V_MAX, UW, SW, 0, WW, NOF, {0xffffffff, 0xffffffff, 0, 0xffffffff}, {5, 0xffffffff, 0, 5}),
    R(V_MIN, SW, SW, 0, WW, NOF, {0xffffffff, 1, 0, 0xffffffff}), R(V_MIN, UH, UH, 0, WW, NOF, {0x1ffff, 1, 0, 1}),
    R(V_CMP_EQ, SW, SW, 0, WW, NOF, {1, 1, 0, 1}, {1, 2, 0, 0}), R(V_CMP_EQ, SB, UB, 0, WW, NOF, {0xff, 0xff, 0, 0}, {0x7f, 0x7f, 0, 1}),
    R(V_CMP_NE, UW, UW, 0, WB, NOF, {1, 1, 0, 0}, {1, 2, 0, 1}),
    R(V_CMP_AND, UW, UW, 0, WW, NOF, {6, 1, 0, 0}, {6, 4, 0, 1}), R(V_CMP_OR, UW, UW, 0, WW, NOF, {0, 0, 0, 0}, {0, 4, 0, 1}),
    R(V_CMP_LT, SW, SW, 0, WW, NOF, {0xffffffff, 0, 0, 1}, {0, 0, 0, 0}), R(V_CMP_LT, UW, UW, 0, WW, NOF, {0xffffffff, 0, 0, 0}, {1, 0xffffffff, 0, 1}),
    R(V_CMP_LT, SW, UW, 0, WW, NOF, {0xffffffff, 0xffffffff, 0, 1}, {5, 0x80000000, 0, 1}),
    R(V_CMP_GE, SW, SW, 0, WW, NOF, {0xffffffff, 0, 0, 0}, {0, 0, 0, 1}), R(V_CMP_GE, UW, UW, 0, WW, NOF, {0x80000000, 1, 0, 1}),
    R(V_CMP_LTU, UW, UW, 0, WW, NOF, {1, 0xffffffff, 0, 1}, {0xffffffff, 1, 0, 0}), R(V_CMP_LTU, SW, SW, 0, WW, NOF, {1, 0xffffffff, 0, 1}),
    R(V_CMP_GEU, UW, UW, 0, WW, NOF, {1, 0xffffffff, 0, 0}, {7, 7, 0, 1}), R(V_CMP_GEU, SW, UW, 0, WW, NOF, {0xffffffff, 0xffffffff, 0, 1}),
    R(V_CMP_EQI, SW, 0, 0, WW, F1(simm12, -1), {0xffffffff, 0, 0, 1}, {1, 0, 0, 0}), R(V_CMP_EQI, UW, 0, 0, WW, F1(simm12, -1), {0xffffffff, 0, 0, 0}),
    R(V_CMP_NEI, SW, 0, 0, WW, F1(simm12, 5), {5, 0, 0, 0}, {6, 0, 0, 1}),
    R(V_CMP_ANDI, SW, 0, 0, WW, F1(simm12, 12), {3, 0, 0, 0}, {8, 0, 0, 1}), R(V_CMP_ORI, SW, 0, 0, WW, F1(simm12, 0), {0, 0, 0, 0}, {8, 0, 0, 1}),
    R(V_CMP_LTI, SW, 0, 0, WW, F1(simm12, -5), {0xfffffffa, 0, 0, 1}, {0, 0, 0, 0}), R(V_CMP_GEI, SW, 0, 0, WW, F1(simm12, -5), {0xfffffffb, 0, 0, 1}, {0xfffffffa, 0, 0, 0}),
    R(V_CMP_LTUI, UW, 0, 0, WW, F1(uimm12, 4095), {4094, 0, 0, 1}, {4095, 0, 0, 0}), R(V_CMP_GEUI, UW, 0, 0, WW, F1(uimm12, 4095), {4094, 0, 0, 0}, {0xffffffff, 0, 0, 1}),
    R(V_CSEL, SW, SW, SW, WW, NOF, {11, 22, 1, 11}, {11, 22, 0, 22}, {11, 22, 0x80000000, 11}),
    R(V_CSEL, SW, SW, UB, WW, F1(SrcRType, 3), {11, 22, 0x100, 0xffffffea}, {11, 22, 1, 11}),
    R(V_BXU, UW, 0, 0, WW, F2(imms, 4, imml, 7), {0x12345678, 0, 0, 0x67}), R(V_BXU, UW, 0, 0, WW, F2(imms, 28, imml, 7), {0x12345678, 0, 0, 0x81}),
    R(V_BXS, UW, 0, 0, WW, F2(imms, 4, imml, 3), {0x000000f0, 0, 0, 0xffffffff}, {0x70, 0, 0, 7}), R(V_BXS, UB, 0, 0, WW, F2(imms, 6, imml, 3), {0x82, 0, 0, 0xfffffffa}),
    R(V_BIC, UW, 0, 0, WW, F2(imms, 8, imml, 7), {0xffffffff, 0, 0, 0xffff00ff}), R(V_BIC, UW, 0, 0, WW, F2(imms, 30, imml, 3), {0xffffffff, 0, 0, 0x3ffffffc}),
    R(V_BIS, UW, 0, 0, WW, F2(imms, 0, imml, 31), {0, 0, 0, 0xffffffff}), R(V_BIS, UW, 0, 0, WW, F2(imms, 31, imml, 1), {0, 0, 0, 0x80000001}),
    R(V_CLZ, UW, 0, 0, WW, F2(imms, 0, imml, 31), {1, 0, 0, 31}, {0, 0, 0, 32}, {0x80000000, 0, 0, 0}), R(V_CLZ, UW, 0, 0, WW, F2(imms, 8, imml, 7), {0x1000, 0, 0, 3}),
    R(V_CTZ, UW, 0, 0, WW, F2(imms, 0, imml, 31), {0x80000000, 0, 0, 31}, {0, 0, 0, 32}), R(V_CTZ, UH, 0, 0, WW, F2(imms, 12, imml, 7), {0x0008, 0, 0, 7}),
    R(V_BCNT, UW, 0, 0, WW, F2(imms, 0, imml, 31), {0xffffffff, 0, 0, 32}, {0x11, 0, 0, 2}), R(V_BCNT, UW, 0, 0, WW, F2(imms, 4, imml, 3), {0xff, 0, 0, 4}),
    R(V_REV, UW, 0, 0, WW, F2(immr, 31, imml, 8), {0x12345678, 0, 0, 0x78563412}), R(V_REV, UW, 0, 0, WW, F2(immr, 31, imml, 1), {1, 0, 0, 0x80000000}),
    R(V_REV, UW, 0, 0, WW, F2(immr, 15, imml, 8), {0x12345678, 0, 0, 0x34127856}),
    R(V_ICVT, SW, 0, 0, WW, F2(SrcType, SB, DstType, SW), {0x180, 0, 0, 0xffffff80}), R(V_ICVT, SW, 0, 0, WH, F2(SrcType, SW, DstType, UH), {0xffff8001, 0, 0, 0x8001}),
    R(V_ICVT, UW, 0, 0, WW, F2(SrcType, UW, DstType, SB), {0x80, 0, 0, 0xffffff80}),
    // floating point: 0x3f800000 = 1.0, 0x40000000 = 2.0, 0x40400000 = 3.0, 0x7fc00000 the canonical NaN
    R(V_FADD, 1, 1, 0, WW, NOF, {0x3f800000, 0x40000000, 0, 0x40400000}, {0x7f800000, 0xff800000, 0, 0x7fc00000}, {0x80000000, 0, 0, 0}),
    R(V_FADD, 2, 2, 0, WH, NOF, {0x3c00, 0x4000, 0, 0x4200}, {0x7bff, 0x7bff, 0, 0x7c00}), R(V_FADD, 6, 6, 0, WH, NOF, {0x3f80, 0x3f80, 0, 0x4000}),
    R(V_FSUB, 1, 1, 0, WW, NOF, {0x3f800000, 0x40000000, 0, 0xbf800000}, {0x3f800000, 0x3f800000, 0, 0}),
    R(V_FMUL, 1, 1, 0, WW, NOF, {0x40000000, 0x40400000, 0, 0x40c00000}, {0, 0x7f800000, 0, 0x7fc00000}, {1, 0x3f000000, 0, 0}),
    R(V_FDIV, 1, 1, 0, WW, NOF, {0x3f800000, 0x40400000, 0, 0x3eaaaaab}, {0x3f800000, 0x80000000, 0, 0xff800000}, {0, 0, 0, 0x7fc00000}),
    R(V_FMAX, 1, 1, 0, WW, NOF, {0x80000000, 0, 0, 0}, {0x7fc00000, 0x3f800000, 0, 0x3f800000}, {0x7fc00000, 0x7fc00000, 0, 0x7fc00000}),
    R(V_FMIN, 1, 1, 0, WW, NOF, {0x80000000, 0, 0, 0x80000000}, {0x3f800000, 0x7fa00000, 0, 0x3f800000}),
    R(V_FEQ, 1, 1, 0, WW, NOF, {0x80000000, 0, 0, 1}, {0x7fc00000, 0x7fc00000, 0, 0}), R(V_FNE, 1, 1, 0, WW, NOF, {0x3f800000, 0, 0, 1}, {0x7fc00000, 0, 0, 0}),
    R(V_FLT, 1, 1, 0, WW, NOF, {0xbf800000, 0, 0, 1}, {0, 0x80000000, 0, 0}), R(V_FGE, 1, 1, 0, WW, NOF, {0, 0x80000000, 0, 1}, {0x7fc00000, 0, 0, 0}),
    R(V_FEQS, 1, 1, 0, WW, NOF, {0x3f800000, 0x3f800000, 0, 1}), R(V_FNES, 1, 1, 0, WW, NOF, {0x3f800000, 0x3f800000, 0, 0}),
    R(V_FLTS, 1, 1, 0, WW, NOF, {0x3f800000, 0x40000000, 0, 1}), R(V_FGES, 1, 1, 0, WW, NOF, {0x3f800000, 0x40000000, 0, 0}),
    R(V_FMADD, 1, 1, 1, WW, NOF, {0x40000000, 0x40400000, 0x3f800000, 0x40e00000}, {0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}),
    R(V_FMSUB, 1, 1, 1, WW, NOF, {0x40000000, 0x40400000, 0x3f800000, 0x40a00000}), R(V_FNMADD, 1, 1, 1, WW, NOF, {0x40000000, 0x40400000, 0x3f800000, 0xc0e00000}),
    R(V_FNMSUB, 1, 1, 1, WW, NOF, {0x40000000, 0x40400000, 0x3f800000, 0xc0a00000}),
    R(V_FABS, 1, 0, 0, WW, NOF, {0xbf800000, 0, 0, 0x3f800000}, {0x80000000, 0, 0, 0}), R(V_FSQRT, 1, 0, 0, WW, NOF, {0x40800000, 0, 0, 0x40000000}, {0xbf800000, 0, 0, 0x7fc00000}),
    R(V_FRECIP, 1, 0, 0, WW, NOF, {0x40800000, 0, 0, 0x3e800000}, {0x80000000, 0, 0, 0xff800000}), R(V_FEXP, 1, 0, 0, WW, NOF, {0, 0, 0, 0x3f800000}, {0x3f800000, 0, 0, 0x402df854}),
    R(V_FCLASS, 1, 0, 0, WW, NOF, {0x7fa00000, 0, 0, 1}, {0x7fc00000, 0, 0, 2}, {0x00000000, 0, 0, 512}, {0x3f800000, 0, 0, 128}, {0xff800000, 0, 0, 4}, {0x80000001, 0, 0, 16}),
    R(V_FCVT, 1, 0, 0, WH, F2(SrcType, 1, DstType, 2), {0x3f800000, 0, 0, 0x3c00}, {0x47800000, 0, 0, 0x7c00}), R(V_FCVT, 2, 0, 0, WW, F2(SrcType, 2, DstType, 1), {0x3c00, 0, 0, 0x3f800000}),
    R(V_FCVT, 1, 0, 0, WH, F2(SrcType, 1, DstType, 6), {0x3f808000, 0, 0, 0x3f80}, {0x3f818000, 0, 0, 0x3f82}),
    R(V_FCVTI, 1, 0, 0, WW, F2(SrcType, 1, DstType, SW), {0xbfc00000, 0, 0, 0xffffffff}, {0x7fc00000, 0, 0, 0}, {0x4f000000, 0, 0, 0x7fffffff}),
    R(V_FCVTI, 1, 0, 0, WB, F2(SrcType, 1, DstType, UB), {0x43c80000, 0, 0, 255}, {0xbf800000, 0, 0, 0}, {0x40200000, 0, 0, 2}),
    R(V_ICVTF, SW, 0, 0, WW, F2(SrcType, SW, DstType, 1), {0xffffffff, 0, 0, 0xbf800000}, {0x01000001, 0, 0, 0x4b800000}), R(V_ICVTF, UW, 0, 0, WH, F2(SrcType, UB, DstType, 2), {0x1ff, 0, 0, 0x5bf8}),
};

// 64-bit forms on scalars (l-forms): a = ri0, b = ri1, c = ri2, result in t (.d).
static const struct row lform[] = {
    R(V_ADD, UD, SW, 0, WD, F1(shamt, 2), {1, 0xffffffff, 0, 0xfffffffffffffffd}, {~0ull, 1, 0, 3}), R(V_SUB, UD, UD, 0, WD, NOF, {0, 1, 0, ~0ull}),
    R(V_AND, UD, UD, 0, WD, F1(SrcRType, 3), {~0ull, 0xff, 0, ~0xffull}), R(V_OR, UD, UB, 0, WD, NOF, {1ull << 63, 0x1ff, 0, 1ull << 63 | 0xff}), R(V_XOR, UD, UD, 0, WW, NOF, {~0ull, 1, 0, 0xfffffffe}),
    R(V_SLL, UD, UD, 0, WD, NOF, {1, 63, 0, 1ull << 63}, {1, 64, 0, 1}), R(V_SRL, UD, UD, 0, WD, NOF, {1ull << 63, 63, 0, 1}), R(V_SRA, SD, UD, 0, WD, NOF, {1ull << 63, 62, 0, ~1ull}),
    R(V_MUL, UD, UD, 0, WD, NOF, {1ull << 32, 1ull << 32, 0, 0}, {~0ull, ~0ull, 0, 1}), R(V_MADD, SD, SD, SD, WD, NOF, {~0ull, 7, 3, ~3ull}),
    R(V_DIV, SD, SD, 0, WD, NOF, {1ull << 63, ~0ull, 0, 1ull << 63}, {9, 0, 0, ~0ull}), R(V_DIV, UD, UD, 0, WD, NOF, {~0ull, 2, 0, ~0ull >> 1}), R(V_REM, SD, SD, 0, WD, NOF, {-7ull, 4, 0, -3ull}, {5, 0, 0, 5}),
    R(V_MAX, SD, SD, 0, WD, NOF, {~0ull, 1, 0, 1}), R(V_MIN, UD, UD, 0, WD, NOF, {~0ull, 1, 0, 1}), R(V_CMP_LT, SD, SD, 0, WD, NOF, {~0ull, 0, 0, 1}), R(V_CMP_LTU, UD, UD, 0, WD, NOF, {~0ull, 0, 0, 0}),
    R(V_CSEL, UD, UD, UD, WD, F1(SrcRType, 3), {1, 2, 0, -2ull}, {1, 2, 1ull << 40, 1}), R(V_PSEL, UD, UD, UD, WD, NOF, {5, 6, 1, 5}, {5, 6, 2, 6}),
    R(V_BXU, UD, 0, 0, WD, F2(imms, 60, imml, 7), {0xf00000000000000aull, 0, 0, 0xaf}), R(V_CLZ, UD, 0, 0, WD, F2(imms, 0, imml, 63), {1, 0, 0, 63}, {0, 0, 0, 64}), R(V_REV, UD, 0, 0, WD, F2(immr, 63, imml, 8), {0x0102030405060708ull, 0, 0, 0x0807060504030201ull}),
    R(V_FADD, 0, 0, 0, WD, NOF, {0x3ff0000000000000, 0x4000000000000000, 0, 0x4008000000000000}), R(V_FSQRT, 0, 0, 0, WD, NOF, {0x4010000000000000, 0, 0, 0x4000000000000000}), R(V_FLT, 0, 0, 0, WD, NOF, {0, 0x3ff0000000000000, 0, 1}),
    R(V_FCVT, 0, 0, 0, WW, F2(SrcType, 0, DstType, 1), {0x3ff0000000000000, 0, 0, 0x3f800000}), R(V_FCVTI, 0, 0, 0, WD, F2(SrcType, 0, DstType, SD), {0xc000000000000000, 0, 0, -2ull}), R(V_ICVTF, SD, 0, 0, WD, F2(SrcType, SD, DstType, 0), {-1ull, 0, 0, 0xbff0000000000000}),
    R(V_ICVT, UD, 0, 0, WD, F2(SrcType, UD, DstType, SW), {0x80000000, 0, 0, 0xffffffff80000000}), R(V_ADDI, UD, 0, 0, WD, F1(uimm12, 4095), {~0ull, 0, 0, 4094}), R(V_SLLI, UD, 0, 0, WD, F1(shamt, 63), {1, 0, 0, 1ull << 63}),
};

// 32-bit forms: SrcL = t#1, SrcR = u#1, third = u#2, result in t.
static const struct row scalar[] = {
    R(ADD, 0, 0, 0, 0, F1(SrcRType, 3), {1, ~0ull, 0, 0}), R(ADD, 0, 0, 0, 0, F2(SrcRType, 0, shamt, 1), {0, 0x80000000, 0, 0xffffffff00000000}), R(ADD, 0, 0, 0, 0, F1(SrcRType, 1), {0, 0xffffffff80000000, 0, 0x80000000}),
    R(ADD, 0, 0, 0, 0, F1(SrcRType, 2), {5, 7, 0, -2ull}), R(SUB, 0, 0, 0, 0, F1(SrcRType, 3), {1, 2, 0, ~0ull}), R(AND, 0, 0, 0, 0, F1(SrcRType, 2), {0xff, 0x0f, 0, 0xf0}), R(OR, 0, 0, 0, 0, F1(SrcRType, 3), {1, 2, 0, 3}), R(XOR, 0, 0, 0, 0, F1(SrcRType, 3), {3, 1, 0, 2}),
    R(SLL, 0, 0, 0, 0, NOF, {1, 65, 0, 2}), R(SRL, 0, 0, 0, 0, NOF, {1ull << 63, 63, 0, 1}), R(SRA, 0, 0, 0, 0, NOF, {1ull << 63, 63, 0, ~0ull}), R(ADDI, 0, 0, 0, 0, F1(uimm12, 4095), {1, 0, 0, 4096}), R(SUBI, 0, 0, 0, 0, F1(uimm12, 1), {0, 0, 0, ~0ull}),
    R(ANDI, 0, 0, 0, 0, F1(simm12, -1), {7, 0, 0, 7}), R(ORI, 0, 0, 0, 0, F1(simm12, -1), {7, 0, 0, ~0ull}), R(XORI, 0, 0, 0, 0, F1(simm12, 5), {7, 0, 0, 2}), R(SLLI, 0, 0, 0, 0, F1(shamt, 32), {1, 0, 0, 1ull << 32}), R(SRLI, 0, 0, 0, 0, F1(shamt, 63), {~0ull, 0, 0, 1}), R(SRAI, 0, 0, 0, 0, F1(shamt, 1), {-3ull, 0, 0, -2ull}),
    R(LUI, 0, 0, 0, 0, F1(imm20, -1), {0, 0, 0, 0xfffffffffffff000}), R(ADDTPC, 0, 0, 0, 0, F1(imm20, 1), {0, 0, 0, (CODE & ~0xfffull) + 0x1000}),
    R(ADDW, 0, 0, 0, 0, F1(SrcRType, 3), {0x7fffffff, 1, 0, 0xffffffff80000000}), R(SUBW, 0, 0, 0, 0, F1(SrcRType, 3), {0, 1, 0, ~0ull}), R(ANDW, 0, 0, 0, 0, F1(SrcRType, 3), {0x1ffffffff, 0x180000000, 0, 0xffffffff80000000}), R(ORW, 0, 0, 0, 0, F1(SrcRType, 3), {1, 0x100000000, 0, 1}), R(XORW, 0, 0, 0, 0, F1(SrcRType, 3), {0xffffffff, 1, 0, -2ull}),
    R(SLLW, 0, 0, 0, 0, NOF, {1, 31, 0, 0xffffffff80000000}, {1, 33, 0, 2}), R(SRLW, 0, 0, 0, 0, NOF, {0xffffffff80000000, 31, 0, 1}, {0x80000000, 0, 0, 0xffffffff80000000}), R(SRAW, 0, 0, 0, 0, NOF, {0x80000000, 31, 0, ~0ull}),
    R(ADDIW, 0, 0, 0, 0, F1(uimm12, 1), {0x7fffffff, 0, 0, 0xffffffff80000000}), R(SUBIW, 0, 0, 0, 0, F1(uimm12, 1), {0, 0, 0, ~0ull}), R(ANDIW, 0, 0, 0, 0, F1(simm12, -1), {0x180000000, 0, 0, 0xffffffff80000000}), R(ORIW, 0, 0, 0, 0, F1(simm12, 1), {0, 0, 0, 1}), R(XORIW, 0, 0, 0, 0, F1(simm12, -1), {0, 0, 0, ~0ull}),
    R(SLLIW, 0, 0, 0, 0, F1(shamt, 31), {1, 0, 0, 0xffffffff80000000}), R(SRLIW, 0, 0, 0, 0, F1(shamt, 1), {0xffffffffffffffff, 0, 0, 0x7fffffff}), R(SRAIW, 0, 0, 0, 0, F1(shamt, 1), {0x80000000, 0, 0, 0xffffffffc0000000}),
    R(CMP_EQ, 0, 0, 0, 0, F1(SrcRType, 3), {5, 5, 0, 1}), R(CMP_NE, 0, 0, 0, 0, F1(SrcRType, 3), {5, 5, 0, 0}), R(CMP_AND, 0, 0, 0, 0, F1(SrcRType, 3), {6, 1, 0, 0}), R(CMP_OR, 0, 0, 0, 0, F1(SrcRType, 3), {0, 1, 0, 1}), R(CMP_LT, 0, 0, 0, 0, F1(SrcRType, 3), {~0ull, 0, 0, 1}), R(CMP_GE, 0, 0, 0, 0, F1(SrcRType, 3), {~0ull, 0, 0, 0}), R(CMP_LTU, 0, 0, 0, 0, F1(SrcRType, 3), {~0ull, 0, 0, 0}), R(CMP_GEU, 0, 0, 0, 0, F1(SrcRType, 3), {~0ull, 0, 0, 1}),
    R(CMP_EQI, 0, 0, 0, 0, F1(simm12, -1), {~0ull, 0, 0, 1}), R(CMP_NEI, 0, 0, 0, 0, F1(simm12, 0), {1, 0, 0, 1}), R(CMP_ANDI, 0, 0, 0, 0, F1(simm12, 2), {1, 0, 0, 0}), R(CMP_ORI, 0, 0, 0, 0, F1(simm12, 2), {0, 0, 0, 1}), R(CMP_LTI, 0, 0, 0, 0, F1(simm12, 0), {~0ull, 0, 0, 1}), R(CMP_GEI, 0, 0, 0, 0, F1(simm12, 0), {0, 0, 0, 1}), R(CMP_LTUI, 0, 0, 0, 0, F1(uimm12, 4095), {4095, 0, 0, 0}), R(CMP_GEUI, 0, 0, 0, 0, F1(uimm12, 1), {~0ull, 0, 0, 1}),
    R(MUL, 0, 0, 0, 0, NOF, {-3ull, 5, 0, -15ull}), R(MULU, 0, 0, 0, 0, NOF, {1ull << 33, 1ull << 31, 0, 0}), R(MULW, 0, 0, 0, 0, NOF, {0x10000, 0x8000, 0, 0xffffffff80000000}), R(MULUW, 0, 0, 0, 0, NOF, {0x10000, 0x8000, 0, 0x80000000}), R(MADD, 0, 0, 0, 0, NOF, {3, 4, 5, 17}), R(MADDW, 0, 0, 0, 0, NOF, {0x7fffffff, 1, 1, 0xffffffff80000000}),
    R(DIV, 0, 0, 0, 0, NOF, {-7ull, 2, 0, -3ull}, {1, 0, 0, ~0ull}, {1ull << 63, ~0ull, 0, 1ull << 63}), R(DIVU, 0, 0, 0, 0, NOF, {~0ull, 2, 0, ~0ull >> 1}), R(DIVW, 0, 0, 0, 0, NOF, {0x180000000, 0xffffffff, 0, 0xffffffff80000000}), R(DIVUW, 0, 0, 0, 0, NOF, {0x1fffffffe, 1, 0, -2ull}, {4, 0x100000000, 0, ~0ull}),
    R(REM, 0, 0, 0, 0, NOF, {-7ull, 2, 0, ~0ull}, {7, 0, 0, 7}), R(REMU, 0, 0, 0, 0, NOF, {~0ull, 16, 0, 15}), R(REMW, 0, 0, 0, 0, NOF, {0x80000000, 0xffffffff, 0, 0}, {0xfffffff9, 2, 0, ~0ull}), R(REMUW, 0, 0, 0, 0, NOF, {0x80000001, 0, 0, 0xffffffff80000001}),
    R(MAX, 0, 0, 0, 0, NOF, {~0ull, 1, 0, 1}), R(MIN, 0, 0, 0, 0, NOF, {~0ull, 1, 0, ~0ull}), R(MAXU, 0, 0, 0, 0, NOF, {~0ull, 1, 0, ~0ull}), R(MINU, 0, 0, 0, 0, NOF, {~0ull, 1, 0, 1}),
    R(BXS, 0, 0, 0, 0, F2(imms, 4, imml, 3), {0x80, 0, 0, -8ull}), R(BXU, 0, 0, 0, 0, F2(imms, 0, imml, 31), {~0ull, 0, 0, 0xffffffff}), R(BIC, 0, 0, 0, 0, F2(imms, 62, imml, 3), {~0ull, 0, 0, 0x3ffffffffffffffc}), R(BIS, 0, 0, 0, 0, F2(imms, 8, imml, 7), {0, 0, 0, 0xff00}),
    R(CTZ, 0, 0, 0, 0, F2(imms, 0, imml, 63), {8, 0, 0, 3}, {0, 0, 0, 64}), R(CLZ, 0, 0, 0, 0, F2(imms, 0, imml, 31), {1, 0, 0, 31}), R(BCNT, 0, 0, 0, 0, F2(imms, 0, imml, 63), {~0ull, 0, 0, 64}), R(REV, 0, 0, 0, 0, F2(immr, 63, imml, 8), {1, 0, 0, 1ull << 56}),
    R(CSEL, 0, 0, 0, 0, F1(SrcRType, 3), {11, 22, 1, 22}, {11, 22, 0, 11}), R(CSEL, 0, 0, 0, 0, F1(SrcRType, 2), {11, 22, 1, -22ull}),
};

static int field_of(int form, int name) { return linx_find_field((enum linx_form)form, (enum linx_field_name)name); }
static uint64_t put(int form, uint64_t w, int name, int64_t v)
{
    int i = field_of(form, name);
    return i < 0 ? w : linx_field_put(&linx_forms[form].field[i], w, v);
}
static int third(int form)
{
    static const int names[] = {LINX_F_SrcD, LINX_F_SrcP, LINX_F_SrcA, LINX_F_SrcZero};
    for (int i = 0; i < 4; i++)
        if (field_of(form, names[i]) >= 0)
            return names[i];
    return LINX_F_SrcD;
}
static uint64_t encode(const struct row *r, unsigned a, unsigned b, unsigned c, unsigned dst)
{
    uint64_t w = linx_forms[r->form].match;
    w = put(r->form, w, LINX_F_SrcL, a);
    w = put(r->form, w, LINX_F_SrcR, b);
    w = put(r->form, w, third(r->form), c);
    w = put(r->form, w, LINX_F_RegDst, dst);
    for (int i = 0; i < 8 && r->f[i] >= 0; i += 2)
        w = put(r->form, w, r->f[i], r->f[i + 1]);
    return w;
}

// Starts a block whose body is `word`; the caller fills group 0 and then runs.
static struct engine *begin(int start_form, uint64_t word, unsigned lb0)
{
    struct prog p;
    prog_start(&p, CODE);
    emit(&p, word);
    emit_stop(&p);
    struct block_header h = header(start_form, CODE, lb0, 1, 1);
    for (unsigned i = 0; i < 12; i++)
        add_ri(&h, 0);
    add_ro(&h, 20);
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    return pe->engine;
}
static enum exec_status finish(void)
{
    uint64_t done, tpc;
    unsigned group;
    return engine_run(pe, 1000, &done, &tpc, &group);
}

static void run_vec(const struct row *r)
{
    const char *id = linx_forms[r->form].id;
    // lane 5 is masked off by P, lanes 60.. lie outside the iteration space
    struct engine *e = begin(LINX_BSTART_VPAR, encode(r, SRC(VT1, r->ta), SRC(VU1, r->tb), SRC(VM1, r->tc), DSTW(D_VN, r->w)), 60);
    struct group *g = &e->group[0];
    g->p &= ~(1ull << 5);
    for (unsigned i = 0; i < LANES; i++) {
        vec_src(g, VT, 1)[i] = (uint32_t)r->at[i % r->n].a;
        vec_src(g, VU, 1)[i] = (uint32_t)r->at[i % r->n].b;
        vec_src(g, VM, 1)[i] = (uint32_t)r->at[i % r->n].c;
    }
    enum exec_status st = finish();
    CHECK(st == EXEC_BLOCK_DONE, "%s: trap %u/%u %s", id, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    for (unsigned i = 0; i < LANES && st == EXEC_BLOCK_DONE; i++) {
        uint64_t want = i == 5 || i >= 60 ? 0 : r->at[i % r->n].want, got = vec_src(g, VN, 1)[i];
        CHECK(got == want, "%s case %u lane %u: got 0x%" PRIx64 ", want 0x%" PRIx64, id, i % r->n, i, got, want);
    }
    // The oldest entry may be a source of the push that overwrites it.
    e = begin(LINX_BSTART_VPAR, encode(r, SRC(VN4, r->ta), SRC(VN4, r->tb), SRC(VN4, r->tc), DSTW(D_VN, r->w)), 64);
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VN, 4)[i] = (uint32_t)r->at[i % r->n].a;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "#4 as source");
    uint32_t same[LANES];
    memcpy(same, vec_src(g, VN, 1), sizeof(same));
    e = begin(LINX_BSTART_VPAR, encode(r, SRC(VN3, r->ta), SRC(VN3, r->tb), SRC(VN3, r->tc), DSTW(D_VN, r->w)), 64);
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VN, 3)[i] = (uint32_t)r->at[i % r->n].a;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "#3 as source");
    CHECK(!memcmp(same, vec_src(&e->group[0], VN, 1), sizeof(same)), "%s: #4 and #3 as source differ", id);
    covered[r->form] = true;
}

static void run_lform(const struct row *r)
{
    for (unsigned k = 0; k < r->n; k++) {
        struct engine *e = begin(LINX_BSTART_VSEQ, encode(r, SRC(RI0, r->ta), SRC(RI1, r->tb), SRC(RI2, r->tc), DSTW(D_T, r->w)), 64);
        e->ri[0] = r->at[k].a;
        e->ri[1] = r->at[k].b;
        e->ri[2] = r->at[k].c;
        e->group[0].p = 0;              // l-forms ignore P
        enum exec_status st = finish();
        CHECK(st == EXEC_BLOCK_DONE, "%s: trap %u/%u %s", linx_forms[r->form].id, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
        CHECK(e->group[0].t[0] == r->at[k].want, "%s (l) case %u: got 0x%" PRIx64 ", want 0x%" PRIx64, linx_forms[r->form].id, k, e->group[0].t[0], r->at[k].want);
    }
    covered[r->form] = true;
}

static void run_scalar(const struct row *r)
{
    for (unsigned k = 0; k < r->n; k++) {
        struct engine *e = begin(LINX_BSTART_VPAR, encode(r, 24, 28, 29, 31), 64);
        e->group[0].t[0] = r->at[k].a;
        e->group[0].u[0] = r->at[k].b;
        e->group[0].u[1] = r->at[k].c;
        enum exec_status st = finish();
        CHECK(st == EXEC_BLOCK_DONE, "%s: trap %u/%u %s", linx_forms[r->form].id, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
        CHECK(e->group[0].t[0] == r->at[k].want, "%s case %u: got 0x%" PRIx64 ", want 0x%" PRIx64, linx_forms[r->form].id, k, e->group[0].t[0], r->at[k].want);
    }
    covered[r->form] = true;
}

// ---- shuffles ---------------------------------------------------------------------------------------------------
static void shuffle(int form, unsigned range, int arg)
{
    uint64_t w = linx_forms[form].match;
    w = put(form, w, LINX_F_SrcL, SRC(VT1, UW));
    w = put(form, w, LINX_F_SrcR, SRC(RI0, UW));
    w = put(form, w, LINX_F_SrcP, SRC(RI1, UW));
    w = put(form, w, LINX_F_imm, arg);
    w = put(form, w, LINX_F_RegDst, DSTW(D_VU, WW));
    struct engine *e = begin(LINX_BSTART_VPAR, w, 64);
    struct group *g = &e->group[0];
    e->ri[0] = range;
    e->ri[1] = (uint64_t)arg;
    g->p = 0xffffffff0000ffff;
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VT, 1)[i] = 1000 + i;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "shuffle");
    unsigned n = range ? range : 64, k = (unsigned)arg % n;
    bool masked = form == LINX_V_SHFL_BFLY;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned from = i;
        switch (form) {
        case LINX_V_SHFL_UP: case LINX_V_SHFLI_UP: from = i % n >= k ? i - k : i; break;
        case LINX_V_SHFL_DOWN: case LINX_V_SHFLI_DOWN: from = i % n + k < n ? i + k : i; break;
        case LINX_V_SHFL_IDX: case LINX_V_SHFLI_IDX: from = i / n * n + k; break;
        default: from = i ^ (unsigned)arg; break;
        }
        if (from >= LANES)
            from = i;
        uint32_t want_v = masked && !(0xffffffff0000ffff >> i & 1) ? 0 : 1000 + from;
        CHECK(vec_src(g, VU, 1)[i] == want_v, "%s range %u arg %d lane %u: got %u want %u", linx_forms[form].id, range, arg, i, vec_src(g, VU, 1)[i], want_v);
    }
    covered[form] = true;
}

static void test_shuffles(void)
{
    static const int forms[] = {LINX_V_SHFL_UP, LINX_V_SHFL_DOWN, LINX_V_SHFL_IDX, LINX_V_SHFL_BFLY, LINX_V_SHFLI_UP, LINX_V_SHFLI_DOWN, LINX_V_SHFLI_IDX, LINX_V_SHFLI_BFLY};
    for (unsigned f = 0; f < 8; f++) {
        shuffle(forms[f], 0, 1);
        shuffle(forms[f], 8, 3);
        shuffle(forms[f], 16, 17);
        shuffle(forms[f], 48, 40);
        shuffle(forms[f], 0, 64);
    }
    test_end("shuffles");
}

// ---- reductions: lanes hold 10, -3, 10, -3 ... ; lane 1 off ---------------------------------------------------------
static void reduce(int form, unsigned type, uint32_t even, uint32_t odd, uint64_t p, unsigned dst, uint64_t ro, uint64_t want)
{
    uint64_t w = put(form, linx_forms[form].match, LINX_F_SrcL, SRC(VT1, type));
    w = put(form, w, LINX_F_RegDst, DSTW(dst, WD));
    pe->r[20] = ro;
    struct engine *e = begin(LINX_BSTART_VPAR, w, 64);
    struct group *g = &e->group[0];
    g->p = p;
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VT, 1)[i] = i & 1 ? odd : even;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "reduce");
    uint64_t got = dst == D_T ? g->t[0] : dst == D_U ? g->u[0] : pe->r[20];
    CHECK(got == want, "%s: got 0x%" PRIx64 ", want 0x%" PRIx64, linx_forms[form].id, got, want);
    covered[form] = true;
}
static void test_reductions(void)
{
    uint64_t all = ~0ull, some = 0xf;       // four lanes: even, odd, even, odd
    reduce(LINX_V_RDADD, SW, 10, -3u, all, D_T, 0, 224);
    reduce(LINX_V_RDADD, UW, 10, -3u, some, D_U, 0, 20 + 2 * 0xfffffffdull);
    reduce(LINX_V_RDADD, SW, 10, -3u, 0, D_T, 0, 0);
    reduce(LINX_V_RDADD, SW, 10, -3u, some, D_RO0, 100, 114);
    reduce(LINX_V_RDAND, UW, 0xff, 0x0f, all, D_T, 0, 0x0f);
    reduce(LINX_V_RDAND, UW, 0xff, 0x0f, 0, D_T, 0, ~0ull);
    reduce(LINX_V_RDOR, UW, 0xf0, 0x0f, all, D_RO0, 0x100, 0x1ff);
    reduce(LINX_V_RDXOR, UW, 1, 2, 0x7, D_T, 0, 2);
    reduce(LINX_V_RDMAX, SW, 10, -3u, all, D_T, 0, 10);
    reduce(LINX_V_RDMAX, UW, 10, -3u, all, D_T, 0, 0xfffffffd);
    reduce(LINX_V_RDMAX, SW, 10, -3u, 0, D_T, 0, 0xffffffff80000000);
    reduce(LINX_V_RDMAX, SW, 10, -3u, all, D_RO0, 11, 11);
    reduce(LINX_V_RDMIN, SW, 10, -3u, all, D_T, 0, -3ull);
    reduce(LINX_V_RDMIN, UH, 10, 0x10003, all, D_T, 0, 3);
    reduce(LINX_V_RDMIN, UB, 10, 3, 0, D_T, 0, 0xff);
    reduce(LINX_V_RDMIN, SW, 10, -3u, all, D_RO0, -9ull, -9ull);
    reduce(LINX_V_RDFADD, 1, 0x3f800000, 0x40000000, some, D_T, 0, 0x40c00000);                 // 1+2+1+2
    reduce(LINX_V_RDFADD, 1, 0x3f800000, 0x40000000, some, D_RO0, 0x41200000, 0x41800000);      // 10 + 6
    reduce(LINX_V_RDFMAX, 1, 0xbf800000, 0x40000000, all, D_T, 0, 0x40000000);
    reduce(LINX_V_RDFMAX, 1, 0xbf800000, 0x40000000, 0, D_T, 0, 0xff800000);
    reduce(LINX_V_RDFMIN, 1, 0xbf800000, 0x40000000, all, D_T, 0, 0xbf800000);
    reduce(LINX_V_RDFMIN, 1, 0xbf800000, 0x40000000, 0, D_T, 0, 0x7f800000);
    test_end("reductions");
}

// ---- V.PSEL ---------------------------------------------------------------------------------------------------------
static void test_psel(void)
{
    struct row r = {.form = LINX_V_PSEL, .f = {LINX_F_SrcRType, 3, -1}};
    struct engine *e = begin(LINX_BSTART_VPAR, encode(&r, SRC(VT1, SW), SRC(VU1, SW), SRC(RI0, UD), DSTW(D_VM, WW)), 64);
    struct group *g = &e->group[0];
    e->ri[0] = 0x8000000000000001;
    g->p = ~2ull;
    for (unsigned i = 0; i < LANES; i++) {
        vec_src(g, VT, 1)[i] = 100 + i;
        vec_src(g, VU, 1)[i] = i;
    }
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "psel");
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t want = i == 1 ? 0 : i == 0 || i == 63 ? 100 + i : -i;
        CHECK_EQ(vec_src(g, VM, 1)[i], want, "psel lane");
    }
    covered[LINX_V_PSEL] = true;
    test_end("psel");
}

// ---- comparisons into P ---------------------------------------------------------------------------------------------
static void test_predicate(void)
{
    struct row r = {.form = LINX_V_CMP_LTI, .f = {LINX_F_simm12, 10, -1}};
    struct engine *e = begin(LINX_BSTART_VPAR, encode(&r, SRC(VT1, SW), 0, 0, DSTW(D_P, WD)), 40);
    struct group *g = &e->group[0];
    g->p = 0xffffffffff & ~4ull;
    for (unsigned i = 0; i < LANES; i++)
        vec_src(g, VT, 1)[i] = i & 15;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "cmp->p");
    CHECK_EQ(g->p, 0x000000ff03ff03fbull, "P of lanes 0..39 with (i & 15) < 10, lane 2 off");
    // an l-form writes P as a plain value; an FP comparison writes it lane by lane
    struct row l = {.form = LINX_V_ADDI, .f = {LINX_F_uimm12, 5, -1}};
    e = begin(LINX_BSTART_VPAR, encode(&l, SRC(RI0, UD), 0, 0, DSTW(D_P, WD)), 40);
    e->ri[0] = 1ull << 63;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "add->p");
    CHECK_EQ(g->p, (1ull << 63) + 5, "plain P");
    struct row f = {.form = LINX_V_FLT, .f = {-1}};
    e = begin(LINX_BSTART_VPAR, encode(&f, SRC(VT1, 1), SRC(VU1, 1), 0, DSTW(D_P, WD)), 64);
    for (unsigned i = 0; i < LANES; i++) {
        vec_src(g, VT, 1)[i] = 0x3f800000;
        vec_src(g, VU, 1)[i] = i < 3 ? 0x40000000 : 0;
    }
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "flt->p");
    CHECK_EQ(g->p, 7, "FP predicate");
    test_end("predicate");
}

// ---- FP flags: only active lanes raise them -----------------------------------------------------------------------
static void test_fflags(void)
{
    struct row r = {.form = LINX_V_FDIV, .f = {-1}};
    for (unsigned off = 0; off < 2; off++) {
        struct engine *e = begin(LINX_BSTART_VPAR, encode(&r, SRC(VT1, 1), SRC(VU1, 1), 0, DSTW(D_VM, WW)), 64);
        struct group *g = &e->group[0];
        for (unsigned i = 0; i < LANES; i++) {
            vec_src(g, VT, 1)[i] = 0x3f800000;
            vec_src(g, VU, 1)[i] = i == 7 ? 0 : 0x3f800000;
        }
        g->p = off ? ~(1ull << 7) : ~0ull;
        pe->cstate = 0;
        CHECK_EQ(finish(), EXEC_BLOCK_DONE, "fdiv");
        CHECK_EQ(pe->cstate >> LINX_CSTATE_FFLAGS_SHIFT & 31, off ? 0 : 2, "DZ of lane 7");
    }
    // l-forms, conversions and reductions raise them too
    static const struct { int form; unsigned src, b, dst; int st, dt; unsigned want; } other[] = {
        {LINX_V_FDIV, SRC(RI0, 1), SRC(ZR, 1), DSTW(D_T, WW), 0, 0, 2}, {LINX_V_FCVTI, SRC(VT1, 1), 0, DSTW(D_VU, WW), 1, SW, 16}, {LINX_V_FCVTI, SRC(RI0, 1), 0, DSTW(D_T, WW), 1, UB, 1},
        {LINX_V_ICVTF, SRC(RI1, SD), 0, DSTW(D_T, WW), SD, 1, 16}, {LINX_V_RDFADD, SRC(VT1, 1), 0, DSTW(D_T, WW), 0, 0, 16},
    };
    for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        int f = other[i].form;
        uint64_t w = put(f, linx_forms[f].match, LINX_F_SrcL, other[i].src);
        w = put(f, put(f, w, LINX_F_SrcR, other[i].b), LINX_F_RegDst, other[i].dst);
        w = put(f, put(f, w, LINX_F_SrcType, other[i].st), LINX_F_DstType, other[i].dt);
        struct engine *e = begin(LINX_BSTART_VPAR, w, 64);
        e->ri[0] = 0xc0000000;          // -2.0
        e->ri[1] = 0x7fffffff;
        for (unsigned l = 0; l < LANES; l++)
            vec_src(&e->group[0], VT, 1)[l] = l == 9 ? 0x3f800001 : 0x40000000;
        pe->cstate = 0;
        CHECK_EQ(finish(), EXEC_BLOCK_DONE, linx_forms[f].id);
        CHECK_EQ(pe->cstate >> LINX_CSTATE_FFLAGS_SHIFT & 31, other[i].want, linx_forms[f].id);
    }
    // FRM: 1/3 rounded up and down
    for (unsigned frm = 0; frm < 4; frm++) {
        struct engine *e = begin(LINX_BSTART_VPAR, encode(&r, SRC(VT1, 1), SRC(VU1, 1), 0, DSTW(D_VM, WW)), 64);
        struct group *g = &e->group[0];
        for (unsigned i = 0; i < LANES; i++)
            vec_src(g, VT, 1)[i] = 0x3f800000, vec_src(g, VU, 1)[i] = 0x40400000;
        pe->cstate = (uint64_t)frm << LINX_CSTATE_FRM_SHIFT;
        CHECK_EQ(finish(), EXEC_BLOCK_DONE, "fdiv");
        CHECK_EQ(vec_src(g, VM, 1)[0], frm == 0 || frm == 3 ? 0x3eaaaaab : 0x3eaaaaaa, "1/3");
    }
    pe->cstate = 0;
    test_end("fflags");
}

// ---- loads, stores, atomics ---------------------------------------------------------------------------------------
static uint32_t memory_word(uint64_t va, unsigned size, bool sign)
{
    uint64_t v = 0;
    memcpy(&v, &ram[va - RAM_BASE], size);
    return (uint32_t)(sign ? (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size) : (int64_t)v);
}

static const struct { int form; uint8_t size, sign, unscaled; } loads[] = {
    {LINX_V_LB, 1, 1, 0}, {LINX_V_LH, 2, 1, 0}, {LINX_V_LW, 4, 1, 0}, {LINX_V_LD, 8, 1, 0}, {LINX_V_LBU, 1, 0, 0}, {LINX_V_LHU, 2, 0, 0}, {LINX_V_LWU, 4, 0, 0},
    {LINX_V_LBI, 1, 1, 0}, {LINX_V_LHI, 2, 1, 0}, {LINX_V_LWI, 4, 1, 0}, {LINX_V_LDI, 8, 1, 0}, {LINX_V_LBUI, 1, 0, 0}, {LINX_V_LHUI, 2, 0, 0}, {LINX_V_LWUI, 4, 0, 0},
    {LINX_V_LHI_U, 2, 1, 1}, {LINX_V_LWI_U, 4, 1, 1}, {LINX_V_LDI_U, 8, 1, 1}, {LINX_V_LHUI_U, 2, 0, 1}, {LINX_V_LWUI_U, 4, 0, 1},
    {LINX_LB, 1, 1, 0}, {LINX_LH, 2, 1, 0}, {LINX_LW, 4, 1, 0}, {LINX_LD, 8, 1, 0}, {LINX_LBU, 1, 0, 0}, {LINX_LHU, 2, 0, 0}, {LINX_LWU, 4, 0, 0},
    {LINX_LBI, 1, 1, 0}, {LINX_LHI, 2, 1, 0}, {LINX_LWI, 4, 1, 0}, {LINX_LDI, 8, 1, 0}, {LINX_LBUI, 1, 0, 0}, {LINX_LHUI, 2, 0, 0}, {LINX_LWUI, 4, 0, 0},
    {LINX_LHI_U, 2, 1, 1}, {LINX_LWI_U, 4, 1, 1}, {LINX_LDI_U, 8, 1, 1}, {LINX_LHUI_U, 2, 0, 1}, {LINX_LWUI_U, 4, 0, 1},
    {LINX_LB_PCR, 1, 1, 1}, {LINX_LH_PCR, 2, 1, 1}, {LINX_LW_PCR, 4, 1, 1}, {LINX_LD_PCR, 8, 1, 1}, {LINX_LBU_PCR, 1, 0, 1}, {LINX_LHU_PCR, 2, 0, 1}, {LINX_LWU_PCR, 4, 0, 1},
};

static void fill_data(void)
{
    for (unsigned i = 0; i < 0x8000; i++)
        ram[DATA - RAM_BASE + i] = (uint8_t)(i * 37 + (i >> 8) * 101 + 5);
}

// Address modes of the v-forms: gather from a vector offset, broadcast, continuous.
static void test_loads(void)
{
    fill_data();
    for (unsigned n = 0; n < sizeof(loads) / sizeof(loads[0]); n++) {
        int form = loads[n].form;
        const struct linx_form_desc *f = &linx_forms[form];
        unsigned size = loads[n].size, log2 = (unsigned)__builtin_ctz(size);
        bool wide = f->length == 64, has_r = field_of(form, LINX_F_SrcR) >= 0;
        covered[form] = true;
        if (!wide) {
            bool pcr = strstr(f->id, "PCR");
            uint64_t w = put(form, f->match, LINX_F_SrcL, 24);
            w = put(form, w, LINX_F_SrcR, 28);
            w = put(form, w, LINX_F_RegDst, 31);
            w = put(form, w, LINX_F_SrcRType, 0);
            w = put(form, w, LINX_F_shamt, has_r ? 3 : 0);
            w = put(form, w, LINX_F_simm12, -3);
            w = put(form, w, LINX_F_simm17, 0x20);
            struct engine *e = begin(LINX_BSTART_MPAR, w, 64);
            if (pcr)
                memcpy(&ram[CODE + 0x20 - RAM_BASE], &ram[DATA - RAM_BASE], 8);
            e->group[0].t[0] = DATA + 0x100;
            e->group[0].u[0] = 0xfffffff0;      // .sw: -16
            uint64_t at = pcr ? CODE + 0x20 : DATA + 0x100 + (has_r ? (uint64_t)-16 * 8 : loads[n].unscaled ? -3ull : -3ull * size);
            uint64_t want = 0;
            memcpy(&want, &ram[at - RAM_BASE], size);
            if (loads[n].sign && size < 8)
                want = (uint64_t)((int64_t)(want << (64 - 8 * size)) >> (64 - 8 * size));
            enum exec_status st = finish();
            CHECK(st == EXEC_BLOCK_DONE && e->group[0].t[0] == want, "%s: got 0x%" PRIx64 ", want 0x%" PRIx64 " (status %d)", f->id, e->group[0].t[0], want, st);
            continue;
        }
        int64_t imm = loads[n].unscaled ? -5 : -2;
        int64_t imm_bytes = loads[n].unscaled ? -5 : -2 * (int64_t)size;
        uint64_t base = DATA + 0x800;
        // l-form, 64-bit result
        uint64_t w = put(form, f->match, LINX_F_SrcL, SRC(RI0, UD));
        w = put(form, w, LINX_F_SrcR, SRC(RI1, SW));
        w = put(form, w, LINX_F_shamt, 2);
        w = put(form, w, LINX_F_simm24, imm);
        uint64_t l = put(form, w, LINX_F_RegDst, DSTW(D_T, WD));
        struct engine *e = begin(LINX_BSTART_MPAR, l, 64);
        e->ri[0] = base;
        e->ri[1] = 0xfffffffd;                  // -3
        uint64_t at = base + (has_r ? (uint64_t)-12 : (uint64_t)imm_bytes), want = 0;
        memcpy(&want, &ram[at - RAM_BASE], size);
        if (loads[n].sign && size < 8)
            want = (uint64_t)((int64_t)(want << (64 - 8 * size)) >> (64 - 8 * size));
        enum exec_status st = finish();
        CHECK(st == EXEC_BLOCK_DONE && e->group[0].t[0] == want, "%s (l): got 0x%" PRIx64 ", want 0x%" PRIx64, f->id, e->group[0].t[0], want);
        if (size == 8)
            continue;
        // v-forms: gather by vector offset, by vector base, broadcast, continuous; close together and over pages
        for (unsigned mode = 0; mode < 6; mode++) {
            bool cont = mode == 3 || mode == 4, vec_off = mode < 2 && has_r, vec_base = mode == 5;
            uint64_t v = put(form, f->match, LINX_F_SrcL, vec_base ? SRC(VU1, UW) : SRC(RI0, UD));
            v = put(form, v, LINX_F_SrcR, vec_off ? SRC(VT1, SW) : SRC(RI1, SW));
            v = put(form, v, LINX_F_shamt, 1);
            v = put(form, v, LINX_F_simm24, imm);
            v = put(form, v, LINX_F_C, cont);
            v = put(form, v, LINX_F_RegDst, DSTW(D_VM, WW));
            e = begin(LINX_BSTART_MSEQ, v, 64);
            struct group *g = &e->group[0];
            uint64_t b = mode == 4 ? DATA + 0x1000 - 33 * size : DATA + 0x800;      // mode 4 crosses a page
            e->ri[0] = b;
            e->ri[1] = 6;
            g->p = 0x7ffffffffffffffe & ~(1ull << 20);
            for (unsigned i = 0; i < LANES; i++) {
                vec_src(g, VT, 1)[i] = mode == 1 ? (i * 977) % 0x3000 : (uint32_t)(-4 - (int)i * 3);
                vec_src(g, VU, 1)[i] = (uint32_t)(DATA + 0x2000 + i * 61);
            }
            st = finish();
            CHECK(st == EXEC_BLOCK_DONE, "%s mode %u: trap %u/%u", f->id, mode, pe->trap.num, pe->trap.cause);
            for (unsigned i = 0; i < LANES; i++) {
                uint64_t a = (vec_base ? DATA + 0x2000 + i * 61 : b);
                a += has_r ? (vec_off ? (uint64_t)(int64_t)(int32_t)(mode == 1 ? (i * 977) % 0x3000 : (uint32_t)(-4 - (int)i * 3)) << 1 : 12) : (uint64_t)imm_bytes;
                a += cont ? (uint64_t)i << log2 : 0;
                bool on = g->p >> i & 1;
                uint32_t want32 = on ? memory_word(a, size, loads[n].sign) : 0;
                CHECK(vec_src(g, VM, 1)[i] == want32, "%s mode %u lane %u: got 0x%x want 0x%x", f->id, mode, i, vec_src(g, VM, 1)[i], want32);
            }
        }
    }
    test_end("loads");
}

static const struct { int form; uint8_t size, unscaled; } stores[] = {
    {LINX_V_SB, 1, 0}, {LINX_V_SH, 2, 0}, {LINX_V_SW, 4, 0}, {LINX_V_SD, 8, 0}, {LINX_V_SH_U, 2, 1}, {LINX_V_SW_U, 4, 1}, {LINX_V_SD_U, 8, 1},
    {LINX_V_SBI, 1, 0}, {LINX_V_SHI, 2, 0}, {LINX_V_SWI, 4, 0}, {LINX_V_SDI, 8, 0}, {LINX_V_SHI_U, 2, 1}, {LINX_V_SWI_U, 4, 1}, {LINX_V_SDI_U, 8, 1},
    {LINX_SB, 1, 0}, {LINX_SH, 2, 0}, {LINX_SW, 4, 0}, {LINX_SD, 8, 0}, {LINX_SH_U, 2, 1}, {LINX_SW_U, 4, 1}, {LINX_SD_U, 8, 1},
    {LINX_SBI, 1, 0}, {LINX_SHI, 2, 0}, {LINX_SWI, 4, 0}, {LINX_SDI, 8, 0}, {LINX_SHI_U, 2, 1}, {LINX_SWI_U, 4, 1}, {LINX_SDI_U, 8, 1},
    {LINX_SB_PCR, 1, 1}, {LINX_SH_PCR, 2, 1}, {LINX_SW_PCR, 4, 1}, {LINX_SD_PCR, 8, 1},
};

static void test_stores(void)
{
    static uint8_t model[0x8000];
    for (unsigned n = 0; n < sizeof(stores) / sizeof(stores[0]); n++) {
        int form = stores[n].form;
        const struct linx_form_desc *f = &linx_forms[form];
        unsigned size = stores[n].size, log2 = (unsigned)__builtin_ctz(size), scale = stores[n].unscaled ? 0 : log2;
        bool wide = f->length == 64, reg = field_of(form, LINX_F_SrcD) >= 0;
        covered[form] = true;
        uint64_t value = 0x8182838485868788;
        if (!wide) {
            bool pcr = strstr(f->id, "PCR");
            uint64_t w = put(form, f->match, LINX_F_SrcD, 29);
            w = put(form, w, LINX_F_SrcL, 24);          // base of register forms, data of the others
            w = put(form, w, LINX_F_SrcR, 28);
            w = put(form, w, LINX_F_SrcRType, 3);
            w = put(form, w, LINX_F_simm12, -3);
            w = put(form, w, LINX_F_simm, 0x30);
            w = put(form, w, LINX_F_simm17, 0x30);
            struct engine *e = begin(LINX_BSTART_MPAR, w, 64);
            uint64_t at;
            if (reg) {
                e->group[0].t[0] = DATA + 0x100;
                e->group[0].u[0] = 5;
                e->group[0].u[1] = value;
                at = DATA + 0x100 + (5u << scale);
            } else {
                e->group[0].t[0] = value;
                e->group[0].u[0] = DATA + 0x100;
                at = pcr ? CODE + 0x30 : DATA + 0x100 - 3ull * (stores[n].unscaled ? 1 : size);
            }
            memset(&ram[at - 16 - RAM_BASE], 0x55, 40);
            enum exec_status st = finish();
            CHECK(st == EXEC_BLOCK_DONE && !memcmp(&ram[at - RAM_BASE], &value, size) && ram[at - 1 - RAM_BASE] == 0x55 && ram[at + size - RAM_BASE] == 0x55,
                  "%s: status %d, %u/%u", f->id, st, pe->trap.num, pe->trap.cause);
            continue;
        }
        for (unsigned mode = 0; mode < 6; mode++) {
            bool cont = mode == 3 || mode == 4, lform = mode == 5;
            if (size == 8 && !lform)
                continue;
            uint64_t v = f->match;
            unsigned data = lform ? SRC(RI2, UD) : mode == 4 ? SRC(RI2, UW) : SRC(VU1, UW);
            if (reg) {
                v = put(form, v, LINX_F_SrcD, data);
                v = put(form, v, LINX_F_SrcL, SRC(RI0, UD));
                v = put(form, v, LINX_F_SrcR, mode < 2 ? SRC(VT1, SW) : SRC(RI1, SW));
                v = put(form, v, LINX_F_shamt, 1);
            } else {
                v = put(form, v, LINX_F_SrcL, data);
                v = put(form, v, LINX_F_SrcR, mode < 2 ? SRC(VM1, UW) : SRC(RI0, UD));
                v = put(form, v, LINX_F_simm24, -3);
            }
            v = put(form, v, LINX_F_C, cont);
            fill_data();
            memcpy(model, &ram[DATA - RAM_BASE], sizeof(model));
            struct engine *e = begin(LINX_BSTART_MPAR, v, 64);
            struct group *g = &e->group[0];
            uint64_t b = mode == 4 ? DATA + 0x1000 - 33 * size : DATA + 0x2000;
            e->ri[0] = b;
            e->ri[1] = 4;
            e->ri[2] = value;
            g->p = mode == 3 ? ~0ull : 0x7ffffffffffffffe & ~(1ull << 20);
            for (unsigned i = 0; i < LANES; i++) {
                vec_src(g, VT, 1)[i] = mode == 1 ? (i * 331) % 0x700 : (uint32_t)(i / 2 * 3);     // pairs of lanes collide: last wins
                vec_src(g, VU, 1)[i] = 0x01010101 * (i + 1);
                vec_src(g, VM, 1)[i] = (uint32_t)(DATA + 0x2000 + i * (mode == 1 ? 97 : 2));
            }
            for (unsigned i = 0; i < (lform ? 1 : LANES); i++) {
                if (!lform && !(g->p >> i & 1))
                    continue;
                uint64_t a = reg ? b + ((uint64_t)(int64_t)(int32_t)(mode < 2 ? vec_src(g, VT, 1)[i] : 4) << (1 + scale))
                                 : (mode < 2 ? vec_src(g, VM, 1)[i] : b) - 3ull * (stores[n].unscaled ? 1 : size);
                a += cont ? (uint64_t)i << log2 : 0;
                uint64_t d = lform || mode == 4 ? value : 0x01010101 * (i + 1);
                memcpy(&model[a - DATA], &d, size);
            }
            enum exec_status st = finish();
            CHECK(st == EXEC_BLOCK_DONE && !memcmp(model, &ram[DATA - RAM_BASE], sizeof(model)), "%s mode %u: memory differs (status %d, %u/%u %s)", f->id, mode, st,
                  pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
        }
    }
    test_end("stores");
}

static void test_atomics(void)
{
    static const struct { const char *name; uint32_t old, v; unsigned type; uint32_t want; } ops[] = {
        {"ADD", 0xfffffffe, 5, UW, 3}, {"AND", 0xff, 0x0f, UW, 0x0f}, {"OR", 0xf0, 0x0f, UW, 0xff}, {"XOR", 0xff, 0x0f, UW, 0xf0},
        {"MAX", 0xffffffff, 1, SW, 1}, {"MIN", 0xffffffff, 1, SW, 0xffffffff},
    };
    for (unsigned i = 0; i < 6; i++)
        for (unsigned kind = 0; kind < 4; kind++) {
            char id[32];
            static const char *prefix[4] = {"V_LW_", "V_LD_", "V_SW_", "V_SD_"};
            snprintf(id, sizeof(id), "%s%s", prefix[kind], ops[i].name);
            int form = -1;
            for (int k = 0; k < LINX_NFORMS; k++)
                if (!strcmp(linx_forms[k].id, id))
                    form = k;
            covered[form] = true;
            bool wide = kind & 1, old = kind < 2;
            unsigned size = wide ? 8 : 4;
            // l-form
            uint64_t w = put(form, linx_forms[form].match, LINX_F_SrcL, SRC(RI0, UD));
            w = put(form, w, LINX_F_SrcR, SRC(RI1, wide ? ops[i].type & 4 ? SD : UD : ops[i].type));
            w = put(form, w, LINX_F_RegDst, DSTW(D_T, WD));
            uint64_t start = wide ? (uint64_t)(int64_t)(int32_t)ops[i].old : ops[i].old, stored = start;
            memcpy(&ram[DATA - RAM_BASE], &start, 8);
            struct engine *e = begin(LINX_BSTART_MPAR, w, 64);
            e->ri[0] = DATA;
            e->ri[1] = ops[i].v;
            CHECK_EQ(finish(), EXEC_BLOCK_DONE, id);
            uint64_t want = wide ? (uint64_t)(int64_t)(int32_t)ops[i].want : ops[i].want;
            memcpy(&stored, &ram[DATA - RAM_BASE], size);
            CHECK_EQ(stored, want, id);
            if (old)
                CHECK_EQ(e->group[0].t[0], (uint64_t)(int64_t)(int32_t)ops[i].old, id);
            if (wide)
                continue;
            // v-form: all lanes on one word, serially in lane order; lane 3 off
            w = put(form, linx_forms[form].match, LINX_F_SrcL, SRC(RI0, UD));
            w = put(form, w, LINX_F_SrcR, SRC(VT1, ops[i].type));
            w = put(form, w, LINX_F_RegDst, DSTW(D_VU, WW));
            uint32_t word = ops[i].old, lane_old[LANES];
            memcpy(&ram[DATA - RAM_BASE], &word, 4);
            e = begin(LINX_BSTART_MSEQ, w, 64);
            struct group *g = &e->group[0];
            e->ri[0] = DATA;
            g->p = ~8ull;
            for (unsigned k = 0; k < LANES; k++) {
                uint32_t v = ops[i].v + k * 7, o = word;
                vec_src(g, VT, 1)[k] = v;
                lane_old[k] = k == 3 ? 0 : o;
                if (k == 3)
                    continue;
                switch (i) {
                case 0: word = o + v; break;
                case 1: word = o & v; break;
                case 2: word = o | v; break;
                case 3: word = o ^ v; break;
                case 4: word = (int32_t)v > (int32_t)o ? v : o; break;
                default: word = (int32_t)v < (int32_t)o ? v : o; break;
                }
            }
            CHECK_EQ(finish(), EXEC_BLOCK_DONE, id);
            uint32_t got;
            memcpy(&got, &ram[DATA - RAM_BASE], 4);
            CHECK_EQ(got, word, id);
            if (old)
                CHECK(!memcmp(lane_old, vec_src(g, VU, 1), sizeof(lane_old)), "%s: old values", id);
        }
    test_end("atomics");
}

// ---- branches -----------------------------------------------------------------------------------------------------
// The branch skips one instruction that would set t to 1.
static bool taken(uint64_t word, uint64_t t, uint64_t u, uint64_t p)
{
    struct prog pr;
    prog_start(&pr, CODE);
    emit(&pr, word);
    EMIT(&pr, ADDI, F(RegDst), 31, F(SrcL), 0, F(uimm12), 1);
    emit_stop(&pr);
    struct block_header h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    struct group *g = &pe->engine->group[0];
    g->t[0] = t;
    g->u[0] = u;
    g->p = p;
    CHECK_EQ(finish(), EXEC_BLOCK_DONE, "branch");
    return g->t[0] == t;
}
static void test_branches(void)
{
    static const struct { int form; uint64_t a, b; bool want; } at[] = {
        {LINX_B_EQ, 5, 5, 1}, {LINX_B_EQ, 5, 6, 0}, {LINX_B_NE, 5, 6, 1}, {LINX_B_NE, 5, 5, 0}, {LINX_B_LT, ~0ull, 0, 1}, {LINX_B_LT, 0, 0, 0}, {LINX_B_GE, 0, ~0ull, 1}, {LINX_B_GE, ~0ull, 0, 0},
        {LINX_B_LTU, 0, ~0ull, 1}, {LINX_B_LTU, ~0ull, 0, 0}, {LINX_B_NE, 1ull << 32, 2ull << 32, 1}, {LINX_B_EQ, 1ull << 32, 2ull << 32, 0}, {LINX_B_GE, 2, 1ull << 32, 0},
        {LINX_B_GEU, ~0ull, 0, 1}, {LINX_B_GEU, 0, 1, 0},
    };
    for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        uint64_t w = put(at[i].form, linx_forms[at[i].form].match, LINX_F_SrcL, 24);
        w = put(at[i].form, w, LINX_F_SrcR, 28);
        w = put(at[i].form, w, LINX_F_simm12, 4);
        CHECK(taken(w, at[i].a, at[i].b, ~0ull) == at[i].want, "%s %" PRIx64 " %" PRIx64, linx_forms[at[i].form].id, at[i].a, at[i].b);
        covered[at[i].form] = true;
    }
    CHECK(taken(ENC(B_Z, F(simm22), 4), 9, 0, 0), "b.z taken");
    CHECK(!taken(ENC(B_Z, F(simm22), 4), 9, 0, 1ull << 63), "b.z not taken");
    CHECK(taken(ENC(B_NZ, F(simm22), 4), 9, 0, 1ull << 63), "b.nz taken");
    CHECK(!taken(ENC(B_NZ, F(simm22), 4), 9, 0, 0), "b.nz not taken");
    CHECK(taken(ENC(J, F(simm22), 4), 9, 0, 0), "j");
    CHECK(taken(ENC(JR, F(SrcL), 24, F(simm12), 4), CODE, 0, 0), "jr");
    covered[LINX_B_Z] = covered[LINX_B_NZ] = covered[LINX_J] = covered[LINX_JR] = true;
    // odd and null targets fault and leave the group where it was
    for (unsigned odd = 0; odd < 2; odd++) {
        struct engine *e = begin(LINX_BSTART_VPAR, ENC(JR, F(SrcL), 24), 64);
        e->group[0].t[0] = odd ? CODE + 1 : 0;
        CHECK_EQ(finish(), EXEC_TRAP, "bad target");
        CHECK_EQ(pe->trap.num, LINX_E_INST, "class");
        CHECK_EQ(e->group[0].tpc, CODE, "tpc");
    }
    test_end("branches");
}

// ---- what is refused ------------------------------------------------------------------------------------------------
static void refuse(int start, uint64_t word, unsigned num, unsigned cause, const char *what)
{
    struct engine *e = begin(start, word, 64);
    struct group before = e->group[0];
    enum exec_status st = finish();
    CHECK(st == EXEC_TRAP && pe->trap.num == num && pe->trap.cause == cause, "%s: status %d trap %u/%u", what, st, pe->trap.num, pe->trap.cause);
    CHECK(!memcmp(&before, &e->group[0], sizeof(before)), "%s: the refused instruction changed the group", what);
}
#define ILLEGAL(start, word, what) refuse(LINX_BSTART_##start, word, LINX_E_INST, LINX_EC_ILLEGAL, what)
static void test_refused(void)
{
    for (int f = 0; f < LINX_NFORMS; f++) {
        const struct linx_form_desc *d = &linx_forms[f];
        size_t n = strlen(d->id);
        if ((n > 4 && !strcmp(d->id + n - 4, "_BRG")) || !strcmp(d->id, "V_QPUSH") || !strcmp(d->id, "V_QPOP")) {
            ILLEGAL(MPAR, d->match, d->id);
            covered[f] = true;
        }
        // everything that is not for bodies and does not end them is illegal there
        if (!(d->where & (LINX_WHERE_VEC | LINX_WHERE_MEM | LINX_WHERE_START | LINX_WHERE_STOP | LINX_WHERE_PSEUDO)))
            ILLEGAL(MPAR, d->match, d->id);
    }
    ILLEGAL(VPAR, ENC(V_LW, F(SrcL), SRC(RI0, UD), F(RegDst), DSTW(D_VT, WW)), "memory load in VPAR");
    ILLEGAL(VSEQ, ENC(V_SW, F(SrcL), SRC(RI0, UD)), "memory store in VSEQ");
    ILLEGAL(VPAR, ENC(LW, F(SrcL), 24, F(RegDst), 31), "32-bit memory load in VPAR");
    ILLEGAL(VSEQ, ENC(V_LW_ADD, F(SrcL), SRC(RI0, UD), F(RegDst), DSTW(D_T, WD)), "atomic in VSEQ");
    ILLEGAL(MPAR, ENC(ADD, F(SrcL), 2, F(RegDst), 31), "R2 as source");
    ILLEGAL(MPAR, ENC(ADD, F(SrcL), 24, F(RegDst), 2), "R2 as destination");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UD), F(RegDst), DSTW(D_VT, WW)), ".ud on a vector");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_VT, WD)), ".d vector destination");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(4, UW), F(RegDst), DSTW(D_VT, WW)), "reserved source 4");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(44, UW), F(RegDst), DSTW(D_VT, WW)), "reserved source 44");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(100, UW), F(RegDst), DSTW(D_VT, WW)), "reserved source 100");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_T, WD)), "v-form writes t");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_RO0, WD)), "v-form writes ro");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_P, WD)), "v-form add writes p");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(5, WW)), "reserved destination 5");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_VT, 4)), "reserved destination width");
    ILLEGAL(MPAR, ENC(V_ADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_VT, WW), F(SrcRType), 1), "reserved SrcRType 1");
    ILLEGAL(MPAR, ENC(V_RDADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_VT, WW)), "reduction into a vector");
    ILLEGAL(MPAR, ENC(V_FADD, F(SrcL), SRC(VT1, 3), F(SrcR), SRC(VT1, 3), F(RegDst), DSTW(D_VT, WB)), ".fb");
    ILLEGAL(MPAR, ENC(V_FADD, F(SrcL), SRC(VT1, 1), F(SrcR), SRC(VT1, 2), F(RegDst), DSTW(D_VT, WW)), "mixed FP types");
    ILLEGAL(MPAR, ENC(V_LD, F(SrcL), SRC(RI0, UD), F(SrcR), SRC(VT1, UW), F(RegDst), DSTW(D_VT, WW)), "8-byte vector load");
    ILLEGAL(MPAR, ENC(V_LD_ADD, F(SrcL), SRC(RI0, UD), F(SrcR), SRC(VT1, UW), F(RegDst), DSTW(D_VT, WW)), "8-byte vector atomic");
    ILLEGAL(MPAR, ENC(V_LW, F(SrcL), SRC(RI0, UD), F(SrcR), SRC(VT1, UW), F(C), 1, F(RegDst), DSTW(D_VT, WW)), "continuous with a vector offset");
    ILLEGAL(MPAR, ENC(V_LW, F(SrcL), SRC(VT1, UW), F(L), 1, F(RegDst), DSTW(D_VT, WW)), ".local with a vector base");
    ILLEGAL(MPAR, ENC(V_LW, F(SrcL), SRC(TA, UD), F(RegDst), DSTW(D_VT, WW)), "tile formal without .local");
    ILLEGAL(MPAR, ENC(V_REV, F(SrcL), SRC(VT1, UW), F(immr), 2, F(imml), 1, F(RegDst), DSTW(D_VT, WW)), "V.REV M = 3");
    ILLEGAL(MPAR, ENC(V_REV, F(SrcL), SRC(VT1, UW), F(immr), 7, F(imml), 8, F(RegDst), DSTW(D_VT, WW)), "V.REV M = N");
    refuse(LINX_BSTART_MPAR, ENC(V_ADD, F(SrcL), SRC(RI0, UD), F(SrcR), SRC(ZR, UD), F(RegDst), DSTW(D_RO1, WD)), LINX_E_BLOCK, LINX_EC_INVAL_SET, "unbound ro");
    refuse(LINX_BSTART_MPAR, ENC(V_RDADD, F(SrcL), SRC(VT1, UW), F(RegDst), DSTW(D_RO1, WD)), LINX_E_BLOCK, LINX_EC_INVAL_SET, "unbound ro of a reduction");
    refuse(LINX_BSTART_MPAR, ENC(EBREAK, F(imm4), 9), LINX_E_BREAKPOINT, 9, "ebreak");
    covered[LINX_EBREAK] = true;
    // VS8: vm and vn do not exist
    struct prog p;
    prog_start(&p, CODE);
    EMIT(&p, V_ADD, F(SrcL), SRC(VM1, UW), F(RegDst), DSTW(D_VT, WW));
    struct block_header h = header(LINX_BSTART_VPAR, CODE, 64, 1, 1);
    h.function = LINX_vsize_VS8;
    CHECK_EQ(engine_start(pe, &h), EXEC_OK, "start");
    CHECK_EQ(finish(), EXEC_TRAP, "vm in VS8");
    CHECK_EQ(pe->trap.cause, LINX_EC_ILLEGAL, "vm in VS8");
    test_end("refused");
}

static void test_nops(void)
{
    static const int nops[] = {LINX_PRF, LINX_PRFI_U};
    for (unsigned i = 0; i < 2; i++) {
        struct engine *e = begin(LINX_BSTART_VPAR, linx_forms[nops[i]].match, 64);
        struct group before = e->group[0];
        CHECK_EQ(finish(), EXEC_BLOCK_DONE, "prefetch");
        before.tpc = e->group[0].tpc;
        CHECK(!memcmp(&before, &e->group[0], sizeof(before)), "prefetch changed something");
        covered[nops[i]] = true;
    }
    test_end("prefetch");
}

// Random operands, types and widths: every lane of a v-form equals the one-lane rule on the extended operands, whatever
// loop (32-bit signed, 32-bit unsigned, 64-bit) the engine picks. Scalars and LC mix in as 64-bit operands.
static void test_random_alu(void)
{
    static const uint8_t narrow_types[] = {UW, UH, UB, SW, SH, SB};
    static const uint32_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 31, 32, 63, 64};
    for (unsigned n = 0; n < 20000; n++) {
        int form;
        do
            form = (int)(rnd() % LINX_NFORMS);
        while (linx_forms[form].length != 64 || !body_rows[form].alu);
        const struct alu *alu = body_rows[form].alu;
        uint64_t w = linx_forms[form].match;
        unsigned src[3];
        static const unsigned vec_id[3] = {VT1, VU1, VM1}, ri_id[3] = {RI0, RI1, RI2};
        for (unsigned i = 0; i < 3; i++)
            src[i] = rnd() % 4 ? SRC(vec_id[i], narrow_types[rnd() % 6]) : SRC(rnd() % 8 ? ri_id[i] : (unsigned)LC0, (unsigned)(rnd() % 8));
        for (unsigned i = 0; i < linx_forms[form].nfields; i++)
            w = linx_field_put(&linx_forms[form].field[i], w, (int64_t)rnd());
        w = put(form, w, LINX_F_SrcL, src[0]);
        w = put(form, w, LINX_F_SrcR, src[1]);
        w = put(form, w, third(form), src[2]);
        w = put(form, w, LINX_F_SrcRType, rnd() & 1 ? 3 : 0);
        w = put(form, w, LINX_F_RegDst, DSTW(D_VN, 1 + rnd() % 3));
        if (form == LINX_V_REV)
            w = put(form, put(form, w, LINX_F_immr, 15), LINX_F_imml, 1 << rnd() % 4);
        if (alu == &alu_icvt)
            w = put(form, put(form, w, LINX_F_SrcType, narrow_types[rnd() % 6]), LINX_F_DstType, narrow_types[rnd() % 6]);
        struct insn d;
        body_decode(&d, CODE, w, 8);
        struct engine *e = begin(LINX_BSTART_VPAR, w, 64);
        struct group *g = &e->group[0];
        for (unsigned i = 0; i < 3; i++) {
            uint32_t *lane = vec_src(g, (unsigned[]){VT, VU, VM}[i], 1);
            for (unsigned l = 0; l < LANES; l++)
                lane[l] = rnd() % 3 ? (uint32_t)rnd() : edges[rnd() % 16];
            e->ri[i] = rnd() % 3 ? rnd() : (uint64_t)(int64_t)(int32_t)edges[rnd() % 16];
        }
        uint64_t want[LANES];
        const struct operand *ops[3] = {&d.a, &d.b, &d.c};
        for (unsigned l = 0; l < LANES; l++) {
            uint64_t v[3];
            for (unsigned i = 0; i < 3; i++)
                v[i] = ops[i]->kind == OP_VEC ? extend(vec_src(g, ops[i]->n, ops[i]->k)[l], ops[i]->type) : ops[i]->kind == OP_LC ? extend(l, ops[i]->type)
                     : ops[i]->kind == OP_RI ? extend(e->ri[ops[i]->n], ops[i]->type) : ops[i]->kind == OP_IMM ? (uint64_t)d.imm : 0;
            want[l] = narrow(alu->one(v[0], v[1], v[2], &d), d.dst.width);
        }
        CHECK_EQ(finish(), EXEC_BLOCK_DONE, linx_forms[form].id);
        for (unsigned l = 0; l < LANES; l++)
            CHECK(vec_src(g, VN, 1)[l] == want[l], "%s %016" PRIx64 " lane %u: got 0x%x, want 0x%" PRIx64, linx_forms[form].id, w, l, vec_src(g, VN, 1)[l], want[l]);
    }
    test_end("random operands: lane loops against the one-lane rule");
}

int main(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    for (unsigned i = 0; i < sizeof(vec) / sizeof(vec[0]); i++)
        run_vec(&vec[i]);
    test_end("vector forms");
    for (unsigned i = 0; i < sizeof(lform) / sizeof(lform[0]); i++)
        run_lform(&lform[i]);
    test_end("64-bit forms on scalars");
    for (unsigned i = 0; i < sizeof(scalar) / sizeof(scalar[0]); i++)
        run_scalar(&scalar[i]);
    test_end("32-bit forms");
    test_random_alu();
    test_shuffles();
    test_reductions();
    test_psel();
    test_predicate();
    test_fflags();
    test_loads();
    test_stores();
    test_atomics();
    test_branches();
    test_nops();
    test_refused();
    for (int f = 0; f < LINX_NFORMS; f++) {
        if (!(linx_forms[f].where & (LINX_WHERE_VEC | LINX_WHERE_MEM)))
            continue;
        CHECK(covered[f], "%s has no row", linx_forms[f].id);
        CHECK(body_rows[f].body != NULL, "%s has no body", linx_forms[f].id);
    }
    test_end("every body form has a row");
    pe_delete(pe);
    return 0;
}
