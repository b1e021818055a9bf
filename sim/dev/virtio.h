// SPDX-License-Identifier: BSD-2-Clause
// virtio-mmio version 2 transport with split rings (Virtual I/O Device 1.2, sections 2.7 and 4.2). A device type
// supplies `struct virtio_type`; the transport owns registers, feature negotiation and ring checks.
//
// Whatever the guest writes into registers and rings, the host stays intact: every ring and buffer is checked to lie
// in RAM at every use, chains are bounded by the queue size, and a violation stops the device (DEVICE_NEEDS_RESET)
// with one message on stderr.
#ifndef LINX_SIM_VIRTIO_H
#define LINX_SIM_VIRTIO_H

#include "device.h"

enum { VIRTIO_QUEUES = 2, VIRTIO_QUEUE_MAX = 256 };

enum {                          // device status
    VIRTIO_ACKNOWLEDGE = 1, VIRTIO_DRIVER = 2, VIRTIO_DRIVER_OK = 4, VIRTIO_FEATURES_OK = 8,
    VIRTIO_NEEDS_RESET = 64, VIRTIO_FAILED = 128,
};
#define VIRTIO_F_VERSION_1 (1ull << 32)

struct virtio;

struct virtio_type {
    const char *name;
    uint32_t id;                // DeviceID
    unsigned queues;            // <= VIRTIO_QUEUES
    unsigned config_size;       // bytes of virtio.config that the guest sees
    // The guest rang queue q (ready, device running).
    void (*notify)(struct virtio *v, unsigned q);
    // ---- may be NULL ----
    void (*reset)(struct virtio *v);
    // As in struct device, while the device runs.
    int (*poll_add)(struct virtio *v, struct pollfd *fds, int room, int *timeout_ms);
    void (*poll_done)(struct virtio *v, const struct pollfd *fds, int n);
    void (*close)(struct virtio *v);
};

struct virtio_queue {
    bool ready;
    uint32_t num;
    uint64_t desc, avail, used;         // guest-physical
    uint16_t next_avail, next_used;     // free-running
};

struct virtio {
    struct device dev;                  // dev.state points back here
    const struct virtio_type *type;     // NULL: an empty slot
    void *state;
    uint64_t offered, accepted;         // features
    uint32_t features_sel, driver_sel, queue_sel, status, int_status, config_generation;
    struct virtio_queue queue[VIRTIO_QUEUES];
    uint8_t config[64];
    char name[48];
};

// A descriptor chain taken from a queue: what the device reads, then what it writes. Host pointers into RAM.
struct virtio_part { uint8_t *host; uint64_t pa; uint32_t len; };
struct virtio_chain {
    uint16_t head;
    unsigned nread, nwrite;
    uint64_t read_bytes, write_bytes;
    struct virtio_part part[VIRTIO_QUEUE_MAX];  // nread readable ones, then nwrite writable ones
};

// Fills in the slot's device. type NULL makes an empty slot (DeviceID 0). `state` is the type's own.
void virtio_init(struct virtio *v, unsigned slot, const struct virtio_type *type, void *state, uint64_t features);

bool virtio_running(const struct virtio *v);
// Takes the next available chain: false when there is none or the device broke.
bool virtio_pop(struct virtio *v, unsigned q, struct virtio_chain *c);
// Puts the last popped chain back, unused.
void virtio_unpop(struct virtio *v, unsigned q);
// Returns a chain with `written` bytes stored into its writable part, and interrupts unless the guest declined.
void virtio_push(struct virtio *v, unsigned q, const struct virtio_chain *c, uint32_t written);
// Copies between a buffer and the readable (writable) bytes of a chain from `offset`; returns the bytes copied,
// fewer than len only at the end of the chain.
uint64_t virtio_chain_read(const struct virtio_chain *c, uint64_t offset, void *buf, uint64_t len);
uint64_t virtio_chain_write(struct virtio *v, const struct virtio_chain *c, uint64_t offset, const void *buf,
                            uint64_t len);
// Stops the device until the driver resets it; `why` goes to stderr.
__attribute__((format(printf, 2, 3))) void virtio_break(struct virtio *v, const char *why, ...);

// ---- the devices; NULL with a message on stderr ------------------------------------------------------------------
struct virtio *virtio_blk_new(unsigned slot, const char *file, bool readonly);
// `where`: "stdio", "null" or "file:PATH".
struct virtio *virtio_console_new(unsigned slot, const char *where);

struct net_forward { bool udp; uint32_t host_addr, guest_addr; uint16_t host_port, guest_port; };  // host byte order
enum { NET_FORWARDS = 16 };
struct net_config { bool restricted; unsigned forwards; struct net_forward forward[NET_FORWARDS]; uint8_t mac[6]; };
struct virtio *virtio_net_new(unsigned slot, const struct net_config *cfg);

#endif
