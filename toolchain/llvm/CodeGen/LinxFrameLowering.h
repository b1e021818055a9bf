// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXFRAMELOWERING_H
#define LINX_CODEGEN_LINXFRAMELOWERING_H

#include "llvm/CodeGen/TargetFrameLowering.h"

namespace llvm {
// A frame, from high to low addresses: stack arguments | registers of a variadic function | ra, s0,
// s1, ... as FENTRY stores them | locals and spills | outgoing arguments <- sp. s0, when used as
// frame pointer, holds the sp of the caller; s1 is the base pointer when sp moves in a realigned
// frame.
class LinxFrameLowering final : public TargetFrameLowering {
public:
  LinxFrameLowering() : TargetFrameLowering(StackGrowsDown, Align(16), 0) {}

  void emitPrologue(MachineFunction &MF, MachineBasicBlock &MBB) const override;
  void emitEpilogue(MachineFunction &MF, MachineBasicBlock &MBB) const override;
  StackOffset getFrameIndexReference(const MachineFunction &MF, int FI,
                                     Register &FrameReg) const override;
  void determineCalleeSaves(MachineFunction &MF, BitVector &SavedRegs,
                            RegScavenger *RS) const override;
  bool assignCalleeSavedSpillSlots(MachineFunction &MF, const TargetRegisterInfo *TRI,
                                   std::vector<CalleeSavedInfo> &CSI) const override;
  void processFunctionBeforeFrameFinalized(MachineFunction &MF, RegScavenger *RS) const override;
  // FENTRY, FEXIT and FRET.STK store and load the registers.
  bool spillCalleeSavedRegisters(MachineBasicBlock &, MachineBasicBlock::iterator,
                                 ArrayRef<CalleeSavedInfo>,
                                 const TargetRegisterInfo *) const override;
  bool restoreCalleeSavedRegisters(MachineBasicBlock &, MachineBasicBlock::iterator,
                                   MutableArrayRef<CalleeSavedInfo>,
                                   const TargetRegisterInfo *) const override {
    return true;
  }
  bool hasReservedCallFrame(const MachineFunction &MF) const override;
  MachineBasicBlock::iterator
  eliminateCallFramePseudoInstr(MachineFunction &MF, MachineBasicBlock &MBB,
                                MachineBasicBlock::iterator MI) const override;
  bool hasFP(const MachineFunction &MF) const override;
  bool hasBP(const MachineFunction &MF) const;
  bool enableShrinkWrapping(const MachineFunction &) const override { return true; }

private:
  void emitCFI(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
               const MCCFIInstruction &Inst) const;
};
} // namespace llvm

#endif
