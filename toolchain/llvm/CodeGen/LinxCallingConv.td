// SPDX-License-Identifier: BSD-2-Clause
// Registers that a call preserves. R10 (ra) is listed because the prologue saves it with the s
// registers; a call itself names it as clobbered.

def CSR_Linx : CalleeSavedRegs<(add R10, (sequence "R%u", 11, 19))>;
def CSR_NoRegs : CalleeSavedRegs<(add)>;
