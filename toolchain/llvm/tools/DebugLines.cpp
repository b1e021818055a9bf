// SPDX-License-Identifier: BSD-2-Clause
#include "DebugLines.h"
#include "LinxRelocs.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace llvm::object;

DebugLines::DebugLines(const ELFObjectFileBase &Obj, bool Wanted) {
  if (!Wanted)
    return;
  StringRef Data = Obj.getData();
  Copy.assign(Data.begin(), Data.end());
  using Ehdr = ELF64LE::Ehdr;
  using Shdr = ELF64LE::Shdr;
  auto *H = reinterpret_cast<Ehdr *>(Copy.data());
  if (Obj.isRelocatableObject() && H->e_shoff + uint64_t(H->e_shnum) * sizeof(Shdr) <= Copy.size()) {
    auto *S = reinterpret_cast<Shdr *>(Copy.data() + H->e_shoff);
    uint64_t Next = 0x10000;
    for (unsigned I = 0; I != H->e_shnum; ++I)
      if (S[I].sh_flags & ELF::SHF_ALLOC) {
        Shift[I] = Next;
        S[I].sh_addr = Next;
        Next += (S[I].sh_size + 0xffff) & ~uint64_t(0xffff);
      }
    for (unsigned I = 0; I != H->e_shnum; ++I) {
      if (S[I].sh_type != ELF::SHT_RELA || S[I].sh_info >= H->e_shnum || S[I].sh_link >= H->e_shnum ||
          (S[S[I].sh_info].sh_flags & ELF::SHF_ALLOC))
        continue;
      const Shdr &To = S[S[I].sh_info], &Sym = S[S[I].sh_link];
      auto *R = reinterpret_cast<ELF64LE::Rela *>(Copy.data() + S[I].sh_offset);
      auto *Y = reinterpret_cast<ELF64LE::Sym *>(Copy.data() + Sym.sh_offset);
      for (uint64_t K = 0; K != S[I].sh_size / sizeof(*R); ++K) {
        const ELF64LE::Sym &X = Y[R[K].getSymbol(false)];
        uint64_t V = X.st_value + R[K].r_addend;
        if (X.st_shndx && X.st_shndx < H->e_shnum)
          V += S[X.st_shndx].sh_addr;
        unsigned Type = R[K].getType(false), Size = Type == Linx::R_LINX_64 ? 8 : Type == Linx::R_LINX_32 ? 4 : 0;
        if (Size && R[K].r_offset + Size <= To.sh_size)
          memcpy(Copy.data() + To.sh_offset + R[K].r_offset, &V, Size);
      }
      S[I].sh_type = ELF::SHT_PROGBITS; // done: nobody need read these relocations
      S[I].sh_flags = 0;
    }
  }
  auto File = ObjectFile::createELFObjectFile(MemoryBufferRef(StringRef(Copy.data(), Copy.size()), Obj.getFileName()));
  if (!File) {
    consumeError(File.takeError());
    return;
  }
  Patched = std::move(*File);
  Context = DWARFContext::create(*Patched, DWARFContext::ProcessDebugRelocations::Ignore);
}

void DebugLines::print(uint64_t Section, uint64_t Address, bool Text, raw_ostream &OS) {
  if (!Context)
    return;
  if (auto I = Shift.find(Section); I != Shift.end())
    Address += I->second;
  DILineInfoSpecifier Spec(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
  DILineInfo Info = Context->getLineInfoForAddress({Address, SectionedAddress::UndefSection}, Spec);
  if (!Info.Line || (Info.Line == LastLine && Info.FileName == LastFile))
    return;
  LastLine = Info.Line;
  LastFile = Info.FileName;
  OS << "; " << Info.FileName << ':' << Info.Line << '\n';
  if (!Text)
    return;
  auto &Buf = Sources[Info.FileName];
  if (!Buf)
    if (auto F = MemoryBuffer::getFile(Info.FileName))
      Buf = std::move(*F);
  if (!Buf)
    return;
  StringRef Rest = Buf->getBuffer();
  for (unsigned L = 1; L < Info.Line; ++L)
    Rest = Rest.split('\n').second;
  OS << "; " << Rest.split('\n').first << '\n';
}
