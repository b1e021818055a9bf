// SPDX-License-Identifier: BSD-2-Clause
// The 16550 UART and the test finisher (docs/target.md 5).
#include <errno.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "core.h"

// Register offsets and bits of the 16550.
enum { RBR, IER, IIR, LCR, MCR, LSR, MSR, SCR };
enum { IER_RX = 1, IER_TX = 2, IER_LINE = 4, LCR_DLAB = 0x80, MCR_LOOP = 0x10, FCR_FIFO = 1, FCR_CLEAR_RX = 2 };
enum { LSR_RX = 1, LSR_OVERRUN = 2, LSR_TX_EMPTY = 0x60, IIR_NONE = 1, IIR_TX = 2, IIR_RX = 4, IIR_LINE = 6 };
enum { FIFO = 4096 };       // host input waits here; a real FIFO holds 16

struct uart {
    uint8_t ier, fcr, lcr, mcr, scr, dll, dlm;
    bool tx_event, overrun;
    uint8_t rx[FIFO];
    unsigned head, count;
    int in;                 // descriptor to read from, -1 none
    FILE *out;
    bool restore;
    struct termios saved;
};

static void update(struct device *d)
{
    struct uart *u = d->state;
    bool level = (u->ier & IER_RX && u->count) || (u->ier & IER_TX && u->tx_event) || (u->ier & IER_LINE && u->overrun);
    machine_irq(d->m, d->irq, level);
}

static void receive(struct uart *u, uint8_t c)
{
    if (u->count == FIFO) { u->overrun = true; return; }
    u->rx[(u->head + u->count++) % FIFO] = c;
}

static bool uart_read(struct device *d, uint64_t offset, unsigned size, uint64_t *value)
{
    struct uart *u = d->state;
    if (offset > SCR || size > 4) return false;
    switch (offset) {
    case RBR:
        *value = 0;
        if (u->lcr & LCR_DLAB) *value = u->dll;
        else if (u->count) {
            *value = u->rx[u->head];
            u->head = (u->head + 1) % FIFO;
            u->count--;
        }
        break;
    case IER: *value = u->lcr & LCR_DLAB ? u->dlm : u->ier; break;
    case IIR:
        *value = u->ier & IER_LINE && u->overrun ? IIR_LINE : u->ier & IER_RX && u->count ? IIR_RX
                 : u->ier & IER_TX && u->tx_event ? IIR_TX : IIR_NONE;
        if (*value == IIR_TX) u->tx_event = false;
        if (u->fcr & FCR_FIFO) *value |= 0xc0;
        break;
    case LCR: *value = u->lcr; break;
    case MCR: *value = u->mcr; break;
    case LSR:
        *value = LSR_TX_EMPTY | (u->count ? LSR_RX : 0) | (u->overrun ? LSR_OVERRUN : 0);
        u->overrun = false;
        break;
    case MSR: *value = 0xb0; break;     // carrier, data set ready, clear to send
    case SCR: *value = u->scr; break;
    }
    update(d);
    return true;
}

static bool uart_write(struct device *d, uint64_t offset, unsigned size, uint64_t value)
{
    struct uart *u = d->state;
    uint8_t v = (uint8_t)value;
    if (offset > SCR || size > 4) return false;
    switch (offset) {
    case RBR:
        if (u->lcr & LCR_DLAB) { u->dll = v; break; }
        if (u->mcr & MCR_LOOP) receive(u, v);
        else if (u->out) { fputc(v, u->out); if (v == '\n') fflush(u->out); }
        u->tx_event = true;
        break;
    case IER:
        if (u->lcr & LCR_DLAB) { u->dlm = v; break; }
        if (v & ~u->ier & IER_TX) u->tx_event = true;
        u->ier = v & 15;
        break;
    case IIR:
        u->fcr = v;
        if (v & FCR_CLEAR_RX) u->count = 0;
        break;
    case LCR: u->lcr = v; break;
    case MCR: u->mcr = v; break;
    case SCR: u->scr = v; break;
    default: break;
    }
    update(d);
    return true;
}

