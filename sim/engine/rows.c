// SPDX-License-Identifier: BSD-2-Clause
// The body of every form that a data body may contain: one row a form. test_forms fails when a row is missing.
#include "body.h"
#include "fp/fp.h"

#define ALU(form, row) [LINX_##form] = {body_alu, &alu_##row, 0, 0, 0}
#define SCA(form, row, op) [LINX_##form] = {body_alu, &alu_##row, 0, 0, op}
#define LOAD(form, size, sign) [LINX_##form] = {body_load, NULL, size, sign, 0}
#define STORE(form, size) [LINX_##form] = {body_store, NULL, size, 0, 0}
#define BRG(form) [LINX_##form##_BRG] = {body_illegal, NULL, 0, 0, 0}
#define FP(form, op) [LINX_##form] = {body_fp, NULL, 0, 0, op}
#define BODY(form, fn, op) [LINX_##form] = {fn, NULL, 0, 0, op}
#define AMO(form, size, op, old) [LINX_##form] = {body_amo, NULL, size, old, op}
enum { W = SCALAR_W, U = SCALAR_UNSIGNED, Z = SCALAR_ZERO_EXTEND };

const struct body_row body_rows[LINX_NFORMS] = {
    // ---- 64-bit: integer
    ALU(V_ADD, add), ALU(V_SUB, sub), ALU(V_AND, and), ALU(V_OR, or), ALU(V_XOR, xor),
    ALU(V_SLL, sll), ALU(V_SRL, srl), ALU(V_SRA, sra),
    ALU(V_ADDI, add), ALU(V_SUBI, sub), ALU(V_ANDI, and), ALU(V_ORI, or), ALU(V_XORI, xor),
    ALU(V_SLLI, sll), ALU(V_SRLI, srl), ALU(V_SRAI, sra),
    ALU(V_MUL, mul), ALU(V_MADD, madd), ALU(V_DIV, div), ALU(V_REM, rem), ALU(V_MAX, max), ALU(V_MIN, min),
    ALU(V_CMP_EQ, eq), ALU(V_CMP_NE, ne), ALU(V_CMP_AND, tand), ALU(V_CMP_OR, tor), ALU(V_CMP_LT, lt), ALU(V_CMP_GE, ge),
    ALU(V_CMP_LTU, ltu), ALU(V_CMP_GEU, geu),
    ALU(V_CMP_EQI, eq), ALU(V_CMP_NEI, ne), ALU(V_CMP_ANDI, tand), ALU(V_CMP_ORI, tor), ALU(V_CMP_LTI, lt),
    ALU(V_CMP_GEI, ge), ALU(V_CMP_LTUI, ltu), ALU(V_CMP_GEUI, geu),
    ALU(V_CSEL, csel), BODY(V_PSEL, body_psel, 0),
    ALU(V_BXS, bxs), ALU(V_BXU, bxu), ALU(V_BIC, bic), ALU(V_BIS, bis), ALU(V_CTZ, ctz), ALU(V_CLZ, clz), ALU(V_BCNT, bcnt),
    ALU(V_REV, rev), ALU(V_ICVT, icvt),
    BODY(V_SHFL_UP, body_shuffle, SHFL_UP), BODY(V_SHFL_DOWN, body_shuffle, SHFL_DOWN),
    BODY(V_SHFL_BFLY, body_shuffle, SHFL_BFLY), BODY(V_SHFL_IDX, body_shuffle, SHFL_IDX),
    BODY(V_SHFLI_UP, body_shuffle, SHFL_UP), BODY(V_SHFLI_DOWN, body_shuffle, SHFL_DOWN),
    BODY(V_SHFLI_BFLY, body_shuffle, SHFL_BFLY | SHFL_ALL), BODY(V_SHFLI_IDX, body_shuffle, SHFL_IDX),
    BODY(V_RDADD, body_reduce, RD_ADD), BODY(V_RDAND, body_reduce, RD_AND), BODY(V_RDOR, body_reduce, RD_OR),
    BODY(V_RDXOR, body_reduce, RD_XOR), BODY(V_RDMAX, body_reduce, RD_MAX), BODY(V_RDMIN, body_reduce, RD_MIN),
    // ---- 64-bit: floating point
    FP(V_FADD, FP_ADD), FP(V_FSUB, FP_SUB), FP(V_FMUL, FP_MUL), FP(V_FDIV, FP_DIV), FP(V_FMAX, FP_MAX), FP(V_FMIN, FP_MIN),
    FP(V_FEQ, FP_EQ), FP(V_FNE, FP_NE), FP(V_FLT, FP_LT), FP(V_FGE, FP_GE),
    FP(V_FEQS, FP_EQS), FP(V_FNES, FP_NES), FP(V_FLTS, FP_LTS), FP(V_FGES, FP_GES),
    FP(V_FMADD, FP_MADD), FP(V_FMSUB, FP_MSUB), FP(V_FNMADD, FP_NMADD), FP(V_FNMSUB, FP_NMSUB),
    FP(V_FABS, FP_ABS), FP(V_FSQRT, FP_SQRT), FP(V_FRECIP, FP_RECIP), FP(V_FEXP, FP_EXP), FP(V_FCLASS, FP_CLASS),
    BODY(V_FCVT, body_fcvt, 0), BODY(V_FCVTI, body_fcvti, 0), BODY(V_ICVTF, body_icvtf, 0),
    BODY(V_RDFADD, body_freduce, FP_ADD), BODY(V_RDFMAX, body_freduce, FP_MAX), BODY(V_RDFMIN, body_freduce, FP_MIN),
    // ---- 64-bit: memory
    LOAD(V_LB, 0, 1), LOAD(V_LH, 1, 1), LOAD(V_LW, 2, 1), LOAD(V_LD, 3, 1), LOAD(V_LBU, 0, 0), LOAD(V_LHU, 1, 0), LOAD(V_LWU, 2, 0),
    LOAD(V_LBI, 0, 1), LOAD(V_LHI, 1, 1), LOAD(V_LWI, 2, 1), LOAD(V_LDI, 3, 1), LOAD(V_LBUI, 0, 0), LOAD(V_LHUI, 1, 0), LOAD(V_LWUI, 2, 0),
    LOAD(V_LHI_U, 1, 1), LOAD(V_LWI_U, 2, 1), LOAD(V_LDI_U, 3, 1), LOAD(V_LHUI_U, 1, 0), LOAD(V_LWUI_U, 2, 0),
    STORE(V_SB, 0), STORE(V_SH, 1), STORE(V_SW, 2), STORE(V_SD, 3), STORE(V_SH_U, 1), STORE(V_SW_U, 2), STORE(V_SD_U, 3),
    STORE(V_SBI, 0), STORE(V_SHI, 1), STORE(V_SWI, 2), STORE(V_SDI, 3), STORE(V_SHI_U, 1), STORE(V_SWI_U, 2), STORE(V_SDI_U, 3),
    BRG(V_LB), BRG(V_LH), BRG(V_LW), BRG(V_LD), BRG(V_LBU), BRG(V_LHU), BRG(V_LWU),
    BRG(V_LBI), BRG(V_LHI), BRG(V_LWI), BRG(V_LDI), BRG(V_LBUI), BRG(V_LHUI), BRG(V_LWUI),
    BRG(V_LHI_U), BRG(V_LWI_U), BRG(V_LDI_U), BRG(V_LHUI_U), BRG(V_LWUI_U),
    BRG(V_SB), BRG(V_SH), BRG(V_SW), BRG(V_SD), BRG(V_SH_U), BRG(V_SW_U), BRG(V_SD_U),
    BRG(V_SBI), BRG(V_SHI), BRG(V_SWI), BRG(V_SDI), BRG(V_SHI_U), BRG(V_SWI_U), BRG(V_SDI_U),
    AMO(V_LW_ADD, 2, AMO_ADD, 1), AMO(V_LW_AND, 2, AMO_AND, 1), AMO(V_LW_OR, 2, AMO_OR, 1), AMO(V_LW_XOR, 2, AMO_XOR, 1),
    AMO(V_LW_MAX, 2, AMO_MAX, 1), AMO(V_LW_MIN, 2, AMO_MIN, 1),
    AMO(V_LD_ADD, 3, AMO_ADD, 1), AMO(V_LD_AND, 3, AMO_AND, 1), AMO(V_LD_OR, 3, AMO_OR, 1), AMO(V_LD_XOR, 3, AMO_XOR, 1),
    AMO(V_LD_MAX, 3, AMO_MAX, 1), AMO(V_LD_MIN, 3, AMO_MIN, 1),
    AMO(V_SW_ADD, 2, AMO_ADD, 0), AMO(V_SW_AND, 2, AMO_AND, 0), AMO(V_SW_OR, 2, AMO_OR, 0), AMO(V_SW_XOR, 2, AMO_XOR, 0),
    AMO(V_SW_MAX, 2, AMO_MAX, 0), AMO(V_SW_MIN, 2, AMO_MIN, 0),
    AMO(V_SD_ADD, 3, AMO_ADD, 0), AMO(V_SD_AND, 3, AMO_AND, 0), AMO(V_SD_OR, 3, AMO_OR, 0), AMO(V_SD_XOR, 3, AMO_XOR, 0),
    AMO(V_SD_MAX, 3, AMO_MAX, 0), AMO(V_SD_MIN, 3, AMO_MIN, 0),
    BODY(V_QPUSH, body_illegal, 0), BODY(V_QPOP, body_illegal, 0),

    // ---- 32-bit: operands t, u, zero; once per group
    SCA(ADD, add, 0), SCA(SUB, sub, 0), SCA(AND, and, 0), SCA(OR, or, 0), SCA(XOR, xor, 0),
    SCA(SLL, sll, 0), SCA(SRL, srl, 0), SCA(SRA, sra, 0),
    SCA(ADDI, add, 0), SCA(SUBI, sub, 0), SCA(ANDI, and, 0), SCA(ORI, or, 0), SCA(XORI, xor, 0),
    SCA(SLLI, sll, 0), SCA(SRLI, srl, 0), SCA(SRAI, sra, 0), SCA(LUI, add, 0),
    SCA(ADDW, add, W), SCA(SUBW, sub, W), SCA(ANDW, and, W), SCA(ORW, or, W), SCA(XORW, xor, W),
    SCA(SLLW, sll, W), SCA(SRLW, srl, W | U), SCA(SRAW, sra, W),
    SCA(ADDIW, add, W), SCA(SUBIW, sub, W), SCA(ANDIW, and, W), SCA(ORIW, or, W), SCA(XORIW, xor, W),
    SCA(SLLIW, sll, W), SCA(SRLIW, srl, W | U), SCA(SRAIW, sra, W),
    SCA(CMP_EQ, eq, 0), SCA(CMP_NE, ne, 0), SCA(CMP_AND, tand, 0), SCA(CMP_OR, tor, 0), SCA(CMP_LT, lt, 0), SCA(CMP_GE, ge, 0),
    SCA(CMP_LTU, ltu, 0), SCA(CMP_GEU, geu, 0),
    SCA(CMP_EQI, eq, 0), SCA(CMP_NEI, ne, 0), SCA(CMP_ANDI, tand, 0), SCA(CMP_ORI, tor, 0), SCA(CMP_LTI, lt, 0),
    SCA(CMP_GEI, ge, 0), SCA(CMP_LTUI, ltu, 0), SCA(CMP_GEUI, geu, 0),
    SCA(MUL, mul, 0), SCA(MULU, mul, 0), SCA(MULW, mul, W), SCA(MULUW, mul, W | U | Z), SCA(MADD, madd, 0), SCA(MADDW, madd, W),
    SCA(DIV, div, 0), SCA(DIVU, div, U), SCA(DIVW, div, W), SCA(DIVUW, div, W | U),
    SCA(REM, rem, 0), SCA(REMU, rem, U), SCA(REMW, rem, W), SCA(REMUW, rem, W | U),
    SCA(MAX, max, 0), SCA(MIN, min, 0), SCA(MAXU, max, U), SCA(MINU, min, U),
    SCA(BXS, bxs, 0), SCA(BXU, bxu, 0), SCA(BIC, bic, 0), SCA(BIS, bis, 0), SCA(CTZ, ctz, 0), SCA(CLZ, clz, 0),
    SCA(BCNT, bcnt, 0), SCA(REV, rev, 0), SCA(CSEL, scsel, 0),
    BODY(ADDTPC, body_addtpc, 0),
    LOAD(LB, 0, 1), LOAD(LH, 1, 1), LOAD(LW, 2, 1), LOAD(LD, 3, 1), LOAD(LBU, 0, 0), LOAD(LHU, 1, 0), LOAD(LWU, 2, 0),
    LOAD(LBI, 0, 1), LOAD(LHI, 1, 1), LOAD(LWI, 2, 1), LOAD(LDI, 3, 1), LOAD(LBUI, 0, 0), LOAD(LHUI, 1, 0), LOAD(LWUI, 2, 0),
    LOAD(LHI_U, 1, 1), LOAD(LWI_U, 2, 1), LOAD(LDI_U, 3, 1), LOAD(LHUI_U, 1, 0), LOAD(LWUI_U, 2, 0),
    LOAD(LB_PCR, 0, 1), LOAD(LH_PCR, 1, 1), LOAD(LW_PCR, 2, 1), LOAD(LD_PCR, 3, 1), LOAD(LBU_PCR, 0, 0), LOAD(LHU_PCR, 1, 0),
    LOAD(LWU_PCR, 2, 0),
    STORE(SB, 0), STORE(SH, 1), STORE(SW, 2), STORE(SD, 3), STORE(SH_U, 1), STORE(SW_U, 2), STORE(SD_U, 3),
    STORE(SBI, 0), STORE(SHI, 1), STORE(SWI, 2), STORE(SDI, 3), STORE(SHI_U, 1), STORE(SWI_U, 2), STORE(SDI_U, 3),
    STORE(SB_PCR, 0), STORE(SH_PCR, 1), STORE(SW_PCR, 2), STORE(SD_PCR, 3),
    BODY(PRF, body_nop, 0), BODY(PRFI_U, body_nop, 0), BODY(EBREAK, body_ebreak, 0),
    BODY(B_EQ, body_branch, BR_EQ), BODY(B_NE, body_branch, BR_NE), BODY(B_LT, body_branch, BR_LT), BODY(B_GE, body_branch, BR_GE),
    BODY(B_LTU, body_branch, BR_LTU), BODY(B_GEU, body_branch, BR_GEU),
    BODY(B_Z, body_branch_p, 0), BODY(B_NZ, body_branch_p, 1), BODY(J, body_jump, 0), BODY(JR, body_jr, 0),
};
