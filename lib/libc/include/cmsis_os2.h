/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CMSIS-RTOS2 over the kernel of linx-rt (lib/libc/port/cmsis*.c): kernel, threads, thread flags, delays, timers, event
 * flags, mutexes, semaphores, memory pools and message queues. Calls are made by threads only (there are no interrupt
 * handlers outside the kernel), and control blocks and stacks that the attributes offer are not used, because the kernel
 * keeps its objects itself. A tick is one millisecond of TIME.
 */
#ifndef CMSIS_OS2_H_
#define CMSIS_OS2_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define osWaitForever        0xFFFFFFFFU
#define osFlagsWaitAny       0x00000000U
#define osFlagsWaitAll       0x00000001U
#define osFlagsNoClear       0x00000002U
#define osFlagsError         0x80000000U
#define osFlagsErrorUnknown  0xFFFFFFFFU
#define osFlagsErrorTimeout  0xFFFFFFFEU
#define osFlagsErrorResource 0xFFFFFFFDU
#define osFlagsErrorParameter 0xFFFFFFFCU
#define osThreadDetached     0x00000000U
#define osThreadJoinable     0x00000001U
#define osMutexRecursive     0x00000001U
#define osMutexPrioInherit   0x00000002U    /* always so */
#define osMutexRobust        0x00000008U    /* always so */

typedef enum {
    osOK = 0, osError = -1, osErrorTimeout = -2, osErrorResource = -3, osErrorParameter = -4, osErrorNoMemory = -5,
    osErrorISR = -6, osStatusReserved = 0x7FFFFFFF
} osStatus_t;
typedef enum {
    osKernelInactive = 0, osKernelReady = 1, osKernelRunning = 2, osKernelLocked = 3, osKernelSuspended = 4,
    osKernelError = -1, osKernelReserved = 0x7FFFFFFF
} osKernelState_t;
typedef enum {
    osThreadInactive = 0, osThreadReady = 1, osThreadRunning = 2, osThreadBlocked = 3, osThreadTerminated = 4,
    osThreadError = -1, osThreadReserved = 0x7FFFFFFF
} osThreadState_t;
/* Levels 1..56 become the kernel's 0..31 (level * 31 / 56): neighbours may share one. */
typedef enum {
    osPriorityNone = 0, osPriorityIdle = 1, osPriorityLow = 8, osPriorityBelowNormal = 16, osPriorityNormal = 24,
    osPriorityAboveNormal = 32, osPriorityHigh = 40, osPriorityRealtime = 48, osPriorityISR = 56, osPriorityError = -1,
    osPriorityReserved = 0x7FFFFFFF
} osPriority_t;

typedef void (*osThreadFunc_t)(void *argument);
typedef void *osThreadId_t, *osEventFlagsId_t, *osMutexId_t, *osSemaphoreId_t, *osMessageQueueId_t, *osTimerId_t,
    *osMemoryPoolId_t;
typedef void (*osTimerFunc_t)(void *argument);
typedef enum { osTimerOnce = 0, osTimerPeriodic = 1 } osTimerType_t;
typedef uint32_t TZ_ModuleId_t;

typedef struct { uint32_t api, kernel; } osVersion_t;
typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *stack_mem;
    uint32_t stack_size;
    osPriority_t priority;
    TZ_ModuleId_t tz_module;
    uint32_t reserved;
} osThreadAttr_t;
typedef struct { const char *name; uint32_t attr_bits; void *cb_mem; uint32_t cb_size; } osEventFlagsAttr_t;
typedef osEventFlagsAttr_t osMutexAttr_t, osSemaphoreAttr_t, osTimerAttr_t;
typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mq_mem;
    uint32_t mq_size;
} osMessageQueueAttr_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mp_mem;                       /* used when it is 8-aligned and large enough: count * (size rounded up to 8) */
    uint32_t mp_size;
} osMemoryPoolAttr_t;

osStatus_t osKernelInitialize(void);
osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size);
osKernelState_t osKernelGetState(void);
osStatus_t osKernelStart(void);         /* lets the threads go; does not return */
uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
uint32_t osKernelGetSysTimerCount(void);
uint32_t osKernelGetSysTimerFreq(void);

