// SPDX-License-Identifier: BSD-2-Clause
// Removes sign extensions from 32 bits whose operand is sign-extended already, which the selector
// cannot see across basic blocks. Producers that are not, but could be had in a 32-bit form because
// nothing reads their upper half, are turned into that form.
#include "Linx.h"
#include "LinxMachineFunctionInfo.h"
#include "LinxSubtarget.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

#define DEBUG_TYPE "linx-sext"

namespace {
class LinxSExtRemoval final : public MachineFunctionPass {
public:
  static char ID;
  LinxSExtRemoval() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Linx sign extension removal"; }
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  MachineRegisterInfo *MRI = nullptr;
  const LinxInstrInfo *TII = nullptr;
  const LinxMachineFunctionInfo *Info = nullptr;

  bool isSignExtended(Register Reg, SmallPtrSetImpl<MachineInstr *> &Fix) const;
  bool onlyLowHalfRead(const MachineInstr &MI) const;
};
} // namespace

char LinxSExtRemoval::ID = 0;
FunctionPass *llvm::createLinxSExtRemovalPass() { return new LinxSExtRemoval(); }

static bool isSExtW(const MachineInstr &MI) {
  return MI.getOpcode() == Linx::BXS && MI.getOperand(2).getImm() == 31 &&
         MI.getOperand(3).getImm() == 0;
}

// The 32-bit form with the same operands, or 0.
static unsigned wForm(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case Linx::ADD: return Linx::ADDW;
  case Linx::SUB: return Linx::SUBW;
  case Linx::ADDI: return MI.getOperand(1).isReg() && MI.getOperand(2).isImm() ? Linx::ADDIW : 0;
  case Linx::SUBI: return Linx::SUBIW;
  case Linx::HL_ADDI: return MI.getOperand(2).isImm() ? Linx::HL_ADDIW : 0;
  case Linx::HL_SUBI: return Linx::HL_SUBIW;
  case Linx::MUL: return Linx::MULW;
  case Linx::MADD: return Linx::MADDW;
  case Linx::SLLI: return MI.getOperand(2).getImm() < 32 ? Linx::SLLIW : 0;
  case Linx::LWUI: return Linx::LWI;
  case Linx::LWU: return Linx::LW;
  case Linx::HL_LWU_PCR: return Linx::HL_LW_PCR;
  }
  return 0;
}

