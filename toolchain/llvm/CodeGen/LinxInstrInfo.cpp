// SPDX-License-Identifier: BSD-2-Clause
#include "LinxInstrInfo.h"
#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

#define GET_INSTRINFO_CTOR_DTOR
#include "LinxGenInstrInfo.inc"

LinxInstrInfo::LinxInstrInfo(const LinxSubtarget &)
    : LinxGenInstrInfo(Linx::ADJCALLSTACKDOWN, Linx::ADJCALLSTACKUP) {}

void LinxInstrInfo::copyPhysReg(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                                const DebugLoc &DL, MCRegister Dst, MCRegister Src,
                                bool KillSrc) const {
  BuildMI(MBB, I, DL, get(Linx::C_MOVR), Dst).addReg(Src, getKillRegState(KillSrc));
}

static MachineMemOperand *slotOperand(MachineFunction &MF, int FI, MachineMemOperand::Flags F) {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  return MF.getMachineMemOperand(MachinePointerInfo::getFixedStack(MF, FI), F,
                                 MFI.getObjectSize(FI), MFI.getObjectAlign(FI));
}

void LinxInstrInfo::storeRegToStackSlot(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                                        Register Src, bool IsKill, int FI,
                                        const TargetRegisterClass *, const TargetRegisterInfo *,
                                        Register) const {
  BuildMI(MBB, I, DebugLoc(), get(Linx::SDI))
      .addReg(Src, getKillRegState(IsKill))
      .addFrameIndex(FI)
      .addImm(0)
      .addMemOperand(slotOperand(*MBB.getParent(), FI, MachineMemOperand::MOStore));
}

void LinxInstrInfo::loadRegFromStackSlot(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                                         Register Dst, int FI, const TargetRegisterClass *,
                                         const TargetRegisterInfo *, Register) const {
  BuildMI(MBB, I, DebugLoc(), get(Linx::LDI), Dst)
      .addFrameIndex(FI)
      .addImm(0)
      .addMemOperand(slotOperand(*MBB.getParent(), FI, MachineMemOperand::MOLoad));
}

Register LinxInstrInfo::isLoadFromStackSlot(const MachineInstr &MI, int &FI) const {
  if (MI.getOpcode() != Linx::LDI || !MI.getOperand(1).isFI() || MI.getOperand(2).getImm())
    return Register();
  FI = MI.getOperand(1).getIndex();
  return MI.getOperand(0).getReg();
}
Register LinxInstrInfo::isStoreToStackSlot(const MachineInstr &MI, int &FI) const {
  if (MI.getOpcode() != Linx::SDI || !MI.getOperand(1).isFI() || MI.getOperand(2).getImm())
    return Register();
  FI = MI.getOperand(1).getIndex();
  return MI.getOperand(0).getReg();
}

//===--- branches ------------------------------------------------------------------------------===//
// A condition is: opcode, LinxCC, left, right or immediate, and SrcRType for registers.

static bool isCondBranch(unsigned Opc) {
  return Opc == Linx::PseudoBRRR || Opc == Linx::PseudoBRRI;
}

static void parseCond(MachineInstr &MI, MachineBasicBlock *&Target,
                      SmallVectorImpl<MachineOperand> &Cond) {
  unsigned N = MI.getNumExplicitOperands();
  Target = MI.getOperand(N - 1).getMBB();
  Cond.push_back(MachineOperand::CreateImm(MI.getOpcode()));
  for (unsigned I = 0; I + 1 < N; ++I)
    Cond.push_back(MI.getOperand(I));
}

