// SPDX-License-Identifier: BSD-2-Clause
// Result lines of test programs: tests/run reads "ok NAME" and "not ok NAME: why".
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>

static int check_failures, check_bad;
static const char *check_what = "";

#define CHECK(cond)                                                                     \
    do {                                                                                \
        if (!(cond) && !check_bad++)                                                    \
            printf("not ok %s: line %d: %s\n", check_what, __LINE__, #cond);            \
    } while (0)
static inline void test(const char *name, void (*body)(void)) {
    check_what = name;
    check_bad = 0;
    body();
    if (check_bad == 0)
        printf("ok %s\n", name);
    check_failures += check_bad != 0;
}
#endif
