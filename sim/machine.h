// SPDX-License-Identifier: BSD-2-Clause
// The machine: cores x PEs, RAM, board devices, and the options of one run.
#ifndef LINX_SIM_MACHINE_H
#define LINX_SIM_MACHINE_H

#include <stdio.h>

#include "dev/device.h"
#include "linx_forms.h"
#include "linx/board.h"
#include "pe.h"

enum { MAX_PES = LINX_MAX_CORES * LINX_PES_PER_CORE, MAX_DEVICES = 32 };

enum log_kind { LOG_INSN = 1, LOG_TRAP = 2, LOG_TILE = 4, LOG_MEM = 8, LOG_IRQ = 16 };

struct config {
    unsigned cores, pes;            // -smp
    unsigned group_slots;           // --groups 1, 2, 4
    uint64_t ram_base, ram_size;
    const char *kernel, *initrd, *append;
    const char *serial;             // "stdio", "null", "file:F"
    unsigned log;                   // -d, mask of log_kind
    const char *log_file;           // -D, NULL = stderr
    const char *stats_file;
    uint64_t preempt_at, preempt_every;  // 0 = off
    uint64_t preempt_last, preempt_step;    // --preempt-each: last instruction, 0 = off; preempt_at is the next one
    unsigned preempt_pe;            // LXLCID that --preempt-at and --preempt-each mean
    uint64_t dead_pes;              // bit LXLCID: --dead-pe, it never executes anything
    uint64_t max_insns;             // of all PEs together, 0 = no limit
    uint64_t seed, quantum;
    bool strict;
    const char *gdb;                // -gdb/-s, NULL = none
    bool gdb_wait;                  // -S
};

enum sleep_kind { AWAKE, SLEEP_INTERRUPT, SLEEP_EVENT, SLEEP_TIME };

struct stats {                      // per PE
    uint64_t blocks[8];             // per enum block_class
    uint64_t sync_traps[64];        // by TRAPNUM
    uint64_t causes[64][8];         // by TRAPNUM, CAUSE
    uint64_t interrupts[8];         // by IntID
    uint64_t preempted_bodies;      // interrupts taken with a data body in progress
    uint64_t insns_ring[3], insns_body;
};
enum block_class { BC_STD, BC_SYS, BC_FP, BC_TEMPLATE, BC_BODY, BC_TMA, BC_TEPL, BC_CUBE };

struct intc_page { uint8_t enable[32], soft[32]; uint32_t threshold; };
struct intc {
    uint8_t level[32], pending[32], serving[32], edge[32];
    struct intc_page page[MAX_PES][2];
    bool ext[MAX_PES][2];           // EI of (PE, ring): some pending and enabled line
};

struct machine {
    struct config cfg;
    unsigned num_pes;
    struct pe *pe[MAX_PES];
    struct stats stats[MAX_PES];

    uint8_t *ram;
    uint8_t *page_flags;            // per RAM page, enum page_flag
    struct code_page **code;        // per RAM page, decoded code (core/)
    unsigned reservations;          // PEs with a live LR reservation

    struct device *dev[MAX_DEVICES];
    unsigned num_devs;
    struct intc intc;

    struct pe *running;             // the PE whose turn it is
    uint64_t total_insns;
    uint64_t form_count[LINX_NFORMS];   // executed scalar instructions by form (stepping loop only)
    bool preempted_once;            // --preempt-at has struck
    bool copy;                      // made by --preempt-each: leaves without tidying up
    uint64_t now;                   // guest ns at the start of the round
    uint64_t round;                 // scheduling rounds so far
    uint64_t idle_debt;             // ns that the guest was ahead of real time at its last idle step, when a device lives there:
    uint64_t idle_guest, idle_host; // guest and host time of that step
    uint64_t entry, dtb, image_end;
    bool exiting, reset_wanted;
    int status;                     // exit status when exiting
    const char *why;                // abnormal end: reason
    FILE *log;
    struct symbols *syms;
    uint64_t preempt_left[MAX_PES]; // ACR2 instructions until --preempt-every strikes
    uint64_t rng;
    struct shared_bank *bank[LINX_MAX_CORES];  // Shared tiles of each core
    void *gdb_state;
};
enum page_flag { PAGE_HAS_CODE = 1 };

// Builds PEs, RAM and the core devices. NULL with a message on stderr when memory runs out.
struct machine *machine_new(const struct config *cfg);
void machine_free(struct machine *m);
// Loads the image, the initrd and the device tree; false with a message on stderr (the image is bad: exit 2).
bool machine_load(struct machine *m);
void machine_reset(struct machine *m);
// Runs until the machine exits; returns the exit status.
int machine_run(struct machine *m);
// Why and where every PE stands, for an abnormal end.
void machine_dump(const struct machine *m, FILE *to);
bool machine_write_stats(const struct machine *m);

// Physical access of `size` 1, 2, 4, 8 bytes through RAM and devices; false = nothing there or refused.
bool machine_read(struct machine *m, uint64_t pa, unsigned size, uint64_t *value);
bool machine_write(struct machine *m, uint64_t pa, unsigned size, uint64_t value);

// Virtual access with the current ring's view, for debuggers: no faults, no side effects on devices. Returns bytes done.
uint64_t pe_peek(struct pe *pe, uint64_t va, void *buf, uint64_t len);
uint64_t pe_poke(struct pe *pe, uint64_t va, const void *buf, uint64_t len);

// Interrupt controller (core/intc.c) and its device window.
void intc_reset(struct machine *m);
struct device *intc_device(void);
struct device *uart_new(struct machine *m, const char *where);  // NULL with a message
void uart_free(struct device *d);
struct device *finisher_device(bool alias);

// Device tree (core/fdt.c): the blob for this machine, malloced; *size bytes. NULL when libfdt refuses.
void *fdt_build(const struct machine *m, uint64_t initrd, uint64_t initrd_size, size_t *size);

// Symbols (core/elf.c): name of the function or object at or below addr, NULL if none; *off = distance.
const char *symbol_at(const struct machine *m, uint64_t addr, uint64_t *off);
// printf-style line to the log when `kind` is selected.
#define LOGS(m, kind) (__builtin_expect((m)->cfg.log & (kind), 0))
__attribute__((format(printf, 2, 3))) void machine_log(struct machine *m, const char *fmt, ...);

#endif
