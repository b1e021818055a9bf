// SPDX-License-Identifier: BSD-2-Clause
// A vector block from C: the example of README.md.
#include "linx/rt.h"
#include "linx/tile.h"

LINX_BODY(add7,
    "v.lwi.local [ta, lc0<<2], ->vt.w\n"
    "v.add vt#1, ri0, ->vt.w\n"
    "v.swi.local vt#1, [to, lc0<<2]\n");

int main(void) {                        // the first task, priority 16; its result ends the machine
    static uint32_t v[256];
    LINX_TLOAD(T<1KB>, U32, v, 256, 1);
    LINX_LAUNCH(VPAR, add7, 256, 1, 1, "T#1,", ", ->U<1KB>", 7, 0, 0, 0);
    LINX_TSTORE(U#1, U32, v, 256, 1);
    linx_printf("%u\n", v[0]);          // 7
    return v[0] != 7;
}
