// SPDX-License-Identifier: BSD-2-Clause
// Resolves fixups within a section, lengthens instructions whose target is too far, pads code.
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxRelocs.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCFixupKindInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/EndianStream.h"
#include <vector>

using namespace llvm;
using namespace llvm::Linx;

namespace {
class LinxAsmBackend : public MCAsmBackend {
public:
  LinxAsmBackend() : MCAsmBackend(llvm::endianness::little) {}

  std::unique_ptr<MCObjectTargetWriter> createObjectTargetWriter() const override {
    return createLinxELFObjectWriter();
  }
  unsigned getNumFixupKinds() const override { return relocs().size(); }
  std::optional<MCFixupKind> getFixupKind(StringRef Name) const override;
  const MCFixupKindInfo &getFixupKindInfo(MCFixupKind Kind) const override;
  bool shouldForceRelocation(const MCAssembler &Asm, const MCFixup &Fixup, const MCValue &Target,
                             const MCSubtargetInfo *STI) override;
  void applyFixup(const MCAssembler &Asm, const MCFixup &Fixup, const MCValue &Target, MutableArrayRef<char> Data,
                  uint64_t Value, bool IsResolved, const MCSubtargetInfo *STI) const override;
  bool mayNeedRelaxation(const MCInst &Inst, const MCSubtargetInfo &STI) const override;
  bool fixupNeedsRelaxationAdvanced(const MCAssembler &Asm, const MCFixup &Fixup, bool Resolved, uint64_t Value,
                                    const MCRelaxableFragment *DF, const bool WasForced) const override;
  void relaxInstruction(MCInst &Inst, const MCSubtargetInfo &STI) const override;
  unsigned getMinimumNopSize() const override { return 2; }
  bool writeNopData(raw_ostream &OS, uint64_t Count, const MCSubtargetInfo *STI) const override;
};
} // namespace

std::optional<MCFixupKind> LinxAsmBackend::getFixupKind(StringRef Name) const {
  for (const Reloc &R : relocs())
    if (Name == R.Name)
      return MCFixupKind(FirstLiteralRelocationKind + R.Number);
  if (Name == "BFD_RELOC_NONE")
    return MCFixupKind(FirstLiteralRelocationKind);
  return std::nullopt;
}

const MCFixupKindInfo &LinxAsmBackend::getFixupKindInfo(MCFixupKind Kind) const {
  static const std::vector<MCFixupKindInfo> Infos = [] {
    std::vector<MCFixupKindInfo> V;
    for (const Reloc &R : relocs()) {
      bool PC = R.Value == RelocValue::PC || R.Value == RelocValue::PAGE || R.Value == RelocValue::GOTPAGE;
      V.push_back({R.Name, 0, 8 * R.Bytes, PC ? unsigned(MCFixupKindInfo::FKF_IsPCRel) : 0u});
    }
    return V;
  }();
  if (Kind >= FirstLiteralRelocationKind)
    return MCAsmBackend::getFixupKindInfo(FK_NONE);
  if (Kind < FirstTargetFixupKind)
    return MCAsmBackend::getFixupKindInfo(Kind);
  return Infos[Kind - FirstTargetFixupKind];
}

bool LinxAsmBackend::shouldForceRelocation(const MCAssembler &, const MCFixup &Fixup, const MCValue &,
                                           const MCSubtargetInfo *) {
  unsigned Kind = Fixup.getKind();
  if (Kind >= FirstLiteralRelocationKind)
    return true;
  // Only distances are known before linking; pages, absolute and thread addresses are not.
  return Kind >= FirstTargetFixupKind && relocOfFixup(Kind).Value != RelocValue::PC;
}

void LinxAsmBackend::applyFixup(const MCAssembler &Asm, const MCFixup &Fixup, const MCValue &,
                                MutableArrayRef<char> Data, uint64_t Value, bool IsResolved,
                                const MCSubtargetInfo *) const {
  unsigned Kind = Fixup.getKind();
  // RELA: what the linker will write needs no value here.
  if (Kind >= FirstLiteralRelocationKind || !IsResolved)
    return;
  unsigned Offset = Fixup.getOffset();
  if (Kind < FirstTargetFixupKind) {
    unsigned Bytes = getFixupKindInfo(Fixup.getKind()).TargetSize / 8;
    for (unsigned I = 0; I != Bytes; ++I)
      Data[Offset + I] |= char(Value >> (8 * I));
    return;
  }
  const Reloc &R = relocOfFixup(Kind);
  int64_t V = int64_t(Value);
  if (!fits(R, V)) {
    FieldRange F = rangeOf(*R.Field);
    int64_t Scale = int64_t(1) << (R.Shift - R.Field->scale > 0 ? R.Shift - R.Field->scale : 0);
    Asm.getContext().reportError(Fixup.getLoc(), "target is " + Twine(V) + " bytes away; this form reaches " +
                                                     Twine(F.Min * Scale) + " to " + Twine(F.Max * Scale) +
                                                     " in steps of " + Twine(F.Step * Scale));
    return;
  }
  uint64_t Word = 0;
  for (unsigned I = 0; I != R.Bytes; ++I)
    Word |= uint64_t(uint8_t(Data[Offset + I])) << (8 * I);
  Word = linx_field_put(R.Field, Word, V >> R.Shift);
  for (unsigned I = 0; I != R.Bytes; ++I)
    Data[Offset + I] = char(Word >> (8 * I));
}

bool LinxAsmBackend::mayNeedRelaxation(const MCInst &Inst, const MCSubtargetInfo &) const {
  linx_form F = formOf(Inst.getOpcode());
  if (F == LINX_NFORMS || longerForm(F) == LINX_NFORMS || (Inst.getFlags() & ExactForm))
    return false;
  for (const MCOperand &Op : Inst)
    if (Op.isExpr())
      return true;
  return false;
}

bool LinxAsmBackend::fixupNeedsRelaxationAdvanced(const MCAssembler &, const MCFixup &Fixup, bool Resolved,
                                                  uint64_t Value, const MCRelaxableFragment *,
                                                  const bool) const {
  if (Fixup.getKind() < FirstTargetFixupKind)
    return false;
  const Reloc &R = relocOfFixup(Fixup.getKind());
  // A target in another file or section: the 25-bit forms reach 32 MB, shorter ones might not do.
  if (!Resolved)
    return R.Field->width < 25;
  return !fits(R, int64_t(Value));
}

void LinxAsmBackend::relaxInstruction(MCInst &Inst, const MCSubtargetInfo &) const {
  Inst.setOpcode(opcodeOf(longerForm(formOf(Inst.getOpcode()))));
}

// Padding must be harmless between blocks as well as behind a block that falls through: empty blocks are.
bool LinxAsmBackend::writeNopData(raw_ostream &OS, uint64_t Count, const MCSubtargetInfo *) const {
  const linx_form_desc &D = linx_forms[LINX_C_BSTART_STD];
  uint16_t Pad = uint16_t(linx_field_put(&D.field[0], D.match, LINX_BrType_FALL));
  if (Count % 2)
    OS << '\0';
  for (uint64_t I = 0; I != Count / 2; ++I)
    support::endian::write<uint16_t>(OS, Pad, llvm::endianness::little);
  return true;
}

MCAsmBackend *llvm::createLinxAsmBackend(const Target &, const MCSubtargetInfo &, const MCRegisterInfo &,
                                         const MCTargetOptions &) {
  return new LinxAsmBackend();
}
