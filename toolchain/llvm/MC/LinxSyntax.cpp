// SPDX-License-Identifier: BSD-2-Clause
#include "LinxSyntax.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::Linx;

#include "linx_syntax.inc"

const linx_syntax_item *Linx::syntaxOf(linx_form F) { return linx_syntax_items + linx_syntax_start[F]; }

// ---- 5-bit registers

static const char *const GPRNames[24] = {"zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5",
                                         "a6",   "a7", "ra", "s0", "s1", "s2", "s3", "s4",
                                         "s5",   "s6", "s7", "s8", "x0", "x1", "x2", "x3"};

std::string Linx::sourceName(unsigned Code) {
  if (Code < 24)
    return GPRNames[Code];
  return std::string(Code < 28 ? "t#" : "u#") + char('1' + (Code & 3));
}

std::string Linx::destName(unsigned Code) {
  if (Code < 24)
    return GPRNames[Code];
  if (Code == 31)
    return "t";
  return Code == 30 ? "u" : "r" + utostr(Code);
}

std::optional<unsigned> Linx::parseGPR(StringRef Name) {
  for (unsigned I = 0; I != 24; ++I)
    if (Name.equals_insensitive(GPRNames[I]))
      return I;
  if (Name.equals_insensitive("fp"))
    return 11;
  unsigned N;
  if ((Name.starts_with("r") || Name.starts_with("R")) && (Name.size() == 2 || (Name.size() == 3 && Name[1] != '0')) &&
      !Name.drop_front().getAsInteger(10, N) && N < 24)
    return N;
  return std::nullopt;
}

// ---- 10-bit operands

static const VectorId SourceIds[] = {
    {"vt", 0, 4, '#'},    {"vu", 8, 4, '#'},    {"vm", 16, 4, '#'},  {"vn", 24, 4, '#'},  {"ri", 32, 12, '0'},
    {"t", 56, 4, '#'},    {"u", 60, 4, '#'},    {"lc0", 64, 1, ' '}, {"lc1", 68, 1, ' '}, {"lc2", 72, 1, ' '},
    {"lb0", 65, 1, ' '},  {"lb1", 69, 1, ' '},  {"lb2", 73, 1, ' '}, {"ta", 80, 1, ' '},  {"tb", 81, 1, ' '},
    {"tc", 82, 1, ' '},   {"td", 83, 1, ' '},   {"te", 84, 1, ' '},  {"tf", 85, 1, ' '},  {"tg", 86, 1, ' '},
    {"th", 87, 1, ' '},   {"to", 88, 1, ' '},   {"to1", 89, 1, ' '}, {"ts", 89, 1, ' '},  {"to2", 90, 1, ' '},
    {"to3", 91, 1, ' '},  {"p", 92, 1, ' '},    {"zero", 95, 1, ' '}};
static const char *const IntTypes[8] = {"ud", "uw", "uh", "ub", "sd", "sw", "sh", "sb"};
static const char *const FloatTypes[8] = {"fd", "fs", "fh", "fb", nullptr, nullptr, "bf", "e5m2"};
static const char Widths[4] = {'d', 'w', 'h', 'b'};

const VectorId *Linx::vectorSourceIds(unsigned &Count) {
  Count = std::size(SourceIds);
  return SourceIds;
}

bool Linx::isVectorSource(unsigned V) {
  unsigned Id = V & 127;
  return Id < 32 || Id >= 96;
}
bool Linx::isVectorDest(unsigned V) { return (V & 127) < 4; }

std::string Linx::vectorSourceName(unsigned V, bool Float) {
  unsigned Id = V & 127, Type = V >> 7 & 7;
  bool Reuse = Id >= 96;
  if (Reuse)
    Id -= 96;
  std::string S;
  for (const VectorId &D : SourceIds)
    if (Id >= D.First && Id < D.First + D.Count) {
      S = D.Name;
      if (D.Index == '#')
        S += "#" + utostr(Id - D.First + 1);
      else if (D.Index == '0')
        S += utostr(Id - D.First);
      break;
    }
  const char *T = Float ? FloatTypes[Type] : IntTypes[Type];
  if (S.empty() || (Reuse && Id >= 32) || !T)
    return {};
  if (Reuse)
    S += ".reuse";
  if (Type || isVectorSource(V))
    S += std::string(".") + T;
  return S;
}

std::string Linx::vectorDestName(unsigned V) {
  unsigned Id = V & 127, Width = V >> 7 & 3;
  std::string S;
  if (V >> 9)
    return {};
  if (Id < 4)
    S = std::string("v") + "tumn"[Id];
  else if (Id >= 32 && Id < 36)
    S = "ro" + utostr(Id - 32);
  else if (Id == 62 || Id == 63)
    S = Id == 62 ? "u" : "t";
  else if (Id == 92)
    S = "p";
  else
    return {};
  if (Width || Id < 4)
    S += std::string(".") + Widths[Width];
  return S;
}

