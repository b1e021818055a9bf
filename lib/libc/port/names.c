// SPDX-License-Identifier: BSD-2-Clause
// POSIX calls that have to do with names: open, directories, stat, rename and so on, over the RAM file system.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

struct __dir {
    struct node *node;
    unsigned long at;                   // entries given
    struct dirent entry;
};

static int open_node(struct node *n, int flags) {
    int fd = 0;
    while (fd < FILES && port_files[fd].used)
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
    port_files[fd] = (struct open_file){ .node = n, .flags = flags, .used = true };
    return fd;
}

int open(const char *path, int flags, ...) {
    struct node *parent;
    const char *leaf;
    port_lock(&port_files_lock);
    struct node *n = ramfs_find(path, &parent, &leaf);
    if (n == NULL && (flags & O_CREAT) && parent != NULL)
        n = ramfs_make(parent, leaf, NODE_FILE);
    else if (n != NULL && (flags & O_CREAT) && (flags & O_EXCL))
        return unlock(fail(EEXIST));
    return unlock(n == NULL ? -1 : open_node(n, flags));
}

int stat(const char *path, struct stat *st) {
    struct node *parent, *n;
    const char *leaf;
    port_lock(&port_files_lock);
    n = ramfs_find(path, &parent, &leaf);
    return unlock(n == NULL ? -1 : port_fill_stat(n, st));
}
int lstat(const char *path, struct stat *st) { return stat(path, st); }      // there are no links

int access(const char *path, int how) {
    struct stat st;
    (void)how;                                      // everything may be read and written
    return stat(path, &st);
}

int ftruncate(int fd, off_t size) {
    port_lock(&port_files_lock);
    struct open_file *f = port_file_of(fd);
    if (f == NULL)
        return unlock(-1);
    if (type_of(f) != NODE_FILE || (f->flags & O_ACCMODE) == O_RDONLY || size < 0)
        return unlock(fail(EINVAL));
    return unlock(ramfs_resize(f->node, (size_t)size));
}

int fsync(int fd) {
    port_lock(&port_files_lock);
    return unlock(port_file_of(fd) == NULL ? -1 : 0);
}

// ---- names --------------------------------------------------------------------------------------------------------------
static int remove_as(const char *path, bool directory) {
    struct node *parent;
    const char *leaf;
    port_lock(&port_files_lock);
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
    port_lock(&port_files_lock);
    if (ramfs_find(path, &parent, &leaf) != NULL)
        return unlock(fail(EEXIST));
    return unlock(parent == NULL || ramfs_make(parent, leaf, NODE_DIR) == NULL ? -1 : 0);
}

int rename(const char *from, const char *to) {
    struct node *parent, *n, *replaced;
    const char *leaf;
    port_lock(&port_files_lock);
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
    port_lock(&port_files_lock);
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
    port_lock(&port_files_lock);
    for (const struct node *n = ramfs_cwd; n->parent != n; n = n->parent) {
        size_t length = strlen(n->name);
        if (length + 1 > at)
            break;
        at -= length;
        memcpy(path + at, n->name, length);
        path[--at] = '/';
    }
    port_unlock(&port_files_lock);
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
    port_lock(&port_files_lock);
    dir = ramfs_find("/dev", &n, &leaf);
    for (n = dir != NULL ? dir->children : NULL; n != NULL && strcmp(n->name, name) != 0;)
        n = n->next;
    if (n == NULL && dir != NULL)
        n = ramfs_make(dir, name, type);
    port_unlock(&port_files_lock);
    return n;
}

// ---- directories ----------------------------------------------------------------------------------------------------------
DIR *opendir(const char *path) {
    struct node *parent;
    const char *leaf;
    DIR *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    port_lock(&port_files_lock);
    d->node = ramfs_find(path, &parent, &leaf);
    if (d->node != NULL && d->node->type != NODE_DIR) {
        errno = ENOTDIR;
        d->node = NULL;
    }
    if (d->node != NULL)
        d->node->opens++;
    port_unlock(&port_files_lock);
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
    port_lock(&port_files_lock);
    const struct node *n = d->node->children;
    for (unsigned long skip = d->at; n != NULL && skip != 0; skip--)
        n = n->next;
    if (n != NULL) {
        d->at++;
        d->entry.d_ino = (ino_t)n->ino;
        d->entry.d_type = types[n->type];
        memcpy(d->entry.d_name, n->name, sizeof d->entry.d_name);
    }
    port_unlock(&port_files_lock);
    return n != NULL ? &d->entry : NULL;
}

void rewinddir(DIR *d) { d->at = 0; }

int closedir(DIR *d) {
    port_lock(&port_files_lock);
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
