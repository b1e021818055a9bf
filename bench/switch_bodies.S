/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data blocks for bench/switch: every type of body with 1 and 4 groups and 0 to 4 outputs; bench_bodies[] holds them in
 * the order of bench/switch.c. Each runs a long body and then empties its outputs, so that nothing else is live.
 * a0 = rounds, a1 = scratch memory.
 */
    .text

.macro BLOCK kind, groups, outputs, size
bench_\kind\()_\groups\()_\outputs:
  .if \outputs == 0
    \kind     bench_body, <LB0:64*\groups>, [a0]
  .elseif \outputs == 1
    \kind     bench_body, <LB0:64*\groups>, [a0], ->T<\size>
  .elseif \outputs == 2
    \kind     bench_body, <LB0:64*\groups>, [a0], ->T<\size>, U<\size>
  .elseif \outputs == 3
    \kind     bench_body, <LB0:64*\groups>, [a0], ->T<\size>, U<\size>, M<\size>
  .else
    \kind     bench_body, <LB0:64*\groups>, [a0], ->T<\size>, U<\size>, M<\size>, T<\size>
  .endif
  .if \outputs > 0
    TSTORE    <LB0:64, U32>, T#1, [a1]
  .endif
  .if \outputs > 1
    TSTORE    <LB0:64, U32>, U#1, [a1]
  .endif
  .if \outputs > 2
    TSTORE    <LB0:64, U32>, M#1, [a1]
  .endif
  .if \outputs > 3
    TSTORE    <LB0:64, U32>, T#2, [a1]
  .endif
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
.endm

.macro KIND kind
  .irp outputs, 0, 1, 2, 3, 4
    BLOCK \kind, 1, \outputs, 256B
    BLOCK \kind, 4, \outputs, 1KB
  .endr
.endm
    KIND VPAR
    KIND VSEQ
    KIND MPAR
    KIND MSEQ

    .globl bench_spin
bench_spin:                         /* scalar: a0 = rounds */
    BSTART.STD COND, bench_spin
    subi      a0, 1, ->a0
    setc.ne   a0, zero
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP

bench_body:
    l.add     ri0, zero, ->u
    v.add     lc0, zero, ->vt.w
1:  v.add     vt#1, lc0, ->vt.w
    subi      u#1, 1, ->u
    b.ne      u#1, zero, 1b
    BSTOP

.macro ENTRIES kind
  .irp outputs, 0, 1, 2, 3, 4
    .8byte    bench_\kind\()_1_\outputs, bench_\kind\()_4_\outputs
  .endr
.endm
    .section .rodata.bench, "a"
    .balign 8
    .globl bench_bodies
bench_bodies:
    ENTRIES VPAR
    ENTRIES VSEQ
    ENTRIES MPAR
    ENTRIES MSEQ
