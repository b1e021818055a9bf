// SPDX-License-Identifier: BSD-2-Clause
// Turns values that die inside their Linx block into T queue values, and gives every instruction
// its shortest form: most 16-bit forms push T or read t#1.
//
// A value qualifies when its register is written and all reads of it follow in the same Linx block
// and machine basic block, with the register dead (or written again) behind them. At most three
// pushes may lie between the write and a read, because the queue is four deep.
#include "Linx.h"
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxSubtarget.h"
#include "linx_forms.h"
#include "llvm/CodeGen/LivePhysRegs.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

#define DEBUG_TYPE "linx-shorten"

namespace {
class LinxShorten final : public MachineFunctionPass {
public:
  static char ID;
  LinxShorten() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Linx instruction shortening"; }
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  struct Value {
    unsigned Def;                                          // index of the writer in Body
    SmallVector<std::pair<unsigned, unsigned>, 2> Uses;    // (index in Body, operand)
    unsigned Last;                                         // index of the last reader
  };
  const LinxInstrInfo *TII = nullptr;
  const TargetRegisterInfo *TRI = nullptr;
  SmallVector<MachineInstr *, 64> Body; // one Linx block's part of one machine basic block
  bool Optimize = false; // use the queue

  void visitBlock(MachineBasicBlock &MBB);
  void visitBody(const BitVector &LiveOut);
  bool findValue(unsigned Def, const BitVector &LiveOut, Value &V) const;
  int gain(const Value &V) const;
  MachineInstr *shorten(MachineInstr &MI);
  MachineInstr *replace(MachineInstr &MI, unsigned Opc, ArrayRef<MachineOperand> Ops);
  void fitOffset(MachineInstr &MI);
};
} // namespace

char LinxShorten::ID = 0;
FunctionPass *llvm::createLinxShortenPass() { return new LinxShorten(); }

static bool isGPR(Register R) { return R >= Linx::R0 && R <= Linx::R23; }

// An instruction between two bodies: block starts, templates, inline assembly, ends.
static bool isBoundary(const MachineInstr &MI) {
  if (MI.isInlineAsm() || MI.getOpcode() == Linx::PseudoBEND || MI.isPosition())
    return true;
  linx_form F = Linx::formOf(MI.getOpcode());
  return F != LINX_NFORMS && (linx_forms[F].where & (LINX_WHERE_START | LINX_WHERE_STOP));
}

//===--- which values may go through the queue --------------------------------------------------===//

// The registers the result of Body[Def] is read from, if it qualifies.
bool LinxShorten::findValue(unsigned Def, const BitVector &LiveOut, Value &V) const {
  const MachineInstr &D = *Body[Def];
  if (D.getNumExplicitDefs() != 1 || D.getNumOperands() == 0)
    return false;
  const MachineOperand &DO = D.getOperand(0);
  if (!DO.isReg() || !isGPR(DO.getReg()) || DO.getReg() == Linx::R0 || DO.getReg() == Linx::R1)
    return false;
  for (const MachineOperand &MO : D.implicit_operands())
    if (MO.isReg() && MO.isDef())
      return false;
  Register R = DO.getReg();
  V.Def = Def;
  V.Uses.clear();
  for (unsigned I = Def + 1; I < Body.size(); ++I) {
    const MachineInstr &MI = *Body[I];
    bool Written = false;
    for (unsigned O = 0; O < MI.getNumOperands(); ++O) {
      const MachineOperand &MO = MI.getOperand(O);
      if (MO.isRegMask() && MO.clobbersPhysReg(R))
        Written = true;
      if (!MO.isReg() || MO.getReg() != R)
        continue;
      if (MO.isDef()) {
        Written = true;
        continue;
      }
      if (MO.isImplicit() || MO.isTied())
        return false;
      V.Uses.push_back({I, O});
      V.Last = I;
    }
    if (Written)
      return !V.Uses.empty();
    if (I - Def > 40)
      return false;
  }
  return !V.Uses.empty() && !LiveOut.test(R);
}

// What a 16-bit form that pushes T needs of the instruction besides its destination.
static bool pushesShort(const MachineInstr &MI) {
  auto Imm = [&](unsigned I) { return MI.getOperand(I).isImm() ? MI.getOperand(I).getImm() : 1 << 20; };
  switch (MI.getOpcode()) {
  case Linx::ADD:
  case Linx::SUB:
  case Linx::AND:
  case Linx::OR:
    return Imm(3) == LinxNone && Imm(4) == 0;
  case Linx::ADDI:
    return Imm(2) <= 15;
  case Linx::SUBI:
    return Imm(2) <= 16;
  case Linx::LDI:
    return Imm(2) % 8 == 0 && isInt<5>(Imm(2) / 8);
  case Linx::LWI:
    return Imm(2) % 4 == 0 && isInt<5>(Imm(2) / 4);
  case Linx::BXS:
  case Linx::BXU:
    return Imm(3) == 0 && (Imm(2) == 7 || Imm(2) == 15 || Imm(2) == 31);
  case Linx::SSRGET:
    return Imm(1) <= 1;
  }
  return false;
}

