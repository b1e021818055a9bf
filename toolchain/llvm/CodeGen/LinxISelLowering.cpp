// SPDX-License-Identifier: BSD-2-Clause
// Legal types and operations of Linx and the lowering of those that are not. Calls are in
// LinxCallLowering.cpp.
#include "LinxISelLowering.h"
#include "Linx.h"
#include "LinxMachineFunctionInfo.h"
#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetLoweringObjectFileImpl.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

#define DEBUG_TYPE "linx-lower"

LinxTargetLowering::LinxTargetLowering(const TargetMachine &TM, const LinxSubtarget &STI)
    : TargetLowering(TM), Subtarget(STI) {
  // f32 and f64 live in the general registers; there are no others.
  addRegisterClass(MVT::i64, &Linx::GPRRegClass);
  addRegisterClass(MVT::f64, &Linx::GPRRegClass);
  addRegisterClass(MVT::f32, &Linx::GPRRegClass);
  computeRegisterProperties(STI.getRegisterInfo());
  setStackPointerRegisterToSaveRestore(Linx::R1);
  setBooleanContents(ZeroOrOneBooleanContent);
  setMinFunctionAlignment(Align(2));
  setPrefFunctionAlignment(Align(2));
  setMinStackArgumentAlignment(Align(8));
  setMaxAtomicSizeInBitsSupported(64);
  setMinCmpXchgSizeInBits(8);
  setJumpIsExpensive(false);
  setMinimumJumpTableEntries(5);
  PredictableSelectIsExpensive = false;

  for (auto N : {ISD::EXTLOAD, ISD::SEXTLOAD, ISD::ZEXTLOAD})
    setLoadExtAction(N, MVT::i64, MVT::i1, Promote);
  setLoadExtAction(ISD::EXTLOAD, MVT::f64, MVT::f32, Expand);
  setLoadExtAction(ISD::EXTLOAD, MVT::f64, MVT::f16, Expand);
  setLoadExtAction(ISD::EXTLOAD, MVT::f32, MVT::f16, Expand);
  setTruncStoreAction(MVT::f64, MVT::f32, Expand);
  setTruncStoreAction(MVT::f64, MVT::f16, Expand);
  setTruncStoreAction(MVT::f32, MVT::f16, Expand);

  // Control flow. BRCOND is selected with its compare.
  setOperationAction(ISD::BR_JT, MVT::Other, Expand);
  setOperationAction(ISD::BRCOND, MVT::Other, Legal);
  for (MVT VT : {MVT::i64, MVT::f64, MVT::f32}) {
    setOperationAction(ISD::BR_CC, VT, Expand);
    setOperationAction(ISD::SELECT_CC, VT, Expand);
  }
  setOperationAction({ISD::DYNAMIC_STACKALLOC}, MVT::i64, Expand);
  setOperationAction({ISD::STACKSAVE, ISD::STACKRESTORE}, MVT::Other, Expand);
  setOperationAction(ISD::VASTART, MVT::Other, Custom);
  setOperationAction({ISD::VAARG, ISD::VACOPY, ISD::VAEND}, MVT::Other, Expand);
  setOperationAction({ISD::TRAP, ISD::DEBUGTRAP}, MVT::Other, Legal);
  setOperationAction({ISD::PREFETCH}, MVT::Other, Expand);
  setOperationAction(ISD::READCYCLECOUNTER, MVT::i64, Custom);
  setOperationAction(ISD::ATOMIC_FENCE, MVT::Other, Legal);
  setOperationAction(ISD::ATOMIC_LOAD_SUB, MVT::i64, Expand); // adds the negated value

  // Integers.
  setOperationAction(ISD::SIGN_EXTEND_INREG, {MVT::i1}, Expand);
  setOperationAction({ISD::GlobalAddress, ISD::BlockAddress, ISD::ConstantPool, ISD::JumpTable,
                      ISD::GlobalTLSAddress},
                     MVT::i64, Custom);
  setOperationAction({ISD::ADD, ISD::SUB, ISD::MUL, ISD::SHL, ISD::SRA, ISD::SRL}, MVT::i32,
                     Custom);
  setOperationAction({ISD::SDIV, ISD::UDIV, ISD::SREM, ISD::UREM}, MVT::i32, Custom);
  setOperationAction({ISD::CTLZ, ISD::CTLZ_ZERO_UNDEF, ISD::CTTZ, ISD::CTTZ_ZERO_UNDEF},
                     MVT::i32, Custom);
  setOperationAction(ISD::ROTL, MVT::i32, Custom);
  setOperationAction(ISD::ROTR, MVT::i32, Expand);
  setOperationAction(ISD::ROTL, MVT::i64, Custom);
  setOperationAction(ISD::ROTR, MVT::i64, Expand);
  setOperationAction({ISD::BSWAP, ISD::BITREVERSE, ISD::CTPOP, ISD::CTLZ, ISD::CTTZ}, MVT::i64,
                     Legal);
  setOperationAction({ISD::SMAX, ISD::SMIN, ISD::UMAX, ISD::UMIN}, MVT::i64, Legal);
  setOperationAction({ISD::SMUL_LOHI, ISD::UMUL_LOHI, ISD::SDIVREM, ISD::UDIVREM}, MVT::i64,
                     Legal);
  setOperationAction({ISD::MULHS, ISD::MULHU}, MVT::i64, Expand);
  setOperationAction({ISD::SHL_PARTS, ISD::SRL_PARTS, ISD::SRA_PARTS}, MVT::i64, Custom);

  // Floating point: fixed-function forms, the rest by library.
  for (MVT VT : {MVT::f64, MVT::f32}) {
    setOperationAction({ISD::FMA, ISD::FSQRT, ISD::FABS, ISD::FNEG, ISD::FCOPYSIGN, ISD::FMINNUM,
                        ISD::FMAXNUM},
                       VT, Legal);
    setOperationAction({ISD::FREM, ISD::FPOW, ISD::FPOWI, ISD::FSIN, ISD::FCOS, ISD::FSINCOS,
                        ISD::FMAD},
                       VT, Expand);
    setOperationAction({ISD::STRICT_FSETCC, ISD::STRICT_FSETCCS}, VT, Legal);
    setOperationAction({ISD::FP16_TO_FP, ISD::FP_TO_FP16}, VT, Expand);
    setOperationAction(ISD::ConstantFP, VT, Legal);
  }
  setOperationAction(ISD::BITCAST, MVT::i32, Custom);
  setOperationAction({ISD::FP_TO_SINT, ISD::FP_TO_UINT, ISD::SINT_TO_FP, ISD::UINT_TO_FP},
                     MVT::i64, Legal);
  setOperationAction({ISD::FP_TO_SINT_SAT, ISD::FP_TO_UINT_SAT}, MVT::i64, Expand);

  // Template blocks beat loops of loads and stores; see LinxSelectionDAGInfo.
  MaxStoresPerMemset = 4;
  MaxStoresPerMemsetOptSize = 3;
  MaxStoresPerMemcpy = 4;
  MaxStoresPerMemcpyOptSize = 3;
  MaxStoresPerMemmove = 8;
  MaxStoresPerMemmoveOptSize = 4;
  MaxLoadsPerMemcmp = 4;
  MaxLoadsPerMemcmpOptSize = 2;

  setTargetDAGCombine({ISD::ADD, ISD::SREM, ISD::UREM});
}

