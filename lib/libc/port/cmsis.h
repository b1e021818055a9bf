// SPDX-License-Identifier: BSD-2-Clause
// What the parts of CMSIS-RTOS2 share: ids are kernel handles, a tick is a millisecond.
#ifndef LINX_CMSIS_H
#define LINX_CMSIS_H

#include <cmsis_os2.h>

#include "port.h"

#define TICK_NS 1000000u                // 1 kHz

static inline void *id_of(int handle) { return handle > 0 ? (void *)(intptr_t)handle : NULL; }
static inline int handle_of(const void *id) { return (int)(intptr_t)id; }
static inline uint64_t ns_of(uint32_t ticks) { return ticks == osWaitForever ? LINX_FOREVER : (uint64_t)ticks * TICK_NS; }

static inline osStatus_t status_of(int64_t r) {
    if (r >= 0)
        return osOK;
    switch (r) {
    case LINX_ETIMEOUT: return osErrorTimeout;
    case LINX_EINVAL: case LINX_EHANDLE: case LINX_EFAULT: return osErrorParameter;
    case LINX_ENOMEM: return osErrorNoMemory;
    default: return osErrorResource;
    }
}
// Without a time-out to wait, CMSIS calls "not now" a missing resource.
static inline osStatus_t wait_status(int64_t r, uint32_t timeout) {
    return r == LINX_ETIMEOUT && timeout == 0 ? osErrorResource : status_of(r);
}

static inline uint32_t flags_or_error(int64_t r, uint32_t timeout) {
    if (r >= 0)
        return (uint32_t)r & ~osFlagsError;
    return r == LINX_ETIMEOUT ? (timeout == 0 ? osFlagsErrorResource : osFlagsErrorTimeout) :
           r == LINX_EHANDLE || r == LINX_EINVAL ? osFlagsErrorParameter : osFlagsErrorUnknown;
}
// options as CMSIS has them; the flags that were seen, or an error.
static inline uint32_t flags_wait(int event, uint32_t flags, uint32_t options, uint32_t timeout) {
    if (flags == 0 || (flags & osFlagsError))
        return osFlagsErrorParameter;
    uint32_t mode = (options & osFlagsWaitAll ? LINX_EVENT_ALL : LINX_EVENT_ANY) | (options & osFlagsNoClear ? 0 : LINX_EVENT_CLEAR);
    return flags_or_error(linx_event_wait(event, flags, mode, ns_of(timeout)), timeout);
}

#endif
