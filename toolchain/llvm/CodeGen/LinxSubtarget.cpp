// SPDX-License-Identifier: BSD-2-Clause
#include "LinxSubtarget.h"
#include "LinxTargetMachine.h"

using namespace llvm;

#define DEBUG_TYPE "linx-subtarget"

#define GET_SUBTARGETINFO_TARGET_DESC
#define GET_SUBTARGETINFO_CTOR
#include "LinxGenSubtargetInfo.inc"

LinxSubtarget::LinxSubtarget(const Triple &TT, StringRef CPU, StringRef FS,
                             const LinxTargetMachine &TM)
    : LinxGenSubtargetInfo(TT, CPU.empty() ? "generic" : CPU, CPU.empty() ? "generic" : CPU, FS),
      FrameLowering(), InstrInfo(*this), RegInfo(), TLInfo(TM, *this) {}