// Bytes that a reader saves when operand O is t#1.
static int readsShort(const MachineInstr &MI, unsigned O) {
  auto Imm = [&](unsigned I) { return MI.getOperand(I).isImm() ? MI.getOperand(I).getImm() : 1 << 20; };
  switch (MI.getOpcode()) {
  case Linx::SDI:
    return O == 0 && MI.getOperand(1).isReg() && Imm(2) % 8 == 0 && isInt<5>(Imm(2) / 8) ? 2 : 0;
  case Linx::SWI:
    return O == 0 && MI.getOperand(1).isReg() && Imm(2) % 4 == 0 && isInt<5>(Imm(2) / 4) ? 2 : 0;
  }
  return 0;
}

int LinxShorten::gain(const Value &V) const {
  int G = pushesShort(*Body[V.Def]) ? 2 : 0;
  // The short store reads t#1: no push may lie between.
  if (V.Uses.size() == 1)
    G += readsShort(*Body[V.Uses[0].first], V.Uses[0].second);
  return G;
}

void LinxShorten::visitBody(const BitVector &LiveOut) {
  if (Body.empty())
    return;
  // Greedy from first to last: a push is accepted when it moves no accepted value out of reach.
  struct Live {
    unsigned Def, Last;
  };
  SmallVector<bool, 64> Pushes(Body.size(), false);
  SmallVector<Live, 8> Accepted;
  SmallVector<Value, 16> Chosen;
  for (unsigned I = 0; I < Body.size(); ++I) {
    const MachineOperand *D = Body[I]->getNumOperands() ? &Body[I]->getOperand(0) : nullptr;
    if (D && D->isReg() && D->isDef() && D->getReg() == Linx::TPUSH) {
      // Already a queue value; its reader is the next instruction.
      Pushes[I] = true;
      Accepted.push_back({I, I + 1});
    }
  }
  auto PushesBetween = [&](unsigned From, unsigned To) { // after From, before To
    return unsigned(std::count(Pushes.begin() + From + 1, Pushes.begin() + To, true));
  };
  for (unsigned I = 0; I < Body.size(); ++I) {
    if (Pushes[I])
      continue;
    Value V;
    if (!findValue(I, LiveOut, V) || gain(V) <= 0)
      continue;
    if (PushesBetween(I, V.Last) > 3)
      continue;
    bool Fits = true;
    for (const Live &L : Accepted)
      if (L.Def < I && L.Last > I) {
        // Expanded compares read t#1 right behind their push, so nothing comes between.
        Pushes[I] = true;
        if (PushesBetween(L.Def, L.Last) > 3)
          Fits = false;
        Pushes[I] = false;
      }
    if (!Fits)
      continue;
    Pushes[I] = true;
    Accepted.push_back({I, V.Last});
    Chosen.push_back(V);
  }
  static const unsigned T[] = {Linx::T1, Linx::T2, Linx::T3, Linx::T4};
  for (const Value &V : Chosen) {
    Register R = Body[V.Def]->getOperand(0).getReg();
    // Debug values that follow the register no longer find the value there.
    for (auto It = std::next(MachineBasicBlock::iterator(Body[V.Def]));
         It != MachineBasicBlock::iterator(Body[V.Last]); ++It)
      if (It->isDebugValue())
        for (MachineOperand &MO : It->debug_operands())
          if (MO.isReg() && MO.getReg() == R)
            MO.setReg(Register());
    for (auto [I, O] : V.Uses) {
      MachineOperand &MO = Body[I]->getOperand(O);
      MO.setIsKill(false);
      MO.setReg(T[PushesBetween(V.Def, I)]);
    }
  }
  for (const Value &V : Chosen)
    Body[V.Def]->getOperand(0).setReg(Linx::TPUSH);
}

//===--- shortest forms ---------------------------------------------------------------------------===//

