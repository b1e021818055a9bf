// SPDX-License-Identifier: BSD-2-Clause
// The registers of the scalar engine as instructions see them (docs/target.md 2.1). A 5-bit operand
// names R0..R23 by number; as source 24..31 are t#1..4 and u#1..4, as destination 31 pushes T and 30
// pushes U. Tile registers and the operands of 64-bit forms are plain numbers, not registers.

class LinxReg<bits<16> enc, string name, list<string> alt = []> : Register<name, alt> {
  let Namespace = "Linx";
  let HWEncoding = enc;
}

def R0 : LinxReg<0, "zero">, DwarfRegNum<[0]> { let isConstant = true; }
def R1 : LinxReg<1, "sp">, DwarfRegNum<[1]>;
foreach i = 0-7 in
def R#!add(i, 2) : LinxReg<!add(i, 2), "a"#i>, DwarfRegNum<[!add(i, 2)]>;
def R10 : LinxReg<10, "ra">, DwarfRegNum<[10]>;
def R11 : LinxReg<11, "s0", ["fp"]>, DwarfRegNum<[11]>;
foreach i = 1-8 in
def R#!add(i, 11) : LinxReg<!add(i, 11), "s"#i>, DwarfRegNum<[!add(i, 11)]>;
foreach i = 0-3 in
def R#!add(i, 20) : LinxReg<!add(i, 20), "x"#i>, DwarfRegNum<[!add(i, 20)]>;

// Entries of the T and U queues, newest first: sources only.
foreach i = 1-4 in {
  def T#i : LinxReg<!add(23, i), "t#"#i>, DwarfRegNum<[!add(23, i)]>;
  def U#i : LinxReg<!add(27, i), "u#"#i>, DwarfRegNum<[!add(27, i)]>;
}
// Pushes: destinations only.
def UPUSH : LinxReg<30, "u">;
def TPUSH : LinxReg<31, "t">;

// What values may live in, in order of preference: caller-saved first.
def GPR : RegisterClass<"Linx", [i64, f64, f32], 64,
                        (add (sequence "R%u", 2, 9), (sequence "R%u", 20, 23),
                             (sequence "R%u", 11, 19), R10, R1, R0)>;
// Holds the target of an indirect tail call: neither argument-preserving nor callee-saved.
def GPRTail : RegisterClass<"Linx", [i64, f64, f32], 64, (add (sequence "R%u", 20, 23))>;
// Any 5-bit source, any 5-bit destination.
def GPRSrc : RegisterClass<"Linx", [i64, f64, f32], 64,
                           (add GPR, (sequence "T%u", 1, 4), (sequence "U%u", 1, 4))>;
def GPRDst : RegisterClass<"Linx", [i64, f64, f32], 64, (add GPR, TPUSH, UPUSH)>;
