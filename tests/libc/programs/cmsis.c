// SPDX-License-Identifier: BSD-2-Clause
// CMSIS-RTOS2 over the kernel: a firmware's usual shape, main makes the threads and starts the kernel.
#include <cmsis_os2.h>
#include <stdlib.h>
#include <string.h>

#include "tests/libc/programs/check.h"

static volatile int ran_early;
static int order[3], at;
static void note(void *arg) {
    if (osKernelGetState() != osKernelRunning)
        ran_early = 1;
    order[at++] = (int)(long)arg;
}
static osThreadId_t noted[3];
static void threads(void) {
    for (int i = 0; i < 3; i++)
        CHECK(osThreadJoin(noted[i]) == osOK);
    CHECK(!ran_early && at == 3 && order[0] == 2 && order[1] == 1 && order[2] == 0);   // by priority, not as made
    CHECK(strcmp(osThreadGetName(osThreadGetId()), "checker") == 0 && osThreadGetState(osThreadGetId()) == osThreadRunning);
    CHECK(osThreadGetPriority(osThreadGetId()) != osPriorityError && osThreadSetPriority(osThreadGetId(), 57) == osErrorParameter);
    CHECK(osThreadJoin(noted[0]) == osErrorParameter && osThreadNew(NULL, NULL, NULL) == NULL);
}

static osMessageQueueId_t queue;
static void producer(void *arg) {
    for (int i = 0; i < 20; i++) {
        int v = i + (int)(long)arg;
        osMessageQueuePut(queue, &v, 0, osWaitForever);
    }
}
static void messages(void) {
    int v, sum = 0;
    queue = osMessageQueueNew(3, sizeof(int), NULL);
    CHECK(queue != NULL && osMessageQueueGet(queue, &v, NULL, 0) == osErrorResource);
    uint32_t t = osKernelGetTickCount();
    CHECK(osMessageQueueGet(queue, &v, NULL, 2) == osErrorTimeout && osKernelGetTickCount() - t >= 2);
    CHECK(osThreadNew(producer, (void *)100, NULL) != NULL && osThreadNew(producer, (void *)1000, NULL) != NULL);
    for (int i = 0; i < 40; i++) {
        CHECK(osMessageQueueGet(queue, &v, NULL, osWaitForever) == osOK);
        sum += v;
    }
    CHECK(sum == 2 * 190 + 20 * 1100 && osMessageQueueDelete(queue) == osOK && osMessageQueueDelete(queue) == osErrorParameter);
}

static osMutexId_t mutex;
static int shared;
static osSemaphoreId_t done;
static void adder(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++) {
        osMutexAcquire(mutex, osWaitForever);
        int seen = shared;
        osThreadYield();
        shared = seen + 1;
        osMutexRelease(mutex);
    }
    osSemaphoreRelease(done);
}
static void mutexes_semaphores(void) {
    osMutexAttr_t recursive = { .attr_bits = osMutexRecursive };
    mutex = osMutexNew(NULL);
    done = osSemaphoreNew(4, 0, NULL);
    CHECK(osMutexAcquire(mutex, 0) == osOK && osMutexAcquire(mutex, 0) == osErrorResource && osMutexGetOwner(mutex) == osThreadGetId());
    CHECK(osMutexRelease(mutex) == osOK && osMutexRelease(mutex) == osErrorResource);
    for (int i = 0; i < 4; i++)
        CHECK(osThreadNew(adder, NULL, NULL) != NULL);
    for (int i = 0; i < 4; i++)
        CHECK(osSemaphoreAcquire(done, osWaitForever) == osOK);
    CHECK(shared == 80 && osSemaphoreAcquire(done, 0) == osErrorResource && osMutexDelete(mutex) == osOK);
    for (int i = 0; i < 4; i++)
        CHECK(osSemaphoreRelease(done) == osOK);
    CHECK(osSemaphoreRelease(done) == osErrorResource && osSemaphoreDelete(done) == osOK);
    mutex = osMutexNew(&recursive);
    CHECK(osMutexAcquire(mutex, 0) == osOK && osMutexAcquire(mutex, 0) == osOK && osMutexRelease(mutex) == osOK);
    CHECK(osMutexRelease(mutex) == osOK && osMutexDelete(mutex) == osOK);
}

