// SPDX-License-Identifier: BSD-2-Clause
// What the parts of the C library's port share. The port turns the library's hooks (POSIX calls, locks, sbrk) into
// calls of the kernel (linx/rt.h); it is the same for picolibc and newlib.
#ifndef LINX_PORT_H
#define LINX_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "linx/rt.h"

// A lock that needs no initialiser and may be taken again by its owner. Its kernel mutex is made when it is first used,
// so priority inheritance covers every lock of the library.
struct port_lock {
    int mutex;                          // handle, 0 = not made yet
    int owner;                          // handle of the task that holds it, 0 = nobody
    unsigned depth;
};
void port_lock(struct port_lock *l);
bool port_trylock(struct port_lock *l, uint64_t timeout);   // false: time-out
void port_unlock(struct port_lock *l);
void port_lock_free(struct port_lock *l);

static inline bool port_task_alive(int task) {
    struct linx_task_info info;
    return linx_task_info(task, &info) == LINX_OK && info.state != 3;       // 3: ended, not joined yet
}

// What the library itself needs (lib/libc/picolibc/port.c, lib/libc/newlib/port.c).
void port_library_init(void);           // by the main task, before constructors
void port_thread_end(void);             // by a thread that ends: frees what the library allocated for it

void port_heap_init(void) __attribute__((weak));            // by the main task, before anything allocates (heap.c)
void port_files_init(void);             // opens the terminal as 0, 1 and 2
int port_errno(int64_t error);          // sets errno from a LINX_E* and returns -1

// The terminal on the UART (console.c).
ssize_t console_line_read(void *to, size_t n);              // one edited line at most; 0 = end of file (^D)
ssize_t console_put_all(const void *from, size_t n);        // unbroken: no other output comes in between

// The RAM file system (ramfs.c). Calls are made with the file lock held.
enum node_type { NODE_FILE, NODE_DIR, NODE_CONSOLE, NODE_NULL, NODE_BLOCK };
struct node {
    struct node *parent, *children, *next;
    enum node_type type;
    unsigned opens;                     // descriptors and directory streams
    bool unlinked;                      // freed when the last of them goes
    bool borrowed;                      // data lies in the initrd; copied before the first write
    unsigned char *data;
    size_t size, room;
    uint64_t mtime;                     // ns since the machine started
    unsigned ino;
    unsigned device;                    // NODE_BLOCK: the disk's number
    bool read_only;
    char name[64];
};
struct node *ramfs_find(const char *path, struct node **parent, const char **leaf);
struct node *ramfs_make(struct node *parent, const char *leaf, enum node_type type);    // NULL: errno is set
int ramfs_unlink(struct node *n);
int ramfs_rename(struct node *n, struct node *parent, const char *leaf, struct node *replaced);
void ramfs_release(struct node *n);     // one opener less
ssize_t ramfs_read(const struct node *n, void *to, size_t bytes, off_t at);
ssize_t ramfs_write(struct node *n, const void *from, size_t bytes, off_t at);
int ramfs_resize(struct node *n, size_t size);
struct node *port_device_node(const char *name, enum node_type type);       // /dev/NAME; takes the lock itself
extern struct node *ramfs_cwd;

// Moves bytes between memory and a NODE_BLOCK (disk.c, which only programs that call disk_nodes() link).
ssize_t port_disk_move(const struct node *n, char *memory, size_t bytes, off_t from, bool write) __attribute__((weak));

#endif
