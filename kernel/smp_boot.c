// SPDX-License-Identifier: BSD-2-Clause
// Bring-up of the PEs beside PE 0.
#include "drivers/intc.h"
#include "kernel/board_info.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/space.h"
#include "trap/monitor_call.h"
#include "trap/wide.h"

#define KERNEL_STACK     4096
#define EMERGENCY_STACK  1024
#define MONITOR_STACK    1024
#define ANSWER_NS        1000000        // a PE that has not answered by then is left out


// What the monitor hands to a PE that it starts; the first two words are for the monitor (boot/monitor.c).
struct pe_boot {
    uint64_t kernel_sp, monitor_sp;
    struct pe *pe;
};

extern char trap_entry_smp[];
_Noreturn void trap_return(struct context *c);
_Noreturn void smp_start(struct pe_boot *boot);

void pe_registers(struct pe *pe, const char *entry) {
    ssr_set(LINX_SSR_TP, pe);
    ssr_set(SSR1(LINX_SSRO_ETEMP), (uint64_t)(uintptr_t)&pe->nested + CTX_GPR_BYTES);
    ssr_set(SSR1(LINX_SSRO_EVBASE), (uint64_t)(uintptr_t)entry);
    // A fault in a block with a fixup traps: the page may have to be given (trap/fault.c). Other faults go there directly.
    ssr_set(SSR1(LINX_SSRO_FUTO), LINX_FUTO_LF | LINX_FUTO_SF);
    if (pe->space != NULL) {
        ssr_set(LINX_SSR_MMTBASE, pe->space->mmtbase);
        ssr_set(LINX_SSR_MMCONFIG, SPACE_MMCONFIG);
    }
    ssr_set(LINX_SSR_SHWINDOW, 0);              // tasks outside gangs have no Shared register
    pe->group_slots = 1u << (ssr_get(LINX_SSR_LCFR) >> 8 & 15);
}

// Where a started PE begins, in ACR1 with interrupts off. It needs no lock, which PE 0 has until all have started: it goes
// to sleep, and takes part from its first kick on.
void smp_start(struct pe_boot *boot) {
    struct pe *pe = boot->pe;
    pe_registers(pe, trap_entry_smp);
    wide_set_econfig(pe, ECONFIG_ON | ECONFIG_VC);
    pe->boot_time = pe->since = time_now();
    uint32_t expected = PE_STARTING;
    if (!__atomic_compare_exchange_n(&pe->state, &expected, PE_ONLINE, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        for (;;)                                // too late: PE 0 has given it up
            __asm__ volatile("bwi zero");
    trap_return(&pe->idle->ctx);
}

void smp_take_over(struct pe *pe) {
    if (!smp_active() && board.intc != 0) {
        ssr_set(SSR1(LINX_SSRO_EVBASE), (uint64_t)(uintptr_t)trap_entry_smp);
        intc_ipi(pe->lxlcid, LINX_ACR_KERNEL);
    }
}

static struct pe *pe_new(const struct pe *first, uint16_t lxlcid, struct pe_boot *boot) {
    struct pe *pe = kernel_alloc(sizeof *pe);
    char *stacks = kernel_alloc_raw(KERNEL_STACK + EMERGENCY_STACK + MONITOR_STACK);
    if (pe == NULL || stacks == NULL)
        panic("no memory for a PE");
    pe->lxlcid = lxlcid;
    pe->space = &root_space;
    pe->stack_top = stacks + KERNEL_STACK;
    pe->nested.kernel_tp = (uint64_t)(uintptr_t)pe;
    pe->nested.kernel_sp = (uint64_t)(uintptr_t)pe->stack_top + EMERGENCY_STACK;
    pe->slice_ns = first->slice_ns;
    pe->next_deadline = LINX_FOREVER;
    pe->idle = task_create_idle(pe);
    if (pe->idle == NULL || !timeout_grow(pe, first->heap_capacity))
        panic("no memory for a PE");
    pe->current = pe->idle;
    boot->kernel_sp = (uint64_t)(uintptr_t)pe->stack_top;
    boot->monitor_sp = pe->nested.kernel_sp + MONITOR_STACK;
    boot->pe = pe;
    return pe;
}

static bool start(struct pe *pe, struct pe_boot *boot) {
    pe->state = PE_STARTING;
    if (monitor_call(LINX_MAC_PE_START, pe->lxlcid, (uint64_t)(uintptr_t)smp_start, (uint64_t)(uintptr_t)boot) != LINX_OK)
        return false;
    uint64_t limit = time_now() + ANSWER_NS;
    while (__atomic_load_n(&pe->state, __ATOMIC_ACQUIRE) != PE_ONLINE && time_now() < limit)
        ;
    uint32_t expected = PE_STARTING;
    return !__atomic_compare_exchange_n(&pe->state, &expected, PE_ABANDONED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void smp_boot(struct pe *boot_pe) {
    if (board.pes <= 1 || board.intc == 0)
        return;
    smp_lock(boot_pe);
    for (uint32_t i = 0; i < MAX_PES; i++) {
        if (!(board.pe_mask >> i & 1) || i == boot_pe->lxlcid)
            continue;
        struct pe_boot *boot = kernel_alloc(sizeof *boot);      // the PE may come for it late: it stays
        if (boot == NULL)
            panic("no memory for a PE");
        struct pe *pe = pe_new(boot_pe, (uint16_t)i, boot);
        if (start(pe, boot)) {
            pes[i] = pe;
            pes_online |= pe_bit(pe);
            pes_idle |= pe_bit(pe);
        } else {
            printk("PE %u does not answer: left out\n", i);
        }
    }
    if (smp_active())
        pe_registers(boot_pe, trap_entry_smp);
    else
        smp_unlock();
}
