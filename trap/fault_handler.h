// SPDX-License-Identifier: BSD-2-Clause
// Fault handlers of tasks (docs/exceptions.md). An optional part: what the rest of the kernel calls is referred to weakly
// and only for a task that has registered a handler (task.fault != NULL).
#ifndef LINX_FAULT_HANDLER_H
#define LINX_FAULT_HANDLER_H

#include "linx/fault.h"
#include "trap/wide.h"

struct fault_handler {          // of a task, while one is registered
    linx_fault_fn *fn;
    char *stack;
    uint32_t stack_bytes;
    struct extent *given;       // the stack's memory when the kernel gave it; among the task's extents
    bool active;                // it runs; only then the rest means something
    struct linx_fault record;   // of the fault that it handles
    struct context interrupted;
    uint64_t state;             // where the task finds its struct linx_fault_state
    uint64_t image_at;          // and the image; 0: not inside a body
    struct wide_image image;    // the interrupted body's and the hands' state, apart from what the handler does
    char *area;
    uint32_t area_bytes;
    uint64_t cpu_limit;         // task.cpu_ns when its time is over
};

// The running task, at fault, goes on in its handler. NULL, or why it cannot.
MUST_USE const char *fault_enter(struct pe *pe, struct task *t, struct linx_fault *f);
// The time-out of a task that does not wait: its handler has perhaps used up its budget.
void fault_budget(struct task *t);
// A task whose handler waited goes on: its budget counts again.
void fault_go_on(struct task *t);
// The task ends: takes its handler away.
void fault_forget(struct task *t);

#endif
