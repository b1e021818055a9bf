/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PREEMPT_BODIES_H
#define PREEMPT_BODIES_H

#define ELEMENTS 1024
#define MUL      1664525
#define ADD      1013904223

#ifndef __ASSEMBLER__
#include <stdint.h>
// f(x) = x after `rounds` steps x = x * MUL + ADD, modulo 2^32. Rows have 256 elements.
// vpar4: out[0] = f, out[1] = f ^ f >> 16, out[2] = f + column, out[3] = f - row; each ELEMENTS long.
void vpar4(const uint32_t *in, uint32_t *out, uint64_t rounds);
// vpar1: f of 64 elements.
void vpar1(const uint32_t *in, uint32_t *out, uint64_t rounds);
// vseq2: out[0] = f, out[1] = f + sum of f over all elements up to the end of its group of 64; the whole sum.
uint64_t vseq2(const uint32_t *in, uint32_t *out, uint64_t rounds);
// mpar_dr: 1000 elements; out[0] = f, out[1] = f + number of the element.
void mpar_dr(const uint32_t *in, uint32_t *out, uint64_t rounds);
// mseq0: out = f; the result is h = (h + xor of a group's f) * MUL over the groups, from 0.
uint64_t mseq0(const uint32_t *in, uint32_t *out, uint64_t rounds);
// leave_queues keeps f of `lanes` elements (64 for each group slot) in VT, f + column in VM, and group base + rounds in T; take_queues:
// out = (VT ^ VM) + T.
void leave_queues(const uint32_t *in, uint64_t rounds, uint64_t lanes);
void take_queues(uint32_t *out, uint64_t lanes);
#endif

#endif
