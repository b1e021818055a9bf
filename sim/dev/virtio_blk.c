// SPDX-License-Identifier: BSD-2-Clause
// virtio-blk on a file (Virtual I/O Device 1.2, section 5.2). Requests complete before the notification returns, so
// runs stay deterministic.
#include "virtio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { F_SEG_MAX = 2, F_RO = 5, F_BLK_SIZE = 6, F_FLUSH = 9 };
enum { T_IN = 0, T_OUT = 1, T_FLUSH = 4, T_GET_ID = 8 };
enum { S_OK = 0, S_IOERR = 1, S_UNSUPP = 2 };
enum { SECTOR = 512, HEADER = 16, ID_BYTES = 20 };

struct blk { struct virtio v; int fd; bool readonly; uint64_t sectors; };

static bool transfer(int fd, bool write, uint8_t *p, uint64_t len, uint64_t at)
{
    while (len) {
        ssize_t n = write ? pwrite(fd, p, len, (off_t)at) : pread(fd, p, len, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n, at += (uint64_t)n, len -= (uint64_t)n;
    }
    return true;
}

// Moves `len` bytes between the file at byte `at` and the chain's readable (write) or writable part from `skip`.
static bool move(struct blk *b, struct virtio_chain *c, bool write, uint64_t skip, uint64_t at, uint64_t len)
{
    const struct virtio_part *p = c->part + (write ? 0 : c->nread);
    for (unsigned i = 0; len; i++) {
        if (skip >= p[i].len) {
            skip -= p[i].len;
            continue;
        }
        uint64_t n = p[i].len - skip < len ? p[i].len - skip : len;
        if (!transfer(b->fd, write, p[i].host + skip, n, at))
            return false;
        if (!write)
            machine_wrote(b->v.dev.m, p[i].pa + skip, n);
        skip = 0, at += n, len -= n;
    }
    return true;
}

// Executes one request; *written = bytes of data stored for the guest.
static uint8_t request(struct blk *b, struct virtio_chain *c, uint32_t type, uint64_t sector, uint32_t *written)
{
    uint64_t len = type == T_OUT ? c->read_bytes - HEADER : c->write_bytes - 1;
    *written = 0;
    switch (type) {
    case T_IN: case T_OUT:
        if (len % SECTOR || sector > b->sectors || len / SECTOR > b->sectors - sector || (type == T_OUT && b->readonly))
            return S_IOERR;
        if (!move(b, c, type == T_OUT, type == T_OUT ? HEADER : 0, sector * SECTOR, len))
            return S_IOERR;
        *written = type == T_IN ? (uint32_t)len : 0;
        return S_OK;
    case T_FLUSH:
        return b->readonly || fdatasync(b->fd) == 0 ? S_OK : S_IOERR;
    case T_GET_ID: {
        static const char id[ID_BYTES] = "linx-sim disk";
        if (len < ID_BYTES)
            return S_IOERR;
        *written = (uint32_t)virtio_chain_write(&b->v, c, 0, id, ID_BYTES);
        return S_OK;
    }
    default:
        return S_UNSUPP;
    }
}

static void blk_notify(struct virtio *v, unsigned q)
{
    struct blk *b = v->state;
    struct virtio_chain c;
    while (virtio_pop(v, q, &c)) {
        uint8_t h[HEADER];
        if (virtio_chain_read(&c, 0, h, HEADER) != HEADER || !c.write_bytes) {
            virtio_break(v, "a request needs a 16-byte header to read and a status byte to write, got %llu and %llu bytes",
                         (unsigned long long)c.read_bytes, (unsigned long long)c.write_bytes);
            return;
        }
        uint32_t type = 0, written;
        uint64_t sector = 0;
        for (int i = 3; i >= 0; i--)
            type = type << 8 | h[i];
        for (int i = 15; i >= 8; i--)
            sector = sector << 8 | h[i];
        uint8_t status = request(b, &c, type, sector, &written);
        virtio_chain_write(v, &c, c.write_bytes - 1, &status, 1);
        virtio_push(v, q, &c, written + 1);
    }
}

static void blk_close(struct virtio *v)
{
    struct blk *b = v->state;
    close(b->fd);
    free(b);
}

static const struct virtio_type blk_type = {
    .name = "virtio-blk", .id = 2, .queues = 1, .config_size = 24, .notify = blk_notify, .close = blk_close,
};

struct virtio *virtio_blk_new(unsigned slot, const char *file, bool readonly)
{
    struct stat st;
    int fd = open(file, (readonly ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        fprintf(stderr, "linx-sim: -drive file=%s: %s%s\n", file, strerror(errno),
                !readonly && (errno == EACCES || errno == EROFS) ? " (readonly=on opens it for reading)" : "");
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (!S_ISREG(st.st_mode) || st.st_size < SECTOR || st.st_size % SECTOR) {
        fprintf(stderr, "linx-sim: -drive file=%s: want a regular file whose size is a positive multiple of %d bytes\n",
                file, SECTOR);
        close(fd);
        return NULL;
    }
    struct blk *b = calloc(1, sizeof *b);
    if (!b) {
        close(fd);
        return NULL;
    }
    virtio_init(&b->v, slot, &blk_type, b,
                1ull << F_SEG_MAX | 1ull << F_BLK_SIZE | 1ull << F_FLUSH | (uint64_t)readonly << F_RO);
    b->fd = fd;
    b->readonly = readonly;
    b->sectors = (uint64_t)st.st_size / SECTOR;
    for (int i = 0; i < 8; i++)
        b->v.config[i] = (uint8_t)(b->sectors >> 8 * i);                // capacity
    b->v.config[12] = VIRTIO_QUEUE_MAX - 2;                             // seg_max
    b->v.config[20] = SECTOR & 0xff, b->v.config[21] = SECTOR >> 8;     // blk_size
    return &b->v;
}
