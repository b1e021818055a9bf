// SPDX-License-Identifier: BSD-2-Clause
// What a board device is to the machine: a window of physical addresses and an interrupt line. A device sees
// offset, size and its line; refusing an access makes it E_DATA(access fault), never a silent zero.
#ifndef LINX_SIM_DEVICE_H
#define LINX_SIM_DEVICE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

struct device {
    const char *name;           // for messages
    uint64_t base, size;        // physical window, bytes
    unsigned irq;               // interrupt line 1..255, 0 = none
    struct machine *m;          // set by machine_add_device
    void *state;                // the device's own

    // Register access at `offset` (< size), `size` 1, 2, 4 or 8 bytes, naturally aligned. False = refused.
    bool (*read)(struct device *d, uint64_t offset, unsigned size, uint64_t *value);
    bool (*write)(struct device *d, uint64_t offset, unsigned size, uint64_t value);

    // ---- all below may be NULL ----
    void (*reset)(struct device *d);
    // Host input. poll_add appends the descriptors it waits on (at most `room`) and may lower *timeout_ms; returns
    // how many it appended. poll_done sees exactly those after poll(2), and is called even when none is ready.
    int (*poll_add)(struct device *d, struct pollfd *fds, int room, int *timeout_ms);
    void (*poll_done)(struct device *d, const struct pollfd *fds, int n);
    // Guest time (ns) at which it wants `tick`; UINT64_MAX = never.
    uint64_t (*next_event)(struct device *d);
    void (*tick)(struct device *d, uint64_t now);
    // Idle guests wait in real time instead of skipping ahead (a network peer lives in real time).
    bool realtime;
    void (*close)(struct device *d);
};

// ---- what the machine offers to devices ---------------------------------------------------------------------
// Adds a device; false (with a message on stderr) when its window overlaps another. The device must outlive the machine.
bool machine_add_device(struct machine *m, struct device *d);
// Drives interrupt line `line` (1..255); level triggered.
void machine_irq(struct machine *m, unsigned line, bool level);
// RAM behind physical [pa, pa+len) as a host pointer, NULL when any byte of it is not RAM.
void *machine_ram(struct machine *m, uint64_t pa, uint64_t len);
// Must be called after writing through such a pointer (decoded code, reservations).
void machine_wrote(struct machine *m, uint64_t pa, uint64_t len);
// Guest time now, ns.
uint64_t machine_now(const struct machine *m);
// Asks the machine to stop with this exit status (finisher; fatal device errors).
void machine_exit(struct machine *m, int status);

// Command line of devices: called for each -netdev, -device, -drive, -chardev argument (`option` without the dash); false with a message on
// stderr when it cannot be had (the caller exits 2). dev/virtio.c (weak default in core/: refuses).
bool devices_option(struct machine *m, const char *option, const char *arg);
// Called once after all options, before reset: creates what the options asked for, each virtio device in the first
// free slot (BOARD_VIRTIO_BASE + i*BOARD_VIRTIO_STRIDE, line BOARD_VIRTIO_IRQ + i). Slots left over answer as
// empty virtio-mmio slots (DeviceID 0). False with a message on failure.
bool devices_start(struct machine *m);
// Lines for --help about these options.
const char *devices_help(void);

// ---- GDB stub (gdb/), weak default refuses ---------------------------------------------------------------------
// Called before the first instruction when -s or -gdb was given; `where` is like "tcp::1234". Blocks for a client
// when `wait` (-S). False with a message when it cannot listen.
bool gdb_start(struct machine *m, const char *where, bool wait);
// Called by the run loop at every scheduling round and, while gdb_wants_step(), after every instruction of `pe`.
struct pe;
bool gdb_wants_step(struct machine *m);
void gdb_poll(struct machine *m, struct pe *pe);
// The machine has ended with this exit status: tells the client and hangs up.
void gdb_finish(struct machine *m, int status);

#endif
