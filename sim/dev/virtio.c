// SPDX-License-Identifier: BSD-2-Clause
// virtio-mmio registers and split rings.
#include "virtio.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "linx/board.h"

enum {                          // registers, Virtual I/O Device 1.2 section 4.2.2
    R_MAGIC = 0x000, R_VERSION = 0x004, R_DEVICE_ID = 0x008, R_VENDOR_ID = 0x00c,
    R_DEVICE_FEATURES = 0x010, R_DEVICE_FEATURES_SEL = 0x014, R_DRIVER_FEATURES = 0x020, R_DRIVER_FEATURES_SEL = 0x024,
    R_QUEUE_SEL = 0x030, R_QUEUE_NUM_MAX = 0x034, R_QUEUE_NUM = 0x038, R_QUEUE_READY = 0x044, R_QUEUE_NOTIFY = 0x050,
    R_INTERRUPT_STATUS = 0x060, R_INTERRUPT_ACK = 0x064, R_STATUS = 0x070,
    R_QUEUE_DESC = 0x080, R_QUEUE_DRIVER = 0x090, R_QUEUE_DEVICE = 0x0a0,   // low word, then high word
    R_SHM_SEL = 0x0ac, R_SHM_LEN = 0x0b0, R_SHM_BASE = 0x0b8, R_CONFIG_GENERATION = 0x0fc, R_CONFIG = 0x100,
};
enum { INT_USED = 1, INT_CONFIG = 2 };
enum { DESC_NEXT = 1, DESC_WRITE = 2, DESC_INDIRECT = 4, AVAIL_NO_INTERRUPT = 1 };

static void update_irq(struct virtio *v)
{
    machine_irq(v->dev.m, v->dev.irq, v->int_status != 0);
}

void virtio_break(struct virtio *v, const char *why, ...)
{
    if (v->status & VIRTIO_NEEDS_RESET)
        return;
    va_list ap;
    va_start(ap, why);
    fprintf(stderr, "linx-sim: %s at 0x%llx stops until the driver resets it: ", v->dev.name,
            (unsigned long long)v->dev.base);
    vfprintf(stderr, why, ap);
    fputc('\n', stderr);
    va_end(ap);
    v->status |= VIRTIO_NEEDS_RESET;
    if (v->status & VIRTIO_DRIVER_OK) {
        v->int_status |= INT_CONFIG;
        update_irq(v);
    }
}

bool virtio_running(const struct virtio *v)
{
    return (v->status & (VIRTIO_DRIVER_OK | VIRTIO_NEEDS_RESET | VIRTIO_FAILED)) == VIRTIO_DRIVER_OK;
}

// ---- rings ------------------------------------------------------------------------------------------------------

static uint8_t *ram(struct virtio *v, uint64_t pa, uint64_t len)
{
    return len && pa + len > pa ? machine_ram(v->dev.m, pa, len) : NULL;
}
static uint64_t get_le(const uint8_t *p, unsigned bytes)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < bytes; i++)
        x |= (uint64_t)p[i] << 8 * i;
    return x;
}
static void put_le(uint8_t *p, uint64_t x, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(x >> 8 * i);
}

// The three areas of a ready queue, looked up at each use because nothing stops a guest from playing with them.
struct rings { uint8_t *desc, *avail, *used; };
static bool rings_of(struct virtio *v, const struct virtio_queue *q, struct rings *r)
{
    r->desc = ram(v, q->desc, 16ull * q->num);
    r->avail = ram(v, q->avail, 6 + 2ull * q->num);
    r->used = ram(v, q->used, 6 + 8ull * q->num);
    return r->desc && r->avail && r->used;
}

static void queue_enable(struct virtio *v, unsigned n)
{
    struct virtio_queue *q = &v->queue[n];
    struct rings r;
    if (!q->num || q->num > VIRTIO_QUEUE_MAX || q->num & (q->num - 1))
        virtio_break(v, "queue %u: size %u is not a power of two up to %d", n, q->num, VIRTIO_QUEUE_MAX);
    else if (q->desc % 16 || q->avail % 2 || q->used % 4)
        virtio_break(v, "queue %u: misaligned rings 0x%llx 0x%llx 0x%llx (want 16, 2, 4)", n, (unsigned long long)q->desc,
                     (unsigned long long)q->avail, (unsigned long long)q->used);
    else if (!rings_of(v, q, &r))
        virtio_break(v, "queue %u: rings 0x%llx 0x%llx 0x%llx are not all in RAM", n, (unsigned long long)q->desc,
                     (unsigned long long)q->avail, (unsigned long long)q->used);
    else
        q->ready = true;
}