const char *LinxTargetLowering::getTargetNodeName(unsigned Opcode) const {
#define NODE(X) case LinxISD::X: return "LinxISD::" #X;
  switch (Opcode) {
    NODE(CALL) NODE(TAIL) NODE(RET_GLUE) NODE(WRAPPER) NODE(TPREL_ADD) NODE(READ_TP)
    NODE(SLLW) NODE(SRAW) NODE(SRLW) NODE(DIVW) NODE(DIVUW) NODE(REMW) NODE(REMUW)
    NODE(CLZW) NODE(CTZW) NODE(ROTLWI) NODE(F32_TO_BITS) NODE(BITS_TO_F32) NODE(READ_CYCLE)
    NODE(MCOPY) NODE(MSET)
  }
#undef NODE
  return nullptr;
}

//===--- properties asked by the optimizers ---------------------------------------------------===//

bool LinxTargetLowering::isLegalAddressingMode(const DataLayout &DL, const AddrMode &AM, Type *Ty,
                                               unsigned AS, Instruction *I) const {
  if (AM.ScalableOffset)
    return false;
  // Symbols are addressed as a whole (HL.*.PCR).
  if (AM.BaseGV)
    return AM.Scale == 0 && !AM.HasBaseReg && isInt<24>(AM.BaseOffs) &&
           !AM.BaseGV->isThreadLocal();
  switch (AM.Scale) {
  case 0: // base + offset; the short form reaches +-2048 units
    return isInt<14>(AM.BaseOffs);
  case 1:
    if (!AM.HasBaseReg)
      return isInt<14>(AM.BaseOffs);
    return AM.BaseOffs == 0;
  default: {
    if (AM.BaseOffs || !AM.HasBaseReg || AM.Scale < 0)
      return false;
    if (!Ty->isSized())
      return false;
    uint64_t Size = DL.getTypeStoreSize(Ty);
    // Loads take any power of two, stores only the access size; be exact when it is known.
    return isPowerOf2_64(AM.Scale) && uint64_t(AM.Scale) == Size && Size <= 8;
  }
  }
}

