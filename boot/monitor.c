// SPDX-License-Identifier: BSD-2-Clause
// The monitor in ACR0: what only the machine's owner may do, behind `acrc SCT_MAC`, for the kernel alone.
#include "boot/mailbox.h"
#include "kernel/board_info.h"
#include "kernel/task.h"
#include "linx/arch.h"
#include "kernel/symbols.h"
#include "linx/board.h"
#include "trap/fault.h"

void monitor_boot(const void *fdt);
int64_t monitor_dispatch(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t number);

struct board_info board;
struct mailbox mailboxes[LINX_MAX_CORES * LINX_PES_PER_CORE];

static void put(char c) {
    volatile uint8_t *uart = (volatile uint8_t *)(uintptr_t)(board.uart != 0 ? board.uart : BOARD_UART_BASE);
    while ((uart[5] & 0x20) == 0)
        ;
    uart[0] = (uint8_t)c;
}

static void say(const char *s) {
    for (; *s != 0; s++)
        put(*s);
}

_Noreturn static void finish(uint32_t status, uint32_t code) {
    uint64_t at = board.finisher != 0 ? board.finisher : BOARD_FINISHER_BASE;
    *(volatile uint32_t *)(uintptr_t)at = code << 16 | status;
    for (;;)
        ;
}

// Every report of a failure begins here.
static void fail_once(void) {
    static bool failing;
    if (failing)                        // the report or the finisher is what failed: what is out is out
        for (;;)
            __asm__ volatile("bwi zero");
    failing = true;
}

_Noreturn static void fatal(const char *why) {
    fail_once();
    say("\nmonitor: ");
    say(why);
    say("\n");
    finish(FINISHER_FAIL, 1);
}

static void say_number(uint64_t v, unsigned base) {
    char digits[20];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[v % base];
    while ((v /= base) != 0);
    while (n > 0)
        put(digits[--n]);
}

static void say_address(const char *what, uint64_t at) {
    uint64_t offset;
    const char *symbol = symbol_at(at, &offset);
    say(what);
    say("0x");
    say_number(at, 16);
    if (symbol != NULL) {
        say("  ");
        say(symbol);
        say("+0x");
        say_number(offset, 16);
    }
}

#define MONITOR_SSR(offset) ({ uint64_t v_; __asm__ volatile("ssrget %1, ->%0" : "=r"(v_) : "i"(LINX_SSR_BANK(0, offset))); v_; })

// A trap of the monitor itself: as much of the kernel's report (trap/fault_print.c) as needs no memory of a task.
_Noreturn static void fatal_trap(uint64_t trapno, unsigned ring) {
    unsigned trap = trapno & LINX_TRAPNO_NUM_MASK, cause = (unsigned)(trapno >> LINX_TRAPNO_CAUSE_SHIFT) & 0xffffff;
    fail_once();
    say("\nmonitor: trap in ACR0: ");
    say(fault_class_name(trap));
    say("(");
    say(fault_cause_name(trap, cause));
    say(") ");
    say_number(trap, 10);
    say(".");
    say_number(cause, 10);
    say(" arg 0x");
    say_number(MONITOR_SSR(LINX_SSRO_TRAPARG0), 16);
    say(", ring ");
    say_number(ring, 10);
    say_address("\n  BPC ", MONITOR_SSR(LINX_SSRO_EBPC));
    say_address("\n  TPC ", MONITOR_SSR(LINX_SSRO_ETPC));
    say("\n");
    finish(FINISHER_FAIL, 1);
}

void monitor_boot(const void *fdt) {
    const char *bad = fdt_read(fdt, &board);
    if (bad != NULL)
        fatal(bad);
}

static int64_t pe_start(uint64_t lxlcid, uint64_t entry, uint64_t arg) {
    if (lxlcid == 0 || lxlcid >= 64 || !(board.pe_mask >> lxlcid & 1) || entry == 0 || mailboxes[lxlcid].entry != 0)
        return LINX_ERANGE;
    struct mailbox *m = &mailboxes[lxlcid];
    const uint64_t *boot = (const uint64_t *)(uintptr_t)arg;   // {kernel sp, monitor sp}: the head of what arg names
    m->arg = arg;
    m->kernel_sp = boot[0];
    m->monitor_sp = boot[1];
    __atomic_store_n(&m->entry, entry, __ATOMIC_RELEASE);
    *(volatile uint32_t *)(uintptr_t)(board.intc + 2 * lxlcid * INTC_PAGE + INTC_IPI) = 1;
    return LINX_OK;
}

int64_t monitor_dispatch(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t number) {
    uint64_t trapno, ecstate;
    __asm__ volatile("ssrget %1, ->%0" : "=r"(trapno) : "i"(LINX_SSR_BANK(0, LINX_SSRO_TRAPNO)));
    __asm__ volatile("ssrget %1, ->%0" : "=r"(ecstate) : "i"(LINX_SSR_BANK(0, LINX_SSRO_ECSTATE)));
    unsigned ring = ecstate & LINX_CSTATE_ACR_MASK;
    if (ring == LINX_ACR_MONITOR || (trapno & LINX_TRAPNO_NUM_MASK) != LINX_E_SCALL)
        fatal_trap(trapno, ring);
    if (ring == LINX_ACR_TASK)
        return LINX_EPERM;
    switch (number) {
    case LINX_MAC_PUTC:
        put((char)a0);
        return LINX_OK;
    case LINX_MAC_SHUTDOWN:
        finish(a0 == 0 ? FINISHER_PASS : FINISHER_FAIL, a0 == 0 ? 0 : (uint32_t)(a0 & 0xffff));
    case LINX_MAC_PE_START:
        return pe_start(a0, a1, a2);
    case LINX_MAC_FATAL:
        say("machine stopped by the kernel\n");
        finish(FINISHER_FAIL, a0 != 0 ? (uint32_t)(a0 & 0xffff) : 1);
    default:
        return LINX_ENOSYS;
    }
}
