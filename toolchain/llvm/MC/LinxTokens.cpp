// SPDX-License-Identifier: BSD-2-Clause
#include "LinxTokens.h"
#include "LinxMCExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectStreamer.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/Casting.h"

using namespace llvm;

static bool touches(const AsmToken &A, const AsmToken &B) {
  return A.getEndLoc().getPointer() == B.getLoc().getPointer();
}

LinxTokens::LinxTokens(ArrayRef<AsmToken> Raw) {
  auto Pieces = [&](StringRef S) {
    while (!S.empty()) {
      StringRef Piece = S.take_front(S.find('.', 1));
      Toks.push_back(AsmToken(AsmToken::Identifier, Piece));
      S = S.drop_front(Piece.size());
    }
  };
  for (size_t I = 0; I != Raw.size(); ++I) {
    const AsmToken &T = Raw[I];
    if (I && Raw[I - 1].is(AsmToken::Hash) && T.is(AsmToken::Real)) {
      // The lexer read "1.uw" behind '#' as a number and a word.
      const char *End = T.getEndLoc().getPointer();
      if (I + 1 < Raw.size() && Raw[I + 1].is(AsmToken::Identifier) && touches(T, Raw[I + 1]))
        End = Raw[++I].getEndLoc().getPointer();
      StringRef All(T.getLoc().getPointer(), End - T.getLoc().getPointer());
      size_t Dot = All.find('.');
      int64_t N = 0;
      All.take_front(Dot).getAsInteger(10, N);
      Toks.push_back(AsmToken(AsmToken::Integer, All.take_front(Dot), N));
      if (Dot != StringRef::npos)
        Pieces(All.drop_front(Dot));
      continue;
    }
    // Symbols may have dots too; expression() puts the pieces together again.
    if (T.is(AsmToken::Identifier) && T.getString() != ".")
      Pieces(T.getString());
    else
      Toks.push_back(T);
  }
  if (Toks.empty() || !(Toks.back().is(AsmToken::EndOfStatement) || Toks.back().is(AsmToken::Eof)))
    Toks.push_back(AsmToken(AsmToken::EndOfStatement, StringRef()));
}

bool LinxTokens::take(AsmToken::TokenKind K) {
  if (!is(K))
    return false;
  next();
  return true;
}

bool LinxTokens::takeWord(StringRef W) {
  if (!is(AsmToken::Identifier))
    return false;
  // A word with dots is several tokens.
  size_t Start = Pos;
  StringRef Rest = W;
  while (!Rest.empty()) {
    StringRef T = is(AsmToken::Identifier) ? peek().getString() : StringRef();
    if (T.empty() || !Rest.starts_with_insensitive(T) || (Pos > Start && !touches(Toks[Pos - 1], Toks[Pos]))) {
      Pos = Start;
      return false;
    }
    Rest = Rest.drop_front(T.size());
    next();
  }
  return true;
}

bool LinxTokens::takeArrow() {
  if (take(AsmToken::MinusGreater))
    return true;
  if (is(AsmToken::Minus) && peek(1).is(AsmToken::Greater)) {
    Pos += 2;
    return true;
  }
  return false;
}

static AsmToken::TokenKind punctuation(char C) {
  switch (C) {
  case ',': return AsmToken::Comma;
  case '[': return AsmToken::LBrac;
  case ']': return AsmToken::RBrac;
  case '!': return AsmToken::Exclaim;
  case '~': return AsmToken::Tilde;
  case '#': return AsmToken::Hash;
  default: return AsmToken::Error;
  }
}

