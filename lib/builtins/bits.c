// SPDX-License-Identifier: BSD-2-Clause
// Counting and ordering bits; "si" 32, "di" 64, "ti" 128 bits. __clz* and __ctz* of 0 give the width.
#include "builtins.h"

static inline int ones64(uint64_t v) {
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int)(v * 0x0101010101010101 >> 56);
}
static inline int trail64(uint64_t v) { return 64 - lead64(~v & (v - 1)); }
static inline int odd64(uint64_t v) {
    for (int step = 32; step; step >>= 1) v ^= v >> step;
    return (int)(v & 1);
}

int FN(__clzsi2)(uint32_t v) { return lead64(v) - 32; }
int FN(__clzdi2)(uint64_t v) { return lead64(v); }
int FN(__clzti2)(u128 v) { return lead128(v); }

int FN(__ctzsi2)(uint32_t v) { return v ? trail64(v) : 32; }
int FN(__ctzdi2)(uint64_t v) { return trail64(v); }
int FN(__ctzti2)(u128 v) {
    wide w = wide_of(v);
    return w.low ? trail64(w.low) : 64 + trail64(w.high);
}

int FN(__ffssi2)(uint32_t v) { return v ? trail64(v) + 1 : 0; }
int FN(__ffsdi2)(uint64_t v) { return v ? trail64(v) + 1 : 0; }
int FN(__ffsti2)(u128 v) { return wide_of(v).low | wide_of(v).high ? FN(__ctzti2)(v) + 1 : 0; }

int FN(__popcountsi2)(uint32_t v) { return ones64(v); }
int FN(__popcountdi2)(uint64_t v) { return ones64(v); }
int FN(__popcountti2)(u128 v) { return ones64(wide_of(v).low) + ones64(wide_of(v).high); }

int FN(__paritysi2)(uint32_t v) { return odd64(v); }
int FN(__paritydi2)(uint64_t v) { return odd64(v); }
int FN(__parityti2)(u128 v) { return odd64(wide_of(v).low ^ wide_of(v).high); }

uint64_t FN(__bswapdi2)(uint64_t v) {
    v = (v & 0x00ff00ff00ff00ff) << 8 | (v >> 8 & 0x00ff00ff00ff00ff);
    v = (v & 0x0000ffff0000ffff) << 16 | (v >> 16 & 0x0000ffff0000ffff);
    return v << 32 | v >> 32;
}
uint32_t FN(__bswapsi2)(uint32_t v) { return (uint32_t)(FN(__bswapdi2)(v) >> 32); }