bool LinxTargetLowering::isTruncateFree(Type *Src, Type *Dst) const {
  return Src->isIntegerTy() && Dst->isIntegerTy() && Src->getIntegerBitWidth() == 64 &&
         Dst->getIntegerBitWidth() == 32;
}
bool LinxTargetLowering::isTruncateFree(EVT Src, EVT Dst) const {
  return Src == MVT::i64 && Dst == MVT::i32;
}
bool LinxTargetLowering::isZExtFree(SDValue Val, EVT VT2) const {
  if (auto *LD = dyn_cast<LoadSDNode>(Val)) {
    EVT MemVT = LD->getMemoryVT();
    if ((MemVT == MVT::i8 || MemVT == MVT::i16) &&
        (LD->getExtensionType() == ISD::NON_EXTLOAD || LD->getExtensionType() == ISD::ZEXTLOAD))
      return true;
  }
  return TargetLowering::isZExtFree(Val, VT2);
}
bool LinxTargetLowering::isFPImmLegal(const APFloat &Imm, EVT VT, bool) const {
  if (VT != MVT::f64 && VT != MVT::f32)
    return false;
  return LinxMatInt::generate(Imm.bitcastToAPInt().getSExtValue()).size() <= 2;
}

unsigned LinxTargetLowering::getJumpTableEncoding() const {
  // The address itself: the target of the jump is one load away.
  return MachineJumpTableInfo::EK_BlockAddress;
}

//===--- atomics -----------------------------------------------------------------------------===//

// Read-modify-write instructions carry acquire and release; plain loads and stores get fences.
bool LinxTargetLowering::shouldInsertFencesForAtomic(const Instruction *I) const {
  return isa<LoadInst>(I) || isa<StoreInst>(I);
}
Instruction *LinxTargetLowering::emitLeadingFence(IRBuilderBase &B, Instruction *I,
                                                  AtomicOrdering Ord) const {
  if (isa<LoadInst>(I) && Ord == AtomicOrdering::SequentiallyConsistent)
    return B.CreateFence(Ord);
  if (isa<StoreInst>(I) && isReleaseOrStronger(Ord))
    return B.CreateFence(AtomicOrdering::Release);
  return nullptr;
}
Instruction *LinxTargetLowering::emitTrailingFence(IRBuilderBase &B, Instruction *I,
                                                   AtomicOrdering Ord) const {
  if (isa<LoadInst>(I) && isAcquireOrStronger(Ord))
    return B.CreateFence(AtomicOrdering::Acquire);
  if (isa<StoreInst>(I) && Ord == AtomicOrdering::SequentiallyConsistent)
    return B.CreateFence(Ord);
  return nullptr;
}
TargetLowering::AtomicExpansionKind
LinxTargetLowering::shouldExpandAtomicRMWInIR(AtomicRMWInst *RMW) const {
  unsigned Size = RMW->getType()->getPrimitiveSizeInBits();
  switch (RMW->getOperation()) {
  case AtomicRMWInst::Xchg:
    return RMW->getType()->isIntegerTy() || RMW->getType()->isPointerTy()
               ? AtomicExpansionKind::None
               : AtomicExpansionKind::CmpXChg;
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return Size >= 32 ? AtomicExpansionKind::None : AtomicExpansionKind::CmpXChg;
  default:
    return AtomicExpansionKind::CmpXChg;
  }
}

