// SPDX-License-Identifier: BSD-2-Clause
// MCInst to bytes: the table's match word with every field put in. Symbolic operands become fixups at the
// first byte of the instruction, from where the relocations count.
#include "LinxForms.h"
#include "LinxMCExpr.h"
#include "LinxMCTargetDesc.h"
#include "LinxRelocs.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::Linx;

namespace {
class LinxMCCodeEmitter : public MCCodeEmitter {
  MCContext &Ctx;

  void addFixup(const MCInst &MI, const linx_form_desc &D, const linx_field &F, const MCExpr *E,
                SmallVectorImpl<MCFixup> &Fixups) const;
  int64_t valueOf(const MCInst &MI, const linx_form_desc &D, const linx_field &F, int64_t Imm) const;

public:
  explicit LinxMCCodeEmitter(MCContext &Ctx) : Ctx(Ctx) {}
  void encodeInstruction(const MCInst &MI, SmallVectorImpl<char> &CB, SmallVectorImpl<MCFixup> &Fixups,
                         const MCSubtargetInfo &STI) const override;
};
} // namespace

static RelocValue relocValueOf(const MCExpr *E, const linx_field &F) {
  if (auto *L = dyn_cast<LinxMCExpr>(E))
    switch (L->getOperator()) {
    case LinxMCExpr::PCRelHi: return RelocValue::PAGE;
    case LinxMCExpr::Lo: return RelocValue::LO12;
    case LinxMCExpr::Hi: return RelocValue::HI20;
    case LinxMCExpr::TPRelHi: return RelocValue::TPHI20;
    case LinxMCExpr::TPRelLo: return RelocValue::TPLO12;
    case LinxMCExpr::TPRel: return RelocValue::TP;
    case LinxMCExpr::GotHi: return RelocValue::GOTPAGE;
    case LinxMCExpr::GotLo: return RelocValue::GOTLO12;
    case LinxMCExpr::Invalid: break;
    }
  if (F.kind == LINX_K_label)
    return RelocValue::PC;
  return F.kind == LINX_K_page ? RelocValue::PAGE : RelocValue::ABS;
}

void LinxMCCodeEmitter::addFixup(const MCInst &MI, const linx_form_desc &D, const linx_field &F, const MCExpr *E,
                                 SmallVectorImpl<MCFixup> &Fixups) const {
  const Reloc *R = findReloc(F, D.length / 8, relocValueOf(E, F));
  if (!R) {
    Ctx.reportError(MI.getLoc(), Twine("operand ") + linx_field_names[F.name] + " of " + D.mnemonic +
                                     " cannot hold a symbol in this way: there is no relocation for it");
    return;
  }
  Fixups.push_back(MCFixup::create(0, E, fixupOf(*R), MI.getLoc()));
}

int64_t LinxMCCodeEmitter::valueOf(const MCInst &MI, const linx_form_desc &D, const linx_field &F,
                                   int64_t Imm) const {
  if (!fieldHolds(F, Imm))
    Ctx.reportError(MI.getLoc(), Twine(D.mnemonic) + ": " + Twine(Imm) + " does not fit operand " +
                                     linx_field_names[F.name]);
  return Imm >> F.scale;
}

void LinxMCCodeEmitter::encodeInstruction(const MCInst &MI, SmallVectorImpl<char> &CB,
                                          SmallVectorImpl<MCFixup> &Fixups, const MCSubtargetInfo &) const {
  linx_form Form = formOf(MI.getOpcode());
  if (Form == LINX_NFORMS) {
    Ctx.reportError(MI.getLoc(), "a pseudo-instruction of the compiler reached the assembler unexpanded");
    return;
  }
  const linx_form_desc &D = linx_forms[Form];
  uint64_t Word = D.match;
  if (MI.getNumOperands() < D.nfields) {
    Ctx.reportError(MI.getLoc(), Twine(D.id) + ": " + Twine(D.nfields) + " operands expected, " +
                                     Twine(MI.getNumOperands()) + " given");
    return;
  }
  for (unsigned I = 0; I != D.nfields; ++I) {
    const MCOperand &Op = MI.getOperand(I);
    const linx_field &F = D.field[I];
    if (Op.isReg())
      Word = linx_field_put(&F, Word, Ctx.getRegisterInfo()->getEncodingValue(Op.getReg()));
    else if (Op.isImm())
      Word = linx_field_put(&F, Word, valueOf(MI, D, F, Op.getImm()));
    else
      addFixup(MI, D, F, Op.getExpr(), Fixups);
  }
  for (unsigned I = 0; I != D.length / 8u; ++I)
    CB.push_back(char(Word >> (8 * I)));
}

MCCodeEmitter *llvm::createLinxMCCodeEmitter(const MCInstrInfo &, MCContext &Ctx) {
  return new LinxMCCodeEmitter(Ctx);
}
