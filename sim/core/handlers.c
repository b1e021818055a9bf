// SPDX-License-Identifier: BSD-2-Clause
// Which forms have a body in insns.inc, and which variants.
#include <stdbool.h>

#include "handlers.h"

enum { EXISTS = 1, DST = 2, MOD = 4 };
static const unsigned char kind[LINX_NFORMS] = {
#define W(f, v) [LINX_##f] = EXISTS | DST,
#define WM(f, v) [LINX_##f] = EXISTS | DST | MOD,
#define LD(f, t, a) [LINX_##f] = EXISTS | DST,
#define LDM(f, t, a) [LINX_##f] = EXISTS | DST | MOD,
#define ST(f, t, a, v) [LINX_##f] = EXISTS,
#define STM(f, t, a, v) [LINX_##f] = EXISTS | MOD,
#define CC(f, c) [LINX_##f] = EXISTS,
#define CCM(f, c) [LINX_##f] = EXISTS | MOD,
#define X(f, ...) [LINX_##f] = EXISTS,
#include "insns.inc"
};

bool handler_exists(int form) { return kind[form] & EXISTS; }
bool handler_has_dst(int form) { return kind[form] & DST; }
bool handler_has_mod(int form) { return kind[form] & MOD; }