osThreadId_t osThreadNew(osThreadFunc_t func, void *argument, const osThreadAttr_t *attr);
const char *osThreadGetName(osThreadId_t thread_id);    /* in a buffer of the calling thread */
osThreadId_t osThreadGetId(void);
osThreadState_t osThreadGetState(osThreadId_t thread_id);
osStatus_t osThreadSetPriority(osThreadId_t thread_id, osPriority_t priority);
osPriority_t osThreadGetPriority(osThreadId_t thread_id);
osStatus_t osThreadYield(void);
osStatus_t osThreadSuspend(osThreadId_t thread_id);
osStatus_t osThreadResume(osThreadId_t thread_id);
osStatus_t osThreadJoin(osThreadId_t thread_id);
_Noreturn void osThreadExit(void);
osStatus_t osThreadTerminate(osThreadId_t thread_id);

uint32_t osThreadFlagsSet(osThreadId_t thread_id, uint32_t flags);
uint32_t osThreadFlagsClear(uint32_t flags);
uint32_t osThreadFlagsGet(void);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

osStatus_t osDelay(uint32_t ticks);
osStatus_t osDelayUntil(uint32_t ticks);

/* Callbacks run in one thread of osPriorityHigh; they may use every call, and delay each other. */
osTimerId_t osTimerNew(osTimerFunc_t func, osTimerType_t type, void *argument, const osTimerAttr_t *attr);
const char *osTimerGetName(osTimerId_t timer_id);
osStatus_t osTimerStart(osTimerId_t timer_id, uint32_t ticks);
osStatus_t osTimerStop(osTimerId_t timer_id);
uint32_t osTimerIsRunning(osTimerId_t timer_id);
osStatus_t osTimerDelete(osTimerId_t timer_id);

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr);
uint32_t osEventFlagsSet(osEventFlagsId_t ef_id, uint32_t flags);
uint32_t osEventFlagsClear(osEventFlagsId_t ef_id, uint32_t flags);
uint32_t osEventFlagsGet(osEventFlagsId_t ef_id);
uint32_t osEventFlagsWait(osEventFlagsId_t ef_id, uint32_t flags, uint32_t options, uint32_t timeout);
osStatus_t osEventFlagsDelete(osEventFlagsId_t ef_id);

osMutexId_t osMutexNew(const osMutexAttr_t *attr);
osStatus_t osMutexAcquire(osMutexId_t mutex_id, uint32_t timeout);
osStatus_t osMutexRelease(osMutexId_t mutex_id);
osThreadId_t osMutexGetOwner(osMutexId_t mutex_id);
osStatus_t osMutexDelete(osMutexId_t mutex_id);

osSemaphoreId_t osSemaphoreNew(uint32_t max_count, uint32_t initial_count, const osSemaphoreAttr_t *attr);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore_id, uint32_t timeout);
osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore_id);
osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore_id);

osMemoryPoolId_t osMemoryPoolNew(uint32_t block_count, uint32_t block_size, const osMemoryPoolAttr_t *attr);
const char *osMemoryPoolGetName(osMemoryPoolId_t mp_id);
void *osMemoryPoolAlloc(osMemoryPoolId_t mp_id, uint32_t timeout);
osStatus_t osMemoryPoolFree(osMemoryPoolId_t mp_id, void *block);
uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetCount(osMemoryPoolId_t mp_id);
uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t mp_id);
osStatus_t osMemoryPoolDelete(osMemoryPoolId_t mp_id);

/* Messages of one priority, first in first out: msg_prio is taken and not used. */
osMessageQueueId_t osMessageQueueNew(uint32_t msg_count, uint32_t msg_size, const osMessageQueueAttr_t *attr);
osStatus_t osMessageQueuePut(osMessageQueueId_t mq_id, const void *msg_ptr, uint8_t msg_prio, uint32_t timeout);
osStatus_t osMessageQueueGet(osMessageQueueId_t mq_id, void *msg_ptr, uint8_t *msg_prio, uint32_t timeout);
osStatus_t osMessageQueueDelete(osMessageQueueId_t mq_id);

#ifdef __cplusplus
}
#endif

#endif
