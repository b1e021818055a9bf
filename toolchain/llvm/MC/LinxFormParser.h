// SPDX-License-Identifier: BSD-2-Clause
// Parses the operands of one form as its SYNTAX column says.
#ifndef LINX_MC_FORMPARSER_H
#define LINX_MC_FORMPARSER_H

#include "LinxSyntax.h"
#include "LinxTokens.h"
#include "llvm/MC/MCInst.h"

namespace llvm {

struct LinxOperand {
  bool Given = false;
  int64_t Raw = 0;             // encoded value, when Expr is null
  const MCExpr *Expr = nullptr; // a symbol
  bool Numeric = false;        // a label operand written as number
  SMLoc Loc;
};

class LinxFormParser {
public:
  LinxFormParser(linx_form Form, LinxTokens &T, MCContext &Ctx, MCStreamer &Out)
      : Form(Form), D(linx_forms[Form]), T(T), Ctx(Ctx), Out(Out) {}

  // Suffix: what follows the form's mnemonic in the word, without the first dot. SuffixLoc: where it is.
  bool parse(StringRef Suffix, SMLoc SuffixLoc);
  MCInst instruction(SMLoc Loc) const;
  const LinxOperand &operand(unsigned I) const { return Ops[I]; }
  // One 5-bit operand, for pseudo-instructions: the form must have SrcL and RegDst.
  bool parseSourceOnly(unsigned &Code);
  bool parseDestOnly(unsigned &Code);
  // The word of the instruction, symbols as 0.
  uint64_t word() const;

private:
  bool suffix(StringRef Suffix, SMLoc L);
  bool items(const Linx::linx_syntax_item *S);
  bool field(unsigned I, unsigned Kind, const Linx::linx_syntax_item *Next);
  bool set(unsigned I, int64_t Raw, SMLoc L);
  bool source(unsigned I, unsigned Kind);
  bool destination(unsigned I);
  bool vectorSource(unsigned I, bool Float);
  bool vectorDest(unsigned I);
  bool immediate(unsigned I, unsigned Kind, bool Shift);
  bool value(unsigned I, int64_t V, SMLoc L);
  bool named(unsigned I, unsigned Kind);
  bool extra(); // {name=value}

  // LinxHeaderParser.cpp
  bool custom(StringRef Name);
  bool ior();
  bool iorRegister(int64_t &R);
  bool ios();
  bool iot();
  bool catr();
  bool datr();
  bool hint();
  bool trace();
  bool put(linx_field_name Name, int64_t Raw, SMLoc L);

  linx_form Form;
  const linx_form_desc &D;
  LinxTokens &T;
  MCContext &Ctx;
  MCStreamer &Out;
  LinxOperand Ops[LINX_MAX_FIELDS];
};

namespace Linx {
// Operand pieces that one-line block forms share with header instructions (LinxHeaderParser.cpp). Each returns
// false after T.fail.
struct TileOperand {
  bool Shared = false;
  unsigned Code = 0;  // Local source: 6-bit code; Local destination: hand; Shared: register number
  bool Reuse = false; // Local source
  unsigned Size = 0;  // destination: imm4 or SizeCode
  SMLoc Loc;
};
bool parseTileSource(LinxTokens &T, TileOperand &O);
// Behind "->": hand<size> or S23<size>.
bool parseTileDest(LinxTokens &T, TileOperand &O);
bool parseMask(LinxTokens &T, unsigned &PEMode);     // mask=1100
bool atSharedTile(const LinxTokens &T);              // S and a number
} // namespace Linx
} // namespace llvm

#endif
