// SPDX-License-Identifier: BSD-2-Clause
// Lines that become several instructions: the one-line block forms of the manual (ESAVE, ERCOV, TLOAD, TSTORE, TMOV,
// VPAR, VSEQ, MPAR, MSEQ) and pseudo-instructions. docs/assembler.md lists both.
#include "LinxAsmParser.h"
#include "LinxForms.h"
#include "LinxMCExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::Linx;

using Fields = ArrayRef<std::pair<linx_field_name, int64_t>>;

bool LinxAsmParser::add(linx_form Form, Fields Values, SMLoc Loc, LinxTokens &T, const MCExpr *Symbol,
                        linx_field_name SymbolField) {
  const linx_form_desc &D = linx_forms[Form];
  Item X;
  X.Form = Form;
  X.Word = D.match;
  X.Inst.setOpcode(opcodeOf(Form));
  X.Inst.setLoc(Loc);
  for (unsigned I = 0; I != D.nfields; ++I) {
    const linx_field &F = D.field[I];
    if (Symbol && F.name == SymbolField) {
      X.Inst.addOperand(MCOperand::createExpr(Symbol));
      continue;
    }
    int64_t V = 0;
    for (const auto &P : Values)
      if (P.first == F.name)
        V = P.second;
    X.Word = linx_field_put(&F, X.Word, V);
    unsigned Reg = F.kind == LINX_K_dst                            ? destRegister(V)
                   : F.kind == LINX_K_src || F.kind == LINX_K_reg ? sourceRegister(V)
                                                                   : 0;
    X.Inst.addOperand(Reg ? MCOperand::createReg(Reg) : MCOperand::createImm(int64_t(uint64_t(V) << F.scale)));
  }
  if (!Stack.back().Relax)
    X.Inst.setFlags(ExactForm);
  // The pieces of one line are judged in order, as if they were written one below the other.
  LinxBlockState S = state();
  for (const Item &P : Pending)
    S.advance(P.Form, P.Word, nullptr);
  std::string Msg;
  linx_field_name Field;
  if (Stack.back().Check && !S.allows(Form, X.Word, false, false, Msg, Field))
    return T.fail(Loc, Msg, /*Force=*/true);
  Pending.push_back(X);
  return true;
}

// ---- one-line block forms

struct LinxAsmParser::BlockOperands {
  const MCExpr *Body = nullptr;
  SMLoc BodyLoc;
  struct Dim {
    bool Given = false;
    unsigned Reg = 0;
    int64_t Imm = 0;
    SMLoc Loc;
  } LB[3];
  int64_t DataType = -1, Layout = -1, Pad = -1, Size = -1;
  bool DR = false;
  SmallVector<TileOperand, 8> Sources, Dests;
  SmallVector<std::pair<unsigned, SMLoc>, 12> In, Out;
  unsigned Mask = 0;
  bool HasMask = false;
};

// <LB0:64, LB1:a0, LB2:a1+1, U8, Zero, VS8, DR>
bool LinxAsmParser::parseDims(LinxTokens &T, BlockOperands &B) {
  if (T.take(AsmToken::Greater))
    return true;
  do {
    SMLoc L = T.loc();
    if (!T.is(AsmToken::Identifier))
      return T.fail("LB0:, LB1:, LB2:, a data type, a padding value, VS8, VS16 or DR expected, found " + T.found());
    StringRef W = T.peek().getString();
    if (std::optional<int64_t> I = valueOf(LINX_K_LoopNest, W); I && T.peek(1).is(AsmToken::Colon)) {
      BlockOperands::Dim &D = B.LB[*I];
      if (D.Given)
        return T.fail(W + " is there twice");
      T.next();
      T.next();
      D.Given = true;
      D.Loc = T.loc();
      if (T.is(AsmToken::Identifier))
        if (std::optional<unsigned> R = parseGPR(T.peek().getString())) {
          D.Reg = *R;
          T.next();
          if (!T.take(AsmToken::Plus)) {
            if (!T.is(AsmToken::Comma) && !T.is(AsmToken::Greater))
              return T.fail("'+', ',' or '>' expected, found " + T.found());
            continue;
          }
        }
      SMLoc At = T.loc();
      // '>' ends the list: no operator of an expression begins with it here.
      if (!T.constant(getContext(), getStreamer(), D.Imm, false))
        return false;
      if (D.Imm < 0 || D.Imm > 0x1ffff)
        return T.fail(At, Twine(D.Imm) + " is out of range; allowed are 0 to 131071");
    } else if (W.equals_insensitive("DR")) {
      T.next();
      B.DR = true;
    } else if (std::optional<int64_t> V = valueOf(LINX_K_vsize, W)) {
      T.next();
      B.Size = *V;
    } else if (std::optional<int64_t> V = valueOf(LINX_K_PadValue, W)) {
      T.next();
      B.Pad = *V;
    } else if (std::optional<int64_t> V = valueOf(LINX_K_DataType, W)) {
      T.next();
      B.DataType = *V;
    } else {
      return T.fail(L, "'" + W + "' is no parameter of a block; allowed are LB0:n, LB1:n, LB2:n, VS8, VS16, DR, Zero, "
                                 "Max, Min, Null and the data types " + valueList(LINX_K_DataType));
    }
  } while (T.take(AsmToken::Comma));
  return T.take(AsmToken::Greater) || T.fail("',' or '>' expected, found " + T.found());
}

