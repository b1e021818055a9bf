// SPDX-License-Identifier: BSD-2-Clause
// Drives the simulator's virtio devices as a driver would, and as no driver should: registers, rings, hostile rings,
// the network through a forwarded port. usage: dev_test SCRATCH_DIR FUZZ_ROUNDS
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "dev/virtio.h"
#include "linx/board.h"

// ---- a machine with RAM, interrupt lines and nothing else --------------------------------------------------------
enum { RAM_BASE = 0x80000000, RAM_SIZE = 1 << 20, MAX_DEVS = 16 };
struct machine { uint8_t ram[RAM_SIZE]; bool line[256]; struct device *dev[MAX_DEVS]; unsigned devs; uint64_t wrote; };
static struct machine mach;

bool machine_add_device(struct machine *m, struct device *d)
{
    d->m = m;
    m->dev[m->devs++] = d;
    return true;
}
void machine_irq(struct machine *m, unsigned line, bool level) { m->line[line] = level; }
void *machine_ram(struct machine *m, uint64_t pa, uint64_t len)
{
    return pa >= RAM_BASE && pa - RAM_BASE <= RAM_SIZE && len <= RAM_SIZE - (pa - RAM_BASE) ? m->ram + (pa - RAM_BASE) : NULL;
}
void machine_wrote(struct machine *m, uint64_t pa, uint64_t len)
{
    if (!machine_ram(m, pa, len))
        printf("not ok machine_wrote inside RAM: %llx+%llx\n", (unsigned long long)pa, (unsigned long long)len);
    m->wrote += len;
}
uint64_t machine_now(const struct machine *m) { (void)m; return 0; }
void machine_exit(struct machine *m, int status) { (void)m; exit(status); }

// ---- reporting ----------------------------------------------------------------------------------------------------
static const char *test_name;
static bool failed;
static void end_test(void)
{
    if (test_name && !failed)
        printf("ok dev %s\n", test_name);
    fflush(stdout);
    test_name = NULL;
}
static void test(const char *name) { end_test(); test_name = name; failed = false; }
#define CHECK(cond, ...)                                                                     \
    do {                                                                                     \
        if (!(cond) && !failed) {                                                            \
            failed = true;                                                                   \
            printf("not ok dev %s: line %d: %s:", test_name, __LINE__, #cond);               \
            printf(" " __VA_ARGS__);                                                         \
            putchar('\n');                                                                   \
        }                                                                                    \
    } while (0)

// ---- driver side ----------------------------------------------------------------------------------------------------
enum { MAGIC = 0, VERSION = 4, DEVICE_ID = 8, FEATURES = 0x10, FEATURES_SEL = 0x14, DRIVER_FEATURES = 0x20,
       DRIVER_FEATURES_SEL = 0x24, QUEUE_SEL = 0x30, QUEUE_MAX = 0x34, QUEUE_NUM = 0x38, QUEUE_READY = 0x44,
       QUEUE_NOTIFY = 0x50, INT_STATUS = 0x60, INT_ACK = 0x64, STATUS = 0x70, DESC = 0x80, AVAIL = 0x90, USED = 0xa0,
       CONFIG = 0x100 };
static uint32_t rd(struct device *d, unsigned off)
{
    uint64_t v = 0xdead;
    if (!d->read(d, off, 4, &v))
        return 0xbad0bad0;
    return (uint32_t)v;
}
static bool wr(struct device *d, unsigned off, uint32_t v) { return d->write(d, off, 4, v); }

static uint8_t *at(uint64_t pa) { return mach.ram + (pa - RAM_BASE); }
static void p16(uint64_t pa, uint16_t v) { memcpy(at(pa), &v, 2); }
static void p32(uint64_t pa, uint32_t v) { memcpy(at(pa), &v, 4); }
static void p64(uint64_t pa, uint64_t v) { memcpy(at(pa), &v, 8); }
static uint16_t g16(uint64_t pa) { uint16_t v; memcpy(&v, at(pa), 2); return v; }
static uint32_t g32(uint64_t pa) { uint32_t v; memcpy(&v, at(pa), 4); return v; }

struct ring { struct device *d; unsigned q, num; uint64_t desc, avail, used; uint16_t next, seen; };
enum { D_NEXT = 1, D_WRITE = 2 };

static void ring_setup(struct ring *r, struct device *d, unsigned q, unsigned num, uint64_t base)
{
    *r = (struct ring){.d = d, .q = q, .num = num, .desc = base, .avail = base + 0x2000, .used = base + 0x3000};
    memset(at(base), 0, 0x4000);
    wr(d, QUEUE_SEL, q);
    wr(d, QUEUE_NUM, num);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t pa = i == 0 ? r->desc : i == 1 ? r->avail : r->used;
        unsigned reg = i == 0 ? DESC : i == 1 ? AVAIL : USED;
        wr(d, reg, (uint32_t)pa);
        wr(d, reg + 4, (uint32_t)(pa >> 32));
    }
    wr(d, QUEUE_READY, 1);
}
static void desc(struct ring *r, unsigned i, uint64_t pa, uint32_t len, unsigned flags, unsigned next)
{
    p64(r->desc + 16 * i, pa);
    p32(r->desc + 16 * i + 8, len);
    p16(r->desc + 16 * i + 12, (uint16_t)flags);
    p16(r->desc + 16 * i + 14, (uint16_t)next);
}
static void offer(struct ring *r, unsigned head)
{
    p16(r->avail + 4 + 2 * (r->next % r->num), (uint16_t)head);
    p16(r->avail + 2, ++r->next);
}
static void kick(struct ring *r) { wr(r->d, QUEUE_NOTIFY, r->q); }
// Takes one used entry: its length, or -1.
static int64_t take(struct ring *r, unsigned *head)
{
    if (g16(r->used + 2) == r->seen)
        return -1;
    uint64_t e = r->used + 4 + 8 * (r->seen++ % r->num);
    if (head)
        *head = g32(e);
    return g32(e + 4);
}
// Everything up to and including FEATURES_OK with these features; false when the device refuses.
static bool negotiate(struct device *d, uint64_t features)
{
    wr(d, STATUS, 0);
    wr(d, STATUS, 1);
    wr(d, STATUS, 3);
    for (unsigned i = 0; i < 2; i++) {
        wr(d, DRIVER_FEATURES_SEL, i);
        wr(d, DRIVER_FEATURES, (uint32_t)(features >> 32 * i));
    }
    wr(d, STATUS, 11);
    return rd(d, STATUS) == 11;
}
static const uint64_t V1 = 1ull << 32;
static void start(struct device *d) { wr(d, STATUS, 15); }

