// SPDX-License-Identifier: BSD-2-Clause
// Cuts machine basic blocks into Linx blocks.
//
// A Linx block has its branch kind and target in its first instruction and the condition in its
// body, so a block's start is written when its end is reached: a placeholder marks the start until
// then. A block ends at a terminator, a call, a template, an inline assembly statement with blocks
// of its own, and before a machine basic block that is a branch target. SYS blocks (atomics,
// fences) only fall through and FP blocks hold no system instructions, so these are cut apart.
#include "Linx.h"
#include "LinxAsmScan.h"
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxSubtarget.h"
#include "linx_forms.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/MC/MCContext.h"

using namespace llvm;

#define DEBUG_TYPE "linx-blocks"

namespace {
class LinxBlockFormer final : public MachineFunctionPass {
public:
  static char ID;
  LinxBlockFormer() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Linx block former"; }
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  using Iter = MachineBasicBlock::iterator;
  const LinxInstrInfo *TII = nullptr;
  MachineFunction *MF = nullptr;

  // The open block: its placeholder and what is known of its body.
  MachineInstr *Head = nullptr;
  bool FP = false, Sys = false;
  MachineInstr *LastSys = nullptr, *LastRA = nullptr;
  bool RAAfterSys = false;
  MCSymbol *LastReturn = nullptr; // where the call that was just finished returns to

  void visitBlock(MachineBasicBlock &MBB);
  bool expand(MachineBasicBlock &MBB, Iter &I);
  void terminator(MachineBasicBlock &MBB, MachineInstr &MI);
  void inlineAsm(MachineBasicBlock &MBB, MachineInstr &MI);
  void templateBlock(MachineBasicBlock &MBB, MachineInstr &MI);
  void call(MachineBasicBlock &MBB, MachineInstr &MI);
  void emitSetc(MachineBasicBlock &MBB, MachineInstr &MI);

  void open(MachineBasicBlock &MBB, Iter I, const DebugLoc &DL);
  void note(MachineInstr &MI);
  void need(bool WantSys, bool WantFP, MachineBasicBlock &MBB, Iter I);
  void finish(unsigned BrType, const MachineOperand *Target);
  void fall() {
    if (Head)
      finish(LINX_BrType_FALL, nullptr);
  }
  void cutAfter(MachineInstr *Last);
  MachineInstr *writeHead(unsigned BrType, const MachineOperand *Target);
  void end(MachineBasicBlock &MBB, MachineInstr &MI);
  bool needsHead(const MachineBasicBlock &MBB) const;
};
} // namespace

char LinxBlockFormer::ID = 0;
FunctionPass *llvm::createLinxBlockFormerPass() { return new LinxBlockFormer(); }

//===--- the open block -----------------------------------------------------------------------===//

void LinxBlockFormer::open(MachineBasicBlock &MBB, Iter I, const DebugLoc &DL) {
  if (Head)
    return;
  Head = BuildMI(MBB, I, DL, TII->get(Linx::PseudoBSTART));
  FP = Sys = RAAfterSys = false;
  LastSys = LastRA = nullptr;
}

// Makes room for an instruction of SYS or FP kind at I: the open block must not be of the other.
void LinxBlockFormer::need(bool WantSys, bool WantFP, MachineBasicBlock &MBB, Iter I) {
  DebugLoc DL = I != MBB.end() ? I->getDebugLoc() : DebugLoc();
  if ((WantSys && FP) || (WantFP && Sys))
    fall();
  open(MBB, I, DL);
  Sys |= WantSys;
  FP |= WantFP;
}

// Remembers that the body continues with MI.
void LinxBlockFormer::note(MachineInstr &MI) {
  bool RA = false;
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg() == Linx::R10)
      RA = true;
  if (RA) {
    LastRA = &MI;
    RAAfterSys = true;
  }
}