static bool registerList(LinxTokens &T, SmallVectorImpl<std::pair<unsigned, SMLoc>> &List) {
  if (T.take(AsmToken::RBrac))
    return true;
  do {
    SMLoc L = T.loc();
    std::optional<unsigned> R = T.is(AsmToken::Identifier) ? parseGPR(T.peek().getString()) : std::nullopt;
    if (!R || !*R)
      return T.fail("a register (sp, a0 to a7, ra, s0 to s8, x0 to x3) expected, found " + T.found());
    T.next();
    List.push_back({*R, L});
  } while (T.take(AsmToken::Comma));
  return T.take(AsmToken::RBrac) || T.fail("',' or ']' expected, found " + T.found());
}

bool LinxAsmParser::parseBlockOperands(LinxTokens &T, BlockOperands &B) {
  bool Output = false;
  for (;;) {
    while (T.take(AsmToken::Comma)) {
    }
    if (T.atEnd())
      return true;
    SMLoc L = T.loc();
    if (T.takeArrow()) {
      Output = true;
      continue;
    }
    if (T.take(AsmToken::Less)) {
      if (!parseDims(T, B))
        return false;
    } else if (T.take(AsmToken::LBrac)) {
      if (!registerList(T, Output ? B.Out : B.In))
        return false;
    } else if (T.is(AsmToken::Identifier) && T.peek().getString().equals_insensitive("mask")) {
      if (!parseMask(T, B.Mask))
        return false;
      B.HasMask = true;
    } else if (T.is(AsmToken::Identifier) && !Output && !T.peek(1).is(AsmToken::Hash) &&
               valueOf(LINX_K_Layout, T.peek().getString())) {
      B.Layout = *valueOf(LINX_K_Layout, T.peek().getString());
      T.next();
    } else {
      TileOperand O;
      if (!(Output ? parseTileDest(T, O) : parseTileSource(T, O)))
        return false;
      (Output ? B.Dests : B.Sources).push_back(O);
    }
    if (!T.atEnd() && !T.is(AsmToken::Comma) && !T.is(AsmToken::MinusGreater) && !T.is(AsmToken::Minus) &&
        !T.is(AsmToken::Identifier)) // TMOV's parameters may be followed by a tile without comma
      return T.fail(L, "unexpected " + T.found());
  }
}