// Whether an instruction's result is the sign extension of its low 32 bits: yes, no, or as its
// operands listed in From are.
enum class Answer { Yes, No, Operands };
static Answer producesSExt(const MachineInstr &MI, SmallVectorImpl<unsigned> &From) {
  auto Imm = [&](unsigned I) { return MI.getOperand(I).getImm(); };
  switch (MI.getOpcode()) {
  case Linx::ADDW: case Linx::SUBW: case Linx::ANDW: case Linx::ORW: case Linx::XORW:
  case Linx::ADDIW: case Linx::SUBIW: case Linx::HL_ADDIW: case Linx::HL_SUBIW:
  case Linx::SLLW: case Linx::SRLW: case Linx::SRAW: case Linx::SLLIW: case Linx::SRLIW:
  case Linx::SRAIW: case Linx::MULW: case Linx::MADDW: case Linx::DIVW: case Linx::DIVUW:
  case Linx::REMW: case Linx::REMUW: case Linx::PseudoROTLWI:
  case Linx::LBI: case Linx::LB: case Linx::HL_LB_PCR: case Linx::LBUI: case Linx::LBU:
  case Linx::HL_LBU_PCR: case Linx::LHI: case Linx::LH: case Linx::HL_LH_PCR: case Linx::LHUI:
  case Linx::LHU: case Linx::HL_LHU_PCR: case Linx::LWI: case Linx::LW: case Linx::HL_LW_PCR:
  case Linx::CMP_EQ: case Linx::CMP_NE: case Linx::CMP_LT: case Linx::CMP_GE: case Linx::CMP_LTU:
  case Linx::CMP_GEU: case Linx::CMP_AND: case Linx::CMP_OR: case Linx::CMP_EQI:
  case Linx::CMP_NEI: case Linx::CMP_LTI: case Linx::CMP_GEI: case Linx::CMP_LTUI:
  case Linx::CMP_GEUI: case Linx::CMP_ANDI: case Linx::HL_CMP_EQI: case Linx::HL_CMP_NEI:
  case Linx::HL_CMP_LTI: case Linx::HL_CMP_GEI: case Linx::HL_CMP_LTUI: case Linx::HL_CMP_GEUI:
  case Linx::FEQ: case Linx::FLT: case Linx::FGE: case Linx::CLZ: case Linx::CTZ: case Linx::BCNT:
    return Answer::Yes;
  case Linx::BXS:
    return Imm(2) <= 31 ? Answer::Yes : Answer::No;
  case Linx::BXU:
    return Imm(2) < 31 ? Answer::Yes : Answer::No;
  case Linx::SRAI:
    if (Imm(2) >= 32)
      return Answer::Yes;
    From.push_back(1);
    return Answer::Operands;
  case Linx::SRLI:
    return Imm(2) > 32 ? Answer::Yes : Answer::No;
  case Linx::PseudoLI:
    return isInt<32>(Imm(1)) ? Answer::Yes : Answer::No;
  case Linx::ANDI:
    if (Imm(2) >= 0)
      return Answer::Yes;
    [[fallthrough]];
  case Linx::ORI:
  case Linx::XORI:
  case Linx::HL_ORI:
  case Linx::HL_XORI:
    From.push_back(1);
    return Answer::Operands;
  case Linx::HL_ANDI:
    if (Imm(2) >= 0)
      return Answer::Yes;
    From.push_back(1);
    return Answer::Operands;
  case Linx::AND:
  case Linx::OR:
  case Linx::XOR: // a shifted or extended right operand is another value; .not keeps the property
    if ((Imm(3) != LinxNone && Imm(3) != LinxNeg) || Imm(4))
      return Answer::No;
    From.append({1, 2});
    return Answer::Operands;
  case Linx::MIN: case Linx::MAX: case Linx::MINU: case Linx::MAXU: case Linx::REM:
    From.append({1, 2});
    return Answer::Operands;
  case Linx::CSEL: // (SrcL, SrcP, SrcR, SrcRType)
    if (Imm(4) != LinxNone)
      return Answer::No;
    From.append({1, 3});
    return Answer::Operands;
  case TargetOpcode::PHI:
    for (unsigned I = 1; I < MI.getNumOperands(); I += 2)
      From.push_back(I);
    return Answer::Operands;
  case TargetOpcode::COPY:
    From.push_back(1);
    return Answer::Operands;
  }
  return Answer::No;
}

