// SPDX-License-Identifier: BSD-2-Clause
// virtio-net (Virtual I/O Device 1.2, section 5.1) on libslirp's user-mode network: guest 10.0.2.15, gateway and
// host 10.0.2.2, name server 10.0.2.3, forwarded host ports. The peer lives in real time, so a machine with a network
// device is not deterministic.
#include "virtio.h"

#include <slirp/libslirp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RX = 0, TX = 1, F_MAC = 5, F_STATUS = 16, HEADER = 12, FRAME_MAX = 1514 + 4, WAITING = 64, TIMERS = 4 };

struct frame { uint16_t len; uint8_t data[FRAME_MAX]; };
struct timer { bool used; int64_t expire_ms; SlirpTimerCb cb; void *arg; };     // expire < 0: idle
struct net {
    struct virtio v;
    Slirp *slirp;
    struct frame waiting[WAITING];              // frames for which the guest had no buffer yet, oldest first
    unsigned first, count;
    struct timer timer[TIMERS];
    struct pollfd *fds;                         // during poll_add and poll_done
    const struct pollfd *ready;
    int room, used;
};

// ---- guest side --------------------------------------------------------------------------------------------------

static void deliver(struct net *n)
{
    struct virtio_chain c;
    while (n->count && virtio_pop(&n->v, RX, &c)) {
        struct frame *f = &n->waiting[n->first];
        static const uint8_t header[HEADER] = {[10] = 1};       // no offloads, num_buffers 1
        if (c.write_bytes < HEADER + (uint64_t)f->len) {
            virtio_break(&n->v, "a receive buffer of %llu bytes cannot hold a frame of %u (provide 1526)",
                         (unsigned long long)c.write_bytes, f->len);
            return;
        }
        virtio_chain_write(&n->v, &c, 0, header, HEADER);
        virtio_chain_write(&n->v, &c, HEADER, f->data, f->len);
        virtio_push(&n->v, RX, &c, HEADER + (uint32_t)f->len);
        n->first = (n->first + 1) % WAITING;
        n->count--;
    }
}

static void net_notify(struct virtio *v, unsigned q)
{
    struct net *n = v->state;
    struct virtio_chain c;
    if (q == RX) {
        deliver(n);
        return;
    }
    while (virtio_pop(v, TX, &c)) {
        uint8_t frame[HEADER + FRAME_MAX];
        if (c.read_bytes < HEADER) {
            virtio_break(v, "a frame of %llu bytes to send has no header", (unsigned long long)c.read_bytes);
            return;
        }
        uint64_t len = virtio_chain_read(&c, 0, frame, sizeof frame) - HEADER;
        if (c.read_bytes <= sizeof frame && len >= 14)          // others are no Ethernet frames: lost
            slirp_input(n->slirp, frame + HEADER, (int)len);
        virtio_push(v, TX, &c, 0);
    }
}

static void net_reset(struct virtio *v)
{
    struct net *n = v->state;
    n->first = n->count = 0;
}

// ---- slirp side --------------------------------------------------------------------------------------------------

static ssize_t on_packet(const void *buf, size_t len, void *opaque)
{
    struct net *n = opaque;
    if (len > FRAME_MAX || n->count == WAITING || !virtio_running(&n->v))
        return (ssize_t)len;                                    // dropped; the peer sends it again
    struct frame *f = &n->waiting[(n->first + n->count++) % WAITING];
    f->len = (uint16_t)len;
    memcpy(f->data, buf, len);
    deliver(n);
    return (ssize_t)len;
}
static void on_guest_error(const char *msg, void *opaque)
{
    struct net *n = opaque;
    fprintf(stderr, "linx-sim: %s: %s\n", n->v.dev.name, msg);
}
static int64_t clock_ns(void *opaque)
{
    struct timespec t;
    (void)opaque;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}
static void *on_timer_new(SlirpTimerCb cb, void *arg, void *opaque)
{
    struct net *n = opaque;
    for (int i = 0; i < TIMERS; i++)
        if (!n->timer[i].used) {
            n->timer[i] = (struct timer){true, -1, cb, arg};
            return &n->timer[i];
        }
    return NULL;
}
static void on_timer_free(void *timer, void *opaque)
{
    (void)opaque;
    if (timer)
        ((struct timer *)timer)->used = false;
}
static void on_timer_mod(void *timer, int64_t expire_ms, void *opaque)
{
    (void)opaque;
    if (timer)
        ((struct timer *)timer)->expire_ms = expire_ms;
}
static void on_poll_fd(int fd, void *opaque) { (void)fd, (void)opaque; }
static void on_notify(void *opaque) { (void)opaque; }