std::optional<unsigned> Linx::vectorType(StringRef Name, bool Float) {
  for (unsigned I = 0; I != 8; ++I) {
    const char *T = Float ? FloatTypes[I] : IntTypes[I];
    if (T && Name.equals_insensitive(T))
      return I;
  }
  return std::nullopt;
}

std::optional<unsigned> Linx::vectorWidth(StringRef Name) {
  for (unsigned I = 0; I != 4; ++I)
    if (Name.size() == 1 && toLower(Name[0]) == Widths[I])
      return I;
  return std::nullopt;
}

std::optional<unsigned> Linx::vectorDestId(StringRef Name) {
  for (unsigned Id : {0u, 1u, 2u, 3u, 32u, 33u, 34u, 35u, 62u, 63u, 92u}) {
    std::string N = vectorDestName(Id);
    if (Name.equals_insensitive(StringRef(N).split('.').first))
      return Id;
  }
  return std::nullopt;
}

// ---- named values

const char *Linx::valueName(unsigned K, int64_t V) {
  if (const linx_enum_value *E = linx_kind_values[K])
    for (; E->name; ++E)
      if (E->value == V)
        return E->name;
  return nullptr;
}

std::optional<int64_t> Linx::valueOf(unsigned K, StringRef Name) {
  if (const linx_enum_value *E = linx_kind_values[K])
    for (; E->name; ++E)
      if (Name.equals_insensitive(E->name))
        return E->value;
  return std::nullopt;
}

std::string Linx::valueList(unsigned K) {
  std::string S;
  if (const linx_enum_value *E = linx_kind_values[K])
    for (; E->name; ++E)
      S += (S.empty() ? "" : ", ") + std::string(E->name);
  return S;
}

// ---- tiles

std::string Linx::tileSource(unsigned Code) {
  return std::string(valueName(LINX_K_hand, Code >> 4 & 3)) + "#" + utostr((Code & 15) + 1);
}

std::string Linx::sizeName(uint64_t Bytes) {
  return Bytes >= 1024 ? utostr(Bytes / 1024) + "KB" : utostr(Bytes) + "B";
}

// ---- modifiers

// docs/target.md 2.1 for scalar forms; 64-bit forms have .neg/.not as 3 and nothing as 0 (docs/target.md 2.3).
static const char *const Modifiers[4][4] = {{".sw", ".uw", ".neg", ""},
                                            {".sw", ".uw", ".not", ""},
                                            {"", nullptr, nullptr, ".neg"},
                                            {"", nullptr, nullptr, ".not"}};

static int modifierRow(unsigned Kind) {
  switch (Kind) {
  case LINX_K_addmod: return 0;
  case LINX_K_logmod: return 1;
  case LINX_K_vnegmod: return 2;
  case LINX_K_vnotmod: return 3;
  default: return -1;
  }
}

const char *Linx::modifierName(unsigned Kind, unsigned Value) {
  int Row = modifierRow(Kind);
  return Row < 0 ? nullptr : Modifiers[Row][Value & 3];
}

std::optional<unsigned> Linx::modifierValue(unsigned Kind, StringRef Name) {
  int Row = modifierRow(Kind);
  for (unsigned I = 0; Row >= 0 && I != 4; ++I)
    if (Modifiers[Row][I] && Name.equals_insensitive(Modifiers[Row][I]))
      return I;
  return std::nullopt;
}

int Linx::shiftBias(unsigned Kind) {
  switch (Kind) {
  case LINX_K_shl: return 0;
  case LINX_K_shl1: return 1;
  case LINX_K_shl2: return 2;
  case LINX_K_shl3: return 3;
  default: return -1;
  }
}

bool Linx::operandsDefined(linx_form Form, uint64_t Word) {
  const linx_form_desc &D = linx_forms[Form];
  for (unsigned I = 0; I != D.nfields; ++I) {
    const linx_field &F = D.field[I];
    unsigned V = unsigned(linx_field_get(&F, Word));
    switch (F.kind) {
    case LINX_K_vdst:
      if (vectorDestName(V).empty())
        return false;
      break;
    case LINX_K_vsrc:
    case LINX_K_fvsrc:
      if (vectorSourceName(V, F.kind == LINX_K_fvsrc).empty())
        return false;
      break;
    case LINX_K_vnegmod:
    case LINX_K_vnotmod:
      if (!modifierName(F.kind, V))
        return false;
      break;
    case LINX_K_reg:
      // A code above 23 is no register; FENTRY and its kin list R2..R23 only (the manual, template blocks).
      if (V > 23 || (V < 2 && (F.name == LINX_F_SrcBegin || F.name == LINX_F_SrcEnd ||
                               F.name == LINX_F_DstBegin || F.name == LINX_F_DstEnd)))
        return false;
      break;
    default:
      break;
    }
    // Shared tiles have size codes 0..12 (docs/target.md 3).
    if (Form == LINX_B_IOS && F.name == LINX_F_SizeCode && V > 12)
      return false;
  }
  return true;
}
