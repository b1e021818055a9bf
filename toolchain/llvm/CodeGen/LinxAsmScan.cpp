// SPDX-License-Identifier: BSD-2-Clause
#include "LinxAsmScan.h"
#include "linx_forms.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace {
struct Mnemonic {
  unsigned Where = 0;
  bool Ends = false;
};
} // namespace

static const StringMap<Mnemonic> &mnemonics() {
  static const StringMap<Mnemonic> Map = [] {
    StringMap<Mnemonic> M;
    for (const linx_form_desc &F : linx_forms)
      M[StringRef(F.mnemonic).lower()].Where |= F.where;
    for (const char *E : {"acrc", "acre", "bse", "bwe", "bwi", "bwt"})
      M[E].Ends = true;
    // One-line forms of tile blocks.
    for (const char *T : {"tload", "tstore", "tmov", "vpar", "vseq", "mpar", "mseq", "esave", "ercov"})
      M[T].Where |= LINX_WHERE_START;
    return M;
  }();
  return Map;
}

// Directives that put nothing into the code.
static bool isHarmlessDirective(StringRef D) {
  static const StringSet<> Set = {".globl", ".global", ".local",  ".weak", ".hidden", ".type",
                                  ".size",  ".set",    ".equ",    ".loc",  ".file",   ".equiv",
                                  ".option", ".ident", ".extern"};
  return Set.contains(D) || D.starts_with(".cfi_");
}

static StringRef stripComment(StringRef Line) {
  return Line.take_until([](char C) { return C == '#'; }).split("//").first;
}

LinxAsmScan LinxAsmScan::scan(StringRef Text) {
  LinxAsmScan R;
  std::string NoBlockComments;
  for (StringRef Rest = Text; !Rest.empty();) {
    auto [Code, Tail] = Rest.split("/*");
    NoBlockComments += Code;
    Rest = Tail.split("*/").second;
  }
  SmallVector<StringRef, 8> Lines;
  StringRef(NoBlockComments).split(Lines, '\n');
  bool Elsewhere = false; // between .pushsection and .popsection
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 4> Parts;
    stripComment(Line).split(Parts, ';');
    for (StringRef P : Parts) {
      P = P.trim();
      for (size_t Colon; (Colon = P.find(':')) != StringRef::npos &&
                         P.take_front(Colon).find_first_of(" \t[,") == StringRef::npos;)
        P = P.drop_front(Colon + 1).trim(); // labels
      if (P.empty())
        continue;
      std::string Word = P.take_until([](char C) { return C == ' ' || C == '\t'; }).lower();
      if (Word == ".pushsection")
        Elsewhere = true;
      else if (Word == ".popsection")
        Elsewhere = false;
      else if (Elsewhere || isHarmlessDirective(Word))
        continue;
      else {
        bool First = R.Empty;
        R.Empty = false;
        // A mnemonic may carry suffixes behind dots: the longest known beginning counts.
        StringRef W = Word;
        auto It = mnemonics().find(W);
        while (It == mnemonics().end() && W.contains('.')) {
          W = W.rsplit('.').first;
          It = mnemonics().find(W);
        }
        if (It == mnemonics().end()) { // macro, alias or data: could be anything
          R.OwnBlocks = true;
          continue;
        }
        unsigned Where = It->second.Where;
        if (Where & (LINX_WHERE_START | LINX_WHERE_STOP | LINX_WHERE_HEADER) &&
            !(Where & (LINX_WHERE_STD | LINX_WHERE_SYS))) {
          R.OwnBlocks = true;
          if (First)
            R.FirstStarts = Where & LINX_WHERE_START;
          continue;
        }
        if (It->second.Ends)
          R.EndsBlock = true;
        if (!R.OwnBlocks) { // what follows a block start is the author's business
          if (!(Where & LINX_WHERE_STD))
            R.Sys = true;
          else if (!(Where & LINX_WHERE_SYS))
            R.FP = true;
        }
      }
    }
  }
  return R;
}
