// SPDX-License-Identifier: BSD-2-Clause
// POSIX file calls: descriptors over the RAM file system, the terminal and devices. One lock guards the table and the
// tree; it is not held while a read waits for the terminal or a write for the UART.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port.h"

#define FILES 64

struct open_file {
    struct node *node;                  // NULL: the terminal that was there from the start (0, 1, 2)
    int flags;
    off_t at;
    bool used;
};
static struct open_file files[FILES];
static struct port_lock lock;

struct __dir {
    struct node *node;
    unsigned long at;                   // entries given
    struct dirent entry;
};

void port_files_init(void) {
    files[0] = (struct open_file){ .flags = O_RDONLY, .used = true };
    files[1] = files[2] = (struct open_file){ .flags = O_WRONLY, .used = true };
}

static int fail(int error) {
    errno = error;
    return -1;
}

static int unlock(int result) {
    port_unlock(&lock);
    return result;
}

// The open file behind a descriptor, or NULL with EBADF. The lock is held.
static struct open_file *file_of(int fd) {
    if (fd < 0 || fd >= FILES || !files[fd].used) {
        errno = EBADF;
        return NULL;
    }
    return &files[fd];
}

static enum node_type type_of(const struct open_file *f) { return f->node == NULL ? NODE_CONSOLE : f->node->type; }

static int open_node(struct node *n, int flags) {
    int fd = 0;
    while (fd < FILES && files[fd].used)
        fd++;
    if (fd == FILES)
        return fail(EMFILE);
    int mode = flags & O_ACCMODE;
    if (n->read_only && mode != O_RDONLY)
        return fail(EROFS);
    if (n->type == NODE_DIR && mode != O_RDONLY)
        return fail(EISDIR);
    if (n->type != NODE_DIR && (flags & O_DIRECTORY))
        return fail(ENOTDIR);
    if ((flags & O_TRUNC) && mode != O_RDONLY && n->type == NODE_FILE && ramfs_resize(n, 0) != 0)
        return -1;
    n->opens++;
    files[fd] = (struct open_file){ .node = n, .flags = flags, .used = true };
    return fd;
}

int open(const char *path, int flags, ...) {
    struct node *parent;
    const char *leaf;
    port_lock(&lock);
    struct node *n = ramfs_find(path, &parent, &leaf);
    if (n == NULL && (flags & O_CREAT) && parent != NULL)
        n = ramfs_make(parent, leaf, NODE_FILE);
    else if (n != NULL && (flags & O_CREAT) && (flags & O_EXCL))
        return unlock(fail(EEXIST));
    return unlock(n == NULL ? -1 : open_node(n, flags));
}

int close(int fd) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
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
    port_unlock(&lock);
    ssize_t moved = port_disk_move(n, memory, bytes, at, write);
    port_lock(&lock);
    if (f->node == n && moved > 0)
        f->at = at + moved;
    ramfs_release(n);
    port_unlock(&lock);
    return moved;
}

ssize_t read(int fd, void *to, size_t n) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    if (f == NULL || (f->flags & O_ACCMODE) == O_WRONLY)
        return unlock(fail(EBADF));
    ssize_t got = 0;
    switch (type_of(f)) {
    case NODE_CONSOLE:
        port_unlock(&lock);
        return n == 0 ? 0 : console_line_read(to, n);
    case NODE_DIR: return unlock(fail(EISDIR));
    case NODE_NULL: break;
    case NODE_BLOCK: return move_block(f, to, n, false);
    case NODE_FILE:
        got = ramfs_read(f->node, to, n, f->at);
        if (got > 0)
            f->at += got;
    }
    port_unlock(&lock);
    return got;
}

ssize_t write(int fd, const void *from, size_t n) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    if (f == NULL || (f->flags & O_ACCMODE) == O_RDONLY)
        return unlock(fail(EBADF));
    ssize_t put = (ssize_t)n;
    switch (type_of(f)) {
    case NODE_CONSOLE:
        port_unlock(&lock);
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
    port_unlock(&lock);
    return put;
}

off_t lseek(int fd, off_t offset, int whence) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    if (f == NULL)
        return unlock(-1);
    if (type_of(f) == NODE_CONSOLE)
        return unlock(fail(ESPIPE));
    off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : whence == SEEK_END ? (off_t)f->node->size : -1;
    if (from < 0 || (offset < 0 ? from < -offset : LONG_MAX - from < offset))
        return unlock(fail(EINVAL));
    f->at = from + offset;
    off_t at = f->at;
    port_unlock(&lock);
    return at;
}

// ---- what a name or a descriptor stands for ---------------------------------------------------------------------------
static int fill_stat(const struct node *n, struct stat *st) {
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
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    return unlock(f == NULL ? -1 : fill_stat(f->node, st));
}

int stat(const char *path, struct stat *st) {
    struct node *parent, *n;
    const char *leaf;
    port_lock(&lock);
    n = ramfs_find(path, &parent, &leaf);
    return unlock(n == NULL ? -1 : fill_stat(n, st));
}
int lstat(const char *path, struct stat *st) { return stat(path, st); }      // there are no links

int access(const char *path, int how) {
    struct stat st;
    (void)how;                                      // everything may be read and written
    return stat(path, &st);
}

int isatty(int fd) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    if (f != NULL && type_of(f) == NODE_CONSOLE)
        return unlock(1);
    if (f != NULL)
        errno = ENOTTY;
    return unlock(0);
}

