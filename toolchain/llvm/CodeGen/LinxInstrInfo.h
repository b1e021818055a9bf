// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXINSTRINFO_H
#define LINX_CODEGEN_LINXINSTRINFO_H

#include "Linx.h"
#include "LinxRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

#define GET_INSTRINFO_HEADER
#include "LinxGenInstrInfo.inc"

namespace llvm {
class LinxSubtarget;

class LinxInstrInfo final : public LinxGenInstrInfo {
public:
  explicit LinxInstrInfo(const LinxSubtarget &STI);

  void copyPhysReg(MachineBasicBlock &MBB, MachineBasicBlock::iterator I, const DebugLoc &DL,
                   MCRegister Dst, MCRegister Src, bool KillSrc) const override;
  void storeRegToStackSlot(MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register Src,
                           bool IsKill, int FI, const TargetRegisterClass *RC,
                           const TargetRegisterInfo *TRI, Register VReg) const override;
  void loadRegFromStackSlot(MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register Dst,
                            int FI, const TargetRegisterClass *RC, const TargetRegisterInfo *TRI,
                            Register VReg) const override;
  Register isLoadFromStackSlot(const MachineInstr &MI, int &FI) const override;
  Register isStoreToStackSlot(const MachineInstr &MI, int &FI) const override;

  bool analyzeBranch(MachineBasicBlock &MBB, MachineBasicBlock *&TBB, MachineBasicBlock *&FBB,
                     SmallVectorImpl<MachineOperand> &Cond, bool AllowModify) const override;
  unsigned insertBranch(MachineBasicBlock &MBB, MachineBasicBlock *TBB, MachineBasicBlock *FBB,
                        ArrayRef<MachineOperand> Cond, const DebugLoc &DL,
                        int *BytesAdded = nullptr) const override;
  unsigned removeBranch(MachineBasicBlock &MBB, int *BytesRemoved = nullptr) const override;
  bool reverseBranchCondition(SmallVectorImpl<MachineOperand> &Cond) const override;

  // Dst = Src + Value by the shortest sequence; Value may have any size.
  void addConstant(MachineBasicBlock &MBB, MachineBasicBlock::iterator I, const DebugLoc &DL,
                   Register Dst, Register Src, int64_t Value, MachineInstr::MIFlag Flag) const;
};
} // namespace llvm

#endif
