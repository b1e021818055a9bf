// SPDX-License-Identifier: BSD-2-Clause
// linx-objdump: disassembly and relocations of Linx objects and images; everything else is llvm-objdump's.
#include "DebugLines.h"
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxRelocs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace llvm::object;

static const char Help[] =
    "usage: linx-objdump [options] file...\n"
    "\n"
    "  -d, --disassemble       code sections           -D, --disassemble-all  every section with contents\n"
    "  -S, --source            with source lines       -l, --line-numbers     with file and line\n"
    "  -r, --reloc             relocations (inside the disassembly with -d)\n"
    "  -j, --section=NAME      only this section (may be repeated)\n"
    "  --disassemble=SYMBOL    only this function\n"
    "  --start-address=N, --stop-address=N             only this range\n"
    "  --no-show-raw-insn      leave the instruction words out\n"
    "  --no-addresses          leave the addresses out\n"
    "  --asm                   code as source that linx-as turns into the same bytes\n"
    "  -h -t -T -s -f -p -x    as llvm-objdump, which these are handed to\n"
    "  --version, --help\n";

namespace {
struct Arguments {
  bool Disassemble = false, All = false, Source = false, Lines = false, Reloc = false, Raw = true, Addresses = true;
  bool Asm = false;
  std::vector<std::string> Sections, Files, Passed;
  std::string Symbol;
  uint64_t From = 0, To = UINT64_MAX;
};

struct Tools {
  Triple TT{"linx64-unknown-elf"};
  MCTargetOptions Options;
  std::unique_ptr<MCRegisterInfo> MRI;
  std::unique_ptr<MCAsmInfo> MAI;
  std::unique_ptr<MCSubtargetInfo> STI;
  std::unique_ptr<MCInstrInfo> MII;
  std::unique_ptr<MCContext> Ctx;
  std::unique_ptr<MCDisassembler> Dis;
  std::unique_ptr<MCInstPrinter> Printer;
  std::unique_ptr<MCInstrAnalysis> Analysis;
  Tools() {
    const Target &T = getTheLinx64Target();
    MRI.reset(T.createMCRegInfo(TT.str()));
    MAI.reset(T.createMCAsmInfo(*MRI, TT.str(), Options));
    STI.reset(T.createMCSubtargetInfo(TT.str(), "", ""));
    MII.reset(T.createMCInstrInfo());
    Ctx = std::make_unique<MCContext>(TT, MAI.get(), MRI.get(), STI.get());
    Dis.reset(T.createMCDisassembler(*STI, *Ctx));
    Printer.reset(T.createMCInstPrinter(TT, 0, *MAI, *MII, *MRI));
    Analysis.reset(T.createMCInstrAnalysis(MII.get()));
  }
};
} // namespace

static Arguments A;
static bool HadError;

[[noreturn]] static void die(const Twine &Msg) {
  errs() << "linx-objdump: error: " << Msg << "\n";
  exit(1);
}

static void complain(StringRef File, Error E) {
  errs() << "linx-objdump: " << File << ": " << toString(std::move(E)) << "\n";
  HadError = true;
}

// The value of X, or its error reported and nothing.
template <class T> static std::optional<T> check(StringRef File, Expected<T> X) {
  if (X)
    return std::move(*X);
  complain(File, X.takeError());
  return std::nullopt;
}

// ---- symbols and relocations of one section

namespace {
struct Label {
  uint64_t Address;
  StringRef Name;
  bool Section;
  unsigned Rank; // among names of one address: functions, then objects, then others
};
struct Relocation {
  std::string Type, Target;
};
} // namespace

// Sec: only this section's; null: all.
static std::vector<Label> labelsOf(const ELFObjectFileBase &Obj, const SectionRef *Sec) {
  std::vector<Label> V;
  for (const ELFSymbolRef S : Obj.symbols()) {
    auto In = S.getSection();
    auto Addr = S.getAddress();
    auto Name = S.getName();
    if (!In || !Addr || !Name) {
      consumeError(In.takeError());
      consumeError(Addr.takeError());
      consumeError(Name.takeError());
      continue;
    }
    if (*In == Obj.section_end() || (Sec && **In != *Sec) || Name->empty() || S.getELFType() == ELF::STT_FILE)
      continue;
    unsigned Type = S.getELFType();
    bool Plain = Name->starts_with(".L") || Name->starts_with("__");
    V.push_back({*Addr, *Name, Type == ELF::STT_SECTION,
                 Type == ELF::STT_FUNC ? 3u : Type == ELF::STT_OBJECT ? 2u : Plain ? 0u : 1u});
  }
  llvm::stable_sort(V, [](const Label &X, const Label &Y) {
    return X.Address != Y.Address ? X.Address < Y.Address : X.Rank < Y.Rank;
  });
  return V;
}

