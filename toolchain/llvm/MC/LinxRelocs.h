// SPDX-License-Identifier: BSD-2-Clause
// The ELF relocations (toolchain/isa/linx_relocs.def) as the assembler's fixups. Fixup kind
// FirstTargetFixupKind + i is entry i of the list.
#ifndef LINX_MC_RELOCS_H
#define LINX_MC_RELOCS_H

#include "linx_forms.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCFixup.h"

namespace llvm {
namespace Linx {

// What a relocation computes; the comment of linx_relocs.def explains each.
enum class RelocValue { NONE, ABS, PC, PAGE, LO12, GOTPAGE, GOTLO12, TP, TPHI20, TPLO12, DTP, HI20, DYNAMIC };
enum class RelocRange { SIGNED, UNSIGNED, EITHER, ANY };

enum RelocNumber : unsigned {
#define LINX_RELOC(NAME, NUMBER, VALUE, BYTES, FORM, FIELD, SHIFT, RANGE) R_LINX_##NAME = NUMBER,
#include "linx_relocs.def"
};

struct Reloc {
  const char *Name; // with R_LINX_
  unsigned Number;
  RelocValue Value;
  unsigned Bytes;
  const linx_field *Field; // null for data
  unsigned Shift;
  RelocRange Range;
};

ArrayRef<Reloc> relocs();
const Reloc *relocByNumber(unsigned Number);
inline const Reloc &relocOfFixup(unsigned Kind) { return relocs()[Kind - FirstTargetFixupKind]; }
MCFixupKind fixupOf(const Reloc &R);

// The relocation that gives `Field` of an instruction of `Bytes` bytes the value `Value`; null when
// the list has none.
const Reloc *findReloc(const linx_field &Field, unsigned Bytes, RelocValue Value);

// Whether `Value` (bytes) fits the field of R, alignment included.
bool fits(const Reloc &R, int64_t Value);

} // namespace Linx
} // namespace llvm

#endif
