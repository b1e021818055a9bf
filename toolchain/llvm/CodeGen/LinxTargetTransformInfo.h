// SPDX-License-Identifier: BSD-2-Clause
// Costs that the optimizers ask for.
#ifndef LINX_CODEGEN_LINXTARGETTRANSFORMINFO_H
#define LINX_CODEGEN_LINXTARGETTRANSFORMINFO_H

#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "LinxTargetMachine.h"
#include "llvm/CodeGen/BasicTTIImpl.h"

namespace llvm {
class LinxTTIImpl final : public BasicTTIImplBase<LinxTTIImpl> {
  using Base = BasicTTIImplBase<LinxTTIImpl>;
  using TTI = TargetTransformInfo;
  friend Base;
  const LinxSubtarget *ST;
  const LinxTargetLowering *TLI;
  const LinxSubtarget *getST() const { return ST; }
  const LinxTargetLowering *getTLI() const { return TLI; }

public:
  LinxTTIImpl(const LinxTargetMachine *TM, const Function &F)
      : Base(TM, F.getDataLayout()), ST(TM->getSubtargetImpl(F)), TLI(ST->getTargetLowering()) {}

  TTI::PopcntSupportKind getPopcntSupport(unsigned Width) {
    return Width <= 64 ? TTI::PSK_FastHardware : TTI::PSK_Software;
  }
  unsigned getNumberOfRegisters(unsigned ClassID) const { return ClassID == 0 ? 21 : 0; }
  TypeSize getRegisterBitWidth(TTI::RegisterKind K) const {
    return TypeSize::getFixed(K == TTI::RGK_Scalar ? 64 : 0);
  }
  unsigned getMaxInterleaveFactor(ElementCount) { return 1; }
  // DIV and REM cost the same, so a remainder is not rebuilt from the quotient.
  bool hasDivRemOp(Type *T, bool) { return T->isIntegerTy() && T->getIntegerBitWidth() <= 64; }
  bool shouldBuildRelLookupTables() const { return false; }

  InstructionCost getIntImmCost(const APInt &Imm, Type *Ty, TTI::TargetCostKind) {
    if (Imm.getBitWidth() > 64)
      return 2 * TTI::TCC_Basic;
    if (Imm.isZero())
      return TTI::TCC_Free;
    size_t N = LinxMatInt::generate(Imm.getSExtValue()).size();
    return N == 0 ? 2 : N;
  }
  InstructionCost getIntImmCostInst(unsigned Opcode, unsigned Idx, const APInt &Imm, Type *Ty,
                                    TTI::TargetCostKind Kind, Instruction *Inst = nullptr) {
    if (Imm.getBitWidth() > 64)
      return TTI::TCC_Free;
    int64_t V = Imm.getSExtValue();
    bool Free = false;
    switch (Opcode) {
    case Instruction::GetElementPtr:
      return TTI::TCC_Free; // addresses are split later
    case Instruction::Add:
    case Instruction::Sub:
      Free = Idx == 1 && V > -(1 << 24) && V < (1 << 24);
      break;
    case Instruction::And:
    case Instruction::Or:
      Free = Idx == 1 && (isInt<24>(V) || isShiftedMask_64(V) || isShiftedMask_64(~V));
      break;
    case Instruction::Xor:
      Free = Idx == 1 && isInt<24>(V);
      break;
    case Instruction::ICmp:
      Free = Idx == 1 && isInt<24>(V);
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      Free = Idx == 1;
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return TTI::TCC_Free; // becomes a multiplication only as a constant
    case Instruction::Store:
      Free = Imm.isZero();
      break;
    case Instruction::PHI:
    case Instruction::Call:
    case Instruction::Select:
    case Instruction::Ret:
    case Instruction::Load:
    default:
      break;
    }
    return Free ? InstructionCost(TTI::TCC_Free) : getIntImmCost(Imm, Ty, Kind);
  }
  InstructionCost getIntImmCostIntrin(Intrinsic::ID, unsigned, const APInt &, Type *,
                                      TTI::TargetCostKind) {
    return TTI::TCC_Free;
  }
  void getUnrollingPreferences(Loop *L, ScalarEvolution &SE, TTI::UnrollingPreferences &UP,
                               OptimizationRemarkEmitter *ORE) {
    Base::getUnrollingPreferences(L, SE, UP, ORE);
    // Only loops that hardly grow are unrolled: every basic block costs a block start either way,
    // and code size counts on the small machines that this target is.
    UP.Partial = UP.Runtime = false;
    UP.Threshold = 60;
    UP.OptSizeThreshold = 0;
    UP.MaxPercentThresholdBoost = 150;
  }
};
} // namespace llvm

#endif
