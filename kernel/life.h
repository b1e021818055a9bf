// SPDX-License-Identifier: BSD-2-Clause
// Birth and death of tasks.
#ifndef LINX_LIFE_H
#define LINX_LIFE_H

#include "kernel/task.h"

// Creates a ready (or suspended) task on `pe`, in the space of `creator` (NULL: the root space) or, with LINX_TASK_SPACE,
// in one of its own. A handle or LINX_EINVAL, LINX_ENOMEM; attr is in kernel memory.
MUST_USE int64_t task_create(struct pe *pe, struct task *creator, const struct linx_task_attr *attr, linx_entry *entry, void *arg);
// The task that runs when nothing else can; it has no stack and is in no list.
MUST_USE struct task *task_create_idle(struct pe *pe);

// Ends a task in whatever state it is: out of lists and heap, locks passed on, engine state and memory given back,
// joiners told. Its handle lives until it is joined; a detached or awaited one's goes at once (the TCB of the running
// task stays until task_reap).
void task_end(struct task *t, uint8_t how, int64_t status);
// The same for a task at fault, with a report on the console.
void task_end_with(struct task *t, uint8_t how, int64_t status, const char *why);
void task_forget(struct task *t);              // one that has ended and that nobody will join
void task_kill(struct task *t);                // ends it as killed, wherever it is; not one that has ended
void task_reap(struct pe *pe);                  // frees the TCB of a task that ended while it ran
bool task_stack_guards(const struct task *t, uint64_t address);    // is it in a page before or behind its stack?

MUST_USE int64_t task_join(struct task *t, struct task *target, void *status, uint64_t timeout);
MUST_USE int64_t task_suspend(struct task *target);
MUST_USE int64_t task_resume(struct task *target);
MUST_USE int64_t task_set_base_prio(struct task *target, uint8_t prio);

#endif
