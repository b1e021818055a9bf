// SPDX-License-Identifier: BSD-2-Clause
// Shared registers of a core between a gang's runs: to memory and back, with masks, capacities, shapes and the fragments
// that were written (docs/target.md 3). What lies behind the valid part of a register is undefined and comes back as zero.
#ifndef LINX_SHARED_H
#define LINX_SHARED_H

#include "kernel/arch.h"

struct shared_reg {
    uint8_t number, size_code, mask, written;   // bit p: PE p
    bool begun;                                 // its first fragment is in the core again
    uint16_t cols, valid_rows, valid_cols;
    uint8_t es_log2;                            // of an element's bytes
    char *data;                                 // fragments by rank
};
struct shared_image {
    uint32_t count;
    uint64_t moved, live;                       // bytes
    struct shared_reg reg[];
};

// Saves the valid registers of the window; any PE of the core may do it. NULL: no memory (nothing has happened).
struct shared_image *shared_save(uint32_t first, uint32_t count);
// Writes the fragments of PE `index` of the core, the one that runs this. The first PE starts new allocations.
void shared_load(struct shared_image *image, unsigned index);
// Replaces what others have left in the window, apart from the registers of `image` (NULL: none), by zeros.
void shared_scrub(uint32_t first, uint32_t count, const struct shared_image *image, unsigned index);

#endif