static struct device *device_with_id(uint32_t id)
{
    for (unsigned i = 0; i < mach.devs; i++)
        if (rd(mach.dev[i], DEVICE_ID) == id)
            return mach.dev[i];
    printf("not ok dev: no device with id %u\n", id);
    exit(1);
}

// ---- registers -------------------------------------------------------------------------------------------------------
static void test_registers(void)
{
    struct device *d = device_with_id(2), *none = device_with_id(0);
    uint64_t v;
    test("registers identify the device");
    CHECK(rd(d, MAGIC) == 0x74726976 && rd(d, VERSION) == 2, "%x %x", rd(d, MAGIC), rd(d, VERSION));
    CHECK(d->base == 0x10001000 && d->irq == 1 && mach.dev[1]->base == 0x10002000 && mach.dev[1]->irq == 2);
    CHECK(rd(d, QUEUE_MAX) == VIRTIO_QUEUE_MAX);
    wr(d, QUEUE_SEL, 1);
    CHECK(rd(d, QUEUE_MAX) == 0);
    CHECK(mach.devs == BOARD_VIRTIO_SLOTS, "%u slots", mach.devs);
    test("registers refuse what the bus must fault");
    CHECK(!d->read(d, MAGIC, 1, &v) && !d->read(d, MAGIC, 8, &v), "access size");
    CHECK(!d->read(d, QUEUE_NOTIFY, 4, &v), "write-only register read");
    CHECK(!d->write(d, MAGIC, 4, 1) && !d->write(d, CONFIG, 4, 1), "read-only register written");
    CHECK(!d->read(d, 0x0d0, 4, &v) && !d->read(d, 0x200, 4, &v), "no register");
    CHECK(!d->read(d, CONFIG + 23, 2, &v), "configuration beyond its end");
    CHECK(d->read(d, CONFIG + 20, 2, &v) && v == 512, "block size by 16 bits");
    test("empty slots answer as such and have no other register");
    CHECK(rd(none, MAGIC) == 0x74726976 && rd(none, DEVICE_ID) == 0);
    CHECK(!none->read(none, STATUS, 4, &v) && !none->write(none, STATUS, 4, 1));
    test("feature negotiation");
    CHECK(!negotiate(d, 0), "VERSION_1 is mandatory");
    CHECK(!negotiate(d, V1 | 1ull << 33), "a feature that was not offered");
    CHECK(negotiate(d, V1));
    wr(d, STATUS, 15);
    CHECK(rd(d, STATUS) == 15);
    wr(d, STATUS, 0);
    CHECK(rd(d, STATUS) == 0);
    wr(d, STATUS, 5);
    CHECK(rd(d, STATUS) & VIRTIO_NEEDS_RESET, "DRIVER_OK before FEATURES_OK: %x", rd(d, STATUS));
    wr(d, STATUS, 0);
}

