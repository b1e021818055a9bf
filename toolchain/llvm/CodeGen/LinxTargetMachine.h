// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXTARGETMACHINE_H
#define LINX_CODEGEN_LINXTARGETMACHINE_H

#include "LinxSubtarget.h"
#include "llvm/Target/TargetMachine.h"
#include <optional>

namespace llvm {
class LinxTargetMachine final : public LLVMTargetMachine {
  std::unique_ptr<TargetLoweringObjectFile> TLOF;
  LinxSubtarget Subtarget;

public:
  LinxTargetMachine(const Target &T, const Triple &TT, StringRef CPU, StringRef FS,
                    const TargetOptions &Options, std::optional<Reloc::Model> RM,
                    std::optional<CodeModel::Model> CM, CodeGenOptLevel OL, bool JIT);

  // The layout every object of this target has (docs/target.md); the compiler driver uses it too.
  static const char *dataLayout();

  const LinxSubtarget *getSubtargetImpl(const Function &) const override { return &Subtarget; }
  TargetPassConfig *createPassConfig(PassManagerBase &PM) override;
  TargetLoweringObjectFile *getObjFileLowering() const override { return TLOF.get(); }
  TargetTransformInfo getTargetTransformInfo(const Function &F) const override;
  MachineFunctionInfo *createMachineFunctionInfo(BumpPtrAllocator &Allocator, const Function &F,
                                                 const TargetSubtargetInfo *STI) const override;
  bool isNoopAddrSpaceCast(unsigned, unsigned) const override { return true; }
};
} // namespace llvm

#endif