// The block start for the open block; the block keeps being open.
MachineInstr *LinxBlockFormer::writeHead(unsigned BrType, const MachineOperand *Target) {
  unsigned Opc;
  bool Kind = false; // the instruction has the branch type as operand
  switch (BrType) {
  case LINX_BrType_DIRECT:
    Opc = FP ? Linx::BSTART_FP_DIRECT : Linx::C_BSTART_DIRECT;
    break;
  case LINX_BrType_COND:
    Opc = FP ? Linx::BSTART_FP_COND : Linx::C_BSTART_COND;
    break;
  case LINX_BrType_CALL:
    Opc = FP ? Linx::BSTART_FP_CALL : Linx::BSTART_STD_CALL;
    break;
  default:
    assert((!Sys || BrType == LINX_BrType_FALL) && "SYS blocks fall through");
    Opc = Sys ? Linx::C_BSTART_SYS : FP ? Linx::C_BSTART_FP : Linx::C_BSTART_STD;
    Kind = !Sys;
  }
  auto MIB = BuildMI(*Head->getParent(), Head, Head->getDebugLoc(), TII->get(Opc));
  if (Kind)
    MIB.addImm(BrType);
  if (Target)
    MIB.add(*Target);
  if (Target && Target->isMBB())
    Target->getMBB()->setLabelMustBeEmitted();
  Head->eraseFromParent();
  Head = nullptr;
  return MIB;
}

// Ends the open block behind Last (which is in its body) and opens another there.
void LinxBlockFormer::cutAfter(MachineInstr *Last) {
  bool WasFP = FP;
  writeHead(LINX_BrType_FALL, nullptr);
  open(*Last->getParent(), std::next(Iter(Last)), Last->getDebugLoc());
  FP = WasFP;
}

void LinxBlockFormer::finish(unsigned BrType, const MachineOperand *Target) {
  assert(Head && "no open block");
  bool Calls = BrType == LINX_BrType_CALL || BrType == LINX_BrType_ICALL;
  // A call block writes ra at its beginning: what touches ra must be in an earlier block.
  if (Calls && LastRA && (!Sys || RAAfterSys))
    cutAfter(LastRA);
  else if (Sys && BrType != LINX_BrType_FALL)
    cutAfter(LastSys);
  if (!Calls) {
    writeHead(BrType, Target);
    return;
  }
  MachineBasicBlock &MBB = *Head->getParent();
  DebugLoc DL = Head->getDebugLoc();
  MachineInstr *Start = writeHead(BrType, Target);
  MCSymbol *Return = MF->getContext().createTempSymbol();
  BuildMI(MBB, std::next(Iter(Start)), DL, TII->get(Linx::C_SETRET)).addSym(Return);
  LastReturn = Return;
}

// Leaves a zero-sized instruction at MI's place with MI's implicit operands, for the liveness of the
// registers that the end of the block uses, and removes MI.
void LinxBlockFormer::end(MachineBasicBlock &MBB, MachineInstr &MI) {
  BuildMI(MBB, MI, MI.getDebugLoc(), TII->get(Linx::PseudoBEND)).copyImplicitOps(MI);
  MI.eraseFromParent();
}

// A branch may come here, or the layout predecessor does not fall through to here alone.
bool LinxBlockFormer::needsHead(const MachineBasicBlock &MBB) const {
  if (MBB.hasAddressTaken() || MBB.isEHPad() || MBB.isInlineAsmBrIndirectTarget() ||
      MBB.pred_size() != 1)
    return true;
  const MachineBasicBlock *Pred = *MBB.pred_begin();
  return !Pred->isLayoutSuccessor(&MBB);
}

//===--- instructions ---------------------------------------------------------------------------===//

static MachineInstr *loadImmediate(const LinxInstrInfo *TII, MachineBasicBlock &MBB,
                                   MachineInstr &MI, int64_t V) {
  Register D = MI.getOperand(0).getReg();
  const DebugLoc &DL = MI.getDebugLoc();
  if (isInt<5>(V) && D != Linx::R10)
    return BuildMI(MBB, MI, DL, TII->get(Linx::C_MOVI), D).addImm(V);
  if (isUInt<12>(V))
    return BuildMI(MBB, MI, DL, TII->get(Linx::ADDI), D).addReg(Linx::R0).addImm(V);
  if (V < 0 && V >= -4095)
    return BuildMI(MBB, MI, DL, TII->get(Linx::SUBI), D).addReg(Linx::R0).addImm(-V);
  if (isInt<32>(V) && (V & 0xfff) == 0)
    return BuildMI(MBB, MI, DL, TII->get(Linx::LUI), D).addImm(V >> 12);
  return BuildMI(MBB, MI, DL, TII->get(isInt<32>(V) ? Linx::HL_LIS : Linx::HL_LIU), D).addImm(V);
}

