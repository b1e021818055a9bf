// SPDX-License-Identifier: BSD-2-Clause
#include "LinxMCTargetDesc.h"
#include "LinxForms.h"
#include "LinxInstPrinter.h"
#include "LinxMCAsmInfo.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

#define GET_INSTRINFO_MC_DESC
#define ENABLE_INSTR_PREDICATE_VERIFIER
#include "LinxGenInstrInfo.inc"
#define GET_REGINFO_MC_DESC
#include "LinxGenRegisterInfo.inc"
#define GET_SUBTARGETINFO_MC_DESC
#include "LinxGenSubtargetInfo.inc"

using namespace llvm;

static MCInstrInfo *createInstrInfo() {
  auto *X = new MCInstrInfo();
  InitLinxMCInstrInfo(X);
  return X;
}

static MCRegisterInfo *createRegisterInfo(const Triple &) {
  auto *X = new MCRegisterInfo();
  InitLinxMCRegisterInfo(X, Linx::R10);
  return X;
}

static MCSubtargetInfo *createSubtargetInfo(const Triple &TT, StringRef CPU, StringRef FS) {
  if (CPU.empty())
    CPU = "generic";
  return createLinxMCSubtargetInfoImpl(TT, CPU, /*TuneCPU=*/CPU, FS);
}

static MCAsmInfo *createAsmInfo(const MCRegisterInfo &MRI, const Triple &TT, const MCTargetOptions &) {
  auto *MAI = new LinxMCAsmInfo(TT);
  // On entry the canonical frame address is sp.
  unsigned SP = MRI.getDwarfRegNum(Linx::R1, true);
  MAI->addInitialFrameState(MCCFIInstruction::cfiDefCfa(nullptr, SP, 0));
  return MAI;
}

static MCInstPrinter *createInstPrinter(const Triple &, unsigned, const MCAsmInfo &MAI, const MCInstrInfo &MII,
                                        const MCRegisterInfo &MRI) {
  return new LinxInstPrinter(MAI, MII, MRI);
}

namespace {
class LinxMCInstrAnalysis : public MCInstrAnalysis {
public:
  explicit LinxMCInstrAnalysis(const MCInstrInfo *Info) : MCInstrAnalysis(Info) {}
  bool evaluateBranch(const MCInst &Inst, uint64_t Addr, uint64_t Size, uint64_t &Target) const override {
    linx_form F = Linx::formOf(Inst.getOpcode());
    if (F == LINX_NFORMS)
      return false;
    for (unsigned I = 0; I != linx_forms[F].nfields; ++I)
      if (linx_forms[F].field[I].kind == LINX_K_label && Inst.getOperand(I).isImm()) {
        Target = Addr + Inst.getOperand(I).getImm();
        return true;
      }
    return false;
  }
};
} // namespace

static MCInstrAnalysis *createInstrAnalysis(const MCInstrInfo *Info) { return new LinxMCInstrAnalysis(Info); }

extern "C" void LLVMInitializeLinx64TargetMC() {
  Target &T = getTheLinx64Target();
  TargetRegistry::RegisterMCAsmInfo(T, createAsmInfo);
  TargetRegistry::RegisterMCInstrInfo(T, createInstrInfo);
  TargetRegistry::RegisterMCRegInfo(T, createRegisterInfo);
  TargetRegistry::RegisterMCSubtargetInfo(T, createSubtargetInfo);
  TargetRegistry::RegisterMCInstPrinter(T, createInstPrinter);
  TargetRegistry::RegisterMCInstrAnalysis(T, createInstrAnalysis);
  TargetRegistry::RegisterMCCodeEmitter(T, createLinxMCCodeEmitter);
  TargetRegistry::RegisterMCAsmBackend(T, createLinxAsmBackend);
}