bool LinxTokens::takeText(StringRef Text) {
  size_t Start = Pos;
  // SETRET has no other destination, so it may be left unsaid.
  if (Text == ", ->ra" && atEnd())
    return true;
  auto Not = [&](const Twine &Expected) {
    fail(Expected + " expected, found " + found());
    Pos = Start;
    return false;
  };
  while (!(Text = Text.ltrim()).empty()) {
    if (Text.consume_front("->")) {
      if (!takeArrow())
        return Not("'->'");
    } else if (Text.consume_front("<<")) {
      if (!take(AsmToken::LessLess))
        return Not("'<<" + Text + "'");
    } else if (isAlpha(Text[0])) {
      StringRef Words = Text.take_while([](char C) { return isAlnum(C) || C == '.' || C == '_' || C == '|'; });
      Text = Text.drop_front(Words.size());
      SmallVector<StringRef, 2> Alternatives;
      Words.split(Alternatives, '|');
      bool Found = false;
      for (StringRef W : Alternatives)
        Found = Found || takeWord(W);
      // FALL is what a block start without transfer means.
      if (!Found && !(Words == "FALL" && atEnd()))
        return Not("'" + join(Alternatives, "' or '") + "'");
    } else if (isDigit(Text[0])) {
      StringRef Number = Text.take_while([](char C) { return isDigit(C); });
      Text = Text.drop_front(Number.size());
      if (!is(AsmToken::Integer) || peek().getString() != Number)
        return Not("'" + Number + "'");
      next();
    } else {
      char C = Text[0];
      Text = Text.drop_front();
      // The comma before "->" may be missing.
      if (C == ',' && Text.ltrim().starts_with("->") && (is(AsmToken::MinusGreater) || is(AsmToken::Minus)))
        continue;
      if (!take(punctuation(C)))
        return Not("'" + Twine(C) + "'");
    }
  }
  return true;
}

std::string LinxTokens::found() const {
  return atEnd() ? "the end of the line" : "'" + peek().getString().str() + "'";
}

bool LinxTokens::fail(SMLoc L, const Twine &Msg, bool Force) {
  if (Force || !ErrLoc.isValid() || L.getPointer() > ErrLoc.getPointer()) {
    ErrLoc = L;
    ErrMsg = Msg.str();
  }
  return false;
}

// ---- expressions

static unsigned precedence(AsmToken::TokenKind K, MCBinaryExpr::Opcode &Op) {
  switch (K) {
  case AsmToken::Pipe: Op = MCBinaryExpr::Or; return 1;
  case AsmToken::Caret: Op = MCBinaryExpr::Xor; return 2;
  case AsmToken::Amp: Op = MCBinaryExpr::And; return 3;
  case AsmToken::LessLess: Op = MCBinaryExpr::Shl; return 4;
  case AsmToken::GreaterGreater: Op = MCBinaryExpr::AShr; return 4;
  case AsmToken::Plus: Op = MCBinaryExpr::Add; return 5;
  case AsmToken::Minus: Op = MCBinaryExpr::Sub; return 5;
  case AsmToken::Star: Op = MCBinaryExpr::Mul; return 6;
  case AsmToken::Slash: Op = MCBinaryExpr::Div; return 6;
  default: return 0;
  }
}

