// SPDX-License-Identifier: BSD-2-Clause
#include "drivers/virtio_blk.h"

#include "drivers/intc.h"
#include "kernel/board_info.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/sched.h"
#include "kernel/sync.h"
#include "lib/string.h"

enum {                          // registers, as words
    R_MAGIC = 0x000 / 4, R_VERSION = 0x004 / 4, R_DEVICE_ID = 0x008 / 4, R_FEATURES = 0x010 / 4, R_FEATURES_SEL = 0x014 / 4,
    R_ACCEPTED = 0x020 / 4, R_ACCEPTED_SEL = 0x024 / 4, R_QUEUE_SEL = 0x030 / 4, R_QUEUE_NUM_MAX = 0x034 / 4,
    R_QUEUE_NUM = 0x038 / 4, R_QUEUE_READY = 0x044 / 4, R_NOTIFY = 0x050 / 4, R_INTERRUPT = 0x060 / 4, R_ACK = 0x064 / 4,
    R_STATUS = 0x070 / 4, R_DESC = 0x080 / 4, R_AVAIL = 0x090 / 4, R_USED = 0x0a0 / 4, R_CONFIG = 0x100 / 4,
};
enum { MAGIC = 0x74726976, DEVICE_BLOCK = 2 };
enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4, FEATURES_OK = 8, NEEDS_RESET = 64, FAILED = 128 };   // status
enum { F_RO = 1 << 5, F_VERSION_1 = 1 << 0 };   // features; the second in the high word
enum { DESC_NEXT = 1, DESC_WRITE = 2 };         // the device writes it
enum { T_IN = 0, T_OUT = 1 };                   // request types
#define QUEUE  4                // descriptors: header, data, status
#define SECTOR LINX_BLOCK_BYTES

struct descriptor { uint64_t address; uint32_t bytes; uint16_t flags, next; };
struct shared {                 // with the device, at the same physical address
    struct descriptor desc[QUEUE];
    struct { uint16_t flags, index, ring[QUEUE], event; } avail;
    _Alignas(4) struct { uint16_t flags, index; struct { uint32_t id, bytes; } ring[QUEUE]; uint16_t event; } used;
    _Alignas(16) struct { uint32_t type, reserved; uint64_t sector; } header;
    uint8_t status;
    _Alignas(16) char data[LINX_BLOCK_MAX * SECTOR];
};

struct disk {
    struct object waiters;      // the task whose request the device has, and those behind it
    volatile uint32_t *regs;
    struct shared *m;
    uint64_t sectors;
    uint32_t line;
    linx_handle served;         // that task; 0: the device has no request
    uint16_t seen;              // used.index up to here
    bool read_only, failed;
};

static struct disk *disks[BOARD_SLOTS];
static uint32_t count;

static uint64_t physical(const volatile void *p) { return (uint64_t)(uintptr_t)p; }

static void set_address(struct disk *d, unsigned reg, const volatile void *p) {
    d->regs[reg] = (uint32_t)physical(p);
    d->regs[reg + 1] = (uint32_t)(physical(p) >> 32);
}

// From reset to DRIVER_OK (section 3.1.1). False: the device refuses.
static bool start(struct disk *d) {
    volatile uint32_t *r = d->regs;
    r[R_STATUS] = 0;
    r[R_STATUS] = ACKNOWLEDGE;
    r[R_STATUS] = ACKNOWLEDGE | DRIVER;
    r[R_FEATURES_SEL] = 0;
    uint32_t accepted = r[R_FEATURES] & F_RO;
    d->read_only = accepted != 0;
    r[R_ACCEPTED_SEL] = 0;
    r[R_ACCEPTED] = accepted;
    r[R_ACCEPTED_SEL] = 1;
    r[R_ACCEPTED] = F_VERSION_1;
    r[R_STATUS] = ACKNOWLEDGE | DRIVER | FEATURES_OK;
    r[R_QUEUE_SEL] = 0;
    if ((r[R_STATUS] & FEATURES_OK) == 0 || r[R_QUEUE_NUM_MAX] < QUEUE) {
        r[R_STATUS] = FAILED;
        return false;
    }
    r[R_QUEUE_NUM] = QUEUE;
    set_address(d, R_DESC, d->m->desc);
    set_address(d, R_AVAIL, &d->m->avail);
    set_address(d, R_USED, &d->m->used);
    r[R_QUEUE_READY] = 1;
    r[R_STATUS] = ACKNOWLEDGE | DRIVER | FEATURES_OK | DRIVER_OK;
    d->sectors = r[R_CONFIG] | (uint64_t)r[R_CONFIG + 1] << 32;
    return true;
}

// The disk in a slot, if there is one. False: no memory.
static bool look_at(uint64_t base, uint32_t line) {
    volatile uint32_t *regs = (volatile uint32_t *)(uintptr_t)base;
    if (regs[R_MAGIC] != MAGIC || regs[R_VERSION] != 2 || regs[R_DEVICE_ID] != DEVICE_BLOCK)
        return true;
    struct disk *d = kernel_alloc(sizeof *d);
    struct shared *m = d != NULL ? kernel_alloc(sizeof *m) : NULL;
    if (m == NULL) {
        kernel_free(d);
        return false;
    }
    list_init(&d->waiters.waiters);
    d->waiters.type = OBJ_FREE;
    d->regs = regs;
    d->m = m;
    d->line = line;
    d->failed = !start(d);
    disks[count++] = d;
    intc_enable(line);
    return true;
}

