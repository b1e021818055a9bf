// SPDX-License-Identifier: BSD-2-Clause
// Descriptors, as file.c (what streams need) and names.c (everything that has to do with names) share them.
#ifndef LINX_FILES_H
#define LINX_FILES_H

#include <errno.h>
#include <sys/stat.h>

#include "port.h"

#define FILES 64

struct open_file {
    struct node *node;                  // NULL: the terminal that was there from the start (0, 1, 2)
    int flags;
    off_t at;
    bool used;
};
extern struct open_file port_files[FILES];
extern struct port_lock port_files_lock;        // guards the table and the tree of names

struct open_file *port_file_of(int fd);         // NULL: EBADF. The lock is held.
int port_fill_stat(const struct node *n, struct stat *st);      // NULL: the terminal
static inline enum node_type type_of(const struct open_file *f) { return f->node == NULL ? NODE_CONSOLE : f->node->type; }
static inline int fail(int error) {
    errno = error;
    return -1;
}
static inline int unlock(int result) {
    port_unlock(&port_files_lock);
    return result;
}

#endif
