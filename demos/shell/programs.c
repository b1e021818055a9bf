// SPDX-License-Identifier: BSD-2-Clause
// Programs run as tasks of the shell's own image. They are ordinary main functions; what they do to global variables
// stays until the machine ends, as there is one copy of each.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demos/preempt/bodies.h"
#include "linx/rt.h"
#include "shell.h"

#define PRIORITY 15                     // below the shell, so that it answers while programs compute

int lua_main(int argc, char **argv);    // Lua's own main (lua.c), when its source could be fetched
#pragma weak lua_main
int coremark_main(int argc, char **argv);       // coremark/core_portme.c, when CoreMark's source could be fetched
#pragma weak coremark_main
int dhrystone_main(int argc, char **argv);      // dhrystone/dhrystone.c, the same
#pragma weak dhrystone_main

// ---- programs of our own ------------------------------------------------------------------------------------------------
// vector [RUNS]: the VPAR and MSEQ bodies of demos/preempt, checked against scalar code.
static int vector_main(int argc, char **argv) {
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 100, wrong = 0;
    enum { ROUNDS = 40 };
    uint32_t *in = malloc(4 * ELEMENTS), *out = malloc(4 * ELEMENTS), *want = malloc(4 * ELEMENTS);
    if (in == NULL || out == NULL || want == NULL) {
        printf("vector: no memory\n");
        return 1;
    }
    uint64_t hash = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        uint32_t x = in[i] = i * 2654435761u;
        for (int r = 0; r < ROUNDS; r++)
            x = x * MUL + ADD;
        want[i] = x;
    }
    for (uint32_t g = 0; g < ELEMENTS; g += 64) {
        uint32_t x = 0;
        for (uint32_t i = 0; i < 64; i++)
            x ^= want[g + i];
        hash = (hash + x) * MUL;
    }
    for (unsigned long n = 0; n < runs; n++) {
        memset(out, 0, 4 * ELEMENTS);
        if (n & 1) {
            vpar1(in, out, ROUNDS);
            wrong += memcmp(out, want, 4 * 64) != 0;
        } else {
            wrong += mseq0(in, out, ROUNDS) != hash || memcmp(out, want, 4 * ELEMENTS) != 0;
        }
    }
    printf("vector: %lu runs, %lu wrong\n", runs, wrong);
    free(in);
    free(out);
    free(want);
    return wrong != 0;
}

// primes [LIMIT]: a scalar task that counts primes.
static int primes_main(int argc, char **argv) {
    unsigned long limit = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000, count = 0;
    unsigned char *composite = calloc(limit + 1, 1);
    if (composite == NULL) {
        printf("primes: no memory for a sieve of %lu\n", limit);
        return 1;
    }
    for (unsigned long i = 2; i <= limit; i++) {
        if (composite[i])
            continue;
        count++;
        for (unsigned long k = i * i; k <= limit; k += i)
            composite[k] = 1;
    }
    printf("primes: %lu up to %lu\n", count, limit);
    free(composite);
    return 0;
}

const struct program programs[] = {
    { "vector", "[RUNS]: VPAR and MSEQ bodies, each result checked", vector_main, 8192 },
    { "primes", "[LIMIT]: a sieve", primes_main, 8192 },
    { "lua", "[OPTION ...] [FILE [ARG ...]]: Lua 5.4, unpatched", lua_main, 65536 },
    { "coremark", "[ITERATIONS]: CoreMark, unpatched; a second is a million instructions", coremark_main, 8192 },
    { "dhrystone", "[RUNS]: Dhrystone 2.1, unpatched", dhrystone_main, 8192 },
    { NULL, NULL, NULL, 0 },
};

// ---- running them -----------------------------------------------------------------------------------------------------------
struct start {
    int (*main)(int, char **);
    int argc;
    char *argv[16];
    char text[256];
};

static void begin(void *arg) {
    struct start *s = arg;
    int status = s->main(s->argc, s->argv);
    fflush(stdout);
    free(s);
    linx_task_exit(status);
}

// What programs.mk makes of exit() in programs from elsewhere: the end of the task, not of the machine. Its small start
// record stays behind.
_Noreturn void shell_program_exit(int status) {
    fflush(stdout);
    linx_task_exit(status);
}

int run_program(int argc, char **argv) {
    int background = argc > 2 && strcmp(argv[argc - 1], "&") == 0;
    argc -= background;
    const struct program *p = programs;
    while (argc > 1 && p->name != NULL && strcmp(p->name, argv[1]) != 0)
        p++;
    if (argc < 2 || p->name == NULL || p->main == NULL) {
        printf("run: %s\n", argc < 2 ? "which program? (help lists them)" : "there is no such program here");
        return 127;
    }
    struct start *s = malloc(sizeof *s);
    if (s == NULL) {
        printf("run: no memory\n");
        return 1;
    }
    s->main = p->main;
    s->argc = argc - 1;
    size_t at = 0;
    for (int i = 1; i < argc; i++) {
        size_t bytes = strlen(argv[i]) + 1;
        s->argv[i - 1] = memcpy(s->text + at, argv[i], bytes);      // a line has fewer bytes than text
        at += bytes;
    }
    s->argv[argc - 1] = NULL;
    struct linx_task_attr attr = {
        .name = p->name, .priority = PRIORITY, .stack_bytes = p->stack_bytes, .flags = background ? LINX_TASK_DETACHED : 0,
    };
    linx_handle task = linx_task_create(&attr, begin, s);
    if (task < 0) {
        free(s);
        printf("run: the kernel has no room for another task (%d)\n", task);
        return 1;
    }
    if (background) {
        printf("task %d\n", task);
        return 0;
    }
    int64_t status = 0;
    int how = linx_task_join(task, &status, LINX_FOREVER);
    if (how != LINX_ENDED_EXIT)
        printf("%s: ended by the kernel (%s)\n", p->name, how == LINX_ENDED_KILLED ? "killed" : how == LINX_ENDED_STACK ?
               "stack overflow" : how == LINX_ENDED_NOMEM ? "no memory" : "fault");
    return how == LINX_ENDED_EXIT ? (int)status : 128;
}
