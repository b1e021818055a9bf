// SPDX-License-Identifier: BSD-2-Clause
// CMSIS-RTOS2 (cmsis_os2.h) over the kernel's calls. An id is the kernel's handle, so a stale one is refused; only
// mutexes have a record of their own, for recursion.
#include <cmsis_os2.h>
#include <stdlib.h>
#include <string.h>

#include "cmsis.h"

static osKernelState_t state = osKernelInactive;

// ---- kernel ---------------------------------------------------------------------------------------------------------------
#define EARLY 64                        // threads made before osKernelStart
static int early[EARLY], early_count;

osStatus_t osKernelInitialize(void) {
    if (state != osKernelInactive)
        return osError;
    state = osKernelReady;
    return osOK;
}
osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size) {
    if (version != NULL)
        *version = (osVersion_t){ .api = 20010003, .kernel = 10000000 };
    if (id_buf != NULL && id_size != 0) {
        strncpy(id_buf, "linx-rt", id_size - 1);
        id_buf[id_size - 1] = 0;
    }
    return osOK;
}
osKernelState_t osKernelGetState(void) { return state; }
osStatus_t osKernelStart(void) {
    if (state != osKernelReady)
        return osError;
    state = osKernelRunning;
    linx_task_priority(linx_task_self(), 31);           // nobody runs before all may
    for (int i = 0; i < early_count; i++)
        linx_task_resume(early[i]);
    for (;;)                                            // the main task owns the heap: it stays
        linx_sleep(LINX_FOREVER);
}
uint32_t osKernelGetTickCount(void) { return (uint32_t)(linx_time() / TICK_NS); }
uint32_t osKernelGetTickFreq(void) { return 1000000000u / TICK_NS; }
uint32_t osKernelGetSysTimerCount(void) { return (uint32_t)linx_time(); }
uint32_t osKernelGetSysTimerFreq(void) { return 1000000000u; }

// ---- threads ----------------------------------------------------------------------------------------------------------------
static int kernel_priority(osPriority_t p) { return p * 31 / 56; }
static osPriority_t cmsis_priority(int p) { return (osPriority_t)((p * 56 + 30) / 31); }     // the lowest level that maps to p

struct start {
    osThreadFunc_t function;
    void *argument;
};
static void begin(void *arg) {
    struct start s = *(struct start *)arg;
    free(arg);
    s.function(s.argument);
    osThreadExit();
}

osThreadId_t osThreadNew(osThreadFunc_t func, void *argument, const osThreadAttr_t *a) {
    osPriority_t p = a != NULL && a->priority != osPriorityNone ? a->priority : osPriorityNormal;
    if (func == NULL || p < osPriorityIdle || p > osPriorityISR || (state != osKernelRunning && early_count == EARLY))
        return NULL;
    struct linx_task_attr attr = {
        .name = a != NULL && a->name != NULL ? a->name : "thread", .priority = (uint32_t)kernel_priority(p),
        .stack_bytes = a != NULL && a->stack_size != 0 ? a->stack_size : 8192,
        .flags = a != NULL && (a->attr_bits & osThreadJoinable) ? 0 : LINX_TASK_DETACHED,
    };
    if (state != osKernelRunning)
        attr.flags |= LINX_TASK_SUSPENDED;
    struct start *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (struct start){ func, argument };
    int task = linx_task_create(&attr, begin, s);
    if (task < 0)
        free(s);
    else if (state != osKernelRunning)
        early[early_count++] = task;
    return id_of(task);
}

const char *osThreadGetName(osThreadId_t id) {
    static _Thread_local struct linx_task_info info;
    return linx_task_info(handle_of(id), &info) < 0 ? NULL : info.name;
}
osThreadId_t osThreadGetId(void) { return id_of(linx_task_self()); }
osThreadState_t osThreadGetState(osThreadId_t id) {
    static const osThreadState_t states[] = { osThreadReady, osThreadBlocked, osThreadBlocked, osThreadTerminated };
    struct linx_task_info info;
    if (linx_task_info(handle_of(id), &info) < 0)
        return osThreadError;
    return handle_of(id) == linx_task_self() ? osThreadRunning : info.state < 4 ? states[info.state] : osThreadError;
}
osStatus_t osThreadSetPriority(osThreadId_t id, osPriority_t p) {
    if (p < osPriorityIdle || p > osPriorityISR)
        return osErrorParameter;
    return status_of(linx_task_priority(handle_of(id), kernel_priority(p)));
}
osPriority_t osThreadGetPriority(osThreadId_t id) {
    int p = linx_task_priority(handle_of(id), -1);
    return p < 0 ? osPriorityError : cmsis_priority(p);
}
osStatus_t osThreadYield(void) { return status_of(linx_yield()); }
osStatus_t osThreadSuspend(osThreadId_t id) { return status_of(linx_task_suspend(handle_of(id))); }
osStatus_t osThreadResume(osThreadId_t id) { return status_of(linx_task_resume(handle_of(id))); }
osStatus_t osThreadJoin(osThreadId_t id) { return status_of(linx_task_join(handle_of(id), NULL, LINX_FOREVER)); }
_Noreturn void osThreadExit(void) {
    port_thread_end();
    linx_task_exit(0);
}
osStatus_t osThreadTerminate(osThreadId_t id) { return status_of(linx_task_kill(handle_of(id))); }

