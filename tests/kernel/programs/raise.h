/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of faults (raise.S): one row for each exception in each kind of block. Used by records.c in ring 2, and by
 * images whose kernel or monitor raises a row (records_ring1.c, records_ring0.c).
 */
#ifndef RAISE_H
#define RAISE_H

/* causes that depend on whether addresses are translated: an access fault without, a page fault with the MMU */
#define BY_MMU        0x100
#define CAUSE_FETCH   (BY_MMU | 0)      /* E_INST access, page */
#define CAUSE_LOAD    (BY_MMU | 1)      /* E_DATA load access, load page */
#define CAUSE_STORE   (BY_MMU | 2)      /* E_DATA store access, store page */
#define CAUSE_FAR     (BY_MMU | 3)      /* fetch beyond 39 bits: E_INST access, translation */

/* addresses (TRAPARG0, BPC, TPC) count from one of these */
#define FROM_0        0
#define FROM_HOLE     1                 /* a0 of the case: nothing is there */
#define FROM_BUFFER   2                 /* a1: 4 KB to read and write */

/* rings where a row can be raised */
#define IN_2          4
#define IN_1          2
#define IN_0          1
#define IN_ALL        7

#define RAISE_ROW_BYTES 88

#ifndef __ASSEMBLER__
#include <stdint.h>
struct raise_row {
    const char *name;
    uint64_t function, bpc, tpc;        /* bpc 1, tpc 1: the hole; 2: the hole + 1; 3: FAR */
    uint32_t trap, cause, kind, inside;
    uint32_t from, rings;
    uint64_t address, lanes;
    uint32_t access, bytes, local, reserved;
};
_Static_assert(sizeof(struct raise_row) == RAISE_ROW_BYTES, "raise.h");
#define RAISE_HOLE 0x3000000000         // inside 39 bits, nothing is there
#define RAISE_FAR 0x4000000000000000
extern const struct raise_row raise_rows[];
extern const uint64_t raise_count;
/* Calls function(hole, buffer) with x3 = sp, so that it can be left with sp changed. */
void raise_call(uint64_t hole, void *buffer, uint64_t function);
#endif
#endif
