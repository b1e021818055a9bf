// SPDX-License-Identifier: BSD-2-Clause
// A fault in words, for the console.
#include "kernel/printk.h"
#include "trap/fault.h"

#define NAME(names, i) ((i) < sizeof(names) / sizeof(names)[0] ? (names)[i] : "?")

const char *fault_class_name(unsigned trap) {
    switch (trap) {
    case LINX_E_INST: return "E_INST";
    case LINX_E_DATA: return "E_DATA";
    case LINX_E_BLOCK: return "E_BLOCK";
    case LINX_E_ASSERT: return "E_ASSERT";
    case LINX_E_SCALL: return "E_SCALL";
    case LINX_E_BREAKPOINT: return "E_BREAKPOINT";
    case LINX_E_ISSR: return "E_ISSR";
    default: return "E_?";
    }
}

const char *fault_cause_name(unsigned trap, unsigned cause) {
    static const char *const inst[] = { "access", "translation", "misaligned", "illegal", "permission", "page", "bus",
                                        "parameter" };
    static const char *const data[] = { "load access", "load misaligned", "load page", "store access",
                                        "store misaligned", "store page", "range", "bus" };
    static const char *const block[] = { "invalid set", "invalid get", "invalid parameter", "double set",
                                         "invalid fixup", "type" };
    switch (trap) {
    case LINX_E_INST: return NAME(inst, cause);
    case LINX_E_DATA: return NAME(data, cause);
    case LINX_E_BLOCK: return NAME(block, cause);
    default: return "-";
    }
}

static void print_tiles(const char *what, const struct linx_tile_operand *o, unsigned n, bool source) {
    for (unsigned i = 0; i < n; i++, o++) {
        printk("%s ", i == 0 ? what : "");
        if (o->shared)
            printk("S%u", o->tile);
        else if (source)
            printk("%c#%u%s", "TUMN"[o->tile / LINX_HAND_DEPTH & 3], o->tile % LINX_HAND_DEPTH + 1, o->reuse ? ".reuse" : "");
        else
            printk("%c<%u>", "TUMNAS??"[o->tile & 7], 16u << (o->size & 15));
    }
}

static void print_registers_of(const char *what, const uint8_t *reg, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        printk("%s R%u", i == 0 ? what : "", reg[i]);
}

static void print_header(const struct linx_fault *f) {
    static const char *const flags[] = { NULL, NULL, " DR", " atom", " aq", " rl" };
    const struct linx_fault_header *h = &f->header;
    printk("  header  function %u", h->function);
    if (f->kind >= LINX_BLOCK_TMA)
        printk(", type %u", h->data_type);
    for (int i = 2; i < 6; i++)
        if (h->flags >> i & 1)
            printk("%s", flags[i]);
    print_registers_of(", ri", h->input, h->inputs);
    print_registers_of(", ro", h->output, h->outputs);
    print_tiles(", in", h->source, h->sources, true);
    print_tiles(", out", h->destination, h->destinations, false);
    printk(", LB %u %u %u%s\n", h->dim[0], h->dim[1], h->dim[2], h->flags & LINX_HEADER_WHOLE ? "" : ", cut off");
}

static void print_address(const char *what, uint64_t address, const char *symbol, unsigned offset) {
    if (symbol[0] != 0)
        printk("  %-7s 0x%016lx  %s+0x%x\n", what, (unsigned long)address, symbol, offset);
    else
        printk("  %-7s 0x%016lx\n", what, (unsigned long)address);
}

void fault_print(const struct linx_fault *f) {
    static const char *const types[] = { "STD", "SYS", "FP", "data" };
    static const char *const kinds[] = { "STD", "SYS", "FP", "template", "VPAR", "VSEQ", "MPAR", "MSEQ", "TMA", "TEPL", "CUBE",
                                         "none" };
    static const char *const accesses[] = { "instruction", "load", "store", "atomic" };
    printk("  cause   %s(%s) %u.%u arg 0x%lx, ring %u\n", fault_class_name(f->trap), fault_cause_name(f->trap, f->cause), f->trap,
           f->cause, (unsigned long)f->address, f->ring);
    printk("  block   %s%s, %s\n", NAME(types, f->block_type), f->inside ? ", inside" : "", NAME(kinds, f->kind));
    if (f->kind >= LINX_BLOCK_TEMPLATE && f->kind < LINX_BLOCK_NONE)
        print_header(f);
    if (f->groups != 0)
        printk("  group   %u, slot %u, LC %u %u %u of %u %u %u: %s at fault in lanes 0x%016lx of 0x%016lx\n", f->group, f->slot,
               f->lc[0], f->lc[1], f->lc[2], f->lb[0], f->lb[1], f->lb[2], accesses[f->access & 3], (unsigned long)f->lanes,
               (unsigned long)f->active);
    print_address("BPC", f->bpc, f->bpc_symbol, f->bpc_offset);
    print_address("TPC", f->tpc, f->tpc_symbol, f->tpc_offset);
}

void fault_print_registers(const struct context *c) {
    static const char names[22][3] = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "s0", "s1", "s2", "s3", "s4",
                                       "s5", "s6", "s7", "s8", "x0", "x1", "x2", "x3" };
    for (int i = 0; i < 22; i++)
        printk("  %s %016lx%s", names[i], (unsigned long)*(&c->a0 - i), i % 3 == 2 ? "\n" : "");
    printk("  sp %016lx  tp %016lx\n", (unsigned long)c->sp, (unsigned long)c->tp);
    for (int i = 3; i >= 0; i--)
        printk("  t#%d %016lx u#%d %016lx\n", 4 - i, (unsigned long)c->t[i], 4 - i, (unsigned long)c->u[i]);
}