// ---- disk -------------------------------------------------------------------------------------------------------------
enum { RING = RAM_BASE + 0x10000, BUF = RAM_BASE + 0x40000, HDR = RAM_BASE + 0x80000, ST = RAM_BASE + 0x80100 };

static int blk_request(struct ring *r, uint32_t type, uint64_t sector, uint32_t len, bool write_data)
{
    p32(HDR, type), p32(HDR + 4, 0), p64(HDR + 8, sector);
    *at(ST) = 0xee;
    desc(r, 0, HDR, 16, D_NEXT, len ? 1 : 2);
    desc(r, 1, BUF, len, D_NEXT | (write_data ? D_WRITE : 0), 2);
    desc(r, 2, ST, 1, D_WRITE, 0);
    offer(r, 0);
    kick(r);
    unsigned head = 99;
    if (take(r, &head) < 0 || head != 0)
        return -1;
    return *at(ST);
}

static void test_blk(const char *dir)
{
    struct device *d = device_with_id(2);
    struct ring r;
    char path[4096];
    uint8_t want[4096], got[4096];
    snprintf(path, sizeof path, "%s/disk.img", dir);
    for (unsigned i = 0; i < sizeof want; i++)
        want[i] = (uint8_t)(i * 7 + i / 256);

    test("disk: capacity, write, read back, the file has it");
    negotiate(d, V1 | 1 << 9);
    ring_setup(&r, d, 0, 8, RING);
    start(d);
    CHECK(rd(d, QUEUE_READY) == 1 && rd(d, CONFIG) == 128 && rd(d, CONFIG + 4) == 0, "%u", rd(d, CONFIG));
    memcpy(at(BUF), want, 4096);
    CHECK(blk_request(&r, 1, 3, 4096, false) == 0);
    CHECK(mach.line[1] && rd(d, INT_STATUS) == 1, "no interrupt");
    wr(d, INT_ACK, 1);
    CHECK(!mach.line[1] && rd(d, INT_STATUS) == 0, "acknowledge drops the line");
    memset(at(BUF), 0, 4096);
    CHECK(blk_request(&r, 0, 3, 4096, true) == 0 && !memcmp(at(BUF), want, 4096));
    CHECK(blk_request(&r, 4, 0, 0, false) == 0, "flush");
    int fd = open(path, O_RDONLY);
    CHECK(pread(fd, got, 4096, 3 * 512) == 4096 && !memcmp(got, want, 4096));
    close(fd);

    test("disk: a request over many descriptors, split anywhere");
    p32(HDR, 0), p32(HDR + 4, 0), p64(HDR + 8, 3);
    desc(&r, 0, HDR, 5, D_NEXT, 1);
    desc(&r, 1, HDR + 5, 11, D_NEXT, 2);
    memset(at(BUF), 0, 4096);
    desc(&r, 2, BUF, 100, D_WRITE | D_NEXT, 3);
    desc(&r, 3, BUF + 100, 400, D_WRITE | D_NEXT, 4);
    desc(&r, 4, BUF + 500, 524, D_WRITE | D_NEXT, 5);
    desc(&r, 5, ST, 1, D_WRITE, 0);
    offer(&r, 0);
    kick(&r);
    CHECK(take(&r, NULL) == 1025 && *at(ST) == 0 && !memcmp(at(BUF), want, 1024));

    test("disk: refusals are statuses");
    CHECK(blk_request(&r, 0, 128, 512, true) == 1, "past the end");
    CHECK(blk_request(&r, 0, 127, 1024, true) == 1, "over the end");
    CHECK(blk_request(&r, 0, ~0ull, 512, true) == 1, "sector -1");
    CHECK(blk_request(&r, 0, 0, 100, true) == 1, "part of a sector");
    CHECK(blk_request(&r, 77, 0, 512, true) == 2, "unknown request");
    CHECK(blk_request(&r, 8, 0, 20, true) == 0 && !memcmp(at(BUF), "linx-sim disk", 13), "identity");

    test("disk: no interrupt when the driver declines it");
    wr(d, INT_ACK, 1);
    p16(r.avail, 1);
    CHECK(blk_request(&r, 4, 0, 0, false) == 0 && !mach.line[1]);
    p16(r.avail, 0);

    test("disk: read-only refuses writes");
    struct device *ro = NULL;
    for (unsigned i = 0; i < mach.devs; i++)
        if (rd(mach.dev[i], DEVICE_ID) == 2 && mach.dev[i] != d)
            ro = mach.dev[i];
    wr(ro, FEATURES_SEL, 0);
    CHECK(rd(ro, FEATURES) & 1 << 5);
    negotiate(ro, V1 | 1 << 5);
    ring_setup(&r, ro, 0, 8, RING);
    start(ro);
    CHECK(blk_request(&r, 1, 0, 512, false) == 1 && blk_request(&r, 0, 0, 512, true) == 0);
    wr(ro, STATUS, 0);
    CHECK(!mach.line[ro->irq], "reset drops the line");
}