static osEventFlagsId_t flags;
static void setter(void *arg) {
    (void)arg;
    osDelay(1);
    osEventFlagsSet(flags, 1);
    osDelay(1);
    osEventFlagsSet(flags, 4);
}
static void event_flags(void) {
    flags = osEventFlagsNew(NULL);
    CHECK(osEventFlagsWait(flags, 5, osFlagsWaitAll, 0) == osFlagsErrorResource);
    CHECK(osThreadNew(setter, NULL, NULL) != NULL);
    CHECK(osEventFlagsWait(flags, 5, osFlagsWaitAny | osFlagsNoClear, osWaitForever) == 1);
    CHECK(osEventFlagsWait(flags, 5, osFlagsWaitAll, osWaitForever) == 5 && osEventFlagsGet(flags) == 0);
    CHECK(osEventFlagsWait(flags, 5, osFlagsWaitAny, 1) == osFlagsErrorTimeout && osEventFlagsSet(flags, osFlagsError) == osFlagsErrorParameter);
    CHECK(osEventFlagsDelete(flags) == osOK);
}

static osThreadId_t waiter_id;
static uint32_t got[3];
static void flag_waiter(void *arg) {
    (void)arg;
    got[0] = osThreadFlagsWait(3, osFlagsWaitAll, osWaitForever);
    got[1] = osThreadFlagsWait(4, osFlagsWaitAny | osFlagsNoClear, osWaitForever);
    got[2] = osThreadFlagsGet();
    osSemaphoreRelease(done);
}
static void thread_flags(void) {
    done = osSemaphoreNew(1, 0, NULL);
    waiter_id = osThreadNew(flag_waiter, NULL, &(osThreadAttr_t){ .attr_bits = osThreadJoinable, .priority = osPriorityHigh });
    CHECK(osThreadFlagsSet(waiter_id, 1) == 1 && osThreadFlagsSet(waiter_id, 8) == 9 && osSemaphoreAcquire(done, 0) == osErrorResource);
    osThreadFlagsSet(waiter_id, 2);                     // 1 and 2 are taken, 8 stays
    CHECK(osThreadFlagsSet(waiter_id, 4) == 12 && osSemaphoreAcquire(done, 1) == osOK);
    CHECK(got[0] == 11 && got[1] == 12 && got[2] == 12);
    CHECK(osThreadJoin(waiter_id) == osOK && osThreadFlagsSet(waiter_id, 1) == osFlagsErrorParameter);
    CHECK(osThreadFlagsGet() == 0 && osThreadFlagsSet(osThreadGetId(), 6) == 6 && osThreadFlagsClear(2) == 6 && osThreadFlagsGet() == 4);
    CHECK(osThreadFlagsWait(4, osFlagsWaitAny, 0) == 4 && osThreadFlagsWait(4, osFlagsWaitAny, 0) == osFlagsErrorResource);
    CHECK(osThreadFlagsWait(4, osFlagsWaitAny, 1) == osFlagsErrorTimeout && osThreadFlagsWait(osFlagsError, 0, 0) == osFlagsErrorParameter);
    CHECK(osSemaphoreDelete(done) == osOK);
}

static volatile int ticks_seen[3];
static osTimerId_t periodic;
static void on_timer(void *arg) {
    int which = (int)(long)arg;
    if (++ticks_seen[which] == 4 && which == 1)
        osTimerStop(periodic);                          // a callback may stop its own timer
}
static void timers(void) {
    osTimerId_t once = osTimerNew(on_timer, osTimerOnce, (void *)0, &(osTimerAttr_t){ .name = "once" });
    periodic = osTimerNew(on_timer, osTimerPeriodic, (void *)1, NULL);
    osTimerId_t never = osTimerNew(on_timer, osTimerOnce, (void *)2, NULL);
    CHECK(once != NULL && periodic != NULL && strcmp(osTimerGetName(once), "once") == 0 && osTimerNew(NULL, osTimerOnce, NULL, NULL) == NULL);
    CHECK(!osTimerIsRunning(once) && osTimerStop(once) == osErrorResource && osTimerStart(once, 0) == osErrorParameter);
    CHECK(osTimerStart(once, 3) == osOK && osTimerStart(periodic, 2) == osOK && osTimerStart(never, 50) == osOK);
    CHECK(osTimerIsRunning(once) && osTimerIsRunning(periodic));
    osDelay(1);
    CHECK(ticks_seen[0] == 0 && ticks_seen[1] == 0);
    osDelay(20);
    CHECK(ticks_seen[0] == 1 && ticks_seen[1] == 4 && ticks_seen[2] == 0);
    CHECK(!osTimerIsRunning(once) && !osTimerIsRunning(periodic) && osTimerIsRunning(never));
    CHECK(osTimerStart(once, 2) == osOK && osTimerStart(once, 5) == osOK);      // starting again counts from now
    osDelay(3);
    CHECK(ticks_seen[0] == 1);
    osDelay(4);
    CHECK(ticks_seen[0] == 2 && osTimerDelete(never) == osOK && osTimerDelete(never) == osErrorParameter);
    CHECK(osTimerDelete(once) == osOK && osTimerDelete(periodic) == osOK && osTimerStart(once, 1) == osErrorParameter);
    osDelay(60);
    CHECK(ticks_seen[2] == 0);
}

