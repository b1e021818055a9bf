// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_MONITOR_CALL_H
#define LINX_MONITOR_CALL_H

#include <stdint.h>

// `acrc SCT_MAC` with number in a7 and three arguments (include/linx/abi.h).
int64_t monitor_call(uint64_t number, uint64_t a0, uint64_t a1, uint64_t a2);

#endif