// ---- hostile rings -----------------------------------------------------------------------------------------------------
static void hostile(const char *what, void (*corrupt)(struct ring *r), bool before_start)
{
    struct device *d = device_with_id(2);
    struct ring r;
    static char name[128];
    end_test();
    snprintf(name, sizeof name, "hostile ring stops the device: %s", what);
    test(name);
    negotiate(d, V1);
    ring_setup(&r, d, 0, 8, RING);
    if (before_start)
        corrupt(&r);
    start(d);
    desc(&r, 0, HDR, 16, D_NEXT, 1);
    desc(&r, 1, ST, 1, D_WRITE, 0);
    p32(HDR, 4);
    if (!before_start) {
        offer(&r, 0);
        corrupt(&r);
    }
    kick(&r);
    CHECK(rd(d, STATUS) & VIRTIO_NEEDS_RESET, "status %x", rd(d, STATUS));
    CHECK(take(&r, NULL) < 0, "it still served the request");
    // A reset brings it back.
    negotiate(d, V1);
    ring_setup(&r, d, 0, 8, RING);
    start(d);
    CHECK(blk_request(&r, 4, 0, 0, false) == 0, "not usable after a reset");
    wr(d, STATUS, 0);
}
static void c_loop(struct ring *r) { desc(r, 1, HDR, 16, D_NEXT, 0); }
static void c_index(struct ring *r) { desc(r, 0, HDR, 16, D_NEXT, 8); }
static void c_head(struct ring *r) { p16(r->avail + 4, 0xffff); }
static void c_avail(struct ring *r) { p16(r->avail + 2, 9); }
static void c_outside(struct ring *r) { desc(r, 1, RAM_BASE + RAM_SIZE - 1, 2, D_WRITE, 0); }
static void c_wrap(struct ring *r) { desc(r, 1, ~0ull - 3, 8, D_WRITE, 0); }
static void c_huge(struct ring *r) { desc(r, 1, RAM_BASE, 0xffffffff, D_WRITE, 0); }
static void c_empty(struct ring *r) { desc(r, 1, ST, 0, D_WRITE, 0); }
static void c_order(struct ring *r) { desc(r, 0, HDR, 16, D_NEXT | D_WRITE, 1); desc(r, 1, ST, 1, 0, 0); }
static void c_indirect(struct ring *r) { desc(r, 0, HDR, 16, 4, 0); }
static void c_short(struct ring *r) { desc(r, 0, HDR, 15, D_NEXT, 1); }
static void c_nostatus(struct ring *r) { desc(r, 0, HDR, 16, 0, 0); }
static void c_queue9(struct ring *r) { wr(r->d, QUEUE_NOTIFY, 9); }
static void c_move(struct ring *r) { wr(r->d, QUEUE_SEL, 0); wr(r->d, DESC, 0x10); }
static void setup_bad(struct ring *r, uint32_t num, unsigned reg, uint32_t low)
{
    wr(r->d, QUEUE_READY, 0);
    wr(r->d, QUEUE_NUM, num);
    if (reg)
        wr(r->d, reg, low);
    wr(r->d, QUEUE_READY, 1);
}
static void c_size0(struct ring *r) { setup_bad(r, 0, 0, 0); }
static void c_size3(struct ring *r) { setup_bad(r, 3, 0, 0); }
static void c_size_max(struct ring *r) { setup_bad(r, 0x80000000, 0, 0); }
static void c_desc_out(struct ring *r) { setup_bad(r, 8, DESC, RAM_BASE + RAM_SIZE - 16); }
static void c_used_misaligned(struct ring *r) { setup_bad(r, 8, USED, RING + 2); }
static void c_avail_device(struct ring *r) { setup_bad(r, 8, AVAIL, 0x10000000); }

