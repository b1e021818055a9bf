// SPDX-License-Identifier: BSD-2-Clause
// GDB remote serial protocol: private to gdb/ (the hooks that the run loop calls are in dev/device.h).
// Every PE is a thread; its id is LXLCID + 1.
#ifndef LINX_SIM_GDB_H
#define LINX_SIM_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pe;

// ---- packets (rsp.c) ----
enum { RSP_PACKET = 8192 };             // largest payload
struct rsp {
    int listener, client;               // -1 = none
    bool no_ack;
    uint8_t in[2 * RSP_PACKET];         // received, not yet taken apart
    size_t have;
    char packet[RSP_PACKET + 1];        // payload of the packet in hand, unescaped, NUL appended
    size_t packet_len;
};
enum rsp_event { RSP_NONE, RSP_GOT_PACKET, RSP_INTERRUPT, RSP_CONNECTED, RSP_CLOSED };

// Listens on "tcp:[HOST]:PORT"; no HOST means 127.0.0.1, port 0 any free one. The port goes to stderr. False with a
// message when it cannot.
bool rsp_listen(struct rsp *r, const char *where);
// The next event; waits for one when `wait`.
enum rsp_event rsp_next(struct rsp *r, bool wait);
// Sends one packet of `len` bytes, escaping what must be.
void rsp_send(struct rsp *r, const char *data, size_t len);
void rsp_drop_client(struct rsp *r);

// ---- registers (regs.c) ----
// 64-bit registers in the order of the target description; false when there is no such number.
bool reg_read(struct pe *pe, unsigned n, uint64_t *value);
// False: no such register, or one that a debugger must not write.
bool reg_write(struct pe *pe, unsigned n, uint64_t value);
enum { REG_SP = 1, REG_TPC = 33, REG_G_COUNT = 38 };    // `g` and `G` carry registers 0..REG_G_COUNT-1
// Address of the instruction that `pe` executes next, in a data body too.
uint64_t reg_pc(struct pe *pe);
// The target description as XML.
const char *target_xml(void);

#endif
