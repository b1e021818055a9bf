// SPDX-License-Identifier: BSD-2-Clause
// linx-cc: the C compiler driver. clang's driver reads the command line and plans the jobs; the
// front-end jobs run in this process with the Linx target (Compile.cpp), assembling and linking are
// done by linx-as and linx-ld, which lie beside this program.
#include "ClangTarget.h"
#include "Compile.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Version.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Options.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace clang;
using namespace clang::driver;
using llvm::SmallVector;
using llvm::StringRef;
using Args = SmallVector<const char *, 64>;

#ifndef LINX_RESOURCE_DIR
#error "LINX_RESOURCE_DIR: the directory of clang's own headers"
#endif

namespace {
struct Layout {
  std::string Bin;     // directory of linx-cc
  std::string Include; // ../include, if there
  std::string Lib;     // ../lib
  explicit Layout(StringRef Program) {
    llvm::SmallString<256> P(llvm::sys::fs::getMainExecutable(Program.str().c_str(),
                                                              (void *)(intptr_t)&anchor));
    Bin = llvm::sys::path::parent_path(P).str();
    llvm::SmallString<256> Up(llvm::sys::path::parent_path(Bin));
    Include = (Up + "/include").str();
    Lib = (Up + "/lib").str();
  }
  static void anchor() {} // any address in this program
  std::string tool(StringRef Name) const { return Bin + "/" + Name.str(); }
};

int fail(const llvm::Twine &Message) {
  llvm::errs() << "linx-cc: error: " << Message << "\n";
  return 1;
}

void printVersion(llvm::raw_ostream &OS, const Layout &L) {
  OS << "linx-cc (linx-rt; front end clang " << CLANG_VERSION_STRING << ")\n"
     << "Target: " << linx::TargetTriple << "\n"
     << "InstalledDir: " << L.Bin << "\n";
}

void printHelp() {
  llvm::outs() <<
      R"(usage: linx-cc [options] file...
Compiles, assembles and links C (.c), preprocessed C (.i), assembly (.s, .S) and LLVM IR (.ll, .bc)
for linx64-unknown-elf. Objects (.o), archives (.a) and other files go to the linker.

  -E -S -c               stop after preprocessing, compiling, assembling
  -o FILE                name of the result
  -O0 -O1 -O2 -O3 -Os -Oz   optimization
  -g                     line tables, variables and unwind information (DWARF)
  -std=STD               c89 ... c17, gnu17 (default), c23
  -I -isystem -iquote -include -D -U    headers and macros
  -W... -w -pedantic -Werror            warnings, as clang
  -f...                  as clang: -ffreestanding, -fno-builtin, -ffunction-sections,
                         -fdata-sections, -fno-omit-frame-pointer, -fno-strict-aliasing, ...
  -M -MM -MD -MMD -MF -MT -MQ -MP       dependencies
  -T SCRIPT -L DIR -l LIB -Wl,ARG -Xlinker ARG -r -static
                         for linx-ld
  -nostdlib -nostartfiles -nodefaultlibs -nostdinc
                         leave out the start file, libraries and header directories of linx-rt
  -Wa,ARG -Xassembler ARG               for linx-as
  -emit-llvm             with -S or -c: LLVM IR or bitcode
  -x LANG                language of the following files: c, cpp-output, assembler,
                         assembler-with-cpp, ir, none
  -save-temps -v -###    keep intermediate files; show the jobs; show them and do nothing
  -print-file-name=F -print-search-dirs -print-libgcc-file-name -dumpmachine -dumpversion
  --version --help @FILE

Inline assembly: constraints r, m, i, n, I (signed 12 bits), K (unsigned 12 bits), J (0), A (address
in a register), f (floating-point value); registers by name, as in "{a0}" or register variables.
A statement that starts blocks of its own is closed off: the compiler starts a new block behind it.
)";
}

