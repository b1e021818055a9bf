// SPDX-License-Identifier: BSD-2-Clause
// Code-generator pseudo-instructions and selection patterns. The instructions themselves come
// from the instruction table (LinxInstrForms.td); this file says only when to use them.
//
// Facts the patterns rely on (docs/target.md section 2, digest of the manual):
//   SrcRType 0 .sw, 1 .uw, 2 .neg/.not, 3 none;  CSEL gives SrcR when SrcP != 0, else SrcL;
//   immediate offsets are bytes here, scaling is the encoder's job.

//===--- selection DAG nodes ---------------------------------------------------------------===//

def SDT_LinxCall : SDTypeProfile<0, -1, [SDTCisVT<0, i64>]>;
def SDT_LinxCallSeqStart : SDCallSeqStart<[SDTCisVT<0, i64>, SDTCisVT<1, i64>]>;
def SDT_LinxCallSeqEnd : SDCallSeqEnd<[SDTCisVT<0, i64>, SDTCisVT<1, i64>]>;
def SDT_LinxIntBinOpW : SDTypeProfile<1, 2, [SDTCisSameAs<0, 1>, SDTCisSameAs<0, 2>,
                                             SDTCisVT<0, i64>]>;
def SDT_LinxIntUnOpW : SDTypeProfile<1, 1, [SDTCisSameAs<0, 1>, SDTCisVT<0, i64>]>;

def callseq_start : SDNode<"ISD::CALLSEQ_START", SDT_LinxCallSeqStart,
                           [SDNPHasChain, SDNPOutGlue]>;
def callseq_end : SDNode<"ISD::CALLSEQ_END", SDT_LinxCallSeqEnd,
                         [SDNPHasChain, SDNPOptInGlue, SDNPOutGlue]>;
def linx_call : SDNode<"LinxISD::CALL", SDT_LinxCall,
                       [SDNPHasChain, SDNPOptInGlue, SDNPOutGlue, SDNPVariadic]>;
def linx_tail : SDNode<"LinxISD::TAIL", SDT_LinxCall,
                       [SDNPHasChain, SDNPOptInGlue, SDNPOutGlue, SDNPVariadic]>;
def linx_ret : SDNode<"LinxISD::RET_GLUE", SDTNone,
                      [SDNPHasChain, SDNPOptInGlue, SDNPVariadic]>;
// Address of a symbol, constant-pool entry, jump table or block.
def linx_wrapper : SDNode<"LinxISD::WRAPPER", SDTIntUnaryOp>;
// Offset of a thread-local variable from TP, added to the first operand.
def linx_tprel : SDNode<"LinxISD::TPREL_ADD",
                        SDTypeProfile<1, 2, [SDTCisVT<0, i64>, SDTCisVT<1, i64>]>>;
def linx_readtp : SDNode<"LinxISD::READ_TP", SDTypeProfile<1, 0, [SDTCisVT<0, i64>]>>;

def linx_sllw : SDNode<"LinxISD::SLLW", SDT_LinxIntBinOpW>;
def linx_sraw : SDNode<"LinxISD::SRAW", SDT_LinxIntBinOpW>;
def linx_srlw : SDNode<"LinxISD::SRLW", SDT_LinxIntBinOpW>;
def linx_divw : SDNode<"LinxISD::DIVW", SDT_LinxIntBinOpW>;
def linx_divuw : SDNode<"LinxISD::DIVUW", SDT_LinxIntBinOpW>;
def linx_remw : SDNode<"LinxISD::REMW", SDT_LinxIntBinOpW>;
def linx_remuw : SDNode<"LinxISD::REMUW", SDT_LinxIntBinOpW>;
def linx_clzw : SDNode<"LinxISD::CLZW", SDT_LinxIntUnOpW>;
def linx_ctzw : SDNode<"LinxISD::CTZW", SDT_LinxIntUnOpW>;
// 32-bit rotate left by a constant, result sign-extended.
def linx_rotlwi : SDNode<"LinxISD::ROTLWI", SDT_LinxIntBinOpW>;
// Bits of an f32 as the low half of an i64, and back.
def linx_f2i : SDNode<"LinxISD::F32_TO_BITS",
                      SDTypeProfile<1, 1, [SDTCisVT<0, i64>, SDTCisVT<1, f32>]>>;
def linx_i2f : SDNode<"LinxISD::BITS_TO_F32",
                      SDTypeProfile<1, 1, [SDTCisVT<0, f32>, SDTCisVT<1, i64>]>>;
def SDT_LinxCopy : SDTypeProfile<0, 3, [SDTCisVT<0, i64>, SDTCisVT<1, i64>, SDTCisVT<2, i64>]>;
def linx_mcopy : SDNode<"LinxISD::MCOPY", SDT_LinxCopy,
                        [SDNPHasChain, SDNPMayLoad, SDNPMayStore]>;
