// SPDX-License-Identifier: BSD-2-Clause
// The machine as the device tree describes it; filled once by the monitor (boot/fdt.c), then read-only.
#ifndef LINX_BOARD_INFO_H
#define LINX_BOARD_INFO_H

#include <stdint.h>

#define BOARD_SLOTS 8

struct board_info {
    uint64_t ram, ram_bytes;
    uint64_t initrd, initrd_bytes;          // 0 bytes: none
    uint64_t uart, intc, finisher;          // device pages; 0: none
    uint32_t uart_irq;
    uint32_t virtio_slots;                  // virtio-mmio devices, in the order of the tree
    struct { uint64_t base; uint32_t line; } virtio[BOARD_SLOTS];
    uint32_t pes;                           // how many there are ...
    uint64_t pe_mask;                       // ... and which, bit LXLCID
    char bootargs[128];
};
extern struct board_info board;

// Reads the tree at `fdt`. NULL, or what is wrong with it.
const char *fdt_read(const void *fdt, struct board_info *out);

#endif
