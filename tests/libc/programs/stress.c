// SPDX-License-Identifier: BSD-2-Clause
// 64 tasks use the C library at once: printf, malloc/free, strtok_r, qsort, rand, errno, floating-point formatting. Each
// compares what it gets with what it must be, whatever the others do; test_stress.py also checks the printed lines.
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#define TASKS  64
#define ROUNDS 3

static _Atomic int failures;

static void expect(int good, const char *what, int task) {
    if (!good) {
        failures++;
        printf("wrong: %s in task %d\n", what, task);
    }
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// The same sequence for every seed, computed without the library.
static unsigned next(unsigned *x) { return *x = *x * 1103515245u + 12345; }

static void sorting(int task, unsigned *seed) {
    int v[32];
    long sum = 0, after = 0;
    for (int i = 0; i < 32; i++)
        sum += v[i] = (int)(next(seed) >> 8 & 0xffff);
    qsort(v, 32, sizeof v[0], order);
    for (int i = 0; i < 32; i++) {
        after += v[i];
        expect(i == 0 || v[i - 1] <= v[i], "qsort's order", task);
    }
    expect(sum == after, "qsort's elements", task);
}

static void heap(int task, unsigned *seed) {
    unsigned char *p[8];
    size_t size[8];
    for (int i = 0; i < 8; i++) {
        size[i] = 1 + (next(seed) >> 10 & 255);
        p[i] = malloc(size[i]);
        expect(p[i] != NULL, "malloc", task);
        memset(p[i], task ^ i, size[i]);
        if (i % 3 == 2) {
            size[i] += 100;
            p[i] = realloc(p[i], size[i]);
            memset(p[i], task ^ i, size[i]);
        }
    }
    for (int i = 0; i < 8; i++) {
        for (size_t k = 0; k < size[i]; k++)
            expect(p[i][k] == (unsigned char)(task ^ i), "memory from malloc", task);
        free(p[i]);
    }
}

static void words(int task) {
    char text[64], want[8], *save;
    snprintf(text, sizeof text, "a%d b%d,c%d", task, task + 1, task + 2);
    int n = 0;
    for (char *w = strtok_r(text, " ,", &save); w != NULL; w = strtok_r(NULL, " ,", &save), n++) {
        snprintf(want, sizeof want, "%c%d", 'a' + n, task + n);
        expect(strcmp(w, want) == 0, "strtok_r", task);
    }
    expect(n == 3, "strtok_r's count", task);
}

static void numbers(int task, int round) {
    char text[64], *end;
    double x = (task + 1) / 7.0 + round * 1e10, y;
    snprintf(text, sizeof text, "%.17g", x);
    errno = 0;
    y = strtod(text, &end);
    expect(x == y && *end == 0, "%.17g and strtod", task);
    errno = task;
    strtol("99999999999999999999", NULL, 10);
    expect(errno == ERANGE, "errno of strtol", task);
    errno = task;
    thrd_yield();
    expect(errno == task, "errno of its own", task);
    unsigned state = (unsigned)task;
    int first = rand_r(&state);
    state = (unsigned)task;
    thrd_yield();
    expect(first == rand_r(&state), "rand_r", task);
}

static int body(void *arg) {
    int task = (int)(long)arg;
    unsigned seed = (unsigned)task * 2654435761u + 1;
    srand((unsigned)task);
    for (int round = 0; round < ROUNDS; round++) {
        sorting(task, &seed);
        heap(task, &seed);
        words(task);
        numbers(task, round);
        printf("task %02d round %d: %s %8.3f %-6d|%06x\n", task, round, "a line that must stay whole", task / 8.0, task * round,
               task * 0x1234);
    }
    return task + 1000;
}

int main(void) {
    static thrd_t threads[TASKS];
    size_t in_use = 0;
    printf("start\n");                  // the locks of stdout are made here
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < TASKS; i++)
            expect(thrd_create(&threads[i], body, (void *)(long)i) == thrd_success, "thrd_create", i);
        for (int i = 0; i < TASKS; i++) {
            int result = -1;
            expect(thrd_join(threads[i], &result) == thrd_success && result == i + 1000, "thrd_join", i);
        }
        size_t now = mallinfo().uordblks;
        expect(pass == 0 || now == in_use, "memory left behind", -1);
        in_use = now;
    }
    printf("done: %d failures\n", failures);
    return failures != 0;
}