bool LinxInstrInfo::analyzeBranch(MachineBasicBlock &MBB, MachineBasicBlock *&TBB,
                                  MachineBasicBlock *&FBB, SmallVectorImpl<MachineOperand> &Cond,
                                  bool AllowModify) const {
  TBB = FBB = nullptr;
  MachineBasicBlock::iterator I = MBB.getLastNonDebugInstr();
  if (I == MBB.end() || !isUnpredicatedTerminator(*I))
    return false;

  // Only the instructions up to the first barrier matter.
  MachineBasicBlock::iterator First = MBB.end();
  unsigned Count = 0;
  for (auto J = I.getReverse(); J != MBB.rend() && isUnpredicatedTerminator(*J); ++J) {
    ++Count;
    if (J->getDesc().isUnconditionalBranch() || J->getDesc().isIndirectBranch())
      First = J.getReverse();
  }
  if (AllowModify && First != MBB.end())
    while (std::next(First) != MBB.end()) {
      std::next(First)->eraseFromParent();
      --Count;
    }
  I = MBB.getLastNonDebugInstr();
  if (Count > 2)
    return true;
  if (Count == 1 && I->getOpcode() == Linx::PseudoBR) {
    TBB = I->getOperand(0).getMBB();
    return false;
  }
  if (Count == 1 && isCondBranch(I->getOpcode())) {
    parseCond(*I, TBB, Cond);
    return false;
  }
  if (Count == 2 && isCondBranch(std::prev(I)->getOpcode()) && I->getOpcode() == Linx::PseudoBR) {
    parseCond(*std::prev(I), TBB, Cond);
    FBB = I->getOperand(0).getMBB();
    return false;
  }
  return true;
}

unsigned LinxInstrInfo::insertBranch(MachineBasicBlock &MBB, MachineBasicBlock *TBB,
                                     MachineBasicBlock *FBB, ArrayRef<MachineOperand> Cond,
                                     const DebugLoc &DL, int *BytesAdded) const {
  unsigned Count = 0;
  if (Cond.empty()) {
    BuildMI(&MBB, DL, get(Linx::PseudoBR)).addMBB(TBB);
    Count = 1;
  } else {
    auto MIB = BuildMI(&MBB, DL, get(Cond[0].getImm()));
    for (const MachineOperand &MO : Cond.drop_front())
      MIB.add(MO);
    MIB.addMBB(TBB);
    Count = 1;
    if (FBB) {
      BuildMI(&MBB, DL, get(Linx::PseudoBR)).addMBB(FBB);
      ++Count;
    }
  }
  if (BytesAdded)
    *BytesAdded = 8 * Count;
  return Count;
}

unsigned LinxInstrInfo::removeBranch(MachineBasicBlock &MBB, int *BytesRemoved) const {
  unsigned Count = 0;
  for (auto I = MBB.getLastNonDebugInstr(); I != MBB.end(); I = MBB.getLastNonDebugInstr()) {
    if (I->getOpcode() != Linx::PseudoBR && !isCondBranch(I->getOpcode()))
      break;
    I->eraseFromParent();
    ++Count;
  }
  if (BytesRemoved)
    *BytesRemoved = 8 * Count;
  return Count;
}

bool LinxInstrInfo::reverseBranchCondition(SmallVectorImpl<MachineOperand> &Cond) const {
  // The codes come in pairs of opposites.
  Cond[1].setImm(Cond[1].getImm() ^ 1);
  return false;
}

void LinxInstrInfo::addConstant(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                                const DebugLoc &DL, Register Dst, Register Src, int64_t Value,
                                MachineInstr::MIFlag Flag) const {
  uint64_t Abs = Value < 0 ? 0 - uint64_t(Value) : uint64_t(Value);
  if (isUInt<24>(Abs)) {
    unsigned Opc = isUInt<12>(Abs) ? (Value < 0 ? Linx::SUBI : Linx::ADDI)
                                   : (Value < 0 ? Linx::HL_SUBI : Linx::HL_ADDI);
    BuildMI(MBB, I, DL, get(Opc), Dst).addReg(Src).addImm(Abs).setMIFlag(Flag);
    return;
  }
  if (!isInt<32>(Value))
    report_fatal_error("a stack frame of 2 GB or more");
  // x3 is free where frames are set up and taken down; elsewhere the scavenger finds a register.
  bool Frame = Flag != MachineInstr::NoFlags;
  Register T = Frame ? Register(Linx::R23)
                     : MBB.getParent()->getRegInfo().createVirtualRegister(&Linx::GPRRegClass);
  BuildMI(MBB, I, DL, get(Linx::HL_LIS), T).addImm(Value).setMIFlag(Flag);
  BuildMI(MBB, I, DL, get(Linx::ADD), Dst)
      .addReg(Src)
      .addReg(T, RegState::Kill)
      .addImm(LinxNone)
      .addImm(0)
      .setMIFlag(Flag);
}
