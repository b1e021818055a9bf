// SPDX-License-Identifier: BSD-2-Clause
#include "LinxBlockState.h"
#include "LinxSyntax.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;
using namespace llvm::Linx;

LinxBlock llvm::linxBlockOf(linx_form Form) {
  const linx_form_desc &D = linx_forms[Form];
  StringRef M(D.mnemonic);
  if (!(D.where & (LINX_WHERE_START | LINX_WHERE_PSEUDO)))
    return LinxBlock::None;
  if (M.contains(".SYS"))
    return LinxBlock::SYS;
  if (M.ends_with("BSTART.FP"))
    return LinxBlock::FP;
  if (M.ends_with("VPAR") || M.ends_with("VSEQ"))
    return LinxBlock::Vector;
  if (M.ends_with("MPAR") || M.ends_with("MSEQ"))
    return LinxBlock::Memory;
  if (M.ends_with("TEPL"))
    return LinxBlock::TEPL;
  if (M.ends_with("TMA") || M.ends_with("TLOAD") || M.ends_with("TSTORE") || M.ends_with("TMOV"))
    return LinxBlock::TMA;
  if (M.starts_with("BSTART.CUBE") || M.starts_with("BSTART.TMATMUL") || M.ends_with("ACCCVT") || M.ends_with("FIXP"))
    return LinxBlock::CUBE;
  if (M == "XB")
    return LinxBlock::XB;
  return M.contains("BSTART") ? LinxBlock::STD : LinxBlock::Template;
}

static int64_t get(linx_form F, uint64_t W, linx_field_name N) {
  int I = linx_find_field(F, N);
  return I < 0 ? 0 : linx_field_get(&linx_forms[F].field[I], W);
}

static std::string places(const linx_form_desc &D) {
  static const struct {
    unsigned Bit;
    const char *Name;
  } P[] = {{LINX_WHERE_STD, "STD blocks"},          {LINX_WHERE_SYS, "SYS blocks"},
           {LINX_WHERE_FP, "FP blocks"},            {LINX_WHERE_VEC, "VPAR and VSEQ bodies"},
           {LINX_WHERE_MEM, "MPAR and MSEQ bodies"}, {LINX_WHERE_HEADER, "block headers"}};
  std::string S;
  for (const auto &X : P)
    if (D.where & X.Bit)
      S += (S.empty() ? "" : ", ") + std::string(X.Name);
  return S;
}

// Scalar loads and stores, and 64-bit ones without .local, reach global memory.
static bool globalMemory(linx_form F, uint64_t W) {
  const linx_form_desc &D = linx_forms[F];
  if (!(D.effect & (LINX_EFFECT_LOAD | LINX_EFFECT_STORE | LINX_EFFECT_AMO)))
    return false;
  return linx_find_field(F, LINX_F_L) < 0 || !get(F, W, LINX_F_L);
}

bool LinxBlockState::allowsBody(linx_form F, uint64_t W, std::string &Msg, linx_field_name &Field) {
  const linx_form_desc &D = linx_forms[F];
  bool Vector = Kind == LinxBlock::Vector;
  const char *Name = Vector ? "a VPAR or VSEQ body" : "an MPAR or MSEQ body";
  if (!(D.where & (Vector ? LINX_WHERE_VEC : LINX_WHERE_MEM))) {
    Msg = std::string(D.mnemonic) + " may not stand in " + Name + "; it belongs to " + places(D);
    return false;
  }
  if (Vector && globalMemory(F, W)) {
    Msg = std::string(D.mnemonic) + " reaches global memory, which only MPAR and MSEQ bodies may; here use a 64-bit "
                                    "form with .local";
    return false;
  }
  for (unsigned I = 0; D.length == 32 && I != D.nfields; ++I) {
    const linx_field &X = D.field[I];
    int64_t V = linx_field_get(&X, W);
    if ((X.kind == LINX_K_src || X.kind == LINX_K_dst) && V > 0 && V < 24) {
      Msg = sourceName(V) + " cannot be used in " + Name +
            ": there are t, u, zero and, through B.IOR, ri0 to ri11 and ro0 to ro3";
      Field = linx_field_name(X.name);
      return false;
    }
  }
  return true;
}

