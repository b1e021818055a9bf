// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_CODEGEN_LINXSUBTARGET_H
#define LINX_CODEGEN_LINXSUBTARGET_H

#include "LinxFrameLowering.h"
#include "LinxISelLowering.h"
#include "LinxInstrInfo.h"
#include "LinxRegisterInfo.h"
#include "LinxSelectionDAGInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#define GET_SUBTARGETINFO_HEADER
#include "LinxGenSubtargetInfo.inc"

namespace llvm {
class LinxTargetMachine;

// There is one Linx scalar core; the class only ties the parts together.
class LinxSubtarget final : public LinxGenSubtargetInfo {
  LinxFrameLowering FrameLowering;
  LinxInstrInfo InstrInfo;
  LinxRegisterInfo RegInfo;
  LinxTargetLowering TLInfo;
  LinxSelectionDAGInfo TSInfo;

public:
  LinxSubtarget(const Triple &TT, StringRef CPU, StringRef FS, const LinxTargetMachine &TM);
  void ParseSubtargetFeatures(StringRef CPU, StringRef TuneCPU, StringRef FS);

  const LinxFrameLowering *getFrameLowering() const override { return &FrameLowering; }
  const LinxInstrInfo *getInstrInfo() const override { return &InstrInfo; }
  const LinxRegisterInfo *getRegisterInfo() const override { return &RegInfo; }
  const LinxTargetLowering *getTargetLowering() const override { return &TLInfo; }
  const LinxSelectionDAGInfo *getSelectionDAGInfo() const override { return &TSInfo; }
  bool useAA() const override { return true; }
};
} // namespace llvm

#endif
