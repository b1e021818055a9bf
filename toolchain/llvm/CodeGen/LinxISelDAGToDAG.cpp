// SPDX-License-Identifier: BSD-2-Clause
// Instruction selection: what the patterns of LinxCodeGen.td cannot say.
#include "Linx.h"
#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "LinxTargetMachine.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

#define DEBUG_TYPE "linx-isel"
#define PASS_NAME "Linx DAG->DAG Pattern Instruction Selection"

namespace {
class LinxDAGToDAGISel final : public SelectionDAGISel {
  const LinxSubtarget *Subtarget = nullptr;

public:
  LinxDAGToDAGISel(LinxTargetMachine &TM, CodeGenOptLevel OptLevel)
      : SelectionDAGISel(TM, OptLevel) {}

  bool runOnMachineFunction(MachineFunction &MF) override {
    Subtarget = &MF.getSubtarget<LinxSubtarget>();
    return SelectionDAGISel::runOnMachineFunction(MF);
  }

  void Select(SDNode *N) override;
  bool SelectInlineAsmMemoryOperand(const SDValue &Op, InlineAsm::ConstraintCode C,
                                    std::vector<SDValue> &OutOps) override;

  bool selectAddrRI(SDValue N, SDValue &Base, SDValue &Off);
  bool selectAddrSym(SDValue N, SDValue &Sym);
  bool selectAddrRR(SDValue N, SDValue &Base, SDValue &Index, SDValue &Type, SDValue &Sh);
  template <int Log2>
  bool selectAddrRRStore(SDValue N, SDValue &Base, SDValue &Index, SDValue &Type) {
    SDValue Sh;
    return selectAddrRR(N, Base, Index, Type, Sh) &&
           cast<ConstantSDNode>(Sh)->getSExtValue() == Log2;
  }
  bool selectMod(SDValue N, unsigned NegKind, SDValue &R, SDValue &Type, SDValue &Sh);
  bool selectModAddSub(SDValue N, SDValue &R, SDValue &Type, SDValue &Sh) {
    return selectMod(N, 1, R, Type, Sh);
  }
  bool selectModLogic(SDValue N, SDValue &R, SDValue &Type, SDValue &Sh) {
    return selectMod(N, 2, R, Type, Sh);
  }
  bool selectModCmp(SDValue N, SDValue &R, SDValue &Type);

private:
  SDValue imm(int64_t V, const SDLoc &DL) { return CurDAG->getTargetConstant(V, DL, MVT::i64); }
  SDValue materialize(int64_t V, const SDLoc &DL);
  bool selectBits(SDNode *N);
  bool selectBRCOND(SDNode *N);
  bool extractKind(SDValue N, SDValue &R, unsigned &Type);

#include "LinxGenDAGISel.inc"
};

class LinxDAGToDAGISelLegacy final : public SelectionDAGISelLegacy {
public:
  static char ID;
  LinxDAGToDAGISelLegacy(LinxTargetMachine &TM, CodeGenOptLevel OptLevel)
      : SelectionDAGISelLegacy(ID, std::make_unique<LinxDAGToDAGISel>(TM, OptLevel)) {}
};
} // namespace

char LinxDAGToDAGISelLegacy::ID = 0;
INITIALIZE_PASS(LinxDAGToDAGISelLegacy, DEBUG_TYPE, PASS_NAME, false, false)

FunctionPass *llvm::createLinxISelDag(LinxTargetMachine &TM, CodeGenOptLevel OptLevel) {
  return new LinxDAGToDAGISelLegacy(TM, OptLevel);
}

//===--- constants ----------------------------------------------------------------------------===//