MachineInstr *LinxShorten::replace(MachineInstr &MI, unsigned Opc, ArrayRef<MachineOperand> Ops) {
  auto MIB = BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII->get(Opc));
  for (const MachineOperand &MO : Ops)
    MIB.add(MO);
  MIB->setFlags(MI.getFlags());
  MIB.cloneMemRefs(MI);
  MI.eraseFromParent();
  return MIB;
}

// Chooses the encoding of a byte offset: scaled or not, 12 or 22 bits.
void LinxShorten::fitOffset(MachineInstr &MI) {
  struct Family {
    unsigned Scaled, Plain, LongScaled, LongPlain, Size;
  };
  static const Family Families[] = {
      {Linx::LBI, Linx::LBI, Linx::HL_LBI, Linx::HL_LBI, 1},
      {Linx::LBUI, Linx::LBUI, Linx::HL_LBUI, Linx::HL_LBUI, 1},
      {Linx::LHI, Linx::LHI_U, Linx::HL_LHI, Linx::HL_LHI_U, 2},
      {Linx::LHUI, Linx::LHUI_U, Linx::HL_LHUI, Linx::HL_LHUI_U, 2},
      {Linx::LWI, Linx::LWI_U, Linx::HL_LWI, Linx::HL_LWI_U, 4},
      {Linx::LWUI, Linx::LWUI_U, Linx::HL_LWUI, Linx::HL_LWUI_U, 4},
      {Linx::LDI, Linx::LDI_U, Linx::HL_LDI, Linx::HL_LDI_U, 8},
      {Linx::SBI, Linx::SBI, Linx::HL_SBI, Linx::HL_SBI, 1},
      {Linx::SHI, Linx::SHI_U, Linx::HL_SHI, Linx::HL_SHI_U, 2},
      {Linx::SWI, Linx::SWI_U, Linx::HL_SWI, Linx::HL_SWI_U, 4},
      {Linx::SDI, Linx::SDI_U, Linx::HL_SDI, Linx::HL_SDI_U, 8},
  };
  for (const Family &F : Families) {
    if (MI.getOpcode() != F.Scaled)
      continue;
    int64_t Off = MI.getOperand(2).getImm(), Size = F.Size;
    bool Aligned = Off % Size == 0;
    if (Aligned && isInt<12>(Off / Size))
      return;
    unsigned Opc = isInt<12>(Off) ? F.Plain
                   : Aligned      ? F.LongScaled
                                  : F.LongPlain;
    MI.setDesc(TII->get(Opc));
    return;
  }
}

