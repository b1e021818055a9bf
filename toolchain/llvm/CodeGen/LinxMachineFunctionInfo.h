// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXMACHINEFUNCTIONINFO_H
#define LINX_CODEGEN_LINXMACHINEFUNCTIONINFO_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace llvm {
// What the code generator remembers about a function.
class LinxMachineFunctionInfo final : public MachineFunctionInfo {
public:
  int VarArgsFrameIndex = 0;
  // Bytes that a variadic function reserves above its frame for a-registers.
  unsigned VarArgsSaveSize = 0;
  // Virtual registers of arguments that the caller has sign-extended from 32 bits or fewer.
  DenseSet<Register> SExtArguments;

  LinxMachineFunctionInfo(const Function &, const TargetSubtargetInfo *) {}
  MachineFunctionInfo *
  clone(BumpPtrAllocator &Allocator, MachineFunction &DestMF,
        const DenseMap<MachineBasicBlock *, MachineBasicBlock *> &) const override {
    return DestMF.cloneInfo<LinxMachineFunctionInfo>(*this);
  }
};
} // namespace llvm

#endif