SDValue LinxDAGToDAGISel::materialize(int64_t V, const SDLoc &DL) {
  LinxMatInt::Sequence Seq = LinxMatInt::generate(V);
  if (Seq.empty()) {
    // A literal: one load.
    SDValue CP = CurDAG->getTargetConstantPool(ConstantInt::get(Type::getInt64Ty(*CurDAG->getContext()), V),
                                               MVT::i64, Align(8));
    MachineSDNode *LD = CurDAG->getMachineNode(Linx::HL_LD_PCR, DL, MVT::i64, MVT::Other, CP,
                                               CurDAG->getEntryNode());
    MachineFunction &MF = CurDAG->getMachineFunction();
    CurDAG->setNodeMemRefs(
        LD, {MF.getMachineMemOperand(MachinePointerInfo::getConstantPool(MF),
                                     MachineMemOperand::MOLoad |
                                         MachineMemOperand::MODereferenceable |
                                         MachineMemOperand::MOInvariant,
                                     8, Align(8))});
    return SDValue(LD, 0);
  }
  SDValue R;
  for (const LinxMatInt::Inst &I : Seq) {
    SDNode *Node;
    if (I.Opc == Linx::PseudoLI)
      Node = CurDAG->getMachineNode(I.Opc, DL, MVT::i64, imm(I.Imm, DL));
    else if (I.Opc == Linx::BXU) // (SrcL, imml = length - 1, imms = first bit)
      Node = CurDAG->getMachineNode(I.Opc, DL, MVT::i64, R, imm(I.Imm - 1, DL), imm(0, DL));
    else
      Node = CurDAG->getMachineNode(I.Opc, DL, MVT::i64, R, imm(I.Imm, DL));
    R = SDValue(Node, 0);
  }
  return R;
}

//===--- operand modifiers and addresses --------------------------------------------------------===//

// N is a sign or zero extension of the low 32 bits of R.
bool LinxDAGToDAGISel::extractKind(SDValue N, SDValue &R, unsigned &Type) {
  if (N.getOpcode() == ISD::SIGN_EXTEND_INREG &&
      cast<VTSDNode>(N.getOperand(1))->getVT() == MVT::i32) {
    R = N.getOperand(0);
    Type = LinxSW;
    return true;
  }
  if (N.getOpcode() == ISD::AND)
    if (auto *C = dyn_cast<ConstantSDNode>(N.getOperand(1)); C && C->getZExtValue() == 0xffffffff) {
      R = N.getOperand(0);
      Type = LinxUW;
      return true;
    }
  return false;
}

// A right source operand: register with extension or negation (NegKind 1 negate, 2 complement) and
// left shift. Fails when there is nothing to fold.
bool LinxDAGToDAGISel::selectMod(SDValue N, unsigned NegKind, SDValue &R, SDValue &Type,
                                 SDValue &Sh) {
  SDLoc DL(N);
  unsigned Ty = LinxNone, Shift = 0;
  SDValue V = N;
  if (!N.hasOneUse() && N.getOpcode() != ISD::SHL)
    return false;
  auto *C = N.getNumOperands() > 1 ? dyn_cast<ConstantSDNode>(N.getOperand(1)) : nullptr;
  if (N.getOpcode() == ISD::SHL && C && C->getZExtValue() < 32) {
    Shift = C->getZExtValue();
    V = N.getOperand(0);
    SDValue X;
    if (V.hasOneUse() && extractKind(V, X, Ty))
      V = X;
  } else if ((N.getOpcode() == ISD::SRL || N.getOpcode() == ISD::SRA) && C &&
             C->getZExtValue() > 0 && C->getZExtValue() <= 32 &&
             N.getOperand(0).getOpcode() == ISD::SHL && N.getOperand(0).hasOneUse()) {
    // (x << 32) >> (32 - n): the extended low word, shifted left by n.
    auto *C2 = dyn_cast<ConstantSDNode>(N.getOperand(0).getOperand(1));
    if (!C2 || C2->getZExtValue() != 32)
      return false;
    Shift = 32 - C->getZExtValue();
    Ty = N.getOpcode() == ISD::SRL ? LinxUW : LinxSW;
    V = N.getOperand(0).getOperand(0);
  } else if (N.getOpcode() == ISD::AND && C && N.getOperand(0).getOpcode() == ISD::SHL &&
             N.getOperand(0).hasOneUse()) {
    // (x << n) & (0xffffffff << n)
    auto *C2 = dyn_cast<ConstantSDNode>(N.getOperand(0).getOperand(1));
    if (!C2 || C2->getZExtValue() >= 32 ||
        C->getZExtValue() != (uint64_t(0xffffffff) << C2->getZExtValue()))
      return extractKind(N, V, Ty) ? (R = V, Type = imm(Ty, DL), Sh = imm(0, DL), true) : false;
    Shift = C2->getZExtValue();
    Ty = LinxUW;
    V = N.getOperand(0).getOperand(0);
  } else if (!extractKind(N, V, Ty)) {
    bool Neg = NegKind == 1 && N.getOpcode() == ISD::SUB && isNullConstant(N.getOperand(0));
    bool Not = NegKind == 2 && N.getOpcode() == ISD::XOR && isAllOnesConstant(N.getOperand(1));
    if (!Neg && !Not)
      return false;
    V = N.getOperand(Neg ? 1 : 0);
    Ty = LinxNeg;
  }
  R = V;
  Type = imm(Ty, DL);
  Sh = imm(Shift, DL);
  return true;
}