bool LinxAsmParser::emitBlock(StringRef, SMLoc Loc, LinxTokens &T, BlockOperands &B) {
  // B.CATR, B.DATR, B.DIM, tiles, B.IOR, B.TEXT: the order of the manual.
  if (B.DR && !add(LINX_B_CATR, {{LINX_F_DR, 1}}, Loc, T))
    return false;
  bool Tma = linxBlockOf(Pending[0].Form) == LinxBlock::TMA;
  if (Tma && (B.Layout > 0 || B.Pad >= 0)) {
    // Padding defaults to Null, which is not code 0.
    int64_t Pad = B.Pad >= 0 ? B.Pad : int64_t(LINX_PadValue_Null);
    if (!add(LINX_B_DATR, {{LINX_F_DataLayout, std::max<int64_t>(B.Layout, 0)}, {LINX_F_PadValue, Pad}}, Loc, T))
      return false;
  }
  const linx_form Dim[3] = {LINX_B_DIM_LB0, LINX_B_DIM_LB1, LINX_B_DIM_LB2};
  for (unsigned I = 0; I != 3; ++I)
    if (B.LB[I].Given &&
        !add(Dim[I], {{LINX_F_RegSrc, B.LB[I].Reg}, {LINX_F_uimm17, B.LB[I].Imm}}, B.LB[I].Loc, T))
      return false;

  SmallVector<const TileOperand *, 16> Local, LocalOut;
  bool Shared = false;
  for (const TileOperand &O : B.Sources)
    Shared |= O.Shared;
  for (const TileOperand &O : B.Dests) {
    Shared |= O.Shared;
    if (!O.Shared)
      LocalOut.push_back(&O);
  }
  if (Shared && !B.HasMask)
    return T.fail(Loc, "a Shared tile needs mask=..., as in mask=1111");
  if (!Shared && B.HasMask)
    return T.fail(Loc, "mask= is for Shared tiles (S0 to S255); there is none here");

  struct Iot {
    const TileOperand *Src[2] = {nullptr, nullptr}, *Dst = nullptr;
  };
  // Operands bind in header order: Local ones pair up, a Shared one stands alone between them.
  SmallVector<std::pair<Iot, const TileOperand *>, 16> Lines;
  for (const TileOperand &O : B.Sources) {
    if (O.Shared)
      Lines.push_back({Iot(), &O});
    else if (!Lines.empty() && !Lines.back().second && !Lines.back().first.Src[1])
      Lines.back().first.Src[1] = &O;
    else {
      Lines.push_back({Iot(), nullptr});
      Lines.back().first.Src[0] = &O;
    }
  }
  size_t Next = 0;
  for (const TileOperand &O : B.Dests) {
    if (O.Shared) {
      Lines.push_back({Iot(), &O});
      Next = Lines.size();
      continue;
    }
    while (Next < Lines.size() && (Lines[Next].second || Lines[Next].first.Dst))
      ++Next;
    if (Next == Lines.size())
      Lines.push_back({Iot(), nullptr});
    Lines[Next++].first.Dst = &O;
  }
  int LastIot = -1;
  for (size_t I = 0; I != Lines.size(); ++I)
    if (!Lines[I].second)
      LastIot = int(I);
  for (size_t I = 0; I != Lines.size(); ++I) {
    if (const TileOperand *S = Lines[I].second) {
      if (!add(LINX_B_IOS, {{LINX_F_SharedTID, S->Code}, {LINX_F_SizeCode, S->Size}, {LINX_F_PEMode, B.Mask}}, S->Loc, T))
        return false;
      continue;
    }
    const Iot &X = Lines[I].first;
    std::pair<linx_field_name, int64_t> V[] = {
        {LINX_F_L, int(I) == LastIot},
        {LINX_F_DstTile, X.Dst ? X.Dst->Code : 7},
        {LINX_F_imm4, X.Dst ? X.Dst->Size : 0},
        {LINX_F_SrcTile0, X.Src[0] ? X.Src[0]->Code : 0},
        {LINX_F_S0R, X.Src[0] ? X.Src[0]->Reuse : 0},
        {LINX_F_SrcTile1, X.Src[1] ? X.Src[1]->Code : 0},
        {LINX_F_S1R, X.Src[1] ? X.Src[1]->Reuse : 0}};
    linx_form F = X.Src[1] ? LINX_B_IOT_SRC2 : X.Src[0] ? LINX_B_IOT_SRC1 : LINX_B_IOT_SRC0;
    SMLoc At = X.Dst ? X.Dst->Loc : X.Src[0]->Loc;
    if (!add(F, V, At, T))
      return false;
  }
  for (size_t I = 0, O = 0; I < B.In.size() || O < B.Out.size();) {
    SmallVector<std::pair<linx_field_name, int64_t>, 4> V;
    SMLoc At = I < B.In.size() ? B.In[I].second : B.Out[O].second;
    const linx_field_name Src[3] = {LINX_F_RegSrc0, LINX_F_RegSrc1, LINX_F_RegSrc2};
    for (unsigned K = 0; K != 3 && I < B.In.size(); ++K, ++I) {
      // Within one B.IOR the block state cannot see a repetition.
      for (const auto &P : V)
        if (P.second == B.In[I].first)
          return T.fail(B.In[I].second, sourceName(B.In[I].first) + " is an input twice; each register may be named once");
      V.push_back({Src[K], B.In[I].first});
    }
    if (O < B.Out.size())
      V.push_back({LINX_F_RegDst, B.Out[O++].first});
    if (!add(LINX_B_IOR, V, At, T))
      return false;
  }
  return !B.Body || add(LINX_B_TEXT, {}, B.BodyLoc, T, B.Body, LINX_F_simm25);
}

