// SPDX-License-Identifier: BSD-2-Clause
// double _Complex: __muldc3, __divdc3.
#include "soft_float.h"

#define REAL double
#define COMPLEX double _Complex
#define MUL FN(__muldc3)
#define DIV FN(__divdc3)
#define SIGNBIT(v) ((bool)(bits64(v) >> 63))
#define ABS(v) (double_of(bits64(v) & ~((uint64_t)1 << 63)))
#define INF (double_of(pack((number){IS_INF, false, 0, 0}, F64)))

// Exponent of a finite v > 0, and v * 2^n rounded once.
static inline int LOGB(double v) { return unpack(bits64(v), F64).exp; }
static inline double SCALE(double v, int n) {
    number u = unpack(bits64(v), F64);
    u.exp += n;
    return double_of(pack(u, F64));
}
#include "complex.inc"