static int slirp_add_fd(int fd, int events, void *opaque)
{
    struct net *n = opaque;
    if (n->used == n->room)
        return -1;
    n->fds[n->used] = (struct pollfd){.fd = fd, .events = (short)((events & SLIRP_POLL_IN ? POLLIN : 0) |
        (events & SLIRP_POLL_OUT ? POLLOUT : 0) | (events & SLIRP_POLL_PRI ? POLLPRI : 0))};
    return n->used++;
}
static int slirp_revents(int index, void *opaque)
{
    struct net *n = opaque;
    int r = index >= 0 && index < n->used ? n->ready[index].revents : 0;
    return (r & POLLIN ? SLIRP_POLL_IN : 0) | (r & POLLOUT ? SLIRP_POLL_OUT : 0) | (r & POLLPRI ? SLIRP_POLL_PRI : 0) |
           (r & POLLERR ? SLIRP_POLL_ERR : 0) | (r & POLLHUP ? SLIRP_POLL_HUP : 0);
}

static int net_poll_add(struct virtio *v, struct pollfd *fds, int room, int *timeout_ms)
{
    struct net *n = v->state;
    uint32_t timeout = *timeout_ms < 0 ? UINT32_MAX : (uint32_t)*timeout_ms;
    n->fds = fds, n->room = room, n->used = 0;
    slirp_pollfds_fill(n->slirp, &timeout, slirp_add_fd, n);
    int64_t now = clock_ns(n) / 1000000;
    for (int i = 0; i < TIMERS; i++)
        if (n->timer[i].used && n->timer[i].expire_ms >= 0) {
            int64_t left = n->timer[i].expire_ms > now ? n->timer[i].expire_ms - now : 0;
            timeout = left < timeout ? (uint32_t)left : timeout;
        }
    if (timeout <= INT32_MAX && (*timeout_ms < 0 || (int)timeout < *timeout_ms))
        *timeout_ms = (int)timeout;
    return n->used;
}

static void net_poll_done(struct virtio *v, const struct pollfd *fds, int count)
{
    struct net *n = v->state;
    n->ready = fds, n->used = count;
    slirp_pollfds_poll(n->slirp, 0, slirp_revents, n);
    int64_t now = clock_ns(n) / 1000000;
    for (int i = 0; i < TIMERS; i++)
        if (n->timer[i].used && n->timer[i].expire_ms >= 0 && n->timer[i].expire_ms <= now) {
            n->timer[i].expire_ms = -1;
            n->timer[i].cb(n->timer[i].arg);
        }
    deliver(n);
}

static void net_close(struct virtio *v)
{
    struct net *n = v->state;
    slirp_cleanup(n->slirp);
    free(n);
}

static const struct virtio_type net_type = {
    .name = "virtio-net", .id = 1, .queues = 2, .config_size = 8, .notify = net_notify, .reset = net_reset,
    .poll_add = net_poll_add, .poll_done = net_poll_done, .close = net_close,
};

struct virtio *virtio_net_new(unsigned slot, const struct net_config *cfg)
{
    static const SlirpCb callbacks = {
        .send_packet = on_packet, .guest_error = on_guest_error, .clock_get_ns = clock_ns, .timer_new = on_timer_new,
        .timer_free = on_timer_free, .timer_mod = on_timer_mod, .register_poll_fd = on_poll_fd,
        .unregister_poll_fd = on_poll_fd, .notify = on_notify,
    };
    const SlirpConfig sc = {
        .version = 1, .restricted = cfg->restricted, .in_enabled = true,
        .vnetwork.s_addr = htonl(0x0a000200), .vnetmask.s_addr = htonl(0xffffff00), .vhost.s_addr = htonl(0x0a000202),
        .vdhcp_start.s_addr = htonl(0x0a00020f), .vnameserver.s_addr = htonl(0x0a000203),
    };
    struct net *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->slirp = slirp_new(&sc, &callbacks, n);
    if (!n->slirp) {
        fprintf(stderr, "linx-sim: -netdev user: libslirp refuses to start\n");
        free(n);
        return NULL;
    }
    for (unsigned i = 0; i < cfg->forwards; i++) {
        const struct net_forward *f = &cfg->forward[i];
        struct in_addr host = {htonl(f->host_addr)}, guest = {htonl(f->guest_addr)};
        if (slirp_add_hostfwd(n->slirp, f->udp, host, f->host_port, guest, f->guest_port) < 0) {
            fprintf(stderr, "linx-sim: hostfwd: host port %u cannot be had (in use, or below 1024 without the right to it)\n",
                    f->host_port);
            slirp_cleanup(n->slirp);
            free(n);
            return NULL;
        }
    }
    virtio_init(&n->v, slot, &net_type, n, 1ull << F_MAC | 1ull << F_STATUS);
    memcpy(n->v.config, cfg->mac, 6);
    n->v.config[6] = 1;                                         // link up
    n->v.dev.realtime = true;
    return &n->v;
}
