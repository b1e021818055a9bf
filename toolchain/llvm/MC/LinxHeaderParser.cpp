// SPDX-License-Identifier: BSD-2-Clause
// Operand lists of the header instructions: B.IOR, B.IOS, B.IOT, B.CATR, B.DATR, B.HINT.
#include "LinxFormParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::Linx;

// ---- shared with the one-line block forms

bool Linx::atSharedTile(const LinxTokens &T) {
  StringRef S = T.is(AsmToken::Identifier) ? T.peek().getString() : StringRef();
  return S.size() >= 2 && (S[0] == 'S' || S[0] == 's') && isDigit(S[1]);
}

static bool sharedNumber(LinxTokens &T, unsigned &N) {
  StringRef S = T.peek().getString();
  if (S.drop_front().getAsInteger(10, N))
    return T.fail("'" + S + "' is no Shared tile; they are S0 to S255");
  if (N > 255)
    return T.fail("Shared tile " + S + " does not exist; allowed are S0 to S255");
  T.next();
  return true;
}

// "<32KB>": bytes.
static bool parseSize(LinxTokens &T, uint64_t &Bytes, SMLoc &L) {
  if (!T.take(AsmToken::Less))
    return T.fail("a size in angle brackets expected, as in <32KB>; found " + T.found());
  L = T.loc();
  if (!T.is(AsmToken::Integer))
    return T.fail("a size expected, as in 32KB; found " + T.found());
  Bytes = T.peek().getIntVal();
  T.next();
  if (T.takeWord("KB") || T.takeWord("K"))
    Bytes *= 1024;
  else if (!T.takeWord("B"))
    return T.fail("unit B or KB expected, found " + T.found());
  return T.take(AsmToken::Greater) || T.fail("'>' expected, found " + T.found());
}

static std::optional<unsigned> localHand(StringRef S) {
  std::optional<int64_t> V = valueOf(LINX_K_hand, S);
  return V ? std::optional<unsigned>(*V) : std::nullopt;
}

bool Linx::parseTileSource(LinxTokens &T, TileOperand &O) {
  O.Loc = T.loc();
  if (atSharedTile(T)) {
    O.Shared = true;
    return sharedNumber(T, O.Code);
  }
  if (!T.is(AsmToken::Identifier))
    return T.fail("a tile expected (T#1, N#2.reuse, S7), found " + T.found());
  StringRef Name = T.peek().getString();
  std::optional<unsigned> Hand = localHand(Name);
  if (Hand && *Hand == LINX_hand_S)
    return T.fail("Shared tiles have absolute numbers: write S0 to S255 without '#'");
  if (!Hand || *Hand > LINX_hand_N)
    return T.fail("'" + Name + "' is no source tile; allowed are T#, U#, M#, N# (1 to 16) and S0 to S255");
  T.next();
  if (!T.take(AsmToken::Hash))
    return T.fail("'#' and a number 1 to 16 expected, found " + T.found());
  if (!T.is(AsmToken::Integer) || T.peek().getIntVal() < 1 || T.peek().getIntVal() > 16)
    return T.fail("hand " + Name + " is 16 deep: " + Name + "#1 to " + Name + "#16");
  O.Code = *Hand << 4 | unsigned(T.peek().getIntVal() - 1);
  T.next();
  O.Reuse = T.takeWord(".reuse");
  return true;
}

