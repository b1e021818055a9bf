// SPDX-License-Identifier: BSD-2-Clause
// float _Complex: __mulsc3, __divsc3.
#include "soft_float.h"

#define REAL float
#define COMPLEX float _Complex
#define MUL FN(__mulsc3)
#define DIV FN(__divsc3)
#define SIGNBIT(v) ((bool)(bits32(v) >> 31))
#define ABS(v) (float_of(bits32(v) & ~((uint64_t)1 << 31)))
#define INF (float_of(pack((number){IS_INF, false, 0, 0}, F32)))

// Exponent of a finite v > 0, and v * 2^n rounded once.
static inline int LOGB(float v) { return unpack(bits32(v), F32).exp; }
static inline float SCALE(float v, int n) {
    number u = unpack(bits32(v), F32);
    u.exp += n;
    return float_of(pack(u, F32));
}
#include "complex.inc"
