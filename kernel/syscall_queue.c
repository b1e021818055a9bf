// SPDX-License-Identifier: BSD-2-Clause
// System calls on message queues; an optional part.
#include "kernel/syscall.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/object.h"
#include "kernel/sync.h"

int64_t sys_queue_create(struct task *t, const struct context *c) {
    uint64_t bytes = c->a0, count = c->a1;
    if (bytes == 0 || bytes > LINX_MSG_MAX || count == 0 || count > LINX_QUEUE_MAX)
        return LINX_EINVAL;
    if (!authority_charge(t->space, bytes * count))
        return LINX_ENOMEM;
    char *slots = kernel_alloc_raw(bytes * count);
    struct queue *q = slots != NULL ? object_create(t->space, OBJ_QUEUE, sizeof *q) : NULL;
    if (q == NULL) {
        kernel_free(slots);
        authority_refund(t->space, bytes * count);
        return LINX_ENOMEM;
    }
    q->bytes = (uint32_t)bytes;
    q->capacity = (uint32_t)count;
    q->slots = slots;
    return q->obj.handle;
}

int64_t sys_queue_send(struct task *t, const struct context *c) {
    struct queue *q = object_find(t, c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_read(t, c->a1, q->bytes) ? queue_send(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}

int64_t sys_queue_receive(struct task *t, const struct context *c) {
    struct queue *q = object_find(t, c->a0, OBJ_QUEUE);
    if (q == NULL)
        return LINX_EHANDLE;
    return task_may_write(t, c->a1, q->bytes) ? queue_receive(t, q, pointer(c->a1), c->a2) : LINX_EFAULT;
}