static std::string relocationName(unsigned Type) {
  if (const Linx::Reloc *R = Linx::relocByNumber(Type))
    return R->Name;
  return "R_LINX_" + utostr(Type);
}

static std::multimap<uint64_t, Relocation> relocationsOf(const ELFObjectFileBase &Obj, const SectionRef &Sec) {
  std::multimap<uint64_t, Relocation> M;
  for (const SectionRef &R : Obj.sections()) {
    auto Of = R.getRelocatedSection();
    if (!Of) {
      consumeError(Of.takeError());
      continue;
    }
    if (*Of == Obj.section_end() || **Of != Sec)
      continue;
    for (const RelocationRef &Rel : R.relocations()) {
      Relocation X;
      X.Type = relocationName(Rel.getType());
      symbol_iterator S = Rel.getSymbol();
      if (S != Obj.symbol_end()) {
        auto Name = S->getName();
        X.Target = Name ? Name->str() : "?";
        if (!Name)
          consumeError(Name.takeError());
        if (X.Target.empty()) // a section symbol
          if (auto In = S->getSection(); In && *In != Obj.section_end())
            if (auto N = (*In)->getName())
              X.Target = N->str();
      } else {
        X.Target = "*ABS*";
      }
      int64_t Addend = 0;
      if (auto E = ELFRelocationRef(Rel).getAddend())
        Addend = *E;
      else
        consumeError(E.takeError());
      if (Addend)
        X.Target += (Addend < 0 ? "-0x" : "+0x") + utohexstr(Addend < 0 ? -Addend : Addend, /*LowerCase=*/true);
      M.emplace(Rel.getOffset(), X);
    }
  }
  return M;
}

// "<main+0x10>", for addresses behind some symbol of the section.
static std::string nearest(const std::vector<Label> &Labels, uint64_t Address) {
  auto I = llvm::upper_bound(Labels, Address, [](uint64_t A, const Label &L) { return A < L.Address; });
  const Label *Best = nullptr;
  while (I != Labels.begin() && !Best)
    if (!(--I)->Section)
      Best = &*I;
  if (!Best)
    return "";
  std::string S = " <" + Best->Name.str();
  if (Address != Best->Address)
    S += "+0x" + utohexstr(Address - Best->Address, true);
  return S + ">";
}

// ---- disassembly

static void printRaw(ArrayRef<uint8_t> Bytes, raw_ostream &OS) {
  // Halfwords as they are fetched.
  std::string S;
  raw_string_ostream H(S);
  for (size_t I = 0; I + 1 < Bytes.size(); I += 2)
    H << (I ? " " : "") << format_hex_no_prefix(Bytes[I] | Bytes[I + 1] << 8, 4);
  if (Bytes.size() == 1)
    H << format_hex_no_prefix(Bytes[0], 2);
  OS << left_justify(H.str(), 20);
}

