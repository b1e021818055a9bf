/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The saved context of a task: one definition for C and assembly. It is the head of struct task, so a context pointer
 * is a task pointer. The order is the hardware's: FENTRY [a0 ~ x3] stores a0 highest, x3 lowest (docs/target.md 2,
 * digest of templates); queue entries stand oldest first, because that is the order in which they are pushed back.
 */
#ifndef LINX_CONTEXT_H
#define LINX_CONTEXT_H

#define CTX_GPR        0                       /* x3, x2, ... a1, a0 */
#define CTX_REG(n)     (8 * (23 - (n)))        /* R2..R23 */
#define CTX_GPR_BYTES  176                     /* ETEMP_ACR1 = context + CTX_GPR_BYTES while the task runs */
#define CTX_T          176                     /* t#4, t#3, t#2, t#1 */
#define CTX_U          208                     /* u#4 .. u#1 */
#define CTX_SP         240
#define CTX_EBPC       248
#define CTX_EBPCN      256
#define CTX_EBARG      264
#define CTX_ETPC       272
#define CTX_ECSTATE    280
#define CTX_TP         288
#define CTX_GP         296
#define CTX_KERNEL_TP  304                     /* what the kernel needs to start: its TP (struct pe) ... */
#define CTX_KERNEL_SP  312                     /* ... and its stack */
#define CTX_BYTES      320

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

struct context {
    uint64_t x3, x2, x1, x0;
    uint64_t s8, s7, s6, s5, s4, s3, s2, s1, s0;
    uint64_t ra;
    uint64_t a7, a6, a5, a4, a3, a2, a1, a0;
    uint64_t t[4], u[4];
    uint64_t sp;
    uint64_t ebpc, ebpcn, ebarg, etpc, ecstate;
    uint64_t tp, gp;
    uint64_t kernel_tp, kernel_sp;
};
#define CTX_CHECK(field, offset) \
    _Static_assert(offsetof(struct context, field) == (offset), "context.h: " #field)
CTX_CHECK(x3, CTX_GPR);
CTX_CHECK(x3, CTX_REG(23));
CTX_CHECK(s0, CTX_REG(11));
CTX_CHECK(ra, CTX_REG(10));
CTX_CHECK(a0, CTX_REG(2));
CTX_CHECK(t, CTX_T);
CTX_CHECK(u, CTX_U);
CTX_CHECK(sp, CTX_SP);
CTX_CHECK(ebpc, CTX_EBPC);
CTX_CHECK(ebpcn, CTX_EBPCN);
CTX_CHECK(ebarg, CTX_EBARG);
CTX_CHECK(etpc, CTX_ETPC);
CTX_CHECK(ecstate, CTX_ECSTATE);
CTX_CHECK(tp, CTX_TP);
CTX_CHECK(gp, CTX_GP);
CTX_CHECK(kernel_tp, CTX_KERNEL_TP);
CTX_CHECK(kernel_sp, CTX_KERNEL_SP);
_Static_assert(CTX_T == CTX_GPR_BYTES, "context.h: the entry stores T and U just above the FENTRY frame");
_Static_assert(sizeof(struct context) == CTX_BYTES, "context.h: size");
#endif

#endif