osStatus_t osDelay(uint32_t ticks) { return status_of(linx_sleep(ns_of(ticks))); }
osStatus_t osDelayUntil(uint32_t ticks) {
    uint32_t left = ticks - osKernelGetTickCount();
    if (left == 0 || left > INT32_MAX)
        return osErrorParameter;                        // in the past
    return status_of(linx_sleep_until((linx_time() / TICK_NS + left) * TICK_NS));
}

// ---- event flags: 31 flags ----------------------------------------------------------------------------------------------------
osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr) {
    (void)attr;
    return id_of(linx_event_create(0));
}
uint32_t osEventFlagsSet(osEventFlagsId_t id, uint32_t flags) {
    return flags & osFlagsError ? osFlagsErrorParameter : flags_or_error(linx_event_set(handle_of(id), flags), 1);
}
uint32_t osEventFlagsClear(osEventFlagsId_t id, uint32_t flags) {
    return flags & osFlagsError ? osFlagsErrorParameter : flags_or_error(linx_event_clear(handle_of(id), flags), 1);
}
uint32_t osEventFlagsGet(osEventFlagsId_t id) {
    int64_t r = linx_event_clear(handle_of(id), 0);
    return r < 0 ? 0 : (uint32_t)r;
}
uint32_t osEventFlagsWait(osEventFlagsId_t id, uint32_t flags, uint32_t options, uint32_t timeout) {
    return flags_wait(handle_of(id), flags, options, timeout);
}
osStatus_t osEventFlagsDelete(osEventFlagsId_t id) { return status_of(linx_object_delete(handle_of(id))); }

// ---- mutexes --------------------------------------------------------------------------------------------------------------------
struct mutex {
    struct port_lock lock;
    bool recursive;
};
osMutexId_t osMutexNew(const osMutexAttr_t *attr) {
    struct mutex *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->recursive = attr != NULL && (attr->attr_bits & osMutexRecursive);
    return m;
}
osStatus_t osMutexAcquire(osMutexId_t id, uint32_t timeout) {
    struct mutex *m = id;
    if (m == NULL)
        return osErrorParameter;
    if (!m->recursive && m->lock.depth != 0 && m->lock.owner == linx_task_self())
        return osErrorResource;
    return port_trylock(&m->lock, ns_of(timeout)) ? osOK : timeout == 0 ? osErrorResource : osErrorTimeout;
}
osStatus_t osMutexRelease(osMutexId_t id) {
    struct mutex *m = id;
    if (m == NULL)
        return osErrorParameter;
    if (m->lock.depth == 0 || m->lock.owner != linx_task_self())
        return osErrorResource;
    port_unlock(&m->lock);
    return osOK;
}
osThreadId_t osMutexGetOwner(osMutexId_t id) { return id == NULL ? NULL : id_of(((struct mutex *)id)->lock.owner); }
osStatus_t osMutexDelete(osMutexId_t id) {
    if (id == NULL)
        return osErrorParameter;
    port_lock_free(&((struct mutex *)id)->lock);
    free(id);
    return osOK;
}

// ---- semaphores, message queues ---------------------------------------------------------------------------------------------------
osSemaphoreId_t osSemaphoreNew(uint32_t max_count, uint32_t initial_count, const osSemaphoreAttr_t *attr) {
    (void)attr;
    return id_of(linx_sem_create(initial_count, max_count));
}
osStatus_t osSemaphoreAcquire(osSemaphoreId_t id, uint32_t timeout) {
    return wait_status(linx_sem_wait(handle_of(id), ns_of(timeout)), timeout);
}
osStatus_t osSemaphoreRelease(osSemaphoreId_t id) { return status_of(linx_sem_post(handle_of(id))); }
osStatus_t osSemaphoreDelete(osSemaphoreId_t id) { return status_of(linx_object_delete(handle_of(id))); }

osMessageQueueId_t osMessageQueueNew(uint32_t msg_count, uint32_t msg_size, const osMessageQueueAttr_t *attr) {
    (void)attr;
    return id_of(linx_queue_create(msg_size, msg_count));
}
osStatus_t osMessageQueuePut(osMessageQueueId_t id, const void *msg, uint8_t prio, uint32_t timeout) {
    (void)prio;
    return wait_status(linx_queue_send(handle_of(id), msg, ns_of(timeout)), timeout);
}
osStatus_t osMessageQueueGet(osMessageQueueId_t id, void *msg, uint8_t *prio, uint32_t timeout) {
    osStatus_t r = wait_status(linx_queue_receive(handle_of(id), msg, ns_of(timeout)), timeout);
    if (r == osOK && prio != NULL)
        *prio = 0;
    return r;
}
osStatus_t osMessageQueueDelete(osMessageQueueId_t id) { return status_of(linx_object_delete(handle_of(id))); }
