/* SPDX-License-Identifier: BSD-2-Clause */
/* The core has fused multiply-add for both formats (lib/libc/machine/fpu.c), so the library may rely on it. */
#ifndef _MACHINE_MATH_H_
#define _MACHINE_MATH_H_

#define __HAVE_FAST_FMA  1
#define __HAVE_FAST_FMAF 1

#endif