//===--- operations ----------------------------------------------------------------------------===//

SDValue LinxTargetLowering::LowerOperation(SDValue Op, SelectionDAG &DAG) const {
  switch (Op.getOpcode()) {
  case ISD::GlobalAddress:
    return lowerGlobalAddress(Op, DAG);
  case ISD::GlobalTLSAddress:
    return lowerTLSAddress(Op, DAG);
  case ISD::BlockAddress: {
    auto *N = cast<BlockAddressSDNode>(Op);
    return DAG.getNode(LinxISD::WRAPPER, SDLoc(Op), MVT::i64,
                       DAG.getTargetBlockAddress(N->getBlockAddress(), MVT::i64, N->getOffset()));
  }
  case ISD::ConstantPool: {
    auto *N = cast<ConstantPoolSDNode>(Op);
    return DAG.getNode(LinxISD::WRAPPER, SDLoc(Op), MVT::i64,
                       DAG.getTargetConstantPool(N->getConstVal(), MVT::i64, N->getAlign(),
                                                 N->getOffset()));
  }
  case ISD::JumpTable: {
    auto *N = cast<JumpTableSDNode>(Op);
    return DAG.getNode(LinxISD::WRAPPER, SDLoc(Op), MVT::i64,
                       DAG.getTargetJumpTable(N->getIndex(), MVT::i64));
  }
  case ISD::VASTART:
    return lowerVASTART(Op, DAG);
  case ISD::FRAMEADDR:
    return lowerFRAMEADDR(Op, DAG);
  case ISD::RETURNADDR:
    return lowerRETURNADDR(Op, DAG);
  case ISD::SHL_PARTS:
    return lowerShiftParts(Op, DAG, true, false);
  case ISD::SRL_PARTS:
    return lowerShiftParts(Op, DAG, false, false);
  case ISD::SRA_PARTS:
    return lowerShiftParts(Op, DAG, false, true);
  case ISD::READCYCLECOUNTER: {
    SDLoc DL(Op);
    return DAG.getNode(LinxISD::READ_CYCLE, DL, DAG.getVTList(MVT::i64, MVT::Other),
                       Op.getOperand(0));
  }
  case ISD::ROTL: // by a constant: one extract; by a variable: shifts
    return isa<ConstantSDNode>(Op.getOperand(1)) ? Op : expandROT(Op.getNode(), true, DAG);
  case ISD::BITCAST: {
    SDLoc DL(Op);
    SDValue Src = Op.getOperand(0);
    if (Op.getValueType() == MVT::f32 && Src.getValueType() == MVT::i32)
      return DAG.getNode(LinxISD::BITS_TO_F32, DL, MVT::f32,
                         DAG.getNode(ISD::ANY_EXTEND, DL, MVT::i64, Src));
    return SDValue();
  }
  default:
    report_fatal_error("linx: operation without lowering");
  }
}

SDValue LinxTargetLowering::lowerGlobalAddress(SDValue Op, SelectionDAG &DAG) const {
  auto *N = cast<GlobalAddressSDNode>(Op);
  SDLoc DL(Op);
  const GlobalValue *GV = N->getGlobal();
  // A weak symbol that is missing has address 0, which may be out of the reach of ADDTPC: its
  // address is a literal.
  if (GV->hasExternalWeakLinkage()) {
    SDValue CP = DAG.getConstantPool(GV, MVT::i64);
    SDValue Addr = DAG.getLoad(MVT::i64, DL, DAG.getEntryNode(), CP,
                               MachinePointerInfo::getConstantPool(DAG.getMachineFunction()));
    return N->getOffset() ? DAG.getNode(ISD::ADD, DL, MVT::i64, Addr,
                                        DAG.getConstant(N->getOffset(), DL, MVT::i64))
                          : Addr;
  }
  return DAG.getNode(LinxISD::WRAPPER, DL, MVT::i64,
                     DAG.getTargetGlobalAddress(GV, DL, MVT::i64, N->getOffset()));
}

