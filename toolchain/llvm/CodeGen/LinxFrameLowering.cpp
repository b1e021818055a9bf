// SPDX-License-Identifier: BSD-2-Clause
#include "LinxFrameLowering.h"
#include "LinxMachineFunctionInfo.h"
#include "LinxSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterScavenging.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

// Largest frame that one FENTRY makes, a multiple of the stack alignment (its field has 15 bits).
static constexpr uint64_t MaxTemplateFrame = 32752;

bool LinxFrameLowering::hasFP(const MachineFunction &MF) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  return MF.getTarget().Options.DisableFramePointerElim(MF) || MFI.hasVarSizedObjects() ||
         MFI.isFrameAddressTaken() || MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF);
}

bool LinxFrameLowering::hasBP(const MachineFunction &MF) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  return MFI.hasVarSizedObjects() && MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF);
}

bool LinxFrameLowering::hasReservedCallFrame(const MachineFunction &MF) const {
  return !MF.getFrameInfo().hasVarSizedObjects();
}

// ra and s0..sK are saved as one range, so using sK means saving all below it.
void LinxFrameLowering::determineCalleeSaves(MachineFunction &MF, BitVector &SavedRegs,
                                             RegScavenger *RS) const {
  TargetFrameLowering::determineCalleeSaves(MF, SavedRegs, RS);
  // Variables of naked functions are the author's affair.
  if (MF.getFunction().hasFnAttribute(Attribute::Naked))
    return;
  if (hasFP(MF)) {
    SavedRegs.set(Linx::R10);
    SavedRegs.set(Linx::R11);
  }
  if (hasBP(MF))
    SavedRegs.set(Linx::R12);
  unsigned Last = 0;
  for (unsigned R = Linx::R19; R >= Linx::R10; --R)
    if (SavedRegs.test(R)) {
      Last = R;
      break;
    }
  for (unsigned R = Linx::R10; R <= Last; ++R)
    SavedRegs.set(R);
}

bool LinxFrameLowering::assignCalleeSavedSpillSlots(MachineFunction &MF,
                                                    const TargetRegisterInfo *,
                                                    std::vector<CalleeSavedInfo> &CSI) const {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  int64_t Top = -int64_t(MF.getInfo<LinxMachineFunctionInfo>()->VarArgsSaveSize);
  for (CalleeSavedInfo &CS : CSI)
    CS.setFrameIdx(MFI.CreateFixedSpillStackObject(
        8, Top - 8 * int64_t(CS.getReg() - Linx::R10 + 1)));
  return true;
}

void LinxFrameLowering::processFunctionBeforeFrameFinalized(MachineFunction &MF,
                                                            RegScavenger *RS) const {
  // A frame beyond the reach of one load or store needs a register to be had in an emergency.
  MachineFrameInfo &MFI = MF.getFrameInfo();
  if (isInt<11>(MFI.estimateStackSize(MF)))
    return;
  bool HasAsm = MF.hasInlineAsm();
  if (!HasAsm && isInt<21>(MFI.estimateStackSize(MF)))
    return;
  RS->addScavengingFrameIndex(MFI.CreateStackObject(8, Align(8), false));
}

bool LinxFrameLowering::spillCalleeSavedRegisters(MachineBasicBlock &MBB,
                                                  MachineBasicBlock::iterator,
                                                  ArrayRef<CalleeSavedInfo> CSI,
                                                  const TargetRegisterInfo *) const {
  for (const CalleeSavedInfo &CS : CSI)
    if (!MBB.isLiveIn(CS.getReg()))
      MBB.addLiveIn(CS.getReg());
  return true;
}

void LinxFrameLowering::emitCFI(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                                const MCCFIInstruction &Inst) const {
  MachineFunction &MF = *MBB.getParent();
  unsigned Index = MF.addFrameInst(Inst);
  BuildMI(MBB, I, DebugLoc(), MF.getSubtarget().getInstrInfo()->get(TargetOpcode::CFI_INSTRUCTION))
      .addCFIIndex(Index)
      .setMIFlag(MachineInstr::FrameSetup);
}

