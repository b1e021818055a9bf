// SPDX-License-Identifier: BSD-2-Clause
// The RAM file system: a tree of nodes on the C library's heap. The initrd (cpio "newc") is its first content: those
// files are read where they lie and copied when they are first written. Callers hold the file lock.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"

static struct node root = { .parent = &root, .type = NODE_DIR, .ino = 1 };
struct node *ramfs_cwd = &root;
static unsigned next_ino = 2;

static struct node *child(const struct node *dir, const char *name, size_t length) {
    for (struct node *n = dir->children; n != NULL; n = n->next)
        if (strncmp(n->name, name, length) == 0 && n->name[length] == 0)
            return n;
    return NULL;
}

static struct node *add(struct node *parent, const char *name, size_t length, enum node_type type) {
    if (length == 0 || length >= sizeof parent->name) {
        errno = length == 0 ? ENOENT : ENAMETOOLONG;
        return NULL;
    }
    struct node *n = calloc(1, sizeof *n);
    if (n == NULL) {
        errno = ENOSPC;
        return NULL;
    }
    memcpy(n->name, name, length);
    n->type = type;
    n->ino = next_ino++;
    n->mtime = linx_time();
    n->parent = parent;
    struct node **at = &parent->children;           // sorted by name, so that ls need not sort
    while (*at != NULL && strcmp((*at)->name, n->name) < 0)
        at = &(*at)->next;
    n->next = *at;
    *at = n;
    return n;
}

// ---- the initrd -----------------------------------------------------------------------------------------------------
#define CPIO_HEADER 110

