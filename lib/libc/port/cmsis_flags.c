// SPDX-License-Identifier: BSD-2-Clause
// CMSIS-RTOS2 thread flags: one kernel event object for each thread that has to do with them, made when it is first named.
#include <stdlib.h>

#include "cmsis.h"

struct flags {
    struct flags *next;
    int task, event;
};
static struct flags *all;
static struct port_lock lock;

// The event object of a thread; LINX_EHANDLE when there is no such thread. Records of threads that are gone are given back
// on the way.
static int event_of(int task) {
    int event = LINX_EHANDLE;
    port_lock(&lock);
    for (struct flags **at = &all, *f; (f = *at) != NULL;) {
        if (!port_task_alive(f->task)) {
            *at = f->next;
            linx_object_delete(f->event);
            free(f);
            continue;
        }
        if (f->task == task)
            event = f->event;
        at = &f->next;
    }
    if (event == LINX_EHANDLE && port_task_alive(task)) {
        struct flags *f = malloc(sizeof *f);
        event = f != NULL ? linx_event_create(0) : LINX_ENOMEM;
        if (event > 0) {
            *f = (struct flags){ all, task, event };
            all = f;
        } else {
            free(f);
        }
    }
    port_unlock(&lock);
    return event;
}

uint32_t osThreadFlagsSet(osThreadId_t id, uint32_t flags) {
    return flags & osFlagsError ? osFlagsErrorParameter : flags_or_error(linx_event_set(event_of(handle_of(id)), flags), 1);
}
uint32_t osThreadFlagsClear(uint32_t flags) {
    return flags & osFlagsError ? osFlagsErrorParameter : flags_or_error(linx_event_clear(event_of(linx_task_self()), flags), 1);
}
uint32_t osThreadFlagsGet(void) {
    int64_t r = linx_event_clear(event_of(linx_task_self()), 0);
    return r < 0 ? 0 : (uint32_t)r;
}
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout) {
    return flags_wait(event_of(linx_task_self()), flags, options, timeout);
}
