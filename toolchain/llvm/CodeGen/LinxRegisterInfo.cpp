// SPDX-License-Identifier: BSD-2-Clause
#include "LinxRegisterInfo.h"
#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/RegisterScavenging.h"

using namespace llvm;

#define GET_REGINFO_TARGET_DESC
#include "LinxGenRegisterInfo.inc"

LinxRegisterInfo::LinxRegisterInfo() : LinxGenRegisterInfo(Linx::R10) {}

const MCPhysReg *LinxRegisterInfo::getCalleeSavedRegs(const MachineFunction *MF) const {
  return MF->getFunction().getCallingConv() == CallingConv::GHC ? CSR_NoRegs_SaveList
                                                                : CSR_Linx_SaveList;
}
const uint32_t *LinxRegisterInfo::getCallPreservedMask(const MachineFunction &,
                                                       CallingConv::ID CC) const {
  return CC == CallingConv::GHC ? CSR_NoRegs_RegMask : CSR_Linx_RegMask;
}
const uint32_t *LinxRegisterInfo::getNoPreservedMask() const { return CSR_NoRegs_RegMask; }

// ra is never allocated: the first instruction of a block that calls overwrites it. The queues are
// given out after register allocation, inside a block.
BitVector LinxRegisterInfo::getReservedRegs(const MachineFunction &MF) const {
  BitVector Reserved(getNumRegs());
  for (unsigned R : {Linx::R0, Linx::R1, Linx::R10, Linx::T1, Linx::T2, Linx::T3, Linx::T4,
                     Linx::U1, Linx::U2, Linx::U3, Linx::U4, Linx::TPUSH, Linx::UPUSH})
    Reserved.set(R);
  const auto *TFL = MF.getSubtarget<LinxSubtarget>().getFrameLowering();
  if (TFL->hasFP(MF))
    Reserved.set(Linx::R11);
  if (TFL->hasBP(MF))
    Reserved.set(Linx::R12);
  return Reserved;
}


Register LinxRegisterInfo::getFrameRegister(const MachineFunction &MF) const {
  return MF.getSubtarget().getFrameLowering()->hasFP(MF) ? Linx::R11 : Linx::R1;
}

const TargetRegisterClass *LinxRegisterInfo::getPointerRegClass(const MachineFunction &,
                                                                unsigned) const {
  return &Linx::GPRRegClass;
}

// Frame references are (base, byte offset) pairs; ADDI of a frame index is its address.
bool LinxRegisterInfo::eliminateFrameIndex(MachineBasicBlock::iterator II, int SPAdj,
                                           unsigned FIOperandNum, RegScavenger *RS) const {
  MachineInstr &MI = *II;
  MachineFunction &MF = *MI.getMF();
  MachineBasicBlock &MBB = *MI.getParent();
  const auto &STI = MF.getSubtarget<LinxSubtarget>();
  const LinxInstrInfo *TII = STI.getInstrInfo();
  DebugLoc DL = MI.getDebugLoc();
  Register Base;
  int FI = MI.getOperand(FIOperandNum).getIndex();
  int64_t Offset = STI.getFrameLowering()->getFrameIndexReference(MF, FI, Base).getFixed() +
                   MI.getOperand(FIOperandNum + 1).getImm();
  if (MI.isDebugValue()) {
    MI.getOperand(FIOperandNum).ChangeToRegister(Base, false);
    MI.getOperand(FIOperandNum + 1).setImm(Offset);
    return false;
  }
  bool IsAddress = MI.getOpcode() == Linx::ADDI;
  if (IsAddress) {
    TII->addConstant(MBB, II, DL, MI.getOperand(0).getReg(), Base, Offset, MachineInstr::NoFlags);
    MI.eraseFromParent();
    return true;
  }
  // Memory access or operand of inline assembly. The latter prints [base, offset] for any
  // instruction, so it gets an offset that every form takes.
  bool Fits = MI.isInlineAsm() ? isInt<12>(Offset) : isInt<22>(Offset);
  if (!Fits) {
    Register T = MF.getRegInfo().createVirtualRegister(&Linx::GPRRegClass);
    TII->addConstant(MBB, II, DL, T, Base, Offset, MachineInstr::NoFlags);
    MI.getOperand(FIOperandNum).ChangeToRegister(T, false, false, true);
    MI.getOperand(FIOperandNum + 1).ChangeToImmediate(0);
    return false;
  }
  MI.getOperand(FIOperandNum).ChangeToRegister(Base, false);
  MI.getOperand(FIOperandNum + 1).ChangeToImmediate(Offset);
  return false;
}
