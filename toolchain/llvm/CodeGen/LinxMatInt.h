// SPDX-License-Identifier: BSD-2-Clause
// Sequences that put a constant into a register.
#ifndef LINX_CODEGEN_LINXMATINT_H
#define LINX_CODEGEN_LINXMATINT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm::LinxMatInt {
// One step: PseudoLI first, then SLLI, ADDI, SUBI or BXU of the result before it.
struct Inst {
  unsigned Opc;
  int64_t Imm;  // for BXU: number of bits kept
};
using Sequence = SmallVector<Inst, 4>;

// The shortest known sequence for value; an empty one when a literal in memory is the better choice
// (more than three instructions).
Sequence generate(int64_t Value);
} // namespace llvm::LinxMatInt

#endif
