// SPDX-License-Identifier: BSD-2-Clause
// Bytes to MCInst: linx_decode picks the most specific form, the fields become operands.
#include "LinxForms.h"
#include "LinxMCTargetDesc.h"
#include "LinxSyntax.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;
using namespace llvm::Linx;

namespace {
class LinxDisassembler : public MCDisassembler {
public:
  LinxDisassembler(const MCSubtargetInfo &STI, MCContext &Ctx) : MCDisassembler(STI, Ctx) {}
  DecodeStatus getInstruction(MCInst &MI, uint64_t &Size, ArrayRef<uint8_t> Bytes, uint64_t Address,
                              raw_ostream &CS) const override;
};
} // namespace

MCDisassembler::DecodeStatus LinxDisassembler::getInstruction(MCInst &MI, uint64_t &Size, ArrayRef<uint8_t> Bytes,
                                                              uint64_t, raw_ostream &) const {
  Size = std::min<size_t>(2, Bytes.size());
  if (Bytes.size() < 2)
    return Fail;
  unsigned Length = linx_insn_bytes(uint16_t(Bytes[0] | Bytes[1] << 8));
  if (Bytes.size() < Length)
    return Fail;
  uint64_t Word = 0;
  for (unsigned I = 0; I != Length; ++I)
    Word |= uint64_t(Bytes[I]) << (8 * I);
  Size = Length;
  linx_form Form = linx_decode(Word, Length);
  if (Form == LINX_NFORMS || !operandsDefined(Form, Word))
    return Fail;
  MI.setOpcode(opcodeOf(Form));
  const linx_form_desc &D = linx_forms[Form];
  for (unsigned I = 0; I != D.nfields; ++I) {
    const linx_field &F = D.field[I];
    int64_t V = linx_field_get(&F, Word);
    unsigned Reg = F.kind == LINX_K_dst                            ? destRegister(V)
                   : F.kind == LINX_K_src || F.kind == LINX_K_reg ? sourceRegister(V)
                                                                   : 0;
    if (Reg)
      MI.addOperand(MCOperand::createReg(Reg));
    else
      MI.addOperand(MCOperand::createImm(linx_field_value(&F, Word)));
  }
  return Success;
}

static MCDisassembler *createDisassembler(const Target &, const MCSubtargetInfo &STI, MCContext &Ctx) {
  return new LinxDisassembler(STI, Ctx);
}

extern "C" void LLVMInitializeLinx64Disassembler() {
  TargetRegistry::RegisterMCDisassembler(getTheLinx64Target(), createDisassembler);
}