SDValue LinxTargetLowering::lowerTLSAddress(SDValue Op, SelectionDAG &DAG) const {
  auto *N = cast<GlobalAddressSDNode>(Op);
  if (DAG.getTarget().useEmulatedTLS())
    return LowerToTLSEmulatedModel(N, DAG);
  SDLoc DL(Op);
  SDValue Sym = DAG.getTargetGlobalAddress(N->getGlobal(), DL, MVT::i64, N->getOffset(),
                                           LinxII::MO_TPREL);
  SDValue TP = DAG.getNode(LinxISD::READ_TP, DL, MVT::i64);
  return DAG.getNode(LinxISD::TPREL_ADD, DL, MVT::i64, TP, Sym);
}

SDValue LinxTargetLowering::lowerVASTART(SDValue Op, SelectionDAG &DAG) const {
  MachineFunction &MF = DAG.getMachineFunction();
  auto *FI = MF.getInfo<LinxMachineFunctionInfo>();
  SDLoc DL(Op);
  const Value *SV = cast<SrcValueSDNode>(Op.getOperand(2))->getValue();
  return DAG.getStore(Op.getOperand(0), DL, DAG.getFrameIndex(FI->VarArgsFrameIndex, MVT::i64),
                      Op.getOperand(1), MachinePointerInfo(SV));
}

// With a frame pointer, s0 is the caller's sp; ra and the caller's s0 are just below it.
SDValue LinxTargetLowering::lowerFRAMEADDR(SDValue Op, SelectionDAG &DAG) const {
  MachineFunction &MF = DAG.getMachineFunction();
  MF.getFrameInfo().setFrameAddressIsTaken(true);
  SDLoc DL(Op);
  SDValue Addr = DAG.getCopyFromReg(DAG.getEntryNode(), DL, Linx::R11, MVT::i64);
  for (unsigned Depth = Op.getConstantOperandVal(0); Depth; --Depth)
    Addr = DAG.getLoad(MVT::i64, DL, DAG.getEntryNode(),
                       DAG.getNode(ISD::SUB, DL, MVT::i64, Addr,
                                   DAG.getConstant(16, DL, MVT::i64)),
                       MachinePointerInfo());
  return Addr;
}

SDValue LinxTargetLowering::lowerRETURNADDR(SDValue Op, SelectionDAG &DAG) const {
  MachineFunction &MF = DAG.getMachineFunction();
  MF.getFrameInfo().setReturnAddressIsTaken(true);
  SDLoc DL(Op);
  if (Op.getConstantOperandVal(0)) {
    SDValue Frame = lowerFRAMEADDR(Op, DAG);
    return DAG.getLoad(MVT::i64, DL, DAG.getEntryNode(),
                       DAG.getNode(ISD::SUB, DL, MVT::i64, Frame,
                                   DAG.getConstant(8, DL, MVT::i64)),
                       MachinePointerInfo());
  }
  Register Reg = MF.addLiveIn(Linx::R10, &Linx::GPRRegClass);
  return DAG.getCopyFromReg(DAG.getEntryNode(), DL, Reg, MVT::i64);
}