static void disassembleSection(Tools &T, const ELFObjectFileBase &Obj, const SectionRef &Sec, StringRef File,
                               DebugLines &Debug) {
  auto Name = check(File, Sec.getName());
  auto Contents = check(File, Sec.getContents());
  if (!Name || !Contents)
    return;
  ArrayRef<uint8_t> Bytes = arrayRefFromStringRef(*Contents);
  std::vector<Label> Labels = labelsOf(Obj, &Sec);
  // In an image an operand may point into any section; in an object all of them begin at 0.
  std::vector<Label> Targets = Obj.isRelocatableObject() ? Labels : labelsOf(Obj, nullptr);
  auto Relocs = A.Reloc ? relocationsOf(Obj, Sec) : std::multimap<uint64_t, Relocation>();
  const uint64_t Base = Sec.getAddress();
  raw_ostream &OS = outs();
  T.Printer->setPrintBranchImmAsAddress(!A.Asm);

  if (A.Asm)
    OS << "\t.section\t" << *Name << ",\"ax\"\n";
  bool Titled = A.Asm, Active = A.Symbol.empty();
  size_t NextLabel = 0;
  for (uint64_t Off = 0; Off < Bytes.size();) {
    const uint64_t Address = Base + Off;
    while (NextLabel < Labels.size() && Labels[NextLabel].Address <= Address) {
      const Label &L = Labels[NextLabel++];
      if (L.Address != Address || L.Section)
        continue;
      if (!A.Symbol.empty() && !L.Name.starts_with(".L"))
        Active = L.Name == A.Symbol;
      if (!Active || Address < A.From || Address >= A.To)
        continue;
      if (!Titled)
        OS << "\nDisassembly of section " << *Name << ":\n";
      Titled = true;
      if (A.Asm)
        continue;
      OS << '\n';
      if (A.Addresses)
        OS << format_hex_no_prefix(Address, 16) << ' ';
      OS << '<' << L.Name << ">:\n";
    }
    MCInst MI;
    uint64_t Size = 0;
    auto Status = T.Dis->getInstruction(MI, Size, Bytes.slice(Off), Address, nulls());
    // Data or a word of another version: show one halfword and try again behind it.
    if (Status == MCDisassembler::Fail)
      Size = std::min<uint64_t>(2, Bytes.size() - Off);
    if (!Active || Address < A.From || Address >= A.To) {
      Off += Size;
      continue;
    }
    if (!Titled) {
      OS << "\nDisassembly of section " << *Name << ":\n\n";
      Titled = true;
    }
    if (A.Source || A.Lines)
      Debug.print(Sec.getIndex(), Address, A.Source, OS);
    if (!A.Asm && A.Addresses)
      OS << right_justify(utohexstr(Address, true), 8) << ":\t";
    if (!A.Asm && A.Raw)
      printRaw(Bytes.slice(Off, Size), OS);
    if (Status == MCDisassembler::Fail) {
      if (Size == 1)
        OS << "\t.byte\t0x" << utohexstr(Bytes[Off], true);
      else
        OS << "\t.half\t0x" << utohexstr(Bytes[Off] | Bytes[Off + 1] << 8, true);
    } else {
      T.Printer->printInst(&MI, Address, "", *T.STI, OS);
      uint64_t Target;
      if (!A.Asm && T.Analysis->evaluateBranch(MI, Address, Size, Target))
        OS << nearest(Targets, Target);
      else if (!A.Asm && MI.getOpcode() == Linx::ADDTPC && !Obj.isRelocatableObject())
        OS << "\t// page 0x" << utohexstr((Address & ~uint64_t(0xfff)) + (uint64_t(MI.getOperand(1).getImm()) << 12), true);
    }
    OS << '\n';
    for (auto I = Relocs.lower_bound(Off), E = Relocs.lower_bound(Off + Size); I != E; ++I)
      OS << "\t\t\t" << format_hex_no_prefix(Base + I->first, 16) << ":  " << I->second.Type << '\t' << I->second.Target
         << '\n';
    Off += Size;
  }
}

static bool selected(const SectionRef &Sec, StringRef Name) {
  (void)Sec;
  return A.Sections.empty() || is_contained(A.Sections, Name.str());
}

static void relocationsOnly(const ELFObjectFileBase &Obj, StringRef File) {
  for (const SectionRef &Sec : Obj.sections()) {
    auto Name = check(File, Sec.getName());
    if (!Name || !selected(Sec, *Name))
      continue;
    auto M = relocationsOf(Obj, Sec);
    if (M.empty())
      continue;
    outs() << "\nRELOCATION RECORDS FOR [" << *Name << "]:\n"
           << "OFFSET           TYPE                     VALUE\n";
    for (const auto &[Off, R] : M)
      outs() << format_hex_no_prefix(Off, 16) << ' ' << left_justify(R.Type, 24) << ' ' << R.Target << '\n';
  }
}

static void dumpObject(const ELFObjectFileBase &Obj, StringRef File) {
  if (Obj.getEMachine() != 233) {
    errs() << "linx-objdump: " << File << ": e_machine is " << Obj.getEMachine() << ", not 233 (Linx)\n";
    HadError = true;
    return;
  }
  if (A.Asm)
    outs() << "// " << File << "\n\t.option norelax\n\t.option nocheck\n";
  else
    outs() << '\n' << File << ":\tfile format elf64-linx\n";
  if (!A.Disassemble && !A.Asm) {
    relocationsOnly(Obj, File);
    return;
  }
  Tools T;
  DebugLines Debug(Obj, A.Source || A.Lines);
  for (const SectionRef &Sec : Obj.sections()) {
    auto Name = check(File, Sec.getName());
    if (!Name || !selected(Sec, *Name))
      continue;
    bool Code = ELFSectionRef(Sec).getFlags() & ELF::SHF_EXECINSTR;
    bool HasBytes = ELFSectionRef(Sec).getType() != ELF::SHT_NOBITS && Sec.getSize();
    if (HasBytes && (Code || (A.All && ELFSectionRef(Sec).getType() == ELF::SHT_PROGBITS) || !A.Sections.empty()))
      disassembleSection(T, Obj, Sec, File, Debug);
  }
}

