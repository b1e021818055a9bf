// SPDX-License-Identifier: BSD-2-Clause
// Drives the data engine without a scalar core: flat RAM with page permissions, encoded bodies, header records.
#ifndef TESTS_ENGINE_HARNESS_H
#define TESTS_ENGINE_HARNESS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/body.h"
#include "engine/engine.h"

enum { RAM_BASE = 0x80000000, RAM_SIZE = 1 << 20, RAM_PAGES = RAM_SIZE / 4096, CODE = RAM_BASE + 0x10000, DATA = RAM_BASE + 0x40000 };
enum { PAGE_R = 1, PAGE_W = 2, PAGE_X = 4, PAGE_DEVICE = 8 };   // a device page has no host pointer

extern uint8_t ram[RAM_SIZE];
extern uint8_t page_perm[RAM_PAGES];
extern unsigned failures, checks;

struct pe *pe_new(unsigned slots, unsigned index, struct shared_bank *bank);
void pe_delete(struct pe *pe);
void ram_reset(void);               // zero bytes, all pages RWX

void check_(bool ok, const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define CHECK(cond, ...) check_(cond, __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_EQ(got, want, what) check_eq_((uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, what)
void check_eq_(uint64_t got, uint64_t want, const char *file, int line, const char *what);
// Ends a test: prints "ok NAME" or "not ok NAME: ..." and resets the failure count.
void test_end(const char *name);

// ---- encoding through the instruction table -------------------------------------------------------------------
// enc(form, FIELD, value, FIELD, value, ..., -1)
uint64_t enc(int form, ...);
#define ENC(form, ...) enc(LINX_##form, __VA_ARGS__, -1)
#define F(name) LINX_F_##name

// Source ids of 64-bit forms with a type, destinations with a width.
enum { UD, UW, UH, UB, SD, SW, SH, SB };
enum { WD, WW, WH, WB };
#define SRC(id, type) ((id) | (type) << 7)
#define DSTW(id, width) ((id) | (width) << 7)
enum { VT1 = 0, VT2, VT3, VT4, VU1 = 8, VU2, VU3, VU4, VM1 = 16, VM2, VM3, VM4, VN1 = 24, VN2, VN3, VN4, RI0 = 32, RI1, RI2, RI3,
       T1 = 56, T2, T3, T4, U1 = 60, U2, U3, U4, LC0 = 64, LB0, LC1 = 68, LB1, LC2 = 72, LB2, TA = 80, TB, TC, TD, TE, TF, TG, TH,
       TO = 88, TO1, TO2, TO3, TS = 89, PM = 92, ZR = 95 };
enum { D_VT, D_VU, D_VM, D_VN, D_RO0 = 32, D_RO1, D_RO2, D_RO3, D_U = 62, D_T = 63, D_P = 92 };

// ---- programs ---------------------------------------------------------------------------------------------------
struct prog { uint64_t base, at; };
void prog_start(struct prog *p, uint64_t base);
void emit(struct prog *p, uint64_t word);           // length from the word itself
#define EMIT(p, form, ...) emit(p, ENC(form, __VA_ARGS__))
static inline void emit_stop(struct prog *p) { emit(p, linx_forms[LINX_BSTOP].match); }

struct block_header header(int form, uint64_t body, unsigned lb0, unsigned lb1, unsigned lb2);
void add_ri(struct block_header *h, uint64_t v);
void add_ro(struct block_header *h, unsigned reg);
void add_src(struct block_header *h, unsigned hand, unsigned k, bool reuse);
void add_dst(struct block_header *h, unsigned hand, unsigned code);

// Starts and runs to the end; returns the status of the last engine call (EXEC_BLOCK_DONE when all went well).
enum exec_status run_block(struct pe *pe, const struct block_header *h);
// Puts a tile into a hand directly.
void push_tile(struct pe *pe, unsigned hand, unsigned code, const void *data);
uint64_t rnd(void);                                 // deterministic

#endif
