// SPDX-License-Identifier: BSD-2-Clause
// linx-as: assembly source to an ELF object, with GNU as's options. The C preprocessor is linx-cc's part.
#include "LinxMCTargetDesc.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static const char Help[] =
    "usage: linx-as [options] [file...]\n"
    "Assembles the files, joined in order, into one ELF object for Linx. \"-\" or no file: standard input.\n"
    "\n"
    "  -o FILE             write the object to FILE (default a.out)\n"
    "  -I DIR              look for .include and .incbin files in DIR\n"
    "  --defsym SYM=VALUE  define a symbol with an integer value before reading\n"
    "  -g, --gen-debug     line numbers of the assembly source\n"
    "  -S                  write the instructions as text instead (one-line forms taken apart)\n"
    "  --norelax           encode every instruction exactly as written (.option norelax)\n"
    "  --nocheck           do not judge where instructions stand (.option nocheck)\n"
    "  --fatal-warnings    warnings are errors          -W, --no-warn  no warnings\n"
    "  --version, --help\n"
    "\n"
    "Accepted and without effect: -D, -a..., --noexecstack, -mrelax, -march=..., -mabi=..., --64, -Qy.\n"
    "Preprocess .S files with linx-cc -c. The language: docs/assembler.md.\n";

[[noreturn]] static void die(const Twine &Msg) {
  errs() << "linx-as: error: " << Msg << "\n";
  exit(1);
}

namespace {
struct Arguments {
  std::string Output = "a.out";
  std::vector<std::string> Inputs, Include, Symbols;
  bool Debug = false, Text = false, NoWarn = false, Fatal = false;
};
} // namespace

static Arguments parseArguments(int argc, char **argv) {
  Arguments A;
  auto Value = [&](int &I, StringRef Option) -> std::string {
    if (I + 1 == argc)
      die("option " + Option + " needs a value");
    return argv[++I];
  };
  for (int I = 1; I < argc; ++I) {
    StringRef S(argv[I]);
    if (S == "--help" || S == "-h") {
      outs() << Help;
      exit(0);
    } else if (S == "--version" || S == "-v") {
      outs() << "linx-as (linx-rt toolchain, LLVM 19), target linx64-unknown-elf\n";
      exit(0);
    } else if (S == "-o") A.Output = Value(I, S);
    else if (S.consume_front("-o")) A.Output = S.str();
    else if (S == "-I") A.Include.push_back(Value(I, S));
    else if (S.consume_front("-I")) A.Include.push_back(S.str());
    else if (S == "--defsym" || S == "-defsym") A.Symbols.push_back(Value(I, S));
    else if (S.consume_front("--defsym=")) A.Symbols.push_back(S.str());
    else if (S == "-g" || S == "--gen-debug" || S.starts_with("-gdwarf") || S.starts_with("--gdwarf")) A.Debug = true;
    else if (S == "-S") A.Text = true;
    else if (S == "--norelax") TheLinxAsmOptions.Relax = false;
    else if (S == "--nocheck") TheLinxAsmOptions.Check = false;
    else if (S == "-W" || S == "--no-warn") A.NoWarn = true;
    else if (S == "--fatal-warnings") A.Fatal = true;
    else if (S.starts_with("-D") || S.starts_with("-a") || S == "--noexecstack" || S == "-mrelax" || S.starts_with("-march=") ||
             S.starts_with("-mabi=") || S == "--64" || S.starts_with("-Q") || S == "--warn") {
    } else if (S == "-" || !S.starts_with("-")) A.Inputs.push_back(S.str());
    else
      die("unknown option " + S + "; --help lists the options");
  }
  if (A.Inputs.empty())
    A.Inputs.push_back("-");
  return A;
}

// " #" begins a comment for users of GNU as, but the lexer knows "//" only, since t#1 and S#1 are no comments. Blank such
// comments out; lines "# 12 "file"" of the preprocessor stay.
static void translateComments(std::string &S) {
  enum { Code, String, Line, Block } Mode = Code;
  char Quote = 0;
  bool LineStart = true;
  for (size_t I = 0; I < S.size(); ++I) {
    char C = S[I], Next = I + 1 < S.size() ? S[I + 1] : '\n';
    if (C == '\n') {
      LineStart = true;
      if (Mode != Block)
        Mode = Code;
      continue;
    }
    switch (Mode) {
    case Line: break;
    case Block:
      if (C == '*' && Next == '/') {
        Mode = Code;
        ++I;
      }
      break;
    case String:
      if (C == '\\')
        ++I;
      else if (C == Quote)
        Mode = Code;
      break;
    case Code:
      if (C == '"') {
        Mode = String;
        Quote = C;
      } else if (C == '\'') {
        I += Next == '\\' ? 2 : 1; // a character constant: 'x or 'x' or '\n'
      } else if (C == '/' && Next == '*') {
        Mode = Block;
        ++I;
      } else if (C == '/' && Next == '/') {
        Mode = Line;
      } else if (C == '#' && (!I || isSpace(S[I - 1]) || S[I - 1] == ';' || S[I - 1] == '{')) {
        if (LineStart && Next == ' ' && I + 2 < S.size() && isDigit(S[I + 2]))
          Mode = Line; // # 12 "file.S"
        else
          for (; I < S.size() && S[I] != '\n'; ++I)
            S[I] = ' ';
        if (Mode == Code)
          --I; // the newline is next
      }
      break;
    }
    if (!isSpace(C))
      LineStart = false;
  }
}

