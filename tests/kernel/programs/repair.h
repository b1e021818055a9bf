// SPDX-License-Identifier: BSD-2-Clause
// Rows of the random bodies that tests/kernel/gen_bodies.py makes.
#ifndef REPAIR_H
#define REPAIR_H

#include <stdint.h>

enum point { GATHER, SCATTER, LOCAL, LOCAL_OUT, ATOMIC, BASE, SCALAR, POINTS };
struct arguments {
    const void *idx, *data;
    void *target;                   // of scatter and atomic
    uint64_t constant;
    const void *pointer;            // where the pointer of `scalar` lies
    void *array[4];                 // of the stores
    void *tile, *spare;             // what the output tile is stored to
};
struct body {
    void (*run)(const struct arguments *a);
    uint64_t point;                 // the instruction that can be poisoned
    uint16_t lb[3];
    uint8_t type, kind, dr;
    uint8_t before, after;          // stores
    uint8_t output;                 // has an output tile, in `tile`
    uint8_t tiles;                  // VPAR, VSEQ: the stores go to output tiles, stored to array[0], array[1]
};
extern const struct body bodies[];
extern const uint64_t body_count;

#endif
