// SPDX-License-Identifier: BSD-2-Clause
// double _Complex: __muldc3, __divdc3.
#include "soft_float.h"

#define REAL double
#define COMPLEX double _Complex
#define MUL FN(__muldc3)
#define DIV FN(__divdc3)
#define SIGNBIT(v) ((bool)(bits64(v) >> 63))
#define INF (double_of(pack((number){IS_INF, false, 0, 0}, F64)))
#define IN(v) unpack(bits64(v), F64)
#define OUT(n) double_of(pack(n, F64))
#include "complex.inc"
