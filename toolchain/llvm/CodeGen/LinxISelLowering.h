// SPDX-License-Identifier: BSD-2-Clause
// How LLVM's operations map to Linx: legal types and operations, calls, returns, inline assembly.
#ifndef LINX_CODEGEN_LINXISELLOWERING_H
#define LINX_CODEGEN_LINXISELLOWERING_H

#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {
class LinxSubtarget;

namespace LinxISD {
enum NodeType : unsigned {
  FIRST_NUMBER = ISD::BUILTIN_OP_END,
  CALL,
  TAIL,
  RET_GLUE,
  WRAPPER,     // address of a symbol
  TPREL_ADD,   // operand + offset of a thread-local symbol from TP
  READ_TP,
  SLLW, SRAW, SRLW, DIVW, DIVUW, REMW, REMUW, // 32 bits, result sign-extended
  CLZW, CTZW,
  ROTLWI,
  F32_TO_BITS,
  BITS_TO_F32,
  READ_CYCLE,
  MCOPY,
  MSET,
};
}

class LinxTargetLowering final : public TargetLowering {
  const LinxSubtarget &Subtarget;

public:
  LinxTargetLowering(const TargetMachine &TM, const LinxSubtarget &STI);

  const char *getTargetNodeName(unsigned Opcode) const override;
  SDValue LowerOperation(SDValue Op, SelectionDAG &DAG) const override;
  void ReplaceNodeResults(SDNode *N, SmallVectorImpl<SDValue> &Results,
                          SelectionDAG &DAG) const override;
  SDValue PerformDAGCombine(SDNode *N, DAGCombinerInfo &DCI) const override;

  EVT getSetCCResultType(const DataLayout &, LLVMContext &, EVT VT) const override {
    return VT.isVector() ? VT.changeVectorElementTypeToInteger() : EVT(MVT::i64);
  }
  MVT getScalarShiftAmountTy(const DataLayout &, EVT) const override { return MVT::i64; }
  bool isLegalAddressingMode(const DataLayout &DL, const AddrMode &AM, Type *Ty, unsigned AS,
                             Instruction *I = nullptr) const override;
  bool isLegalICmpImmediate(int64_t Imm) const override { return isInt<12>(Imm); }
  bool isLegalAddImmediate(int64_t Imm) const override { return Imm > -4096 && Imm < 4096; }
  bool isTruncateFree(Type *Src, Type *Dst) const override;
  bool isTruncateFree(EVT Src, EVT Dst) const override;
  bool isZExtFree(SDValue Val, EVT VT2) const override;
  bool isSExtCheaperThanZExt(EVT Src, EVT Dst) const override {
    return Src == MVT::i32 && Dst == MVT::i64;
  }
  bool isFPImmLegal(const APFloat &Imm, EVT VT, bool ForCodeSize) const override;
  bool isCheapToSpeculateCttz(Type *) const override { return true; }
  bool isCheapToSpeculateCtlz(Type *) const override { return true; }
  bool isFMAFasterThanFMulAndFAdd(const MachineFunction &, EVT VT) const override {
    return VT == MVT::f32 || VT == MVT::f64;
  }
  // Folded, every field of an object would get an address of its own; loads and stores fold the
  // offset when they are selected.
  bool isOffsetFoldingLegal(const GlobalAddressSDNode *GA) const override { return false; }
  bool allowsMisalignedMemoryAccesses(EVT VT, unsigned, Align, MachineMemOperand::Flags,
                                      unsigned *Fast) const override {
    // docs/target.md: plain loads and stores may be unaligned.
    if (Fast)
      *Fast = 1;
    return !VT.isVector();
  }
  bool shouldConvertConstantLoadToIntImm(const APInt &Imm, Type *) const override { return true; }
  bool hasAndNotCompare(SDValue) const override { return false; }
  bool hasAndNot(SDValue Y) const override { return !isa<ConstantSDNode>(Y); }
  bool convertSetCCLogicToBitwiseLogic(EVT VT) const override { return VT.isScalarInteger(); }
  bool signExtendConstant(const ConstantInt *CI) const override {
    return CI->getType()->isIntegerTy(32);
  }
  unsigned getJumpTableEncoding() const override;
  EVT getOptimalMemOpType(const MemOp &Op, const AttributeList &) const override {
    return Op.size() >= 8 ? MVT::i64 : MVT::Other;
  }

  bool shouldInsertFencesForAtomic(const Instruction *I) const override;
  Instruction *emitLeadingFence(IRBuilderBase &B, Instruction *I,
                                AtomicOrdering Ord) const override;
  Instruction *emitTrailingFence(IRBuilderBase &B, Instruction *I,
                                 AtomicOrdering Ord) const override;
  AtomicExpansionKind shouldExpandAtomicRMWInIR(AtomicRMWInst *RMW) const override;
  ISD::NodeType getExtendForAtomicOps() const override { return ISD::ANY_EXTEND; }
  ISD::NodeType getExtendForAtomicCmpSwapArg() const override { return ISD::ANY_EXTEND; }

  ConstraintType getConstraintType(StringRef Constraint) const override;
  std::pair<unsigned, const TargetRegisterClass *>
  getRegForInlineAsmConstraint(const TargetRegisterInfo *TRI, StringRef Constraint,
                               MVT VT) const override;
  InlineAsm::ConstraintCode getInlineAsmMemConstraint(StringRef C) const override;
  void LowerAsmOperandForConstraint(SDValue Op, StringRef Constraint, std::vector<SDValue> &Ops,
                                    SelectionDAG &DAG) const override;
  Register getRegisterByName(const char *RegName, LLT VT,
                             const MachineFunction &MF) const override;
  Register getExceptionPointerRegister(const Constant *) const override;
  Register getExceptionSelectorRegister(const Constant *) const override;

  bool mayBeEmittedAsTailCall(const CallInst *CI) const override { return CI->isTailCall(); }

private:
  SDValue LowerFormalArguments(SDValue Chain, CallingConv::ID CC, bool IsVarArg,
                               const SmallVectorImpl<ISD::InputArg> &Ins, const SDLoc &DL,
                               SelectionDAG &DAG, SmallVectorImpl<SDValue> &InVals) const override;
  bool CanLowerReturn(CallingConv::ID CC, MachineFunction &MF, bool IsVarArg,
                      const SmallVectorImpl<ISD::OutputArg> &Outs,
                      LLVMContext &Context) const override;
  SDValue LowerReturn(SDValue Chain, CallingConv::ID CC, bool IsVarArg,
                      const SmallVectorImpl<ISD::OutputArg> &Outs,
                      const SmallVectorImpl<SDValue> &OutVals, const SDLoc &DL,
                      SelectionDAG &DAG) const override;
  SDValue LowerCall(CallLoweringInfo &CLI, SmallVectorImpl<SDValue> &InVals) const override;
  bool isUsedByReturnOnly(SDNode *N, SDValue &Chain) const override { return false; }

  SDValue lowerGlobalAddress(SDValue Op, SelectionDAG &DAG) const;
  SDValue lowerTLSAddress(SDValue Op, SelectionDAG &DAG) const;
  SDValue lowerVASTART(SDValue Op, SelectionDAG &DAG) const;
  SDValue lowerFRAMEADDR(SDValue Op, SelectionDAG &DAG) const;
  SDValue lowerRETURNADDR(SDValue Op, SelectionDAG &DAG) const;
  SDValue lowerShiftParts(SDValue Op, SelectionDAG &DAG, bool Left, bool Arith) const;
};
} // namespace llvm

#endif
