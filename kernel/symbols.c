// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/symbols.h"

#include <stddef.h>

// Sorted by offset; `name` is an offset into the strings. Both come from kernel/symbols.py.
struct symbol {
    uint32_t at, name;
};
extern const struct symbol __symbols[] __attribute__((weak));
extern const uint32_t __symbol_count __attribute__((weak));
extern const char __symbol_names[] __attribute__((weak));
extern const char __image_start[], __image_text_end[];

const char *symbol_at(uint64_t address, uint64_t *offset) {
    uint64_t start = (uint64_t)(uintptr_t)__image_start;
    if (&__symbol_count == NULL || address < start || address >= (uint64_t)(uintptr_t)__image_text_end)
        return NULL;
    uint64_t at = address - start;
    uint32_t lo = 0, hi = __symbol_count;       // the last one that is not behind `at` lies in [lo, hi)
    while (lo + 1 < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (__symbols[mid].at <= at)
            lo = mid;
        else
            hi = mid;
    }
    if (hi == 0 || __symbols[lo].at > at)
        return NULL;
    *offset = at - __symbols[lo].at;
    return __symbol_names + __symbols[lo].name;
}