// Disk number `disk`, looking for all of them the first time. NULL: there is none, or no memory for one.
static struct disk *find(uint64_t disk) {
    static uint32_t looked;
    while (looked < board.virtio_slots && look_at(board.virtio[looked].base, board.virtio[looked].line))
        looked++;
    return disk < count ? disks[disk] : NULL;
}

int64_t block_info(uint64_t disk, struct linx_block_info *info) {
    const struct disk *d = find(disk);
    if (d == NULL)
        return LINX_ERANGE;
    *info = (struct linx_block_info){ .sectors = d->sectors, .sector_bytes = SECTOR, .flags = d->read_only ? LINX_BLOCK_READ_ONLY : 0 };
    return LINX_OK;
}

// The request of a task's call, as block_transfer let it pass.
static bool is_write(const struct task *t) { return t->ctx.a7 == LINX_SYS_BLOCK_WRITE; }
static uint32_t sectors_of(const struct task *t) { return t->ctx.a3 < LINX_BLOCK_MAX ? (uint32_t)t->ctx.a3 : LINX_BLOCK_MAX; }
static char *buffer_of(const struct task *t) { return (char *)(uintptr_t)t->ctx.a2; }

// Gives the device t's request. False: EFAULT.
static bool submit(struct disk *d, struct task *t) {
    struct shared *m = d->m;
    bool write = is_write(t);
    uint32_t bytes = sectors_of(t) * SECTOR;
    if (write && !copy_from_task(t, m->data, buffer_of(t), bytes))
        return false;
    m->header.type = write ? T_OUT : T_IN;
    m->header.sector = t->ctx.a1;
    m->status = 0xff;
    m->desc[0] = (struct descriptor){ physical(&m->header), sizeof m->header, DESC_NEXT, 1 };
    m->desc[1] = (struct descriptor){ physical(m->data), bytes, write ? DESC_NEXT : DESC_NEXT | DESC_WRITE, 2 };
    m->desc[2] = (struct descriptor){ physical(&m->status), 1, DESC_WRITE, 0 };
    m->avail.ring[m->avail.index % QUEUE] = 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&m->avail.index, (uint16_t)(m->avail.index + 1), __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    d->served = t->obj.handle;
    d->regs[R_NOTIFY] = 0;
    return true;
}

int64_t block_transfer(struct task *t, uint64_t disk, uint64_t sector, uint64_t buffer, uint64_t sectors, bool write) {
    struct disk *d = find(disk);
    if (d == NULL)
        return LINX_ERANGE;
    if (sectors == 0 || sector > d->sectors || sectors > d->sectors - sector)
        return LINX_EINVAL;
    if (write && d->read_only)
        return LINX_EPERM;
    uint32_t bytes = sectors_of(t) * SECTOR;
    if (write ? !task_may_read(t, buffer, bytes) : !task_may_write(t, buffer, bytes))
        return LINX_EFAULT;
    if (d->failed)
        return LINX_EIO;
    if (d->served == 0 && !submit(d, t))
        return LINX_EFAULT;
    sched_wait(t, &d->waiters, LINX_FOREVER);
    return BLOCKED;
}

// The task whose request the device had, if it still waits: it may have been killed, and its handle is nobody else's.
static struct task *served_task(struct disk *d) {
    for (struct list *l = d->waiters.waiters.next; l != &d->waiters.waiters; l = l->next)
        if (task_of(l)->obj.handle == d->served)
            return task_of(l);
    return NULL;
}

static int64_t result_of(struct disk *d, struct task *t) {
    if (d->m->status != 0)
        return LINX_EIO;
    uint32_t sectors = sectors_of(t);
    return is_write(t) || copy_to_task(t, buffer_of(t), d->m->data, sectors * SECTOR) ? sectors : LINX_EFAULT;
}

static void complete(struct disk *d) {
    struct task *t = served_task(d);
    if (t != NULL)
        sched_wake(t, result_of(d, t));
    d->served = 0;
    while (d->served == 0 && !list_empty(&d->waiters.waiters)) {
        t = task_of(d->waiters.waiters.next);
        if (!submit(d, t))
            sched_wake(t, LINX_EFAULT);
    }
}

static void fail(struct disk *d) {
    d->failed = true;
    d->served = 0;
    while (!list_empty(&d->waiters.waiters))
        sched_wake(task_of(d->waiters.waiters.next), LINX_EIO);
}

bool block_interrupt(uint32_t line) {
    for (uint32_t i = 0; i < count; i++) {
        struct disk *d = disks[i];
        if (d->line != line)
            continue;
        d->regs[R_ACK] = d->regs[R_INTERRUPT];
        if (d->regs[R_STATUS] & NEEDS_RESET)
            fail(d);
        while (d->seen != __atomic_load_n(&d->m->used.index, __ATOMIC_ACQUIRE)) {
            d->seen++;
            complete(d);
        }
        return true;
    }
    return false;
}
