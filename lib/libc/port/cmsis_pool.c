// SPDX-License-Identifier: BSD-2-Clause
// CMSIS-RTOS2 memory pools: blocks of one size in one piece of memory; a kernel semaphore counts the free ones.
#include <stdlib.h>

#include "cmsis.h"

struct pool {
    struct pool *next;
    const char *name;
    unsigned char *blocks;              // in the pool's own memory, or the caller's
    unsigned char *taken;               // one byte a block
    uint32_t capacity, size, room;      // room: a block's size rounded up
    uint32_t count;                     // blocks taken
    int free;                           // semaphore
    struct port_lock lock;
};
static struct pool *all;
static struct port_lock lock;           // of the list

static struct pool *find(osMemoryPoolId_t id) {
    port_lock(&lock);
    struct pool *p = all;
    while (p != NULL && p != id)
        p = p->next;
    port_unlock(&lock);
    return p;
}

osMemoryPoolId_t osMemoryPoolNew(uint32_t block_count, uint32_t block_size, const osMemoryPoolAttr_t *attr) {
    uint64_t room = ((uint64_t)block_size + 7) & ~(uint64_t)7, bytes = room * block_count;
    bool theirs = attr != NULL && attr->mp_mem != NULL;
    if (block_count == 0 || block_size == 0 || bytes > UINT32_MAX || (theirs && (attr->mp_size < bytes || (uintptr_t)attr->mp_mem % 8 != 0)))
        return NULL;
    struct pool *p = calloc(1, sizeof *p + block_count + (theirs ? 0 : bytes + 8));
    if (p == NULL)
        return NULL;
    p->free = linx_sem_create(block_count, block_count);
    if (p->free < 0) {
        free(p);
        return NULL;
    }
    p->name = attr != NULL ? attr->name : NULL;
    p->taken = (unsigned char *)(p + 1);
    p->blocks = theirs ? attr->mp_mem : (unsigned char *)(((uintptr_t)(p->taken + block_count) + 7) & ~(uintptr_t)7);
    p->capacity = block_count;
    p->size = block_size;
    p->room = (uint32_t)room;
    port_lock(&lock);
    p->next = all;
    all = p;
    port_unlock(&lock);
    return p;
}

void *osMemoryPoolAlloc(osMemoryPoolId_t id, uint32_t timeout) {
    struct pool *p = find(id);
    if (p == NULL || linx_sem_wait(p->free, ns_of(timeout)) < 0)        // a pool that was deleted meanwhile is not touched
        return NULL;
    port_lock(&p->lock);
    uint32_t i = 0;
    while (p->taken[i])                 // the semaphore says that there is one
        i++;
    p->taken[i] = 1;
    p->count++;
    port_unlock(&p->lock);
    return p->blocks + (size_t)i * p->room;
}

osStatus_t osMemoryPoolFree(osMemoryPoolId_t id, void *block) {
    struct pool *p = find(id);
    if (p == NULL)
        return osErrorParameter;
    uint64_t offset = (uint64_t)((unsigned char *)block - p->blocks), i = offset / p->room;
    if ((unsigned char *)block < p->blocks || i >= p->capacity || offset % p->room != 0)
        return osErrorParameter;
    port_lock(&p->lock);
    bool taken = p->taken[i];
    if (taken) {
        p->taken[i] = 0;
        p->count--;
    }
    port_unlock(&p->lock);
    if (!taken)                         // it is free already
        return osErrorResource;
    linx_sem_post(p->free);
    return osOK;
}

const char *osMemoryPoolGetName(osMemoryPoolId_t id) {
    const struct pool *p = find(id);
    return p != NULL ? p->name : NULL;
}
uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t id) {
    const struct pool *p = find(id);
    return p != NULL ? p->capacity : 0;
}
uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t id) {
    const struct pool *p = find(id);
    return p != NULL ? p->size : 0;
}
uint32_t osMemoryPoolGetCount(osMemoryPoolId_t id) {
    const struct pool *p = find(id);
    return p != NULL ? p->count : 0;
}
uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t id) {
    const struct pool *p = find(id);
    return p != NULL ? p->capacity - p->count : 0;
}

osStatus_t osMemoryPoolDelete(osMemoryPoolId_t id) {
    port_lock(&lock);
    struct pool **at = &all, *p;
    while (*at != NULL && *at != id)
        at = &(*at)->next;
    p = *at;
    if (p != NULL)
        *at = p->next;
    port_unlock(&lock);
    if (p == NULL)
        return osErrorParameter;
    linx_object_delete(p->free);        // who waits gives up
    port_lock_free(&p->lock);
    free(p);
    return osOK;
}