bool Linx::parseTileDest(LinxTokens &T, TileOperand &O) {
  O.Loc = T.loc();
  uint64_t Bytes;
  SMLoc L;
  if (atSharedTile(T)) {
    O.Shared = true;
    if (!sharedNumber(T, O.Code) || !parseSize(T, Bytes, L))
      return false;
    if (!isPowerOf2_64(Bytes) || Bytes < 128 || Bytes > 256 * 1024)
      return T.fail(L, "a Shared tile has 128B, 256B, 512B, 1KB, 2KB, 4KB, 8KB, 16KB, 32KB, 64KB, 128KB or 256KB per PE");
    O.Size = Log2_64(Bytes) - 6;
    return true;
  }
  if (!T.is(AsmToken::Identifier))
    return T.fail("a destination tile expected (T, U, M, N, ACC, S or S0 to S255), found " + T.found());
  std::optional<unsigned> Hand = localHand(T.peek().getString());
  if (!Hand)
    return T.fail("'" + T.peek().getString() +
                  "' is no destination tile; allowed are T, U, M, N, ACC, S and S0 to S255");
  bool Stack = *Hand == LINX_hand_S;
  T.next();
  if (T.is(AsmToken::Hash))
    return T.fail(Stack ? "Shared tiles have absolute numbers: write S0 to S255 without '#'"
                        : "an output pushes to its hand: write ->T<size> without '#'");
  if (!parseSize(T, Bytes, L))
    return false;
  if (Bytes && (!isPowerOf2_64(Bytes) || Bytes < 32 || Bytes > 512 * 1024))
    return T.fail(L, "a tile has 32B, 64B, 128B, 256B, 512B, 1KB, 2KB, 4KB, 8KB, 16KB or 32KB (the encoding also "
                     "holds 0B and 64KB to 512KB)");
  O.Code = *Hand;
  O.Size = Bytes ? Log2_64(Bytes) - 4 : 0;
  return true;
}

bool Linx::parseMask(LinxTokens &T, unsigned &PEMode) {
  if (!T.takeWord("mask"))
    return T.fail("mask=... expected, found " + T.found());
  if (!T.take(AsmToken::Equal))
    return T.fail("'=' expected, found " + T.found());
  std::optional<int64_t> V = valueOf(LINX_K_shared_mask, T.peek().getString());
  if (!V)
    return T.fail("mask " + T.peek().getString() + " has no encoding; allowed are " + valueList(LINX_K_shared_mask) +
                  " (PE0 first)");
  T.next();
  PEMode = unsigned(*V);
  return true;
}

// ---- the instructions

bool LinxFormParser::put(linx_field_name Name, int64_t Raw, SMLoc L) {
  int I = linx_find_field(Form, Name);
  if (I < 0)
    return T.fail(L, Twine(D.mnemonic) + " has no field " + linx_field_names[Name]);
  return set(I, Raw, L);
}

bool LinxFormParser::custom(StringRef Name) {
  if (Name == "ior") return ior();
  if (Name == "ios") return ios();
  if (Name == "iot") return iot();
  if (Name == "catr") return catr();
  if (Name == "datr") return datr();
  if (Name == "hint") return hint();
  if (Name == "trace") return trace();
  llvm_unreachable("linx.isa names a custom syntax that the parser does not know");
}

bool LinxFormParser::iorRegister(int64_t &R) {
  StringRef Name = T.is(AsmToken::Identifier) ? T.peek().getString() : StringRef();
  unsigned N;
  std::optional<unsigned> G = parseGPR(Name);
  if (!G && Name.starts_with_insensitive("r") && !Name.drop_front().getAsInteger(10, N) && N >= 24 && N < 32)
    G = N; // reserved codes, as the disassembler writes them
  if (!G)
    return T.fail("a register (sp, a0 to a7, ra, s0 to s8, x0 to x3) expected, found " + T.found());
  T.next();
  R = *G;
  return true;
}

bool LinxFormParser::ior() {
  const linx_field_name Src[3] = {LINX_F_RegSrc0, LINX_F_RegSrc1, LINX_F_RegSrc2};
  unsigned N = 0;
  bool Bracket = T.take(AsmToken::LBrac);
  while (!T.atEnd() && !T.is(AsmToken::MinusGreater) && !T.is(AsmToken::Minus) && !T.is(AsmToken::RBrac) &&
         !T.is(AsmToken::LBrac) && !T.is(AsmToken::LCurly)) {
    SMLoc L = T.loc();
    int64_t R;
    if (!iorRegister(R))
      return false;
    if (N == 3)
      return T.fail(L, "one B.IOR has at most three inputs; write the others in another B.IOR");
    put(Src[N++], R, L);
    if (!T.take(AsmToken::Comma))
      break;
  }
  if (Bracket) {
    if (!T.take(AsmToken::RBrac))
      return T.fail("']' expected, found " + T.found());
    T.take(AsmToken::Comma);
    if (T.take(AsmToken::LBrac)) {
      SMLoc L = T.loc();
      int64_t R;
      if (!T.is(AsmToken::RBrac) && (!iorRegister(R) || !put(LINX_F_RegDst, R, L)))
        return false;
      return T.take(AsmToken::RBrac) || T.fail("']' expected, found " + T.found());
    }
  }
  if (T.takeArrow()) {
    SMLoc L = T.loc();
    int64_t R;
    return iorRegister(R) && put(LINX_F_RegDst, R, L);
  }
  return true;
}

