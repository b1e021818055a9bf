// SPDX-License-Identifier: BSD-2-Clause
#include "trap/fault.h"

#include "drivers/console.h"
#include "kernel/life.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/symbols.h"
#include "trap/monitor_call.h"
#include "trap/wide.h"

extern char wide_guarded_begin[], wide_guarded_end[], wide_guarded_fixup[], trap_acre[];

// ---- words for people -------------------------------------------------------------------------------------------------------
static const char *class_name(unsigned num) {
    switch (num) {
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

static const char *cause_name(unsigned num, unsigned cause) {
    static const char *const inst[] = { "access", "translation", "misaligned", "illegal", "permission", "page", "bus",
                                        "parameter" };
    static const char *const data[] = { "load access", "load misaligned", "load page", "store access",
                                        "store misaligned", "store page", "range", "bus" };
    static const char *const block[] = { "invalid set", "invalid get", "invalid parameter", "double set",
                                         "invalid fixup", "type" };
    if (num == LINX_E_INST && cause < 8) return inst[cause];
    if (num == LINX_E_DATA && cause < 8) return data[cause];
    if (num == LINX_E_BLOCK && cause < 6) return block[cause];
    return "-";
}

static void print_address(const char *what, uint64_t address) {
    uint64_t offset;
    const char *symbol = symbol_at(address, &offset);
    if (symbol != NULL)
        printk("  %-7s 0x%016lx  %s+0x%lx\n", what, (unsigned long)address, symbol, (unsigned long)offset);
    else
        printk("  %-7s 0x%016lx\n", what, (unsigned long)address);
}

static void print_record(const struct context *c, uint64_t trapno, uint64_t arg) {
    static const char *const blocks[] = { "STD", "SYS", "FP", "data" };
    unsigned num = trapno & LINX_TRAPNO_NUM_MASK, cause = (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff;
    unsigned type = (unsigned)(c->ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT) & 31;
    if (trapno >> LINX_TRAPNO_E_BIT)
        printk("  cause   %s(%s) arg 0x%lx, ring %u\n", class_name(num), cause_name(num, cause), (unsigned long)arg,
               (unsigned)c->ecstate & LINX_CSTATE_ACR_MASK);
    else
        printk("  cause   interrupt %u, ring %u\n", num, (unsigned)c->ecstate & LINX_CSTATE_ACR_MASK);
    printk("  block   %s%s", type < 4 ? blocks[type] : "?", c->ecstate & LINX_ECSTATE_BI ? ", inside" : "");
    if (in_body(c))
        printk(", group %u", (unsigned)(c->ebarg >> LINX_EBARG_GROUP_SHIFT) & 0xffff);
    printk("\n");
    print_address("BPC", c->ebpc);
    print_address("TPC", c->etpc);
}

static void print_registers(const struct context *c) {
    static const char names[22][3] = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "s0", "s1", "s2", "s3", "s4",
                                       "s5", "s6", "s7", "s8", "x0", "x1", "x2", "x3" };
    for (int i = 0; i < 22; i++)
        printk("  %s %016lx%s", names[i], (unsigned long)*(&c->a0 - i), i % 3 == 2 ? "\n" : "");
    printk("  sp %016lx  tp %016lx\n", (unsigned long)c->sp, (unsigned long)c->tp);
    for (int i = 3; i >= 0; i--)
        printk("  t#%d %016lx u#%d %016lx\n", 4 - i, (unsigned long)c->t[i], 4 - i, (unsigned long)c->u[i]);
}

// ---- tasks --------------------------------------------------------------------------------------------------------------------
void fault_of_task(struct pe *pe, struct task *t, uint64_t trapno) {
    unsigned num = trapno & LINX_TRAPNO_NUM_MASK, cause = (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff;
    uint64_t arg = ssr_get(SSR1(LINX_SSRO_TRAPARG0));
    if (num == LINX_E_INST && cause == LINX_EC_PERM && arg <= 1 && pe->econfig != ECONFIG_ON && !in_body(&t->ctx) &&
        ((t->ctx.ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT) & 31) == LINX_BT_DATA) {
        if (wide_demand(pe, t))
            return;                     // the block starts again, with the engine
        task_end_with(t, LINX_ENDED_NOMEM, 0, "it cannot have the data engine");
        return;
    }
    printk("task %d '%s' at fault:\n", t->obj.handle, t->name);
    print_record(&t->ctx, trapno, arg);
    task_end_with(t, LINX_ENDED_FAULT, (int64_t)(num << 24 | cause), "fault");
}

// ---- the kernel ---------------------------------------------------------------------------------------------------------------
static bool between(uint64_t at, const char *lo, const char *hi) {
    return at >= (uint64_t)(uintptr_t)lo && at < (uint64_t)(uintptr_t)hi;
}

struct context *fault_in_kernel(struct pe *pe, struct context *c, uint64_t trapno) {
    if (c == &pe->nested && between(c->ebpc, wide_guarded_begin, wide_guarded_end)) {
        c->ebpc = c->etpc = (uint64_t)(uintptr_t)wide_guarded_fixup;
        c->ecstate &= ~(uint64_t)LINX_ECSTATE_BI;
        return c;
    }
    (void)trapno;
    panic("trap in the kernel");
}

static void stop(void) {
    console_flush();
    monitor_call(LINX_MAC_FATAL, 1, 0, 0);
    for (;;)
        ;
}

void panic(const char *what) {
    struct pe *pe = this_pe();
    if (pe->panicking)
        stop();                         // the panic itself failed: what is out is out
    pe->panicking = true;
    console_flush();
    printk("\nPANIC on PE %u: %s\n", pe->lxlcid, what);
    uint64_t trapno = ssr_get(SSR1(LINX_SSRO_TRAPNO)), arg = ssr_get(SSR1(LINX_SSRO_TRAPARG0));
    if (pe->nested.ebpc != 0) {
        printk(" in the kernel:\n");
        print_record(&pe->nested, trapno, arg);
        print_registers(&pe->nested);
    }
    if (pe->current != NULL) {
        printk(" current task %d '%s':\n", pe->current->obj.handle, pe->current->name);
        print_record(&pe->current->ctx, trapno, arg);
        print_registers(&pe->current->ctx);
    }
    stop();
    for (;;)
        ;
}
