// SPDX-License-Identifier: BSD-2-Clause
#include "LinxMatInt.h"
#include "LinxSubtarget.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using LinxMatInt::Sequence;

// What one instruction can make: ADDI, SUBI, LUI, HL.LIS or HL.LIU.
static bool single(int64_t V, Sequence &S) {
  if (!isInt<32>(V) && !isUInt<32>(V))
    return false;
  S.push_back({Linx::PseudoLI, V});
  return true;
}

Sequence LinxMatInt::generate(int64_t V) {
  Sequence S;
  if (single(V, S))
    return S;
  // value << n
  unsigned Tz = llvm::countr_zero(uint64_t(V));
  if (Tz && single(V >> Tz, S)) {
    S.push_back({Linx::SLLI, int64_t(Tz)});
    return S;
  }
  // ones in the low bits: -1 with the upper bits cut off
  if (isMask_64(V)) {
    S.push_back({Linx::PseudoLI, -1});
    S.push_back({Linx::BXU, int64_t(64 - llvm::countl_zero(uint64_t(V)))});
    return S;
  }
  // (a << n) + small
  int64_t Low = SignExtend64<12>(V);
  int64_t Rest = int64_t(uint64_t(V) - uint64_t(Low));
  if (Low && Rest) {
    unsigned RTz = llvm::countr_zero(uint64_t(Rest));
    if (single(Rest >> RTz, S)) {
      S.push_back({Linx::SLLI, int64_t(RTz)});
      S.push_back({unsigned(Low < 0 ? Linx::SUBI : Linx::ADDI), Low < 0 ? -Low : Low});
      return S;
    }
  }
  return {};
}
