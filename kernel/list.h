// SPDX-License-Identifier: BSD-2-Clause
// Circular doubly linked lists with a head; a node that is in no list points at itself.
#ifndef LINX_LIST_H
#define LINX_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
    struct list *next, *prev;
};

#define list_entry(node, type, member) ((type *)((char *)(node) - offsetof(type, member)))

static inline void list_init(struct list *l) { l->next = l->prev = l; }
static inline bool list_empty(const struct list *l) { return l->next == l; }

static inline void list_insert_before(struct list *where, struct list *node) {
    node->next = where;
    node->prev = where->prev;
    where->prev->next = node;
    where->prev = node;
}
static inline void list_push_back(struct list *head, struct list *node) { list_insert_before(head, node); }

static inline void list_remove(struct list *node) {
    node->prev->next = node->next;
    node->next->prev = node->prev;
    list_init(node);
}

#endif
