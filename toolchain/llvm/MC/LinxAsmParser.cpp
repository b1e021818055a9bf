// SPDX-License-Identifier: BSD-2-Clause
#include "LinxAsmParser.h"
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCParser/MCParsedAsmOperand.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Casting.h"

using namespace llvm;
using namespace llvm::Linx;

LinxAsmOptions llvm::TheLinxAsmOptions;

namespace {
// The generic parser wants at least one operand; the real ones are in LinxAsmParser::Pending.
struct LinxStatement : MCParsedAsmOperand {
  SMLoc Loc;
  explicit LinxStatement(SMLoc L) : Loc(L) {}
  bool isToken() const override { return true; }
  bool isImm() const override { return false; }
  bool isReg() const override { return false; }
  bool isMem() const override { return false; }
  MCRegister getReg() const override { return MCRegister(); }
  SMLoc getStartLoc() const override { return Loc; }
  SMLoc getEndLoc() const override { return Loc; }
  void print(raw_ostream &) const override {}
};
} // namespace

LinxAsmParser::LinxAsmParser(const MCSubtargetInfo &STI, MCAsmParser &P, const MCInstrInfo &MII,
                             const MCTargetOptions &O)
    : MCTargetAsmParser(O, STI, MII), Parser(P) {
  MCAsmParserExtension::Initialize(Parser);
  Parser.addAliasForDirective(".half", ".2byte");
  Parser.addAliasForDirective(".hword", ".2byte");
  Parser.addAliasForDirective(".word", ".4byte");
  Parser.addAliasForDirective(".dword", ".8byte");
  for (unsigned F = 0; F != LINX_NFORMS; ++F) {
    std::string Name = StringRef(linx_forms[F].mnemonic).lower();
    std::replace(Name.begin(), Name.end(), ' ', '.');
    ByMnemonic[Name].push_back(F);
  }
  ByMnemonic["c.break"] = ByMnemonic["c.ebreak"]; // both spellings are the manual's
}

LinxBlockState &LinxAsmParser::state() { return States[getStreamer().getCurrentSectionOnly()]; }

// ---- registers, for .cfi directives

ParseStatus LinxAsmParser::tryParseRegister(MCRegister &Reg, SMLoc &Start, SMLoc &End) {
  const AsmToken &Tok = getTok();
  if (!Tok.is(AsmToken::Identifier))
    return ParseStatus::NoMatch;
  std::optional<unsigned> R = parseGPR(Tok.getString());
  if (!R)
    return ParseStatus::NoMatch;
  Reg = sourceRegister(*R);
  Start = Tok.getLoc();
  End = Tok.getEndLoc();
  getLexer().Lex();
  return ParseStatus::Success;
}

bool LinxAsmParser::parseRegister(MCRegister &Reg, SMLoc &Start, SMLoc &End) {
  if (tryParseRegister(Reg, Start, End).isSuccess())
    return false;
  return Error(getTok().getLoc(), "a register expected: zero, sp, a0 to a7, ra, s0 to s8, x0 to x3");
}

// ---- instructions

bool LinxAsmParser::findMnemonic(StringRef Name, Mnemonic &M) const {
  std::string Low = Name.lower();
  M.VSpelling = StringRef(Low).starts_with("v.");
  M.LSpelling = StringRef(Low).starts_with("l.");
  if (M.LSpelling)
    Low[0] = 'v';
  for (size_t Len = Low.size(); Len && Len != StringRef::npos; Len = StringRef(Low).take_front(Len).rfind('.')) {
    auto I = ByMnemonic.find(StringRef(Low).take_front(Len));
    if (I == ByMnemonic.end())
      continue;
    M.Forms = I->second;
    M.Suffix = Name.drop_front(std::min(Len + 1, Name.size()));
    return true;
  }
  return false;
}

// The shortest form of a block start or return address that may still grow (LinxForms.cpp, longerForm).
linx_form LinxAsmParser::shrink(linx_form Form, const LinxFormParser &P) const {
  const linx_form_desc &D = linx_forms[Form];
  bool Symbol = false, Zero = true;
  for (unsigned I = 0; I != D.nfields; ++I) {
    Symbol |= P.operand(I).Expr != nullptr;
    Zero &= !P.operand(I).Expr && !P.operand(I).Raw && !P.operand(I).Numeric;
  }
  if (Symbol)
    switch (Form) {
    case LINX_BSTART_DIRECT:
    case LINX_BSTART_STD_DIRECT: return LINX_C_BSTART_DIRECT;
    case LINX_BSTART_COND:
    case LINX_BSTART_STD_COND: return LINX_C_BSTART_COND;
    case LINX_BSTART_STD_CALL: return LINX_C_BSTART_DIRECT;
    case LINX_SETRET: return LINX_C_SETRET;
    default: return Form;
    }
  if (Zero)
    switch (Form) {
    case LINX_BSTART_STD_FALL:
    case LINX_BSTART_STD_IND:
    case LINX_BSTART_STD_ICALL:
    case LINX_BSTART_STD_RET: return LINX_C_BSTART_STD;
    case LINX_BSTART_FP_FALL:
    case LINX_BSTART_FP_IND:
    case LINX_BSTART_FP_ICALL:
    case LINX_BSTART_FP_RET: return LINX_C_BSTART_FP;
    case LINX_BSTART_SYS_FALL: return LINX_C_BSTART_SYS;
    case LINX_BSTOP: return LINX_BSTOP;
    default: return Form;
    }
  return Form;
}