const MCExpr *LinxTokens::primary(MCContext &Ctx, MCStreamer &Out) {
  SMLoc L = loc();
  switch (peek().getKind()) {
  case AsmToken::Integer: {
    int64_t V = peek().getIntVal();
    // 1b, 2f: local labels.
    const AsmToken &N = peek(1);
    if (N.is(AsmToken::Identifier) && touches(peek(), N) && (N.getString() == "b" || N.getString() == "f")) {
      bool Before = N.getString() == "b";
      MCSymbol *S = Ctx.getDirectionalLocalSymbol(V, Before);
      if (Before && S->isUndefined()) {
        fail("there is no label " + Twine(V) + ": before this line");
        return nullptr;
      }
      next();
      next();
      return MCSymbolRefExpr::create(S, MCSymbolRefExpr::VK_None, Ctx, L);
    }
    next();
    return MCConstantExpr::create(V, Ctx);
  }
  case AsmToken::BigNum:
    fail("number needs more than 64 bits");
    return nullptr;
  case AsmToken::Dot: {
    next();
    MCSymbol *S = Ctx.createTempSymbol();
    Out.emitLabel(S);
    return MCSymbolRefExpr::create(S, MCSymbolRefExpr::VK_None, Ctx, L);
  }
  case AsmToken::String:
  case AsmToken::Identifier: {
    if (peek().getString() == ".") {
      next();
      MCSymbol *S = Ctx.createTempSymbol();
      Out.emitLabel(S);
      return MCSymbolRefExpr::create(S, MCSymbolRefExpr::VK_None, Ctx, L);
    }
    std::string Name = (is(AsmToken::String) ? peek().getStringContents() : peek().getString()).str();
    next();
    while (is(AsmToken::Identifier) && touches(Toks[Pos - 1], peek()) && peek().getString().starts_with(".")) {
      Name += peek().getString();
      next();
    }
    MCSymbol *S = Ctx.getOrCreateSymbol(Name);
    // The value now, not the one a later .set gives.
    if (S->isVariable())
      if (const auto *V = dyn_cast<MCConstantExpr>(S->getVariableValue(/*SetUsed=*/false)))
        return V;
    return MCSymbolRefExpr::create(S, MCSymbolRefExpr::VK_None, Ctx, L);
  }
  case AsmToken::Minus:
  case AsmToken::Plus:
  case AsmToken::Tilde:
  case AsmToken::Exclaim: {
    AsmToken::TokenKind K = peek().getKind();
    next();
    const MCExpr *E = primary(Ctx, Out);
    if (!E)
      return nullptr;
    return K == AsmToken::Minus   ? MCUnaryExpr::createMinus(E, Ctx, L)
           : K == AsmToken::Plus  ? MCUnaryExpr::createPlus(E, Ctx, L)
           : K == AsmToken::Tilde ? MCUnaryExpr::createNot(E, Ctx, L)
                                  : MCUnaryExpr::createLNot(E, Ctx, L);
  }
  case AsmToken::LParen: {
    next();
    const MCExpr *E = binary(Ctx, Out, 1);
    if (E && !take(AsmToken::RParen)) {
      fail("')' expected, found " + found());
      return nullptr;
    }
    return E;
  }
  case AsmToken::Percent: {
    next();
    LinxMCExpr::Kind K =
        is(AsmToken::Identifier) ? LinxMCExpr::kindOf(peek().getString().lower()) : LinxMCExpr::Invalid;
    if (K == LinxMCExpr::Invalid) {
      fail("unknown operator %" + peek().getString() +
           "; known are %pcrel_hi, %lo, %hi, %tprel, %tprel_hi, %tprel_lo, %got_hi and %got_lo");
      return nullptr;
    }
    next();
    if (!take(AsmToken::LParen)) {
      fail("'(' expected, found " + found());
      return nullptr;
    }
    const MCExpr *E = binary(Ctx, Out, 1);
    if (E && !take(AsmToken::RParen)) {
      fail("')' expected, found " + found());
      return nullptr;
    }
    return E ? LinxMCExpr::create(E, K, Ctx) : nullptr;
  }
  default:
    fail("a number or symbol expected, found " + found());
    return nullptr;
  }
}

const MCExpr *LinxTokens::binary(MCContext &Ctx, MCStreamer &Out, unsigned MinPrec) {
  const MCExpr *L = primary(Ctx, Out);
  while (L) {
    MCBinaryExpr::Opcode Op = MCBinaryExpr::Add;
    unsigned P = precedence(peek().getKind(), Op);
    // "->" begins the destination.
    if (!P || P < MinPrec || (is(AsmToken::Minus) && peek(1).is(AsmToken::Greater)))
      break;
    SMLoc At = loc();
    next();
    const MCExpr *R = binary(Ctx, Out, P + 1);
    if (!R)
      return nullptr;
    L = MCBinaryExpr::create(Op, L, R, Ctx, At);
  }
  return L;
}

const MCExpr *LinxTokens::expression(MCContext &Ctx, MCStreamer &Out, bool Shift) {
  return binary(Ctx, Out, Shift ? 1 : 5);
}

bool LinxTokens::constant(MCContext &Ctx, MCStreamer &Out, int64_t &Value, bool Shift) {
  SMLoc L = loc();
  const MCExpr *E = expression(Ctx, Out, Shift);
  if (!E)
    return false;
  const MCAssembler *Asm = nullptr;
  if (auto *O = Out.getAssemblerPtr())
    Asm = O;
  if (!E->evaluateAsAbsolute(Value, Asm))
    return fail(L, "a number expected here, known when this line is read");
  return true;
}