bool LinxDAGToDAGISel::selectModCmp(SDValue N, SDValue &R, SDValue &Type) {
  unsigned Ty;
  if (!N.hasOneUse() || !extractKind(N, R, Ty))
    return false;
  Type = imm(Ty, SDLoc(N));
  return true;
}

// Offsets stay byte counts; the shortest encoding is chosen once the frame is known. The longest
// reaches 22 bits without scaling.
bool LinxDAGToDAGISel::selectAddrRI(SDValue N, SDValue &Base, SDValue &Off) {
  SDLoc DL(N);
  int64_t Offset = 0;
  if (CurDAG->isBaseWithConstantOffset(N)) {
    int64_t C = cast<ConstantSDNode>(N.getOperand(1))->getSExtValue();
    if (isInt<22>(C)) {
      Offset = C;
      N = N.getOperand(0);
    }
  }
  if (auto *FI = dyn_cast<FrameIndexSDNode>(N))
    Base = CurDAG->getTargetFrameIndex(FI->getIndex(), MVT::i64);
  else if (auto *C = dyn_cast<ConstantSDNode>(N); C && isInt<22>(C->getSExtValue()) && !Offset) {
    Base = CurDAG->getRegister(Linx::R0, MVT::i64);
    Offset = C->getSExtValue();
  } else
    Base = N;
  Off = imm(Offset, DL);
  return true;
}

// A symbol with a constant: one PC-relative access. When the address is needed as a value anyway,
// it is cheaper to use that.
bool LinxDAGToDAGISel::selectAddrSym(SDValue N, SDValue &Sym) {
  int64_t Offset = 0;
  if (CurDAG->isBaseWithConstantOffset(N)) {
    Offset = cast<ConstantSDNode>(N.getOperand(1))->getSExtValue();
    N = N.getOperand(0);
  }
  if (N.getOpcode() != LinxISD::WRAPPER || !isInt<24>(Offset))
    return false;
  SDLoc DL(N);
  SDValue T = N.getOperand(0);
  if (auto *G = dyn_cast<GlobalAddressSDNode>(T))
    Sym = CurDAG->getTargetGlobalAddress(G->getGlobal(), DL, MVT::i64, G->getOffset() + Offset);
  else if (auto *C = dyn_cast<ConstantPoolSDNode>(T)) {
    if (Offset || C->isMachineConstantPoolEntry())
      return false;
    Sym = T;
  } else
    return false;
  return true;
}

bool LinxDAGToDAGISel::selectAddrRR(SDValue N, SDValue &Base, SDValue &Index, SDValue &Type,
                                    SDValue &Sh) {
  if (N.getOpcode() != ISD::ADD || isa<ConstantSDNode>(N.getOperand(1)))
    return false;
  SDLoc DL(N);
  for (unsigned I : {1u, 0u}) {
    if (selectMod(N.getOperand(I), 0, Index, Type, Sh)) {
      Base = N.getOperand(1 - I);
      return true;
    }
  }
  Base = N.getOperand(0);
  Index = N.getOperand(1);
  Type = imm(LinxNone, DL);
  Sh = imm(0, DL);
  return true;
}

