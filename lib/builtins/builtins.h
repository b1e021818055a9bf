// SPDX-License-Identifier: BSD-2-Clause
// Run-time support: the functions that compilers call for what the machine has no instruction for.
// Names, arguments and results are those of the usual compiler run-time library, so objects of other
// compilers for this ABI link too. Nothing here calls into a C library or keeps state, except the
// lock table of atomic.c.
#ifndef LINX_BUILTINS_H
#define LINX_BUILTINS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// FN(name): the public name; under test on the host a private one, as the host has its own functions.
#ifdef BUILTINS_TEST
#define FN(name) t_##name
#else
#define FN(name) name
#endif

typedef __int128 i128;
typedef unsigned __int128 u128;

// Halves of a 128-bit value; used wherever a plain i128 operation could become a call to the very
// function that is being defined.
typedef union {
    u128 all;
    struct { uint64_t low, high; };
} wide;

static inline wide wide_of(u128 v) { wide w; w.all = v; return w; }

static inline u128 make128(uint64_t high, uint64_t low) {
    wide w;
    w.low = low;
    w.high = high;
    return w.all;
}

// Full product, from four 32-bit ones.
static inline wide mul64wide(uint64_t a, uint64_t b) {
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
    uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
    wide w;
    w.low = mid << 32 | (uint32_t)ll;
    w.high = ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32);
    return w;
}

// Number of leading zero bits, 64 for 0.
static inline int lead64(uint64_t v) {
    int n = 64;
    for (int step = 32; step; step >>= 1)
        if (v >> step) {
            v >>= step;
            n -= step;
        }
    return n - (int)v;
}
static inline int lead128(u128 v) {
    wide w = wide_of(v);
    return w.high ? lead64(w.high) : 64 + lead64(w.low);
}

// Shifts by 0..127.
static inline u128 shl128(u128 v, unsigned n) {
    wide w = wide_of(v);
    if (n == 0) return v;
    if (n >= 64) return make128(w.low << (n - 64), 0);
    return make128(w.high << n | w.low >> (64 - n), w.low << n);
}
static inline u128 shr128(u128 v, unsigned n) {
    wide w = wide_of(v);
    if (n == 0) return v;
    if (n >= 64) return make128(0, w.high >> (n - 64));
    return make128(w.high >> n, w.high << (64 - n) | w.low >> n);
}

#include "prototypes.h"
#endif
