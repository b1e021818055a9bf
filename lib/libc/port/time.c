// SPDX-License-Identifier: BSD-2-Clause
// Clocks: TIME counts nanoseconds since power-on (docs/target.md 1). There is no calendar clock on the board, so
// CLOCK_REALTIME is TIME plus what clock_settime set (at first 0: 1970-01-01).
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>                    // TIME_UTC
#include <time.h>
#include <unistd.h>

#include "port.h"

#define NS 1000000000u

static int64_t realtime_offset;

int port_errno(int64_t error) {
    static const unsigned char of[] = {
        [-LINX_EINVAL] = EINVAL, [-LINX_EHANDLE] = EBADF, [-LINX_EFAULT] = EFAULT, [-LINX_ENOMEM] = ENOMEM,
        [-LINX_ETIMEOUT] = ETIMEDOUT, [-LINX_EDELETED] = EIDRM, [-LINX_EDEADLK] = EDEADLK, [-LINX_EPERM] = EPERM,
        [-LINX_EOVERFLOW] = EOVERFLOW, [-LINX_ENOSYS] = ENOSYS, [-LINX_EOWNERDEAD] = EOWNERDEAD,
        [-LINX_ESTATE] = EBUSY, [-LINX_ERANGE] = ENODEV, [-LINX_EIO] = EIO,
    };
    errno = error < 0 && -error < (int64_t)sizeof of ? of[-error] : EIO;
    return -1;
}

static uint64_t cpu_ns(void) {
    struct linx_task_info info;
    return linx_task_info(linx_task_self(), &info) < 0 ? 0 : info.cpu_ns;
}

int clock_gettime(clockid_t id, struct timespec *ts) {
    uint64_t t;
    switch (id) {
    case CLOCK_REALTIME: t = linx_time() + (uint64_t)realtime_offset; break;
    case CLOCK_MONOTONIC: t = linx_time(); break;
    case CLOCK_THREAD_CPUTIME_ID: t = cpu_ns(); break;
    default: errno = EINVAL; return -1;
    }
    ts->tv_sec = (time_t)(t / NS);
    ts->tv_nsec = (long)(t % NS);
    return 0;
}

int clock_settime(clockid_t id, const struct timespec *ts) {
    if (id != CLOCK_REALTIME || ts->tv_nsec < 0 || ts->tv_nsec >= (long)NS) {
        errno = EINVAL;
        return -1;
    }
    realtime_offset = ts->tv_sec * (int64_t)NS + ts->tv_nsec - (int64_t)linx_time();
    return 0;
}

int clock_getres(clockid_t id, struct timespec *res) {
    if (id != CLOCK_REALTIME && id != CLOCK_MONOTONIC && id != CLOCK_THREAD_CPUTIME_ID) {
        errno = EINVAL;
        return -1;
    }
    if (res != NULL)
        *res = (struct timespec){ .tv_sec = 0, .tv_nsec = 1 };
    return 0;
}

int gettimeofday(struct timeval *tv, void *zone) {
    (void)zone;
    uint64_t t = linx_time() + (uint64_t)realtime_offset;
    tv->tv_sec = (time_t)(t / NS);
    tv->tv_usec = (suseconds_t)(t % NS / 1000);
    return 0;
}

// clock() is times() in CLOCKS_PER_SEC (microseconds): the time of the calling task.
clock_t times(struct tms *buf) {
    clock_t own = (clock_t)(cpu_ns() / 1000);
    if (buf != NULL)
        *buf = (struct tms){ .tms_utime = own };
    return (clock_t)(linx_time() / 1000);
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= (long)NS) {
        errno = EINVAL;
        return -1;
    }
    if (left != NULL)                   // nothing interrupts a sleep
        *left = (struct timespec){ 0 };
    linx_sleep((uint64_t)wanted->tv_sec * NS + (uint64_t)wanted->tv_nsec);
    return 0;
}

int usleep(useconds_t us) {
    linx_sleep((uint64_t)us * 1000);
    return 0;
}

unsigned sleep(unsigned seconds) {
    linx_sleep((uint64_t)seconds * NS);
    return 0;
}

int timespec_get(struct timespec *ts, int base) {           // C11; the libraries only declare it
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, ts) == 0 ? base : 0;
}
