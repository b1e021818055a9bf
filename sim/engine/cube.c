// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"
enum exec_status cube_block(struct engine *e, const struct block_header *h)
{
    (void)h;
    return engine_illegal(e, "CUBE operation not implemented");
}
