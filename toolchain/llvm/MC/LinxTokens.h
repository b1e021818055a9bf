// SPDX-License-Identifier: BSD-2-Clause
// The tokens of one statement, with backtracking and one remembered error: the one farthest to the right.
#ifndef LINX_MC_TOKENS_H
#define LINX_MC_TOKENS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/MC/MCParser/MCAsmLexer.h"
#include <string>
#include <vector>

namespace llvm {
class MCContext;
class MCExpr;
class MCStreamer;

class LinxTokens {
public:
  // "a1.uw.x" is the identifiers "a1", ".uw" and ".x", "t#1.uw" is "t", "#", 1, ".uw".
  explicit LinxTokens(ArrayRef<AsmToken> Raw);

  const AsmToken &peek(unsigned N = 0) const { return Toks[std::min(Pos + N, Toks.size() - 1)]; }
  SMLoc loc() const { return peek().getLoc(); }
  bool atEnd() const { return peek().is(AsmToken::EndOfStatement) || peek().is(AsmToken::Eof); }
  bool is(AsmToken::TokenKind K) const { return peek().is(K); }
  void next() {
    if (!atEnd())
      ++Pos;
  }
  size_t position() const { return Pos; }
  void rewind(size_t P) { Pos = P; }

  // Takes the token when it is there.
  bool take(AsmToken::TokenKind K);
  bool takeWord(StringRef W);  // identifier, case ignored
  bool takeArrow();            // "->"
  // Takes the text of a SYNTAX item; false and nothing taken when it is not there.
  bool takeText(StringRef Text);
  // Spelling of the current token for messages: 'x', or "the end of the line".
  std::string found() const;

  // Remembers an error unless one farther right is known (Force: always). Returns false, so that "return fail(...)"
  // reads well.
  bool fail(SMLoc L, const Twine &Msg, bool Force = false);
  bool fail(const Twine &Msg) { return fail(loc(), Msg); }
  bool failed() const { return ErrLoc.isValid(); }
  SMLoc errorLoc() const { return ErrLoc; }
  const std::string &error() const { return ErrMsg; }
  // Takes over another attempt's error when it is farther right.
  void adopt(const LinxTokens &Other) {
    if (Other.failed())
      fail(Other.ErrLoc, Other.ErrMsg);
  }

  // An expression; stops before "<<" when Shift is false. Null and an error when there is none.
  const MCExpr *expression(MCContext &Ctx, MCStreamer &Out, bool Shift = true);
  // An expression with a value known now.
  bool constant(MCContext &Ctx, MCStreamer &Out, int64_t &Value, bool Shift = true);

private:
  const MCExpr *primary(MCContext &Ctx, MCStreamer &Out);
  const MCExpr *binary(MCContext &Ctx, MCStreamer &Out, unsigned MinPrec);

  std::vector<AsmToken> Toks;
  size_t Pos = 0;
  SMLoc ErrLoc;
  std::string ErrMsg;
};

} // namespace llvm

#endif
