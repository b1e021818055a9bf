/* SPDX-License-Identifier: BSD-2-Clause */
/* What the demonstration does wrong, one function a row (main.c). */
#include "linx/asm.h"
#include "linx/arch.h"

    .text

/* (from, to, table): to[i] = from[table[i]] + i for 512 elements, eight groups, four of them under way at a time */
FUNCTION mpar_gather
    MPAR      .Lgather, <LB0:512>, [a0, a1, a2]
    RETURN
    .balign 4
.Lgather:
    v.lwi     [ri2, lc0<<2], ->vu.w
    v.lw      [ri0, vu#1<<2], ->vt.w
    v.add     vt#1, lc0, ->vt.w
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP

/* (from, to, table): to[table[i]] = from[i] */
FUNCTION mpar_scatter
    MPAR      .Lscatter, <LB0:512>, [a0, a1, a2]
    RETURN
    .balign 4
.Lscatter:
    v.lwi     [ri2, lc0<<2], ->vu.w
    v.lwi     [ri0, lc0<<2], ->vt.w
    v.sw      vt#1, [ri1, vu#1<<2]
    BSTOP

/* (from, to): a filter that reads one element too many on the right of its tile of 64 */
FUNCTION local_beyond
    TLOAD     <LB0:64, U32>, [a0], ->T<256B>
    VPAR      .Lbeyond, <LB0:64>, T#1, ->U<256B>
    TSTORE    <LB0:64, U32>, U#1, [a1]
    RETURN
    .balign 4
.Lbeyond:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.lwi.local [ta, lc0<<2, 4], ->vu.w
    v.add     vt#1, vu#1, ->vt.w
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP

FUNCTION bad_word                   /* 1 when it was stepped over */
    C.BSTART.STD FALL
    addi      zero, 0, ->a0
    .4byte    0xffffff01            /* no instruction */
    addi      zero, 1, ->a0
    RETURN

FUNCTION bad_header                 /* (from): U#1 twice as large as it is; 1 when the block was left out */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    TSTORE    <LB0:16, U32>, U#1.reuse, [a0]
    TSTORE    <LB0:8, U32>, U#1, [a0]
    C.BSTART.STD RET
    addi      zero, 1, ->a0
    c.setc.tgt ra
    C.BSTOP

FUNCTION released_tile              /* (from, to) */
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    TSTORE    <LB0:8, U32>, U#1, [a1]
    TSTORE    <LB0:8, U32>, U#1, [a1]
    RETURN

FUNCTION failed_assert              /* (value) */
    C.BSTART.SYS FALL
    assert    a0
    RETURN

FUNCTION breakpoint
    C.BSTART.STD FALL
    c.ebreak  13
    RETURN

FUNCTION wild_jump                  /* (address) */
    C.BSTART.STD IND
    c.setc.tgt a0
    C.BSTOP

FUNCTION bad_register               /* the kernel's timer, read by a task */
    C.BSTART.SYS FALL
    addi      zero, 1, ->a0
    hl.ssrget LINX_SSR_BANK(1, LINX_SSRO_TIMER_CMP), ->a0
    RETURN

FUNCTION divide                     /* (a, b): quotient; nothing traps */
    C.BSTART.STD RET
    div       a0, a1, ->a0
    c.setc.tgt ra
    C.BSTOP

FUNCTION divide_float               /* (a, b): FFLAGS after a / b */
    C.BSTART.SYS FALL
    ssrset    zero, LINX_SSR_CSTATE
    C.BSTART.FP FALL
    fdiv.fd   a0, a1, ->a2
    C.BSTART.SYS FALL
    ssrget    LINX_SSR_CSTATE, ->a0
    srli      a0, LINX_CSTATE_FFLAGS_SHIFT, ->a0
    andi      a0, 31, ->a0
    RETURN

/*
 * uint64_t attempt(function, argument, save): function(argument), and a way back out of it: `save` gets sp, ra, s0..s8. Who
 * puts them back and goes on at ra has left the function, whatever it did to the stack (main.c, give_up).
 */
FUNCTION attempt
    C.BSTART.STD FALL
    sdi       sp, [a2, 0]
    sdi       ra, [a2, 8]
    sdi       s0, [a2, 16]
    sdi       s1, [a2, 24]
    sdi       s2, [a2, 32]
    sdi       s3, [a2, 40]
    sdi       s4, [a2, 48]
    sdi       s5, [a2, 56]
    sdi       s6, [a2, 64]
    sdi       s7, [a2, 72]
    sdi       s8, [a2, 80]
    C.BSTART.STD IND
    c.movr    a0, ->a2
    c.movr    a1, ->a0
    c.setc.tgt a2
    C.BSTOP
