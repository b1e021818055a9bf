// SPDX-License-Identifier: BSD-2-Clause
// Semaphores, mutexes with priority inheritance, message queues, event flags. The do_* calls are complete operations
// of task `t`, the running one; BLOCKED says that its a0 is written later, by whoever ends the wait.
#ifndef LINX_SYNC_H
#define LINX_SYNC_H

#include "kernel/task.h"

#define BLOCKED INT64_MIN       // no result of a call

MUST_USE int64_t sem_wait(struct task *t, struct sem *s, uint64_t timeout);
MUST_USE int64_t sem_post(struct sem *s);

MUST_USE int64_t mutex_lock(struct task *t, struct mutex *m, uint64_t timeout);
MUST_USE int64_t mutex_unlock(struct task *t, struct mutex *m);
void mutex_waiter_left(struct mutex *m);        // a waiter timed out, was killed or changed priority
void mutex_release_all(struct task *t);         // its owner ends: each goes to the next waiter as EOWNERDEAD
void task_update_prio(struct task *t);          // prio = max(base, waiters on held locks), along the chain

// The message is in task memory; both copy with copy_from_task/copy_to_task and may give EFAULT.
MUST_USE int64_t queue_send(struct task *t, struct queue *q, const void *message, uint64_t timeout);
MUST_USE int64_t queue_receive(struct task *t, struct queue *q, void *message, uint64_t timeout);

MUST_USE int64_t event_wait(struct task *t, struct event *e, uint32_t mask, uint32_t mode, uint64_t timeout);
MUST_USE int64_t event_set(struct event *e, uint32_t mask);

// Deletes the object; all who wait get EDELETED. EPERM: a mutex that another task owns.
MUST_USE int64_t object_delete(struct task *t, struct object *o);
void object_destroy(struct object *o);          // semaphore, mutex (whoever owns it), queue, event

#endif
