// SPDX-License-Identifier: BSD-2-Clause
// Machine instructions to MC instructions, and the operands of inline assembly.
#include "Linx.h"
#include "LinxMCExpr.h"
#include "LinxMCTargetDesc.h"
#include "LinxTargetMachine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/CodeGen/MachineConstantPool.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;

#define DEBUG_TYPE "asm-printer"

namespace {
class LinxAsmPrinter final : public AsmPrinter {
public:
  LinxAsmPrinter(TargetMachine &TM, std::unique_ptr<MCStreamer> Streamer)
      : AsmPrinter(TM, std::move(Streamer)) {}
  StringRef getPassName() const override { return "Linx Assembly Printer"; }

  void emitInstruction(const MachineInstr *MI) override;
  bool PrintAsmOperand(const MachineInstr *MI, unsigned OpNo, const char *ExtraCode,
                       raw_ostream &OS) override;
  bool PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo, const char *ExtraCode,
                             raw_ostream &OS) override;
  // A jump-table branch is no terminator that the generic test looks at: its targets need their labels.
  bool isBlockOnlyReachableByFallthrough(const MachineBasicBlock *MBB) const override {
    const MachineJumpTableInfo *J = MBB->getParent()->getJumpTableInfo();
    return (!J || J->isEmpty()) && AsmPrinter::isBlockOnlyReachableByFallthrough(MBB);
  }

  void emitFunctionBodyEnd() override;
  void emitEndOfAsmFile(Module &M) override;

private:
  // Sections with code; true when the last function in it ends in an open block.
  MapVector<MCSection *, bool> OpenEnd;
  MCOperand lowerSymbol(const MachineOperand &MO, MCSymbol *Sym);
  unsigned spelling(unsigned Opc) const;
  bool lowerOperand(const MachineOperand &MO, MCOperand &Out);
};
} // namespace

static bool closesBlock(const MachineFunction &MF) {
  for (const MachineBasicBlock &MBB : reverse(MF))
    for (const MachineInstr &MI : reverse(MBB))
      if (!MI.isMetaInstruction())
        switch (MI.getOpcode()) {
        case Linx::FRET_STK:
        case Linx::FRET_RA:
        case Linx::C_BSTOP:
        case Linx::BSTOP:
          return true;
        default:
          return false;
        }
  return true;
}

void LinxAsmPrinter::emitFunctionBodyEnd() {
  OpenEnd[OutStreamer->getCurrentSectionOnly()] = !closesBlock(*MF);
}

// The next function's start closes the last block of the one before it. Behind the last function of a section may
// lie anything, also data, so that block gets an end of its own.
void LinxAsmPrinter::emitEndOfAsmFile(Module &) {
  for (auto [Section, Open] : OpenEnd)
    if (Open) {
      OutStreamer->switchSection(Section);
      OutStreamer->emitInstruction(MCInstBuilder(Linx::C_BSTOP), *TM.getMCSubtargetInfo());
    }
  OpenEnd.clear();
}

MCOperand LinxAsmPrinter::lowerSymbol(const MachineOperand &MO, MCSymbol *Sym) {
  const MCExpr *E = MCSymbolRefExpr::create(Sym, OutContext);
  if (!MO.isJTI() && !MO.isMBB() && !MO.isMCSymbol() && MO.getOffset())
    E = MCBinaryExpr::createAdd(E, MCConstantExpr::create(MO.getOffset(), OutContext), OutContext);
  switch (MO.getTargetFlags()) {
  case LinxII::MO_PCREL_HI:
    E = LinxMCExpr::create(E, LinxMCExpr::PCRelHi, OutContext);
    break;
  case LinxII::MO_LO:
    E = LinxMCExpr::create(E, LinxMCExpr::Lo, OutContext);
    break;
  case LinxII::MO_TPREL:
    E = LinxMCExpr::create(E, LinxMCExpr::TPRel, OutContext);
    break;
  }
  return MCOperand::createExpr(E);
}

bool LinxAsmPrinter::lowerOperand(const MachineOperand &MO, MCOperand &Out) {
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    if (MO.isImplicit())
      return false;
    Out = MCOperand::createReg(MO.getReg());
    return true;
  case MachineOperand::MO_Immediate:
    Out = MCOperand::createImm(MO.getImm());
    return true;
  case MachineOperand::MO_RegisterMask:
    return false;
  case MachineOperand::MO_MachineBasicBlock:
    Out = lowerSymbol(MO, MO.getMBB()->getSymbol());
    return true;
  case MachineOperand::MO_GlobalAddress:
    Out = lowerSymbol(MO, getSymbolPreferLocal(*MO.getGlobal()));
    return true;
  case MachineOperand::MO_ExternalSymbol:
    Out = lowerSymbol(MO, GetExternalSymbolSymbol(MO.getSymbolName()));
    return true;
  case MachineOperand::MO_ConstantPoolIndex:
    Out = lowerSymbol(MO, GetCPISymbol(MO.getIndex()));
    return true;
  case MachineOperand::MO_JumpTableIndex:
    Out = lowerSymbol(MO, GetJTISymbol(MO.getIndex()));
    return true;
  case MachineOperand::MO_BlockAddress:
    Out = lowerSymbol(MO, GetBlockAddressSymbol(MO.getBlockAddress()));
    return true;
  case MachineOperand::MO_MCSymbol:
    Out = lowerSymbol(MO, MO.getMCSymbol());
    return true;
  default:
    report_fatal_error("linx: machine operand of unknown kind");
  }
}

