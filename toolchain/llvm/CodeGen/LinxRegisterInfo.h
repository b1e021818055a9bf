// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXREGISTERINFO_H
#define LINX_CODEGEN_LINXREGISTERINFO_H

#include "LinxMCTargetDesc.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

#define GET_REGINFO_HEADER
#include "LinxGenRegisterInfo.inc"

namespace llvm {
class LinxRegisterInfo final : public LinxGenRegisterInfo {
public:
  LinxRegisterInfo();

  const MCPhysReg *getCalleeSavedRegs(const MachineFunction *MF) const override;
  const uint32_t *getCallPreservedMask(const MachineFunction &MF, CallingConv::ID) const override;
  const uint32_t *getNoPreservedMask() const override;
  BitVector getReservedRegs(const MachineFunction &MF) const override;
  Register getFrameRegister(const MachineFunction &MF) const override;
  bool eliminateFrameIndex(MachineBasicBlock::iterator II, int SPAdj, unsigned FIOperandNum,
                           RegScavenger *RS) const override;
  bool requiresRegisterScavenging(const MachineFunction &) const override { return true; }
  bool requiresFrameIndexScavenging(const MachineFunction &) const override { return true; }
  const TargetRegisterClass *getPointerRegClass(const MachineFunction &, unsigned) const override;
};
} // namespace llvm

#endif
