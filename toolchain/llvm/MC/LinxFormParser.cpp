// SPDX-License-Identifier: BSD-2-Clause
#include "LinxFormParser.h"
#include "LinxForms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/Casting.h"

using namespace llvm;
using namespace llvm::Linx;

bool LinxFormParser::set(unsigned I, int64_t Raw, SMLoc L) {
  Ops[I].Given = true;
  Ops[I].Raw = Raw;
  Ops[I].Loc = L;
  return true;
}

// ---- suffix

static std::string flagNames(const linx_syntax_item *S) {
  std::string Names;
  for (; S->op != SYN_DONE; ++S)
    if (S->op == SYN_SUFFLAG)
      Names += (Names.empty() ? "" : ", ") + std::string(S->text);
  return Names;
}

bool LinxFormParser::suffix(StringRef Rest, SMLoc L) {
  const linx_syntax_item *Items = syntaxOf(Form);
  StringRef Whole = Rest;
  for (const linx_syntax_item *S = Items; S->op != SYN_DONE; ++S) {
    if (S->op == SYN_SUFFIX) {
      if (Whole.empty() && S->kind == LINX_K_prflevel) {
        set(S->field, 0, L);
        continue;
      }
      StringRef Best;
      for (const linx_enum_value *E = linx_kind_values[S->kind]; E->name; ++E)
        if (Rest.starts_with_insensitive(E->name) && StringRef(E->name).size() > Best.size()) {
          Best = E->name;
          set(S->field, E->value, L);
        }
      if (Best.empty() && Rest.starts_with("_")) {
        // _N_: a value without name.
        unsigned N = 0;
        StringRef Digits = Rest.drop_front().take_while(isDigit);
        if (!Digits.getAsInteger(10, N) && N < 1u << D.field[S->field].width &&
            Rest.drop_front(Digits.size() + 1).starts_with("_")) {
          set(S->field, N, L);
          Best = Rest.take_front(Digits.size() + 2);
        }
      }
      if (Best.empty())
        return T.fail(L, Twine(D.mnemonic) + " needs a type suffix, here one of " + valueList(S->kind));
      Rest = Rest.drop_front(Best.size());
    } else if (S->op == SYN_SUFTEXT) {
      if (!Rest.consume_front(S->text))
        return T.fail(L, Twine("'") + S->text + "' expected between the two types of " + D.mnemonic);
    }
  }
  // Flags in any order, each once.
  for (bool Again = true; Again && !Rest.empty();) {
    Again = false;
    const linx_syntax_item *Best = nullptr;
    for (const linx_syntax_item *S = Items; S->op != SYN_DONE; ++S)
      if (S->op == SYN_SUFFLAG && !Ops[S->field].Given && Rest.starts_with_insensitive(S->text) &&
          (!Best || StringRef(S->text).size() > StringRef(Best->text).size()))
        Best = S;
    if (Best) {
      set(Best->field, 1, L);
      Rest = Rest.drop_front(StringRef(Best->text).size());
      Again = true;
    }
  }
  if (Rest.empty())
    return true;
  std::string Flags = flagNames(Items);
  return T.fail(L, Twine(D.mnemonic) + " has no suffix '." + Whole + "'" +
                       (Flags.empty() ? Twine() : Twine("; it may have ") + Flags));
}

// ---- registers

