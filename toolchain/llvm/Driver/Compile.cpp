// SPDX-License-Identifier: BSD-2-Clause
// clang's front end with the Linx target description, then LLVM's pipeline with the Linx back end.
#include "Compile.h"
#include "ClangTarget.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Rewrite/Frontend/FrontendActions.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

namespace {
// Messages of the optimizers, the code generator and the assembler of inline assembly.
class BackendMessages final : public llvm::DiagnosticHandler {
  DiagnosticsEngine &Diags;

public:
  explicit BackendMessages(DiagnosticsEngine &D) : Diags(D) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
    DiagnosticsEngine::Level L = DI.getSeverity() == llvm::DS_Error     ? DiagnosticsEngine::Error
                                 : DI.getSeverity() == llvm::DS_Warning ? DiagnosticsEngine::Warning
                                                                        : DiagnosticsEngine::Ignored;
    if (L == DiagnosticsEngine::Ignored)
      return true;
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    if (auto *S = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&DI)) {
      const llvm::SMDiagnostic &M = S->getSMDiag();
      OS << (S->isInlineAsmDiag() ? "inline assembly: " : "assembly: ") << M.getMessage();
      if (!M.getLineContents().empty())
        OS << "\n" << M.getLineContents();
    } else {
      llvm::DiagnosticPrinterRawOStream P(OS);
      DI.print(P);
    }
    SourceLocation Loc;
    if (auto *S = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&DI); S && S->isInlineAsmDiag())
      Loc = SourceLocation::getFromRawEncoding(SourceLocation::UIntTy(S->getLocCookie()));
    if (auto *D = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&DI))
      Loc = SourceLocation::getFromRawEncoding(SourceLocation::UIntTy(D->getLocCookie()));
    Diags.Report(Loc, Diags.getCustomDiagID(L, "%0")) << Text;
    return true;
  }
};

// From source to a module, and the module through the back end.
class EmitAction final : public ASTFrontendAction {
  BackendAction Kind;
  llvm::LLVMContext Context;
  CodeGenerator *Generator = nullptr;
  std::unique_ptr<llvm::raw_pwrite_stream> OS;

  // clang marks modules of the architecture that it takes this for.
  static void dropForeignFlags(llvm::Module &M) {
    llvm::NamedMDNode *Flags = M.getModuleFlagsMetadata();
    if (!Flags)
      return;
    llvm::SmallVector<llvm::MDNode *, 8> Keep;
    for (llvm::MDNode *N : Flags->operands()) {
      auto *Name = llvm::dyn_cast<llvm::MDString>(N->getOperand(1));
      if (!Name || (Name->getString() != "target-abi" && Name->getString() != "riscv-isa" &&
                    Name->getString() != "SmallDataLimit"))
        Keep.push_back(N);
    }
    Flags->clearOperands();
    for (llvm::MDNode *N : Keep)
      Flags->addOperand(N);
  }

  void backend(llvm::Module *M) {
    CompilerInstance &CI = getCompilerInstance();
    dropForeignFlags(*M);
    M->setTargetTriple(linx::TargetTriple);
    EmitBackendOutput(CI.getDiagnostics(), CI.getHeaderSearchOpts(), CI.getCodeGenOpts(),
                      CI.getTargetOpts(), CI.getLangOpts(), CI.getTarget().getDataLayoutString(), M,
                      Kind, CI.getFileManager().getVirtualFileSystemPtr(), std::move(OS));
  }

public:
  explicit EmitAction(BackendAction K) : Kind(K) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef InFile) override {
    static const char *const Suffix[] = {"s", "bc", "ll", "", "", "o"};
    OS = CI.takeOutputStream();
    if (!OS)
      OS = CI.createDefaultOutputFile(Kind != Backend_EmitAssembly && Kind != Backend_EmitLL,
                                      InFile, Suffix[Kind]);
    if (!OS)
      return nullptr;
    Context.setDiagnosticHandler(std::make_unique<BackendMessages>(CI.getDiagnostics()), true);
    Context.setDiscardValueNames(CI.getCodeGenOpts().DiscardValueNames);
    std::unique_ptr<CodeGenerator> G(CreateLLVMCodeGen(
        CI.getDiagnostics(), InFile, CI.getFileManager().getVirtualFileSystemPtr(),
        CI.getHeaderSearchOpts(), CI.getPreprocessorOpts(), CI.getCodeGenOpts(), Context));
    Generator = G.get();
    return G;
  }

  bool hasIRSupport() const override { return true; }
  void ExecuteAction() override {
    CompilerInstance &CI = getCompilerInstance();
    if (getCurrentFileKind().getLanguage() != Language::LLVM_IR) {
      ASTFrontendAction::ExecuteAction();
      // Here, while messages can still show source lines.
      if (Generator && !CI.getDiagnostics().hasErrorOccurred())
        if (std::unique_ptr<llvm::Module> M{Generator->ReleaseModule()})
          backend(M.get());
      return;
    }
    OS = CI.createDefaultOutputFile(Kind != Backend_EmitAssembly && Kind != Backend_EmitLL,
                                    getCurrentFile(), Kind == Backend_EmitObj ? "o" : "s");
    if (!OS)
      return;
    Context.setDiagnosticHandler(std::make_unique<BackendMessages>(CI.getDiagnostics()), true);
    llvm::SMDiagnostic Err;
    std::unique_ptr<llvm::Module> M = llvm::parseIRFile(getCurrentFile(), Err, Context);
    if (!M) {
      std::string Text;
      llvm::raw_string_ostream S(Text);
      Err.print("", S, false);
      CI.getDiagnostics().Report(CI.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error,
                                                                     "%0"))
          << llvm::StringRef(Text).trim();
      return;
    }
    M->setDataLayout(linx::DataLayout);
    backend(M.get());
  }
};
} // namespace