bool LinxAsmParser::parseBlock(StringRef Name, SMLoc Loc, LinxTokens &T, bool &Known) {
  auto [Base, Layout] = Name.split('.');
  linx_form Start = StringSwitch<linx_form>(Base.upper())
                        .Case("ESAVE", LINX_BSTART_TEPL)
                        .Case("ERCOV", LINX_BSTART_TEPL)
                        .Case("TLOAD", LINX_BSTART_TLOAD)
                        .Case("TSTORE", LINX_BSTART_TSTORE)
                        .Case("TMOV", LINX_BSTART_TMOV)
                        .Case("VPAR", LINX_BSTART_VPAR)
                        .Case("VSEQ", LINX_BSTART_VSEQ)
                        .Case("MPAR", LINX_BSTART_MPAR)
                        .Case("MSEQ", LINX_BSTART_MSEQ)
                        .Default(LINX_NFORMS);
  Known = Start != LINX_NFORMS;
  if (!Known)
    return false;
  LinxBlock Kind = linxBlockOf(Start);
  BlockOperands B;
  if (!Layout.empty()) {
    std::optional<int64_t> V = valueOf(LINX_K_Layout, Layout);
    SMLoc L = SMLoc::getFromPointer(Loc.getPointer() + Base.size() + 1);
    if (!V || Kind != LinxBlock::TMA)
      return T.fail(L, Kind != LinxBlock::TMA ? Twine(Base) + " has no layout"
                                              : "'" + Layout + "' is no layout; allowed are " + valueList(LINX_K_Layout));
    B.Layout = *V;
  }
  if (Kind == LinxBlock::Vector || Kind == LinxBlock::Memory) {
    T.take(AsmToken::Comma);
    B.BodyLoc = T.loc();
    if (T.atEnd() || T.is(AsmToken::Less) || !(B.Body = T.expression(getContext(), getStreamer(), false)))
      return T.fail(B.BodyLoc, "the label of the body expected, as in VPAR .body, <LB0:64>");
  }
  if (!parseBlockOperands(T, B))
    return false;
  SmallVector<std::pair<linx_field_name, int64_t>, 2> V;
  StringRef Upper = Base;
  if (Kind == LinxBlock::TEPL) {
    bool Save = Upper.equals_insensitive("ESAVE");
    V.push_back({LINX_F_TileOpcode, Save ? LINX_TileOpcode_ESAVE : LINX_TileOpcode_ERCOV});
    if (Save && (!B.Sources.empty() || B.Dests.empty()))
      return T.fail(B.Sources.empty() ? T.loc() : B.Sources[0].Loc,
                    "ESAVE has one to five outputs and no source, as in ESAVE ->N<32KB>");
    if (!Save && (!B.Dests.empty() || B.Sources.empty() || B.Sources.size() > 5))
      return T.fail(!B.Dests.empty() ? B.Dests[0].Loc : B.Sources.size() > 5 ? B.Sources[5].Loc : T.loc(),
                    "ERCOV has one to five source tiles and no output, as in ERCOV N#1");
    if (Save && B.Dests.size() > 5)
      return T.fail(B.Dests[5].Loc, "ESAVE has at most 5 output tiles");
    if (B.LB[0].Given || B.LB[1].Given || B.LB[2].Given || !B.In.empty() || !B.Out.empty())
      return T.fail(Loc, Base + " has tile operands only");
  } else if (Kind == LinxBlock::TMA) {
    if (B.DataType < 0)
      return T.fail(Loc, Base + " needs a data type between '<' and '>', as in " + Base + " <LB0:64, U8>");
    if (!B.LB[0].Given)
      return T.fail(Loc, Base + " needs LB0, the number of valid columns, between '<' and '>'");
    V.push_back({LINX_F_DataType, B.DataType});
    bool Load = Start == LINX_BSTART_TLOAD, Store = Start == LINX_BSTART_TSTORE;
    if (Load ? !B.Sources.empty() : B.Sources.empty())
      return T.fail(Loc, Load ? "TLOAD reads memory and has no source tile" : Base + " needs a source tile");
    if (Store ? !B.Dests.empty() : B.Dests.empty())
      return T.fail(Loc, Store ? "TSTORE writes memory and has no output tile" : Base + " needs an output tile");
    if ((Load || Store) && (B.In.empty() || B.In.size() > 2))
      return T.fail(Loc, Base + " needs its base address and may have a stride: [base] or [base, stride]");
  } else {
    V.push_back({LINX_F_Mode, B.Size >= 0 ? B.Size : int64_t(LINX_vsize_VS16)});
    if (B.DataType >= 0 || B.Pad >= 0 || B.Layout >= 0)
      return T.fail(Loc, Base + " has no data type, padding value or layout");
  }
  return add(Start, V, Loc, T) && emitBlock(Base, Loc, T, B);
}