static void test_hostile(void)
{
    hostile("descriptors in a loop", c_loop, false);
    hostile("next beyond the table", c_index, false);
    hostile("head beyond the table", c_head, false);
    hostile("more available than the ring holds", c_avail, false);
    hostile("buffer over the end of RAM", c_outside, false);
    hostile("buffer that wraps the address space", c_wrap, false);
    hostile("buffer of 4 GB", c_huge, false);
    hostile("empty buffer", c_empty, false);
    hostile("readable after writable", c_order, false);
    hostile("indirect table", c_indirect, false);
    hostile("request header too short", c_short, false);
    hostile("no room for the status", c_nostatus, false);
    hostile("notification of a queue that is not there", c_queue9, false);
    hostile("ring moved while ready", c_move, false);
    hostile("ring of size 0", c_size0, true);
    hostile("ring of size 3", c_size3, true);
    hostile("ring of 2^31", c_size_max, true);
    hostile("descriptor table over the end of RAM", c_desc_out, true);
    hostile("misaligned used ring", c_used_misaligned, true);
    hostile("available ring in a device", c_avail_device, true);
}

static uint64_t rnd(void)
{
    static uint64_t s = 88172645463325252ull;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s;
}

// Random registers and random rings against every device but the console on stdout: nothing to check but survival (run with sanitizers).
static void test_fuzz(unsigned long rounds)
{
    test("random registers and rings");
    for (unsigned long n = 0; n < rounds; n++) {
        struct device *d = mach.dev[rnd() % 4];
        struct ring r;
        unsigned num = 1u << rnd() % 5;
        negotiate(d, V1);
        unsigned queues = rd(d, DEVICE_ID) == 2 ? 1 : 2;
        for (unsigned q = 0; q < queues; q++) {
            ring_setup(&r, d, q, num, RING + 0x4000 * q);
            // Mostly plausible descriptors; disk writes go nowhere important.
            for (unsigned i = 0; i < num; i++)
                desc(&r, i, rnd() % 16 ? BUF + rnd() % 0x3000 : rnd(), rnd() % 16 ? (uint32_t)(rnd() % 2000) : (uint32_t)rnd(),
                     rnd() % 16 ? rnd() % 4 : (unsigned)rnd(), rnd() % (num + (rnd() % 8 == 0)));
            for (unsigned i = 0; i < num; i++)
                p16(r.avail + 4 + 2 * i, (uint16_t)(rnd() % 32 ? rnd() % num : rnd()));
            p16(r.avail + 2, (uint16_t)(rnd() % (num + 1)));
            p32(BUF + rnd() % 0x3000 / 4 * 4, (uint32_t)(rnd() % 10));
        }
        start(d);
        for (unsigned q = 0; q < queues; q++)
            wr(d, QUEUE_NOTIFY, q);
        if (d->poll_add && rnd() % 8 == 0) {
            struct pollfd fds[64];
            int timeout = 0, k = d->poll_add(d, fds, (int)(rnd() % 64), &timeout);
            poll(fds, (nfds_t)k, 0);
            d->poll_done(d, fds, k);
        }
        for (unsigned i = rnd() % 8; i; i--) {
            uint64_t v, off = rnd() % 5 ? rnd() % 0x110 / 4 * 4 : rnd() % 0x1000;
            unsigned size = 1u << rnd() % 4;
            off &= ~(uint64_t)(size - 1);
            if (rnd() & 1)
                (void)d->read(d, off, size, &v);
            else
                (void)d->write(d, off, rnd() % 4 ? 4 : size, rnd() >> rnd() % 64);
        }
        wr(d, STATUS, 0);
    }
}

// ---- console -------------------------------------------------------------------------------------------------------------
static void poll_once(struct device *d, int wait_ms)
{
    struct pollfd fds[64];
    int timeout = wait_ms, k = d->poll_add(d, fds, 64, &timeout);
    poll(fds, (nfds_t)k, timeout < wait_ms ? timeout : wait_ms);
    d->poll_done(d, fds, k);
}