static std::unique_ptr<FrontendAction> actionFor(CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitObj: return std::make_unique<EmitAction>(Backend_EmitObj);
  case frontend::EmitAssembly: return std::make_unique<EmitAction>(Backend_EmitAssembly);
  case frontend::EmitLLVM: return std::make_unique<EmitAction>(Backend_EmitLL);
  case frontend::EmitBC: return std::make_unique<EmitAction>(Backend_EmitBC);
  case frontend::PrintPreprocessedInput:
    if (CI.getPreprocessorOutputOpts().RewriteIncludes)
      return std::make_unique<RewriteIncludesAction>();
    return std::make_unique<PrintPreprocessedAction>();
  case frontend::RunPreprocessorOnly: return std::make_unique<PreprocessOnlyAction>();
  case frontend::ParseSyntaxOnly: return std::make_unique<SyntaxOnlyAction>();
  case frontend::ASTDump: return std::make_unique<ASTDumpAction>();
  case frontend::GeneratePCH: return std::make_unique<GeneratePCHAction>();
  default: return nullptr;
  }
}

// CompilerInstance::ExecuteAction, but with our target instead of one that clang has.
static bool execute(CompilerInstance &CI, FrontendAction &Action) {
  if (!Action.PrepareToExecute(CI))
    return false;
  CI.setTarget(new linx::ClangTarget(CI.getInvocation().TargetOpts));
  CI.getTarget().adjust(CI.getDiagnostics(), CI.getLangOpts());
  for (const FrontendInputFile &File : CI.getFrontendOpts().Inputs) {
    if (CI.hasSourceManager())
      CI.getSourceManager().clearIDTables();
    if (!Action.BeginSourceFile(CI, File))
      continue;
    if (llvm::Error E = Action.Execute())
      llvm::consumeError(std::move(E));
    Action.EndSourceFile();
  }
  unsigned Warnings = CI.getDiagnostics().getNumWarnings();
  unsigned Errors = CI.getDiagnostics().getClient()->getNumErrors();
  if (CI.getDiagnosticOpts().ShowCarets && (Warnings || Errors)) {
    if (Warnings)
      llvm::errs() << Warnings << " warning" << (Warnings == 1 ? "" : "s");
    if (Warnings && Errors)
      llvm::errs() << " and ";
    if (Errors)
      llvm::errs() << Errors << " error" << (Errors == 1 ? "" : "s");
    llvm::errs() << " generated.\n";
  }
  return Errors == 0;
}

int linx::compile(llvm::ArrayRef<const char *> Args, const char *Program) {
  CompilerInstance CI;
  TextDiagnosticBuffer *Buffer = new TextDiagnosticBuffer;
  DiagnosticsEngine Early(new DiagnosticIDs, new DiagnosticOptions, Buffer);
  bool Good = CompilerInvocation::CreateFromArgs(CI.getInvocation(), Args, Early, Program);
  CI.createDiagnostics();
  if (!CI.hasDiagnostics())
    return 1;
  Buffer->FlushDiagnostics(CI.getDiagnostics());
  if (!Good)
    return 1;
  if (!CI.getFrontendOpts().LLVMArgs.empty()) {
    llvm::SmallVector<const char *, 8> LA{"linx-cc (LLVM option parsing)"};
    for (const std::string &A : CI.getFrontendOpts().LLVMArgs)
      LA.push_back(A.c_str());
    llvm::cl::ResetAllOptionOccurrences();
    llvm::cl::ParseCommandLineOptions(LA.size(), LA.data());
  }
  std::unique_ptr<FrontendAction> Action = actionFor(CI);
  if (!Action) {
    CI.getDiagnostics().Report(CI.getDiagnostics().getCustomDiagID(
        DiagnosticsEngine::Error, "linx-cc does not support this kind of output"));
    return 1;
  }
  bool Done = execute(CI, *Action);
  Action.reset();
  return Done && !CI.getDiagnostics().hasErrorOccurred() ? 0 : 1;
}