// The last register of the saved range as number after R10, or -1.
static int lastSaved(const MachineFunction &MF) {
  int Last = -1;
  for (const CalleeSavedInfo &CS : MF.getFrameInfo().getCalleeSavedInfo())
    Last = std::max(Last, int(CS.getReg() - Linx::R10));
  return Last;
}

// Bytes that FENTRY takes off sp; the rest of a very large frame is taken by an instruction.
static uint64_t templateFrame(int Last, uint64_t Size) {
  return Size <= MaxTemplateFrame ? Size : alignTo(8 * uint64_t(Last + 1), 16);
}

void LinxFrameLowering::emitPrologue(MachineFunction &MF, MachineBasicBlock &MBB) const {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  const auto &STI = MF.getSubtarget<LinxSubtarget>();
  const LinxInstrInfo *TII = STI.getInstrInfo();
  if (MF.getFunction().hasFnAttribute(Attribute::Naked))
    return;
  MachineBasicBlock::iterator I = MBB.begin();
  DebugLoc DL;
  bool CFI = MF.needsFrameMoves();
  uint64_t Size = alignTo(MFI.getStackSize(), getStackAlign());
  MFI.setStackSize(Size);
  int64_t VarSize = MF.getInfo<LinxMachineFunctionInfo>()->VarArgsSaveSize;
  int Last = lastSaved(MF);
  if (!Size && Last < 0)
    return;

  uint64_t Rest = Size;
  if (Last >= 0) {
    if (VarSize)
      TII->addConstant(MBB, I, DL, Linx::R1, Linx::R1, -VarSize, MachineInstr::FrameSetup);
    uint64_t T = templateFrame(Last, Size - VarSize);
    auto MIB = BuildMI(MBB, I, DL, TII->get(Linx::PseudoFENTRY))
                   .addImm(Last)
                   .addImm(T)
                   .setMIFlag(MachineInstr::FrameSetup);
    for (int K = 0; K <= Last; ++K)
      MIB.addReg(Linx::R10 + K, RegState::Implicit);
    Rest = Size - VarSize - T;
    if (CFI) {
      emitCFI(MBB, I, MCCFIInstruction::cfiDefCfaOffset(nullptr, T + VarSize));
      for (const CalleeSavedInfo &CS : MFI.getCalleeSavedInfo())
        emitCFI(MBB, I,
                MCCFIInstruction::createOffset(
                    nullptr, STI.getRegisterInfo()->getDwarfRegNum(CS.getReg(), true),
                    MFI.getObjectOffset(CS.getFrameIdx())));
    }
    if (hasFP(MF)) {
      TII->addConstant(MBB, I, DL, Linx::R11, Linx::R1, T + VarSize, MachineInstr::FrameSetup);
      if (CFI)
        emitCFI(MBB, I, MCCFIInstruction::cfiDefCfa(nullptr, 11, 0));
    }
  }
  if (Rest) {
    TII->addConstant(MBB, I, DL, Linx::R1, Linx::R1, -int64_t(Rest), MachineInstr::FrameSetup);
    if (CFI && !hasFP(MF))
      emitCFI(MBB, I, MCCFIInstruction::cfiDefCfaOffset(nullptr, Size));
  }
  if (STI.getRegisterInfo()->hasStackRealignment(MF)) {
    unsigned Bits = Log2(MFI.getMaxAlign());
    // Clear the low bits: BIC (SrcL, imml = length - 1, imms = first bit).
    BuildMI(MBB, I, DL, TII->get(Linx::BIC), Linx::R1)
        .addReg(Linx::R1)
        .addImm(Bits - 1)
        .addImm(0)
        .setMIFlag(MachineInstr::FrameSetup);
    if (hasBP(MF))
      TII->copyPhysReg(MBB, I, DL, Linx::R12, Linx::R1, false);
  }
}