static void test_console(const char *dir, int input)
{
    struct device *file = NULL, *stdio = NULL;
    struct ring rx, tx;
    char path[4096], text[64] = "";
    for (unsigned i = 0; i < mach.devs; i++)
        if (rd(mach.dev[i], DEVICE_ID) == 3) {
            stdio = file ? mach.dev[i] : stdio;
            file = file ? file : mach.dev[i];
        }
    test("console: output reaches the file");
    negotiate(file, V1);
    ring_setup(&rx, file, 0, 4, RING);
    ring_setup(&tx, file, 1, 4, RING + 0x4000);
    start(file);
    memcpy(at(BUF), "hello, console\n", 15);
    desc(&tx, 0, BUF, 7, D_NEXT, 1);
    desc(&tx, 1, BUF + 7, 8, 0, 0);
    offer(&tx, 0);
    kick(&tx);
    CHECK(take(&tx, NULL) == 0);
    snprintf(path, sizeof path, "%s/console.out", dir);
    int fd = open(path, O_RDONLY);
    CHECK(read(fd, text, sizeof text) == 15 && !memcmp(text, "hello, console\n", 15), "'%s'", text);
    close(fd);

    test("console: input waits for a buffer, then fills it");
    negotiate(stdio, V1);
    ring_setup(&rx, stdio, 0, 4, RING);
    ring_setup(&tx, stdio, 1, 4, RING + 0x4000);
    start(stdio);
    CHECK(write(input, "typed", 5) == 5);
    poll_once(stdio, 10);
    CHECK(take(&rx, NULL) < 0);
    desc(&rx, 2, BUF, 3, D_WRITE | D_NEXT, 3);
    desc(&rx, 3, BUF + 100, 64, D_WRITE, 0);
    offer(&rx, 2);
    kick(&rx);
    poll_once(stdio, 1000);
    unsigned head = 0;
    CHECK(take(&rx, &head) == 5 && head == 2 && !memcmp(at(BUF), "typ", 3) && !memcmp(at(BUF + 100), "ed", 2));
    CHECK(mach.line[stdio->irq]);
    wr(stdio, STATUS, 0);
    wr(file, STATUS, 0);
}

// ---- network: a guest of a hundred lines that answers ARP and echoes one TCP connection ------------------------------------
enum { NET_RX = RAM_BASE + 0x50000, NET_TX = RAM_BASE + 0x70000, GUEST_PORT = 7 };
static struct ring net_rx, net_tx;
static const uint8_t guest_mac[6] = {0x52, 0x54, 0, 1, 2, 3};
static uint8_t peer_mac[6];
static uint32_t tcp_next_seq, tcp_acked;
static unsigned echoed;

