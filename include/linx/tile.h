// SPDX-License-Identifier: BSD-2-Clause
// The data engine from C: moving tiles and launching bodies (docs/target.md 1-2; the assembler's block forms).
//
//   LINX_BODY(add7,                             // a body, at file level, in the assembler's language
//       "v.lwi.local [ta, lc0<<2], ->vt.w\n"
//       "v.add vt#1, ri0, ->vt.w\n"
//       "v.swi.local vt#1, [to, lc0<<2]\n");
//
//   LINX_TLOAD(T<1KB>, U32, in, 256, 1);        // pushes a tile on hand T
//   LINX_LAUNCH(VPAR, add7, 256, 1, 1, "T#1,", ", ->U<1KB>", 7, 0, 0, 0);
//   LINX_TSTORE(U#1, U32, out, 256, 1);         // and releases it; U#1.reuse keeps it
//
// Tiles: hands T, U and M are the program's, N is the kernel's (docs/target.md 2.7). Sizes 32B, 64B .. 16KB, 32KB. `#k`
// is the k-th newest entry of a hand; every push shifts them, so a function that pushes or consumes says so to its
// callers. Neither the compiler nor these macros know what lies in a hand.
// Data types: S64 U64 FP64 S32 U32 FP32 S16 U16 FP16 BF16 S8 U8.
#ifndef LINX_TILE_H
#define LINX_TILE_H

#include <stdint.h>