def linx_mset : SDNode<"LinxISD::MSET", SDT_LinxCopy, [SDNPHasChain, SDNPMayStore]>;
def linx_cycles : SDNode<"LinxISD::READ_CYCLE", SDTypeProfile<1, 0, [SDTCisVT<0, i64>]>,
                         [SDNPHasChain]>;

//===--- operands ------------------------------------------------------------------------===//

def brtarget : Operand<OtherVT>;
def calltarget : Operand<i64>;
def symref : Operand<i64>;

class LinxImm<code pred> : ImmLeaf<i64, pred>;
def uimm12 : LinxImm<[{ return isUInt<12>(Imm); }]>;
def nimm12 : LinxImm<[{ return Imm < 0 && Imm >= -4095; }]>;
def uimm24 : LinxImm<[{ return isUInt<24>(Imm); }]>;
def nimm24 : LinxImm<[{ return Imm < 0 && Imm > -(1 << 24); }]>;
def simm12 : LinxImm<[{ return isInt<12>(Imm); }]>;
def simm24 : LinxImm<[{ return isInt<24>(Imm); }]>;
def uimm6 : LinxImm<[{ return isUInt<6>(Imm); }]>;
def uimm5 : LinxImm<[{ return isUInt<5>(Imm); }]>;
def NegImm : SDNodeXForm<imm, [{
  return CurDAG->getTargetConstant(-N->getSExtValue(), SDLoc(N), N->getValueType(0));
}]>;
def PlusOne : SDNodeXForm<imm, [{
  return CurDAG->getTargetConstant(N->getSExtValue() + 1, SDLoc(N), N->getValueType(0));
}]>;
// A rotate left by n is an extract of all 64 bits from bit 64 - n on.
def RotlToStart : SDNodeXForm<imm, [{
  return CurDAG->getTargetConstant((64 - N->getZExtValue()) & 63, SDLoc(N), MVT::i64);
}]>;
// Constants c such that c + 1 is also a valid immediate, for x > c and x <= c.
def simm12m1 : LinxImm<[{ return isInt<12>(Imm + 1) && Imm != INT64_MAX; }]>;
def simm24m1 : LinxImm<[{ return isInt<24>(Imm + 1) && Imm != INT64_MAX; }]>;
def uimm12m1 : LinxImm<[{ return isUInt<12>(Imm + 1) && Imm != -1; }]>;
def uimm24m1 : LinxImm<[{ return isUInt<24>(Imm + 1) && Imm != -1; }]>;

// base + byte offset;  base + (modified index << shift);  symbol + constant.
def AddrRI : ComplexPattern<i64, 2, "selectAddrRI", [], [], 2>;
def AddrSym : ComplexPattern<i64, 1, "selectAddrSym", [], [], 8>;
def AddrRR : ComplexPattern<i64, 4, "selectAddrRR", [], [], 6>;
class AddrRRS<int Log2> : ComplexPattern<i64, 3, "selectAddrRRStore<" # Log2 # ">", [], [], 6>;
// A right source operand with a modifier: (register, SrcRType, shift).
def ModAddSub : ComplexPattern<i64, 3, "selectModAddSub", [], [], 4>;
def ModLogic : ComplexPattern<i64, 3, "selectModLogic", [], [], 4>;
// The same without shift, for compares and selects: (register, SrcRType).
def ModCmp : ComplexPattern<i64, 2, "selectModCmp", [], [], 4>;

//===--- pseudo-instructions ---------------------------------------------------------------===//

class LinxPseudo<dag outs, dag ins, list<dag> pattern = []>
    : Instruction {
  let Namespace = "Linx";
  dag OutOperandList = outs;
  dag InOperandList = ins;
  let Pattern = pattern;
  let AsmString = "";
  let isPseudo = 1;
  let isCodeGenOnly = 1;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
  let Size = 8;
}

let Defs = [R1], Uses = [R1], hasSideEffects = 1 in {
def ADJCALLSTACKDOWN : LinxPseudo<(outs), (ins i64imm:$a, i64imm:$b),
                                  [(callseq_start timm:$a, timm:$b)]>;
def ADJCALLSTACKUP : LinxPseudo<(outs), (ins i64imm:$a, i64imm:$b),
                                [(callseq_end timm:$a, timm:$b)]>;
}

// Terminators carry their compare; the block former moves the target into the block header.
let isBranch = 1, isTerminator = 1 in {
let isBarrier = 1 in {
def PseudoBR : LinxPseudo<(outs), (ins brtarget:$dst), [(br bb:$dst)]>;
let isIndirectBranch = 1 in
def PseudoBRIND : LinxPseudo<(outs), (ins GPR:$src), [(brind i64:$src)]>;
}
// cc is a LinxCC value; type a SrcRType.
def PseudoBRRR : LinxPseudo<(outs), (ins i64imm:$cc, GPR:$l, GPR:$r, i64imm:$type,
                                     brtarget:$dst)>;
def PseudoBRRI : LinxPseudo<(outs), (ins i64imm:$cc, GPR:$l, i64imm:$imm, brtarget:$dst)>;
}