bool virtio_pop(struct virtio *v, unsigned n, struct virtio_chain *c)
{
    struct virtio_queue *q = &v->queue[n];
    struct rings r;
    if (!virtio_running(v) || !q->ready)
        return false;
    if (!rings_of(v, q, &r)) {
        virtio_break(v, "queue %u: rings left RAM", n);
        return false;
    }
    uint16_t waiting = (uint16_t)(get_le(r.avail + 2, 2) - q->next_avail);
    if (!waiting)
        return false;
    if (waiting > q->num) {
        virtio_break(v, "queue %u: %u chains available in a ring of %u", n, waiting, q->num);
        return false;
    }
    unsigned index = (unsigned)get_le(r.avail + 4 + 2 * (q->next_avail & (q->num - 1)), 2);
    *c = (struct virtio_chain){.head = (uint16_t)index};
    for (;;) {
        if (index >= q->num || c->nread + c->nwrite >= q->num) {
            virtio_break(v, index >= q->num ? "queue %u: descriptor number %u out of range"
                                            : "queue %u: chain through descriptor %u is longer than the queue", n, index);
            return false;
        }
        const uint8_t *d = r.desc + 16 * index;
        uint64_t pa = get_le(d, 8);
        uint32_t len = (uint32_t)get_le(d + 8, 4);
        unsigned flags = (unsigned)get_le(d + 12, 2);
        uint8_t *host = ram(v, pa, len);
        if (flags & DESC_INDIRECT || !host || (!(flags & DESC_WRITE) && c->nwrite)) {
            virtio_break(v, "queue %u: descriptor %u (address 0x%llx, length %u, flags %u) %s", n, index,
                         (unsigned long long)pa, len, flags,
                         flags & DESC_INDIRECT ? "is indirect, which was not negotiated"
                         : !host ? "is empty or not in RAM" : "is readable after a writable one");
            return false;
        }
        c->part[c->nread + c->nwrite] = (struct virtio_part){host, pa, len};
        if (flags & DESC_WRITE)
            c->nwrite++, c->write_bytes += len;
        else
            c->nread++, c->read_bytes += len;
        if (!(flags & DESC_NEXT))
            break;
        index = (unsigned)get_le(d + 14, 2);
    }
    q->next_avail++;
    return true;
}

void virtio_unpop(struct virtio *v, unsigned n)
{
    v->queue[n].next_avail--;
}

void virtio_push(struct virtio *v, unsigned n, const struct virtio_chain *c, uint32_t written)
{
    struct virtio_queue *q = &v->queue[n];
    struct rings r;
    if (!q->ready || !rings_of(v, q, &r))
        return;
    unsigned at = 4 + 8 * (q->next_used & (q->num - 1));
    put_le(r.used + at, c->head, 4);
    put_le(r.used + at + 4, written, 4);
    put_le(r.used + 2, ++q->next_used, 2);
    machine_wrote(v->dev.m, q->used, 6 + 8ull * q->num);
    if (!(get_le(r.avail, 2) & AVAIL_NO_INTERRUPT)) {
        v->int_status |= INT_USED;
        update_irq(v);
    }
}

// Visits `len` bytes from `offset` in `count` parts, copying to `to` or from `from`.
static uint64_t chain_copy(struct virtio *v, const struct virtio_part *part, unsigned count, uint64_t offset,
                           uint8_t *to, const uint8_t *from, uint64_t len)
{
    uint64_t done = 0;
    for (unsigned i = 0; i < count && done < len; i++) {
        if (offset >= part[i].len) {
            offset -= part[i].len;
            continue;
        }
        uint64_t n = part[i].len - offset;
        n = n < len - done ? n : len - done;
        if (to) {
            memcpy(to + done, part[i].host + offset, n);
        } else {
            memcpy(part[i].host + offset, from + done, n);
            machine_wrote(v->dev.m, part[i].pa + offset, n);
        }
        done += n;
        offset = 0;
    }
    return done;
}