// Shifts of a 128-bit value by a variable amount, without a branch: selects on bit 6.
SDValue LinxTargetLowering::lowerShiftParts(SDValue Op, SelectionDAG &DAG, bool Left,
                                            bool Arith) const {
  SDLoc DL(Op);
  SDValue Lo = Op.getOperand(0), Hi = Op.getOperand(1), Sh = Op.getOperand(2);
  EVT VT = MVT::i64;
  SDValue C63 = DAG.getConstant(63, DL, VT), One = DAG.getConstant(1, DL, VT);
  SDValue Zero = DAG.getConstant(0, DL, VT);
  // The shifter uses the low six bits of the amount only.
  SDValue Amt = DAG.getNode(ISD::AND, DL, VT, Sh, C63);
  SDValue Inv = DAG.getNode(ISD::XOR, DL, VT, Amt, C63);
  SDValue Big = DAG.getNode(ISD::AND, DL, VT, Sh, DAG.getConstant(64, DL, VT));
  SDValue IsBig = DAG.getSetCC(DL, VT, Big, Zero, ISD::SETNE);
  auto Sel = [&](SDValue T, SDValue F) {
    return DAG.getNode(ISD::SELECT, DL, VT, IsBig, T, F);
  };
  if (Left) {
    SDValue LoS = DAG.getNode(ISD::SHL, DL, VT, Lo, Amt);
    SDValue Carry = DAG.getNode(ISD::SRL, DL, VT, DAG.getNode(ISD::SRL, DL, VT, Lo, One), Inv);
    SDValue HiS = DAG.getNode(ISD::OR, DL, VT, DAG.getNode(ISD::SHL, DL, VT, Hi, Amt), Carry);
    return DAG.getMergeValues({Sel(Zero, LoS), Sel(LoS, HiS)}, DL);
  }
  unsigned Sr = Arith ? ISD::SRA : ISD::SRL;
  SDValue HiS = DAG.getNode(Sr, DL, VT, Hi, Amt);
  SDValue Carry = DAG.getNode(ISD::SHL, DL, VT, DAG.getNode(ISD::SHL, DL, VT, Hi, One), Inv);
  SDValue LoS = DAG.getNode(ISD::OR, DL, VT, DAG.getNode(ISD::SRL, DL, VT, Lo, Amt), Carry);
  SDValue Fill = Arith ? DAG.getNode(ISD::SRA, DL, VT, Hi, C63) : Zero;
  return DAG.getMergeValues({Sel(HiS, LoS), Sel(Fill, HiS)}, DL);
}

static unsigned wOpcode(unsigned Opc) {
  switch (Opc) {
  case ISD::SHL: return LinxISD::SLLW;
  case ISD::SRA: return LinxISD::SRAW;
  case ISD::SRL: return LinxISD::SRLW;
  case ISD::SDIV: return LinxISD::DIVW;
  case ISD::UDIV: return LinxISD::DIVUW;
  case ISD::SREM: return LinxISD::REMW;
  case ISD::UREM: return LinxISD::REMUW;
  }
  llvm_unreachable("no W form");
}

void LinxTargetLowering::ReplaceNodeResults(SDNode *N, SmallVectorImpl<SDValue> &Results,
                                            SelectionDAG &DAG) const {
  SDLoc DL(N);
  auto Ext = [&](unsigned I, unsigned Kind = ISD::ANY_EXTEND) {
    return DAG.getNode(Kind, DL, MVT::i64, N->getOperand(I));
  };
  auto Trunc = [&](SDValue V) {
    Results.push_back(DAG.getNode(ISD::TRUNCATE, DL, MVT::i32, V));
  };
  auto SExt = [&](SDValue V) {
    return DAG.getNode(ISD::SIGN_EXTEND_INREG, DL, MVT::i64, V, DAG.getValueType(MVT::i32));
  };
  switch (N->getOpcode()) {
  case ISD::ADD:
  case ISD::SUB:
  case ISD::MUL: // sign-extended results are free and match what calls and compares want
    Trunc(SExt(DAG.getNode(N->getOpcode(), DL, MVT::i64, Ext(0), Ext(1))));
    return;
  case ISD::SHL:
  case ISD::SRA:
  case ISD::SRL:
    if (auto *C = dyn_cast<ConstantSDNode>(N->getOperand(1))) {
      // A constant amount is selected as shift, sign extension or bit field.
      if (N->getOpcode() == ISD::SHL && C->getZExtValue() < 32)
        Trunc(SExt(DAG.getNode(ISD::SHL, DL, MVT::i64, Ext(0),
                               DAG.getConstant(C->getZExtValue(), DL, MVT::i64))));
      return;
    }
    Trunc(DAG.getNode(wOpcode(N->getOpcode()), DL, MVT::i64, Ext(0), Ext(1)));
    return;
  case ISD::SDIV:
  case ISD::UDIV:
  case ISD::SREM:
  case ISD::UREM: {
    // Divisions by constants become multiplications later, when the type is legal.
    unsigned Kind = N->getOpcode() == ISD::SDIV || N->getOpcode() == ISD::SREM ? ISD::SIGN_EXTEND
                                                                             : ISD::ZERO_EXTEND;
    if (isa<ConstantSDNode>(N->getOperand(1)))
      Trunc(DAG.getNode(N->getOpcode(), DL, MVT::i64, Ext(0, Kind), Ext(1, Kind)));
    else
      Trunc(DAG.getNode(wOpcode(N->getOpcode()), DL, MVT::i64, Ext(0), Ext(1)));
    return;
  }
  case ISD::CTLZ:
  case ISD::CTLZ_ZERO_UNDEF:
    Trunc(DAG.getNode(LinxISD::CLZW, DL, MVT::i64, Ext(0)));
    return;
  case ISD::CTTZ:
  case ISD::CTTZ_ZERO_UNDEF:
    Trunc(DAG.getNode(LinxISD::CTZW, DL, MVT::i64, Ext(0)));
    return;
  case ISD::ROTL:
    if (auto *C = dyn_cast<ConstantSDNode>(N->getOperand(1)))
      Trunc(DAG.getNode(LinxISD::ROTLWI, DL, MVT::i64, Ext(0),
                        DAG.getTargetConstant(C->getZExtValue() & 31, DL, MVT::i64)));
    else
      Results.push_back(expandROT(N, true, DAG));
    return;
  case ISD::BITCAST:
    if (N->getValueType(0) == MVT::i32 && N->getOperand(0).getValueType() == MVT::f32)
      Trunc(DAG.getNode(LinxISD::F32_TO_BITS, DL, MVT::i64, N->getOperand(0)));
    return;
  default:
    report_fatal_error("linx: result type without lowering");
  }
}