void LinxFrameLowering::emitEpilogue(MachineFunction &MF, MachineBasicBlock &MBB) const {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  const auto &STI = MF.getSubtarget<LinxSubtarget>();
  const LinxInstrInfo *TII = STI.getInstrInfo();
  if (MF.getFunction().hasFnAttribute(Attribute::Naked))
    return;
  MachineBasicBlock::iterator Term = MBB.getFirstTerminator();
  DebugLoc DL = Term != MBB.end() ? Term->getDebugLoc() : DebugLoc();
  uint64_t Size = MFI.getStackSize();
  int64_t VarSize = MF.getInfo<LinxMachineFunctionInfo>()->VarArgsSaveSize;
  int Last = lastSaved(MF);

  if (Last < 0) {
    if (Size)
      TII->addConstant(MBB, Term, DL, Linx::R1, Linx::R1, Size, MachineInstr::FrameDestroy);
    return;
  }
  uint64_t T = templateFrame(Last, Size - VarSize);
  uint64_t Rest = Size - VarSize - T;
  if (MFI.hasVarSizedObjects() || STI.getRegisterInfo()->hasStackRealignment(MF))
    TII->addConstant(MBB, Term, DL, Linx::R1, Linx::R11, -int64_t(T + VarSize),
                     MachineInstr::FrameDestroy);
  else if (Rest)
    TII->addConstant(MBB, Term, DL, Linx::R1, Linx::R1, Rest, MachineInstr::FrameDestroy);

  bool Fuse = Term != MBB.end() && Term->getOpcode() == Linx::PseudoRET && !VarSize;
  auto MIB = BuildMI(MBB, Term, DL, TII->get(Fuse ? Linx::PseudoFRET : Linx::PseudoFEXIT))
                 .addImm(Last)
                 .addImm(T)
                 .setMIFlag(MachineInstr::FrameDestroy);
  for (int K = 0; K <= Last; ++K)
    MIB.addReg(Linx::R10 + K, RegState::ImplicitDefine);
  if (Fuse) {
    for (const MachineOperand &MO : Term->implicit_operands())
      if (MO.isReg() && MO.isUse() && MO.getReg() != Linx::R10)
        MIB.addReg(MO.getReg(), RegState::Implicit);
    Term->eraseFromParent();
  } else if (VarSize) {
    TII->addConstant(MBB, Term, DL, Linx::R1, Linx::R1, VarSize, MachineInstr::FrameDestroy);
  }
}

StackOffset LinxFrameLowering::getFrameIndexReference(const MachineFunction &MF, int FI,
                                                      Register &FrameReg) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  int64_t FromTop = MFI.getObjectOffset(FI); // relative to the caller's sp
  bool Realigned = MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF);
  if (hasFP(MF) && (MFI.isFixedObjectIndex(FI) || !Realigned)) {
    // Objects near sp are reached by shorter offsets from there, when it does not move.
    if (MFI.isFixedObjectIndex(FI) || MFI.hasVarSizedObjects()) {
      FrameReg = Linx::R11;
      return StackOffset::getFixed(FromTop);
    }
  }
  FrameReg = hasBP(MF) ? Linx::R12 : Linx::R1;
  return StackOffset::getFixed(FromTop + int64_t(MFI.getStackSize()));
}

MachineBasicBlock::iterator
LinxFrameLowering::eliminateCallFramePseudoInstr(MachineFunction &MF, MachineBasicBlock &MBB,
                                                 MachineBasicBlock::iterator MI) const {
  if (!hasReservedCallFrame(MF)) {
    const LinxInstrInfo *TII = MF.getSubtarget<LinxSubtarget>().getInstrInfo();
    int64_t Amount = alignTo(MI->getOperand(0).getImm(), 16);
    if (Amount)
      TII->addConstant(MBB, MI, MI->getDebugLoc(), Linx::R1, Linx::R1,
                       MI->getOpcode() == Linx::ADJCALLSTACKDOWN ? -Amount : Amount,
                       MachineInstr::NoFlags);
  }
  return MBB.erase(MI);
}