MachineInstr *LinxShorten::shorten(MachineInstr &MI) {
  auto Op = [&](unsigned I) -> MachineOperand & { return MI.getOperand(I); };
  auto Imm = [&](unsigned I) { return Op(I).isImm() ? Op(I).getImm() : 1 << 20; };
  auto Is = [&](unsigned I, unsigned R) { return Op(I).isReg() && Op(I).getReg() == R; };
  bool ToT = MI.getNumOperands() && Op(0).isReg() && Op(0).isDef() && Op(0).getReg() == Linx::TPUSH;
  switch (MI.getOpcode()) {
  case Linx::ADD:
  case Linx::SUB:
  case Linx::AND:
  case Linx::OR: {
    if (!ToT || Imm(3) != LinxNone || Imm(4))
      return &MI;
    unsigned Opc = MI.getOpcode() == Linx::ADD   ? Linx::C_ADD
                   : MI.getOpcode() == Linx::SUB ? Linx::C_SUB
                   : MI.getOpcode() == Linx::AND ? Linx::C_AND
                                                 : Linx::C_OR;
    return replace(MI, Opc, {Op(1), Op(2)});
  }
  case Linx::ADDI:
  case Linx::SUBI: {
    bool Sub = MI.getOpcode() == Linx::SUBI;
    if (!Op(2).isImm())
      return &MI;
    int64_t V = Sub ? -Imm(2) : Imm(2);
    if (Is(1, Linx::R0) && isInt<5>(V) && !Is(0, Linx::R10))
      return replace(MI, Linx::C_MOVI, {Op(0), MachineOperand::CreateImm(V)});
    if (ToT && isInt<5>(V))
      return replace(MI, Linx::C_ADDI, {Op(1), MachineOperand::CreateImm(V)});
    if (V == 0)
      return replace(MI, Linx::C_MOVR, {Op(0), Op(1)});
    return &MI;
  }
  case Linx::LDI:
    if (ToT && Imm(2) % 8 == 0 && isInt<5>(Imm(2) / 8))
      return replace(MI, Linx::C_LDI, {Op(1), Op(2)});
    return &MI;
  case Linx::LWI:
    if (ToT && Imm(2) % 4 == 0 && isInt<5>(Imm(2) / 4))
      return replace(MI, Linx::C_LWI, {Op(1), Op(2)});
    return &MI;
  case Linx::SDI:
    if (Is(0, Linx::T1) && Imm(2) % 8 == 0 && isInt<5>(Imm(2) / 8))
      return replace(MI, Linx::C_SDI, {Op(1), Op(2)});
    return &MI;
  case Linx::SWI:
    if (Is(0, Linx::T1) && Imm(2) % 4 == 0 && isInt<5>(Imm(2) / 4))
      return replace(MI, Linx::C_SWI, {Op(1), Op(2)});
    return &MI;
  case Linx::BXS:
  case Linx::BXU: {
    if (!ToT || Imm(3))
      return &MI;
    bool S = MI.getOpcode() == Linx::BXS;
    unsigned Opc = Imm(2) == 7    ? (S ? Linx::C_SEXT_B : Linx::C_ZEXT_B)
                   : Imm(2) == 15 ? (S ? Linx::C_SEXT_H : Linx::C_ZEXT_H)
                   : Imm(2) == 31 ? (S ? Linx::C_SEXT_W : Linx::C_ZEXT_W)
                                  : 0;
    return Opc ? replace(MI, Opc, {Op(1)}) : &MI;
  }
  case Linx::SSRGET:
    return ToT && Imm(1) <= 1 ? replace(MI, Linx::C_SSRGET, {Op(1)}) : &MI;
  case Linx::SLLI:
  case Linx::SRLI:
    if (ToT && Is(1, Linx::T1) && isUInt<5>(Imm(2)))
      return replace(MI, MI.getOpcode() == Linx::SLLI ? Linx::C_SLLI : Linx::C_SRLI, {Op(2)});
    return &MI;
  case Linx::CMP_EQI:
  case Linx::CMP_NEI:
    if (ToT && Is(1, Linx::T1) && isInt<5>(Imm(2)))
      return replace(MI, MI.getOpcode() == Linx::CMP_EQI ? Linx::C_CMP_EQI : Linx::C_CMP_NEI,
                     {Op(2)});
    return &MI;
  case Linx::SETC_EQ:
  case Linx::SETC_NE:
    if (Imm(2) == LinxNone)
      return replace(MI, MI.getOpcode() == Linx::SETC_EQ ? Linx::C_SETC_EQ : Linx::C_SETC_NE,
                     {Op(0), Op(1)});
    return &MI;
  case Linx::SETC_EQI:
  case Linx::SETC_NEI: // (SrcL, shamt, immediate)
    if (Imm(2) == 0)
      return replace(MI, MI.getOpcode() == Linx::SETC_EQI ? Linx::C_SETC_EQ : Linx::C_SETC_NE,
                     {Op(0), MachineOperand::CreateReg(Linx::R0, false)});
    return &MI;
  }
  return &MI;
}

//===--- driver -------------------------------------------------------------------------------------===//

void LinxShorten::visitBlock(MachineBasicBlock &MBB) {
  // Registers alive behind every boundary, found backwards.
  LivePhysRegs Live(*TRI);
  Live.addLiveOuts(MBB);
  struct Part {
    SmallVector<MachineInstr *, 64> Body; // backwards
    BitVector LiveOut;
  };
  SmallVector<Part, 8> Parts;
  auto Snapshot = [&] {
    BitVector B(TRI->getNumRegs());
    for (MCPhysReg R : Live)
      B.set(R);
    return B;
  };
  Parts.push_back({{}, Snapshot()});
  for (MachineInstr &MI : llvm::reverse(MBB)) {
    if (MI.isDebugInstr())
      continue;
    bool Boundary = isBoundary(MI);
    if (!Boundary && !MI.isMetaInstruction())
      Parts.back().Body.push_back(&MI);
    Live.stepBackward(MI);
    if (Boundary)
      Parts.push_back({{}, Snapshot()});
  }
  for (Part &P : Parts) {
    Body.assign(P.Body.rbegin(), P.Body.rend());
    if (Optimize)
      visitBody(P.LiveOut);
    for (MachineInstr *MI : Body)
      fitOffset(*shorten(*MI));
  }
}

bool LinxShorten::runOnMachineFunction(MachineFunction &MF) {
  TII = MF.getSubtarget<LinxSubtarget>().getInstrInfo();
  TRI = MF.getSubtarget().getRegisterInfo();
  Optimize = MF.getTarget().getOptLevel() != CodeGenOptLevel::None;
  for (MachineBasicBlock &MBB : MF)
    visitBlock(MBB);
  return true;
}
