// SPDX-License-Identifier: BSD-2-Clause
// From LLVM's opcodes and registers to the instruction table and back.
#ifndef LINX_MC_FORMS_H
#define LINX_MC_FORMS_H

#include "linx_forms.h"

namespace llvm {
namespace Linx {

// The table's form of an LLVM opcode, LINX_NFORMS for pseudo-instructions of the compiler.
linx_form formOf(unsigned Opcode);
// The LLVM opcode of a form.
unsigned opcodeOf(linx_form Form);

// The LLVM register of a 5-bit source operand, code 0..31.
unsigned sourceRegister(unsigned Code);
// The LLVM register of a 5-bit destination, 0 for the codes 24..29 that drop the result.
unsigned destRegister(unsigned Code);

// Flag of MCInst::setFlags: the form was asked for by name and must not become a longer one.
enum { ExactForm = 1 };

// The form that reaches farther than `Form` with the same operands, LINX_NFORMS when there is none.
linx_form longerForm(linx_form Form);

// Smallest and largest assembly value of a field and the step between values.
struct FieldRange {
  int64_t Min, Max, Step;
};
FieldRange rangeOf(const linx_field &F);
// Whether an assembly value (scaled) can be encoded in F.
bool fieldHolds(const linx_field &F, int64_t Value);

} // namespace Linx
} // namespace llvm

#endif
