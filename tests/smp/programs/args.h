// SPDX-License-Identifier: BSD-2-Clause
// Numbers from the boot arguments (name=N), and a small generator for choices.
#ifndef TEST_ARGS_H
#define TEST_ARGS_H

#include <stdint.h>

#include "lib/string.h"

static inline uint64_t option(const char *args, const char *name, uint64_t otherwise) {
    size_t n = strlen(name);
    for (; *args != 0; args++)
        if (memcmp(args, name, n) == 0 && args[n] == '=') {
            uint64_t value = 0;
            for (args += n + 1; *args >= '0' && *args <= '9'; args++)
                value = 10 * value + (uint64_t)(*args - '0');
            return value;
        }
    return otherwise;
}

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
