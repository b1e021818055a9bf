// SPDX-License-Identifier: BSD-2-Clause
#include "LinxMCAsmInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

void LinxMCAsmInfo::anchor() {}

LinxMCAsmInfo::LinxMCAsmInfo(const Triple &) {
  CodePointerSize = 8;
  CalleeSaveStackSlotSize = 8;
  MinInstAlignment = 2;
  MaxInstLength = 8;
  CommentString = "//";
  AlignmentIsInBytes = false;
  SupportsDebugInformation = true;
  ExceptionsType = ExceptionHandling::DwarfCFI;
  Data16bitsDirective = "\t.half\t";
  Data32bitsDirective = "\t.word\t";
  Data64bitsDirective = "\t.dword\t";
  ZeroDirective = "\t.zero\t";
}
