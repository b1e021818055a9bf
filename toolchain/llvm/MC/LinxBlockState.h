// SPDX-License-Identifier: BSD-2-Clause
// Which block the assembler is in, and what may stand there.
#ifndef LINX_MC_BLOCKSTATE_H
#define LINX_MC_BLOCKSTATE_H

#include "linx_forms.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SMLoc.h"
#include <string>

namespace llvm {
class MCSymbol;

// What a block start begins.
enum class LinxBlock { None, STD, SYS, FP, Vector, Memory, TMA, TEPL, CUBE, Template, XB };
LinxBlock linxBlockOf(linx_form Form);

class LinxBlockState {
public:
  // Whether the instruction may stand here; otherwise Msg says why not and Field which operand is to blame
  // (LINX_F_COUNT: the instruction).
  bool allows(linx_form Form, uint64_t Word, bool VSpelling, bool LSpelling, std::string &Msg,
              linx_field_name &Field);
  // Goes on behind an accepted instruction. Body: symbol of a B.TEXT.
  void advance(linx_form Form, uint64_t Word, const MCSymbol *Body);
  void atLabel(const MCSymbol *S);
  bool inBody() const { return At == Body; }
  // In a header with B.IOT lines of which none is marked last.
  bool missesLast() const { return At == Header && Iots && !LastSeen; }

private:
  enum Where { Unknown, Scalar, Header, Body };
  bool allowsHeader(linx_form Form, uint64_t Word, std::string &Msg, linx_field_name &Field);
  bool allowsBody(linx_form Form, uint64_t Word, std::string &Msg, linx_field_name &Field);
  bool allowsRegisters(linx_form Form, uint64_t Word, std::string &Msg, linx_field_name &Field);

  Where At = Unknown;
  LinxBlock Kind = LinxBlock::None;
  const char *StartName = "";
  linx_form Start = LINX_NFORMS;
  uint64_t StartWord = 0;
  // header so far
  unsigned Iots = 0, TileOutputs = 0;
  uint32_t InputRegs = 0, OutputRegs = 0;
  bool LastSeen = false, TextSeen = false;
  int Mask = -1; // PEMode of the B.IOS so far
  DenseMap<const MCSymbol *, LinxBlock> Bodies;
};

} // namespace llvm

#endif