int main(int argc, char **argv) {
  Arguments A = parseArguments(argc, argv);

  const std::string TripleName = "linx64-unknown-elf";
  Triple TT(TripleName);
  const Target &TheTarget = getTheLinx64Target();
  SourceMgr SM;
  std::string All, Name;
  for (const std::string &In : A.Inputs) {
    auto Buf = MemoryBuffer::getFileOrSTDIN(In, /*IsText=*/true);
    if (!Buf)
      die(Twine(In) + ": " + Buf.getError().message());
    if (Name.empty())
      Name = In == "-" ? "<stdin>" : In;
    else
      All += "\n# 1 \"" + In + "\"\n";
    All += (*Buf)->getBuffer();
  }
  translateComments(All);
  SM.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(All, Name), SMLoc());
  SM.setIncludeDirs(A.Include);

  MCTargetOptions Options;
  Options.MCNoWarn = A.NoWarn;
  Options.MCFatalWarnings = A.Fatal;
  std::unique_ptr<MCRegisterInfo> MRI(TheTarget.createMCRegInfo(TripleName));
  std::unique_ptr<MCAsmInfo> MAI(TheTarget.createMCAsmInfo(*MRI, TripleName, Options));
  std::unique_ptr<MCSubtargetInfo> STI(TheTarget.createMCSubtargetInfo(TripleName, "", ""));
  std::unique_ptr<MCInstrInfo> MII(TheTarget.createMCInstrInfo());
  MCContext Ctx(TT, MAI.get(), MRI.get(), STI.get(), &SM, &Options);
  std::unique_ptr<MCObjectFileInfo> MOFI(TheTarget.createMCObjectFileInfo(Ctx, /*PIC=*/false));
  Ctx.setObjectFileInfo(MOFI.get());
  SmallString<128> Cwd;
  if (!sys::fs::current_path(Cwd))
    Ctx.setCompilationDir(Cwd);
  Ctx.setMainFileName(Name);
  if (A.Debug) {
    Ctx.setGenDwarfForAssembly(true);
    Ctx.setDwarfVersion(5);
    Ctx.setGenDwarfRootFile(Name, SM.getMemoryBuffer(1)->getBuffer());
  }

  std::error_code EC;
  ToolOutputFile Out(A.Output, EC, sys::fs::OF_None);
  if (EC)
    die(Twine(A.Output) + ": " + EC.message());
  raw_pwrite_stream *OS = &Out.os();
  std::unique_ptr<buffer_ostream> Buffered;
  std::unique_ptr<MCStreamer> Str;
  if (A.Text) {
    MCInstPrinter *IP = TheTarget.createMCInstPrinter(TT, 0, *MAI, *MII, *MRI);
    Str.reset(TheTarget.createAsmStreamer(Ctx, std::make_unique<formatted_raw_ostream>(*OS), IP, nullptr, nullptr));
  } else {
    if (!Out.os().supportsSeeking()) {
      Buffered = std::make_unique<buffer_ostream>(Out.os());
      OS = Buffered.get();
    }
    MCAsmBackend *MAB = TheTarget.createMCAsmBackend(*STI, *MRI, Options);
    MCCodeEmitter *CE = TheTarget.createMCCodeEmitter(*MII, Ctx);
    Str.reset(TheTarget.createMCObjectStreamer(TT, Ctx, std::unique_ptr<MCAsmBackend>(MAB),
                                               MAB->createObjectWriter(*OS), std::unique_ptr<MCCodeEmitter>(CE), *STI));
  }

  std::unique_ptr<MCAsmParser> Parser(createMCAsmParser(SM, Ctx, *Str, *MAI));
  std::unique_ptr<MCTargetAsmParser> TAP(TheTarget.createMCAsmParser(*STI, *Parser, *MII, Options));
  Parser->setTargetParser(*TAP);
  for (StringRef S : A.Symbols) {
    auto [Sym, Text] = S.split('=');
    int64_t V;
    if (Sym.empty() || Text.getAsInteger(0, V))
      die("--defsym " + S + ": SYMBOL=INTEGER expected");
    Ctx.setSymbolValue(*Str, Sym, V);
  }
  Str->initSections(false, *STI);
  bool Failed = Parser->Run(/*NoInitialTextSection=*/true);
  if (Failed || Ctx.hadError())
    return 1; // the output file disappears
  Buffered.reset();
  Out.keep();
  return 0;
}
