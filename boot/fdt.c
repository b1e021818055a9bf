// SPDX-License-Identifier: BSD-2-Clause
// A small reader of flattened device trees (Devicetree Specification 0.4, chapter 5): one walk that picks what the
// kernel needs. Addresses are taken with the #address-cells and #size-cells of the parent.
#include <stdbool.h>
#include <stddef.h>

#include "kernel/board_info.h"
#include "lib/string.h"

#define FDT_MAGIC      0xd00dfeed
#define FDT_BEGIN_NODE 1
#define FDT_END_NODE   2
#define FDT_PROP       3
#define FDT_NOP        4
#define FDT_END        9
#define MAX_DEPTH      8

static uint32_t be32(const void *p) {
    const uint8_t *b = p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint64_t cells(const uint8_t *p, uint32_t n) {
    return n == 2 ? (uint64_t)be32(p) << 32 | be32(p + 4) : be32(p);
}

struct node {                   // what has been seen of a node so far
    const char *name;
    uint32_t address_cells, size_cells;     // for its children
    const uint8_t *reg, *compatible, *device_type, *interrupts;
    uint32_t reg_bytes, compatible_bytes;
};

static bool has_string(const uint8_t *list, uint32_t bytes, const char *want) {
    for (uint32_t at = 0; list != NULL && at < bytes; at += (uint32_t)strlen((const char *)list + at) + 1)
        if (strcmp((const char *)list + at, want) == 0)
            return true;
    return false;
}

static void node_done(const struct node *n, const struct node *parent, struct board_info *out) {
    uint64_t base = 0, size = 0;
    if (n->reg != NULL && n->reg_bytes >= 4 * (parent->address_cells + parent->size_cells)) {
        base = cells(n->reg, parent->address_cells);
        size = cells(n->reg + 4 * parent->address_cells, parent->size_cells);
    }
    const char *type = n->device_type != NULL ? (const char *)n->device_type : "";
    if (strcmp(type, "cpu") == 0) {
        out->pes++;
        out->pe_mask |= base < 64 ? (uint64_t)1 << base : 0;
    } else if (strcmp(type, "memory") == 0) {
        out->ram = base;
        out->ram_bytes = size;
    } else if (has_string(n->compatible, n->compatible_bytes, "ns16550a")) {
        out->uart = base;
        out->uart_irq = n->interrupts != NULL ? be32(n->interrupts) : 0;
    } else if (has_string(n->compatible, n->compatible_bytes, "virtio,mmio")) {
        if (out->virtio_slots < BOARD_SLOTS) {
            out->virtio[out->virtio_slots].base = base;
            out->virtio[out->virtio_slots++].line = n->interrupts != NULL ? be32(n->interrupts) : 0;
        }
    } else if (has_string(n->compatible, n->compatible_bytes, "linx,intc")) {
        out->intc = base;
    } else if (has_string(n->compatible, n->compatible_bytes, "sifive,test0") && out->finisher == 0) {
        out->finisher = base;
    }
}

const char *fdt_read(const void *fdt, struct board_info *out) {
    const uint8_t *base = fdt;
    if (fdt == NULL || be32(base) != FDT_MAGIC)
        return "no device tree at a1";
    const uint8_t *at = base + be32(base + 8), *strings = base + be32(base + 12);
    const uint8_t *end = base + be32(base + 4);
    struct node stack[MAX_DEPTH] = { { .address_cells = 2, .size_cells = 1 } };
    int depth = 0;
    uint64_t initrd_end = 0;
    memset(out, 0, sizeof *out);
    while (at < end) {
        uint32_t token = be32(at);
        at += 4;
        if (token == FDT_BEGIN_NODE) {
            if (++depth == MAX_DEPTH)
                return "device tree nested too deeply";
            stack[depth] = (struct node){ .name = (const char *)at, .address_cells = 2, .size_cells = 1 };
            at += (strlen((const char *)at) + 4) & ~(size_t)3;
        } else if (token == FDT_END_NODE) {
            if (depth == 0)
                return "device tree with too many ends";
            node_done(&stack[depth], &stack[depth - 1], out);
            depth--;
        } else if (token == FDT_PROP) {
            uint32_t bytes = be32(at);
            const char *name = (const char *)strings + be32(at + 4);
            const uint8_t *value = at + 8;
            struct node *n = &stack[depth];
            at += 8 + ((bytes + 3) & ~3u);
            if (strcmp(name, "#address-cells") == 0)
                n->address_cells = be32(value);
            else if (strcmp(name, "#size-cells") == 0)
                n->size_cells = be32(value);
            else if (strcmp(name, "reg") == 0)
                n->reg = value, n->reg_bytes = bytes;
            else if (strcmp(name, "compatible") == 0)
                n->compatible = value, n->compatible_bytes = bytes;
            else if (strcmp(name, "device_type") == 0)
                n->device_type = value;
            else if (strcmp(name, "interrupts") == 0)
                n->interrupts = value;
            else if (strcmp(name, "linux,initrd-start") == 0)
                out->initrd = cells(value, bytes / 4);
            else if (strcmp(name, "linux,initrd-end") == 0)
                initrd_end = cells(value, bytes / 4);
            else if (strcmp(name, "bootargs") == 0)
                memcpy(out->bootargs, value, bytes < sizeof out->bootargs ? bytes : sizeof out->bootargs - 1);
        } else if (token == FDT_END) {
            if (initrd_end > out->initrd)
                out->initrd_bytes = initrd_end - out->initrd;
            return out->ram_bytes == 0 ? "device tree without memory" : NULL;
        } else if (token != FDT_NOP) {
            return "device tree with an unknown token";
        }
    }
    return "device tree without end";
}
