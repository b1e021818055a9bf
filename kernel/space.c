// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/space.h"

struct space root_space = { .rights = UINT32_MAX };