bool LinxDAGToDAGISel::SelectInlineAsmMemoryOperand(const SDValue &Op,
                                                    InlineAsm::ConstraintCode C,
                                                    std::vector<SDValue> &OutOps) {
  SDValue Base, Off;
  if (C == InlineAsm::ConstraintCode::A) {
    OutOps.push_back(Op);
    OutOps.push_back(imm(0, SDLoc(Op)));
    return false;
  }
  selectAddrRI(Op, Base, Off);
  OutOps.push_back(Base);
  OutOps.push_back(Off);
  return false;
}

//===--- compare and branch ---------------------------------------------------------------------===//

bool LinxDAGToDAGISel::selectBRCOND(SDNode *N) {
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0), Cond = N->getOperand(1), Dest = N->getOperand(2);
  auto RI = [&](LinxCC CC, SDValue L, int64_t Imm) {
    CurDAG->SelectNodeTo(N, Linx::PseudoBRRI, MVT::Other,
                         {imm(int64_t(CC), DL), L, imm(Imm, DL), Dest, Chain});
    return true;
  };
  auto RR = [&](LinxCC CC, SDValue L, SDValue R) {
    SDValue X, Type;
    if (selectModCmp(R, X, Type))
      R = X;
    else
      Type = imm(LinxNone, DL);
    CurDAG->SelectNodeTo(N, Linx::PseudoBRRR, MVT::Other,
                         {imm(int64_t(CC), DL), L, R, Type, Dest, Chain});
    return true;
  };
  auto Test = [&](SDValue V, bool NonZero) { // (a & b) != 0 or == 0
    LinxCC CC = NonZero ? LinxCC::AND : LinxCC::NAND;
    SDValue A = V.getOperand(0), B = V.getOperand(1);
    if (auto *C = dyn_cast<ConstantSDNode>(B)) {
      if (isInt<24>(C->getSExtValue()))
        return RI(CC, A, C->getSExtValue());
      return false;
    }
    return RR(CC, A, B);
  };

  if (Cond.getOpcode() != ISD::SETCC || Cond.getOperand(0).getValueType() != MVT::i64) {
    if (Cond.getOpcode() == ISD::AND && Cond.hasOneUse() && Test(Cond, true))
      return true;
    return RI(LinxCC::NE, Cond, 0);
  }
  SDValue L = Cond.getOperand(0), R = Cond.getOperand(1);
  ISD::CondCode CC = cast<CondCodeSDNode>(Cond.getOperand(2))->get();
  bool EqNe = CC == ISD::SETEQ || CC == ISD::SETNE;
  if (EqNe && isNullConstant(R) && L.getOpcode() == ISD::AND && L.hasOneUse() &&
      Test(L, CC == ISD::SETNE))
    return true;
  if (auto *C = dyn_cast<ConstantSDNode>(R)) {
    int64_t V = C->getSExtValue();
    bool U = ISD::isUnsignedIntSetCC(CC);
    switch (CC) {
    case ISD::SETEQ: if (isInt<24>(V)) return RI(LinxCC::EQ, L, V); break;
    case ISD::SETNE: if (isInt<24>(V)) return RI(LinxCC::NE, L, V); break;
    case ISD::SETLT: if (isInt<24>(V)) return RI(LinxCC::LT, L, V); break;
    case ISD::SETGE: if (isInt<24>(V)) return RI(LinxCC::GE, L, V); break;
    case ISD::SETULT: if (isUInt<24>(V)) return RI(LinxCC::LTU, L, V); break;
    case ISD::SETUGE: if (isUInt<24>(V)) return RI(LinxCC::GEU, L, V); break;
    case ISD::SETGT:
    case ISD::SETLE:
      if (V != INT64_MAX && isInt<24>(V + 1))
        return RI(CC == ISD::SETGT ? LinxCC::GE : LinxCC::LT, L, V + 1);
      break;
    case ISD::SETUGT:
    case ISD::SETULE:
      if (V != -1 && isUInt<24>(V + 1))
        return RI(CC == ISD::SETUGT ? LinxCC::GEU : LinxCC::LTU, L, V + 1);
      break;
    default: break;
    }
    (void)U;
  }
  switch (CC) {
  case ISD::SETEQ:
  case ISD::SETNE: {
    LinxCC K = CC == ISD::SETEQ ? LinxCC::EQ : LinxCC::NE;
    SDValue X, T; // either side may carry the modifier
    return selectModCmp(R, X, T) ? RR(K, L, R) : RR(K, R, L);
  }
  case ISD::SETLT: return RR(LinxCC::LT, L, R);
  case ISD::SETGT: return RR(LinxCC::LT, R, L);
  case ISD::SETGE: return RR(LinxCC::GE, L, R);
  case ISD::SETLE: return RR(LinxCC::GE, R, L);
  case ISD::SETULT: return RR(LinxCC::LTU, L, R);
  case ISD::SETUGT: return RR(LinxCC::LTU, R, L);
  case ISD::SETUGE: return RR(LinxCC::GEU, L, R);
  case ISD::SETULE: return RR(LinxCC::GEU, R, L);
  default: return RI(LinxCC::NE, Cond, 0);
  }
}