// (symbol + x) + c becomes (symbol + c) + x: the address leaves the loop, and the access is one
// with an index.
static SDValue foldOffsetIntoSymbol(SDNode *N, SelectionDAG &DAG) {
  auto *C = dyn_cast<ConstantSDNode>(N->getOperand(1));
  SDValue Sum = N->getOperand(0);
  if (!C || Sum.getOpcode() != ISD::ADD || !Sum.hasOneUse() || !isInt<24>(C->getSExtValue()))
    return SDValue();
  for (unsigned I : {0u, 1u}) {
    SDValue W = Sum.getOperand(I);
    if (W.getOpcode() != LinxISD::WRAPPER)
      continue;
    auto *G = dyn_cast<GlobalAddressSDNode>(W.getOperand(0));
    if (!G)
      continue;
    SDLoc DL(N);
    SDValue Sym = DAG.getTargetGlobalAddress(G->getGlobal(), DL, MVT::i64,
                                             G->getOffset() + C->getSExtValue());
    return DAG.getNode(ISD::ADD, DL, MVT::i64,
                       DAG.getNode(LinxISD::WRAPPER, DL, MVT::i64, Sym), Sum.getOperand(1 - I));
  }
  return SDValue();
}

// A remainder whose quotient is wanted too: HL.DIV gives both.
static SDValue mergeDivRem(SDNode *N, TargetLowering::DAGCombinerInfo &DCI) {
  SelectionDAG &DAG = DCI.DAG;
  SDValue A = N->getOperand(0), B = N->getOperand(1);
  bool Signed = N->getOpcode() == ISD::SREM;
  unsigned Div = Signed ? ISD::SDIV : ISD::UDIV;
  if (DCI.isBeforeLegalizeOps() || isa<ConstantSDNode>(B))
    return SDValue();
  for (SDNode *User : A->uses()) {
    if (User->getOpcode() != Div || User->getOperand(0) != A || User->getOperand(1) != B)
      continue;
    SDValue Both = DAG.getNode(Signed ? ISD::SDIVREM : ISD::UDIVREM, SDLoc(N),
                               DAG.getVTList(MVT::i64, MVT::i64), A, B);
    DCI.CombineTo(User, Both.getValue(0));
    return Both.getValue(1);
  }
  return SDValue();
}