static void uart_reset(struct device *d)
{
    struct uart *u = d->state;
    u->ier = u->fcr = u->lcr = u->mcr = u->scr = u->dll = u->dlm = 0;
    u->tx_event = u->overrun = false;
}

static int uart_poll_add(struct device *d, struct pollfd *fds, int room, int *timeout_ms)
{
    struct uart *u = d->state;
    (void)timeout_ms;
    if (u->out) fflush(u->out);
    if (u->in < 0 || u->count == FIFO || room < 1) return 0;
    fds[0] = (struct pollfd){ .fd = u->in, .events = POLLIN };
    return 1;
}

static void uart_poll_done(struct device *d, const struct pollfd *fds, int n)
{
    struct uart *u = d->state;
    uint8_t buf[256];
    if (n < 1 || !(fds[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL))) return;
    size_t room = FIFO - u->count;
    ssize_t got = read(u->in, buf, room < sizeof buf ? room : sizeof buf);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) { u->in = -1; return; }
    for (ssize_t i = 0; i < got; i++) receive(u, buf[i]);
    update(d);
}

static void uart_close(struct device *d)
{
    struct uart *u = d->state;
    if (u->out) fflush(u->out);
    if (u->restore) tcsetattr(STDIN_FILENO, TCSANOW, &u->saved);
    u->restore = false;
}

struct device *uart_new(struct machine *m, const char *where)
{
    struct device *d = calloc(1, sizeof *d);
    struct uart *u = calloc(1, sizeof *u);
    if (!d || !u) { fprintf(stderr, "linx-sim: out of memory\n"); exit(2); }
    (void)m;
    u->in = -1;
    if (!strcmp(where, "stdio") || !strcmp(where, "mon:stdio")) {
        u->out = stdout;
        u->in = STDIN_FILENO;
        if (isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &u->saved) == 0) {
            struct termios raw = u->saved;      // characters at once, no echo; ^C still ends the simulator
            raw.c_lflag &= (tcflag_t)~(ICANON | ECHO);
            u->restore = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
        }
    } else if (!strncmp(where, "file:", 5)) {
        u->out = fopen(where + 5, "w");
        if (!u->out) { fprintf(stderr, "linx-sim: -serial %s: %s\n", where, strerror(errno)); free(u); free(d); return NULL; }
    } else if (strcmp(where, "null") && strcmp(where, "none")) {
        fprintf(stderr, "linx-sim: -serial %s: use stdio, file:NAME or null\n", where);
        free(u);
        free(d);
        return NULL;
    }
    *d = (struct device){ .name = "uart", .base = BOARD_UART_BASE, .size = BOARD_UART_SIZE, .irq = BOARD_UART_IRQ, .state = u,
                          .read = uart_read, .write = uart_write, .reset = uart_reset, .poll_add = uart_poll_add,
                          .poll_done = uart_poll_done, .close = uart_close };
    d->realtime = u->in >= 0 && isatty(u->in);
    return d;
}

// ---- finisher
static bool finisher_read(struct device *d, uint64_t offset, unsigned size, uint64_t *value)
{
    (void)d; (void)size;
    *value = 0;
    return offset == 0;
}

static bool finisher_write(struct device *d, uint64_t offset, unsigned size, uint64_t value)
{
    if (offset != 0 || size < 2) return false;
    unsigned code = size >= 4 ? value >> 16 & 0xffff : 0;
    switch (value & 0xffff) {
    case FINISHER_PASS: machine_exit(d->m, (int)(code & 0xff)); return true;
    case FINISHER_FAIL: machine_exit(d->m, code & 0xff ? (int)(code & 0xff) : 1); return true;
    case FINISHER_RESET: d->m->reset_wanted = true; d->m->exiting = true; return true;
    default: return true;       // other values mean nothing
    }
}

struct device *finisher_device(bool alias)
{
    static struct device dev[2];
    dev[alias] = (struct device){ .name = "finisher", .base = alias ? BOARD_FINISHER_ALIAS : BOARD_FINISHER_BASE,
                                  .size = BOARD_FINISHER_SIZE, .read = finisher_read, .write = finisher_write };
    return &dev[alias];
}
