// SPDX-License-Identifier: BSD-2-Clause
// Assembly text to instructions. docs/assembler.md describes the language.
#ifndef LINX_MC_ASMPARSER_H
#define LINX_MC_ASMPARSER_H

#include "LinxBlockState.h"
#include "LinxFormParser.h"
#include "LinxMCTargetDesc.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"

namespace llvm {

class LinxAsmParser : public MCTargetAsmParser {
public:
  LinxAsmParser(const MCSubtargetInfo &STI, MCAsmParser &Parser, const MCInstrInfo &MII, const MCTargetOptions &O);

  bool parseRegister(MCRegister &Reg, SMLoc &Start, SMLoc &End) override;
  ParseStatus tryParseRegister(MCRegister &Reg, SMLoc &Start, SMLoc &End) override;
  bool ParseInstruction(ParseInstructionInfo &Info, StringRef Name, SMLoc NameLoc, OperandVector &Operands) override;
  bool MatchAndEmitInstruction(SMLoc IDLoc, unsigned &Opcode, OperandVector &Operands, MCStreamer &Out,
                               uint64_t &ErrorInfo, bool MatchingInlineAsm) override;
  void convertToMapAndConstraints(unsigned, const OperandVector &) override {} // for MS inline assembly only
  ParseStatus parseDirective(AsmToken DirectiveID) override;
  void onLabelParsed(MCSymbol *Symbol) override { state().atLabel(Symbol); }

private:
  // One instruction of the statement, not yet emitted.
  struct Item {
    MCInst Inst;
    linx_form Form;
    uint64_t Word = 0;
  };
  struct Mnemonic {
    ArrayRef<uint16_t> Forms;
    StringRef Suffix;
    bool VSpelling = false, LSpelling = false;
  };

  bool findMnemonic(StringRef Name, Mnemonic &M) const;
  bool parseForms(const Mnemonic &M, StringRef Name, SMLoc Loc, LinxTokens &T);
  bool accept(linx_form Form, const LinxFormParser &P, const Mnemonic &M, StringRef Name, SMLoc Loc, LinxTokens &T);
  bool judge(linx_form Form, uint64_t Word, const LinxFormParser &P, const Mnemonic &M, SMLoc Loc, LinxTokens &T);
  linx_form shrink(linx_form Form, const LinxFormParser &P) const;
  LinxBlockState &state();

  // LinxBlockMacros.cpp: lines that become several instructions. *Known says whether Name is one.
  bool parseBlock(StringRef Name, SMLoc Loc, LinxTokens &T, bool &Known);
  bool parsePseudo(StringRef Name, SMLoc Loc, LinxTokens &T, bool &Known);
  struct BlockOperands;
  bool parseBlockOperands(LinxTokens &T, BlockOperands &B);
  bool parseDims(LinxTokens &T, BlockOperands &B);
  bool emitBlock(StringRef Name, SMLoc Loc, LinxTokens &T, BlockOperands &B);
  bool loadImmediate(int64_t V, unsigned Dst, SMLoc Loc, LinxTokens &T);
  // Adds an instruction with the given field values (encoded) after the check that it may stand here.
  bool add(linx_form Form, ArrayRef<std::pair<linx_field_name, int64_t>> Fields, SMLoc Loc, LinxTokens &T,
           const MCExpr *Symbol = nullptr, linx_field_name SymbolField = LINX_F_COUNT);
  bool parseSource(LinxTokens &T, unsigned &Code);
  bool parseDest(LinxTokens &T, unsigned &Code);

  MCAsmParser &Parser;
  StringMap<SmallVector<uint16_t, 8>> ByMnemonic;
  SmallVector<Item, 8> Pending;
  SmallVector<LinxAsmOptions, 4> Stack{TheLinxAsmOptions};
  DenseMap<const MCSection *, LinxBlockState> States;
};

} // namespace llvm

#endif