//===--- bit fields ---------------------------------------------------------------------------===//

bool LinxDAGToDAGISel::selectBits(SDNode *N) {
  SDLoc DL(N);
  auto Field = [&](unsigned Opc, SDValue X, unsigned Start, unsigned Len) {
    CurDAG->SelectNodeTo(N, Opc, MVT::i64, {X, imm(Len - 1, DL), imm(Start, DL)});
    return true;
  };
  SDValue A = N->getOperand(0);
  if (N->getOpcode() == ISD::SIGN_EXTEND_INREG) {
    unsigned Bits = cast<VTSDNode>(N->getOperand(1))->getVT().getSizeInBits();
    if (A.getOpcode() == ISD::SRL || A.getOpcode() == ISD::SRA)
      if (auto *C = dyn_cast<ConstantSDNode>(A.getOperand(1));
          C && A.hasOneUse() && C->getZExtValue() + Bits <= 64)
        return Field(Linx::BXS, A.getOperand(0), C->getZExtValue(), Bits);
    return false;
  }
  auto *C = dyn_cast<ConstantSDNode>(N->getOperand(1));
  if (!C)
    return false;
  uint64_t V = C->getZExtValue();
  switch (N->getOpcode()) {
  case ISD::AND: {
    if (isMask_64(V)) {
      unsigned Len = llvm::countr_one(V);
      if (A.getOpcode() == ISD::SRL || A.getOpcode() == ISD::SRA)
        if (auto *S = dyn_cast<ConstantSDNode>(A.getOperand(1));
            S && A.hasOneUse() && S->getZExtValue() + Len <= 64)
          return Field(Linx::BXU, A.getOperand(0), S->getZExtValue(), Len);
      if (A.getOpcode() == ISD::MUL && V == 0xffffffff)
        return false; // MULUW
      if (isInt<12>(int64_t(V)))
        return false;
      return Field(Linx::BXU, A, 0, Len);
    }
    if (isInt<12>(int64_t(V)))
      return false;
    // The cleared bits are one field, perhaps wrapping from bit 63 to bit 0.
    if (isShiftedMask_64(V)) {
      unsigned Lo = llvm::countr_zero(V), Len = llvm::popcount(V);
      return Field(Linx::BIC, A, (Lo + Len) & 63, 64 - Len);
    }
    if (isShiftedMask_64(~V))
      return Field(Linx::BIC, A, llvm::countr_zero(~V), llvm::popcount(~V));
    return false;
  }
  case ISD::OR:
    if (isInt<12>(int64_t(V)))
      return false;
    if (isShiftedMask_64(V))
      return Field(Linx::BIS, A, llvm::countr_zero(V), llvm::popcount(V));
    if (isShiftedMask_64(~V)) {
      unsigned Lo = llvm::countr_zero(~V), Len = llvm::popcount(~V);
      return Field(Linx::BIS, A, (Lo + Len) & 63, 64 - Len);
    }
    return false;
  case ISD::SRL:
  case ISD::SRA: {
    bool Arith = N->getOpcode() == ISD::SRA;
    if (!V || V > 63)
      return false;
    if (A.getOpcode() == ISD::SHL && A.hasOneUse())
      if (auto *L = dyn_cast<ConstantSDNode>(A.getOperand(1)); L && L->getZExtValue() <= V)
        return Field(Arith ? Linx::BXS : Linx::BXU, A.getOperand(0), V - L->getZExtValue(),
                     64 - V);
    // Shifts of a masked or sign-extended value.
    if (Arith && A.getOpcode() == ISD::SIGN_EXTEND_INREG && A.hasOneUse()) {
      unsigned Bits = cast<VTSDNode>(A.getOperand(1))->getVT().getSizeInBits();
      if (V < Bits)
        return Field(Linx::BXS, A.getOperand(0), V, Bits - V);
    }
    if (!Arith && A.getOpcode() == ISD::AND && A.hasOneUse())
      if (auto *M = dyn_cast<ConstantSDNode>(A.getOperand(1))) {
        uint64_t Kept = M->getZExtValue() >> V;
        if (isMask_64(Kept))
          return Field(Linx::BXU, A.getOperand(0), V, llvm::countr_one(Kept));
      }
    return false;
  }
  }
  return false;
}