static uint32_t sum16(const uint8_t *p, unsigned len, uint32_t sum)
{
    for (unsigned i = 0; i + 1 < len; i += 2)
        sum += (uint32_t)p[i] << 8 | p[i + 1];
    return len & 1 ? sum + ((uint32_t)p[len - 1] << 8) : sum;
}
static uint16_t fold(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
static void be16(uint8_t *p, unsigned v) { p[0] = (uint8_t)(v >> 8), p[1] = (uint8_t)v; }
static void be32(uint8_t *p, uint32_t v) { be16(p, v >> 16), be16(p + 2, v & 0xffff); }
static uint32_t from_be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

static void net_send(const uint8_t *frame, unsigned len)
{
    memset(at(NET_TX), 0, 12);
    memcpy(at(NET_TX + 12), frame, len);
    desc(&net_tx, 0, NET_TX, 12, D_NEXT, 1);
    desc(&net_tx, 1, NET_TX + 12, len, 0, 0);
    offer(&net_tx, 0);
    kick(&net_tx);
    CHECK(take(&net_tx, NULL) == 0, "frame not sent");
}

static void tcp_send(const uint8_t *in_ip, unsigned flags, uint32_t ack, const uint8_t *data, unsigned len)
{
    uint8_t f[14 + 40 + 256] = {0}, *ip = f + 14, *tcp = ip + 20;
    const uint8_t *in_tcp = in_ip + 20;
    memcpy(f, peer_mac, 6), memcpy(f + 6, guest_mac, 6), be16(f + 12, 0x0800);
    ip[0] = 0x45, be16(ip + 2, 40 + len), ip[8] = 64, ip[9] = 6;
    memcpy(ip + 12, in_ip + 16, 4), memcpy(ip + 16, in_ip + 12, 4);
    be16(ip + 10, fold(sum16(ip, 20, 0)));
    memcpy(tcp, in_tcp + 2, 2), memcpy(tcp + 2, in_tcp, 2);
    be32(tcp + 4, tcp_next_seq), be32(tcp + 8, ack);
    tcp[12] = 0x50, tcp[13] = (uint8_t)flags, be16(tcp + 14, 4096);
    if (len)
        memcpy(tcp + 20, data, len);
    be16(tcp + 16, fold(sum16(tcp, 20 + len, sum16(ip + 12, 8, 6 + 20 + len))));
    tcp_next_seq += len + (flags & 2 ? 1 : 0);
    net_send(f, 54 + len);
}

static void guest_frame(const uint8_t *f, unsigned len)
{
    memcpy(peer_mac, f + 6, 6);
    if (len >= 42 && f[12] == 8 && f[13] == 6 && f[21] == 1 && from_be32(f + 38) == 0x0a00020f) {
        uint8_t r[42];
        memcpy(r, f, 42);
        memcpy(r, f + 6, 6), memcpy(r + 6, guest_mac, 6), r[21] = 2;
        memcpy(r + 22, guest_mac, 6), memcpy(r + 28, f + 38, 4), memcpy(r + 32, f + 22, 10);
        net_send(r, 42);
    } else if (len >= 54 && f[12] == 8 && f[13] == 0 && f[23] == 6) {
        const uint8_t *ip = f + 14, *tcp = ip + 20;
        unsigned flags = tcp[13], head = tcp[12] >> 4 << 2;
        unsigned n = ((unsigned)ip[2] << 8 | ip[3]) - 20 - head;
        uint32_t seq = from_be32(tcp + 4);
        CHECK(fold(sum16(tcp, head + n, sum16(ip + 12, 8, 6 + head + n))) == 0, "TCP checksum");
        if (flags & 2) {
            tcp_next_seq = 1000;
            tcp_acked = seq + 1;
            tcp_send(ip, 0x12, tcp_acked, NULL, 0);
        } else if (n && seq == tcp_acked) {
            tcp_acked += n;
            echoed += n;
            tcp_send(ip, 0x18, tcp_acked, tcp + head, n);
        }
    }
}

static void net_rx_buffer(unsigned i)
{
    desc(&net_rx, i, NET_RX + 0x800 * i, 1526, D_WRITE, 0);
    offer(&net_rx, i);
}

static void net_pump(struct device *d, int wait_ms)
{
    poll_once(d, wait_ms);
    unsigned head;
    int64_t n;
    while ((n = take(&net_rx, &head)) >= 0) {
        CHECK(n > 12 && g16(NET_RX + 0x800 * head + 10) == 1, "header of a received frame");
        uint8_t frame[1600];
        memcpy(frame, at(NET_RX + 0x800 * head + 12), (size_t)n - 12);
        net_rx_buffer(head);
        kick(&net_rx);
        guest_frame(frame, (unsigned)n - 12);
    }
}

static int connect_to(const char *addr, unsigned port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, addr, &a.sin_addr);
    if (connect(fd, (struct sockaddr *)&a, sizeof a) < 0 && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

static void test_net(unsigned port)
{
    struct device *d = device_with_id(1);
    test("net: MAC address and link state in the configuration");
    uint64_t v = 0;
    CHECK(d->read(d, CONFIG, 1, &v) && v == 0x52 && d->read(d, CONFIG + 6, 2, &v) && v == 1);
    CHECK(d->realtime, "an idle guest must wait for the network in real time");
    negotiate(d, V1 | 1 << 5 | 1 << 16);
    ring_setup(&net_rx, d, 0, 16, RING);
    ring_setup(&net_tx, d, 1, 16, RING + 0x4000);
    start(d);
    for (unsigned i = 0; i < 16; i++)
        net_rx_buffer(i);
    kick(&net_rx);

    test("net: a forwarded port listens on 127.0.0.1 only");
    int other = connect_to("127.0.0.2", port), err = 0;
    if (other >= 0) {
        struct pollfd p = {.fd = other, .events = POLLOUT};
        socklen_t len = sizeof err;
        poll(&p, 1, 1000);
        getsockopt(other, SOL_SOCKET, SO_ERROR, &err, &len);
        CHECK(err == ECONNREFUSED, "127.0.0.2 answers: %s", strerror(err));
        close(other);
    }

    test("net: a host connection reaches the guest and back");
    int fd = connect_to("127.0.0.1", port);
    CHECK(fd >= 0, "%s", strerror(errno));
    static const char msg[] = "through the rings and back";
    char got[64] = "";
    size_t have = 0;
    bool sent = false;
    struct timespec t0, t;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    do {
        net_pump(d, 20);
        if (!sent)
            sent = send(fd, msg, sizeof msg, MSG_NOSIGNAL) == sizeof msg;
        ssize_t n = recv(fd, got + have, sizeof got - have, 0);
        have += n > 0 ? (size_t)n : 0;
        clock_gettime(CLOCK_MONOTONIC, &t);
    } while (have < sizeof msg && t.tv_sec - t0.tv_sec < 10);
    CHECK(have == sizeof msg && !memcmp(got, msg, have), "%zu of %zu bytes back, guest saw %u", have, sizeof msg, echoed);
    close(fd);
    for (int i = 0; i < 5; i++)
        net_pump(d, 5);

    test("net: a receive buffer that is too small stops the device");
    wr(d, STATUS, 0);
    negotiate(d, V1);
    ring_setup(&net_rx, d, 0, 16, RING);
    ring_setup(&net_tx, d, 1, 16, RING + 0x4000);
    start(d);
    desc(&net_rx, 0, NET_RX, 20, D_WRITE, 0);
    offer(&net_rx, 0);
    fd = connect_to("127.0.0.1", port);
    for (int i = 0; i < 20 && !(rd(d, STATUS) & VIRTIO_NEEDS_RESET); i++)
        poll_once(d, 50);
    CHECK(rd(d, STATUS) & VIRTIO_NEEDS_RESET);
    close(fd);
    wr(d, STATUS, 0);
}

// ---- options -----------------------------------------------------------------------------------------------------------------
static void test_options(void)
{
    test("options: what cannot be had is refused");
    CHECK(!devices_option(&mach, "-netdev", "tap,id=x"));
    CHECK(!devices_option(&mach, "-netdev", "user,id=x,hostfwd=tcp:5555"));
    CHECK(!devices_option(&mach, "-netdev", "user,id=x,hostfwd=tcp::70000-:80"));
    CHECK(!devices_option(&mach, "-netdev", "user,id=n0"), "an id twice");
    CHECK(!devices_option(&mach, "-drive", "id=x"));
    CHECK(!devices_option(&mach, "-drive", "file=a,id=x,format=qcow2"));
    CHECK(!devices_option(&mach, "-chardev", "file,id=x"));
    CHECK(!devices_option(&mach, "-device", "virtio-gpu-device"));
    CHECK(!devices_option(&mach, "-device", "virtio-blk-device"));
    CHECK(!devices_option(&mach, "-device", "virtio-net-device,mac=01:00:00:00:00:00"));
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: dev_test SCRATCH_DIR FUZZ_ROUNDS\n"), 2;
    const char *dir = argv[1];
    char arg[5000], path[4096];
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, i ? "%s/ro,.img" : "%s/disk.img", dir);
        int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || ftruncate(fd, 128 * 512) < 0)
            return perror(path), 2;
        close(fd);
    }
    int pipe_in[2];
    if (pipe(pipe_in) < 0 || dup2(pipe_in[0], 0) < 0)
        return perror("pipe"), 2;
    // A free host port: bind to 0, look, let go.
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    if (bind(probe, (struct sockaddr *)&a, len) < 0 || getsockname(probe, (struct sockaddr *)&a, &len) < 0)
        return perror("port"), 2;
    close(probe);
    unsigned port = ntohs(a.sin_port);

    test("options: devices fill the slots in order");