int ftruncate(int fd, off_t size) {
    port_lock(&lock);
    struct open_file *f = file_of(fd);
    if (f == NULL)
        return unlock(-1);
    if (type_of(f) != NODE_FILE || (f->flags & O_ACCMODE) == O_RDONLY || size < 0)
        return unlock(fail(EINVAL));
    return unlock(ramfs_resize(f->node, (size_t)size));
}

int fsync(int fd) {
    port_lock(&lock);
    return unlock(file_of(fd) == NULL ? -1 : 0);
}

// ---- names --------------------------------------------------------------------------------------------------------------
static int remove_as(const char *path, bool directory) {
    struct node *parent;
    const char *leaf;
    port_lock(&lock);
    struct node *n = ramfs_find(path, &parent, &leaf);
    if (n == NULL)
        return unlock(-1);
    if ((n->type == NODE_DIR) != directory)
        return unlock(fail(directory ? ENOTDIR : EISDIR));
    return unlock(ramfs_unlink(n));
}
int unlink(const char *path) { return remove_as(path, false); }
int rmdir(const char *path) { return remove_as(path, true); }

int mkdir(const char *path, mode_t mode) {
    struct node *parent;
    const char *leaf;
    (void)mode;
    port_lock(&lock);
    if (ramfs_find(path, &parent, &leaf) != NULL)
        return unlock(fail(EEXIST));
    return unlock(parent == NULL || ramfs_make(parent, leaf, NODE_DIR) == NULL ? -1 : 0);
}

int rename(const char *from, const char *to) {
    struct node *parent, *n, *replaced;
    const char *leaf;
    port_lock(&lock);
    n = ramfs_find(from, &parent, &leaf);
    if (n == NULL)
        return unlock(-1);
    replaced = ramfs_find(to, &parent, &leaf);
    if (replaced != NULL) {
        parent = replaced->parent;
        leaf = replaced->name;
    }
    return unlock(parent == NULL ? -1 : ramfs_rename(n, parent, leaf, replaced));
}

int chdir(const char *path) {
    struct node *parent;
    const char *leaf;
    port_lock(&lock);
    struct node *n = ramfs_find(path, &parent, &leaf);
    if (n == NULL)
        return unlock(-1);
    if (n->type != NODE_DIR)
        return unlock(fail(ENOTDIR));
    ramfs_cwd = n;
    return unlock(0);
}

char *getcwd(char *to, size_t room) {
    char path[PATH_MAX];
    size_t at = sizeof path - 1;
    path[at] = 0;
    port_lock(&lock);
    for (const struct node *n = ramfs_cwd; n->parent != n; n = n->parent) {
        size_t length = strlen(n->name);
        if (length + 1 > at)
            break;
        at -= length;
        memcpy(path + at, n->name, length);
        path[--at] = '/';
    }
    port_unlock(&lock);
    if (path[at] == 0)
        path[--at] = '/';
    if (sizeof path - at > room) {
        errno = ERANGE;
        return NULL;
    }
    return memcpy(to, path + at, sizeof path - at);
}

struct node *port_device_node(const char *name, enum node_type type) {
    struct node *dir, *n;
    const char *leaf;
    port_lock(&lock);
    dir = ramfs_find("/dev", &n, &leaf);
    for (n = dir != NULL ? dir->children : NULL; n != NULL && strcmp(n->name, name) != 0;)
        n = n->next;
    if (n == NULL && dir != NULL)
        n = ramfs_make(dir, name, type);
    port_unlock(&lock);
    return n;
}

// ---- directories ----------------------------------------------------------------------------------------------------------
DIR *opendir(const char *path) {
    struct node *parent;
    const char *leaf;
    DIR *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    port_lock(&lock);
    d->node = ramfs_find(path, &parent, &leaf);
    if (d->node != NULL && d->node->type != NODE_DIR) {
        errno = ENOTDIR;
        d->node = NULL;
    }
    if (d->node != NULL)
        d->node->opens++;
    port_unlock(&lock);
    if (d->node == NULL) {
        free(d);
        d = NULL;
    }
    return d;
}

struct dirent *readdir(DIR *d) {
    static const unsigned char types[] = {
        [NODE_FILE] = DT_REG, [NODE_DIR] = DT_DIR, [NODE_CONSOLE] = DT_CHR, [NODE_NULL] = DT_CHR, [NODE_BLOCK] = DT_BLK,
    };
    port_lock(&lock);
    const struct node *n = d->node->children;
    for (unsigned long skip = d->at; n != NULL && skip != 0; skip--)
        n = n->next;
    if (n != NULL) {
        d->at++;
        d->entry.d_ino = (ino_t)n->ino;
        d->entry.d_type = types[n->type];
        memcpy(d->entry.d_name, n->name, sizeof d->entry.d_name);
    }
    port_unlock(&lock);
    return n != NULL ? &d->entry : NULL;
}

void rewinddir(DIR *d) { d->at = 0; }

int closedir(DIR *d) {
    port_lock(&lock);
    ramfs_release(d->node);
    free(d);
    return unlock(0);
}

// ---- processes: there is one -----------------------------------------------------------------------------------------------
pid_t getpid(void) { return 1; }
int kill(pid_t pid, int sig) {
    if (pid != 1 && pid != 0)
        return fail(ESRCH);
    if (sig != 0)
        _exit(128 + sig);
    return 0;
}