// No reader of MI's result looks at bits 32 and up.
bool LinxSExtRemoval::onlyLowHalfRead(const MachineInstr &MI) const {
  SmallVector<const MachineInstr *, 8> Work{&MI};
  SmallPtrSet<const MachineInstr *, 16> Seen;
  while (!Work.empty()) {
    const MachineInstr *P = Work.pop_back_val();
    if (!Seen.insert(P).second)
      continue;
    if (Seen.size() > 32)
      return false;
    Register R = P->getOperand(0).getReg();
    if (!R.isVirtual())
      return false;
    for (const MachineOperand &U : MRI->use_nodbg_operands(R)) {
      const MachineInstr &User = *U.getParent();
      unsigned Op = User.getOperandNo(&U);
      auto Imm = [&](unsigned I) { return User.getOperand(I).getImm(); };
      switch (User.getOpcode()) {
      case Linx::ADDW: case Linx::SUBW: case Linx::ANDW: case Linx::ORW: case Linx::XORW:
      case Linx::ADDIW: case Linx::SUBIW: case Linx::HL_ADDIW: case Linx::HL_SUBIW:
      case Linx::SLLW: case Linx::SRLW: case Linx::SRAW: case Linx::SLLIW: case Linx::SRLIW:
      case Linx::SRAIW: case Linx::MULW: case Linx::MADDW: case Linx::MULUW: case Linx::DIVW:
      case Linx::DIVUW: case Linx::REMW: case Linx::REMUW: case Linx::PseudoROTLWI:
        continue;
      case Linx::SBI: case Linx::SHI: case Linx::SWI: case Linx::SB: case Linx::SH: case Linx::SW:
      case Linx::SH_U: case Linx::SW_U: case Linx::HL_SB_PCR: case Linx::HL_SH_PCR:
      case Linx::HL_SW_PCR:
        if (Op != 0)
          return false; // address
        continue;
      case Linx::BXS:
      case Linx::BXU:
        if (Imm(2) + Imm(3) > 31)
          return false;
        continue;
      case Linx::CMP_EQ: case Linx::CMP_NE: case Linx::CMP_LT: case Linx::CMP_GE:
      case Linx::CMP_LTU: case Linx::CMP_GEU:
        if (Op != 2 || Imm(3) > LinxUW)
          return false;
        continue;
      case Linx::ANDI:
        if (Imm(2) >= 0)
          continue;
        Work.push_back(&User);
        continue;
      case Linx::AND: case Linx::OR: case Linx::XOR: case Linx::ADD: case Linx::SUB:
        if (Op == 2 && Imm(3) <= LinxUW)
          continue; // extended from 32 bits
        if (Imm(3) <= LinxUW && Imm(4) == 0) {
          Work.push_back(&User);
          continue;
        }
        Work.push_back(&User);
        continue;
      case Linx::ORI: case Linx::XORI: case Linx::ADDI: case Linx::SUBI: case Linx::MUL:
      case Linx::SLLI: case TargetOpcode::PHI: case TargetOpcode::COPY:
        Work.push_back(&User);
        continue;
      case Linx::CSEL:
        if (Op == 2)
          return false; // the condition
        Work.push_back(&User);
        continue;
      default:
        return false;
      }
    }
  }
  return true;
}

// Whether Reg is sign-extended, given that the instructions put into Fix are changed to 32 bits.
bool LinxSExtRemoval::isSignExtended(Register Reg, SmallPtrSetImpl<MachineInstr *> &Fix) const {
  SmallVector<Register, 8> Work{Reg};
  SmallPtrSet<MachineInstr *, 16> Seen;
  while (!Work.empty()) {
    Register R = Work.pop_back_val();
    if (R == Linx::R0)
      continue;
    if (!R.isVirtual())
      return false;
    if (Info->SExtArguments.count(R))
      continue;
    MachineInstr *MI = MRI->getVRegDef(R);
    if (!MI)
      return false;
    if (!Seen.insert(MI).second)
      continue;
    if (Seen.size() > 64)
      return false;
    SmallVector<unsigned, 8> From;
    switch (producesSExt(*MI, From)) {
    case Answer::Yes:
      continue;
    case Answer::No:
      if (!wForm(*MI) || !onlyLowHalfRead(*MI))
        return false;
      Fix.insert(MI);
      continue;
    case Answer::Operands:
      for (unsigned I : From)
        Work.push_back(MI->getOperand(I).getReg());
    }
  }
  return true;
}

bool LinxSExtRemoval::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()))
    return false;
  MRI = &MF.getRegInfo();
  TII = MF.getSubtarget<LinxSubtarget>().getInstrInfo();
  Info = MF.getInfo<LinxMachineFunctionInfo>();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (!isSExtW(MI))
        continue;
      Register Dst = MI.getOperand(0).getReg(), Src = MI.getOperand(1).getReg();
      if (!Dst.isVirtual() || !Src.isVirtual() || Dst == Src)
        continue;
      // Does anyone read the upper half at all?
      SmallPtrSet<MachineInstr *, 4> Fix;
      if (!onlyLowHalfRead(MI) && !isSignExtended(Src, Fix))
        continue;
      for (MachineInstr *F : Fix) {
        F->setDesc(TII->get(wForm(*F)));
        F->clearFlag(MachineInstr::NoSWrap);
        F->clearFlag(MachineInstr::NoUWrap);
      }
      MRI->clearKillFlags(Src);
      MRI->replaceRegWith(Dst, Src);
      MI.eraseFromParent();
      Changed = true;
    }
  return Changed;
}