// Expands pseudo-instructions that stay inside a block; I moves to the first instruction made.
bool LinxBlockFormer::expand(MachineBasicBlock &MBB, Iter &I) {
  MachineInstr &MI = *I;
  const DebugLoc &DL = MI.getDebugLoc();
  MachineInstr *First;
  switch (MI.getOpcode()) {
  case Linx::PseudoLI:
    First = loadImmediate(TII, MBB, MI, MI.getOperand(1).getImm());
    break;
  case Linx::PseudoLA: {
    Register D = MI.getOperand(0).getReg();
    MachineOperand Hi = MI.getOperand(1), Lo = MI.getOperand(1);
    Hi.setTargetFlags(LinxII::MO_PCREL_HI);
    Lo.setTargetFlags(LinxII::MO_LO);
    First = BuildMI(MBB, MI, DL, TII->get(Linx::ADDTPC), D).add(Hi);
    BuildMI(MBB, MI, DL, TII->get(Linx::ADDI), D).addReg(D, RegState::Kill).add(Lo);
    break;
  }
  case Linx::PseudoREADTP: // SSR 0 is TP
    First = BuildMI(MBB, MI, DL, TII->get(Linx::SSRGET), MI.getOperand(0).getReg()).addImm(0);
    break;
  case Linx::PseudoTPADD:
    First = BuildMI(MBB, MI, DL, TII->get(Linx::HL_ADDI), MI.getOperand(0).getReg())
                .add(MI.getOperand(1))
                .add(MI.getOperand(2));
    break;
  case Linx::PseudoROTLWI: { // the upper result is not wanted
    MachineOperand Src = MI.getOperand(1);
    Src.setIsKill(false);
    First = BuildMI(MBB, MI, DL, TII->get(Linx::HL_CCATW))
                .addDef(Linx::R0)
                .addDef(MI.getOperand(0).getReg())
                .add(Src)
                .add(Src)
                .add(MI.getOperand(2));
    break;
  }
  case Linx::PseudoFENCE:
    First = BuildMI(MBB, MI, DL, TII->get(Linx::FENCE_D)).addImm(15).addImm(15);
    break;
  default:
    return false;
  }
  I = Iter(First);
  MI.eraseFromParent();
  return true;
}

// The compare of a conditional branch, in front of it.
void LinxBlockFormer::emitSetc(MachineBasicBlock &MBB, MachineInstr &MI) {
  const DebugLoc &DL = MI.getDebugLoc();
  auto CC = LinxCC(MI.getOperand(0).getImm());
  const MachineOperand &L = MI.getOperand(1);
  if (MI.getOpcode() == Linx::PseudoBRRR) {
    const MachineOperand &R = MI.getOperand(2);
    int64_t Type = MI.getOperand(3).getImm();
    static const unsigned Opcs[] = {Linx::SETC_EQ,  Linx::SETC_NE,  Linx::SETC_LT, Linx::SETC_GE,
                                    Linx::SETC_LTU, Linx::SETC_GEU, Linx::SETC_AND};
    if (CC == LinxCC::NAND) { // the queue holds the intermediate value
      BuildMI(MBB, MI, DL, TII->get(Linx::AND), Linx::TPUSH).add(L).add(R).addImm(Type).addImm(0);
      BuildMI(MBB, MI, DL, TII->get(Linx::SETC_EQ))
          .addReg(Linx::T1)
          .addReg(Linx::R0)
          .addImm(LinxNone);
      return;
    }
    BuildMI(MBB, MI, DL, TII->get(Opcs[unsigned(CC)])).add(L).add(R).addImm(Type);
    return;
  }
  int64_t V = MI.getOperand(2).getImm();
  static const unsigned Short[] = {Linx::SETC_EQI,  Linx::SETC_NEI,  Linx::SETC_LTI, Linx::SETC_GEI,
                                   Linx::SETC_LTUI, Linx::SETC_GEUI, Linx::SETC_ANDI};
  static const unsigned Long[] = {Linx::HL_SETC_EQI,  Linx::HL_SETC_NEI,  Linx::HL_SETC_LTI,
                                  Linx::HL_SETC_GEI,  Linx::HL_SETC_LTUI, Linx::HL_SETC_GEUI,
                                  Linx::HL_SETC_ANDI};
  bool Unsigned = CC == LinxCC::LTU || CC == LinxCC::GEU;
  auto Fits = [&](int64_t X) { return Unsigned ? isUInt<12>(X) : isInt<12>(X); };
  if (CC == LinxCC::NAND) {
    BuildMI(MBB, MI, DL, TII->get(isInt<12>(V) ? Linx::ANDI : Linx::HL_ANDI), Linx::TPUSH)
        .add(L)
        .addImm(V);
    BuildMI(MBB, MI, DL, TII->get(Linx::SETC_EQ))
        .addReg(Linx::T1)
        .addReg(Linx::R0)
        .addImm(LinxNone);
    return;
  }
  // The immediate may be shifted left.
  unsigned Tz = V ? llvm::countr_zero(uint64_t(V)) : 0;
  if (Fits(V))
    BuildMI(MBB, MI, DL, TII->get(Short[unsigned(CC)])).add(L).addImm(0).addImm(V);
  else if (Tz < 32 && Fits(V >> Tz))
    BuildMI(MBB, MI, DL, TII->get(Short[unsigned(CC)])).add(L).addImm(Tz).addImm(V >> Tz);
  else
    BuildMI(MBB, MI, DL, TII->get(Long[unsigned(CC)])).add(L).addImm(0).addImm(V);
}

