// SPDX-License-Identifier: BSD-2-Clause
#include "drivers/console.h"

#include <stdarg.h>

#include "kernel/copy.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/sync.h"
#include "lib/format.h"
#include "trap/monitor_call.h"

// 16550 registers, one byte each
enum { RBR_THR = 0, IER = 1, IIR_FCR = 2, LCR = 3, MCR = 4, LSR = 5 };
#define IER_RX     1
#define IER_TX     2
#define FCR_ENABLE 7
#define LCR_8N1    3
#define LSR_RX     1
#define LSR_THRE   0x20

#define TX_RING 1024            // powers of two
#define TX_LINE 128             // of one call at most
#define RX_RING 256
#define LOG     1024            // kept of the kernel's own lines

static volatile uint8_t *uart;
static struct { char bytes[TX_RING]; uint32_t head, tail; } tx;    // head: next in; tail: next out; head - tail used
static struct { char bytes[RX_RING]; uint32_t head, tail; } rx;
static struct object writers = { .waiters = { &writers.waiters, &writers.waiters } };
static struct object readers = { .waiters = { &readers.waiters, &readers.waiters } };

void console_init(uint64_t base) {
    uart = (volatile uint8_t *)(uintptr_t)base;
    if (uart == NULL)
        return;
    uart[LCR] = LCR_8N1;
    uart[IIR_FCR] = FCR_ENABLE;
    uart[IER] = IER_RX;
}

static void send(char c) {
    if (uart == NULL) {
        monitor_call(LINX_MAC_PUTC, (uint8_t)c, 0, 0);
        return;
    }
    while ((uart[LSR] & LSR_THRE) == 0)
        ;
    uart[RBR_THR] = (uint8_t)c;
}

void console_put(char c) {
    if (uart == NULL) {
        send(c);
        return;
    }
    if (tx.head - tx.tail == TX_RING)
        send(tx.bytes[tx.tail++ % TX_RING]);
    tx.bytes[tx.head++ % TX_RING] = c;
    if (tx.head - tx.tail == 1)
        uart[IER] = IER_RX | IER_TX;
}

void console_flush(void) {
    while (tx.tail != tx.head)
        send(tx.bytes[tx.tail++ % TX_RING]);
}

// All of the bytes, which there is room for. False: they cannot be read.
static bool fill_tx(const struct task *t, const char *bytes, size_t n) {
    bool good = true;
    while (n != 0 && good) {
        uint32_t at = tx.head % TX_RING, k = n < TX_RING - at ? (uint32_t)n : TX_RING - at;
        good = copy_from_task(t, &tx.bytes[at], bytes, k);
        tx.head += good ? k : 0;
        bytes += k;
        n -= k;
    }
    if (uart != NULL)
        uart[IER] = IER_RX | IER_TX;
    return good;
}

static int64_t wait_for(struct task *t, struct object *on, const void *bytes, size_t n, uint64_t timeout) {
    t->wait.io.bytes = (char *)bytes;
    t->wait.io.n = n;
    sched_wait(t, on, timeout);
    return BLOCKED;
}

// A call takes a line's worth of bytes at once or waits behind those who came first: so lines go out unbroken, and
// whoever writes without end has to let others in.
int64_t console_write(struct task *t, const char *bytes, size_t n) {
    if (n > TX_LINE)
        n = TX_LINE;
    if (uart != NULL && (TX_RING - (tx.head - tx.tail) < n || !list_empty(&writers.waiters)))
        return wait_for(t, &writers, bytes, n, LINX_FOREVER);
    bool good = fill_tx(t, bytes, n);
    if (uart == NULL)
        console_flush();
    return good ? (int64_t)n : LINX_EFAULT;
}

static int64_t take_rx(const struct task *t, char *bytes, size_t n) {
    size_t given = 0;
    while (given < n && rx.tail != rx.head) {
        if (!copy_to_task(t, bytes + given, &rx.bytes[rx.tail % RX_RING], 1))
            return LINX_EFAULT;
        rx.tail++;
        given++;
    }
    return (int64_t)given;
}

int64_t console_read(struct task *t, char *bytes, size_t n, uint64_t timeout) {
    if (rx.tail != rx.head)
        return take_rx(t, bytes, n);
    if (timeout == 0)
        return LINX_ETIMEOUT;
    return wait_for(t, &readers, bytes, n, timeout);
}

void console_interrupt(void) {
    while ((uart[LSR] & LSR_RX) != 0) {
        char c = (char)uart[RBR_THR];
        if (rx.head - rx.tail < RX_RING)        // a full ring drops what comes
            rx.bytes[rx.head++ % RX_RING] = c;
    }
    while (rx.tail != rx.head && !list_empty(&readers.waiters)) {
        struct task *t = task_of(readers.waiters.next);
        sched_wake(t, take_rx(t, t->wait.io.bytes, t->wait.io.n));
    }
    for (int burst = 0; burst < 16 && tx.tail != tx.head && (uart[LSR] & LSR_THRE) != 0; burst++)
        uart[RBR_THR] = (uint8_t)tx.bytes[tx.tail++ % TX_RING];
    while (tx.head - tx.tail <= TX_RING / 2 && !list_empty(&writers.waiters)) {
        struct task *t = task_of(writers.waiters.next);
        sched_wake(t, fill_tx(t, t->wait.io.bytes, t->wait.io.n) ? (int64_t)t->wait.io.n : LINX_EFAULT);
    }
    if (tx.tail == tx.head)
        uart[IER] = IER_RX;
}

static struct { char bytes[LOG]; uint32_t used; } kept;      // used: bytes ever written

static void put(void *where, char c) {
    (void)where;
    kept.bytes[kept.used++ % LOG] = c;
    console_put(c);
}

int64_t console_log(const struct task *t, char *bytes, size_t n) {
    uint32_t have = kept.used < LOG ? kept.used : LOG;
    if (n > have)
        n = have;
    for (size_t i = 0; i < n; i++)
        if (!copy_to_task(t, bytes + i, &kept.bytes[(kept.used - n + i) % LOG], 1))
            return LINX_EFAULT;
    return (int64_t)n;
}

void printk(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    format(put, NULL, fmt, args);
    va_end(args);
}
