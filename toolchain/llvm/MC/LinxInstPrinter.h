// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_MC_INSTPRINTER_H
#define LINX_MC_INSTPRINTER_H

#include "linx_forms.h"
#include "llvm/MC/MCInstPrinter.h"

namespace llvm {

// Writes instructions in the syntax of linx.isa.
class LinxInstPrinter : public MCInstPrinter {
public:
  LinxInstPrinter(const MCAsmInfo &MAI, const MCInstrInfo &MII, const MCRegisterInfo &MRI)
      : MCInstPrinter(MAI, MII, MRI) {}

  std::pair<const char *, uint64_t> getMnemonic(const MCInst *MI) override;
  void printInst(const MCInst *MI, uint64_t Address, StringRef Annot, const MCSubtargetInfo &STI,
                 raw_ostream &OS) override;
  void printRegName(raw_ostream &OS, MCRegister Reg) const override;
  // TableGen-free: names come from LinxSyntax.
  static const char *getRegisterName(MCRegister Reg);

private:
  struct Printing; // one instruction on its way
};

} // namespace llvm

#endif
