/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks for bench/fault: one fault each, at a load from a0 that the handler moves to where it may read. */
#include "linx/asm.h"

    .text

FUNCTION fault_load
    C.BSTART.STD FALL
    ldi       [a0, 0], ->a1
    RETURN

.macro BODY n, lanes
FUNCTION fault_body_\n
    MPAR      fault_body, <LB0:\lanes>, [a0]
    RETURN
.endm
    BODY 1, 64
    BODY 2, 128
    BODY 4, 256

FUNCTION fault_body_out             /* with an output of 1 KB and a tile of 1 KB in a hand */
    FENTRY    [ra ~ ra], sp!, 16
    HL.BSTART.STD CALL, bench_tile
    c.setret  1f, ->ra
1:  MPAR      fault_body, <LB0:256>, [a0], ->U<1KB>
    TSTORE    <LB0:256, U32>, U#1, [a2]
    TSTORE    <LB0:256, U32>, T#1, [a2]
    FRET.STK  [ra ~ ra], sp!, 16

    .type bench_tile, @function
bench_tile:                         /* pushes it; a2: where it came from */
    C.BSTART.STD FALL
    la        bench_scratch, ->a2
    TLOAD     <LB0:256, U32>, [a2], ->T<1KB>
    RETURN

FUNCTION fault_body_vector          /* an offset of its own for each lane, from a vector register */
    MPAR      fault_body_v, <LB0:256>, [a0]
    RETURN

    .balign 4
fault_body:
    v.lwi     [ri0, lc0<<2], ->vt.w
    BSTOP
    .balign 4
fault_body_v:
    v.and     lc0, zero, ->vt.w
    v.lw      [ri0, vt#1<<2], ->vt.w
    BSTOP

    .bss
    .balign 16
bench_scratch:
    .space 1024
