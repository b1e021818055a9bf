// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"
enum exec_status tepl_block(struct engine *e, const struct block_header *h)
{
    if (h->function == LINX_TileOpcode_ESAVE)
        return esave(e, h);
    if (h->function == LINX_TileOpcode_ERCOV)
        return ercov(e, h);
    return engine_illegal(e, "tile operation not implemented");
}
