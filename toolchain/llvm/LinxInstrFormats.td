// SPDX-License-Identifier: BSD-2-Clause
// Base of the generated records (LinxInstrForms.td). Encoding, parsing and printing do not come from
// TableGen: they interpret build/gen/linx_forms.inc and linx_syntax.inc.

// A field that is not a register: its value times its scale (bytes for offsets).
def LinxField : Operand<i64>;
// A PC-relative target in bytes from the instruction's first byte, or a symbol.
def LinxTarget : Operand<i64> {
  let OperandType = "OPERAND_PCREL";
}

class LinxForm<string mnemonic, int size, dag outs, dag ins> : Instruction {
  let Namespace = "Linx";
  dag OutOperandList = outs;
  dag InOperandList = ins;
  let AsmString = mnemonic;
  let Size = size;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
}
