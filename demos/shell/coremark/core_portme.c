// SPDX-License-Identifier: BSD-2-Clause
// See core_portme.h. Everything that one run keeps is of its task, so that several may run at once.
#include "coremark.h"

#include <stdlib.h>
#include <time.h>

#define TICKS_PER_SECOND 1e6            // instructions of a task: TIME counts one a nanosecond (docs/target.md 1)

ee_u32 default_num_contexts = MULTITHREAD;
int coremark_run(int argc, char **argv);            // CoreMark's main

static _Thread_local CORE_TICKS begun, ended;
static _Thread_local ee_s32 iterations;

int coremark_main(int argc, char **argv) {
    iterations = argc > 1 ? atoi(argv[1]) : 0;
    return coremark_run(0, NULL);
}

static CORE_TICKS now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (CORE_TICKS)t.tv_sec * 1000000000 + (CORE_TICKS)t.tv_nsec;
}
void start_time(void) { begun = now(); }
void stop_time(void) { ended = now(); }
CORE_TICKS get_time(void) { return ended - begun; }
secs_ret time_in_secs(CORE_TICKS ticks) { return (secs_ret)ticks / TICKS_PER_SECOND; }

void *portable_malloc(ee_size_t size) { return malloc(size); }
void portable_free(void *p) { free(p); }
void portable_init(core_portable *p, int *argc, char *argv[]) {
    (void)argc, (void)argv;
    p->portable_id = 1;
}
void portable_fini(core_portable *p) { p->portable_id = 0; }

ee_s32 portme_sys1(void) { return 0; }
ee_s32 portme_sys2(void) { return 0; }
ee_s32 portme_sys3(void) { return 0x66; }
ee_s32 portme_sys4(void) { return iterations; }
ee_s32 portme_sys5(void) { return 0; }