static osMemoryPoolId_t pool;
static void give_block(void *arg) {
    osDelay(2);
    osMemoryPoolFree(pool, arg);
}
static void take_block(void *arg) {
    *(void *volatile *)arg = osMemoryPoolAlloc(pool, osWaitForever);
    osSemaphoreRelease(done);
}
static void memory_pools(void) {
    char *b[3];
    void *volatile seen = &b;
    pool = osMemoryPoolNew(3, 20, NULL);
    CHECK(pool != NULL && osMemoryPoolNew(0, 4, NULL) == NULL && osMemoryPoolGetCapacity(pool) == 3 && osMemoryPoolGetBlockSize(pool) == 20);
    for (int i = 0; i < 3; i++) {
        b[i] = osMemoryPoolAlloc(pool, 0);
        CHECK(b[i] != NULL && (uintptr_t)b[i] % 8 == 0);
        memset(b[i], i, 20);
    }
    CHECK(osMemoryPoolGetCount(pool) == 3 && osMemoryPoolGetSpace(pool) == 0 && b[0][19] == 0 && b[1][0] == 1 && b[1][19] == 1 && b[2][0] == 2);
    CHECK(osMemoryPoolAlloc(pool, 0) == NULL && osMemoryPoolAlloc(pool, 2) == NULL);
    CHECK(osMemoryPoolFree(pool, b[1] + 1) == osErrorParameter && osMemoryPoolFree(pool, b) == osErrorParameter);
    CHECK(osThreadNew(give_block, b[1], NULL) != NULL && osMemoryPoolAlloc(pool, osWaitForever) == b[1]);      // waits for it
    CHECK(osMemoryPoolFree(pool, b[0]) == osOK && osMemoryPoolFree(pool, b[0]) == osErrorResource && osMemoryPoolGetSpace(pool) == 1);
    CHECK(osMemoryPoolAlloc(pool, 0) == b[0]);
    done = osSemaphoreNew(1, 0, NULL);
    CHECK(osThreadNew(take_block, (void *)&seen, NULL) != NULL);
    osDelay(1);
    CHECK(osMemoryPoolDelete(pool) == osOK && osSemaphoreAcquire(done, osWaitForever) == osOK && seen == NULL);   // who waits gives up
    CHECK(osMemoryPoolDelete(pool) == osErrorParameter && osMemoryPoolGetCapacity(pool) == 0 && osSemaphoreDelete(done) == osOK);
    static uint64_t memory[4];
    osMemoryPoolAttr_t attr = { .name = "own", .mp_mem = memory, .mp_size = sizeof memory };
    CHECK(osMemoryPoolNew(3, 16, &attr) == NULL);
    pool = osMemoryPoolNew(2, 13, &attr);
    CHECK(strcmp(osMemoryPoolGetName(pool), "own") == 0 && osMemoryPoolAlloc(pool, 0) == memory && osMemoryPoolDelete(pool) == osOK);
}

static void delays(void) {
    uint32_t t = osKernelGetTickCount();
    CHECK(osDelay(3) == osOK && osKernelGetTickCount() - t >= 3 && osKernelGetTickCount() - t < 5);
    t = osKernelGetTickCount();
    CHECK(osDelayUntil(t + 2) == osOK && osKernelGetTickCount() == t + 2 && osDelayUntil(t) == osErrorParameter);
    CHECK(osKernelGetTickFreq() == 1000 && osKernelInitialize() == osError && osKernelStart() == osError);
}

static void checker(void *arg) {
    (void)arg;
    test("CMSIS-RTOS2: threads and priorities", threads);
    test("CMSIS-RTOS2: message queues", messages);
    test("CMSIS-RTOS2: mutexes and semaphores", mutexes_semaphores);
    test("CMSIS-RTOS2: event flags", event_flags);
    test("CMSIS-RTOS2: thread flags", thread_flags);
    test("CMSIS-RTOS2: timers", timers);
    test("CMSIS-RTOS2: memory pools", memory_pools);
    test("CMSIS-RTOS2: delays", delays);
    exit(check_failures);
}

int main(void) {
    static const osPriority_t priorities[3] = { osPriorityBelowNormal, osPriorityNormal, osPriorityHigh };
    osKernelInitialize();
    for (int i = 0; i < 3; i++)
        noted[i] = osThreadNew(note, (void *)(long)i, &(osThreadAttr_t){ .attr_bits = osThreadJoinable, .priority = priorities[i] });
    osThreadNew(checker, NULL, &(osThreadAttr_t){ .name = "checker", .priority = osPriorityLow, .stack_size = 16384 });
    osKernelStart();
}
