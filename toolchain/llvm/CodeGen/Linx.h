// SPDX-License-Identifier: BSD-2-Clause
// Passes of the Linx code generator and the enumerations they share.
#ifndef LINX_CODEGEN_LINX_H
#define LINX_CODEGEN_LINX_H

#include "llvm/CodeGen/CodeGenCommonISel.h"
#include "llvm/Support/CodeGen.h"

namespace llvm {
class FunctionPass;
class LinxTargetMachine;
class PassRegistry;

// Conditions of the compare-and-branch pseudo-instructions. Each but the last two has a SETC
// form; the negations of AND and OR need a second instruction.
enum class LinxCC : unsigned { EQ, NE, LT, GE, LTU, GEU, AND, NAND };

// SrcRType of a register operand (docs/target.md 2.1).
enum LinxSrcType : unsigned { LinxSW = 0, LinxUW = 1, LinxNeg = 2, LinxNone = 3 };

// Target flags of symbol operands in machine code.
namespace LinxII {
enum { MO_None, MO_PCREL_HI, MO_LO, MO_TPREL };
}

FunctionPass *createLinxISelDag(LinxTargetMachine &TM, CodeGenOptLevel OptLevel);
// Expands pseudo-instructions whose expansion needs no scratch register. Runs after register
// allocation, before block placement's last look at instruction sizes.
FunctionPass *createLinxExpandPseudoPass();
// Cuts machine basic blocks into Linx blocks: gives each its block start, moves branch targets into
// the starts and leaves only the condition in the body.
FunctionPass *createLinxBlockFormerPass();
// Turns values that die inside their Linx block into T queue values and picks the shortest form of
// every instruction.
FunctionPass *createLinxShortenPass();
// Removes sign extensions of values that are known to be sign-extended already.
FunctionPass *createLinxSExtRemovalPass();

void initializeLinxDAGToDAGISelLegacyPass(PassRegistry &);
} // namespace llvm

#endif
