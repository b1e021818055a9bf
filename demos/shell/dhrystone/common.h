/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Dhrystone files (lib/libc/programs.mk) expect of their surroundings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
