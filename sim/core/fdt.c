// SPDX-License-Identifier: BSD-2-Clause
// The device tree that a1 points at: memory, cores and PEs, UART, interrupt controller, virtio slots, finisher.
#include <libfdt.h>
#include <stdlib.h>

#include "core.h"

enum { PHANDLE_INTC = 1, PHANDLE_FINISHER = 2, TREE_BYTES = 65536 };

static int cell64(void *t, const char *name, uint64_t a, uint64_t b)
{
    fdt64_t v[2] = { cpu_to_fdt64(a), cpu_to_fdt64(b) };
    return fdt_property(t, name, v, sizeof v);
}

static int begin_at(void *t, const char *name, uint64_t at)
{
    char full[64];
    snprintf(full, sizeof full, "%s@%llx", name, (unsigned long long)at);
    return fdt_begin_node(t, full);
}

static int cpus(void *t, const struct machine *m)
{
    int e = 0;
    e |= fdt_begin_node(t, "cpus");
    e |= fdt_property_u32(t, "#address-cells", 1);
    e |= fdt_property_u32(t, "#size-cells", 0);
    e |= fdt_property_u32(t, "timebase-frequency", 1000000000);
    for (unsigned i = 0; i < m->num_pes; i++) {
        const struct pe *pe = m->pe[i];
        e |= begin_at(t, "cpu", pe->lxlcid);
        e |= fdt_property_string(t, "device_type", "cpu");
        e |= fdt_property_string(t, "compatible", "linx,lxlc");
        e |= fdt_property_u32(t, "reg", pe->lxlcid);
        e |= fdt_property_u32(t, "linx,core", pe->core);
        e |= fdt_property_u32(t, "linx,pe", pe->index);
        e |= fdt_property_u32(t, "linx,group-slots", m->cfg.group_slots);
        e |= fdt_property_string(t, "status", "okay");
        e |= fdt_end_node(t);
    }
    return e | fdt_end_node(t);
}

static int soc(void *t, const struct machine *m)
{
    int e = 0;
    e |= fdt_begin_node(t, "soc");
    e |= fdt_property_u32(t, "#address-cells", 2);
    e |= fdt_property_u32(t, "#size-cells", 2);
    e |= fdt_property_string(t, "compatible", "simple-bus");
    e |= fdt_property(t, "ranges", NULL, 0);
    e |= fdt_property_u32(t, "interrupt-parent", PHANDLE_INTC);

    e |= begin_at(t, "interrupt-controller", BOARD_INTC_BASE);
    e |= fdt_property_string(t, "compatible", "linx,intc");
    e |= cell64(t, "reg", BOARD_INTC_BASE, 2 * MAX_PES * INTC_PAGE);
    e |= fdt_property(t, "interrupt-controller", NULL, 0);
    e |= fdt_property_u32(t, "#interrupt-cells", 1);
    e |= fdt_property_u32(t, "linx,num-lines", 256);
    e |= fdt_property_u32(t, "phandle", PHANDLE_INTC);
    e |= fdt_end_node(t);

    e |= begin_at(t, "serial", BOARD_UART_BASE);
    e |= fdt_property_string(t, "compatible", "ns16550a");
    e |= cell64(t, "reg", BOARD_UART_BASE, BOARD_UART_SIZE);
    e |= fdt_property_u32(t, "interrupts", BOARD_UART_IRQ);
    e |= fdt_property_u32(t, "clock-frequency", 3686400);
    e |= fdt_end_node(t);

    e |= begin_at(t, "finisher", BOARD_FINISHER_BASE);
    static const char finisher[] = "sifive,test1\0sifive,test0\0syscon";
    e |= fdt_property(t, "compatible", finisher, sizeof finisher);
    e |= cell64(t, "reg", BOARD_FINISHER_BASE, BOARD_FINISHER_SIZE);
    e |= fdt_property_u32(t, "phandle", PHANDLE_FINISHER);
    e |= fdt_end_node(t);

    for (unsigned i = 0; i < BOARD_VIRTIO_SLOTS; i++) {
        uint64_t at = BOARD_VIRTIO_BASE + BOARD_VIRTIO_STRIDE * (uint64_t)i;
        e |= begin_at(t, "virtio_mmio", at);
        e |= fdt_property_string(t, "compatible", "virtio,mmio");
        e |= cell64(t, "reg", at, BOARD_VIRTIO_STRIDE);
        e |= fdt_property_u32(t, "interrupts", BOARD_VIRTIO_IRQ + i);
        e |= fdt_end_node(t);
    }
    (void)m;
    return e | fdt_end_node(t);
}

void *fdt_build(const struct machine *m, uint64_t initrd, uint64_t initrd_size, size_t *size)
{
    void *t = malloc(TREE_BYTES);
    if (!t) return NULL;
    int e = fdt_create(t, TREE_BYTES);
    if (initrd_size) e |= fdt_add_reservemap_entry(t, initrd, initrd_size);
    e |= fdt_finish_reservemap(t);
    e |= fdt_begin_node(t, "");
    e |= fdt_property_u32(t, "#address-cells", 2);
    e |= fdt_property_u32(t, "#size-cells", 2);
    e |= fdt_property_string(t, "compatible", "linx,virt");
    e |= fdt_property_string(t, "model", "linx-virt");

    e |= fdt_begin_node(t, "chosen");
    char path[64];
    snprintf(path, sizeof path, "/soc/serial@%x", BOARD_UART_BASE);
    e |= fdt_property_string(t, "stdout-path", path);
    if (m->cfg.append) e |= fdt_property_string(t, "bootargs", m->cfg.append);
    if (initrd_size) {
        e |= fdt_property_u64(t, "linux,initrd-start", initrd);
        e |= fdt_property_u64(t, "linux,initrd-end", initrd + initrd_size);
    }
    e |= fdt_end_node(t);

    e |= begin_at(t, "memory", m->cfg.ram_base);
    e |= fdt_property_string(t, "device_type", "memory");
    e |= cell64(t, "reg", m->cfg.ram_base, m->cfg.ram_size);
    e |= fdt_end_node(t);

    e |= cpus(t, m);
    e |= soc(t, m);
    e |= fdt_end_node(t);
    e |= fdt_finish(t);
    if (e) { free(t); return NULL; }
    *size = fdt_totalsize(t);
    return t;
}
