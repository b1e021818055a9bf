// SPDX-License-Identifier: BSD-2-Clause
// Makes the target known to LLVM. Loading libLLVMLinx64.so registers every part that is linked into it.
#include "LinxMCTargetDesc.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;

Target &llvm::getTheLinx64Target() {
  static Target T;
  return T;
}

// LLVM has no architecture number for Linx: the triple linx64-unknown-elf parses as an unknown architecture
// with ELF as its format, and that is what the target answers to.
extern "C" void LLVMInitializeLinx64TargetInfo() {
  RegisterTarget<Triple::UnknownArch> X(getTheLinx64Target(), "linx64", "Linx (64-bit, block-structured)", "Linx");
}

// The code generator is a part of the library when its sources are.
extern "C" __attribute__((weak)) void LLVMInitializeLinx64Target();
extern "C" __attribute__((weak)) void LLVMInitializeLinx64AsmPrinter();

namespace {
struct RegisterAll {
  RegisterAll() {
    LLVMInitializeLinx64TargetInfo();
    LLVMInitializeLinx64TargetMC();
    LLVMInitializeLinx64AsmParser();
    LLVMInitializeLinx64Disassembler();
    if (LLVMInitializeLinx64Target)
      LLVMInitializeLinx64Target();
    if (LLVMInitializeLinx64AsmPrinter)
      LLVMInitializeLinx64AsmPrinter();
  }
};
} // namespace

static RegisterAll TheRegistration;
