// SPDX-License-Identifier: BSD-2-Clause
// Time-outs of a PE's tasks: a binary heap by deadline. A task has at most one time-out, so a place for each task is
// enough and arming cannot fail. Equal deadlines end in no particular order.
#include "kernel/heap.h"
#include "kernel/sched.h"
#include "kernel/smp.h"

static void put(struct pe *pe, uint32_t slot, struct task *t) {
    pe->heap[slot] = t;
    t->timer_slot = slot;
}

static void sift_up(struct pe *pe, uint32_t slot, struct task *t) {
    for (; slot > 1 && t->deadline < pe->heap[slot / 2]->deadline; slot /= 2)
        put(pe, slot, pe->heap[slot / 2]);
    put(pe, slot, t);
}

static void sift_down(struct pe *pe, uint32_t slot, struct task *t) {
    for (uint32_t child; (child = 2 * slot) <= pe->heap_used; slot = child) {
        if (child < pe->heap_used && pe->heap[child + 1]->deadline < pe->heap[child]->deadline)
            child++;
        if (t->deadline <= pe->heap[child]->deadline)
            break;
        put(pe, slot, pe->heap[child]);
    }
    put(pe, slot, t);
}

void timeout_arm(struct task *t, uint64_t deadline) {
    struct pe *pe = t->pe;
    ASSERT(t->timer_slot == 0 && pe->heap_used < pe->heap_capacity);
    t->deadline = deadline;
    sift_up(pe, ++pe->heap_used, t);
    pe->next_deadline = pe->heap[1]->deadline;
    pe->timer_dirty = true;
}

void timeout_disarm(struct task *t) {
    struct pe *pe = t->pe;
    uint32_t slot = t->timer_slot;
    if (slot == 0)
        return;
    t->timer_slot = 0;
    struct task *last = pe->heap[pe->heap_used--];
    if (last != t) {            // the last one fills the gap and finds its place up or down
        if (slot > 1 && last->deadline < pe->heap[slot / 2]->deadline)
            sift_up(pe, slot, last);
        else
            sift_down(pe, slot, last);
    }
    pe->next_deadline = pe->heap_used != 0 ? pe->heap[1]->deadline : LINX_FOREVER;
    pe->timer_dirty = true;
}

bool timeout_grow(struct pe *pe, uint32_t capacity) {
    if (capacity <= pe->heap_capacity)
        return true;
    struct task **heap = kernel_alloc_raw((capacity + 1) * sizeof *heap);
    if (heap == NULL)
        return false;
    for (uint32_t i = 1; i <= pe->heap_used; i++)
        heap[i] = pe->heap[i];
    kernel_free(pe->heap);
    pe->heap = heap;
    pe->heap_capacity = capacity;
    return true;
}

bool timeout_reserve(uint32_t tasks) {
    uint32_t reserved = pes[63 - __builtin_clzll(pes_online)]->heap_capacity;      // the last one to grow
    if (tasks <= reserved)
        return true;
    uint32_t capacity = reserved != 0 ? 2 * reserved : 16;
    while (capacity < tasks)
        capacity *= 2;
    for (uint64_t m = pes_online; m != 0; m &= m - 1)      // wherever they will sleep
        if (!timeout_grow(pes[__builtin_ctzll(m)], capacity))
            return false;
    return true;
}