static void dumpFile(StringRef File) {
  auto Bin = check(File, createBinary(File));
  if (!Bin)
    return;
  if (auto *Ar = dyn_cast<Archive>(Bin->getBinary())) {
    Error E = Error::success();
    for (const Archive::Child &C : Ar->children(E)) {
      auto Member = C.getAsBinary();
      auto N = C.getName();
      std::string Full = (File + "(" + (N ? *N : "?") + ")").str();
      if (!N)
        consumeError(N.takeError());
      if (!Member) {
        complain(Full, Member.takeError());
        continue;
      }
      if (auto *Obj = dyn_cast<ELFObjectFileBase>(Member->get()))
        dumpObject(*Obj, Full);
    }
    if (E)
      complain(File, std::move(E));
    return;
  }
  if (auto *Obj = dyn_cast<ELFObjectFileBase>(Bin->getBinary()))
    return dumpObject(*Obj, File);
  errs() << "linx-objdump: " << File << ": not an ELF file or archive\n";
  HadError = true;
}

// ---- options

static uint64_t number(StringRef S) {
  uint64_t V;
  if (S.getAsInteger(0, V))
    die("'" + S + "' is no number");
  return V;
}

static void parseArguments(int argc, char **argv) {
  for (int I = 1; I < argc; ++I) {
    StringRef S(argv[I]);
    auto Next = [&]() -> StringRef {
      if (I + 1 == argc)
        die(S + " needs a value");
      return argv[++I];
    };
    if (S == "--help" || S == "-H") {
      outs() << Help;
      exit(0);
    } else if (S == "--version" || S == "-v") {
      outs() << "linx-objdump (linx-rt toolchain, LLVM 19), target linx64-unknown-elf\n";
      exit(0);
    } else if (S == "--disassemble") A.Disassemble = true;
    else if (S.consume_front("--disassemble=")) { A.Disassemble = true; A.Symbol = S.str(); }
    else if (S == "--disassemble-all") A.Disassemble = A.All = true;
    else if (S == "--source") A.Disassemble = A.Source = true;
    else if (S == "--line-numbers") A.Lines = true;
    else if (S == "--reloc") A.Reloc = true;
    else if (S == "--no-show-raw-insn") A.Raw = false;
    else if (S == "--no-addresses") A.Addresses = false;
    else if (S == "--asm") A.Asm = true;
    else if (S.consume_front("--section=")) A.Sections.push_back(S.str());
    else if (S == "-j" || S == "--section") A.Sections.push_back(Next().str());
    else if (S.consume_front("--start-address=")) A.From = number(S);
    else if (S.consume_front("--stop-address=")) A.To = number(S);
    else if (S.starts_with("--")) A.Passed.push_back(S.str());
    else if (S == "-" || !S.starts_with("-")) A.Files.push_back(S.str());
    else if (S.starts_with("-j")) A.Sections.push_back(S.drop_front(2).str());
    else if (S.starts_with("-M") || S.starts_with("-m")) { // GNU's machine options: one machine here
      if (S.size() == 2)
        Next();
    } else
      for (char C : S.drop_front())
        switch (C) {
        case 'd': A.Disassemble = true; break;
        case 'D': A.Disassemble = A.All = true; break;
        case 'S': A.Disassemble = A.Source = true; break;
        case 'l': A.Lines = true; break;
        case 'r': A.Reloc = true; break;
        case 'C': break; // no C++ here
        case 'w': break;
        case 'z': break;
        case 'x': A.Reloc = true; A.Passed.insert(A.Passed.end(), {"-f", "-p", "-h", "-t"}); break;
        case 'h': case 't': case 'T': case 's': case 'f': case 'p':
          A.Passed.push_back(std::string("-") + C);
          break;
        default: die(Twine("unknown option -") + Twine(C) + "; --help lists the options");
        }
  }
  if (A.Files.empty())
    A.Files.push_back("a.out");
}

static void runLLVMObjdump() {
  ErrorOr<std::string> Program = sys::findProgramByName("llvm-objdump-19");
  if (!Program)
    die("llvm-objdump-19 not found (Debian package llvm-19); it prints everything but code and relocations");
  std::vector<StringRef> Args{"llvm-objdump"};
  Args.insert(Args.end(), A.Passed.begin(), A.Passed.end());
  for (const std::string &S : A.Sections) {
    Args.push_back("-j");
    Args.push_back(S);
  }
  Args.insert(Args.end(), A.Files.begin(), A.Files.end());
  outs().flush();
  HadError |= sys::ExecuteAndWait(*Program, Args) != 0;
}

int main(int argc, char **argv) {
  parseArguments(argc, argv);
  bool Own = A.Disassemble || A.Reloc || A.Asm;
  if (!Own && A.Passed.empty())
    die("nothing to do; -d disassembles, --help lists the options");
  if (!A.Passed.empty())
    runLLVMObjdump();
  if (Own)
    for (const std::string &F : A.Files)
      dumpFile(F);
  return HadError;
}
