// SPDX-License-Identifier: BSD-2-Clause
// Between floating formats. The 16-bit formats travel as their bits.
#include "soft_float.h"

double FN(__extendsfdf2)(float a) { return double_of(pack(unpack(bits32(a), F32), F64)); }
float FN(__truncdfsf2)(double a) { return float_of(pack(unpack(bits64(a), F64), F32)); }

float FN(__extendhfsf2)(uint16_t a) { return float_of(pack(unpack(a, F16), F32)); }
double FN(__extendhfdf2)(uint16_t a) { return double_of(pack(unpack(a, F16), F64)); }
uint16_t FN(__truncsfhf2)(float a) { return (uint16_t)pack(unpack(bits32(a), F32), F16); }
uint16_t FN(__truncdfhf2)(double a) { return (uint16_t)pack(unpack(bits64(a), F64), F16); }
float FN(__gnu_h2f_ieee)(uint16_t a) { return FN(__extendhfsf2)(a); }
uint16_t FN(__gnu_f2h_ieee)(float a) { return FN(__truncsfhf2)(a); }

float FN(__extendbfsf2)(uint16_t a) { return float_of((uint64_t)a << 16); }
uint16_t FN(__truncsfbf2)(float a) { return (uint16_t)pack(unpack(bits32(a), F32), BF16); }
uint16_t FN(__truncdfbf2)(double a) { return (uint16_t)pack(unpack(bits64(a), F64), BF16); }