bool LinxFormParser::ios() {
  SMLoc L = T.loc();
  unsigned Mode;
  if (T.is(AsmToken::Identifier) && T.peek().getString().equals_insensitive("mask")) {
    TileOperand O;
    if (!parseMask(T, Mode))
      return false;
    if (!T.takeText(", ->"))
      return false;
    SMLoc At = T.loc();
    if (!parseTileDest(T, O))
      return false;
    if (!O.Shared)
      return T.fail(At, "B.IOS binds Shared tiles, S0 to S255; Local tiles are B.IOT's");
    return put(LINX_F_SharedTID, O.Code, At) && put(LINX_F_SizeCode, O.Size, At) && put(LINX_F_PEMode, Mode, L);
  }
  TileOperand O;
  if (!parseTileSource(T, O))
    return false;
  if (!O.Shared)
    return T.fail(L, "B.IOS binds Shared tiles, S0 to S255; Local tiles are B.IOT's");
  if (!T.take(AsmToken::Comma))
    return T.fail("',' and mask=... expected, found " + T.found());
  SMLoc At = T.loc();
  return parseMask(T, Mode) && put(LINX_F_SharedTID, O.Code, L) && put(LINX_F_SizeCode, 0, L) &&
         put(LINX_F_PEMode, Mode, At);
}

bool LinxFormParser::iot() {
  // The three forms differ in the number of sources.
  const unsigned Sources = Form == LINX_B_IOT_SRC2 ? 2 : Form == LINX_B_IOT_SRC1 ? 1 : 0;
  SMLoc Start = T.loc();
  put(LINX_F_DstTile, 7, Start);
  unsigned N = 0;
  bool Last = false;
  while (!T.atEnd() && !T.is(AsmToken::MinusGreater) && !T.is(AsmToken::Minus) && !T.is(AsmToken::LCurly)) {
    SMLoc L = T.loc();
    if (T.takeWord("last")) {
      if (Last)
        return T.fail(L, "last is there twice");
      Last = true;
      put(LINX_F_L, 1, L);
    } else {
      TileOperand O;
      if (!parseTileSource(T, O))
        return false;
      if (O.Shared)
        return T.fail(L, "B.IOT binds Local tiles; Shared tiles are B.IOS's");
      if (N == 2)
        return T.fail(L, "one B.IOT has at most two source tiles");
      if (N == Sources)
        return T.fail(L, "one source tile too many"); // another form takes it
      put(N ? LINX_F_SrcTile1 : LINX_F_SrcTile0, O.Code, L);
      put(N ? LINX_F_S1R : LINX_F_S0R, O.Reuse, L);
      ++N;
    }
    if (!T.take(AsmToken::Comma))
      break;
  }
  bool Dest = T.takeArrow();
  if (Dest) {
    SMLoc L = T.loc();
    TileOperand O;
    if (!parseTileDest(T, O))
      return false;
    if (O.Shared)
      return T.fail(L, "B.IOT binds Local tiles; Shared tiles are B.IOS's");
    put(LINX_F_DstTile, O.Code, L);
    put(LINX_F_imm4, O.Size, L);
  }
  if (N != Sources)
    return T.fail("a source tile is missing");
  if (!N && !Dest && !Last && !T.is(AsmToken::LCurly))
    return T.fail(T.loc(), "B.IOT needs a source tile or an output, as in B.IOT T#1, ->U<4KB>", /*Force=*/true);
  return true;
}

