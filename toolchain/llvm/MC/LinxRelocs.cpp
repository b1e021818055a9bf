// SPDX-License-Identifier: BSD-2-Clause
#include "LinxRelocs.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace llvm;
using namespace llvm::Linx;

static const linx_field *lookupField(StringRef Form, StringRef Field) {
  if (Form == "-")
    return nullptr;
  for (const linx_form_desc &D : linx_forms)
    if (Form == D.id)
      for (unsigned I = 0; I != D.nfields; ++I)
        if (Field == linx_field_names[D.field[I].name])
          return &D.field[I];
  report_fatal_error("linx_relocs.def names a field that linx.isa does not have");
}

static const std::vector<Reloc> &table() {
  static const std::vector<Reloc> V = {
#define LINX_RELOC(NAME, NUMBER, VALUE, BYTES, FORM, FIELD, SHIFT, RANGE)                          \
  {"R_LINX_" #NAME, NUMBER, RelocValue::VALUE, BYTES, lookupField(#FORM, #FIELD), SHIFT, RelocRange::RANGE},
#include "linx_relocs.def"
  };
  return V;
}

ArrayRef<Reloc> Linx::relocs() { return table(); }

const Reloc *Linx::relocByNumber(unsigned Number) {
  for (const Reloc &R : table())
    if (R.Number == Number)
      return &R;
  return nullptr;
}

MCFixupKind Linx::fixupOf(const Reloc &R) {
  return MCFixupKind(FirstTargetFixupKind + (&R - table().data()));
}

static bool samePieces(const linx_field &A, const linx_field &B) {
  if (A.npieces != B.npieces)
    return false;
  for (unsigned I = 0; I != A.npieces; ++I)
    if (A.piece[I].lsb != B.piece[I].lsb || A.piece[I].width != B.piece[I].width ||
        A.piece[I].shift != B.piece[I].shift)
      return false;
  return true;
}

const Reloc *Linx::findReloc(const linx_field &Field, unsigned Bytes, RelocValue Value) {
  const Reloc *Found = nullptr;
  for (const Reloc &R : table()) {
    if (!R.Field || R.Value != Value || R.Bytes != Bytes || !samePieces(*R.Field, Field))
      continue;
    // B17_PCREL and PCR17_LOAD fill the same bits, one in halfwords, the other in bytes.
    if (Value == RelocValue::PC && R.Shift != Field.scale)
      continue;
    // Two entries may differ only in the range they allow: prefer the field's own signedness.
    if ((R.Range == RelocRange::SIGNED) == bool(Field.is_signed))
      return &R;
    if (!Found)
      Found = &R;
  }
  return Found;
}

bool Linx::fits(const Reloc &R, int64_t Value) {
  unsigned Width = (R.Field ? R.Field->width : 8 * R.Bytes) + R.Shift;
  unsigned Low = R.Field ? R.Field->low + R.Shift : 0;
  if (Value & (maskTrailingOnes<uint64_t>(Low)))
    return false;
  bool S = isIntN(Width, Value), U = isUIntN(Width, Value);
  switch (R.Range) {
  case RelocRange::SIGNED: return S;
  case RelocRange::UNSIGNED: return U;
  case RelocRange::EITHER: return S || U;
  case RelocRange::ANY: return true;
  }
  llvm_unreachable("covered switch");
}