let isCall = 1, Defs = [R10] in {
def PseudoCALL : LinxPseudo<(outs), (ins calltarget:$f)>;
def PseudoICALL : LinxPseudo<(outs), (ins GPR:$f), [(linx_call i64:$f)]>;
}
def : Pat<(linx_call tglobaladdr:$f), (PseudoCALL tglobaladdr:$f)>;
def : Pat<(linx_call texternalsym:$f), (PseudoCALL texternalsym:$f)>;

let isReturn = 1, isTerminator = 1, isBarrier = 1 in {
let Uses = [R10] in
def PseudoRET : LinxPseudo<(outs), (ins), [(linx_ret)]>;
// Reloads the registers begin..end, releases size bytes and returns to the first of them.
let Defs = [R1], Uses = [R1], mayLoad = 1 in
def PseudoFRET : LinxPseudo<(outs), (ins i64imm:$end, i64imm:$size)>;
let isCall = 1, Uses = [R1, R10] in {
def PseudoTAIL : LinxPseudo<(outs), (ins calltarget:$f)>;
def PseudoITAIL : LinxPseudo<(outs), (ins GPRTail:$f), [(linx_tail GPRTail:$f)]>;
}
}
def : Pat<(linx_tail tglobaladdr:$f), (PseudoTAIL tglobaladdr:$f)>;
def : Pat<(linx_tail texternalsym:$f), (PseudoTAIL texternalsym:$f)>;

// Placeholder of a block start while the block's end is not known yet, and the zero-sized end of a
// block: it keeps what the terminator or call used and clobbered.
let hasSideEffects = 1 in {
def PseudoBSTART : LinxPseudo<(outs), (ins)>;
let Size = 0 in
def PseudoBEND : LinxPseudo<(outs), (ins)>;
}

// Template blocks. Register ranges start at ra; end is the number of the last register.
let Defs = [R1], Uses = [R1] in {
let mayStore = 1, hasSideEffects = 1 in
def PseudoFENTRY : LinxPseudo<(outs), (ins i64imm:$end, i64imm:$size)>;
let mayLoad = 1, hasSideEffects = 1 in
def PseudoFEXIT : LinxPseudo<(outs), (ins i64imm:$end, i64imm:$size)>;
}
let mayLoad = 1, mayStore = 1, hasSideEffects = 1 in
def PseudoMCOPY : LinxPseudo<(outs), (ins GPR:$dst, GPR:$src, GPR:$size),
                             [(linx_mcopy i64:$dst, i64:$src, i64:$size)]>;
let mayStore = 1, hasSideEffects = 1 in
def PseudoMSET : LinxPseudo<(outs), (ins GPR:$dst, GPR:$val, GPR:$size),
                            [(linx_mset i64:$dst, i64:$val, i64:$size)]>;

// A constant that one instruction makes; which one is chosen when it is emitted.
let isReMaterializable = 1, isAsCheapAsAMove = 1, isMoveImm = 1 in
def PseudoLI : LinxPseudo<(outs GPR:$d), (ins i64imm:$imm)>;

// Address of a symbol: ADDTPC + ADDI.
let isReMaterializable = 1 in
def PseudoLA : LinxPseudo<(outs GPR:$d), (ins symref:$sym)>;
def : Pat<(linx_wrapper tglobaladdr:$s), (PseudoLA tglobaladdr:$s)>;
def : Pat<(linx_wrapper texternalsym:$s), (PseudoLA texternalsym:$s)>;
def : Pat<(linx_wrapper tconstpool:$s), (PseudoLA tconstpool:$s)>;
def : Pat<(linx_wrapper tjumptable:$s), (PseudoLA tjumptable:$s)>;
def : Pat<(linx_wrapper tblockaddress:$s), (PseudoLA tblockaddress:$s)>;

// Thread pointer and offset of a thread-local variable.
let isReMaterializable = 1 in
def PseudoREADTP : LinxPseudo<(outs GPR:$d), (ins), [(set i64:$d, (linx_readtp))]>;
def PseudoTPADD : LinxPseudo<(outs GPR:$d), (ins GPR:$tp, symref:$sym)>;
def : Pat<(linx_tprel i64:$tp, tglobaltlsaddr:$s), (PseudoTPADD $tp, tglobaltlsaddr:$s)>;

// HL.CCATW with both sources equal; only the low result is wanted.
def PseudoROTLWI : LinxPseudo<(outs GPR:$d), (ins GPR:$a, i64imm:$n)>;