static unsigned long hex8(const char *s) {
    unsigned long v = 0;
    for (int i = 0; i < 8; i++) {
        char c = s[i];
        v = v << 4 | (unsigned long)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return v;
}

static void unpack_entry(const char *path, unsigned long mode, unsigned char *data, size_t size) {
    struct node *dir = &root;
    while (*path == '/' || (path[0] == '.' && (path[1] == '/' || path[1] == 0)))
        path++;
    for (;;) {
        size_t length = strcspn(path, "/");
        const char *rest = path + length + strspn(path + length, "/");
        if (length == 0)
            return;
        struct node *n = child(dir, path, length);
        if (n == NULL) {
            bool leaf_file = *rest == 0 && (mode & 0170000) == 0100000;
            n = add(dir, path, length, leaf_file ? NODE_FILE : NODE_DIR);
            if (n == NULL)
                return;
            if (leaf_file) {
                n->data = data;
                n->size = n->room = size;
                n->borrowed = true;
            }
        }
        if (n->type != NODE_DIR)
            return;
        dir = n;
        path = rest;
    }
}

// Entries outside the initrd's bounds end the walk; the files before them stay.
static void unpack(unsigned char *at, size_t left) {
    while (left >= CPIO_HEADER && memcmp(at, "070701", 6) == 0) {
        const char *h = (const char *)at;
        unsigned long mode = hex8(h + 14), size = hex8(h + 54), name = hex8(h + 94);
        size_t data_at = (CPIO_HEADER + name + 3) & ~(size_t)3, next = (data_at + size + 3) & ~(size_t)3;
        if (name == 0 || data_at > left || size > left - data_at || h[CPIO_HEADER + name - 1] != 0)
            return;
        if (strcmp(h + CPIO_HEADER, "TRAILER!!!") == 0)
            return;
        unpack_entry(h + CPIO_HEADER, mode, at + data_at, size);
        if (next >= left)
            return;
        at += next;
        left -= next;
    }
}

static void mount(void) {
    static bool done;
    if (done)
        return;
    done = true;
    struct linx_system_info info;
    if (linx_system_info(&info) == LINX_OK && info.initrd_bytes != 0)
        unpack((unsigned char *)(uintptr_t)info.initrd_base, info.initrd_bytes);
    struct node *dev = child(&root, "dev", 3), *tmp = child(&root, "tmp", 3);
    if (dev == NULL)
        dev = add(&root, "dev", 3, NODE_DIR);
    if (tmp == NULL)
        add(&root, "tmp", 3, NODE_DIR);
    if (dev != NULL) {
        add(dev, "console", 7, NODE_CONSOLE);
        add(dev, "null", 4, NODE_NULL);
    }
}

// ---- names ----------------------------------------------------------------------------------------------------------
// The node of a path. NULL with errno; then, when only the last part is missing, *parent and *leaf say where it would
// stand (otherwise *parent is NULL).
struct node *ramfs_find(const char *path, struct node **parent, const char **leaf) {
    mount();
    *parent = NULL;
    *leaf = NULL;
    if (*path == 0) {
        errno = ENOENT;
        return NULL;
    }
    struct node *at = *path == '/' ? &root : ramfs_cwd;
    for (;;) {
        path += strspn(path, "/");
        if (*path == 0)
            return at;
        if (at->type != NODE_DIR) {
            errno = ENOTDIR;
            return NULL;
        }
        size_t length = strcspn(path, "/");
        struct node *n;
        if (length == 1 && path[0] == '.')
            n = at;
        else if (length == 2 && path[0] == '.' && path[1] == '.')
            n = at->parent;
        else
            n = child(at, path, length);
        if (n == NULL) {
            errno = ENOENT;
            if (path[length + strspn(path + length, "/")] == 0) {
                *parent = at;
                *leaf = path;
            }
            return NULL;
        }
        at = n;
        path += length;
    }
}

struct node *ramfs_make(struct node *parent, const char *leaf, enum node_type type) {
    return add(parent, leaf, strcspn(leaf, "/"), type);
}

static void detach(struct node *n) {
    struct node **at = &n->parent->children;
    while (*at != n)
        at = &(*at)->next;
    *at = n->next;
}

static void destroy(struct node *n) {
    if (!n->borrowed)
        free(n->data);
    free(n);
}

int ramfs_unlink(struct node *n) {
    if (n == &root || n == ramfs_cwd || (n->type != NODE_FILE && n->type != NODE_DIR)) {
        errno = EBUSY;
        return -1;
    }
    if (n->children != NULL) {
        errno = ENOTEMPTY;
        return -1;
    }
    detach(n);
    n->unlinked = true;
    if (n->opens == 0)
        destroy(n);
    return 0;
}

void ramfs_release(struct node *n) {
    if (--n->opens == 0 && n->unlinked)
        destroy(n);
}

int ramfs_rename(struct node *n, struct node *parent, const char *leaf, struct node *replaced) {
    size_t length = strcspn(leaf, "/");
    if (n == replaced)
        return 0;
    if (n == &root || length == 0 || length >= sizeof n->name) {
        errno = n == &root ? EBUSY : ENAMETOOLONG;
        return -1;
    }
    for (const struct node *up = parent; up != &root; up = up->parent)
        if (up == n) {                              // into itself
            errno = EINVAL;
            return -1;
        }
    if (replaced != NULL && (replaced->type == NODE_DIR) != (n->type == NODE_DIR)) {
        errno = replaced->type == NODE_DIR ? EISDIR : ENOTDIR;
        return -1;
    }
    char name[sizeof n->name] = { 0 };              // leaf may be the replaced node's own name
    memcpy(name, leaf, length);
    if (replaced != NULL && ramfs_unlink(replaced) != 0)
        return -1;
    detach(n);
    memcpy(n->name, name, sizeof name);
    n->parent = parent;
    struct node **at = &parent->children;
    while (*at != NULL && strcmp((*at)->name, n->name) < 0)
        at = &(*at)->next;
    n->next = *at;
    *at = n;
    return 0;
}

// ---- contents -------------------------------------------------------------------------------------------------------
ssize_t ramfs_read(const struct node *n, void *to, size_t bytes, off_t at) {
    if ((size_t)at >= n->size)
        return 0;
    if (bytes > n->size - (size_t)at)
        bytes = n->size - (size_t)at;
    memcpy(to, n->data + at, bytes);
    return (ssize_t)bytes;
}

static int make_room(struct node *n, size_t size) {
    if (size <= n->room && !n->borrowed)
        return 0;
    size_t room = size;
    if (!n->borrowed && room < 2 * n->room)
        room = 2 * n->room;                         // appending costs a constant per byte
    if (room < 64)
        room = 64;
    unsigned char *data = n->borrowed ? malloc(room) : realloc(n->data, room);
    if (data == NULL) {
        errno = ENOSPC;
        return -1;
    }
    if (n->borrowed)
        memcpy(data, n->data, n->size < room ? n->size : room);
    n->borrowed = false;
    n->data = data;
    n->room = room;
    return 0;
}

ssize_t ramfs_write(struct node *n, const void *from, size_t bytes, off_t at) {
    size_t end = (size_t)at + bytes;
    if (end < bytes) {
        errno = EFBIG;
        return -1;
    }
    if (make_room(n, end > n->size ? end : n->size) != 0)
        return -1;
    if ((size_t)at > n->size)
        memset(n->data + n->size, 0, (size_t)at - n->size);
    memcpy(n->data + at, from, bytes);
    if (end > n->size)
        n->size = end;
    n->mtime = linx_time();
    return (ssize_t)bytes;
}

int ramfs_resize(struct node *n, size_t size) {
    if (size > n->size) {
        if (make_room(n, size) != 0)
            return -1;
        memset(n->data + n->size, 0, size - n->size);
    }
    n->size = size;                                 // a borrowed file just ends earlier
    n->mtime = linx_time();
    return 0;
}
