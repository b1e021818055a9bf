// SPDX-License-Identifier: BSD-2-Clause
// Arithmetic that detects overflow: __mul?o?4 report it, the __*v?i? of -ftrapv stop the program.
#include "builtins.h"

int32_t FN(__mulosi4)(int32_t a, int32_t b, int *overflow) {
    int64_t p = (int64_t)a * b;
    *overflow = p != (int32_t)p;
    return (int32_t)p;
}
int64_t FN(__mulodi4)(int64_t a, int64_t b, int *overflow) {
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    wide p = mul64wide(x, y);
    bool minus = (a < 0) != (b < 0);
    *overflow = p.high != 0 || (minus ? p.low > 1ull << 63 : p.low >> 63 != 0);
    return (int64_t)(minus ? 0 - p.low : p.low);
}

static inline void must(bool good) { if (!good) __builtin_trap(); }

int32_t FN(__addvsi3)(int32_t a, int32_t b) { int64_t r = (int64_t)a + b; must(r == (int32_t)r); return (int32_t)r; }
int32_t FN(__subvsi3)(int32_t a, int32_t b) { int64_t r = (int64_t)a - b; must(r == (int32_t)r); return (int32_t)r; }
int32_t FN(__mulvsi3)(int32_t a, int32_t b) { int o; int32_t r = FN(__mulosi4)(a, b, &o); must(!o); return r; }
int32_t FN(__negvsi2)(int32_t a) { must(a != INT32_MIN); return -a; }
int32_t FN(__absvsi2)(int32_t a) { return a < 0 ? FN(__negvsi2)(a) : a; }

int64_t FN(__addvdi3)(int64_t a, int64_t b) {
    int64_t r = (int64_t)((uint64_t)a + (uint64_t)b);
    must(((a ^ r) & (b ^ r)) >= 0);
    return r;
}
int64_t FN(__subvdi3)(int64_t a, int64_t b) {
    int64_t r = (int64_t)((uint64_t)a - (uint64_t)b);
    must(((a ^ b) & (a ^ r)) >= 0);
    return r;
}
int64_t FN(__mulvdi3)(int64_t a, int64_t b) { int o; int64_t r = FN(__mulodi4)(a, b, &o); must(!o); return r; }
int64_t FN(__negvdi2)(int64_t a) { must(a != INT64_MIN); return -a; }
int64_t FN(__absvdi2)(int64_t a) { return a < 0 ? FN(__negvdi2)(a) : a; }

i128 FN(__addvti3)(i128 a, i128 b) {
    i128 r = (i128)((u128)a + (u128)b);
    must((int64_t)wide_of((u128)((a ^ r) & (b ^ r))).high >= 0);
    return r;
}
i128 FN(__subvti3)(i128 a, i128 b) {
    i128 r = (i128)((u128)a - (u128)b);
    must((int64_t)wide_of((u128)((a ^ b) & (a ^ r))).high >= 0);
    return r;
}
i128 FN(__mulvti3)(i128 a, i128 b) { int o; i128 r = FN(__muloti4)(a, b, &o); must(!o); return r; }
i128 FN(__negvti2)(i128 a) { must(a != (i128)make128(1ull << 63, 0)); return (i128)(0 - (u128)a); }
i128 FN(__absvti2)(i128 a) { return a < 0 ? FN(__negvti2)(a) : a; }