// A full fence; ordering of plain atomic loads and stores.
let hasSideEffects = 1 in
def PseudoFENCE : LinxPseudo<(outs), (ins)>;
// Keeps the compiler from moving memory accesses, emits nothing.
let hasSideEffects = 1, Size = 0 in
def PseudoCOMPILERFENCE : LinxPseudo<(outs), (ins)>;

//===--- integer -----------------------------------------------------------------------------===//

def : Pat<(add i64:$a, uimm12:$i), (ADDI $a, uimm12:$i)>;
def : Pat<(add i64:$a, nimm12:$i), (SUBI $a, (NegImm $i))>;
def : Pat<(add i64:$a, uimm24:$i), (HL_ADDI $a, uimm24:$i)>;
def : Pat<(add i64:$a, nimm24:$i), (HL_SUBI $a, (NegImm $i))>;
def : Pat<(sext_inreg (add i64:$a, uimm12:$i), i32), (ADDIW $a, uimm12:$i)>;
def : Pat<(sext_inreg (add i64:$a, nimm12:$i), i32), (SUBIW $a, (NegImm $i))>;
def : Pat<(sext_inreg (add i64:$a, uimm24:$i), i32), (HL_ADDIW $a, uimm24:$i)>;
def : Pat<(sext_inreg (add i64:$a, nimm24:$i), i32), (HL_SUBIW $a, (NegImm $i))>;