bool LinxFormParser::source(unsigned I, unsigned Kind) {
  SMLoc L = T.loc();
  if (!T.is(AsmToken::Identifier))
    return T.fail("a register expected, found " + T.found());
  StringRef Name = T.peek().getString();
  bool Queue = Name.equals_insensitive("t") || Name.equals_insensitive("u");
  if (Queue && T.peek(1).is(AsmToken::Hash)) {
    bool U = Name.equals_insensitive("u");
    T.next();
    T.next();
    if (!T.is(AsmToken::Integer) || T.peek().getIntVal() < 1 || T.peek().getIntVal() > 4)
      return T.fail("the queues are four deep: " + Name + "#1 to " + Name + "#4");
    if (Kind == LINX_K_reg)
      return T.fail(L, "a register of zero, sp, a0 to a7, ra, s0 to s8, x0 to x3 expected; queues cannot stand here");
    set(I, (U ? 27 : 23) + T.peek().getIntVal(), L);
    T.next();
    return true;
  }
  if (Queue)
    return T.fail(L, Name + " can only be written; a source is " + Name + "#1 to " + Name + "#4");
  std::optional<unsigned> R = parseGPR(Name);
  if (!R)
    return T.fail(L, "'" + Name + "' is no register; allowed are zero, sp, a0 to a7, ra, s0 to s8, x0 to x3" +
                         (Kind == LINX_K_reg ? "" : ", t#1 to t#4, u#1 to u#4"));
  if (Kind == LINX_K_reg && *R < 2 && (D.effect & (LINX_EFFECT_LOAD | LINX_EFFECT_STORE)) &&
      D.field[I].name != LINX_F_RegSrc0 && D.field[I].name != LINX_F_RegSrc1 && D.field[I].name != LINX_F_RegSrc2)
    return T.fail(L, "a register list holds a0 to x3 (R2 to R23); " + Name + " is not among them");
  T.next();
  return set(I, *R, L);
}

bool LinxFormParser::destination(unsigned I) {
  SMLoc L = T.loc();
  if (!T.is(AsmToken::Identifier))
    return T.fail("a destination expected (t, u or a register), found " + T.found());
  StringRef Name = T.peek().getString();
  bool T0 = Name.equals_insensitive("t"), U0 = Name.equals_insensitive("u");
  if ((T0 || U0) && T.peek(1).is(AsmToken::Hash))
    return T.fail(L, "a queue entry can only be read; write ->" + Name + " to push");
  unsigned N;
  std::optional<unsigned> R = parseGPR(Name);
  if (T0 || U0)
    R = T0 ? 31 : 30;
  else if (!R && Name.starts_with_insensitive("r") && !Name.drop_front().getAsInteger(10, N) && N >= 24 && N < 30)
    R = N; // drops the result
  if (!R)
    return T.fail(L, "'" + Name + "' is no destination; allowed are t, u, sp, a0 to a7, ra, s0 to s8, x0 to x3, zero");
  T.next();
  return set(I, *R, L);
}

static const char VectorHelp[] = "; allowed are vt#, vu#, vm#, vn# (1 to 4), ri0 to ri11, t#1 to t#4, u#1 to u#4, lc0 "
                                 "to lc2, lb0 to lb2, ta to th, to, to1 to to3, ts, p and zero";

bool LinxFormParser::vectorSource(unsigned I, bool Float) {
  SMLoc L = T.loc();
  if (!T.is(AsmToken::Identifier))
    return T.fail("an operand expected, found " + T.found() + VectorHelp);
  StringRef Name = T.peek().getString();
  unsigned Count, Id = 128;
  const VectorId *Ids = vectorSourceIds(Count);
  for (const VectorId *D = Ids; D != Ids + Count; ++D) {
    StringRef Rest = Name;
    if (!Rest.consume_front_insensitive(D->Name))
      continue;
    unsigned N = 0;
    if (D->Index == '0' && !Rest.empty() && !Rest.getAsInteger(10, N)) {
      if (N >= D->Count)
        return T.fail(L, Twine("there are ") + D->Name + "0 to " + D->Name + Twine(D->Count - 1));
      Id = D->First + N;
      break;
    }
    if (D->Index == '#' && Rest.empty()) {
      if (!T.peek(1).is(AsmToken::Hash))
        return T.fail(L, Name + " can only be written; a source is " + Name + "#1 to " + Name + "#4");
      T.next();
      T.next();
      if (!T.is(AsmToken::Integer) || T.peek().getIntVal() < 1 || T.peek().getIntVal() > 4)
        return T.fail("the queues are four deep: " + Name + "#1 to " + Name + "#4");
      Id = D->First + T.peek().getIntVal() - 1;
      break;
    }
    if (D->Index == ' ' && Rest.empty()) {
      Id = D->First;
      break;
    }
  }
  if (Id == 128)
    return T.fail(L, "'" + Name + "' is no operand of a 64-bit instruction" + VectorHelp);
  T.next();
  // .reuse and .type, attached; what is left (.neg) is another field's.
  bool Vector = Id < 32;
  std::optional<unsigned> Type;
  while (T.is(AsmToken::Identifier) && T.peek().getString().starts_with(".")) {
    StringRef S = T.peek().getString();
    SMLoc At = T.loc();
    StringRef Part = S.drop_front();
    if (Part.equals_insensitive("reuse")) {
      if (!Vector)
        return T.fail(At, "only vt, vu, vm and vn entries can be kept with .reuse");
      Id += 96;
    } else if (std::optional<unsigned> X = vectorType(Part, Float); X && !Type) {
      Type = X;
    } else if (Part.equals_insensitive("neg") || Part.equals_insensitive("not")) {
      break;
    } else {
      return T.fail(At, "'" + S + "' is no operand type here; allowed are " +
                            (Float ? ".fd, .fs, .fh, .fb, .bf, .e5m2" : ".ud, .uw, .uh, .ub, .sd, .sw, .sh, .sb"));
    }
    T.next();
  }
  unsigned V = Id | (Type ? *Type : Vector ? 1 : 0) << 7;
  return set(I, V, L);
}

