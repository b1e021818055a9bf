// SPDX-License-Identifier: BSD-2-Clause
// The machine as the kernel's policy code sees it. The unit tests on the host provide the same functions themselves
// (LINX_HOST_TEST, tests/kernel/host/).
#ifndef LINX_KERNEL_ARCH_H
#define LINX_KERNEL_ARCH_H

#include "kernel/pe.h"
#include "linx/arch.h"

#define SSR1(offset) LINX_SSR_BANK(1, offset)

#ifdef LINX_HOST_TEST
struct pe *this_pe(void);
uint64_t time_now(void);
void timer_set(uint64_t deadline);
void ssr_set(unsigned id, uint64_t value);
static inline void *direct(uint64_t pa) { return (void *)(uintptr_t)pa; }
static inline void page_zero(void *page) { __builtin_memset(page, 0, 4096); }
static inline void page_copy(void *to, const void *from) { __builtin_memcpy(to, from, 4096); }
static inline void tlb_flush(void) {}
#else
#define ssr_get(id) ({ uint64_t v_; __asm__ volatile("hl.ssrget %1, ->%0" : "=r"(v_) : "i"(id)); v_; })
#define ssr_set(id, value) __asm__ volatile("hl.ssrset %0, %1" : : "r"((uint64_t)(value)), "i"(id) : "memory")
static inline struct pe *this_pe(void) {        // constant while the kernel runs
    struct pe *pe;
    __asm__("ssrget 0x0000, ->%0" : "=r"(pe));
    return pe;
}
static inline uint64_t time_now(void) { return ssr_get(LINX_SSR_TIME); }
// The timer interrupt comes at `deadline` (0 = never). Moving it forward also withdraws a pending one.
static inline void timer_set(uint64_t deadline) { ssr_set(SSR1(LINX_SSRO_TIMER_CMP), deadline); }

// Physical memory as the kernel sees it: all of RAM, not executable (docs/protection.md). Not before space_boot().
#define DIRECT_MAP 0xffffffc000000000
static inline void *direct(uint64_t pa) { return (void *)(uintptr_t)(DIRECT_MAP + pa); }
static inline void page_zero(void *page) {
    __asm__ volatile("MSET [%0, zero, %1]" : : "r"(page), "r"((uint64_t)4096) : "memory");
}
static inline void page_copy(void *to, const void *from) {
    __asm__ volatile("MCOPY [%0, %1, %2]" : : "r"(to), "r"(from), "r"((uint64_t)4096) : "memory");
}
static inline void tlb_flush(void) { __asm__ volatile("tlb.iall" : : : "memory"); }     // this PE's
#endif

// `f` belongs to an optional part (docs/design.md, "Parts"): it is NULL in images without that part. Stands in the files
// of the base that call it, behind its declaration.
#define OPTIONAL(f) extern __typeof__(f) f __attribute__((weak))

// Ends the machine with evidence; prints `what`, the trapped context when there is one, and does not return.
_Noreturn void panic(const char *what);
#define ASSERT(cond) ((cond) ? (void)0 : panic("assertion failed: " #cond))

#endif
