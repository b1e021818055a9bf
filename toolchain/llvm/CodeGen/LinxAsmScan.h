// SPDX-License-Identifier: BSD-2-Clause
// What an inline assembly statement means for the blocks around it.
#ifndef LINX_CODEGEN_LINXASMSCAN_H
#define LINX_CODEGEN_LINXASMSCAN_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
struct LinxAsmScan {
  bool Empty = true;        // no instruction
  bool FirstStarts = false; // the first instruction starts a block
  bool OwnBlocks = false;   // some instruction starts or stops a block, or is unknown (a macro)
  bool EndsBlock = false;   // some instruction ends the block it is in (ACRC, BWI, ...)
  bool Sys = false;         // needs a SYS block
  bool FP = false;          // needs an FP block

  static LinxAsmScan scan(StringRef Text);
};
} // namespace llvm

#endif