// ---- pseudo-instructions

bool LinxAsmParser::parseSource(LinxTokens &T, unsigned &Code) {
  LinxFormParser P(LINX_C_MOVR, T, getContext(), getStreamer());
  return P.parseSourceOnly(Code);
}

bool LinxAsmParser::parseDest(LinxTokens &T, unsigned &Code) {
  if (!T.takeText(", ->"))
    return false;
  LinxFormParser P(LINX_C_MOVR, T, getContext(), getStreamer());
  if (!P.parseDestOnly(Code))
    return false;
  return T.atEnd() || T.fail("unexpected " + T.found());
}

// The shortest sequence for a constant. A constant of more than 32 bits needs T for one intermediate value.
bool LinxAsmParser::loadImmediate(int64_t V, unsigned Dst, SMLoc Loc, LinxTokens &T) {
  if (isInt<5>(V) && Dst != 10)
    return add(LINX_C_MOVI, {{LINX_F_RegDst, Dst}, {LINX_F_simm5, V}}, Loc, T);
  if (isUInt<12>(V))
    return add(LINX_ADDI, {{LINX_F_RegDst, Dst}, {LINX_F_uimm12, V}}, Loc, T);
  if (V < 0 && V >= -4095)
    return add(LINX_SUBI, {{LINX_F_RegDst, Dst}, {LINX_F_uimm12, -V}}, Loc, T);
  if (isInt<32>(V) && !(V & 0xfff))
    return add(LINX_LUI, {{LINX_F_RegDst, Dst}, {LINX_F_imm20, V >> 12}}, Loc, T);
  if (isInt<32>(V))
    return add(LINX_HL_LIS, {{LINX_F_RegDst, Dst}, {LINX_F_simm32, V}}, Loc, T);
  if (isUInt<32>(V))
    return add(LINX_HL_LIU, {{LINX_F_RegDst, Dst}, {LINX_F_uimm32, V}}, Loc, T);
  // A short constant shifted left.
  unsigned Zeros = countr_zero(uint64_t(V));
  bool Queue = Dst > 23;
  unsigned Self = Dst == 31 ? 24 : Dst == 30 ? 28 : Dst; // the value just written
  if (isInt<32>(V >> Zeros))
    return loadImmediate(V >> Zeros, Dst, Loc, T) &&
           add(LINX_SLLI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Self}, {LINX_F_shamt, Zeros}}, Loc, T);
  int64_t Low = V & 0xffffffff, High = V >> 32;
  // Low half to T; high half to the destination, shifted; then both together. Writing to T moves the low half down.
  unsigned LowAt = 24 + (Dst == 31 ? 2 : 0);
  (void)Queue;
  return add(LINX_HL_LIU, {{LINX_F_RegDst, 31}, {LINX_F_uimm32, Low}}, Loc, T) &&
         add(LINX_HL_LIS, {{LINX_F_RegDst, Dst}, {LINX_F_simm32, High}}, Loc, T) &&
         add(LINX_SLLI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Self}, {LINX_F_shamt, 32}}, Loc, T) &&
         add(LINX_OR, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Self}, {LINX_F_SrcR, LowAt}, {LINX_F_SrcRType, 3}}, Loc, T);
}