// The assembler keeps a form that is named exactly ("c.", "hl.") and sizes the others. In text the
// sizing must stay open; in an object it starts from the shortest form. A block that calls is one
// that branches and sets ra, so the short direct forms serve calls too.
unsigned LinxAsmPrinter::spelling(unsigned Opc) const {
  bool Text = OutStreamer->hasRawTextSupport();
  switch (Opc) {
  case Linx::C_BSTART_DIRECT: return Text ? unsigned(Linx::BSTART_DIRECT) : Opc;
  case Linx::C_BSTART_COND: return Text ? unsigned(Linx::BSTART_COND) : Opc;
  case Linx::C_SETRET: return Text ? unsigned(Linx::SETRET) : Opc;
  case Linx::BSTART_STD_CALL: return Text ? Opc : unsigned(Linx::C_BSTART_DIRECT);
  }
  return Opc;
}

void LinxAsmPrinter::emitInstruction(const MachineInstr *MI) {
  if (MI->getOpcode() == Linx::PseudoCOMPILERFENCE || MI->getOpcode() == Linx::PseudoBEND)
    return;
  if (MI->isPseudo()) {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << "linx: pseudo-instruction left in " << MI->getMF()->getName() << ": ";
    MI->print(OS);
    report_fatal_error(StringRef(Text));
  }
  MCInst Out;
  Out.setOpcode(spelling(MI->getOpcode()));
  for (const MachineOperand &MO : MI->operands()) {
    MCOperand Op;
    if (lowerOperand(MO, Op))
      Out.addOperand(Op);
  }
  EmitToStreamer(*OutStreamer, Out);
}

static StringRef regName(Register R) {
  static const char *const Names[] = {"zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "ra", "s0", "s1", "s2", "s3", "s4",
                                      "s5",   "s6", "s7", "s8", "x0", "x1", "x2", "x3"};
  return Names[R - Linx::R0];
}

bool LinxAsmPrinter::PrintAsmOperand(const MachineInstr *MI, unsigned OpNo, const char *ExtraCode,
                                     raw_ostream &OS) {
  const MachineOperand &MO = MI->getOperand(OpNo);
  if (ExtraCode && ExtraCode[0] == 'z' && !ExtraCode[1]) { // zero register for constant 0
    if (MO.isImm() && MO.getImm() == 0) {
      OS << "zero";
      return false;
    }
    ExtraCode = nullptr;
  }
  if (!AsmPrinter::PrintAsmOperand(MI, OpNo, ExtraCode, OS))
    return false;
  if (ExtraCode && ExtraCode[0])
    return true;
  switch (MO.getType()) {
  case MachineOperand::MO_Immediate:
    OS << MO.getImm();
    return false;
  case MachineOperand::MO_Register:
    OS << regName(MO.getReg());
    return false;
  case MachineOperand::MO_GlobalAddress:
    PrintSymbolOperand(MO, OS);
    return false;
  case MachineOperand::MO_BlockAddress:
    GetBlockAddressSymbol(MO.getBlockAddress())->print(OS, MAI);
    return false;
  case MachineOperand::MO_MachineBasicBlock:
    MO.getMBB()->getSymbol()->print(OS, MAI);
    return false;
  default:
    return true;
  }
}

bool LinxAsmPrinter::PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo,
                                           const char *ExtraCode, raw_ostream &OS) {
  if (ExtraCode)
    return AsmPrinter::PrintAsmMemoryOperand(MI, OpNo, ExtraCode, OS);
  const MachineOperand &Base = MI->getOperand(OpNo), &Off = MI->getOperand(OpNo + 1);
  if (!Base.isReg() || !Off.isImm())
    return true;
  OS << '[' << regName(Base.getReg());
  if (Off.getImm())
    OS << ", " << Off.getImm();
  OS << ']';
  return false;
}

extern "C" void LLVMInitializeLinx64AsmPrinter() {
  RegisterAsmPrinter<LinxAsmPrinter> X(getTheLinx64Target());
}
