/* SPDX-License-Identifier: GPL-3.0-or-later
   Linx ELF: relocation numbers, generated from toolchain/isa/linx_relocs.def. */

#ifndef _ELF_LINX_H
#define _ELF_LINX_H

#include "elf/reloc-macros.h"

/* A function from number to name in readelf, an enumeration elsewhere. */
START_RELOC_NUMBERS (elf_linx_reloc_type)
#define LINX_RELOC(name, number, ...) RELOC_NUMBER (R_LINX_##name, number)
#include "elf/linx-relocs.h"
END_RELOC_NUMBERS (R_LINX_max)

/* The numbers, in readelf too. */
enum linx_reloc_number
{
#define LINX_RELOC(name, number, ...) LINX_##name = number,
#include "elf/linx-relocs.h"
};

#endif