bool LinxFormParser::vectorDest(unsigned I) {
  SMLoc L = T.loc();
  if (!T.is(AsmToken::Identifier))
    return T.fail("a destination expected, found " + T.found());
  StringRef Name = T.peek().getString();
  std::optional<unsigned> Id = vectorDestId(Name);
  if (!Id)
    return T.fail(L, "'" + Name + "' is no destination here; allowed are vt, vu, vm, vn, ro0 to ro3, t, u and p");
  T.next();
  unsigned Width = *Id < 4 ? 1 : 0;
  if (T.is(AsmToken::Hash))
    return T.fail(L, "a queue entry can only be read; write ->" + Name + " to push");
  if (T.is(AsmToken::Identifier) && T.peek().getString().starts_with(".")) {
    std::optional<unsigned> W = vectorWidth(T.peek().getString().drop_front());
    if (!W)
      return T.fail("'" + T.peek().getString() + "' is no width; allowed are .d, .w, .h and .b");
    Width = *W;
    T.next();
  }
  return set(I, *Id | Width << 7, L);
}

// ---- numbers

bool LinxFormParser::value(unsigned I, int64_t V, SMLoc L) {
  const linx_field &F = D.field[I];
  FieldRange R = rangeOf(F);
  // A 32-bit or 20-bit constant may be given by its bits.
  if ((F.kind == LINX_K_hi20 || Form == LINX_HL_LUI) && V > R.Max && V <= R.Max - R.Min)
    V += 2 * R.Min;
  if (V < R.Min || V > R.Max)
    return T.fail(L, Twine(V) + " is out of range; allowed are " + Twine(R.Min) + " to " + Twine(R.Max) +
                         (R.Step > 1 ? Twine(" in steps of ") + Twine(R.Step) : Twine()));
  if (V & (R.Step - 1))
    return T.fail(L, Twine(V) + " is not a multiple of " + Twine(R.Step) + "; allowed are " + Twine(R.Min) + " to " +
                         Twine(R.Max));
  return set(I, V >> F.scale, L);
}

bool LinxFormParser::immediate(unsigned I, unsigned Kind, bool Shift) {
  SMLoc L = T.loc();
  const MCExpr *E = T.expression(Ctx, Out, Shift);
  if (!E)
    return false;
  int64_t V;
  if (E->evaluateAsAbsolute(V, Out.getAssemblerPtr())) {
    Ops[I].Numeric = true;
    return value(I, Kind == LINX_K_minus1 ? V - 1 : V, L);
  }
  bool SymbolOk = Kind == LINX_K_label || Kind == LINX_K_imm || Kind == LINX_K_page || Kind == LINX_K_hi20;
  if (!SymbolOk)
    return T.fail(L, "a number expected here, known when this line is read");
  Ops[I].Given = true;
  Ops[I].Expr = E;
  Ops[I].Loc = L;
  return true;
}