void LinxBlockFormer::terminator(MachineBasicBlock &MBB, MachineInstr &MI) {
  const DebugLoc &DL = MI.getDebugLoc();
  auto SetTarget = [&](const MachineOperand &R) {
    BuildMI(MBB, MI, DL, TII->get(Linx::C_SETC_TGT)).add(R);
  };
  switch (MI.getOpcode()) {
  case Linx::PseudoBR:
    if (MBB.isLayoutSuccessor(MI.getOperand(0).getMBB())) {
      MI.eraseFromParent(); // falls through
      return;
    }
    open(MBB, MI, DL);
    finish(LINX_BrType_DIRECT, &MI.getOperand(0));
    break;
  case Linx::PseudoBRRR:
  case Linx::PseudoBRRI:
    open(MBB, MI, DL);
    emitSetc(MBB, MI);
    // The compare belongs to the last block: a SYS block in front is cut off before it.
    finish(LINX_BrType_COND, &MI.getOperand(MI.getNumExplicitOperands() - 1));
    break;
  case Linx::PseudoBRIND:
  case Linx::PseudoITAIL:
    open(MBB, MI, DL);
    SetTarget(MI.getOperand(0));
    finish(LINX_BrType_IND, nullptr);
    break;
  case Linx::PseudoRET:
    open(MBB, MI, DL);
    SetTarget(MachineOperand::CreateReg(Linx::R10, false));
    finish(LINX_BrType_RET, nullptr);
    break;
  case Linx::PseudoTAIL:
    open(MBB, MI, DL);
    finish(LINX_BrType_DIRECT, &MI.getOperand(0));
    break;
  default:
    report_fatal_error("linx: terminator of unknown kind");
  }
  end(MBB, MI);
}

void LinxBlockFormer::call(MachineBasicBlock &MBB, MachineInstr &MI) {
  open(MBB, MI, MI.getDebugLoc());
  if (MI.getOpcode() == Linx::PseudoICALL) {
    MachineInstr *Set = BuildMI(MBB, MI, MI.getDebugLoc(), TII->get(Linx::C_SETC_TGT))
                            .add(MI.getOperand(0));
    note(*Set);
    finish(LINX_BrType_ICALL, nullptr);
  } else {
    finish(LINX_BrType_CALL, &MI.getOperand(0));
  }
  BuildMI(MBB, std::next(Iter(MI)), MI.getDebugLoc(), TII->get(TargetOpcode::EH_LABEL))
      .addSym(LastReturn);
  end(MBB, MI);
}

