// SPDX-License-Identifier: BSD-2-Clause
#include "LinxMCExpr.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/Casting.h"

using namespace llvm;

static const char *const Names[] = {"pcrel_hi", "lo",    "hi",     "tprel_hi",
                                    "tprel_lo", "tprel", "got_hi", "got_lo"};

const LinxMCExpr *LinxMCExpr::create(const MCExpr *Sub, Kind K, MCContext &Ctx) {
  return new (Ctx) LinxMCExpr(Sub, K);
}

LinxMCExpr::Kind LinxMCExpr::kindOf(StringRef Name) {
  for (unsigned I = 0; I != Invalid; ++I)
    if (Name == Names[I])
      return Kind(I);
  // The manual spells the pair of its jr example this way.
  if (Name == "tpcrel_hi")
    return PCRelHi;
  if (Name == "tpcrel_lo")
    return Lo;
  return Invalid;
}

StringRef LinxMCExpr::nameOf(Kind K) { return Names[K]; }

void LinxMCExpr::printImpl(raw_ostream &OS, const MCAsmInfo *MAI) const {
  OS << '%' << nameOf(K) << '(';
  Sub->print(OS, MAI);
  OS << ')';
}

bool LinxMCExpr::evaluateAsRelocatableImpl(MCValue &Res, const MCAssembler *Asm, const MCFixup *Fixup) const {
  if (!Sub->evaluateAsRelocatable(Res, Asm, Fixup))
    return false;
  // A difference of symbols has no page or thread offset.
  return !Res.getSymB();
}

void LinxMCExpr::visitUsedExpr(MCStreamer &Streamer) const { Streamer.visitUsedExpr(*Sub); }

static void markTLS(const MCExpr *E) {
  if (auto *S = dyn_cast<MCSymbolRefExpr>(E)) {
    cast<MCSymbolELF>(S->getSymbol()).setType(ELF::STT_TLS);
  } else if (auto *B = dyn_cast<MCBinaryExpr>(E)) {
    markTLS(B->getLHS());
    markTLS(B->getRHS());
  } else if (auto *U = dyn_cast<MCUnaryExpr>(E)) {
    markTLS(U->getSubExpr());
  }
}

void LinxMCExpr::fixELFSymbolsInTLSFixups(MCAssembler &) const {
  if (K == TPRelHi || K == TPRelLo || K == TPRel)
    markTLS(Sub);
}
