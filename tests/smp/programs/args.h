// SPDX-License-Identifier: BSD-2-Clause
// Numbers from the boot arguments (name=N), and a small generator for choices.
#ifndef TEST_ARGS_H
#define TEST_ARGS_H

#include <stdint.h>

#include "demos/options.h"
#include "lib/string.h"

static inline uint64_t next_random(uint64_t *state) {       // xorshift; state is not 0
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// One of the bits of mask, which is not 0.
static inline uint64_t random_bit(uint64_t *state, uint64_t mask) {
    for (;;) {
        uint64_t bit = (uint64_t)1 << (next_random(state) >> 20) % 64;
        if (bit & mask)
            return bit;
    }
}

#endif