void LinxBlockFormer::templateBlock(MachineBasicBlock &MBB, MachineInstr &MI) {
  const DebugLoc &DL = MI.getDebugLoc();
  fall();
  unsigned Opc;
  bool Range = true;
  switch (MI.getOpcode()) {
  case Linx::PseudoFENTRY: Opc = Linx::FENTRY; break;
  case Linx::PseudoFEXIT: Opc = Linx::FEXIT; break;
  case Linx::PseudoFRET: Opc = Linx::FRET_STK; break;
  case Linx::PseudoMCOPY: Opc = Linx::MCOPY; Range = false; break;
  default: Opc = Linx::MSET; Range = false; break;
  }
  auto MIB = BuildMI(MBB, MI, DL, TII->get(Opc));
  if (Range)
    MIB.addReg(Linx::R10)
        .addReg(Linx::R10 + MI.getOperand(0).getImm())
        .addImm(MI.getOperand(1).getImm());
  else
    MIB.add(MI.getOperand(0)).add(MI.getOperand(1)).add(MI.getOperand(2));
  MIB.copyImplicitOps(MI).setMIFlags(MI.getFlags());
  MI.eraseFromParent();
}

void LinxBlockFormer::inlineAsm(MachineBasicBlock &MBB, MachineInstr &MI) {
  LinxAsmScan A = LinxAsmScan::scan(MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName());
  if (A.Empty)
    return;
  if (A.OwnBlocks) {
    if (A.FirstStarts) {
      fall();
      return;
    }
    // It begins in a block that we provide and ends it some time; nothing else goes in there.
    fall();
    need(A.Sys, A.FP && !A.Sys, MBB, MI);
    writeHead(LINX_BrType_FALL, nullptr);
    return;
  }
  need(A.Sys, A.FP && !A.Sys, MBB, MI);
  note(MI);
  if (A.Sys) {
    LastSys = &MI;
    RAAfterSys = false;
  }
  if (A.EndsBlock)
    fall();
}

void LinxBlockFormer::visitBlock(MachineBasicBlock &MBB) {
  if (needsHead(MBB))
    fall();
  for (Iter I = MBB.begin(); I != MBB.end();) {
    if (I->isMetaInstruction() || I->getOpcode() == Linx::PseudoCOMPILERFENCE ||
        I->isPosition()) {
      ++I;
      continue;
    }
    expand(MBB, I);
    MachineInstr &MI = *I++;
    switch (MI.getOpcode()) {
    case TargetOpcode::INLINEASM:
    case TargetOpcode::INLINEASM_BR:
      inlineAsm(MBB, MI);
      continue;
    case Linx::PseudoFENTRY:
    case Linx::PseudoFEXIT:
    case Linx::PseudoFRET:
    case Linx::PseudoMCOPY:
    case Linx::PseudoMSET:
      templateBlock(MBB, MI);
      continue;
    case Linx::PseudoCALL:
    case Linx::PseudoICALL:
      call(MBB, MI);
      continue;
    }
    if (MI.isTerminator()) {
      terminator(MBB, MI);
      continue;
    }
    linx_form Form = Linx::formOf(MI.getOpcode());
    if (Form == LINX_NFORMS)
      report_fatal_error(Twine("linx: ") + TII->getName(MI.getOpcode()) +
                         " cannot stand in a block");
    unsigned Where = linx_forms[Form].where;
    bool IsSys = !(Where & LINX_WHERE_STD), IsFP = !IsSys && !(Where & LINX_WHERE_SYS);
    need(IsSys, IsFP, MBB, MI);
    if (IsSys) {
      LastSys = &MI;
      RAAfterSys = false;
    }
    note(MI);
  }
}

bool LinxBlockFormer::runOnMachineFunction(MachineFunction &Fn) {
  MF = &Fn;
  TII = Fn.getSubtarget<LinxSubtarget>().getInstrInfo();
  Head = nullptr;
  // What only a jump table names has no terminator left that says so.
  if (const MachineJumpTableInfo *JT = Fn.getJumpTableInfo())
    for (const MachineJumpTableEntry &E : JT->getJumpTables())
      for (MachineBasicBlock *MBB : E.MBBs)
        MBB->setLabelMustBeEmitted();
  for (MachineBasicBlock &MBB : Fn)
    visitBlock(MBB);
  fall();
  return true;
}