class LinxDriver {
  Layout L;
  const char *Program;
  llvm::BumpPtrAllocator Alloc;
  llvm::StringSaver Saver{Alloc};

public:
  LinxDriver(const char *Argv0) : L(Argv0), Program(Argv0) {}
  int run(Args Argv);

private:
  std::optional<int> answer(const Args &Argv);
  bool checkArgs(const Args &Argv);
  Args completed(const Args &Argv);
  Args linkCommand(const Command &Cmd, const Compilation &C, const Args &User);
  Args asmCommand(const Command &Cmd, const Compilation &C);
  int runProgram(const Args &Cmd);
  std::string libFile(StringRef Name) const;
};
} // namespace

std::string LinxDriver::libFile(StringRef Name) const {
  std::string P = L.Lib + "/" + Name.str();
  return llvm::sys::fs::exists(P) ? P : std::string();
}

// Questions that need no job.
std::optional<int> LinxDriver::answer(const Args &Argv) {
  for (StringRef A : llvm::drop_begin(Argv)) {
    if (A == "--help" || A == "-help") {
      printHelp();
      return 0;
    }
    if (A == "--version") {
      printVersion(llvm::outs(), L);
      return 0;
    }
    if (A == "-dumpmachine" || A == "-print-target-triple" || A == "--print-target-triple") {
      llvm::outs() << linx::TargetTriple << "\n";
      return 0;
    }
    if (A == "-dumpversion") {
      llvm::outs() << CLANG_VERSION_STRING << "\n";
      return 0;
    }
    if (A.consume_front("-print-file-name=") || A.consume_front("--print-file-name=")) {
      std::string F = libFile(A);
      llvm::outs() << (F.empty() ? A.str() : F) << "\n";
      return 0;
    }
    if (A.consume_front("-print-prog-name=") || A.consume_front("--print-prog-name=")) {
      std::string P = L.tool(A.starts_with("linx-") ? A.str() : ("linx-" + A).str());
      llvm::outs() << (llvm::sys::fs::can_execute(P) ? P : A.str()) << "\n";
      return 0;
    }
    if (A == "-print-libgcc-file-name" || A == "--print-libgcc-file-name") {
      llvm::outs() << L.Lib << "/liblinx-builtins.a\n";
      return 0;
    }
    if (A == "-print-search-dirs" || A == "--print-search-dirs") {
      llvm::outs() << "programs: =" << L.Bin << "\nlibraries: =" << L.Lib << "\n";
      return 0;
    }
  }
  return std::nullopt;
}

// Options that choose another target would silently give another language.
bool LinxDriver::checkArgs(const Args &Argv) {
  for (StringRef A : llvm::drop_begin(Argv))
    for (StringRef Bad : {"--target", "-target", "-march=", "-mabi=", "-mcpu=", "-mtune=",
                          "-mcmodel=", "--driver-mode", "-cc1"})
      if (A.starts_with(Bad)) {
        fail("option '" + A + "' is not available: the only target is " + linx::TargetTriple);
        return false;
      }
  for (StringRef A : llvm::drop_begin(Argv))
    if (A.starts_with("-flto")) {
      fail("option '" + A + "' is not available: linx-ld links objects only");
      return false;
    }
  return true;
}

// The command line for clang's driver: ours in front of the user's.
Args LinxDriver::completed(const Args &Argv) {
  Args Out{Argv[0]};
  Out.push_back(Saver.save(llvm::Twine("--target=") + linx::FrontTriple).data());
  for (const char *A : {"-march=rv64imac", "-mabi=lp64", "-nostdlibinc", "-nostdlib", "-static",
                        "-Qunused-arguments", "-fintegrated-as",
                        "-fno-asynchronous-unwind-tables"})
    Out.push_back(A);
  bool NoInc = false;
  for (StringRef A : llvm::drop_begin(Argv))
    NoInc |= A == "-nostdinc" || A == "-nostdlibinc" || A == "--no-standard-includes";
  for (const char *A : llvm::drop_begin(Argv))
    Out.push_back(A);
  if (!NoInc && llvm::sys::fs::is_directory(L.Include)) {
    Out.push_back("-idirafter");
    Out.push_back(Saver.save(L.Include).data());
  }
  return Out;
}

