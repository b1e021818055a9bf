/* SPDX-License-Identifier: BSD-2-Clause */
/* What the hostile and curious test tasks do in assembly. */
#include "linx/asm.h"
#include "linx/arch.h"

    .text

FUNCTION raw_syscall                /* (a0, a1, a2, a3, number) */
    C.BSTART.SYS FALL
    c.movr    a4, ->a7
    acrc      1
    RETURN

FUNCTION raw_monitor_call           /* (a0, number): from ACR2 */
    C.BSTART.SYS FALL
    c.movr    a1, ->a7
    acrc      0
    RETURN

FUNCTION wild_jump                  /* (address) */
    C.BSTART.STD IND
    c.setc.tgt a0
    C.BSTOP

FUNCTION bad_instruction
    C.BSTART.STD FALL
    .4byte    0xffffffff
    RETURN

FUNCTION read_kernel_register       /* a system register of ring 1 */
    C.BSTART.SYS FALL
    hl.ssrget LINX_SSR_BANK(1, LINX_SSRO_ETEMP), ->a0
    RETURN

FUNCTION do_assert                  /* assert false */
    C.BSTART.SYS FALL
    assert    zero
    RETURN

FUNCTION do_break
    C.BSTART.STD FALL
    c.ebreak  3
    RETURN

FUNCTION use_esave                  /* ESAVE is the kernel's */
    BSTART.TEPL ESAVE
    B.IOT     last, ->N<32KB>
    RETURN

FUNCTION use_acre
    C.BSTART.SYS FALL
    acre      0

FUNCTION read_empty_tile            /* (address) */
    TSTORE    <LB0:8, U32>, M#7, [a0]
    RETURN

FUNCTION read_released_tile         /* (address) */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    TSTORE    <LB0:8, U32>, U#1, [a0]
    TSTORE    <LB0:8, U32>, U#1, [a0]
    RETURN

FUNCTION tile_too_small             /* 16 words of a tile of 8 */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    TSTORE    <LB0:16, U32>, U#1, [a0]
    RETURN

FUNCTION local_out_of_range         /* a body that reads behind its tile */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    VPAR      .Lrange, <LB0:64>, U#1
    RETURN
.Lrange:
    v.lwi.local [ta, lc0<<2], ->vt.w
    BSTOP

FUNCTION vector_fault               /* (address): the store of one lane of an MPAR body faults */
    MPAR      .Lfault, <LB0:64>, [a0]
    RETURN
.Lfault:
    v.add     lc0, zero, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP

FUNCTION fill_hand_n                /* (address, 8 words): 16 tiles in the hand that belongs to the kernel */
    .rept 16
    TLOAD     <LB0:8, U32>, [a0], ->N<32B>
    .endr
    RETURN

/* (kind, out): reads one old entry of a hand into out; 0 T, 1 U, 2 M, 3 N. Faults when there is nothing to read. */
FUNCTION peek_t
    TSTORE    <LB0:8, U32>, T#1.reuse, [a0]
    RETURN
FUNCTION peek_u
    TSTORE    <LB0:8, U32>, U#1.reuse, [a0]
    RETURN
FUNCTION peek_m
    TSTORE    <LB0:8, U32>, M#1.reuse, [a0]
    RETURN
FUNCTION peek_n
    TSTORE    <LB0:8, U32>, N#3.reuse, [a0]
    RETURN

/* (secret): leaves it in every queue of every group slot and in tiles of all hands */
FUNCTION leave_secret
    VPAR      .Lsecret, <LB0:256>, [a0], ->T<1KB>, U<1KB>, M<1KB>, N<1KB>
    RETURN
.Lsecret:
    .rept 4
    v.add     ri0, zero, ->vt.w
    v.add     ri0, zero, ->vu.w
    v.add     ri0, zero, ->vm.w
    v.add     ri0, zero, ->vn.w
    l.add     ri0, zero, ->t
    l.add     ri0, zero, ->u
    .endr
    v.swi.local vt#1.reuse, [to, lc0<<2]
    v.swi.local vt#1.reuse, [to1, lc0<<2]
    v.swi.local vt#1.reuse, [to2, lc0<<2]
    v.swi.local vt#1.reuse, [to3, lc0<<2]
    BSTOP

/* (out): or of all queues of all group slots, 256 words */
FUNCTION gather_queues
    MPAR      .Lgather, <LB0:256>, [a0]
    RETURN
.Lgather:
    l.or      t#1, u#1, ->t
    l.or      t#1, t#4, ->t
    l.or      t#1, u#4, ->t
    v.or      vt#1, vu#1, ->vt.w
    v.or      vt#1, vm#1, ->vt.w
    v.or      vt#1, vn#1, ->vt.w
    v.or      vt#1, vm#3, ->vt.w
    v.or      vt#1, vn#4, ->vt.w
    v.or      vt#1, t#1, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP

/* (in, out): rebuilds a hand with gaps: T#1, T#3 and T#5 live, T#2 and T#4 released; yields; then stores the three */
FUNCTION tiles_with_gaps
    FENTRY    [ra ~ s1], sp!, 32
    C.BSTART.STD FALL
    c.movr    a0, ->s0
    c.movr    a1, ->s1
    addi      a0, 64, ->x0
    addi      a0, 128, ->x1
    TLOAD     <LB0:16, U32>, [a0], ->T<64B>
    TLOAD     <LB0:8, U32>, [a0], ->T<32B>
    TLOAD     <LB0:16, U32>, [x0], ->T<64B>
    TLOAD     <LB0:8, U32>, [a0], ->T<32B>
    TLOAD     <LB0:32, U32>, [x1], ->T<128B>
    TSTORE    <LB0:8, U32>, T#2, [a1]
    TSTORE    <LB0:8, U32>, T#4, [a1]
    HL.BSTART.STD CALL, linx_yield
    c.setret  1f, ->ra
1:  C.BSTART.STD FALL
    addi      s1, 64, ->x0
    addi      s1, 128, ->x1
    TSTORE    <LB0:16, U32>, T#5, [s1]
    TSTORE    <LB0:16, U32>, T#3, [x0]
    TSTORE    <LB0:32, U32>, T#1, [x1]
    FRET.STK  [ra ~ s1], sp!, 32
