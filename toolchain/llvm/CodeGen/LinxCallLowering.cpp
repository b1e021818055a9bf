// SPDX-License-Identifier: BSD-2-Clause
// Calls, arguments and returns. The convention (docs/target.md): arguments in a0-a7, then 8-byte
// stack slots; values of 16-byte alignment and two words start on an even register when variadic
// and on a 16-byte boundary in memory; results in a0 and a1; floating point in the same registers.
#include "Linx.h"
#include "LinxISelLowering.h"
#include "LinxMachineFunctionInfo.h"
#include "LinxRegisterInfo.h"
#include "LinxSubtarget.h"
#include "llvm/CodeGen/CallingConvLower.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

static const MCPhysReg ArgRegs[] = {Linx::R2, Linx::R3, Linx::R4, Linx::R5,
                                    Linx::R6, Linx::R7, Linx::R8, Linx::R9};

static void assignArg(unsigned I, MVT VT, ISD::ArgFlagsTy Flags, bool IsFixed, CCState &State) {
  bool Wide = Flags.isSplit() && Flags.getNonZeroOrigAlign() >= Align(16);
  if (Wide && !IsFixed) {
    unsigned Next = State.getFirstUnallocated(ArgRegs);
    if (Next < std::size(ArgRegs) && Next % 2)
      State.AllocateReg(ArgRegs[Next]);
  }
  if (MCRegister Reg = State.AllocateReg(ArgRegs)) {
    State.addLoc(CCValAssign::getReg(I, VT, Reg, VT, CCValAssign::Full));
    return;
  }
  unsigned Offset = State.AllocateStack(8, Align(Wide ? 16 : 8));
  State.addLoc(CCValAssign::getMem(I, VT, Offset, VT, CCValAssign::Full));
}

static void checkType(MVT VT) {
  if (VT != MVT::i64 && VT != MVT::f64 && VT != MVT::f32)
    report_fatal_error("linx: argument type without a place");
}

SDValue LinxTargetLowering::LowerFormalArguments(
    SDValue Chain, CallingConv::ID CC, bool IsVarArg, const SmallVectorImpl<ISD::InputArg> &Ins,
    const SDLoc &DL, SelectionDAG &DAG, SmallVectorImpl<SDValue> &InVals) const {
  MachineFunction &MF = DAG.getMachineFunction();
  MachineFrameInfo &MFI = MF.getFrameInfo();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallVector<CCValAssign, 16> Locs;
  CCState State(CC, IsVarArg, MF, Locs, *DAG.getContext());
  for (unsigned I = 0; I < Ins.size(); ++I) {
    checkType(Ins[I].VT);
    assignArg(I, Ins[I].VT, Ins[I].Flags, true, State);
  }

  for (const CCValAssign &VA : Locs) {
    if (VA.isRegLoc()) {
      Register V = MRI.createVirtualRegister(&Linx::GPRRegClass);
      MRI.addLiveIn(VA.getLocReg(), V);
      const ISD::InputArg &In = Ins[VA.getValNo()];
      if (In.isOrigArg()) {
        const Argument *A = MF.getFunction().getArg(In.getOrigArgIndex());
        if (A->getType()->isIntegerTy() && A->getType()->getIntegerBitWidth() <= 32 &&
            (A->hasSExtAttr() ||
             (A->hasZExtAttr() && A->getType()->getIntegerBitWidth() < 32)))
          MF.getInfo<LinxMachineFunctionInfo>()->SExtArguments.insert(V);
      }
      InVals.push_back(DAG.getCopyFromReg(Chain, DL, V, VA.getLocVT()));
      continue;
    }
    const ISD::InputArg &Arg = Ins[VA.getValNo()];
    if (Arg.Flags.isByVal()) {
      int FI = MFI.CreateFixedObject(Arg.Flags.getByValSize(), VA.getLocMemOffset(), false);
      InVals.push_back(DAG.getFrameIndex(FI, MVT::i64));
      continue;
    }
    int FI = MFI.CreateFixedObject(VA.getLocVT().getStoreSize(), VA.getLocMemOffset(), true);
    InVals.push_back(DAG.getLoad(VA.getLocVT(), DL, Chain, DAG.getFrameIndex(FI, MVT::i64),
                                 MachinePointerInfo::getFixedStack(MF, FI)));
  }

  if (IsVarArg) {
    // The registers that hold no named argument are stored just below the stack arguments, so that
    // one pointer walks over both.
    auto *Info = MF.getInfo<LinxMachineFunctionInfo>();
    unsigned First = State.getFirstUnallocated(ArgRegs);
    if (First == std::size(ArgRegs)) {
      Info->VarArgsFrameIndex = MFI.CreateFixedObject(8, State.getStackSize(), true);
    } else {
      int Size = 8 * int(std::size(ArgRegs) - First);
      Info->VarArgsFrameIndex = MFI.CreateFixedObject(8, -Size, false);
      Info->VarArgsSaveSize = alignTo(Size, 16);
      SmallVector<SDValue, 8> Stores;
      for (unsigned I = First; I < std::size(ArgRegs); ++I) {
        Register V = MRI.createVirtualRegister(&Linx::GPRRegClass);
        MRI.addLiveIn(ArgRegs[I], V);
        SDValue Val = DAG.getCopyFromReg(Chain, DL, V, MVT::i64);
        int FI = I == First ? Info->VarArgsFrameIndex
                            : MFI.CreateFixedObject(8, -Size + 8 * int(I - First), false);
        SDValue Store = DAG.getStore(Chain, DL, Val, DAG.getFrameIndex(FI, MVT::i64),
                                     MachinePointerInfo::getFixedStack(MF, FI));
        cast<StoreSDNode>(Store)->getMemOperand()->setValue((Value *)nullptr);
        Stores.push_back(Store);
      }
      if (Info->VarArgsSaveSize != unsigned(Size)) // keep the frame below aligned
        MFI.CreateFixedObject(8, -int(Info->VarArgsSaveSize), true);
      Stores.push_back(Chain);
      Chain = DAG.getNode(ISD::TokenFactor, DL, MVT::Other, Stores);
    }
  }
  return Chain;
}

