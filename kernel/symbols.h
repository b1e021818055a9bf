// SPDX-License-Identifier: BSD-2-Clause
// The image's own symbol table, added by the second link (kernel/symbols.py); empty in the first one.
#ifndef LINX_SYMBOLS_H
#define LINX_SYMBOLS_H

#include <stdint.h>

// Name of the function at `address` and the distance from its start; NULL: none.
const char *symbol_at(uint64_t address, uint64_t *offset);

#endif
