// SPDX-License-Identifier: BSD-2-Clause
// A monitor that raises a row of raise.S in ring 0: linked before boot/fdt.c, it takes the place of its one function. The
// row's number stands in the device tree's boot arguments, "row=N".
#include "demos/options.h"
#include "kernel/board_info.h"
#include "linx/arch.h"
#include "raise.h"

extern char monitor_entry[];
static uint64_t buffer[512];
static char stack[2048];

const char *fdt_read(const void *fdt, struct board_info *out) {
    const unsigned char *tree = fdt;
    uint32_t bytes = (uint32_t)tree[4] << 24 | (uint32_t)tree[5] << 16 | (uint32_t)tree[6] << 8 | tree[7];
    (void)out;
    // so early, ring 0 has no trap handler yet
    __asm__ volatile("ssrset %0, %1" : : "r"(monitor_entry), "i"(LINX_SSR_BANK(0, LINX_SSRO_EVBASE)));
    __asm__ volatile("ssrset %0, %1" : : "r"(stack + sizeof stack), "i"(LINX_SSR_BANK(0, LINX_SSRO_ETEMP)));
    for (uint32_t i = 0; i + 5 < bytes; i++)
        if (memcmp(tree + i, "row=", 4) == 0) {
            uint64_t row = option((const char *)tree + i, "row", raise_count);
            if (row < raise_count)
                raise_call(RAISE_HOLE, buffer, raise_rows[row].function);
        }
    return "no row was raised";
}