uint64_t virtio_chain_read(const struct virtio_chain *c, uint64_t offset, void *buf, uint64_t len)
{
    return chain_copy(NULL, c->part, c->nread, offset, buf, NULL, len);
}

uint64_t virtio_chain_write(struct virtio *v, const struct virtio_chain *c, uint64_t offset, const void *buf,
                            uint64_t len)
{
    return chain_copy(v, c->part + c->nread, c->nwrite, offset, NULL, buf, len);
}

// ---- registers --------------------------------------------------------------------------------------------------

static void virtio_reset(struct virtio *v)
{
    v->accepted = 0;
    v->features_sel = v->driver_sel = v->queue_sel = v->status = v->int_status = 0;
    memset(v->queue, 0, sizeof v->queue);
    update_irq(v);
    if (v->type->reset)
        v->type->reset(v);
}

static bool config_read(struct virtio *v, uint64_t offset, unsigned size, uint64_t *value)
{
    if (offset + size > v->type->config_size)
        return false;
    *value = get_le(v->config + offset, size);
    return true;
}

static bool virtio_read(struct device *d, uint64_t offset, unsigned size, uint64_t *value)
{
    struct virtio *v = d->state;
    if (offset >= R_CONFIG && v->type)
        return config_read(v, offset - R_CONFIG, size, value);
    if (size != 4 || (!v->type && offset > R_VENDOR_ID))
        return false;
    struct virtio_queue none = {0};
    const struct virtio_queue *q = v->type && v->queue_sel < v->type->queues ? &v->queue[v->queue_sel] : &none;
    switch (offset) {
    case R_MAGIC:             *value = 0x74726976; return true;         // "virt"
    case R_VERSION:           *value = 2; return true;
    case R_DEVICE_ID:         *value = v->type ? v->type->id : 0; return true;
    case R_VENDOR_ID:         *value = 0x584e494c; return true;         // "LINX"
    case R_DEVICE_FEATURES:   *value = v->features_sel < 2 ? (uint32_t)(v->offered >> 32 * v->features_sel) : 0; return true;
    case R_QUEUE_NUM_MAX:     *value = q == &none ? 0 : VIRTIO_QUEUE_MAX; return true;
    case R_QUEUE_READY:       *value = q->ready; return true;
    case R_INTERRUPT_STATUS:  *value = v->int_status; return true;
    case R_STATUS:            *value = v->status; return true;
    case R_SHM_LEN: case R_SHM_LEN + 4: case R_SHM_BASE: case R_SHM_BASE + 4:
        *value = 0xffffffff;                                            // no shared memory region
        return true;
    case R_CONFIG_GENERATION: *value = v->config_generation; return true;
    default: return false;                                              // write-only or no register
    }
}

static void write_status(struct virtio *v, uint32_t value)
{
    if (!value) {
        virtio_reset(v);
        return;
    }
    value &= VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER | VIRTIO_DRIVER_OK | VIRTIO_FEATURES_OK | VIRTIO_FAILED;
    value |= v->status;                         // only a reset clears bits
    if (!(v->status & VIRTIO_FEATURES_OK) &&
        (v->accepted & ~v->offered || !(v->accepted & VIRTIO_F_VERSION_1)))
        value &= ~(uint32_t)VIRTIO_FEATURES_OK; // the driver reads back and sees the refusal
    if (value & VIRTIO_DRIVER_OK && !(value & VIRTIO_FEATURES_OK)) {
        v->status |= value & ~(uint32_t)VIRTIO_DRIVER_OK;
        virtio_break(v, "DRIVER_OK without FEATURES_OK");
        return;
    }
    v->status = value;
}

static void put_half(uint64_t *reg, bool high, uint64_t value)
{
    *reg = high ? (*reg & 0xffffffff) | value << 32 : (*reg & ~0xffffffffull) | (uint32_t)value;
}

