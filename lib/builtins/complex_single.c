// SPDX-License-Identifier: BSD-2-Clause
// float _Complex: __mulsc3, __divsc3.
#include "soft_float.h"

#define REAL float
#define COMPLEX float _Complex
#define MUL FN(__mulsc3)
#define DIV FN(__divsc3)
#define SIGNBIT(v) ((bool)(bits32(v) >> 31))
#define INF (float_of(pack((number){IS_INF, false, 0, 0}, F32)))
#define IN(v) unpack(bits32(v), F32)
#define OUT(n) float_of(pack(n, F32))
#include "complex.inc"