multiclass AddSub<SDPatternOperator op, string I> {
  def : Pat<(op i64:$a, i64:$b), (!cast<Instruction>(I) $a, $b, 3, 0)>;
  def : Pat<(op i64:$a, (i64 (ModAddSub i64:$b, i64:$t, i64:$s))),
            (!cast<Instruction>(I) $a, $b, $t, $s)>;
  def : Pat<(sext_inreg (op i64:$a, i64:$b), i32), (!cast<Instruction>(I # "W") $a, $b, 3, 0)>;
  def : Pat<(sext_inreg (op i64:$a, (i64 (ModAddSub i64:$b, i64:$t, i64:$s))), i32),
            (!cast<Instruction>(I # "W") $a, $b, $t, $s)>;
}
defm : AddSub<add, "ADD">;
defm : AddSub<sub, "SUB">;

multiclass Logic<SDPatternOperator op, string I> {
  def : Pat<(op i64:$a, i64:$b), (!cast<Instruction>(I) $a, $b, 3, 0)>;
  def : Pat<(op i64:$a, (i64 (ModLogic i64:$b, i64:$t, i64:$s))),
            (!cast<Instruction>(I) $a, $b, $t, $s)>;
  def : Pat<(op i64:$a, simm12:$i), (!cast<Instruction>(I # "I") $a, simm12:$i)>;
  def : Pat<(op i64:$a, simm24:$i), (!cast<Instruction>("HL_" # I # "I") $a, simm24:$i)>;
}
defm : Logic<and, "AND">;
defm : Logic<or, "OR">;
defm : Logic<xor, "XOR">;

multiclass Shift<SDPatternOperator op, string I> {
  def : Pat<(op i64:$a, i64:$b), (!cast<Instruction>(I) $a, $b)>;
  def : Pat<(op i64:$a, (i64 (and i64:$b, 63))), (!cast<Instruction>(I) $a, $b)>;
  def : Pat<(op i64:$a, uimm6:$i), (!cast<Instruction>(I # "I") $a, uimm6:$i)>;
}
defm : Shift<shl, "SLL">;
defm : Shift<srl, "SRL">;
defm : Shift<sra, "SRA">;
multiclass ShiftW<SDPatternOperator op, string I> {
  def : Pat<(op i64:$a, i64:$b), (!cast<Instruction>(I) $a, $b)>;
  def : Pat<(op i64:$a, (i64 (and i64:$b, 31))), (!cast<Instruction>(I) $a, $b)>;
}
defm : ShiftW<linx_sllw, "SLLW">;
defm : ShiftW<linx_srlw, "SRLW">;
defm : ShiftW<linx_sraw, "SRAW">;
def : Pat<(sext_inreg (shl i64:$a, uimm5:$i), i32), (SLLIW $a, uimm5:$i)>;

def : Pat<(mul i64:$a, i64:$b), (MUL $a, $b)>;
def : Pat<(sext_inreg (mul i64:$a, i64:$b), i32), (MULW $a, $b)>;
let AddedComplexity = 6 in
def : Pat<(and (mul i64:$a, i64:$b), 0xffffffff), (MULUW $a, $b)>;
def : Pat<(add (mul i64:$a, i64:$b), i64:$c), (MADD $c, $a, $b)>;
def : Pat<(sext_inreg (add (mul i64:$a, i64:$b), i64:$c), i32), (MADDW $c, $a, $b)>;
def : Pat<(sdiv i64:$a, i64:$b), (DIV $a, $b)>;
def : Pat<(udiv i64:$a, i64:$b), (DIVU $a, $b)>;
def : Pat<(srem i64:$a, i64:$b), (REM $a, $b)>;
def : Pat<(urem i64:$a, i64:$b), (REMU $a, $b)>;
def : Pat<(linx_divw i64:$a, i64:$b), (DIVW $a, $b)>;
def : Pat<(linx_divuw i64:$a, i64:$b), (DIVUW $a, $b)>;
def : Pat<(linx_remw i64:$a, i64:$b), (REMW $a, $b)>;
def : Pat<(linx_remuw i64:$a, i64:$b), (REMUW $a, $b)>;
def : Pat<(smax i64:$a, i64:$b), (MAX $a, $b)>;
def : Pat<(smin i64:$a, i64:$b), (MIN $a, $b)>;
def : Pat<(umax i64:$a, i64:$b), (MAXU $a, $b)>;
def : Pat<(umin i64:$a, i64:$b), (MINU $a, $b)>;

// Bit fields. Operands (SrcL, imml = length - 1, imms = first bit).
def : Pat<(sext_inreg i64:$a, i8), (BXS $a, 7, 0)>;
def : Pat<(sext_inreg i64:$a, i16), (BXS $a, 15, 0)>;
def : Pat<(sext_inreg i64:$a, i32), (BXS $a, 31, 0)>;
def : Pat<(ctlz i64:$a), (CLZ $a, 63, 0)>;
def : Pat<(cttz i64:$a), (CTZ $a, 63, 0)>;
def : Pat<(ctpop i64:$a), (BCNT $a, 63, 0)>;
def : Pat<(linx_clzw i64:$a), (CLZ $a, 31, 0)>;
def : Pat<(linx_ctzw i64:$a), (CTZ $a, 31, 0)>;
// REV (SrcL, imml = unit, immr = group - 1).
def : Pat<(bswap i64:$a), (REV $a, 8, 63)>;
def : Pat<(bitreverse i64:$a), (REV $a, 1, 63)>;

//===--- compares and selects ----------------------------------------------------------------===//

multiclass CmpRR<CondCode cc, string I> {
  def : Pat<(i64 (setcc i64:$a, i64:$b, cc)), (!cast<Instruction>(I) $a, $b, 3)>;
  def : Pat<(i64 (setcc i64:$a, (i64 (ModCmp i64:$b, i64:$t)), cc)),
            (!cast<Instruction>(I) $a, $b, $t)>;
}
multiclass CmpRRSwap<CondCode cc, string I> {
  def : Pat<(i64 (setcc i64:$a, i64:$b, cc)), (!cast<Instruction>(I) $b, $a, 3)>;
  def : Pat<(i64 (setcc (i64 (ModCmp i64:$a, i64:$t)), i64:$b, cc)),
            (!cast<Instruction>(I) $b, $a, $t)>;
}
defm : CmpRR<SETEQ, "CMP_EQ">;
defm : CmpRR<SETNE, "CMP_NE">;
defm : CmpRR<SETLT, "CMP_LT">;
defm : CmpRR<SETGE, "CMP_GE">;
defm : CmpRR<SETULT, "CMP_LTU">;
defm : CmpRR<SETUGE, "CMP_GEU">;
defm : CmpRRSwap<SETGT, "CMP_LT">;
defm : CmpRRSwap<SETLE, "CMP_GE">;
defm : CmpRRSwap<SETUGT, "CMP_LTU">;
defm : CmpRRSwap<SETULE, "CMP_GEU">;

multiclass CmpRI<CondCode cc, string I, ImmLeaf short, ImmLeaf long> {
  def : Pat<(i64 (setcc i64:$a, short:$i, cc)), (!cast<Instruction>(I) $a, short:$i)>;
  def : Pat<(i64 (setcc i64:$a, long:$i, cc)), (!cast<Instruction>("HL_" # I) $a, long:$i)>;
}
multiclass CmpRIPlus<CondCode cc, string I, ImmLeaf short, ImmLeaf long> {
  def : Pat<(i64 (setcc i64:$a, short:$i, cc)), (!cast<Instruction>(I) $a, (PlusOne $i))>;
  def : Pat<(i64 (setcc i64:$a, long:$i, cc)),
            (!cast<Instruction>("HL_" # I) $a, (PlusOne $i))>;
}
defm : CmpRI<SETEQ, "CMP_EQI", simm12, simm24>;
defm : CmpRI<SETNE, "CMP_NEI", simm12, simm24>;
defm : CmpRI<SETLT, "CMP_LTI", simm12, simm24>;
defm : CmpRI<SETGE, "CMP_GEI", simm12, simm24>;
defm : CmpRI<SETULT, "CMP_LTUI", uimm12, uimm24>;
defm : CmpRI<SETUGE, "CMP_GEUI", uimm12, uimm24>;
defm : CmpRIPlus<SETGT, "CMP_GEI", simm12m1, simm24m1>;
defm : CmpRIPlus<SETLE, "CMP_LTI", simm12m1, simm24m1>;
defm : CmpRIPlus<SETUGT, "CMP_GEUI", uimm12m1, uimm24m1>;
defm : CmpRIPlus<SETULE, "CMP_LTUI", uimm12m1, uimm24m1>;
def : Pat<(i64 (setcc (i64 (and i64:$a, i64:$b)), 0, SETNE)), (CMP_AND $a, $b, 3)>;
def : Pat<(i64 (setcc (i64 (and i64:$a, simm12:$i)), 0, SETNE)), (CMP_ANDI $a, simm12:$i)>;
def : Pat<(i64 (setcc (i64 (or i64:$a, i64:$b)), 0, SETNE)), (CMP_OR $a, $b, 3)>;

// CSEL (SrcL if false, SrcP, SrcR if true, SrcRType).
foreach vt = [i64, f64, f32] in {
  def : Pat<(vt (select i64:$c, vt:$t, vt:$f)), (CSEL $f, $c, $t, 3)>;
  def : Pat<(vt (select (i64 (setcc i64:$c, 0, SETNE)), vt:$t, vt:$f)), (CSEL $f, $c, $t, 3)>;
  def : Pat<(vt (select (i64 (setcc i64:$c, 0, SETEQ)), vt:$t, vt:$f)), (CSEL $t, $c, $f, 3)>;
}
def neg_oneuse : PatFrag<(ops node:$a), (sub 0, node:$a), [{ return N->hasOneUse(); }]>;
let AddedComplexity = 10 in {
def : Pat<(i64 (select i64:$c, (i64 (neg_oneuse i64:$t)), i64:$f)), (CSEL $f, $c, $t, 2)>;
def : Pat<(i64 (select (i64 (setcc i64:$c, 0, SETNE)), (i64 (neg_oneuse i64:$t)), i64:$f)),
          (CSEL $f, $c, $t, 2)>;
def : Pat<(i64 (select (i64 (setcc i64:$c, 0, SETEQ)), i64:$t, (i64 (neg_oneuse i64:$f)))),
          (CSEL $t, $c, $f, 2)>;
}

//===--- memory ------------------------------------------------------------------------------===//

multiclass Load<PatFrag frag, string I, ValueType vt = i64> {
  def : Pat<(vt (frag (AddrRI i64:$b, i64:$o))), (!cast<Instruction>(I # "I") $b, $o)>;
  def : Pat<(vt (frag (AddrRR i64:$b, i64:$x, i64:$t, i64:$s))),
            (!cast<Instruction>(I) $b, $x, $t, $s)>;
  def : Pat<(vt (frag (AddrSym i64:$sym))), (!cast<Instruction>("HL_" # I # "_PCR") $sym)>;
}
defm : Load<sextloadi8, "LB">;
defm : Load<zextloadi8, "LBU">;
defm : Load<extloadi8, "LBU">;
defm : Load<sextloadi16, "LH">;
defm : Load<zextloadi16, "LHU">;
defm : Load<extloadi16, "LHU">;
defm : Load<sextloadi32, "LW">;
defm : Load<zextloadi32, "LWU">;
defm : Load<extloadi32, "LW">;
defm : Load<load, "LD">;
defm : Load<load, "LD", f64>;
defm : Load<load, "LW", f32>;
defm : Load<atomic_load_8, "LBU">;
defm : Load<atomic_load_16, "LHU">;
defm : Load<atomic_load_32, "LW">;
defm : Load<atomic_load_64, "LD">;

// I is the register form that scales by the access size, U the unscaled one.
multiclass Store<PatFrag frag, string I, string U, int log2, ValueType vt = i64> {
  def : Pat<(frag vt:$v, (AddrRI i64:$b, i64:$o)), (!cast<Instruction>(I # "I") $v, $b, $o)>;
  def : Pat<(frag vt:$v, (AddrRRS<log2> i64:$b, i64:$x, i64:$t)),
            (!cast<Instruction>(I) $v, $b, $x, $t)>;
  if !ne(log2, 0) then
  def : Pat<(frag vt:$v, (AddrRRS<0> i64:$b, i64:$x, i64:$t)),
            (!cast<Instruction>(U) $v, $b, $x, $t)>;
  def : Pat<(frag vt:$v, (AddrSym i64:$sym)),
            (!cast<Instruction>("HL_" # I # "_PCR") $v, $sym)>;
}
defm : Store<truncstorei8, "SB", "SB", 0>;
defm : Store<truncstorei16, "SH", "SH_U", 1>;
defm : Store<truncstorei32, "SW", "SW_U", 2>;
defm : Store<store, "SD", "SD_U", 3>;
defm : Store<store, "SD", "SD_U", 3, f64>;
defm : Store<store, "SW", "SW_U", 2, f32>;
defm : Store<atomic_store_8, "SB", "SB", 0>;
defm : Store<atomic_store_16, "SH", "SH_U", 1>;
defm : Store<atomic_store_32, "SW", "SW_U", 2>;
defm : Store<atomic_store_64, "SD", "SD_U", 3>;

//===--- atomics (SYS blocks) ----------------------------------------------------------------===//
// Acquire and release are always set: the bits cost nothing and sequential consistency follows.

multiclass Amo<string node, string I> {
  def : Pat<(i64 (!cast<PatFrag>(node # "_i32") i64:$p, i64:$v)),
            (!cast<Instruction>("LW_" # I) $p, $v, 1, 0, 1)>;
  def : Pat<(i64 (!cast<PatFrag>(node # "_i64") i64:$p, i64:$v)),
            (!cast<Instruction>("LD_" # I) $p, $v, 1, 0, 1)>;
}
defm : Amo<"atomic_load_add", "ADD">;
defm : Amo<"atomic_load_and", "AND">;
defm : Amo<"atomic_load_or", "OR">;
defm : Amo<"atomic_load_xor", "XOR">;
defm : Amo<"atomic_load_max", "SMAX">;
defm : Amo<"atomic_load_min", "SMIN">;
defm : Amo<"atomic_load_umax", "UMAX">;
defm : Amo<"atomic_load_umin", "UMIN">;
def : Pat<(i64 (atomic_load_sub_i32 i64:$p, i64:$v)),
          (LW_ADD $p, (SUB (i64 R0), $v, 3, 0), 1, 0, 1)>;
def : Pat<(i64 (atomic_load_sub_i64 i64:$p, i64:$v)),
          (LD_ADD $p, (SUB (i64 R0), $v, 3, 0), 1, 0, 1)>;
foreach sz = [["i8", "B"], ["i16", "H"], ["i32", "W"], ["i64", "D"]] in {
  def : Pat<(i64 (!cast<PatFrag>("atomic_swap_" # sz[0]) i64:$p, i64:$v)),
            (!cast<Instruction>("SWAP" # sz[1]) $p, $v, 1, 0, 1)>;
  // HL_CAS (SrcD new, SrcL address, SrcR compare).
  def : Pat<(i64 (!cast<PatFrag>("atomic_cmp_swap_" # sz[0]) i64:$p, i64:$c, i64:$n)),
            (!cast<Instruction>("HL_CAS" # sz[1]) $n, $p, $c, 1, 0, 1)>;
}
// A fence of one thread only (scope 0) orders the compiler, not the machine.
def : Pat<(atomic_fence (timm), 0), (PseudoCOMPILERFENCE)>;
def : Pat<(atomic_fence (timm), (timm)), (PseudoFENCE)>;

def : Pat<(trap), (EBREAK 0)>;
def : Pat<(debugtrap), (EBREAK 0)>;
def : Pat<(i64 (linx_cycles)), (SSRGET 0x11)>;

//===--- floating point (FP blocks; values live in the general registers) --------------------===//

// Compares: `op` is the node, `s` the suffix of the instructions ("S" raises NV for quiet NaNs, too).
multiclass FpCompares<SDPatternOperator op, string s, ValueType vt, int ty,
                      Instruction EQ = !cast<Instruction>("FEQ" # s), Instruction LT = !cast<Instruction>("FLT" # s),
                      Instruction GE = !cast<Instruction>("FGE" # s)> {
  foreach c = [SETOEQ, SETEQ] in def : Pat<(i64 (op vt:$a, vt:$b, c)), (EQ $a, $b, ty)>;
  foreach c = [SETOLT, SETLT] in def : Pat<(i64 (op vt:$a, vt:$b, c)), (LT $a, $b, ty)>;
  foreach c = [SETOGE, SETGE] in def : Pat<(i64 (op vt:$a, vt:$b, c)), (GE $a, $b, ty)>;
  foreach c = [SETOGT, SETGT] in def : Pat<(i64 (op vt:$a, vt:$b, c)), (LT $b, $a, ty)>;
  foreach c = [SETOLE, SETLE] in def : Pat<(i64 (op vt:$a, vt:$b, c)), (GE $b, $a, ty)>;
  // What FNE gives for a NaN differs between sources, so "unequal" is the negation of "equal".
  foreach c = [SETUNE, SETNE] in
  def : Pat<(i64 (op vt:$a, vt:$b, c)), (CMP_EQI (EQ $a, $b, ty), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETUGT)), (CMP_EQI (GE $b, $a, ty), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETUGE)), (CMP_EQI (LT $a, $b, ty), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETULT)), (CMP_EQI (GE $a, $b, ty), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETULE)), (CMP_EQI (LT $b, $a, ty), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETO)), (AND (EQ $a, $a, ty), (EQ $b, $b, ty), 3, 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETUO)), (CMP_EQI (AND (EQ $a, $a, ty), (EQ $b, $b, ty), 3, 0), 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETONE)), (OR (LT $a, $b, ty), (LT $b, $a, ty), 3, 0)>;
  def : Pat<(i64 (op vt:$a, vt:$b, SETUEQ)), (CMP_EQI (OR (LT $a, $b, ty), (LT $b, $a, ty), 3, 0), 0)>;
}

multiclass FpOps<ValueType vt, int ty> {
  foreach o = [["fadd", "FADD"], ["fsub", "FSUB"], ["fmul", "FMUL"], ["fdiv", "FDIV"],
               ["fminnum", "FMIN"], ["fmaxnum", "FMAX"]] in
  def : Pat<(vt (!cast<SDNode>(o[0]) vt:$a, vt:$b)), (!cast<Instruction>(o[1]) $a, $b, ty)>;
  def : Pat<(vt (fsqrt vt:$a)), (FSQRT $a, ty)>;
  def : Pat<(vt (fabs vt:$a)), (FABS $a, ty)>;
  // FMADD (SrcA addend, SrcL, SrcR).
  def : Pat<(vt (fma vt:$a, vt:$b, vt:$c)), (FMADD $c, $a, $b, ty)>;
  def : Pat<(vt (fma vt:$a, vt:$b, (fneg vt:$c))), (FMSUB $c, $a, $b, ty)>;
  // FNMADD and FNMSUB negate the rounded result: not fma(-a, b, c), whose zeros and directed roundings differ.
  def : Pat<(vt (fneg (fma vt:$a, vt:$b, vt:$c))), (FNMADD $c, $a, $b, ty)>;
  def : Pat<(vt (fneg (fma vt:$a, vt:$b, (fneg vt:$c)))), (FNMSUB $c, $a, $b, ty)>;
  defm : FpCompares<setcc, "", vt, ty>;
  defm : FpCompares<strict_fsetcc, "", vt, ty>;
  defm : FpCompares<strict_fsetccs, "S", vt, ty>;
  // FCVTZ (DstType 0 .ud, 4 .sd; SrcL; SrcType); SCVTF, UCVTF (DstType; SrcL; SrcType 0 = 64 bits).
  def : Pat<(i64 (fp_to_sint vt:$a)), (FCVTZ 4, $a, ty)>;
  def : Pat<(i64 (fp_to_uint vt:$a)), (FCVTZ 0, $a, ty)>;
  def : Pat<(vt (sint_to_fp i64:$a)), (SCVTF ty, $a, 0)>;
  def : Pat<(vt (uint_to_fp i64:$a)), (UCVTF ty, $a, 0)>;
}
defm : FpOps<f64, 0>;
defm : FpOps<f32, 1>;
def : Pat<(f32 (fpround f64:$a)), (FCVT 1, $a, 0)>;
def : Pat<(f64 (fpextend f32:$a)), (FCVT 0, $a, 1)>;

// There is no FNEG: the sign bit is flipped. The bits above an f32 do not matter.
def : Pat<(f64 (fneg f64:$a)), (XOR $a, (SLLI (PseudoLI 1), 63), 3, 0)>;
def : Pat<(f32 (fneg f32:$a)), (XOR $a, (PseudoLI 0x80000000), 3, 0)>;
// HL_BFI (SrcL, SrcR, immr = length - 1, imms = first bit): the sign of $b into $a.
foreach b = [f64, f32] in {
  def : Pat<(f64 (fcopysign f64:$a, b:$b)),
            (HL_BFI $a, (SRLI $b, !if(!eq(b, f64), 63, 31)), 0, 63)>;
  def : Pat<(f32 (fcopysign f32:$a, b:$b)),
            (HL_BFI $a, (SRLI $b, !if(!eq(b, f64), 63, 31)), 0, 31)>;
}

def : Pat<(i64 (bitconvert f64:$a)), (COPY_TO_REGCLASS $a, GPR)>;
def : Pat<(f64 (bitconvert i64:$a)), (COPY_TO_REGCLASS $a, GPR)>;
def : Pat<(linx_f2i f32:$a), (COPY_TO_REGCLASS $a, GPR)>;
def : Pat<(linx_i2f i64:$a), (COPY_TO_REGCLASS $a, GPR)>;

// Rotates by a constant.
def : Pat<(i64 (rotl i64:$a, uimm6:$i)), (BXU $a, 63, (RotlToStart $i))>;
def : Pat<(linx_rotlwi i64:$a, timm:$i), (PseudoROTLWI $a, timm:$i)>;
