// SPDX-License-Identifier: BSD-2-Clause
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include <array>
#include <vector>

using namespace llvm;

static const unsigned OpcodeOfForm[] = {
#define LINX_FORM(ID) Linx::ID,
#include "linx_form_list.inc"
};

unsigned Linx::opcodeOf(linx_form Form) { return OpcodeOfForm[Form]; }

linx_form Linx::formOf(unsigned Opcode) {
  static const std::vector<uint16_t> Table = [] {
    std::vector<uint16_t> V(Linx::INSTRUCTION_LIST_END, LINX_NFORMS);
    for (unsigned F = 0; F != LINX_NFORMS; ++F)
      V[OpcodeOfForm[F]] = F;
    return V;
  }();
  return Opcode < Table.size() ? linx_form(Table[Opcode]) : LINX_NFORMS;
}

static const uint16_t Registers[32] = {
    Linx::R0,  Linx::R1,  Linx::R2,  Linx::R3,  Linx::R4,  Linx::R5,  Linx::R6,  Linx::R7,
    Linx::R8,  Linx::R9,  Linx::R10, Linx::R11, Linx::R12, Linx::R13, Linx::R14, Linx::R15,
    Linx::R16, Linx::R17, Linx::R18, Linx::R19, Linx::R20, Linx::R21, Linx::R22, Linx::R23,
    Linx::T1,  Linx::T2,  Linx::T3,  Linx::T4,  Linx::U1,  Linx::U2,  Linx::U3,  Linx::U4};

unsigned Linx::sourceRegister(unsigned Code) { return Registers[Code & 31]; }

unsigned Linx::destRegister(unsigned Code) {
  Code &= 31;
  if (Code < 24)
    return Registers[Code];
  return Code == 31 ? unsigned(Linx::TPUSH) : Code == 30 ? unsigned(Linx::UPUSH) : 0u;
}

linx_form Linx::longerForm(linx_form Form) {
  switch (Form) {
  case LINX_C_BSTART_DIRECT: return LINX_BSTART_DIRECT;
  case LINX_C_BSTART_COND: return LINX_BSTART_COND;
  case LINX_BSTART_DIRECT: return LINX_HL_BSTART_STD_DIRECT;
  case LINX_BSTART_COND: return LINX_HL_BSTART_STD_COND;
  case LINX_BSTART_STD_FALL: return LINX_HL_BSTART_STD_FALL;
  case LINX_BSTART_STD_DIRECT: return LINX_HL_BSTART_STD_DIRECT;
  case LINX_BSTART_STD_COND: return LINX_HL_BSTART_STD_COND;
  case LINX_BSTART_STD_CALL: return LINX_HL_BSTART_STD_CALL;
  case LINX_BSTART_SYS_FALL: return LINX_HL_BSTART_SYS_FALL;
  case LINX_BSTART_FP_FALL: return LINX_HL_BSTART_FP_FALL;
  case LINX_BSTART_FP_DIRECT: return LINX_HL_BSTART_FP_DIRECT;
  case LINX_BSTART_FP_COND: return LINX_HL_BSTART_FP_COND;
  case LINX_BSTART_FP_CALL: return LINX_HL_BSTART_FP_CALL;
  case LINX_C_SETRET: return LINX_SETRET;
  case LINX_SETRET: return LINX_HL_SETRET;
  case LINX_LB_PCR: return LINX_HL_LB_PCR;
  case LINX_LH_PCR: return LINX_HL_LH_PCR;
  case LINX_LW_PCR: return LINX_HL_LW_PCR;
  case LINX_LD_PCR: return LINX_HL_LD_PCR;
  case LINX_LBU_PCR: return LINX_HL_LBU_PCR;
  case LINX_LHU_PCR: return LINX_HL_LHU_PCR;
  case LINX_LWU_PCR: return LINX_HL_LWU_PCR;
  case LINX_SB_PCR: return LINX_HL_SB_PCR;
  case LINX_SH_PCR: return LINX_HL_SH_PCR;
  case LINX_SW_PCR: return LINX_HL_SW_PCR;
  case LINX_SD_PCR: return LINX_HL_SD_PCR;
  default: return LINX_NFORMS;
  }
}

Linx::FieldRange Linx::rangeOf(const linx_field &F) {
  int64_t Step = int64_t(1) << (F.scale + F.low);
  unsigned Width = F.width + F.scale;
  if (F.is_signed)
    return {-(int64_t(1) << (Width - 1)), (int64_t(1) << (Width - 1)) - Step, Step};
  return {0, (int64_t(1) << Width) - Step, Step};
}

bool Linx::fieldHolds(const linx_field &F, int64_t Value) {
  FieldRange R = rangeOf(F);
  return Value >= R.Min && Value <= R.Max && !(Value & (R.Step - 1));
}