static int64_t branchType(linx_form Form) {
  switch (Form) {
  case LINX_BSTART_STD_IND:
  case LINX_BSTART_FP_IND: return LINX_BrType_IND;
  case LINX_BSTART_STD_ICALL:
  case LINX_BSTART_FP_ICALL: return LINX_BrType_ICALL;
  case LINX_BSTART_STD_RET:
  case LINX_BSTART_FP_RET: return LINX_BrType_RET;
  default: return LINX_BrType_FALL;
  }
}

bool LinxAsmParser::judge(linx_form Form, uint64_t Word, const LinxFormParser &P, const Mnemonic &M, SMLoc Loc,
                          LinxTokens &T) {
  std::string Msg;
  linx_field_name Field;
  if (!Stack.back().Check || state().allows(Form, Word, M.VSpelling, M.LSpelling, Msg, Field))
    return true;
  int I = Field == LINX_F_COUNT ? -1 : linx_find_field(Form, Field);
  return T.fail(I >= 0 && P.operand(I).Loc.isValid() ? P.operand(I).Loc : Loc, Msg, /*Force=*/true);
}

// Forms that are one form's special cases with the same meaning.
static bool sameMeaning(linx_form Asked, linx_form Decoded) {
  switch (Asked) {
  case LINX_BSTART_TMA: return linxBlockOf(Decoded) == LinxBlock::TMA;
  case LINX_BSTART_CUBE:
  case LINX_BSTART_FIXP: return linxBlockOf(Decoded) == LinxBlock::CUBE;
  default: return linx_forms[Asked].where == LINX_WHERE_PSEUDO;
  }
}

bool LinxAsmParser::accept(linx_form Form, const LinxFormParser &P, const Mnemonic &M, StringRef Name, SMLoc Loc,
                           LinxTokens &T) {
  uint64_t Word = P.word();
  const linx_form_desc &D = linx_forms[Form];
  linx_form Decoded = linx_decode(Word, D.length / 8);
  if (Decoded != Form && !sameMeaning(Form, Decoded)) {
    // A register or number that makes the word another instruction.
    int Dst = linx_find_field(Form, LINX_F_RegDst);
    SMLoc At = Dst >= 0 ? P.operand(Dst).Loc : Loc;
    const char *Other = Decoded == LINX_NFORMS ? "no instruction" : linx_forms[Decoded].mnemonic;
    if (Dst >= 0)
      return T.fail(At, Twine("->") + destName(P.operand(Dst).Raw) + " is not possible: with it the encoding of " +
                            D.mnemonic + " is that of " + Other, /*Force=*/true);
    return T.fail(At, Twine("with these operands the encoding of ") + D.mnemonic + " is that of " + Other,
                  /*Force=*/true);
  }
  if (!judge(Form, Word, P, M, Loc, T))
    return false;

  if (D.where == LINX_WHERE_PSEUDO) {
    // The fused call: a block start and the return address behind it.
    linx_form First = Form == LINX_BSTART_CALL_FUSED ? LINX_C_BSTART_DIRECT : LINX_BSTART_DIRECT;
    MCInst Whole = P.instruction(Loc);
    for (unsigned I = 0; I != 2; ++I) {
      Item X;
      X.Form = I ? LINX_C_SETRET : First;
      X.Inst.setOpcode(opcodeOf(X.Form));
      X.Inst.setLoc(Loc);
      X.Inst.setFlags(ExactForm);
      X.Inst.addOperand(Whole.getOperand(I));
      X.Word = linx_forms[X.Form].match;
      Pending.push_back(X);
    }
    return true;
  }

  Item X;
  X.Form = Form;
  X.Word = Word;
  X.Inst = P.instruction(Loc);
  bool Fixed = !Stack.back().Relax || Name.starts_with_insensitive("c.") || Name.starts_with_insensitive("hl.");
  if (Fixed) {
    X.Inst.setFlags(ExactForm);
  } else if (linx_form Short = shrink(Form, P); Short != Form) {
    X.Form = Short;
    if (linx_forms[Short].nfields == 0)
      X.Inst.clear();
    else if (Short == LINX_C_BSTART_STD || Short == LINX_C_BSTART_FP)
      X.Inst.getOperand(0).setImm(branchType(Form));
    X.Inst.setOpcode(opcodeOf(Short));
  }
  Pending.push_back(X);
  return true;
}

