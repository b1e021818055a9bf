// SPDX-License-Identifier: BSD-2-Clause
// The machine-code layer of the Linx target: constructors for the LLVM registry and the enumerations
// that TableGen makes.
#ifndef LINX_MC_TARGETDESC_H
#define LINX_MC_TARGETDESC_H

#include "llvm/MC/MCTargetOptions.h"
#include <memory>

namespace llvm {
class MCAsmBackend;
class MCCodeEmitter;
class MCContext;
class MCInstrInfo;
class MCObjectTargetWriter;
class MCRegisterInfo;
class MCSubtargetInfo;
class Target;

Target &getTheLinx64Target();

MCCodeEmitter *createLinxMCCodeEmitter(const MCInstrInfo &MCII, MCContext &Ctx);
MCAsmBackend *createLinxAsmBackend(const Target &T, const MCSubtargetInfo &STI,
                                   const MCRegisterInfo &MRI, const MCTargetOptions &Options);
std::unique_ptr<MCObjectTargetWriter> createLinxELFObjectWriter();

// What .option changes, as assembly begins: pick the shortest form; judge where instructions stand.
struct LinxAsmOptions {
  bool Relax = true, Check = true;
};
extern LinxAsmOptions TheLinxAsmOptions;
} // namespace llvm

// Each part registers itself; Debian's tools call none of these, a static initialiser does
// (LinxTargetInfo.cpp).
extern "C" {
void LLVMInitializeLinx64TargetInfo();
void LLVMInitializeLinx64TargetMC();
void LLVMInitializeLinx64AsmParser();
void LLVMInitializeLinx64Disassembler();
}

#define GET_REGINFO_ENUM
#include "LinxGenRegisterInfo.inc"
#define GET_INSTRINFO_ENUM
#define GET_INSTRINFO_MC_HELPER_DECLS
#include "LinxGenInstrInfo.inc"
#define GET_SUBTARGETINFO_ENUM
#include "LinxGenSubtargetInfo.inc"

#endif
