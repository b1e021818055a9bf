// SPDX-License-Identifier: BSD-2-Clause
// Interprets the SYNTAX column over an MCInst. A field that the syntax cannot show follows as {name=value}, so that
// every word prints and assembles back to itself.
#include "LinxInstPrinter.h"
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxSyntax.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace llvm;
using namespace llvm::Linx;

struct LinxInstPrinter::Printing {
  const LinxInstPrinter &P;
  const MCInst &MI;
  uint64_t Address;
  linx_form Form;
  const linx_form_desc &D;
  std::string Suffix, Out;
  raw_string_ostream OS;
  unsigned Shown = 0; // bit i: field i has been printed

  Printing(const LinxInstPrinter &P, const MCInst &MI, uint64_t Address, linx_form Form)
      : P(P), MI(MI), Address(Address), Form(Form), D(linx_forms[Form]), OS(Out) {}

  // Encoded value of field I: register number or unscaled immediate. Symbols count as non-zero.
  int64_t raw(unsigned I) const {
    const MCOperand &Op = MI.getOperand(I);
    if (Op.isReg())
      return P.MRI.getEncodingValue(Op.getReg());
    return Op.isImm() ? Op.getImm() >> D.field[I].scale : 1;
  }
  int find(linx_field_name Name) const { return linx_find_field(Form, Name); }
  // Value of a field by name, which counts as shown; 0 when the form has none.
  int64_t take(linx_field_name Name) {
    int I = find(Name);
    if (I < 0)
      return 0;
    Shown |= 1u << I;
    return raw(I);
  }
  // A named value, or nothing: then the field stays unshown and follows in braces.
  const char *takeName(linx_field_name Name, unsigned Kind) {
    int I = find(Name);
    const char *N = valueName(Kind, raw(I));
    if (N)
      Shown |= 1u << I;
    return N;
  }
  void item(StringRef S) {
    if (!OS.str().empty())
      OS << ", ";
    OS << S;
  }

  void field(unsigned I, unsigned Kind, raw_ostream &O);
  void custom(StringRef Name);
  void ior();
  void ios();
  void iot();
  void catr();
  void datr();
  void hint();
  void run();
  bool isLong() const;
};

void LinxInstPrinter::Printing::field(unsigned I, unsigned Kind, raw_ostream &O) {
  const MCOperand &Op = MI.getOperand(I);
  if (Op.isExpr()) {
    Shown |= 1u << I;
    Op.getExpr()->print(O, &P.MAI);
    return;
  }
  int64_t V = raw(I);
  std::string S;
  switch (Kind) {
  case LINX_K_dst: S = destName(V); break;
  case LINX_K_src:
  case LINX_K_reg: S = sourceName(V); break;
  case LINX_K_vdst: S = vectorDestName(V); break;
  case LINX_K_vsrc: S = vectorSourceName(V, false); break;
  case LINX_K_fvsrc: S = vectorSourceName(V, true); break;
  case LINX_K_minus1: S = itostr(V + 1); break;
  case LINX_K_label:
    if (P.PrintBranchImmAsAddress) {
      Shown |= 1u << I;
      O << "0x";
      O.write_hex(Address + Op.getImm());
      return;
    }
    S = itostr(Op.getImm());
    break;
  default:
    if (const char *M = modifierName(Kind, V)) {
      Shown |= 1u << I;
      O << M;
      return;
    }
    if (modifierName(Kind, 0))
      return; // a modifier without spelling: braces
    if (int Bias = shiftBias(Kind); Bias >= 0) {
      if (V || Bias)
        S = "<<" + itostr(V + Bias);
      Shown |= 1u << I;
      O << S;
      return;
    }
    if (linx_kind_values[Kind]) {
      const char *N = valueName(Kind, V);
      S = N ? N : itostr(V);
      break;
    }
    S = itostr(Op.getImm());
  }
  Shown |= 1u << I;
  O << S;
}

void LinxInstPrinter::Printing::ior() {
  int64_t Regs[3] = {take(LINX_F_RegSrc0), take(LINX_F_RegSrc1), take(LINX_F_RegSrc2)};
  int64_t Dst = take(LINX_F_RegDst);
  int Last = Regs[2] ? 3 : Regs[1] ? 2 : Regs[0] ? 1 : 0;
  auto Name = [](int64_t R) { return R < 24 ? sourceName(R) : "r" + itostr(R); };
  for (int I = 0; I != Last; ++I)
    item(Name(Regs[I]));
  if (Dst)
    OS << (Last ? ", ->" : "->") << Name(Dst);
  if (!Last && !Dst)
    OS << "zero";
}

