// SPDX-License-Identifier: BSD-2-Clause
// float: __addsf3 and its kin.
#define REAL float
#define MODE sf
#define FORMAT F32
#define BITS(x) bits32(x)
#define REAL_OF(u) float_of(u)
#include "soft_float.inc"