bool LinxAsmParser::parsePseudo(StringRef Name, SMLoc Loc, LinxTokens &T, bool &Known) {
  enum Op { NOP, MV, LI, LA, RET, CALL, TAIL, NOT, NEG, SEXTW, ZEXTW, SEQZ, SNEZ, None };
  Op O = StringSwitch<Op>(Name.lower())
             .Case("nop", NOP).Case("mv", MV).Case("li", LI).Case("la", LA).Case("ret", RET).Case("call", CALL)
             .Case("tail", TAIL).Case("not", NOT).Case("neg", NEG).Case("sext.w", SEXTW).Case("zext.w", ZEXTW)
             .Case("seqz", SEQZ).Case("snez", SNEZ).Default(None);
  Known = O != None;
  if (!Known)
    return false;
  MCContext &Ctx = getContext();
  unsigned Src, Dst;
  auto End = [&] { return T.atEnd() || T.fail("unexpected " + T.found()); };
  switch (O) {
  case NOP:
    // Bodies have no 16-bit instructions.
    if (!End())
      return false;
    if (state().inBody())
      return add(LINX_ADDI, {}, Loc, T);
    return add(LINX_C_MOVR, {}, Loc, T);
  case LI: {
    int64_t V;
    return T.constant(Ctx, getStreamer(), V) && parseDest(T, Dst) && loadImmediate(V, Dst, Loc, T);
  }
  case LA: {
    const MCExpr *E = T.expression(Ctx, getStreamer());
    if (!E || !parseDest(T, Dst))
      return false;
    if (Dst == 10) // ADDTPC cannot write ra: through T
      return add(LINX_ADDTPC, {{LINX_F_RegDst, 31}}, Loc, T, E, LINX_F_imm20) &&
             add(LINX_ADDI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, 24}}, Loc, T, LinxMCExpr::create(E, LinxMCExpr::Lo, Ctx),
                 LINX_F_uimm12);
    unsigned Self = Dst == 31 ? 24 : Dst == 30 ? 28 : Dst;
    return add(LINX_ADDTPC, {{LINX_F_RegDst, Dst}}, Loc, T, E, LINX_F_imm20) &&
           add(LINX_ADDI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Self}}, Loc, T, LinxMCExpr::create(E, LinxMCExpr::Lo, Ctx),
               LINX_F_uimm12);
  }
  case RET:
    return End() && add(LINX_C_BSTART_STD, {{LINX_F_BrType, LINX_BrType_RET}}, Loc, T) &&
           add(LINX_C_SETC_TGT, {{LINX_F_SrcL, 10}}, Loc, T);
  case CALL:
  case TAIL: {
    const MCExpr *E = T.expression(Ctx, getStreamer());
    if (!E || !End())
      return false;
    bool Relax = Stack.back().Relax;
    if (!add(Relax ? LINX_C_BSTART_DIRECT : LINX_BSTART_DIRECT, {}, Loc, T, E, Relax ? LINX_F_simm12 : LINX_F_simm25))
      return false;
    // A call returns behind its C.SETRET, where the next block begins.
    return O == TAIL || add(LINX_C_SETRET, {{LINX_F_uimm5, 1}}, Loc, T);
  }
  default: break;
  }
  if (!parseSource(T, Src) || !parseDest(T, Dst))
    return false;
  switch (O) {
  case MV:
    if (state().inBody())
      return add(LINX_ADDI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}}, Loc, T);
    return add(LINX_C_MOVR, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}}, Loc, T);
  case NOT: return add(LINX_XORI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}, {LINX_F_simm12, -1}}, Loc, T);
  case NEG: return add(LINX_SUB, {{LINX_F_RegDst, Dst}, {LINX_F_SrcR, Src}, {LINX_F_SrcRType, 3}}, Loc, T);
  case SEXTW: return add(LINX_ADDIW, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}}, Loc, T);
  case ZEXTW: return add(LINX_BXU, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}, {LINX_F_imml, 31}}, Loc, T);
  case SEQZ: return add(LINX_CMP_EQI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}}, Loc, T);
  case SNEZ: return add(LINX_CMP_NEI, {{LINX_F_RegDst, Dst}, {LINX_F_SrcL, Src}}, Loc, T);
  default: llvm_unreachable("handled above");
  }
}