// B.IOR: each register at most once as input and once as output of a block.
bool LinxBlockState::allowsRegisters(linx_form F, uint64_t W, std::string &Msg, linx_field_name &Field) {
  uint32_t Seen = At == Header ? InputRegs : 0;
  for (linx_field_name N : {LINX_F_RegSrc0, LINX_F_RegSrc1, LINX_F_RegSrc2}) {
    int64_t R = get(F, W, N);
    if (R && Seen >> R & 1) {
      Msg = sourceName(R) + " is already an input of this block; each register may be named once";
      Field = N;
      return false;
    }
    Seen |= 1u << R;
  }
  if (int64_t R = get(F, W, LINX_F_RegDst); At == Header && R && OutputRegs >> R & 1) {
    Msg = sourceName(R) + " is already an output of this block; each register may be named once";
    Field = LINX_F_RegDst;
    return false;
  }
  return true;
}

bool LinxBlockState::allowsHeader(linx_form F, uint64_t W, std::string &Msg, linx_field_name &Field) {
  const linx_form_desc &D = linx_forms[F];
  if (!(D.where & LINX_WHERE_HEADER)) {
    Msg = std::string(D.mnemonic) + " may not stand in the header of a " + StartName + " block; end it with BSTOP or "
                                                                                      "begin another block";
    return false;
  }
  bool Data = Kind == LinxBlock::Vector || Kind == LinxBlock::Memory;
  if (TextSeen) {
    Msg = std::string("B.TEXT is the last instruction of a header; ") + D.mnemonic + " must stand before it";
    return false;
  }
  switch (F) {
  case LINX_B_TEXT:
    if (!Data) {
      Msg = std::string("a ") + StartName + " block has no body of its own, so no B.TEXT";
      return false;
    }
    break;
  case LINX_B_IOS: {
    bool Dest = get(F, W, LINX_F_SizeCode) != 0;
    int Mode = get(F, W, LINX_F_PEMode);
    bool Load = Start == LINX_BSTART_TLOAD || (Start == LINX_BSTART_TMA && !get(Start, StartWord, LINX_F_Function));
    bool Store = Start == LINX_BSTART_TSTORE || (Start == LINX_BSTART_TMA && get(Start, StartWord, LINX_F_Function) == 1);
    if (Kind == LinxBlock::TEPL || Kind == LinxBlock::XB || (Dest && (Data || Kind == LinxBlock::CUBE || Store)) ||
        (!Dest && Load)) {
      Msg = std::string("a Shared tile cannot be ") + (Dest ? "an output" : "a source") + " of " + StartName +
            "; sources stand in TSTORE, TMOV, VPAR, VSEQ, MPAR, MSEQ and CUBE headers, outputs in TLOAD and TMOV";
      return false;
    }
    if (Mask > 0 && Mode > 0 && Mask != Mode) {
      Msg = std::string("all B.IOS of one header carry the same mask; the one before has mask=") +
            valueName(LINX_K_shared_mask, Mask);
      Field = LINX_F_PEMode;
      return false;
    }
    break;
  }
  case LINX_B_IOT_SRC0:
  case LINX_B_IOT_SRC1:
  case LINX_B_IOT_SRC2: {
    if (LastSeen) {
      Msg = "the B.IOT before is marked last";
      return false;
    }
    if (get(F, W, LINX_F_DstTile) == 7)
      break;
    unsigned Max = Kind == LinxBlock::TEPL ? 5 : Data ? 4 : 8;
    if (TileOutputs == Max) {
      Msg = std::string(Kind == LinxBlock::TEPL ? "ESAVE" : StartName) + " has at most " + utostr(Max) + " output tiles";
      Field = LINX_F_DstTile;
      return false;
    }
    break;
  }
  default: break;
  }
  return true;
}

// l. means without vector operand, v. with one (the manual, vector instructions).
static bool allowsSpelling(linx_form F, uint64_t W, bool VSpelling, bool LSpelling, std::string &Msg,
                           linx_field_name &Field) {
  const linx_form_desc &D = linx_forms[F];
  if (D.length != 64)
    return true;
  bool Vector = false;
  int Dst = -1;
  for (unsigned I = 0; I != D.nfields; ++I) {
    const linx_field &X = D.field[I];
    unsigned V = unsigned(linx_field_get(&X, W));
    bool IsV = (X.kind == LINX_K_vdst && isVectorDest(V)) ||
               ((X.kind == LINX_K_vsrc || X.kind == LINX_K_fvsrc) && isVectorSource(V));
    if (IsV && (V >> 7 & 3) == 0) {
      Field = linx_field_name(X.name);
      Msg = "elements of vt, vu, vm and vn have 32 bits: 64-bit operand types and .d need t, u, ri or ro";
      return false;
    }
    Vector |= IsV;
    if (X.kind == LINX_K_vdst)
      Dst = V & 127;
  }
  std::string Name = StringRef(D.mnemonic).lower().substr(2);
  if (LSpelling && Vector) {
    Msg = "l." + Name + " has no vector operand; with vt, vu, vm or vn it is v." + Name;
    return false;
  }
  if (VSpelling && !Vector) {
    Msg = "v." + Name + " needs a vector operand (vt, vu, vm or vn); without one it is l." + Name;
    return false;
  }
  if (Vector && Dst >= 4 && !StringRef(D.mnemonic).starts_with("V.RD") &&
      !(Dst == 92 && StringRef(D.mnemonic).starts_with("V.CMP"))) {
    Field = LINX_F_RegDst;
    Msg = "v." + Name + " writes a vector: ->vt, vu, vm or vn; t, u and ro take the results of reductions, p those of "
                        "v.cmp";
    return false;
  }
  return true;
}

