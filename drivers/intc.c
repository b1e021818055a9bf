// SPDX-License-Identifier: BSD-2-Clause
#include "drivers/intc.h"

#include "drivers/console.h"
#include "drivers/virtio_blk.h"
#include "kernel/arch.h"
#include "kernel/board_info.h"
#include "kernel/printk.h"
#include "linx/arch.h"
#include "linx/board.h"

OPTIONAL(block_interrupt);

static uint64_t controller;
static volatile uint32_t *page;

static volatile uint32_t *page_of(uint32_t lxlcid, uint32_t ring) {
    return (volatile uint32_t *)(uintptr_t)(controller + (2 * lxlcid + ring) * (uint64_t)INTC_PAGE);
}

void intc_init(uint64_t base, uint32_t lxlcid) {
    controller = base;
    page = page_of(lxlcid, LINX_ACR_KERNEL);
}

void intc_enable(uint32_t line) { page[INTC_ENVEC / 4] = line; }

void intc_ipi(uint32_t lxlcid, uint32_t ring) { page_of(lxlcid, ring)[INTC_IPI / 4] = 1; }

void intc_interrupt(void) {
    for (uint32_t line; (line = page[INTC_CLAIM / 4]) != 0;) {
        if (line == board.uart_irq) {
            console_interrupt();
        } else if (block_interrupt == NULL || !block_interrupt(line)) {
            page[INTC_DISVEC / 4] = line;
            printk("interrupt line %u has no driver: disabled\n", line);
        }
        page[INTC_CLAIM / 4] = line;
    }
}
