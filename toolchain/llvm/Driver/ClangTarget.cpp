// SPDX-License-Identifier: BSD-2-Clause
#include "ClangTarget.h"
#include "clang/Basic/MacroBuilder.h"

using namespace clang;

// TargetInfo keeps its options in a private member that only TargetInfo::CreateTargetInfo sets, and
// that knows clang's own targets alone. An explicit instantiation may name a private member.
namespace {
template <typename Tag, typename Tag::Type Member> struct Access {
  friend typename Tag::Type memberOf(Tag) { return Member; }
};
struct OptionsTag {
  using Type = std::shared_ptr<TargetOptions> TargetInfo::*;
  friend Type memberOf(OptionsTag);
};
template struct Access<OptionsTag, &TargetInfo::TargetOpts>;
} // namespace

linx::ClangTarget::ClangTarget(std::shared_ptr<TargetOptions> Options)
    : TargetInfo(llvm::Triple(FrontTriple)) {
  // docs/target.md: LP64, long double is double, wchar_t is int.
  LongWidth = LongAlign = PointerWidth = PointerAlign = 64;
  LongDoubleWidth = LongDoubleAlign = 64;
  LongDoubleFormat = &llvm::APFloat::IEEEdouble();
  SizeType = UnsignedLong;
  PtrDiffType = IntPtrType = IntMaxType = Int64Type = SignedLong;
  WCharType = SignedInt;
  WIntType = UnsignedInt;
  SuitableAlign = 128;
  DefaultAlignForAttributeAligned = 128;
  MaxAtomicPromoteWidth = 128;
  MaxAtomicInlineWidth = 64;
  HasLegalHalfType = false;
  UseBitFieldTypeAlignment = true;
  NoAsmVariants = true;
  MCountName = "_mcount";
  resetDataLayout(DataLayout);
  this->*memberOf(OptionsTag()) = Options;
  Options->Triple = FrontTriple;
  Options->CPU.clear();
  Options->TuneCPU.clear();
  Options->ABI = "lp64";
  Options->FeaturesAsWritten.clear();
  Options->Features.clear();
  Options->FeatureMap.clear();
}

void linx::ClangTarget::getTargetDefines(const LangOptions &, MacroBuilder &B) const {
  B.defineMacro("__linx__");
  B.defineMacro("__linx64__");
  B.defineMacro("__linx_xlen", "64");
  B.defineMacro("__ELF__");
  for (const char *Size : {"1", "2", "4", "8"})
    B.defineMacro(llvm::Twine("__GCC_HAVE_SYNC_COMPARE_AND_SWAP_") + Size);
}

bool linx::ClangTarget::validateAsmConstraint(const char *&Name, ConstraintInfo &Info) const {
  switch (*Name) {
  case 'I': // signed 12 bits
    Info.setRequiresImmediate(-2048, 2047);
    return true;
  case 'J': // zero
    Info.setRequiresImmediate(0);
    return true;
  case 'K': // unsigned 12 bits
    Info.setRequiresImmediate(0, 4095);
    return true;
  case 'f': // a floating-point value: general registers hold it
    Info.setAllowsRegister();
    return true;
  case 'A': // an address in a register
    Info.setAllowsMemory();
    return true;
  }
  return false;
}

llvm::ArrayRef<const char *> linx::ClangTarget::getGCCRegNames() const {
  static const char *const Names[] = {"zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "ra", "s0", "s1", "s2", "s3", "s4",
                                      "s5",   "s6", "s7", "s8", "x0", "x1", "x2", "x3"};
  return llvm::ArrayRef(Names);
}

llvm::ArrayRef<TargetInfo::GCCRegAlias> linx::ClangTarget::getGCCRegAliases() const {
  static const GCCRegAlias Aliases[] = {
      {{"r0"}, "zero"}, {{"r1"}, "sp"},         {{"r2"}, "a0"},  {{"r3"}, "a1"},
      {{"r4"}, "a2"},   {{"r5"}, "a3"},         {{"r6"}, "a4"},  {{"r7"}, "a5"},
      {{"r8"}, "a6"},   {{"r9"}, "a7"},         {{"r10"}, "ra"}, {{"r11", "fp"}, "s0"},
      {{"r12"}, "s1"},  {{"r13"}, "s2"},        {{"r14"}, "s3"}, {{"r15"}, "s4"},
      {{"r16"}, "s5"},  {{"r17"}, "s6"},        {{"r18"}, "s7"}, {{"r19"}, "s8"},
      {{"r20"}, "x0"},  {{"r21"}, "x1"},        {{"r22"}, "x2"}, {{"r23"}, "x3"}};
  return llvm::ArrayRef(Aliases);
}
