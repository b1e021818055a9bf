// SPDX-License-Identifier: BSD-2-Clause
// double: __adddf3 and its kin.
#define REAL double
#define MODE df
#define FORMAT F64
#define BITS(x) bits64(x)
#define REAL_OF(u) double_of(u)
#include "soft_float.inc"