void LinxInstPrinter::Printing::ios() {
  int64_t Id = take(LINX_F_SharedTID), Size = take(LINX_F_SizeCode);
  std::string Mask = std::string("mask=") + valueName(LINX_K_shared_mask, take(LINX_F_PEMode));
  if (!Size)
    OS << 'S' << Id << ", " << Mask;
  else
    OS << Mask << ", ->S" << Id << '<' << sizeName(sharedBytes(Size)) << '>';
}

void LinxInstPrinter::Printing::iot() {
  const linx_field_name Src[2] = {LINX_F_SrcTile0, LINX_F_SrcTile1}, Reuse[2] = {LINX_F_S0R, LINX_F_S1R};
  for (int I = 0; I != 2; ++I)
    if (find(Src[I]) >= 0)
      item(tileSource(take(Src[I])) + (take(Reuse[I]) ? ".reuse" : ""));
  if (take(LINX_F_L))
    item("last");
  if (raw(find(LINX_F_DstTile)) == 7 && raw(find(LINX_F_imm4)) == 0) {
    Shown |= 1u << find(LINX_F_DstTile) | 1u << find(LINX_F_imm4);
  } else if (const char *Hand = takeName(LINX_F_DstTile, LINX_K_hand)) {
    item(std::string("->") + Hand + "<" + sizeName(tileBytes(take(LINX_F_imm4))) + ">");
  }
}

void LinxInstPrinter::Printing::catr() {
  if (take(LINX_F_trap)) item("trap");
  if (take(LINX_F_atom)) item("atomic");
  bool Aq = take(LINX_F_aq), Rl = take(LINX_F_rl);
  if (Aq || Rl) item(Aq && Rl ? "aqrl" : Aq ? "aq" : "rl");
  if (take(LINX_F_far)) item("far");
  if (take(LINX_F_DR)) item("dr");
  if (OS.str().empty())
    OS << "none";
}

void LinxInstPrinter::Printing::datr() {
  if (const char *N = takeName(LINX_F_DataLayout, LINX_K_Layout)) item(N);
  if (const char *N = takeName(LINX_F_DataType, LINX_K_DataType)) item(N);
  if (const char *N = takeName(LINX_F_PadValue, LINX_K_PadValue)) item(N);
  if (raw(find(LINX_F_CMode)))
    if (const char *N = takeName(LINX_F_CMode, LINX_K_CMode)) item(N);
  if (raw(find(LINX_F_RMode)))
    if (const char *N = takeName(LINX_F_RMode, LINX_K_RMode)) item(N);
  if (take(LINX_F_Sat)) item("sat");
  if (OS.str().empty())
    OS << "NORM";
}

void LinxInstPrinter::Printing::hint() {
  if (raw(find(LINX_F_V))) {
    take(LINX_F_V);
    item(take(LINX_F_L_UL) ? "BR.likely" : "BR.unlikely");
  }
  const char *Temp = valueName(LINX_K_temp, take(LINX_F_temp));
  int64_t Lines = take(LINX_F_prefetch_size);
  item(std::string("TEMP.") + Temp);
  if (Lines)
    item(itostr(Lines));
}

void LinxInstPrinter::Printing::custom(StringRef Name) {
  if (Name == "ior") ior();
  else if (Name == "ios") ios();
  else if (Name == "iot") iot();
  else if (Name == "catr") catr();
  else if (Name == "datr") datr();
  else if (Name == "hint") hint();
  else if (Name == "trace") OS << "TRACE." << valueName(LINX_K_trace, take(LINX_F_B_E));
  else llvm_unreachable("linx.isa names a custom syntax that the printer does not know");
}

// An l-form: a 64-bit form without vector operand (the manual, vector instructions).
bool LinxInstPrinter::Printing::isLong() const {
  for (unsigned I = 0; I != D.nfields; ++I) {
    unsigned K = D.field[I].kind;
    if ((K == LINX_K_vdst && isVectorDest(raw(I))) ||
        ((K == LINX_K_vsrc || K == LINX_K_fvsrc) && isVectorSource(raw(I))))
      return false;
  }
  return true;
}

