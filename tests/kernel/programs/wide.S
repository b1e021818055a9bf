/* SPDX-License-Identifier: BSD-2-Clause */
/* A block whose header another task changes while its body is stopped. */
    .text
    .globl victim, victim_start, victim_iot, victim_spare
victim:                             /* (rounds) */
victim_start:
    BSTART.VPAR VS16
    B.DIM     zero, 64, ->LB0
    B.IOR     a0
victim_iot:
    B.IOT     , ->T<256B>
victim_spare:
    B.HINT    TEMP.cool
    B.TEXT    .Lvictim
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .balign 4
.Lvictim:
    l.add     ri0, zero, ->u
    v.add     lc0, zero, ->vt.w
1:  v.add     vt#1, lc0, ->vt.w
    subi      u#1, 1, ->u
    b.ne      u#1, zero, 1b
    v.swi.local vt#1, [to, lc0<<2]
    BSTOP

    .globl use_tiles
use_tiles:                          /* (in, out): eight tiles of 32 KB stay live across a yield */
    FENTRY    [ra ~ s1], sp!, 32
    C.BSTART.STD FALL
    c.movr    a0, ->s0
    c.movr    a1, ->s1
    .rept 8
    TLOAD     <LB0:1024, LB1:8, U32>, [s0], ->M<32KB>
    .endr
    HL.BSTART.STD CALL, linx_yield
    c.setret  1f, ->ra
1:
    .irp k, 8, 7, 6, 5, 4, 3, 2, 1
    TSTORE    <LB0:1024, LB1:8, U32>, M#\k, [s1]
    .endr
    FRET.STK  [ra ~ s1], sp!, 32
