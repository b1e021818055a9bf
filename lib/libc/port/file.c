// SPDX-License-Identifier: BSD-2-Clause
// Descriptors of the RAM file system, the terminal and devices: what streams need of them. One lock guards the table and
// the tree; it is not held while a read waits for the terminal or a disk, or a write for the UART.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

struct open_file port_files[FILES];
struct port_lock port_files_lock;

// Only open() makes nodes, so these come with it or not at all (names.c).
#pragma weak ramfs_read
#pragma weak ramfs_write
#pragma weak ramfs_release

void port_files_init(void) {
    port_files[0] = (struct open_file){ .flags = O_RDONLY, .used = true };
    port_files[1] = port_files[2] = (struct open_file){ .flags = O_WRONLY, .used = true };
}

// The open file behind a descriptor, or NULL with EBADF. The lock is held.
struct open_file *port_file_of(int fd) {
    if (fd < 0 || fd >= FILES || !port_files[fd].used) {
        errno = EBADF;
        return NULL;
    }
    return &port_files[fd];
}

int close(int fd) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f == NULL)
        return unlock(-1);
    f->used = false;
    if (f->node != NULL)
        ramfs_release(f->node);
    f->node = NULL;
    return unlock(0);
}

// A disk's transfer waits: the lock is given back meanwhile, and the node stays because it is held open.
static ssize_t move_block(struct open_file *f, char *memory, size_t bytes, bool write) {
    struct node *n = f->node;
    off_t at = f->at;
    n->opens++;
    port_unlock(&port_files_lock);
    ssize_t moved = port_disk_move(n, memory, bytes, at, write);
    port_lock(&port_files_lock);
    if (f->node == n && moved > 0)
        f->at = at + moved;
    ramfs_release(n);
    port_unlock(&port_files_lock);
    return moved;
}

ssize_t read(int fd, void *to, size_t n) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f == NULL || (f->flags & O_ACCMODE) == O_WRONLY)
        return unlock(fail(EBADF));
    ssize_t got = 0;
    switch (type_of(f)) {
    case NODE_CONSOLE:
        port_unlock(&port_files_lock);
        return n == 0 ? 0 : console_line_read(to, n);
    case NODE_DIR: return unlock(fail(EISDIR));
    case NODE_NULL: break;
    case NODE_BLOCK: return move_block(f, to, n, false);
    case NODE_FILE:
        got = ramfs_read(f->node, to, n, f->at);
        if (got > 0)
            f->at += got;
    }
    port_unlock(&port_files_lock);
    return got;
}

ssize_t write(int fd, const void *from, size_t n) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f == NULL || (f->flags & O_ACCMODE) == O_RDONLY)
        return unlock(fail(EBADF));
    ssize_t put = (ssize_t)n;
    switch (type_of(f)) {
    case NODE_CONSOLE:
        port_unlock(&port_files_lock);
        return n == 0 ? 0 : console_put_all(from, n);
    case NODE_DIR: return unlock(fail(EISDIR));
    case NODE_NULL: break;
    case NODE_BLOCK: return move_block(f, (char *)from, n, true);
    case NODE_FILE:
        if (f->flags & O_APPEND)
            f->at = (off_t)f->node->size;
        put = ramfs_write(f->node, from, n, f->at);
        if (put > 0)
            f->at += put;
    }
    port_unlock(&port_files_lock);
    return put;
}

off_t lseek(int fd, off_t offset, int whence) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f == NULL)
        return unlock(-1);
    if (type_of(f) == NODE_CONSOLE)
        return unlock(fail(ESPIPE));
    off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : whence == SEEK_END ? (off_t)f->node->size : -1;
    if (from < 0 || (offset < 0 ? from < -offset : LONG_MAX - from < offset))
        return unlock(fail(EINVAL));
    f->at = from + offset;
    off_t at = f->at;
    port_unlock(&port_files_lock);
    return at;
}

// ---- what a name or a descriptor stands for ---------------------------------------------------------------------------
int port_fill_stat(const struct node *n, struct stat *st) {
    static const mode_t modes[] = {
        [NODE_FILE] = S_IFREG | 0644, [NODE_DIR] = S_IFDIR | 0755, [NODE_CONSOLE] = S_IFCHR | 0666,
        [NODE_NULL] = S_IFCHR | 0666, [NODE_BLOCK] = S_IFBLK | 0600,
    };
    memset(st, 0, sizeof *st);
    st->st_mode = modes[n == NULL ? NODE_CONSOLE : n->type];
    st->st_nlink = 1;
    st->st_blksize = 512;
    if (n != NULL) {
        st->st_ino = (ino_t)n->ino;
        st->st_size = (off_t)n->size;
        st->st_blocks = (blkcnt_t)((n->size + 511) / 512);
        st->st_mtim.tv_sec = (time_t)(n->mtime / 1000000000);
        st->st_mtim.tv_nsec = (long)(n->mtime % 1000000000);
        st->st_atim = st->st_ctim = st->st_mtim;
    }
    return 0;
}

int fstat(int fd, struct stat *st) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    return unlock(f == NULL ? -1 : port_fill_stat(f->node, st));
}

int isatty(int fd) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f != NULL && type_of(f) == NODE_CONSOLE)
        return unlock(1);
    if (f != NULL)
        errno = ENOTTY;
    return unlock(0);
}
