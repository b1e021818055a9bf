// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_MC_ASMINFO_H
#define LINX_MC_ASMINFO_H

#include "llvm/MC/MCAsmInfoELF.h"

namespace llvm {
class Triple;

// How Linx assembly text looks. The manual writes t#1 and S#1 mistakes alike with '#', so comments begin
// with "//" (or are /* */); linx-as also takes " #" at the end of a line.
class LinxMCAsmInfo : public MCAsmInfoELF {
  void anchor() override;

public:
  explicit LinxMCAsmInfo(const Triple &TT);
};
} // namespace llvm

#endif