SDValue LinxTargetLowering::LowerCall(CallLoweringInfo &CLI,
                                      SmallVectorImpl<SDValue> &InVals) const {
  SelectionDAG &DAG = CLI.DAG;
  SDLoc &DL = CLI.DL;
  MachineFunction &MF = DAG.getMachineFunction();
  SDValue Chain = CLI.Chain, Callee = CLI.Callee;

  SmallVector<CCValAssign, 16> Locs;
  CCState State(CLI.CallConv, CLI.IsVarArg, MF, Locs, *DAG.getContext());
  for (unsigned I = 0; I < CLI.Outs.size(); ++I) {
    const ISD::OutputArg &Out = CLI.Outs[I];
    checkType(Out.VT);
    if (Out.Flags.isByVal())
      report_fatal_error("linx: arguments of attribute byval are not supported");
    assignArg(I, Out.VT, Out.Flags, Out.IsFixed, State);
  }
  unsigned NumBytes = alignTo(State.getStackSize(), 16);

  if (CLI.IsTailCall) {
    const Function &Caller = MF.getFunction();
    CLI.IsTailCall = State.getStackSize() == 0 && !Caller.hasStructRetAttr() &&
                     (CLI.Outs.empty() || !CLI.Outs[0].Flags.isSRet()) &&
                     !Caller.hasFnAttribute("interrupt");
    // A weak function that may be missing is not jumped to: its address may be out of reach.
    if (auto *G = dyn_cast<GlobalAddressSDNode>(Callee))
      if (G->getGlobal()->hasExternalWeakLinkage())
        CLI.IsTailCall = false;
  }
  if (!CLI.IsTailCall && CLI.CB && CLI.CB->isMustTailCall())
    report_fatal_error("linx: a call marked musttail passes arguments on the stack");
  bool Tail = CLI.IsTailCall;

  if (!Tail)
    Chain = DAG.getCALLSEQ_START(Chain, NumBytes, 0, DL);
  SmallVector<std::pair<Register, SDValue>, 8> Regs;
  SmallVector<SDValue, 8> Stores;
  SDValue SP;
  for (unsigned I = 0; I < Locs.size(); ++I) {
    const CCValAssign &VA = Locs[I];
    SDValue V = CLI.OutVals[I];
    if (VA.isRegLoc()) {
      Regs.push_back({VA.getLocReg(), V});
      continue;
    }
    if (!SP)
      SP = DAG.getCopyFromReg(Chain, DL, Linx::R1, MVT::i64);
    SDValue Addr = DAG.getNode(ISD::ADD, DL, MVT::i64, SP,
                               DAG.getConstant(VA.getLocMemOffset(), DL, MVT::i64));
    Stores.push_back(DAG.getStore(Chain, DL, V, Addr,
                                  MachinePointerInfo::getStack(MF, VA.getLocMemOffset())));
  }
  if (!Stores.empty())
    Chain = DAG.getNode(ISD::TokenFactor, DL, MVT::Other, Stores);

  SDValue Glue;
  for (auto &[Reg, V] : Regs) {
    Chain = DAG.getCopyToReg(Chain, DL, Reg, V, Glue);
    Glue = Chain.getValue(1);
  }

  if (auto *G = dyn_cast<GlobalAddressSDNode>(Callee)) {
    if (!G->getGlobal()->hasExternalWeakLinkage())
      Callee = DAG.getTargetGlobalAddress(G->getGlobal(), DL, MVT::i64, G->getOffset());
  } else if (auto *E = dyn_cast<ExternalSymbolSDNode>(Callee)) {
    Callee = DAG.getTargetExternalSymbol(E->getSymbol(), MVT::i64);
  }

  SmallVector<SDValue, 12> Ops{Chain, Callee};
  for (auto &[Reg, V] : Regs)
    Ops.push_back(DAG.getRegister(Reg, V.getValueType()));
  if (!Tail) {
    const TargetRegisterInfo *TRI = Subtarget.getRegisterInfo();
    Ops.push_back(DAG.getRegisterMask(TRI->getCallPreservedMask(MF, CLI.CallConv)));
  }
  if (Glue)
    Ops.push_back(Glue);

  SDVTList Types = DAG.getVTList(MVT::Other, MVT::Glue);
  if (Tail) {
    MF.getFrameInfo().setHasTailCall();
    return DAG.getNode(LinxISD::TAIL, DL, Types, Ops);
  }
  Chain = DAG.getNode(LinxISD::CALL, DL, Types, Ops);
  DAG.addNoMergeSiteInfo(Chain.getNode(), CLI.NoMerge);
  Glue = Chain.getValue(1);
  Chain = DAG.getCALLSEQ_END(Chain, NumBytes, 0, Glue, DL);
  Glue = Chain.getValue(1);

  for (unsigned I = 0; I < CLI.Ins.size(); ++I) {
    MVT VT = CLI.Ins[I].VT;
    checkType(VT);
    SDValue V = DAG.getCopyFromReg(Chain, DL, ArgRegs[I], VT, Glue);
    Chain = V.getValue(1);
    Glue = V.getValue(2);
    InVals.push_back(V);
  }
  return Chain;
}

bool LinxTargetLowering::CanLowerReturn(CallingConv::ID, MachineFunction &, bool,
                                        const SmallVectorImpl<ISD::OutputArg> &Outs,
                                        LLVMContext &) const {
  return Outs.size() <= 2;
}

SDValue LinxTargetLowering::LowerReturn(SDValue Chain, CallingConv::ID, bool,
                                        const SmallVectorImpl<ISD::OutputArg> &Outs,
                                        const SmallVectorImpl<SDValue> &OutVals, const SDLoc &DL,
                                        SelectionDAG &DAG) const {
  SDValue Glue;
  SmallVector<SDValue, 4> Ops{Chain};
  for (unsigned I = 0; I < Outs.size(); ++I) {
    checkType(Outs[I].VT);
    Chain = DAG.getCopyToReg(Chain, DL, ArgRegs[I], OutVals[I], Glue);
    Glue = Chain.getValue(1);
    Ops.push_back(DAG.getRegister(ArgRegs[I], Outs[I].VT));
  }
  Ops[0] = Chain;
  if (Glue)
    Ops.push_back(Glue);
  return DAG.getNode(LinxISD::RET_GLUE, DL, MVT::Other, Ops);
}
