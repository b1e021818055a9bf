/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction table as data, and the decoder over it. Shared by assembler, disassembler and simulator. */
#include "linx_forms.h"

#include "linx_forms.inc"

enum linx_form linx_decode(uint64_t word, unsigned bytes)
{
    /* The seven opcode bits of gen.py's KEY_SHIFT: in the halfword or word that holds the main opcode. */
    static const uint8_t key_shift[4] = { 0, 0, 16, 32 };
    unsigned row = bytes / 2 - 1;
    if (bytes & 1 || row > 3)
        return LINX_NFORMS;
    if (bytes < 8)
        word &= (1ull << 8 * bytes) - 1;
    const uint16_t *list = decode_list + decode_start[row][word >> key_shift[row] & 127];
    while (*list != LINX_NFORMS && (word & linx_forms[*list].mask) != linx_forms[*list].match)
        list++;
    return (enum linx_form)*list;
}

int linx_find_field(enum linx_form f, enum linx_field_name name)
{
    for (unsigned i = 0; i < linx_forms[f].nfields; i++)
        if (linx_forms[f].field[i].name == name)
            return (int)i;
    return -1;
}
