// SPDX-License-Identifier: BSD-2-Clause
// Source lines for a disassembly. LLVM's DWARF reader does not know Linx relocations, so an object is read from a
// copy whose sections have addresses and whose debug sections are relocated.
#ifndef LINX_TOOLS_DEBUGLINES_H
#define LINX_TOOLS_DEBUGLINES_H

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include <map>
#include <memory>
#include <vector>

namespace llvm {

class DebugLines {
public:
  // Reads nothing unless Wanted.
  DebugLines(const object::ELFObjectFileBase &Obj, bool Wanted);
  // Prints file:line when it differs from the last one, and with Text the source line.
  void print(uint64_t Section, uint64_t Address, bool Text, raw_ostream &OS);

private:
  std::vector<char> Copy;
  std::unique_ptr<object::ObjectFile> Patched;
  std::unique_ptr<DWARFContext> Context;
  std::map<uint64_t, uint64_t> Shift; // section index -> address in the copy minus address in the file
  std::string LastFile;
  unsigned LastLine = 0;
  std::map<std::string, std::unique_ptr<MemoryBuffer>> Sources;
};

} // namespace llvm

#endif
