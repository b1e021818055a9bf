// SPDX-License-Identifier: BSD-2-Clause
// How operands are written: names of registers, tiles, sizes and named values, shared by parser and printer.
#ifndef LINX_MC_SYNTAX_H
#define LINX_MC_SYNTAX_H

#include "linx_forms.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
namespace Linx {

// The compiled SYNTAX column of linx.isa (gen.py).
enum SyntaxOp : uint8_t {
  SYN_DONE,
  SYN_TEXT,    // text, as tokens
  SYN_FIELD,   // operand
  SYN_SUFFIX,  // operand in the mnemonic's suffix
  SYN_SUFTEXT, // text in the suffix
  SYN_SUFFLAG, // one-bit field: name in the suffix
  SYN_COND,    // one-bit field: text
  SYN_OPTION,  // begin of a group that may be left out
  SYN_END,     // end of it
  SYN_CUSTOM   // hand-written operand list
};
struct linx_syntax_item {
  uint8_t op, field, kind;
  const char *text;
};
const linx_syntax_item *syntaxOf(linx_form F);

// ---- 5-bit registers
// Name of a source code 0..31 ("a0", "t#1"), of a destination code ("t" for 31, "r24" for a dropped one).
std::string sourceName(unsigned Code);
std::string destName(unsigned Code);
// R0..R23 by ABI name or r0..r23 (case ignored).
std::optional<unsigned> parseGPR(StringRef Name);

// ---- 10-bit operands of 64-bit forms: id 6:0, type 9:7 (docs/target.md 2.3)
struct VectorId {
  const char *Name; // without "#n"
  uint8_t First;    // id of the first
  uint8_t Count;    // how many ids
  char Index;       // '#': written name#1..; '0': a number is part of the name (ri0); ' ': neither
};
// Source ids without .reuse.
const VectorId *vectorSourceIds(unsigned &Count);
bool isVectorSource(unsigned Value10); // vt, vu, vm or vn
bool isVectorDest(unsigned Value10);
// Empty when the id or type is reserved.
std::string vectorSourceName(unsigned Value10, bool Float);
std::string vectorDestName(unsigned Value10);
std::optional<unsigned> vectorType(StringRef Name, bool Float); // "sw" -> 5
std::optional<unsigned> vectorWidth(StringRef Name);            // "w" -> 1
std::optional<unsigned> vectorDestId(StringRef Name);           // "vt" -> 0

// ---- named values
// Name of value V of kind K, null when it has none.
const char *valueName(unsigned K, int64_t V);
// Value by name, case ignored.
std::optional<int64_t> valueOf(unsigned K, StringRef Name);
// "FALL, DIRECT, ..." for error messages.
std::string valueList(unsigned K);

// ---- tiles
std::string tileSource(unsigned Code);                  // 6 bits: "T#1"
std::string sizeName(uint64_t Bytes);                   // "32KB", "128B"
inline uint64_t tileBytes(unsigned Imm4) { return Imm4 ? uint64_t(16) << Imm4 : 0; }
inline uint64_t sharedBytes(unsigned SizeCode) { return uint64_t(64) << SizeCode; }

// ".sw" and the like for SrcRType; null when the value has no spelling. "" is no modifier.
const char *modifierName(unsigned Kind, unsigned Value);
std::optional<unsigned> modifierValue(unsigned Kind, StringRef Name);
// "<<n" of kind shl, shl1..shl3: n minus the encoded shift amount; -1 for another kind.
int shiftBias(unsigned Kind);

// Whether every operand of this instruction word is defined; the decoder refuses others.
bool operandsDefined(linx_form F, uint64_t Word);

} // namespace Linx
} // namespace llvm

#endif
