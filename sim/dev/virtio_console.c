// SPDX-License-Identifier: BSD-2-Clause
// virtio-console, one port (Virtual I/O Device 1.2, section 5.3), on the host's standard streams or a file.
#include "virtio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RX = 0, TX = 1 };
struct console { struct virtio v; int in, out; };       // -1 = none

static void put_all(int fd, const uint8_t *p, uint64_t len)
{
    while (len) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            struct pollfd f = {.fd = fd, .events = POLLOUT};
            poll(&f, 1, -1);
            continue;
        }
        if (n <= 0)
            return;                                     // the reader is gone: output is lost, as on a wire
        p += n, len -= (uint64_t)n;
    }
}

static void console_notify(struct virtio *v, unsigned q)
{
    struct console *s = v->state;
    struct virtio_chain c;
    if (q != TX)
        return;                                         // new input buffers are found when input comes
    while (virtio_pop(v, TX, &c)) {
        for (unsigned i = 0; i < c.nread && s->out >= 0; i++)
            put_all(s->out, c.part[i].host, c.part[i].len);
        virtio_push(v, TX, &c, 0);
    }
}

static int console_poll_add(struct virtio *v, struct pollfd *fds, int room, int *timeout_ms)
{
    struct console *s = v->state;
    struct virtio_chain c;
    (void)timeout_ms;
    if (s->in < 0 || room < 1 || !virtio_pop(v, RX, &c))
        return 0;                                       // without a buffer the input waits in the host
    virtio_unpop(v, RX);
    fds[0] = (struct pollfd){.fd = s->in, .events = POLLIN};
    return 1;
}

static void console_poll_done(struct virtio *v, const struct pollfd *fds, int n)
{
    struct console *s = v->state;
    struct virtio_chain c;
    if (n < 1 || !(fds[0].revents & (POLLIN | POLLHUP | POLLERR)) || !virtio_pop(v, RX, &c))
        return;
    uint8_t buf[512];
    uint64_t want = c.write_bytes < sizeof buf ? c.write_bytes : sizeof buf;
    ssize_t got = want ? read(s->in, buf, want) : 0;
    if (got <= 0) {
        if (want && (got == 0 || (errno != EINTR && errno != EAGAIN)))
            s->in = -1;                                 // end of input
        virtio_unpop(v, RX);
        if (!want)
            virtio_break(v, "an input buffer that cannot be written");
        return;
    }
    virtio_chain_write(v, &c, 0, buf, (uint64_t)got);
    virtio_push(v, RX, &c, (uint32_t)got);
}

static void console_close(struct virtio *v)
{
    struct console *s = v->state;
    if (s->out > STDERR_FILENO)
        close(s->out);
    free(s);
}

static const struct virtio_type console_type = {
    .name = "virtio-console", .id = 3, .queues = 2, .config_size = 12, .notify = console_notify,
    .poll_add = console_poll_add, .poll_done = console_poll_done, .close = console_close,
};

struct virtio *virtio_console_new(unsigned slot, const char *where)
{
    int in = -1, out = -1;
    if (!strcmp(where, "stdio")) {
        in = STDIN_FILENO, out = STDOUT_FILENO;
    } else if (!strncmp(where, "file:", 5)) {
        out = open(where + 5, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out < 0) {
            fprintf(stderr, "linx-sim: cannot write %s: %s\n", where + 5, strerror(errno));
            return NULL;
        }
    }
    struct console *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    virtio_init(&s->v, slot, &console_type, s, 0);
    s->in = in, s->out = out;
    return &s->v;
}