bool LinxFormParser::named(unsigned I, unsigned Kind) {
  SMLoc L = T.loc();
  if (T.is(AsmToken::Identifier)) {
    // Names like GATHER.MASK are several tokens: take the longest that fits.
    const linx_enum_value *Best = nullptr;
    for (const linx_enum_value *E = linx_kind_values[Kind]; E->name; ++E) {
      size_t Start = T.position();
      if (T.takeWord(E->name) && (!Best || StringRef(E->name).size() > StringRef(Best->name).size()))
        Best = E;
      T.rewind(Start);
    }
    if (!Best)
      return T.fail(L, "'" + T.peek().getString() + "' unknown; allowed are " + valueList(Kind));
    T.takeWord(Best->name);
    return set(I, Best->value, L);
  }
  if (T.is(AsmToken::Integer) || T.is(AsmToken::LParen)) {
    int64_t V;
    return T.constant(Ctx, Out, V) && value(I, V, L);
  }
  return T.fail(L, "one of " + valueList(Kind) + " expected, found " + T.found());
}

// ---- fields and items

bool LinxFormParser::field(unsigned I, unsigned Kind, const linx_syntax_item *Next) {
  SMLoc L = T.loc();
  switch (Kind) {
  case LINX_K_dst: return destination(I);
  case LINX_K_src:
  case LINX_K_reg: return source(I, Kind);
  case LINX_K_vdst: return vectorDest(I);
  case LINX_K_vsrc: return vectorSource(I, false);
  case LINX_K_fvsrc: return vectorSource(I, true);
  case LINX_K_vsize:
    // "FALL", or nothing, is the default of 16 vector registers.
    if (T.atEnd() || T.takeWord("FALL"))
      return set(I, LINX_vsize_VS16, L);
    return named(I, Kind);
  default: break;
  }
  if (modifierName(Kind, 0)) {
    if (T.is(AsmToken::Identifier) && T.peek().getString().starts_with(".")) {
      StringRef S = T.peek().getString();
      std::optional<unsigned> V = modifierValue(Kind, S);
      if (!V)
        return T.fail("'" + S + "' is no modifier here; allowed are " +
                      (Kind == LINX_K_addmod   ? ".sw, .uw and .neg"
                       : Kind == LINX_K_logmod ? ".sw, .uw and .not"
                       : Kind == LINX_K_vnegmod ? ".neg"
                                                : ".not"));
      T.next();
      return set(I, *V, L);
    }
    return set(I, *modifierValue(Kind, ""), L);
  }
  if (int Bias = shiftBias(Kind); Bias >= 0) {
    if (!T.is(AsmToken::LessLess)) {
      if (Bias)
        return T.fail("'<<" + Twine(Bias) + "' expected, found " + T.found() +
                      ": this form scales its index by the access size");
      return set(I, 0, L);
    }
    T.next();
    L = T.loc();
    int64_t V;
    if (!T.constant(Ctx, Out, V, false))
      return false;
    int64_t Max = (1 << D.field[I].width) - 1 + Bias;
    if (V < Bias || V > Max)
      return T.fail(L, Twine("shift amount ") + Twine(V) + " is out of range; allowed are " + Twine(Bias) + " to " +
                           Twine(Max));
    return set(I, V - Bias, L);
  }
  if (linx_kind_values[Kind])
    return named(I, Kind);
  bool ShiftFollows = Next->op == SYN_FIELD && shiftBias(Next->kind) >= 0;
  return immediate(I, Kind, !ShiftFollows);
}

