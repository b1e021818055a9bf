// SPDX-License-Identifier: BSD-2-Clause
// What clang's front end knows of Linx: sizes, macros, register names, inline assembly constraints.
//
// The object calls itself riscv64 towards clang's CodeGen, because that is how the calling
// convention of docs/target.md (RISC-V's lp64: arguments and structures in integer registers) is
// chosen there. Programs see none of it: the macros are __linx__, and the module is renamed before
// it reaches the code generator.
#ifndef LINX_DRIVER_CLANGTARGET_H
#define LINX_DRIVER_CLANGTARGET_H

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include <memory>

namespace linx {
constexpr const char FrontTriple[] = "riscv64-unknown-elf";
constexpr const char TargetTriple[] = "linx64-unknown-elf";
constexpr const char DataLayout[] = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128";

class ClangTarget final : public clang::TargetInfo {
public:
  // Options: of the compilation; clang reads CPU and features from there.
  explicit ClangTarget(std::shared_ptr<clang::TargetOptions> Options);

  void getTargetDefines(const clang::LangOptions &Opts,
                        clang::MacroBuilder &Builder) const override;
  llvm::ArrayRef<clang::Builtin::Info> getTargetBuiltins() const override { return {}; }
  BuiltinVaListKind getBuiltinVaListKind() const override { return VoidPtrBuiltinVaList; }
  bool validateAsmConstraint(const char *&Name, ConstraintInfo &Info) const override;
  std::string_view getClobbers() const override { return ""; }
  llvm::ArrayRef<const char *> getGCCRegNames() const override;
  llvm::ArrayRef<GCCRegAlias> getGCCRegAliases() const override;
  llvm::StringRef getABI() const override { return "lp64"; }
  bool hasBitIntType() const override { return true; }
  bool isCLZForZeroUndef() const override { return false; }
  bool hasFeature(llvm::StringRef Feature) const override { return Feature == "linx64"; }
};
} // namespace linx

#endif
