// SPDX-License-Identifier: BSD-2-Clause
// A test program defines test() and checks with CHECK; the first failure ends it.
#ifndef TEST_H
#define TEST_H
void test(void);
void fail(const char *file, int line, const char *what) __attribute__((noreturn));
#define CHECK(x) ((x) ? (void)0 : fail(__FILE__, __LINE__, #x))
#define NOINLINE __attribute__((noinline))
// A value that the optimizer knows nothing about.
#define OPAQUE(v) ({ __typeof__((v) + 0) v_ = (v); __asm__ volatile("" : "+r"(v_)); v_; })
#endif
