// SPDX-License-Identifier: BSD-2-Clause
// The ways a program ends, by the boot argument; test_programs.py looks at status and output.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static void first(void) { printf("registered first\n"); }
static void second(void) { printf("registered second\n"); }
__attribute__((destructor)) static void last(void) { printf("destructor\n"); }
__attribute__((constructor)) static void begin(void) { printf("constructor\n"); }
static void on_abort(int sig) { printf("handler of %d\n", sig); }

static int exits(void *arg) {
    (void)arg;
    printf("no newline, and exit from a thread");
    exit(9);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    atexit(first);
    atexit(second);
    if (strcmp(how, "assert") == 0)
        assert(argc == 1000);
    if (strcmp(how, "abort") == 0) {
        signal(SIGABRT, on_abort);
        abort();
    }
    if (strcmp(how, "thread") == 0) {
        thrd_t t;
        thrd_create(&t, exits, NULL);
        thrd_exit(0);
    }
    return 6;
}
