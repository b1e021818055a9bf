// SPDX-License-Identifier: BSD-2-Clause
// Drives the simulator's scalar core from host tests: encodes instructions from the table, runs them, looks at the PE.
#ifndef LINX_TEST_HARNESS_H
#define LINX_TEST_HARNESS_H

#include "core/core.h"

enum { RAM = 0x80000000, RAM_SIZE = 16 << 20, CODE = RAM + 0x10000, DATA = RAM + 0x200000 };

struct machine *vm_new(unsigned cores, unsigned pes);     // with interrupt controller and finisher, no image
void vm_reset(struct machine *m);                         // power-on, RAM zeroed

// Word of form `f` with the fields named in (name, value)... pairs, ended by -1. Values are assembly values (scaled).
uint64_t encode(enum linx_form f, ...);
uint64_t encode_set(uint64_t word, enum linx_form f, enum linx_field_name name, int64_t value);
uint64_t emit_word(struct machine *m, uint64_t at, enum linx_form f, uint64_t word);   // returns the address after it
#define emit(m, at, f, ...) emit_word((m), (at), (f), encode((f), __VA_ARGS__ -1))
void poke(struct machine *m, uint64_t at, unsigned size, uint64_t v);
uint64_t peek(struct machine *m, uint64_t at, unsigned size);

// Result lines of tests/run.
void report(bool ok, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int report_end(void);       // exit status for main
#define CHECK(name, cond) report((cond), (name), "%s:%d: %s", __FILE__, __LINE__, #cond)
#define CHECK_EQ(name, got, want) do { uint64_t g_ = (uint64_t)(got), w_ = (uint64_t)(want);                       \
    report(g_ == w_, (name), "%s:%d: %s is %#llx, expected %#llx", __FILE__, __LINE__, #got,                       \
           (unsigned long long)g_, (unsigned long long)w_); } while (0)
#endif