bool LinxFormParser::items(const linx_syntax_item *S) {
  for (; S->op != SYN_DONE; ++S) {
    size_t Start = T.position();
    switch (S->op) {
    case SYN_TEXT:
      if (!T.takeText(S->text))
        return false;
      break;
    case SYN_FIELD:
      if (!field(S->field, S->kind, S + 1))
        return false;
      break;
    case SYN_COND:
      // "lc0<<2" may also be the next operand: when the rest fails, try it as that.
      if (T.takeText(S->text)) {
        set(S->field, 1, T.loc());
        if (items(S + 1))
          return true;
        T.rewind(Start);
      }
      set(S->field, 0, T.loc());
      break;
    case SYN_OPTION: {
      bool Present = S[1].op == SYN_TEXT && StringRef(S[1].text) != " " ? T.takeText(S[1].text) : !T.atEnd();
      T.rewind(Start);
      if (!Present)
        while (S->op != SYN_END)
          ++S;
      break;
    }
    case SYN_CUSTOM:
      if (!custom(S->text))
        return false;
      break;
    default: break; // suffix items are done, END is nothing
    }
  }
  if (T.is(AsmToken::LCurly) && !extra())
    return false;
  return T.atEnd() || T.fail("unexpected " + T.found() + " after the operands of " + D.mnemonic);
}

bool LinxFormParser::extra() {
  T.next();
  do {
    if (!T.is(AsmToken::Identifier))
      return T.fail("a field name expected, found " + T.found());
    StringRef Name = T.peek().getString();
    unsigned I = 0;
    while (I != D.nfields && Name != linx_field_names[D.field[I].name])
      ++I;
    if (I == D.nfields)
      return T.fail(Twine(D.mnemonic) + " has no field '" + Name + "'");
    T.next();
    if (!T.take(AsmToken::Equal))
      return T.fail("'=' expected, found " + T.found());
    SMLoc L = T.loc();
    int64_t V;
    if (!T.constant(Ctx, Out, V))
      return false;
    const linx_field &F = D.field[I];
    if (V < (F.is_signed ? -(int64_t(1) << (F.width - 1)) : 0) || V >= int64_t(1) << F.width)
      return T.fail(L, Twine(V) + " does not fit the " + Twine(unsigned(F.width)) + " bits of field " + Name);
    set(I, V, L);
  } while (T.take(AsmToken::Comma));
  return T.take(AsmToken::RCurly) || T.fail("'}' expected, found " + T.found());
}

bool LinxFormParser::parse(StringRef Suffix, SMLoc SuffixLoc) {
  if (!suffix(Suffix, SuffixLoc))
    return false;
  // The manual often writes a comma between the mnemonic and the first operand.
  T.take(AsmToken::Comma);
  return items(syntaxOf(Form));
}

bool LinxFormParser::parseSourceOnly(unsigned &Code) {
  int I = linx_find_field(Form, LINX_F_SrcL);
  if (!source(I, LINX_K_src))
    return false;
  Code = Ops[I].Raw;
  return true;
}

bool LinxFormParser::parseDestOnly(unsigned &Code) {
  int I = linx_find_field(Form, LINX_F_RegDst);
  if (!destination(I))
    return false;
  Code = Ops[I].Raw;
  return true;
}

uint64_t LinxFormParser::word() const {
  uint64_t W = D.match;
  for (unsigned I = 0; I != D.nfields; ++I)
    if (!Ops[I].Expr)
      W = linx_field_put(&D.field[I], W, Ops[I].Raw);
  return W;
}

MCInst LinxFormParser::instruction(SMLoc Loc) const {
  MCInst MI;
  MI.setOpcode(opcodeOf(Form));
  MI.setLoc(Loc);
  for (unsigned I = 0; I != D.nfields; ++I) {
    const linx_field &F = D.field[I];
    unsigned Reg = 0;
    if (F.kind == LINX_K_dst)
      Reg = destRegister(Ops[I].Raw);
    else if (F.kind == LINX_K_src || F.kind == LINX_K_reg)
      Reg = sourceRegister(Ops[I].Raw);
    if (Ops[I].Expr)
      MI.addOperand(MCOperand::createExpr(Ops[I].Expr));
    else if (Reg)
      MI.addOperand(MCOperand::createReg(Reg));
    else
      MI.addOperand(MCOperand::createImm(int64_t(uint64_t(Ops[I].Raw) << F.scale)));
  }
  return MI;
}