// Start file, C library and compiler support are added as far as they are built, unless the user
// objects.
Args LinxDriver::linkCommand(const Command &Cmd, const Compilation &C, const Args &User) {
  std::vector<std::string> UserText(User.begin(), User.end());
  auto Given = [&](StringRef X) { return llvm::is_contained(UserText, X.str()); };
  bool Relocatable = Given("-r");
  bool NoLib = Given("-nostdlib") || Given("-nodefaultlibs") || Relocatable;
  bool NoStart = Given("-nostdlib") || Given("-nostartfiles") || Relocatable;
  Args Out{Saver.save(L.tool("linx-ld")).data()};
  if (std::string Crt = libFile("crt0.o"); !NoStart && !Crt.empty())
    Out.push_back(Saver.save(Crt).data());
  const auto &In = Cmd.getArguments();
  for (size_t I = 0; I < In.size(); ++I) {
    StringRef A = In[I];
    // Directories and modes that clang's driver adds for the architecture it takes this for.
    if (A.starts_with("-L") && !Given(A) && !Given(A.drop_front(2)))
      continue;
    if (A == "-Bstatic" || A == "-X" || A == "-melf64lriscv")
      continue;
    if (A == "-m" && I + 1 < In.size()) {
      ++I;
      continue;
    }
    Out.push_back(In[I]);
  }
  if (!NoLib) {
    SmallVector<const char *, 4> Libs;
    if (!libFile("libc.a").empty())
      Libs.push_back("-lc");
    if (!libFile("liblinx-builtins.a").empty())
      Libs.push_back("-llinx-builtins");
    if (!Libs.empty()) {
      Out.push_back(Saver.save("-L" + L.Lib).data());
      Out.push_back("--start-group");
      Out.append(Libs.begin(), Libs.end());
      Out.push_back("--end-group");
    }
  }
  return Out;
}

// clang -cc1as arguments that linx-as understands.
Args LinxDriver::asmCommand(const Command &Cmd, const Compilation &C) {
  Args Out{Saver.save(L.tool("linx-as")).data()};
  const auto &In = Cmd.getArguments();
  for (size_t I = 0; I < In.size(); ++I) {
    StringRef A = In[I];
    if (A == "-o" || A == "-I") {
      Out.push_back(In[I]);
      Out.push_back(In[++I]);
    } else if (A.starts_with("-I") || A.starts_with("--defsym=")) {
      Out.push_back(In[I]);
    } else if (A == "-defsym" || A == "--defsym") {
      Out.push_back("--defsym");
      Out.push_back(In[++I]);
    } else if (A.starts_with("-debug-info-kind=")) {
      Out.push_back("-g");
    }
  }
  for (const llvm::opt::Arg *X :
       C.getArgs().filtered(options::OPT_Wa_COMMA, options::OPT_Xassembler))
    for (const char *V : X->getValues())
      if (!llvm::is_contained(Out, StringRef(V)))
        Out.push_back(V);
  for (const InputInfo &Input : Cmd.getInputInfos())
    if (Input.isFilename())
      Out.push_back(Input.getFilename());
  return Out;
}

int LinxDriver::runProgram(const Args &Cmd) {
  if (!llvm::sys::fs::can_execute(Cmd[0]))
    return fail(llvm::Twine(Cmd[0]) + " is missing; build it with 'make toolchain'");
  SmallVector<StringRef, 64> A(Cmd.begin(), Cmd.end());
  std::string Err;
  int R = llvm::sys::ExecuteAndWait(Cmd[0], A, std::nullopt, {}, 0, 0, &Err);
  if (R < 0)
    return fail(llvm::Twine(Cmd[0]) + ": " + (Err.empty() ? "died" : Err));
  return R;
}

