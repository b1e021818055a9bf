// SPDX-License-Identifier: BSD-2-Clause
// Disks behind NODE_BLOCK nodes. Transfers that do not begin or end with a sector read it, and write it back changed; one
// lock keeps others out meanwhile.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/disk.h>

#include "port.h"

#define SECTOR LINX_BLOCK_BYTES

static struct port_lock lock;
static char bounce[SECTOR];             // with the lock

int disk_nodes(void) {
    struct linx_block_info info;
    int n = 0;
    while (n < 26 && linx_block_info((unsigned)n, &info) == LINX_OK) {
        char name[] = "vda";
        name[2] = (char)(name[2] + n);
        struct node *node = port_device_node(name, NODE_BLOCK);
        if (node == NULL)
            return -1;
        node->device = (unsigned)n++;
        node->size = info.sectors * SECTOR;
        node->read_only = info.flags & LINX_BLOCK_READ_ONLY;
    }
    return n;
}

static int64_t move(const struct node *n, uint64_t sector, char *memory, size_t sectors, bool write) {
    return write ? linx_block_write(n->device, sector, memory, sectors) : linx_block_read(n->device, sector, memory, sectors);
}

// Up to `bytes` inside one sector, from `at`.
static int64_t part(const struct node *n, char *memory, size_t bytes, uint64_t at, bool write) {
    size_t skip = at % SECTOR;
    if (bytes > SECTOR - skip)
        bytes = SECTOR - skip;
    int64_t r = linx_block_read(n->device, at / SECTOR, bounce, 1);
    if (r < 0)
        return r;
    memcpy(write ? bounce + skip : memory, write ? memory : bounce + skip, bytes);
    if (write && (r = linx_block_write(n->device, at / SECTOR, bounce, 1)) < 0)
        return r;
    return (int64_t)bytes;
}

ssize_t port_disk_move(const struct node *n, char *memory, size_t bytes, off_t from, bool write) {
    uint64_t at = (uint64_t)from;
    size_t done = 0;
    if (at >= n->size || bytes == 0) {
        errno = ENOSPC;
        return write && bytes != 0 ? -1 : 0;
    }
    if (bytes > n->size - at)
        bytes = n->size - at;
    port_lock(&lock);
    while (done < bytes) {
        int64_t r;
        if (at % SECTOR != 0 || bytes - done < SECTOR) {
            r = part(n, memory + done, bytes - done, at, write);
        } else {
            r = move(n, at / SECTOR, memory + done, (bytes - done) / SECTOR, write);
            if (r > 0)
                r *= SECTOR;
        }
        if (r <= 0) {
            port_unlock(&lock);
            return done != 0 ? (ssize_t)done : port_errno(r);
        }
        done += (size_t)r;
        at += (uint64_t)r;
    }
    port_unlock(&lock);
    return (ssize_t)done;
}
