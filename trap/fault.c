// SPDX-License-Identifier: BSD-2-Clause
// What a fault leads to: the engine for a task that waited for it, its handler, its end, or a panic.
#include "trap/fault.h"

#include "drivers/console.h"
#include "kernel/life.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/space.h"
#include "trap/fault_handler.h"
#include "trap/monitor_call.h"
#include "trap/wide.h"

OPTIONAL(fault_enter);
extern char wide_guarded_begin[], wide_guarded_end[], wide_guarded_fixup[];

// ---- fixups -------------------------------------------------------------------------------------------------------------------
// What the hardware does for a fall-through block with a fixup label when FUTO lets it (digest 2.9): the block ends before the
// access at fault and goes on at the label. It is in EBPCN (docs/target.md 7.1).
static bool fault_fixup(struct context *c, unsigned num, unsigned cause) {
    bool memory = num == LINX_E_DATA && (cause == LINX_EC_LOAD_ACCESS || cause == LINX_EC_LOAD_PAGE ||
                                         cause == LINX_EC_STORE_ACCESS || cause == LINX_EC_STORE_PAGE);
    bool falls_through = (c->ebarg >> LINX_EBARG_TYPE_SHIFT & 3) == 0;
    if (!memory || !(c->ecstate & LINX_ECSTATE_BI) || in_body(c) || !falls_through || c->ebpcn == 0)
        return false;
    c->ebpc = c->etpc = c->ebpcn;
    c->ebpcn = c->ebarg = 0;
    c->ecstate &= ~(uint64_t)LINX_ECSTATE_BI;
    return true;
}

// ---- tasks --------------------------------------------------------------------------------------------------------------------
void fault_end(struct task *t, const struct linx_fault *f, const char *why) {
    printk("task %d '%s' at fault:\n", t->obj.handle, t->name);
    fault_print(f);
    task_end_with(t, LINX_ENDED_FAULT, (int64_t)f->trap << 24 | f->cause, why);
}

void fault_of_task(struct pe *pe, struct task *t, uint64_t trapno) {
    unsigned num = trapno & LINX_TRAPNO_NUM_MASK, cause = (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff;
    uint64_t arg = ssr_get(SSR1(LINX_SSRO_TRAPARG0));
    if (space_page_in(t, num, cause, arg) || fault_fixup(&t->ctx, num, cause))
        return;
    if (num == LINX_E_DATA && t->fault == NULL && task_stack_guards(t, arg)) {
        task_end_with(t, LINX_ENDED_STACK, 0, "stack overflow");
        return;
    }
    if (num == LINX_E_INST && cause == LINX_EC_PERM && arg <= 1 && !in_body(&t->ctx) &&
        (pe->econfig >> (arg == 0 ? LINX_ECONFIG_V_BIT : LINX_ECONFIG_C_BIT) & 1) != 0 &&
        ((t->ctx.ebarg >> LINX_EBARG_BLOCKTYPE_SHIFT) & 31) == LINX_BT_DATA) {
        if (wide_demand(pe, t, arg == 1))
            return;                     // the block starts again, with the engine
        task_end_with(t, LINX_ENDED_NOMEM, 0, "it cannot have the data engine");
        return;
    }
    struct linx_fault f;
    fault_record(&f, t, &t->ctx, trapno, arg);
    if (in_body(&t->ctx) && pe->wide_owner == t && wide_put_away(pe))
        fault_lanes(&f, t);
    const char *why = t->fault != NULL ? fault_enter(pe, t, &f) : "fault";
    if (why != NULL)
        fault_end(t, &f, why);
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
    if (c == &pe->nested && fault_fixup(c, trapno & LINX_TRAPNO_NUM_MASK, (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff))
        return c;
    panic("trap in the kernel");
}

static void stop(void) {
    console_flush();
    monitor_call(LINX_MAC_FATAL, 1, 0, 0);
    for (;;)
        ;
}

static void print_stopped(const struct task *t, const struct context *c) {
    struct linx_fault f;
    fault_record(&f, t, c, ssr_get(SSR1(LINX_SSRO_TRAPNO)), ssr_get(SSR1(LINX_SSRO_TRAPARG0)));
    fault_print(&f);
    fault_print_registers(c);
}

void panic(const char *what) {
    struct pe *pe = this_pe();
    if (pe->panicking)
        stop();                         // the panic itself failed: what is out is out
    pe->panicking = true;
    console_flush();
    printk("\nPANIC on PE %u: %s\n", pe->lxlcid, what);
    if (pe->nested.ebpc != 0) {
        printk(" in the kernel:\n");
        print_stopped(NULL, &pe->nested);
    }
    if (pe->current != NULL) {
        printk(" current task %d '%s':\n", pe->current->obj.handle, pe->current->name);
        print_stopped(pe->current, &pe->current->ctx);
    }
    stop();
    for (;;)
        ;
}
