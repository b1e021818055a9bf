// SPDX-License-Identifier: BSD-2-Clause
// Symbolic operands with an operator: %pcrel_hi(sym), %lo(sym), ...
#ifndef LINX_MC_EXPR_H
#define LINX_MC_EXPR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCExpr.h"

namespace llvm {

class LinxMCExpr : public MCTargetExpr {
public:
  // The relocation value each asks for (linx_relocs.def) and its spelling.
  enum Kind {
    PCRelHi,  // %pcrel_hi   PAGE     ADDTPC
    Lo,       // %lo         LO12     ADDI
    Hi,       // %hi         HI20     LUI
    TPRelHi,  // %tprel_hi   TPHI20   LUI
    TPRelLo,  // %tprel_lo   TPLO12   ADDI
    TPRel,    // %tprel      TP       ADDI, HL.ADDI
    GotHi,    // %got_hi     GOTPAGE  ADDTPC
    GotLo,    // %got_lo     GOTLO12  ADDI
    Invalid
  };

  static const LinxMCExpr *create(const MCExpr *Sub, Kind K, MCContext &Ctx);
  static Kind kindOf(StringRef Name); // Name without '%'; Invalid when unknown
  static StringRef nameOf(Kind K);

  Kind getOperator() const { return K; }
  const MCExpr *getSubExpr() const { return Sub; }

  void printImpl(raw_ostream &OS, const MCAsmInfo *MAI) const override;
  bool evaluateAsRelocatableImpl(MCValue &Res, const MCAssembler *Asm, const MCFixup *Fixup) const override;
  void visitUsedExpr(MCStreamer &Streamer) const override;
  MCFragment *findAssociatedFragment() const override { return Sub->findAssociatedFragment(); }
  void fixELFSymbolsInTLSFixups(MCAssembler &Asm) const override;
  static bool classof(const MCExpr *E) { return E->getKind() == MCExpr::Target; }

private:
  LinxMCExpr(const MCExpr *Sub, Kind K) : Sub(Sub), K(K) {}
  const MCExpr *Sub;
  Kind K;
};

} // namespace llvm

#endif