bool LinxFormParser::catr() {
  if (T.takeWord("none"))
    return true;
  while (!T.atEnd() && !T.is(AsmToken::LCurly)) {
    SMLoc L = T.loc();
    linx_field_name Name;
    if (T.takeWord("trap")) Name = LINX_F_trap;
    else if (T.takeWord("atomic") || T.takeWord("atom")) Name = LINX_F_atom;
    else if (T.takeWord("aqrl")) { Name = LINX_F_rl; put(LINX_F_aq, 1, L); }
    else if (T.takeWord("aq")) Name = LINX_F_aq;
    else if (T.takeWord("rl")) Name = LINX_F_rl;
    else if (T.takeWord("far")) Name = LINX_F_far;
    else if (T.takeWord("dr")) Name = LINX_F_DR;
    else
      return T.fail("a block attribute expected (trap, atomic, aq, rl, aqrl, far, dr), found " + T.found());
    put(Name, 1, L);
    if (!T.take(AsmToken::Comma))
      break;
  }
  return true;
}

bool LinxFormParser::datr() {
  static const struct {
    linx_field_name Name;
    unsigned Kind;
    const char *What;
  } Kinds[] = {{LINX_F_DataLayout, LINX_K_Layout, "layout"},
               {LINX_F_DataType, LINX_K_DataType, "data type"},
               {LINX_F_PadValue, LINX_K_PadValue, "padding value"},
               {LINX_F_CMode, LINX_K_CMode, "comparison"},
               {LINX_F_RMode, LINX_K_RMode, "rounding mode"}};
  unsigned Seen = 0;
  while (!T.atEnd() && !T.is(AsmToken::LCurly)) {
    SMLoc L = T.loc();
    if (!T.is(AsmToken::Identifier))
      return T.fail("a data attribute expected, found " + T.found());
    StringRef Word = T.peek().getString();
    bool Known = false;
    if (Word.equals_insensitive("sat")) {
      Known = true;
      T.next();
      put(LINX_F_Sat, 1, L);
    }
    for (unsigned I = 0; !Known && I != std::size(Kinds); ++I)
      if (std::optional<int64_t> V = valueOf(Kinds[I].Kind, Word)) {
        if (Seen >> I & 1)
          return T.fail(L, Twine("a second ") + Kinds[I].What + ", '" + Word + "'");
        Seen |= 1u << I;
        Known = true;
        T.next();
        put(Kinds[I].Name, *V, L);
        if (I == 0 && !T.takeWord(".normal") && T.is(AsmToken::Identifier) && T.peek().getString() == ".canon")
          return T.fail("B.DATR has no bit for .canon; only .normal can be encoded");
      }
    if (!Known)
      return T.fail(L, "'" + Word + "' is no layout, data type, padding value, comparison, rounding mode or sat; " +
                           "data types are " + valueList(LINX_K_DataType));
    if (!T.take(AsmToken::Comma))
      break;
  }
  return true;
}

bool LinxFormParser::hint() {
  while (!T.atEnd() && !T.is(AsmToken::LCurly)) {
    SMLoc L = T.loc();
    if (T.takeWord("BR.likely")) {
      put(LINX_F_V, 1, L);
      put(LINX_F_L_UL, 1, L);
    } else if (T.takeWord("BR.unlikely")) {
      put(LINX_F_V, 1, L);
      put(LINX_F_L_UL, 0, L);
    } else if (T.takeWord("TEMP")) {
      std::optional<int64_t> V = valueOf(LINX_K_temp, T.peek().getString().drop_front());
      if (!V)
        return T.fail("TEMP.hot, TEMP.warm, TEMP.cool or TEMP.none expected");
      T.next();
      put(LINX_F_temp, *V, L);
    } else {
      int64_t V;
      if (!T.is(AsmToken::Integer))
        return T.fail("BR.likely, BR.unlikely, TEMP.hot/warm/cool/none or a number of cache lines expected, found " +
                      T.found());
      if (!T.constant(Ctx, Out, V) || !value(linx_find_field(Form, LINX_F_prefetch_size), V, L))
        return false;
    }
    if (!T.take(AsmToken::Comma))
      break;
  }
  return true;
}

bool LinxFormParser::trace() {
  SMLoc L = T.loc();
  if (T.takeWord("TRACE.begin"))
    return put(LINX_F_B_E, LINX_trace_begin, L);
  if (T.takeWord("TRACE.end"))
    return put(LINX_F_B_E, LINX_trace_end, L);
  return T.fail("TRACE.begin or TRACE.end expected, found " + T.found());
}
