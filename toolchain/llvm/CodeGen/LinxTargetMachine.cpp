// SPDX-License-Identifier: BSD-2-Clause
#include "LinxTargetMachine.h"
#include "Linx.h"
#include "LinxMachineFunctionInfo.h"
#include "LinxTargetTransformInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetLoweringObjectFileImpl.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Scalar.h"

using namespace llvm;

Target &llvm::getTheLinx64Target();

const char *LinxTargetMachine::dataLayout() {
  return "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128";
}

LinxTargetMachine::LinxTargetMachine(const Target &T, const Triple &TT, StringRef CPU, StringRef FS,
                                     const TargetOptions &Options, std::optional<Reloc::Model>,
                                     std::optional<CodeModel::Model> CM, CodeGenOptLevel OL, bool)
    : LLVMTargetMachine(T, dataLayout(), TT, CPU, FS, Options, Reloc::Static,
                        CM.value_or(CodeModel::Small), OL),
      TLOF(std::make_unique<TargetLoweringObjectFileELF>()), Subtarget(TT, CPU, FS, *this) {
  initAsmInfo();
  setMachineOutliner(false);
}

TargetTransformInfo LinxTargetMachine::getTargetTransformInfo(const Function &F) const {
  return TargetTransformInfo(LinxTTIImpl(this, F));
}

MachineFunctionInfo *
LinxTargetMachine::createMachineFunctionInfo(BumpPtrAllocator &Allocator, const Function &F,
                                             const TargetSubtargetInfo *STI) const {
  return LinxMachineFunctionInfo::create<LinxMachineFunctionInfo>(Allocator, F, STI);
}

namespace {
class LinxPassConfig final : public TargetPassConfig {
public:
  LinxPassConfig(LinxTargetMachine &TM, PassManagerBase &PM) : TargetPassConfig(TM, PM) {}

  void addIRPasses() override {
    addPass(createAtomicExpandLegacyPass());
    if (getOptLevel() == CodeGenOptLevel::Aggressive)
      addPass(createSeparateConstOffsetFromGEPPass());
    TargetPassConfig::addIRPasses();
  }
  bool addInstSelector() override {
    addPass(createLinxISelDag(getTM<LinxTargetMachine>(), getOptLevel()));
    return false;
  }
  void addMachineSSAOptimization() override {
    TargetPassConfig::addMachineSSAOptimization();
    addPass(createLinxSExtRemovalPass());
  }
  // The last passes: Linx blocks are made when every other pass is done with the control flow.
  void addPreEmitPass2() override {
    addPass(createLinxBlockFormerPass());
    addPass(createLinxShortenPass());
  }
};
} // namespace

TargetPassConfig *LinxTargetMachine::createPassConfig(PassManagerBase &PM) {
  return new LinxPassConfig(*this, PM);
}

extern "C" void LLVMInitializeLinx64Target() {
  RegisterTargetMachine<LinxTargetMachine> X(getTheLinx64Target());
  initializeLinxDAGToDAGISelLegacyPass(*PassRegistry::getPassRegistry());
}
