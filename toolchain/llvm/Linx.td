// SPDX-License-Identifier: BSD-2-Clause
// The Linx target for TableGen.
include "llvm/Target/Target.td"
include "LinxRegisterInfo.td"
include "LinxInstrFormats.td"
include "LinxInstrForms.td"
include "CodeGen/LinxCallingConv.td"
include "CodeGen/LinxCodeGen.td"

def LinxInstrInfo : InstrInfo;

def : ProcessorModel<"generic", NoSchedModel, []>;

def Linx : Target {
  let InstructionSet = LinxInstrInfo;
}