// memory -> tile: `rows` rows of `cols` elements, contiguous. dst: hand and size, as T<4KB>.
#define LINX_TLOAD(dst, type, base, cols, rows)                                                        \
    __asm__ volatile("TLOAD <LB0:%1, LB1:%2, " #type ">, [%0], ->" #dst                                \
                     : : "r"(base), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// The same with `stride` bytes from row to row.
#define LINX_TLOAD_STRIDED(dst, type, base, stride, cols, rows)                                        \
    do {                                                                                               \
        register uint64_t linx_b_ __asm__("a0") = (uint64_t)(base);                                    \
        register uint64_t linx_s_ __asm__("a1") = (uint64_t)(stride);                                  \
        __asm__ volatile("TLOAD <LB0:%2, LB1:%3, " #type ">, [%0, %1], ->" #dst                        \
                         : : "r"(linx_b_), "r"(linx_s_), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory"); \
    } while (0)

// tile -> memory. src: T#1, or T#1.reuse to keep the entry.
#define LINX_TSTORE(src, type, base, cols, rows)                                                       \
    __asm__ volatile("TSTORE <LB0:%1, LB1:%2, " #type ">, " #src ", [%0]"                              \
                     : : "r"(base), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

#define LINX_TSTORE_STRIDED(src, type, base, stride, cols, rows)                                       \
    do {                                                                                               \
        register uint64_t linx_b_ __asm__("a0") = (uint64_t)(base);                                    \
        register uint64_t linx_s_ __asm__("a1") = (uint64_t)(stride);                                  \
        __asm__ volatile("TSTORE <LB0:%2, LB1:%3, " #type ">, " #src ", [%0, %1]"                      \
                         : : "r"(linx_b_), "r"(linx_s_), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory"); \
    } while (0)

// tile -> tile of the same size.
#define LINX_TMOV(src, dst, type, cols, rows)                                                          \
    __asm__ volatile("TMOV <LB0:%0, LB1:%1, " #type ">, " #src ", ->" #dst                             \
                     : : "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// ---- Shared registers (members of gangs, include/linx/rt.h) -----------------------------------------------------------
// mask: the PEs that take part, PE 0 first: 0000 (nobody), 1000, 0100, 0010, 0001, 1100, 1110 or 1111; on the others the
// block does nothing. Sizes are those of each PE's part: 128B .. 256KB. In LINX_LAUNCH an input is written "S4, mask=1111,".
// Nothing orders the PEs but linx_gang_barrier.

// memory -> this PE's part of a Shared register. dst: as S4<1KB>.
#define LINX_TLOAD_SHARED(mask, dst, type, base, cols, rows)                                           \
    __asm__ volatile("TLOAD <LB0:%1, LB1:%2, " #type ">, [%0], mask=" #mask ", ->" #dst                \
                     : : "r"(base), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// The whole of a Shared register, all parts from the first one on -> memory.
#define LINX_TSTORE_SHARED(mask, src, type, base, cols, rows)                                          \
    __asm__ volatile("TSTORE <LB0:%1, LB1:%2, " #type ">, " #src ", [%0], mask=" #mask                 \
                     : : "r"(base), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// Local tile T#1 -> this PE's part of S4<1KB>; or S4 -> Local tile T<1KB>: of one part's size, this PE's own part.
#define LINX_TMOV_SHARED(mask, src, dst, type, cols, rows)                                             \
    __asm__ volatile("TMOV <LB0:%0, LB1:%1, " #type ">, " #src ", mask=" #mask ", ->" #dst             \
                     : : "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// ---- matrices: nothing saves the accumulator. When another task of the PE uses the data engine between LINX_TMATMUL and
// LINX_ACCCVT, or the task goes to another PE, LINX_ACCCVT is E_BLOCK(EC_INVAL_GET) ----------------------------------------
// ACC<acc> = a (m x k, layout NZ) times b (k x n, layout ZN); b: "B.IOT U#1" or "B.IOS S4, mask=1111".
#define LINX_TMATMUL(type, m, n, k, a, b, acc)                                                         \
    __asm__ volatile("BSTART.TMATMUL " #type "\n B.DIM %0, 0, ->LB0\n B.DIM %1, 0, ->LB1\n B.DIM %2, 0, ->LB2\n" \
                     "B.IOT " #a "\n" b "\n B.IOT last, ->ACC<" #acc ">"                               \
                     : : "r"((uint64_t)(m)), "r"((uint64_t)(n)), "r"((uint64_t)(k)) : "memory")
// The accumulator, m x n, row by row -> dst, as U<1KB>.
#define LINX_ACCCVT(dst, type, m, n)                                                                   \
    __asm__ volatile("BSTART.ACCCVT " #type "\n B.DATR NZ2ND, " #type "\n B.DIM %0, 0, ->LB0\n B.DIM %1, 0, ->LB1\n" \
                     "B.IOT last, ->" #dst : : "r"((uint64_t)(m)), "r"((uint64_t)(n)) : "memory")

// memory, rows of `cols` elements -> tile in layout NZ or ZN (operands of LINX_TMATMUL).
#define LINX_TLOAD_LAYOUT(layout, dst, type, base, cols, rows)                                         \
    __asm__ volatile("TLOAD.ND2" #layout " <LB0:%1, LB1:%2, " #type ">, [%0], ->" #dst                 \
                     : : "r"(base), "r"((uint64_t)(cols)), "r"((uint64_t)(rows)) : "memory")

// A body: 32- and 64-bit instructions, without its terminator. File level only. The halfword before it is a C.BSTOP: it
// ends the last block of whatever function the linker puts there.
#define LINX_BODY(name, text)                                                                          \
    __asm__(".pushsection .text." #name ", \"ax\"\n.2byte 0\n.balign 4\n.type " #name ", @function\n" #name ":\n" text \
            "\nBSTOP\n.size " #name ", . - " #name "\n.popsection")

// Runs `body` over lb0 x lb1 x lb2 (lb0 innermost), kind VPAR, VSEQ, MPAR or MSEQ. inputs: "" or "T#1, U#2," (formals
// ta, tb, ..); outputs: "" or ", ->T<4KB>, U<4KB>" (formals to, to1, ..). p0..p3: parameters ri0..ri3, 64 bits each.
#define LINX_LAUNCH(kind, body, lb0, lb1, lb2, inputs, outputs, p0, p1, p2, p3)                        \
    LINX_LAUNCH_(#kind, #body, "", lb0, lb1, lb2, inputs, outputs, p0, p1, p2, p3)
// The same with DR grouping: 64 consecutive iterations of the flattened space in a group.
#define LINX_LAUNCH_DR(kind, body, lb0, lb1, lb2, inputs, outputs, p0, p1, p2, p3)                     \
    LINX_LAUNCH_(#kind, #body, ", DR", lb0, lb1, lb2, inputs, outputs, p0, p1, p2, p3)
#define LINX_LAUNCH_(kind, body, dr, lb0, lb1, lb2, inputs, outputs, p0, p1, p2, p3)                   \
    do {                                                                                               \
        register uint64_t linx_0_ __asm__("a0") = (uint64_t)(p0);                                      \
        register uint64_t linx_1_ __asm__("a1") = (uint64_t)(p1);                                      \
        register uint64_t linx_2_ __asm__("a2") = (uint64_t)(p2);                                      \
        register uint64_t linx_3_ __asm__("a3") = (uint64_t)(p3);                                      \
        __asm__ volatile(kind " " body ", <LB0:%4, LB1:%5, LB2:%6" dr ">, " inputs " [%0, %1, %2, %3]" outputs \
                         : : "r"(linx_0_), "r"(linx_1_), "r"(linx_2_), "r"(linx_3_),                   \
                             "r"((uint64_t)(lb0)), "r"((uint64_t)(lb1)), "r"((uint64_t)(lb2)) : "memory"); \
    } while (0)

#endif