SDValue LinxTargetLowering::PerformDAGCombine(SDNode *N, DAGCombinerInfo &DCI) const {
  if ((N->getOpcode() == ISD::SREM || N->getOpcode() == ISD::UREM) &&
      N->getValueType(0) == MVT::i64)
    return mergeDivRem(N, DCI);
  if (N->getOpcode() == ISD::ADD && N->getValueType(0) == MVT::i64)
    return foldOffsetIntoSymbol(N, DCI.DAG);
  return SDValue();
}

//===--- inline assembly ----------------------------------------------------------------------===//

TargetLowering::ConstraintType LinxTargetLowering::getConstraintType(StringRef C) const {
  if (C.size() == 1) {
    switch (C[0]) {
    case 'I': // signed 12 bits
    case 'J': // zero
    case 'K': // unsigned 12 bits
      return C_Immediate;
    case 'A': // address in a register
      return C_Memory;
    case 'f': // floating-point value: general registers
      return C_RegisterClass;
    }
  }
  return TargetLowering::getConstraintType(C);
}

static Register parseRegName(StringRef Name) {
  Name = Name.trim("{}");
  std::string L = Name.lower();
  StringRef N = L;
  unsigned K;
  if (N == "zero")
    return Linx::R0;
  if (N == "sp")
    return Linx::R1;
  if (N == "ra")
    return Linx::R10;
  if (N == "fp")
    return Linx::R11;
  auto Num = [&](unsigned Limit) {
    return N.size() >= 2 && !N.drop_front().getAsInteger(10, K) && K < Limit;
  };
  if (N.starts_with("a") && Num(8))
    return Linx::R2 + K;
  if (N.starts_with("s") && Num(9))
    return Linx::R11 + K;
  if (N.starts_with("x") && Num(4))
    return Linx::R20 + K;
  if (N.starts_with("r") && Num(24))
    return Linx::R0 + K;
  return Register();
}

std::pair<unsigned, const TargetRegisterClass *>
LinxTargetLowering::getRegForInlineAsmConstraint(const TargetRegisterInfo *TRI, StringRef C,
                                                 MVT VT) const {
  if (C.size() == 1 && (C[0] == 'r' || C[0] == 'f'))
    return {0U, &Linx::GPRRegClass};
  if (C.size() > 2 && C[0] == '{')
    if (Register R = parseRegName(C))
      return {R, &Linx::GPRRegClass};
  return TargetLowering::getRegForInlineAsmConstraint(TRI, C, VT);
}

InlineAsm::ConstraintCode LinxTargetLowering::getInlineAsmMemConstraint(StringRef C) const {
  if (C == "A")
    return InlineAsm::ConstraintCode::A;
  return TargetLowering::getInlineAsmMemConstraint(C);
}

void LinxTargetLowering::LowerAsmOperandForConstraint(SDValue Op, StringRef C,
                                                      std::vector<SDValue> &Ops,
                                                      SelectionDAG &DAG) const {
  if (C.size() == 1 && (C[0] == 'I' || C[0] == 'J' || C[0] == 'K')) {
    if (auto *K = dyn_cast<ConstantSDNode>(Op)) {
      int64_t V = K->getSExtValue();
      bool Good = C[0] == 'I' ? isInt<12>(V) : C[0] == 'J' ? V == 0 : isUInt<12>(V);
      if (Good)
        Ops.push_back(DAG.getTargetConstant(V, SDLoc(Op), MVT::i64));
    }
    return;
  }
  TargetLowering::LowerAsmOperandForConstraint(Op, C, Ops, DAG);
}

Register LinxTargetLowering::getRegisterByName(const char *RegName, LLT VT,
                                               const MachineFunction &MF) const {
  Register R = parseRegName(RegName);
  if (R == Linx::R1 || R == Linx::R0 || R == Linx::R10)
    return R;
  report_fatal_error(Twine("a global register variable can only be sp, ra or zero, not ") +
                     RegName);
}

Register LinxTargetLowering::getExceptionPointerRegister(const Constant *) const {
  return Linx::R2;
}
Register LinxTargetLowering::getExceptionSelectorRegister(const Constant *) const {
  return Linx::R3;
}