static void show(const Args &Cmd) {
  for (const char *A : Cmd) {
    llvm::errs() << ' ';
    llvm::sys::printArg(llvm::errs(), A, true);
  }
  llvm::errs() << '\n';
}

int LinxDriver::run(Args Argv) {
  llvm::cl::ExpandResponseFiles(Saver, llvm::cl::TokenizeGNUCommandLine, Argv);
  if (auto R = answer(Argv))
    return *R;
  if (!checkArgs(Argv))
    return 1;

  IntrusiveRefCntPtr<DiagnosticOptions> DiagOpts = new DiagnosticOptions;
  DiagOpts->ShowColors = llvm::sys::Process::StandardErrHasColors();
  auto *Printer = new TextDiagnosticPrinter(llvm::errs(), &*DiagOpts);
  Printer->setPrefix("linx-cc");
  DiagnosticsEngine Diags(new DiagnosticIDs, &*DiagOpts, Printer);
  ProcessWarningOptions(Diags, *DiagOpts, false);
  Driver D(L.tool("linx-cc"), linx::FrontTriple, Diags, "linx-cc");
  D.setCheckInputsExist(true);
  D.ResourceDir = LINX_RESOURCE_DIR;
  Args Full = completed(Argv);
  std::unique_ptr<Compilation> C(D.BuildCompilation(Full));
  if (!C || C->containsError() || Diags.hasErrorOccurred())
    return 1;
  bool DryRun = C->getArgs().hasArg(options::OPT__HASH_HASH_HASH);
  bool Verbose = DryRun || C->getArgs().hasArg(options::OPT_v);
  if (Verbose)
    printVersion(llvm::errs(), L);

  int Status = 0;
  llvm::SmallPtrSet<const Action *, 8> Failed;
  for (const Command &Job : C->getJobs()) {
    // A job whose input was not made is skipped; the others go on, as every compiler does.
    bool Skip = false;
    for (const Action *In : Job.getSource().getInputs()) {
      SmallVector<const Action *, 4> Work{In};
      while (!Work.empty()) {
        const Action *A = Work.pop_back_val();
        Skip |= Failed.count(A);
        Work.append(A->getInputs().begin(), A->getInputs().end());
      }
    }
    if (Skip) {
      Failed.insert(&Job.getSource());
      continue;
    }
    int R;
    const auto &In = Job.getArguments();
    if (Job.getCreator().isLinkJob()) {
      Args Cmd = linkCommand(Job, *C, Argv);
      if (Verbose)
        show(Cmd);
      R = DryRun ? 0 : runProgram(Cmd);
    } else if (!In.empty() && StringRef(In[0]) == "-cc1as") {
      Args Cmd = asmCommand(Job, *C);
      if (Verbose)
        show(Cmd);
      R = DryRun ? 0 : runProgram(Cmd);
    } else if (!In.empty() && StringRef(In[0]) == "-cc1") {
      Args Cmd(In.begin() + 1, In.end());
      if (Verbose) {
        Args Shown{Program, "-cc1"};
        Shown.append(Cmd.begin(), Cmd.end());
        show(Shown);
      }
      R = DryRun ? 0 : linx::compile(Cmd, Program);
    } else {
      R = fail(llvm::Twine("no way to run a job of ") + Job.getCreator().getName());
    }
    if (R) {
      Status = Status ? Status : (R > 0 && R < 126 ? 1 : R);
      Failed.insert(&Job.getSource());
      for (const std::string &Out : Job.getOutputFilenames())
        if (Out != "-")
          llvm::sys::fs::remove(Out);
    }
  }
  C->CleanupFileList(C->getTempFiles(), true);
  return Status;
}

int main(int Argc, const char **Argv) {
  llvm::InitLLVM X(Argc, Argv);
  Args A(Argv, Argv + Argc);
  LinxDriver D(Argv[0]);
  return D.run(A);
}
