// SPDX-License-Identifier: BSD-2-Clause
// CMSIS-RTOS2 timers: one thread of high priority, made with the first timer, calls what is due.
#include <stdlib.h>

#include "cmsis.h"

struct timer {
    struct timer *next;                 // all timers
    struct timer *next_due;             // running ones, the earliest first
    osTimerFunc_t function;
    void *argument;
    const char *name;
    uint64_t due, period;               // TIME, ns; period 0: once
    bool periodic, running;
};
static struct timer *all, *first_due;
static struct port_lock lock;
static int wake;                        // event object: the earliest timer is another one

// The record behind an id, or NULL: no such timer (any more). With the lock.
static struct timer *find(osTimerId_t id) {
    struct timer *t = all;
    while (t != NULL && t != id)
        t = t->next;
    return t;
}

static void insert(struct timer *t) {
    struct timer **at = &first_due;
    while (*at != NULL && (*at)->due <= t->due)
        at = &(*at)->next_due;
    t->next_due = *at;
    *at = t;
    t->running = true;
}

static void take_out(struct timer *t) {
    struct timer **at = &first_due;
    while (*at != t)
        at = &(*at)->next_due;
    *at = t->next_due;
    t->running = false;
}

static void serve(void *argument) {
    (void)argument;
    for (;;) {
        port_lock(&lock);
        struct timer *t = first_due;
        uint64_t now = linx_time(), timeout = t == NULL ? LINX_FOREVER : t->due > now ? t->due - now : 0;
        if (timeout != 0) {
            port_unlock(&lock);
            linx_event_wait(wake, 1, LINX_EVENT_ANY | LINX_EVENT_CLEAR, timeout);
            continue;
        }
        osTimerFunc_t function = t->function;
        void *with = t->argument;
        take_out(t);
        if (t->periodic) {
            t->due += t->period;
            insert(t);
        }
        port_unlock(&lock);
        function(with);                 // it may do with its timer what it likes
    }
}

// The thread and its event object. With the lock.
static bool have_thread(void) {
    static bool done;
    if (done)
        return true;
    if (wake <= 0)
        wake = linx_event_create(0);
    osThreadAttr_t attr = { .name = "timers", .priority = osPriorityHigh };
    done = wake > 0 && osThreadNew(serve, NULL, &attr) != NULL;
    return done;
}

osTimerId_t osTimerNew(osTimerFunc_t func, osTimerType_t type, void *argument, const osTimerAttr_t *attr) {
    struct timer *t = func == NULL || type > osTimerPeriodic ? NULL : calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    *t = (struct timer){ .function = func, .argument = argument, .name = attr != NULL ? attr->name : NULL, .periodic = type == osTimerPeriodic };
    port_lock(&lock);
    bool good = have_thread();
    if (good) {
        t->next = all;
        all = t;
    }
    port_unlock(&lock);
    if (!good) {
        free(t);
        t = NULL;
    }
    return t;
}

const char *osTimerGetName(osTimerId_t id) {
    port_lock(&lock);
    const struct timer *t = find(id);
    const char *name = t != NULL ? t->name : NULL;
    port_unlock(&lock);
    return name;
}

osStatus_t osTimerStart(osTimerId_t id, uint32_t ticks) {
    osStatus_t status = osErrorParameter;
    port_lock(&lock);
    struct timer *t = find(id);
    if (t != NULL && ticks != 0) {
        if (t->running)
            take_out(t);
        t->period = (uint64_t)ticks * TICK_NS;
        t->due = linx_time() + t->period;
        insert(t);
        status = osOK;
    }
    bool earlier = status == osOK && first_due == t;
    port_unlock(&lock);
    if (earlier)
        linx_event_set(wake, 1);
    return status;
}

osStatus_t osTimerStop(osTimerId_t id) {
    port_lock(&lock);
    struct timer *t = find(id);
    osStatus_t status = t == NULL ? osErrorParameter : !t->running ? osErrorResource : osOK;
    if (status == osOK)
        take_out(t);
    port_unlock(&lock);
    return status;
}

uint32_t osTimerIsRunning(osTimerId_t id) {
    port_lock(&lock);
    const struct timer *t = find(id);
    uint32_t running = t != NULL && t->running;
    port_unlock(&lock);
    return running;
}

osStatus_t osTimerDelete(osTimerId_t id) {
    port_lock(&lock);
    struct timer *t = find(id);
    if (t != NULL) {
        struct timer **at = &all;
        if (t->running)
            take_out(t);
        while (*at != t)
            at = &(*at)->next;
        *at = t->next;
    }
    port_unlock(&lock);
    free(t);
    return t != NULL ? osOK : osErrorParameter;
}
