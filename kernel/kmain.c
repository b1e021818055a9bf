// SPDX-License-Identifier: BSD-2-Clause
// The kernel's first function, in ACR1 on PE 0: builds everything, then leaves through the ordinary way out of a trap,
// into the program's first task.
#include "drivers/console.h"
#include "drivers/intc.h"
#include "kernel/board_info.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/space.h"
#include "trap/wide.h"

#define OBJECTS_DEFAULT  1024           // handles
#define MAIN_PRIORITY    16
#define MAIN_STACK       16384
#define SLICE_DEFAULT    100000         // ns

extern char __image_end[], trap_entry[], kernel_stack_end[], emergency_stack_end[];
extern linx_entry linx_program_start;   // lib/start.c
_Noreturn void trap_return(struct context *c);
_Noreturn void kernel_main(uint64_t lxlcid);

static struct pe boot_pe;

static uint64_t pool_end(uint64_t start) {
    uint64_t end = board.ram + board.ram_bytes;
    if (board.initrd_bytes != 0 && board.initrd >= start && board.initrd < end)
        end = board.initrd;
    return end;
}

static void pe_init(struct pe *pe, uint16_t lxlcid) {
    pe->lxlcid = lxlcid;
    pes[lxlcid] = pe;
    pes_online = pe_bit(pe);
    pe->state = PE_ONLINE;
    pe->stack_top = kernel_stack_end;
    pe->nested.kernel_tp = (uint64_t)(uintptr_t)pe;
    pe->nested.kernel_sp = (uint64_t)(uintptr_t)emergency_stack_end;
    pe->slice_ns = SLICE_DEFAULT;
    pe->next_deadline = LINX_FOREVER;
    pe_registers(pe, trap_entry);
}

void kernel_main(uint64_t lxlcid) {
    struct pe *pe = &boot_pe;
    pe_init(pe, (uint16_t)lxlcid);
    console_init(board.uart);
    uint64_t start = (uint64_t)(uintptr_t)__image_end + SPACE_PRISTINE_BYTES, end = pool_end(start) & ~(uint64_t)(PAGE - 1);
    if (end < start + 65536)
        panic("no RAM behind the image");
    uint64_t kernel_bytes = (end - start) / 4 & ~(uint64_t)4095;
    kernel_pool_init((char *)(uintptr_t)start, kernel_bytes);
    if (!object_table_init(OBJECTS_DEFAULT))
        panic("no memory for the object table");
    space_boot(pe, start + kernel_bytes, end, __image_end, OBJECTS_DEFAULT);
    pe->idle = task_create_idle(pe);
    struct linx_task_attr attr = { .name = "main", .priority = MAIN_PRIORITY, .stack_bytes = MAIN_STACK };
    if (pe->idle == NULL || task_create(pe, NULL, &attr, linx_program_start, NULL) < 0)
        panic("no memory for the first tasks");
    if (board.intc != 0) {
        intc_init(board.intc, pe->lxlcid);
        if (board.uart_irq != 0)
            intc_enable(board.uart_irq);
    }
    wide_set_econfig(pe, ECONFIG_ON | ECONFIG_VC);
    pe->current = pe->idle;
    pe->boot_time = pe->since = time_now();
    smp_boot(pe);
    struct context *first = sched_leave(pe);
    if (smp_active()) {
        space_leave(pe);
        smp_unlock();
    }
    trap_return(first);
}
