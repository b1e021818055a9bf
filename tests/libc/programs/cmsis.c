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
