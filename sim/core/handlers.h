// SPDX-License-Identifier: BSD-2-Clause
// Handler numbers: VARIANTS for each form of the instruction table, then the loop's own.
#ifndef LINX_SIM_HANDLERS_H
#define LINX_SIM_HANDLERS_H

#include <stdbool.h>

#include "linx_forms.h"

// Variants 0..2: result to a register, pushed to T, pushed to U; 3..5: the same with an operand modifier.
enum { VARIANTS = 6 };
#define HANDLER(x) ((x) * VARIANTS)

enum {
    H_ILLEGAL = LINX_NFORMS,
    H_START_FALL, H_START_DIRECT, H_START_COND, H_START_IND,            // in BARG.TYPE order
    // Ends by the next block start (which does not count as executed) ...
    H_END_FALL, H_END_DIRECT, H_END_COND, H_END_IND, H_END_ANY,
    H_CONTINUE,                                                         // the run goes on in another one
    // ... and by BSTOP. ANY looks BARG up.
    H_STOP_FALL, H_STOP_DIRECT, H_STOP_COND, H_STOP_IND, H_STOP_ANY,
    H_DATA_BLOCK, H_CATR, H_HEADER_NOP, H_HEADER_BAD,
    H_COUNT
};
enum { NHANDLERS = H_COUNT * VARIANTS };

bool handler_exists(int form);      // some body executes it
bool handler_has_dst(int form);     // variants 0..2
bool handler_has_mod(int form);     // variants 3..5 (or 3 alone without destination)
#endif