void LinxDAGToDAGISel::Select(SDNode *N) {
  if (N->isMachineOpcode()) {
    N->setNodeId(-1);
    return;
  }
  SDLoc DL(N);
  switch (N->getOpcode()) {
  case ISD::Constant: {
    int64_t V = cast<ConstantSDNode>(N)->getSExtValue();
    SDValue R = V ? materialize(V, DL)
                  : CurDAG->getCopyFromReg(CurDAG->getEntryNode(), DL, Linx::R0, MVT::i64);
    ReplaceNode(N, R.getNode());
    return;
  }
  case ISD::ConstantFP: { // its bits in a general register
    MVT VT = N->getSimpleValueType(0);
    int64_t V = cast<ConstantFPSDNode>(N)->getValueAPF().bitcastToAPInt().getSExtValue();
    if (!V) {
      ReplaceNode(N, CurDAG->getCopyFromReg(CurDAG->getEntryNode(), DL, Linx::R0, VT).getNode());
      return;
    }
    SDValue Class = CurDAG->getTargetConstant(Linx::GPRRegClassID, DL, MVT::i32);
    ReplaceNode(N, CurDAG->getMachineNode(TargetOpcode::COPY_TO_REGCLASS, DL, VT,
                                          materialize(V, DL), Class));
    return;
  }
  case ISD::FrameIndex: {
    SDValue FI = CurDAG->getTargetFrameIndex(cast<FrameIndexSDNode>(N)->getIndex(), MVT::i64);
    CurDAG->SelectNodeTo(N, Linx::ADDI, MVT::i64, {FI, imm(0, DL)});
    return;
  }
  case ISD::ADD:
    // Frame object + constant.
    if (auto *FI = dyn_cast<FrameIndexSDNode>(N->getOperand(0)))
      if (auto *C = dyn_cast<ConstantSDNode>(N->getOperand(1)); C && isInt<22>(C->getSExtValue())) {
        SDValue T = CurDAG->getTargetFrameIndex(FI->getIndex(), MVT::i64);
        CurDAG->SelectNodeTo(N, Linx::ADDI, MVT::i64, {T, imm(C->getSExtValue(), DL)});
        return;
      }
    break;
  case ISD::BRCOND:
    if (selectBRCOND(N))
      return;
    break;
  case ISD::AND:
  case ISD::OR:
  case ISD::SRL:
  case ISD::SRA:
  case ISD::SIGN_EXTEND_INREG:
    if (N->getValueType(0) == MVT::i64 && selectBits(N))
      return;
    break;
  case ISD::SMUL_LOHI:
  case ISD::UMUL_LOHI:
  case ISD::SDIVREM:
  case ISD::UDIVREM: {
    unsigned Opc = N->getOpcode() == ISD::SMUL_LOHI   ? Linx::HL_MUL
                   : N->getOpcode() == ISD::UMUL_LOHI ? Linx::HL_MULU
                   : N->getOpcode() == ISD::SDIVREM   ? Linx::HL_DIV
                                                      : Linx::HL_DIVU;
    ReplaceNode(N, CurDAG->getMachineNode(Opc, DL, MVT::i64, MVT::i64, N->getOperand(0),
                                          N->getOperand(1)));
    return;
  }
  }
  SelectCode(N);
}
