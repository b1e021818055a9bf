// SPDX-License-Identifier: BSD-2-Clause
// Numbers from the boot arguments, for demos, benchmarks and test programs.
#ifndef DEMOS_OPTIONS_H
#define DEMOS_OPTIONS_H

#include <stdint.h>

#include "lib/string.h"

// The value of "name=N" in the boot arguments, or `otherwise` where it is not given.
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

#endif
