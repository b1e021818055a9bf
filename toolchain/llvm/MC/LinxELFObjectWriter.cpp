// SPDX-License-Identifier: BSD-2-Clause
// ELF files of e_machine 233, 64-bit, RELA.
#include "LinxMCTargetDesc.h"
#include "LinxRelocs.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCValue.h"

using namespace llvm;

namespace {
class LinxELFObjectWriter : public MCELFObjectTargetWriter {
public:
  LinxELFObjectWriter()
      : MCELFObjectTargetWriter(/*Is64Bit=*/true, ELF::ELFOSABI_NONE, /*EM_LINX=*/233,
                                /*HasRelocationAddend=*/true) {}

protected:
  unsigned getRelocType(MCContext &Ctx, const MCValue &Target, const MCFixup &Fixup,
                        bool IsPCRel) const override;
  // The linker relaxes nothing, so a section symbol and an offset always name the right place.
  bool needsRelocateWithSymbol(const MCValue &, const MCSymbol &, unsigned) const override { return false; }
};
} // namespace

unsigned LinxELFObjectWriter::getRelocType(MCContext &Ctx, const MCValue &, const MCFixup &Fixup,
                                           bool IsPCRel) const {
  unsigned Kind = Fixup.getTargetKind();
  if (Kind >= FirstLiteralRelocationKind)
    return Kind - FirstLiteralRelocationKind;
  switch (Kind) {
  case FK_NONE: return Linx::R_LINX_NONE;
  case FK_Data_1: if (!IsPCRel) return Linx::R_LINX_8; break;
  case FK_Data_2: if (!IsPCRel) return Linx::R_LINX_16; break;
  case FK_Data_4: return IsPCRel ? Linx::R_LINX_32_PCREL : Linx::R_LINX_32;
  case FK_Data_8: return IsPCRel ? Linx::R_LINX_64_PCREL : Linx::R_LINX_64;
  case FK_PCRel_4: return Linx::R_LINX_32_PCREL;
  case FK_PCRel_8: return Linx::R_LINX_64_PCREL;
  default:
    if (Kind >= FirstTargetFixupKind && Kind - FirstTargetFixupKind < Linx::relocs().size())
      return Linx::relocOfFixup(Kind).Number;
    break;
  }
  Ctx.reportError(Fixup.getLoc(), "no relocation for a PC-relative value of this size; "
                                  "4 and 8 bytes are possible");
  return Linx::R_LINX_NONE;
}

std::unique_ptr<MCObjectTargetWriter> llvm::createLinxELFObjectWriter() {
  return std::make_unique<LinxELFObjectWriter>();
}
