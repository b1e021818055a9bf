/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of <fenv.h> that newlib leaves to the machine. */
#ifndef _SYS_FENV_H
#define _SYS_FENV_H

#include <machine/fenv.h>

extern fenv_t _fe_dfl_env;
#define FE_DFL_ENV ((const fenv_t *)&_fe_dfl_env)

#endif