void LinxInstPrinter::Printing::run() {
  raw_string_ostream Suf(Suffix);
  bool FlagDot = false;
  for (const linx_syntax_item *S = syntaxOf(Form); S->op != SYN_DONE; ++S) {
    switch (S->op) {
    case SYN_TEXT: {
      // "a|b": the first word is the printed one.
      StringRef T(S->text);
      size_t Bar = T.find('|');
      if (Bar == StringRef::npos)
        OS << T;
      else
        OS << T.take_front(Bar) << T.drop_front(Bar + 1).drop_while([](char C) { return isAlpha(C); });
      break;
    }
    case SYN_FIELD: field(S->field, S->kind, OS); break;
    case SYN_SUFFIX: {
      if (Suf.str().empty())
        Suf << '.';
      const char *N = valueName(S->kind, raw(S->field));
      if (N)
        Suf << N;
      else
        Suf << '_' << raw(S->field) << '_';
      Shown |= 1u << S->field;
      break;
    }
    case SYN_SUFTEXT: Suf << S->text; break;
    case SYN_SUFFLAG:
      Shown |= 1u << S->field;
      if (raw(S->field)) {
        Suf << (FlagDot ? "" : ".") << S->text;
        FlagDot = true;
      }
      break;
    case SYN_COND:
      Shown |= 1u << S->field;
      if (raw(S->field))
        OS << S->text;
      break;
    case SYN_OPTION: {
      // Left out when every field in it is 0.
      bool Any = false;
      const linx_syntax_item *E = S + 1;
      for (; E->op != SYN_END; ++E)
        if (E->op == SYN_FIELD)
          Any |= raw(E->field) != 0;
      if (!Any) {
        for (const linx_syntax_item *X = S; X != E; ++X)
          if (X->op == SYN_FIELD)
            Shown |= 1u << X->field;
        S = E;
      }
      break;
    }
    case SYN_END: break;
    case SYN_CUSTOM: custom(S->text); break;
    }
  }
  std::string Hidden;
  for (unsigned I = 0; I != D.nfields; ++I)
    if (!(Shown >> I & 1) && raw(I))
      Hidden += (Hidden.empty() ? "" : ", ") + std::string(linx_field_names[D.field[I].name]) + "=" +
                itostr(raw(I));
  if (!Hidden.empty())
    OS << (OS.str().empty() ? "{" : " {") << Hidden << '}';
  OS.flush();
}

void LinxInstPrinter::printInst(const MCInst *MI, uint64_t Address, StringRef Annot, const MCSubtargetInfo &,
                                raw_ostream &OS) {
  linx_form Form = formOf(MI->getOpcode());
  if (Form == LINX_NFORMS) {
    OS << "\t<" << MII.getName(MI->getOpcode()) << '>';
    printAnnotation(OS, Annot);
    return;
  }
  Printing Pr(*this, *MI, Address, Form);
  Pr.run();
  std::string Name = Pr.D.mnemonic;
  for (char &C : Name)
    if (C == ' ')
      C = '.';
  // The manual writes what shapes blocks in capitals, what runs in them in small letters.
  if (!(Pr.D.where & (LINX_WHERE_START | LINX_WHERE_STOP | LINX_WHERE_PSEUDO)) && Pr.D.where != LINX_WHERE_HEADER)
    Name = StringRef(Name).lower();
  if (Name.compare(0, 2, "v.") == 0 && Pr.isLong())
    Name[0] = 'l';
  OS << '\t' << Name << Pr.Suffix;
  if (StringRef Operands = StringRef(Pr.Out).ltrim(); !Operands.empty())
    OS << '\t' << Operands;
  printAnnotation(OS, Annot);
}

std::pair<const char *, uint64_t> LinxInstPrinter::getMnemonic(const MCInst *MI) {
  linx_form Form = formOf(MI->getOpcode());
  return {Form == LINX_NFORMS ? "" : linx_forms[Form].mnemonic, uint64_t(Form) + 1};
}

const char *LinxInstPrinter::getRegisterName(MCRegister Reg) {
  static const std::string Names[] = {"t#1", "t#2", "t#3", "t#4", "u#1", "u#2", "u#3", "u#4", "t", "u"};
  static const unsigned Regs[] = {Linx::T1, Linx::T2, Linx::T3, Linx::T4, Linx::U1,
                                  Linx::U2, Linx::U3, Linx::U4, Linx::TPUSH, Linx::UPUSH};
  for (unsigned I = 0; I != std::size(Regs); ++I)
    if (Reg == Regs[I])
      return Names[I].c_str();
  static const auto GPR = [] {
    std::array<std::string, 24> A;
    for (unsigned I = 0; I != 24; ++I)
      A[I] = sourceName(I);
    return A;
  }();
  for (unsigned I = 0; I != 24; ++I)
    if (Reg == sourceRegister(I))
      return GPR[I].c_str();
  return "?";
}

void LinxInstPrinter::printRegName(raw_ostream &OS, MCRegister Reg) const { OS << getRegisterName(Reg); }