bool LinxBlockState::allows(linx_form F, uint64_t W, bool VSpelling, bool LSpelling, std::string &Msg,
                            linx_field_name &Field) {
  const linx_form_desc &D = linx_forms[F];
  Field = LINX_F_COUNT;
  if (!allowsSpelling(F, W, VSpelling, LSpelling, Msg, Field) ||
      (F == LINX_B_IOR && !allowsRegisters(F, W, Msg, Field)))
    return false;
  if (At == Unknown || (D.where & (LINX_WHERE_START | LINX_WHERE_STOP | LINX_WHERE_PSEUDO)))
    return true;
  if (At == Body)
    return allowsBody(F, W, Msg, Field);
  if (At == Header)
    return allowsHeader(F, W, Msg, Field);
  unsigned Bit = Kind == LinxBlock::STD ? LINX_WHERE_STD : Kind == LinxBlock::SYS ? LINX_WHERE_SYS : LINX_WHERE_FP;
  // Of the header instructions a scalar block has these (the manual, block headers).
  bool HeaderOk = F == LINX_B_CATR || F == LINX_B_HINT || F == LINX_B_HINT_TRACE || F == LINX_B_IOR;
  if ((D.where & Bit) || HeaderOk)
    return true;
  const char *Name = Kind == LinxBlock::STD ? "an STD" : Kind == LinxBlock::SYS ? "a SYS" : "an FP";
  Msg = std::string(D.mnemonic) + " may not stand in " + Name + " block; it belongs to " + places(D);
  return false;
}

void LinxBlockState::advance(linx_form F, uint64_t W, const MCSymbol *BodyLabel) {
  const linx_form_desc &D = linx_forms[F];
  if (D.where & (LINX_WHERE_START | LINX_WHERE_PSEUDO)) {
    Kind = linxBlockOf(F);
    Start = F;
    StartWord = W;
    StringRef M(D.mnemonic);
    StartName = D.mnemonic + (M.starts_with("BSTART.") ? 7 : M.starts_with("C.BSTART.") ? 9 : 0);
    At = Kind == LinxBlock::Template                                                              ? Unknown
         : Kind == LinxBlock::STD || Kind == LinxBlock::SYS || Kind == LinxBlock::FP ? Scalar
                                                                                     : Header;
    Iots = TileOutputs = 0;
    InputRegs = OutputRegs = 0;
    LastSeen = TextSeen = false;
    Mask = -1;
    return;
  }
  if (D.where & LINX_WHERE_STOP) {
    At = Unknown;
    return;
  }
  switch (F) {
  case LINX_ACRC:
  case LINX_ACRE:
  case LINX_BSE:
  case LINX_BWE:
  case LINX_BWI:
  case LINX_BWT:
    At = Unknown; // they end their block
    break;
  case LINX_B_TEXT:
    TextSeen = true;
    if (BodyLabel)
      Bodies[BodyLabel] = Kind;
    break;
  case LINX_B_IOR:
    for (linx_field_name N : {LINX_F_RegSrc0, LINX_F_RegSrc1, LINX_F_RegSrc2})
      InputRegs |= 1u << get(F, W, N);
    OutputRegs |= 1u << get(F, W, LINX_F_RegDst);
    break;
  case LINX_B_IOS:
    if (int M = get(F, W, LINX_F_PEMode); M > 0)
      Mask = M;
    break;
  case LINX_B_IOT_SRC0:
  case LINX_B_IOT_SRC1:
  case LINX_B_IOT_SRC2:
    ++Iots;
    LastSeen |= get(F, W, LINX_F_L) != 0;
    TileOutputs += get(F, W, LINX_F_DstTile) != 7;
    break;
  default: break;
  }
}

void LinxBlockState::atLabel(const MCSymbol *S) {
  auto I = Bodies.find(S);
  if (I == Bodies.end())
    return;
  At = Body;
  Kind = I->second;
}
