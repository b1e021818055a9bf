/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The floating-point environment of the Linx core: CSTATE bits 20:16 are the accumulated flags, 23:21 the rounding
 * mode (docs/target.md 4). fenv_t holds these eight bits; FE_* are their values. Nothing ever traps (docs/target.md
 * 2.9). Functions: lib/libc/machine/fenv.c.
 */
#ifndef _MACHINE_FENV_H
#define _MACHINE_FENV_H

#define FE_INVALID    0x01
#define FE_DIVBYZERO  0x02
#define FE_OVERFLOW   0x04
#define FE_UNDERFLOW  0x08
#define FE_INEXACT    0x10
#define FE_ALL_EXCEPT 0x1f

#define FE_TONEAREST  0
#define FE_TOWARDZERO 1
#define FE_DOWNWARD   2
#define FE_UPWARD     3

typedef unsigned fenv_t;
typedef unsigned fexcept_t;

#endif
