// SPDX-License-Identifier: BSD-2-Clause
// Sample bodies for the transparency and fuzz tests.
#ifndef TESTS_ENGINE_BODIES_H
#define TESTS_ENGINE_BODIES_H

#include "harness.h"

enum { AREA = 0x6000, OUT_A = DATA + 0x2000, OUT_B = DATA + 0x4000 };   // bytes at DATA that a body may touch

struct sample {
    const char *name;
    int form;
    unsigned lb[3];
    bool dr, vs8, atom;
    unsigned in_code[3];        // input tiles T#1, U#1, M#1 (imm4), 0 = none
    unsigned out_hand[4], out_code[4], num_out;
    unsigned num_ro;
    void (*emit)(struct prog *p);
    void (*check)(const struct sample *s, struct pe *pe);      // host-computed results; may be NULL
};
extern const struct sample samples[];
extern const unsigned num_samples;

// Fills the data area, pushes the input tiles, sets registers; returns the header.
struct block_header sample_setup(const struct sample *s, struct pe *pe);
uint32_t sample_word(unsigned i);       // initial word i of the data area
uint32_t sample_tile_word(unsigned tile, unsigned i);

#endif