static bool write_queue(struct virtio *v, uint64_t offset, uint64_t value)
{
    if (v->queue_sel >= v->type->queues) {
        virtio_break(v, "set-up of queue %u, which does not exist", v->queue_sel);
        return true;
    }
    struct virtio_queue *q = &v->queue[v->queue_sel];
    if (offset == R_QUEUE_READY) {
        if (!(value & 1))
            q->ready = false;
        else if (!q->ready)
            queue_enable(v, v->queue_sel);
        return true;
    }
    if (q->ready) {
        virtio_break(v, "queue %u: set-up changed while it is ready", v->queue_sel);
        return true;
    }
    switch (offset) {
    case R_QUEUE_NUM: q->num = (uint32_t)value; break;
    case R_QUEUE_DESC: case R_QUEUE_DESC + 4: put_half(&q->desc, offset & 4, value); break;
    case R_QUEUE_DRIVER: case R_QUEUE_DRIVER + 4: put_half(&q->avail, offset & 4, value); break;
    case R_QUEUE_DEVICE: case R_QUEUE_DEVICE + 4: put_half(&q->used, offset & 4, value); break;
    }
    return true;
}

static bool virtio_write(struct device *d, uint64_t offset, unsigned size, uint64_t value)
{
    struct virtio *v = d->state;
    if (size != 4 || !v->type)
        return false;
    switch (offset) {
    case R_DEVICE_FEATURES_SEL: v->features_sel = (uint32_t)value; return true;
    case R_DRIVER_FEATURES_SEL: v->driver_sel = (uint32_t)value; return true;
    case R_DRIVER_FEATURES:
        if (v->status & VIRTIO_FEATURES_OK)
            virtio_break(v, "features changed after FEATURES_OK");
        else if (v->driver_sel < 2)
            put_half(&v->accepted, v->driver_sel, value);
        return true;
    case R_QUEUE_SEL: v->queue_sel = (uint32_t)value; return true;
    case R_QUEUE_NUM: case R_QUEUE_READY:
    case R_QUEUE_DESC: case R_QUEUE_DESC + 4: case R_QUEUE_DRIVER: case R_QUEUE_DRIVER + 4:
    case R_QUEUE_DEVICE: case R_QUEUE_DEVICE + 4:
        return write_queue(v, offset, value);
    case R_QUEUE_NOTIFY:
        if (value >= v->type->queues)
            virtio_break(v, "notification of queue %u, which does not exist", (unsigned)value);
        else if (virtio_running(v) && v->queue[value].ready)
            v->type->notify(v, (unsigned)value);
        return true;
    case R_INTERRUPT_ACK:
        v->int_status &= ~(uint32_t)value;
        update_irq(v);
        return true;
    case R_STATUS: write_status(v, (uint32_t)value); return true;
    case R_SHM_SEL: return true;
    default: return false;                      // read-only or no register
    }
}

// ---- device glue ------------------------------------------------------------------------------------------------

static void device_reset(struct device *d)
{
    struct virtio *v = d->state;
    if (v->type)
        virtio_reset(v);
}
static int device_poll_add(struct device *d, struct pollfd *fds, int room, int *timeout_ms)
{
    struct virtio *v = d->state;
    return v->type->poll_add(v, fds, room, timeout_ms);
}
static void device_poll_done(struct device *d, const struct pollfd *fds, int n)
{
    struct virtio *v = d->state;
    v->type->poll_done(v, fds, n);
}
static void device_close(struct device *d)
{
    struct virtio *v = d->state;
    if (v->type && v->type->close)
        v->type->close(v);
}

void virtio_init(struct virtio *v, unsigned slot, const struct virtio_type *type, void *state, uint64_t features)
{
    *v = (struct virtio){.type = type, .state = state, .offered = features | VIRTIO_F_VERSION_1};
    snprintf(v->name, sizeof v->name, "%s in virtio slot %u", type ? type->name : "nothing", slot);
    v->dev = (struct device){
        .name = v->name, .base = BOARD_VIRTIO_BASE + (uint64_t)slot * BOARD_VIRTIO_STRIDE, .size = BOARD_VIRTIO_STRIDE,
        .irq = BOARD_VIRTIO_IRQ + slot, .state = v, .read = virtio_read, .write = virtio_write,
        .reset = device_reset, .close = device_close,
    };
    if (type && type->poll_add) {
        v->dev.poll_add = device_poll_add;
        v->dev.poll_done = device_poll_done;
    }
}
