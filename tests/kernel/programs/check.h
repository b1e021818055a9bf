// SPDX-License-Identifier: BSD-2-Clause
// Test programs print "ok NAME" or "not ok NAME: why" for each test.
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdbool.h>

#include "linx/rt.h"

static const char *test_name;
static int test_bad, test_failures;

static inline void test_begin(const char *name) { test_name = name, test_bad = 0; }
#define CHECK(cond) ((cond) ? (void)0 : (void)(test_bad++, linx_printf("# line %d: %s\n", __LINE__, #cond)))
#define CHECK_EQ(got, want) check_eq((int64_t)(got), (int64_t)(want), #got, __LINE__)
static inline void check_eq(int64_t got, int64_t want, const char *what, int line) {
    if (got != want) {
        test_bad++;
        linx_printf("# line %d: %s is %ld, expected %ld\n", line, what, got, want);
    }
}
static inline void test_end(void) {
    test_failures += test_bad != 0;
    if (test_bad)
        linx_printf("not ok %s: %d checks failed\n", test_name, test_bad);
    else
        linx_printf("ok %s\n", test_name);
}

// A raw system call, for numbers and arguments that rt.h does not offer (tests/kernel/programs/raw.S).
int64_t raw_syscall(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t number);

#endif