#define OPTION(opt, ...) (snprintf(arg, sizeof arg, __VA_ARGS__), devices_option(&mach, opt, arg))
    CHECK(OPTION("-drive", "file=%s/disk.img,if=none,id=d0,format=raw", dir));
    CHECK(OPTION("-drive", "file=%s/ro,,.img,if=none,id=d1,readonly=on", dir));
    CHECK(OPTION("-chardev", "file,id=c0,path=%s/console.out", dir));
    CHECK(OPTION("-chardev", "stdio,id=c1"));
    CHECK(OPTION("-netdev", "user,id=n0,hostfwd=tcp::%u-:%d", port, GUEST_PORT));
    CHECK(OPTION("-device", "virtio-blk-device,drive=d0"));
    CHECK(OPTION("-device", "virtio-net-device,netdev=n0"));
    CHECK(OPTION("-device", "virtio-serial-device"));
    CHECK(OPTION("-device", "virtconsole,chardev=c0"));
    CHECK(OPTION("-device", "virtio-blk-device,drive=d1"));
    CHECK(OPTION("-device", "virtconsole,chardev=c1"));
    CHECK(devices_start(&mach));
    CHECK(rd(mach.dev[0], DEVICE_ID) == 2 && rd(mach.dev[1], DEVICE_ID) == 1 && rd(mach.dev[2], DEVICE_ID) == 3);
    test_options();
    test_registers();
    test_blk(dir);
    test_hostile();
    test_console(dir, pipe_in[1]);
    test_net(port);
    test_fuzz(strtoul(argv[2], NULL, 0));
    end_test();
    for (unsigned i = 0; i < mach.devs; i++)
        if (mach.dev[i]->close)
            mach.dev[i]->close(mach.dev[i]);
    return 0;
}