bool LinxAsmParser::parseForms(const Mnemonic &M, StringRef Name, SMLoc Loc, LinxTokens &T) {
  SMLoc SuffixLoc = SMLoc::getFromPointer(Loc.getPointer() + (Name.size() - M.Suffix.size()));
  size_t Start = T.position();
  for (unsigned F : M.Forms) {
    T.rewind(Start);
    LinxFormParser P(linx_form(F), T, getContext(), getStreamer());
    if (P.parse(M.Suffix, SuffixLoc))
      return accept(linx_form(F), P, M, Name, Loc, T);
  }
  return false;
}

bool LinxAsmParser::ParseInstruction(ParseInstructionInfo &, StringRef Name, SMLoc NameLoc, OperandVector &Operands) {
  SmallVector<AsmToken, 16> Raw;
  while (getLexer().isNot(AsmToken::EndOfStatement) && getLexer().isNot(AsmToken::Eof)) {
    if (getLexer().is(AsmToken::Error))
      return Error(getTok().getLoc(), getLexer().getErr());
    // " #" begins a comment (t#1 does not); what follows it need not be tokens.
    const char *At = getTok().getLoc().getPointer();
    if (getLexer().is(AsmToken::Hash) && isSpace(At[-1])) {
      while (getLexer().isNot(AsmToken::EndOfStatement) && getLexer().isNot(AsmToken::Eof))
        getLexer().Lex();
      break;
    }
    Raw.push_back(getTok());
    getLexer().Lex();
  }
  Raw.push_back(getTok());
  if (getLexer().is(AsmToken::EndOfStatement))
    getLexer().Lex();

  Pending.clear();
  Operands.push_back(std::make_unique<LinxStatement>(NameLoc));
  LinxTokens T(Raw);
  bool Known = false;
  bool Ok = parseBlock(Name, NameLoc, T, Known);
  if (!Known)
    Ok = parsePseudo(Name, NameLoc, T, Known);
  if (!Known) {
    Mnemonic M;
    if (!findMnemonic(Name, M))
      return Error(NameLoc, "unknown instruction '" + Name + "'");
    Ok = parseForms(M, Name, NameLoc, T);
  }
  if (Ok)
    return false;
  Pending.clear();
  return Error(T.failed() ? T.errorLoc() : NameLoc, T.failed() ? T.error() : "operands not understood");
}

// The symbol a B.TEXT names.
static const MCSymbol *bodyOf(const MCInst &MI) {
  if (MI.getNumOperands() == 1 && MI.getOperand(0).isExpr())
    if (const auto *S = dyn_cast<MCSymbolRefExpr>(MI.getOperand(0).getExpr()))
      return &S->getSymbol();
  return nullptr;
}

bool LinxAsmParser::MatchAndEmitInstruction(SMLoc, unsigned &Opcode, OperandVector &, MCStreamer &Out, uint64_t &,
                                            bool) {
  for (const Item &X : Pending) {
    Opcode = X.Inst.getOpcode();
    if (Stack.back().Check && state().missesLast() &&
        (linx_forms[X.Form].where & (LINX_WHERE_START | LINX_WHERE_STOP)))
      Warning(X.Inst.getLoc(), "the header that ends here has no B.IOT marked last");
    Out.emitInstruction(X.Inst, getSTI());
    state().advance(X.Form, X.Word, X.Form == LINX_B_TEXT ? bodyOf(X.Inst) : nullptr);
  }
  Pending.clear();
  return false;
}

// .option relax|norelax|check|nocheck|push|pop
ParseStatus LinxAsmParser::parseDirective(AsmToken Directive) {
  if (Directive.getString() != ".option")
    return ParseStatus::NoMatch;
  SMLoc L = getTok().getLoc();
  StringRef What;
  if (Parser.parseIdentifier(What))
    return Error(L, "relax, norelax, check, nocheck, push or pop expected");
  if (What == "push")
    Stack.push_back(Stack.back());
  else if (What == "pop") {
    if (Stack.size() == 1)
      return Error(L, ".option pop without push");
    Stack.pop_back();
  } else if (What == "relax" || What == "norelax")
    Stack.back().Relax = What == "relax";
  else if (What == "check" || What == "nocheck")
    Stack.back().Check = What == "check";
  else
    return Error(L, "unknown option '" + What + "'; allowed are relax, norelax, check, nocheck, push and pop");
  return Parser.parseEOL() ? ParseStatus::Failure : ParseStatus::Success;
}

extern "C" void LLVMInitializeLinx64AsmParser() { RegisterMCAsmParser<LinxAsmParser> X(getTheLinx64Target()); }
