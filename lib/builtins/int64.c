// SPDX-License-Identifier: BSD-2-Clause
// 32- and 64-bit division and shifts as calls. linx-cc has instructions for them; objects of other
// compilers, and code built for less, may call.
#include "builtins.h"

int32_t FN(__divsi3)(int32_t a, int32_t b) { return a / b; }
int32_t FN(__modsi3)(int32_t a, int32_t b) { return a % b; }
uint32_t FN(__udivsi3)(uint32_t a, uint32_t b) { return a / b; }
uint32_t FN(__umodsi3)(uint32_t a, uint32_t b) { return a % b; }
int64_t FN(__divdi3)(int64_t a, int64_t b) { return a / b; }
int64_t FN(__moddi3)(int64_t a, int64_t b) { return a % b; }
uint64_t FN(__udivdi3)(uint64_t a, uint64_t b) { return a / b; }
uint64_t FN(__umoddi3)(uint64_t a, uint64_t b) { return a % b; }
int32_t FN(__divmodsi4)(int32_t a, int32_t b, int32_t *rest) { *rest = a % b; return a / b; }
uint32_t FN(__udivmodsi4)(uint32_t a, uint32_t b, uint32_t *rest) { *rest = a % b; return a / b; }
int64_t FN(__divmoddi4)(int64_t a, int64_t b, int64_t *rest) { *rest = a % b; return a / b; }
uint64_t FN(__udivmoddi4)(uint64_t a, uint64_t b, uint64_t *rest) { *rest = a % b; return a / b; }
int64_t FN(__muldi3)(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
int64_t FN(__ashldi3)(int64_t v, int n) { return (int64_t)((uint64_t)v << (n & 63)); }
int64_t FN(__ashrdi3)(int64_t v, int n) { return v >> (n & 63); }
int64_t FN(__lshrdi3)(int64_t v, int n) { return (int64_t)((uint64_t)v >> (n & 63)); }
int64_t FN(__negdi2)(int64_t v) { return (int64_t)(0 - (uint64_t)v); }
