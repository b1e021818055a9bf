// SPDX-License-Identifier: BSD-2-Clause
// Packets of the GDB remote protocol over one TCP connection.
#include "gdb.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool rsp_listen(struct rsp *r, const char *where)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const char *colon = !strncmp(where, "tcp:", 4) ? strrchr(where, ':') : NULL;
    char host[INET_ADDRSTRLEN], *end;
    long port = colon ? strtol(colon + 1, &end, 10) : -1;
    size_t len = colon && colon > where + 4 ? (size_t)(colon - where - 4) : 0;
    r->listener = r->client = -1;
    if (port < 0 || port > 65535 || *end || !colon[1] || colon < where + 4 || len >= sizeof host) {
        fprintf(stderr, "linx-sim: -gdb %s: want tcp:[ADDRESS]:PORT\n", where);
        return false;
    }
    memcpy(host, where + 4, len);
    host[len] = 0;
    if (len && inet_pton(AF_INET, host, &a.sin_addr) != 1) {
        fprintf(stderr, "linx-sim: -gdb %s: '%s' is not an IPv4 address\n", where, host);
        return false;
    }
    a.sin_port = htons((uint16_t)port);
    socklen_t size = sizeof a;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0 ||
        bind(fd, (struct sockaddr *)&a, size) < 0 || listen(fd, 1) < 0 || getsockname(fd, (struct sockaddr *)&a, &size) < 0) {
        fprintf(stderr, "linx-sim: -gdb %s: cannot listen: %s\n", where, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    fprintf(stderr, "linx-sim: waiting for GDB on %s:%u\n", inet_ntoa(a.sin_addr), ntohs(a.sin_port));
    r->listener = fd;
    return true;
}

void rsp_drop_client(struct rsp *r)
{
    if (r->client >= 0)
        close(r->client);
    r->client = -1;
    r->have = 0;
    r->no_ack = false;
}

static void send_all(struct rsp *r, const char *p, size_t len)
{
    while (len && r->client >= 0) {
        ssize_t n = send(r->client, p, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd f = {.fd = r->client, .events = POLLOUT};
            poll(&f, 1, 1000);
            continue;
        }
        if (n <= 0)
            return;                             // seen as a close by the next read
        p += n, len -= (size_t)n;
    }
}

void rsp_send(struct rsp *r, const char *data, size_t len)
{
    static const char hex[] = "0123456789abcdef";
    char out[2 * RSP_PACKET + 8];
    size_t n = 0;
    unsigned sum = 0;
    out[n++] = '$';
    for (size_t i = 0; i < len && n < sizeof out - 8; i++) {
        char c = data[i];
        if (c == '$' || c == '#' || c == '}' || c == '*') {
            out[n++] = '}';
            sum += '}';
            c ^= 0x20;
        }
        out[n++] = c;
        sum += (unsigned char)c;
    }
    out[n++] = '#';
    out[n++] = hex[sum >> 4 & 15];
    out[n++] = hex[sum & 15];
    send_all(r, out, n);
}

static int hex_digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void consume(struct rsp *r, size_t n)
{
    memmove(r->in, r->in + n, r->have - n);
    r->have -= n;
}

// Takes one event out of what has been received.
static enum rsp_event parse(struct rsp *r)
{
    while (r->have) {
        if (r->in[0] == 3) {
            consume(r, 1);
            return RSP_INTERRUPT;
        }
        if (r->in[0] != '$') {                  // acknowledgements, noise
            consume(r, 1);
            continue;
        }
        uint8_t *hash = memchr(r->in, '#', r->have);
        if (!hash || hash + 2 >= r->in + r->have)
            break;                              // not complete yet
        unsigned sum = 0;
        size_t len = 0;
        for (uint8_t *p = r->in + 1; p < hash; p++) {
            uint8_t c = *p;
            sum += c;
            if (c == '}' && p + 1 < hash) {
                sum += *++p;
                c = *p ^ 0x20;
            }
            if (len < RSP_PACKET)
                r->packet[len++] = (char)c;
        }
        bool good = hex_digit(hash[1]) == (int)(sum >> 4 & 15) && hex_digit(hash[2]) == (int)(sum & 15);
        consume(r, (size_t)(hash - r->in) + 3);
        if (!r->no_ack)
            send_all(r, good ? "+" : "-", 1);
        if (!good)
            continue;
        r->packet[len] = 0;
        r->packet_len = len;
        return RSP_GOT_PACKET;
    }
    if (r->have == sizeof r->in)                // a packet that can never become complete
        r->have = 0;
    return RSP_NONE;
}

enum rsp_event rsp_next(struct rsp *r, bool wait)
{
    for (;;) {
        enum rsp_event e = r->client >= 0 ? parse(r) : RSP_NONE;
        if (e != RSP_NONE)
            return e;
        struct pollfd f = {.fd = r->client >= 0 ? r->client : r->listener, .events = POLLIN};
        int n = poll(&f, 1, wait ? -1 : 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return RSP_NONE;
        if (r->client < 0) {
            int one = 1;
            r->client = accept(r->listener, NULL, NULL);
            if (r->client < 0)
                continue;
            fcntl(r->client, F_SETFL, O_NONBLOCK);
            fcntl(r->client, F_SETFD, FD_CLOEXEC);
            setsockopt(r->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            return RSP_CONNECTED;
        }
        ssize_t got = recv(r->client, r->in + r->have, sizeof r->in - r->have, 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0) {
            rsp_drop_client(r);
            return RSP_CLOSED;
        }
        r->have += (size_t)got;
    }
}
