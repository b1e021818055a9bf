/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every exception of docs/target.md 4 in every kind of block where it can occur. CASE starts a function (a0 = an address
 * where nothing is, a1 = 4 KB of memory, x3 = sp) and its row; B and T mark block and instruction at fault. What cannot
 * occur, and why, is listed in tests/kernel/test_fault_rings.py.
 */
#include "linx/asm.h"
#include "kernel_forms.h"           /* words that the assembler refuses where we want them */
#include "linx/arch.h"
#include "raise.h"

.set STD, 0; .set SYS, 1; .set FP, 2; .set TEMPLATE, 3; .set VPAR, 4; .set VSEQ, 5; .set MPAR, 6; .set MSEQ, 7
.set TMA, 8; .set TEPL, 9; .set CUBE, 10; .set NONE, 11
.set LOAD, 1; .set STORE, 2; .set ATOMIC, 3
.set ALL_LANES, 0xffffffffffffffff

#define E_INST LINX_E_INST
#define E_DATA LINX_E_DATA
#define E_BLOCK LINX_E_BLOCK
#define ILLEGAL LINX_EC_ILLEGAL
#define GET LINX_EC_INVAL_GET
#define PARM LINX_EC_INVAL_PARM
#define DOUBLESET LINX_EC_INVAL_DOUBLESET
#define TYPE LINX_EC_TYPE

.macro ROW name, trap, cause, kind, inside, from, address, rings, bpc, tpc, lanes, access, bytes, local
    .section .rodata.raise_names, "aS"
.Lname_\name:
    .asciz "\name"
    .section .rodata.raise_rows, "a"
    .8byte .Lname_\name, raise_\name, \bpc, \tpc
    .4byte \trap, \cause, \kind, \inside, \from, \rings
    .8byte \address, \lanes
    .4byte \access, \bytes, \local, 0
    .text
    .globl raise_\name
    .type raise_\name, @function
raise_\name:
.endm
/* The common row, and one whose block is nowhere (bpc 1..3: raise.h). */
.macro CASE name, trap, cause, kind, inside, from=FROM_0, address=0, rings=IN_ALL, lanes=0, access=0, bytes=0, local=0
    ROW \name, \trap, \cause, \kind, \inside, \from, \address, \rings, .Lb_\name, .Lt_\name, \lanes, \access, \bytes, \local
.endm
.macro CASE_AT where, name, trap, cause, kind, inside, from=FROM_0, address=0, rings=IN_ALL
    ROW \name, \trap, \cause, \kind, \inside, \from, \address, \rings, \where, \where, 0, 0, 0, 0
.endm
.macro CASE_TO where, name, trap, cause, kind, inside, from=FROM_0, address=0, rings=IN_ALL
    ROW \name, \trap, \cause, \kind, \inside, \from, \address, \rings, .Lb_\name, \where, 0, 0, 0, 0
.endm
.macro B name
.Lb_\name:
.endm
.macro T name
.Lt_\name:
.endm

    .section .rodata.raise_rows, "a"
    .balign 8
    .globl raise_rows, raise_count
raise_rows:
    .text
    .globl raise_call
    .type raise_call, @function
raise_call:                         /* (hole, buffer, function) */
    C.BSTART.STD IND
    c.movr    sp, ->x3
    c.setc.tgt a2
    C.BSTOP

/* ---- scalar blocks: STD, SYS, FP ---------------------------------------------------------------------------------- */
.macro SCALAR kind, start:vararg
CASE \kind\()_illegal, E_INST, ILLEGAL, \kind, 1
B \kind\()_illegal
    \start
T \kind\()_illegal
    .4byte    0xffffffff
    RETURN
CASE \kind\()_load, E_DATA, CAUSE_LOAD, \kind, 1, FROM_HOLE, 0
B \kind\()_load
    \start
    addi      zero, 1, ->t
T \kind\()_load
    ldi       [a0, 0], ->a2
    RETURN
CASE \kind\()_store, E_DATA, CAUSE_STORE, \kind, 1, FROM_HOLE, 8
B \kind\()_store
    \start
T \kind\()_store
    sdi       a1, [a0, 8]
    RETURN
CASE \kind\()_break, LINX_E_BREAKPOINT, 3, \kind, 1
B \kind\()_break
    \start
T \kind\()_break
    c.ebreak  3
    RETURN
CASE \kind\()_issr, LINX_E_ISSR, 0, \kind, 1, FROM_0, 0x0777
B \kind\()_issr
    \start
T \kind\()_issr
    hl.ssrget 0x0777, ->a2
    RETURN
.endm
    SCALAR STD, C.BSTART.STD FALL
    SCALAR SYS, C.BSTART.SYS FALL
    SCALAR FP, C.BSTART.FP FALL

.macro ATOMIC_RANGE kind            /* beyond the 16 bytes: as if nothing had happened, and nothing is inside */
CASE \kind\()_range, E_DATA, LINX_EC_RANGE, \kind, 0, FROM_BUFFER, 64
B \kind\()_range
T \kind\()_range
    BSTART.\kind FALL
    B.CATR    atom
    ldi       [a1, 0], ->t
    ldi       [a1, 64], ->t
    RETURN
.endm
    ATOMIC_RANGE STD
    ATOMIC_RANGE SYS
    ATOMIC_RANGE FP

.macro NO_TARGET kind
CASE \kind\()_parm, E_BLOCK, PARM, \kind, 1
B \kind\()_parm
    C.BSTART.\kind IND
    c.movi    0, ->a2
T \kind\()_parm
    C.BSTOP
.endm
    NO_TARGET STD
    NO_TARGET FP

.macro HEADER_TYPE kind
CASE \kind\()_type, E_BLOCK, TYPE, \kind, 0
B \kind\()_type
    BSTART.\kind FALL
T \kind\()_type
    .4byte    B_DIM_LB1_MATCH
    RETURN
.endm
    HEADER_TYPE STD
    HEADER_TYPE SYS
    HEADER_TYPE FP

CASE SYS_load_misaligned, E_DATA, LINX_EC_LOAD_MISALIGNED, SYS, 1, FROM_BUFFER, 1
B SYS_load_misaligned
    C.BSTART.SYS FALL
    addi      a1, 1, ->a2
T SYS_load_misaligned
    lr.d      [a2], ->a3
    RETURN
CASE SYS_store_misaligned, E_DATA, LINX_EC_STORE_MISALIGNED, SYS, 1, FROM_BUFFER, 2
B SYS_store_misaligned
    C.BSTART.SYS FALL
    addi      a1, 2, ->a2
T SYS_store_misaligned
    ld.add    [a2], a1, ->a3
    RETURN
CASE SYS_assert, LINX_E_ASSERT, 0, SYS, 1
B SYS_assert
    C.BSTART.SYS FALL
T SYS_assert
    assert    zero
    RETURN
CASE SYS_permission, E_INST, LINX_EC_PERM, SYS, 1, rings=IN_2
B SYS_permission
    C.BSTART.SYS FALL
T SYS_permission
    tlb.iall
    RETURN
CASE SYS_acre, E_INST, LINX_EC_PERM, SYS, 1, rings=IN_2
B SYS_acre
    C.BSTART.SYS FALL
T SYS_acre
    acre      0
    RETURN
CASE SYS_acrc, E_INST, ILLEGAL, SYS, 1          /* a request type that does not exist */
B SYS_acrc
    C.BSTART.SYS FALL
T SYS_acrc
    acrc      5
    RETURN
CASE SYS_zva, E_DATA, CAUSE_STORE, SYS, 1, FROM_HOLE, 0
B SYS_zva
    C.BSTART.SYS FALL
T SYS_zva
    dc.zva    a0
    RETURN

/* ---- the next block ------------------------------------------------------------------------------------------------ */
CASE_AT 1, fetch_hole, E_INST, CAUSE_FETCH, NONE, 0, FROM_HOLE, 0
    C.BSTART.STD IND
    c.setc.tgt a0
    C.BSTOP
CASE_AT 2, fetch_odd, E_INST, LINX_EC_MISALIGNED, NONE, 0, FROM_HOLE, 1
    C.BSTART.STD IND
    addi      a0, 1, ->a2
    c.setc.tgt a2
    C.BSTOP
CASE_AT 3, fetch_far, E_INST, CAUSE_FAR, NONE, 0, FROM_0, 0x4000000000000000
    C.BSTART.STD FALL
    addi      zero, 1, ->a2
    slli      a2, 62, ->a2
    C.BSTART.STD IND
    c.setc.tgt a2
    C.BSTOP
CASE no_block, E_INST, ILLEGAL, NONE, 0
    C.BSTART.STD IND
    la        .Lb_no_block, ->a2
    c.setc.tgt a2
    C.BSTOP
B no_block
T no_block
    addi      zero, 1, ->t
    RETURN
CASE break_start, LINX_E_BREAKPOINT, 7, NONE, 0
    C.BSTART.STD IND
    la        .Lb_break_start, ->a2
    c.setc.tgt a2
    C.BSTOP
B break_start
T break_start
    c.ebreak  7
    RETURN

/* ---- template blocks ------------------------------------------------------------------------------------------------- */
CASE fentry_store, E_DATA, CAUSE_STORE, TEMPLATE, 0, FROM_HOLE, 4096 - 8
    C.BSTART.STD FALL
    lui       1, ->t
    add       a0, t#1, ->sp
B fentry_store
T fentry_store
    FENTRY    [ra ~ ra], sp!, 16
    RETURN
CASE fexit_load, E_DATA, CAUSE_LOAD, TEMPLATE, 0, FROM_HOLE, 8
    C.BSTART.STD FALL
    c.movr    a0, ->sp
B fexit_load
T fexit_load
    FEXIT     [ra ~ ra], sp!, 16
    RETURN
CASE fret_ra_load, E_DATA, CAUSE_LOAD, TEMPLATE, 0, FROM_HOLE, 8
    C.BSTART.STD FALL
    c.movr    a0, ->sp
B fret_ra_load
T fret_ra_load
    FRET.RA   [ra ~ ra], sp!, 16
CASE fret_stk_load, E_DATA, CAUSE_LOAD, TEMPLATE, 0, FROM_HOLE, 8
    C.BSTART.STD FALL
    c.movr    a0, ->sp
B fret_stk_load
T fret_stk_load
    FRET.STK  [ra ~ ra], sp!, 16
CASE mcopy_load, E_DATA, CAUSE_LOAD, TEMPLATE, 0, FROM_HOLE, 0
    C.BSTART.STD FALL
    addi      zero, 16, ->a2
B mcopy_load
T mcopy_load
    MCOPY     [a1, a0, a2]
    RETURN
CASE mcopy_store, E_DATA, CAUSE_STORE, TEMPLATE, 0, FROM_HOLE, 0
    C.BSTART.STD FALL
    addi      zero, 16, ->a2
B mcopy_store
T mcopy_store
    MCOPY     [a0, a1, a2]
    RETURN
CASE mcopy_size, E_BLOCK, PARM, TEMPLATE, 0
    C.BSTART.STD FALL
    lui       16, ->a2
B mcopy_size
T mcopy_size
    MCOPY     [a1, a1, a2]
    RETURN
CASE mset_store, E_DATA, CAUSE_STORE, TEMPLATE, 0, FROM_HOLE, 0
    C.BSTART.STD FALL
    addi      zero, 16, ->a2
B mset_store
T mset_store
    MSET      [a0, zero, a2]
    RETURN
CASE mset_size, E_BLOCK, PARM, TEMPLATE, 0
    C.BSTART.STD FALL
    lui       16, ->a2
B mset_size
T mset_size
    MSET      [a1, zero, a2]
    RETURN

/* ---- bodies ------------------------------------------------------------------------------------------------------------ */
.macro BODY_AT name                 /* between the header's end and the body */
    RETURN
    .balign 4
.Lbody_\name:
.endm
.macro HEADER kind, name
B \name
    BSTART.\kind VS16
    B.DIM     zero, 64, ->LB0
.endm

.macro BODIES kind
CASE \kind\()_illegal, E_INST, ILLEGAL, \kind, 1
    HEADER \kind, \kind\()_illegal
    B.TEXT    .Lbody_\kind\()_illegal
    BODY_AT   \kind\()_illegal
    l.add     zero, zero, ->t
T \kind\()_illegal
    .8byte    0xffffffffffffffff
    BSTOP
CASE \kind\()_range, E_DATA, LINX_EC_RANGE, \kind, 1, FROM_0, 32, IN_ALL, 0xffffffffffffff00, LOAD, 4, 1
    TLOAD     <LB0:8, U32>, [a1], ->U<32B>
    HEADER \kind, \kind\()_range
    B.IOT     U#1, last
    B.TEXT    .Lbody_\kind\()_range
    BODY_AT   \kind\()_range
T \kind\()_range
    v.lwi.local [ta, lc0<<2], ->vt.w
    BSTOP
CASE \kind\()_range_store, E_DATA, LINX_EC_RANGE, \kind, 1, FROM_0, 64, IN_ALL, 0xffffffff00000000, STORE, 2, 1
    HEADER \kind, \kind\()_range_store
    B.IOT     last, ->M<64B>
    B.TEXT    .Lbody_\kind\()_range_store
    BODY_AT   \kind\()_range_store
    v.add     lc0, zero, ->vu.w
T \kind\()_range_store
    v.shi.local vu#1, [to, lc0<<1]
    BSTOP
CASE \kind\()_local_handle, E_DATA, LINX_EC_RANGE, \kind, 1, FROM_0, 64, IN_ALL, 0xffffffffffff0000, LOAD, 4, 1
    TLOAD     <LB0:16, U32>, [a1], ->U<64B>
    HEADER \kind, \kind\()_local_handle
    B.IOT     U#1, last
    B.TEXT    .Lbody_\kind\()_local_handle
    BODY_AT   \kind\()_local_handle
    l.add     ta, zero, ->t
    v.add     lc0, zero, ->vu.h
T \kind\()_local_handle
    v.lw.local [t#1, vu#1<<2], ->vt.w
    BSTOP
CASE \kind\()_stack_tile, E_DATA, LINX_EC_RANGE, \kind, 1, FROM_0, 32, IN_ALL, 0xffffffffffffff00, STORE, 4, 1
    HEADER \kind, \kind\()_stack_tile
    B.IOT     last, ->S<32B>
    B.TEXT    .Lbody_\kind\()_stack_tile
    BODY_AT   \kind\()_stack_tile
    v.add     lc0, zero, ->vu.w
T \kind\()_stack_tile
    v.swi.local vu#1, [ts, lc0<<2]
    BSTOP
CASE \kind\()_break, LINX_E_BREAKPOINT, 5, \kind, 1
    HEADER \kind, \kind\()_break
    B.TEXT    .Lbody_\kind\()_break
    BODY_AT   \kind\()_break
T \kind\()_break
    ebreak    5
    BSTOP
CASE \kind\()_jump_odd, E_INST, LINX_EC_MISALIGNED, \kind, 1, FROM_0, 3
    HEADER \kind, \kind\()_jump_odd
    B.TEXT    .Lbody_\kind\()_jump_odd
    BODY_AT   \kind\()_jump_odd
    addi      zero, 3, ->t
T \kind\()_jump_odd
    jr        t#1, 0
    BSTOP
CASE \kind\()_jump_zero, E_INST, LINX_EC_ACCESS, \kind, 1
    HEADER \kind, \kind\()_jump_zero
    B.TEXT    .Lbody_\kind\()_jump_zero
    BODY_AT   \kind\()_jump_zero
T \kind\()_jump_zero
    jr        zero, 0
    BSTOP
CASE_TO 1, \kind\()_jump_hole, E_INST, CAUSE_FETCH, \kind, 1, FROM_HOLE, 0
    HEADER \kind, \kind\()_jump_hole
    B.IOR     a0
    B.TEXT    .Lbody_\kind\()_jump_hole
    BODY_AT   \kind\()_jump_hole
    l.add     ri0, zero, ->t
    jr        t#1, 0
    BSTOP
CASE \kind\()_set, E_BLOCK, LINX_EC_INVAL_SET, \kind, 1
    HEADER \kind, \kind\()_set
    B.TEXT    .Lbody_\kind\()_set
    BODY_AT   \kind\()_set
T \kind\()_set
    l.add     zero, zero, ->ro0
    BSTOP
CASE \kind\()_get, E_BLOCK, GET, \kind, 0
    HEADER \kind, \kind\()_get
T \kind\()_get
    B.IOT     M#16, last
    B.TEXT    .Lbody_\kind\()_get
    BODY_AT   \kind\()_get
    BSTOP
CASE \kind\()_parm, E_BLOCK, PARM, \kind, 0
    HEADER \kind, \kind\()_parm
    B.IOT     last, ->M<64B>
T \kind\()_parm
    .4byte    B_IOT_SRC0_MATCH
    B.TEXT    .Lbody_\kind\()_parm
    BODY_AT   \kind\()_parm
    BSTOP
CASE \kind\()_double, E_BLOCK, DOUBLESET, \kind, 0
    HEADER \kind, \kind\()_double
    B.IOR     a0
T \kind\()_double
    .4byte    B_IOR_MATCH | 2 << B_IOR_RegSrc0_LSB
    B.TEXT    .Lbody_\kind\()_double
    BODY_AT   \kind\()_double
    BSTOP
CASE \kind\()_type, E_BLOCK, TYPE, \kind, 0
    HEADER \kind, \kind\()_type
    B.TEXT    .Lbody_\kind\()_type
T \kind\()_type
    .4byte    B_DIM_LB1_MATCH
    BODY_AT   \kind\()_type
    BSTOP
CASE \kind\()_arg, E_INST, ILLEGAL, \kind, 0
    HEADER \kind, \kind\()_arg
T \kind\()_arg
    B.ARG     NORM.normal
    B.TEXT    .Lbody_\kind\()_arg
    BODY_AT   \kind\()_arg
    BSTOP
CASE \kind\()_header_break, LINX_E_BREAKPOINT, 9, \kind, 0
    HEADER \kind, \kind\()_header_break
T \kind\()_header_break
    c.ebreak  9
    B.TEXT    .Lbody_\kind\()_header_break
    BODY_AT   \kind\()_header_break
    BSTOP
CASE \kind\()_shared_get, E_BLOCK, GET, \kind, 0, rings=IN_2
    HEADER \kind, \kind\()_shared_get
T \kind\()_shared_get
    B.IOS     S7, mask=1111
    B.TEXT    .Lbody_\kind\()_shared_get
    BODY_AT   \kind\()_shared_get
    BSTOP
CASE \kind\()_atomic, E_DATA, LINX_EC_RANGE, \kind, 0, FROM_0, 32
    TLOAD     <LB0:8, U32>, [a1], ->U<32B>
T \kind\()_atomic
    HEADER \kind, \kind\()_atomic
    B.CATR    atom
    B.IOT     U#1, last
    B.TEXT    .Lbody_\kind\()_atomic
    BODY_AT   \kind\()_atomic
    v.lwi.local [ta, lc0<<2], ->vt.w
    BSTOP
.endm
    BODIES VPAR
    BODIES VSEQ
    BODIES MPAR
    BODIES MSEQ

.macro MEMORY_BODIES kind
CASE \kind\()_load, E_DATA, CAUSE_LOAD, \kind, 1, FROM_HOLE, 0, IN_ALL, ALL_LANES, LOAD, 4
    HEADER \kind, \kind\()_load
    B.IOR     a0
    B.TEXT    .Lbody_\kind\()_load
    BODY_AT   \kind\()_load
T \kind\()_load
    v.lwi     [ri0, lc0<<2], ->vt.w
    BSTOP
CASE \kind\()_store, E_DATA, CAUSE_STORE, \kind, 1, FROM_HOLE, 0, IN_ALL, ALL_LANES, STORE, 1
    HEADER \kind, \kind\()_store
    B.IOR     a0
    B.TEXT    .Lbody_\kind\()_store
    BODY_AT   \kind\()_store
    v.add     lc0, zero, ->vt.w
T \kind\()_store
    v.sb      vt#1.reuse, [ri0, vt#1]
    BSTOP
CASE \kind\()_scalar_load, E_DATA, CAUSE_LOAD, \kind, 1, FROM_HOLE, 16, IN_ALL, 0, LOAD, 8
    HEADER \kind, \kind\()_scalar_load
    B.IOR     a0
    B.TEXT    .Lbody_\kind\()_scalar_load
    BODY_AT   \kind\()_scalar_load
T \kind\()_scalar_load
    l.ldi     [ri0, 16], ->t
    BSTOP
CASE \kind\()_misaligned, E_DATA, LINX_EC_STORE_MISALIGNED, \kind, 1, FROM_BUFFER, 1, IN_ALL, 0xeeeeeeeeeeeeeeee, ATOMIC, 4
    HEADER \kind, \kind\()_misaligned
    B.IOR     a1
    B.TEXT    .Lbody_\kind\()_misaligned
    BODY_AT   \kind\()_misaligned
    v.add     lc0, ri0, ->vt.w
T \kind\()_misaligned
    v.sw.add  [vt#1], vt#1.reuse
    BSTOP
.endm
    MEMORY_BODIES MPAR
    MEMORY_BODIES MSEQ

/* ---- tile blocks ------------------------------------------------------------------------------------------------------- */
CASE TMA_load, E_DATA, CAUSE_LOAD, TMA, 0, FROM_HOLE, 0
B TMA_load
T TMA_load
    TLOAD     <LB0:8, U32>, [a0], ->U<32B>
    RETURN
CASE TMA_store, E_DATA, CAUSE_STORE, TMA, 0, FROM_HOLE, 0
    TLOAD     <LB0:8, U32>, [a1], ->U<32B>
B TMA_store
T TMA_store
    TSTORE    <LB0:8, U32>, U#1, [a0]
    RETURN
.macro TILES kind, sources, to, start:vararg
CASE \kind\()_get, E_BLOCK, GET, \kind, 0
B \kind\()_get
    \start
    B.DIM     zero, 8, ->LB0
T \kind\()_get
  .if \sources == 1
    B.IOT     M#16, last, ->\to
  .else
    B.IOT     M#16, M#16, last, ->\to
  .endif
    RETURN
CASE \kind\()_parm, E_BLOCK, PARM, \kind, 0
B \kind\()_parm
    \start
    B.DIM     zero, 8, ->LB0
    B.IOT     last, ->M<32B>
T \kind\()_parm
    .4byte    B_IOT_SRC0_MATCH
    RETURN
CASE \kind\()_double, E_BLOCK, DOUBLESET, \kind, 0
B \kind\()_double
    \start
    B.IOR     a0
T \kind\()_double
    .4byte    B_IOR_MATCH | 2 << B_IOR_RegSrc0_LSB
    RETURN
CASE \kind\()_arg, E_INST, ILLEGAL, \kind, 0
B \kind\()_arg
    \start
T \kind\()_arg
    B.ARG     NORM.normal
    RETURN
CASE \kind\()_header_break, LINX_E_BREAKPOINT, 9, \kind, 0
B \kind\()_header_break
    \start
T \kind\()_header_break
    c.ebreak  9
    RETURN
CASE \kind\()_type, E_BLOCK, TYPE, \kind, 0
B \kind\()_type
    \start
    .4byte    B_TEXT_MATCH
T \kind\()_type
    .4byte    B_DIM_LB1_MATCH
    RETURN
.endm
    TILES TMA, 1, M<32B>, BSTART.TMA TMOV, U32
    TILES TEPL, 2, M<32B>, BSTART.TEPL 0, FP32
    TILES CUBE, 2, ACC<1KB>, BSTART.CUBE 0, FP32

CASE TMA_shared_set, E_BLOCK, LINX_EC_INVAL_SET, TMA, 0, rings=IN_2
B TMA_shared_set
    BSTART.TLOAD U32
    B.IOR     a1
    B.DIM     zero, 8, ->LB0
T TMA_shared_set
    B.IOS     mask=1111, ->S7<128B>
    RETURN
CASE TMA_illegal, E_INST, ILLEGAL, TMA, 0
B TMA_illegal
T TMA_illegal
    BSTART.TMA 9, U32
    B.IOR     a1
    B.DIM     zero, 8, ->LB0
    B.IOT     last, ->M<32B>
    RETURN
CASE TEPL_permission, E_INST, LINX_EC_PERM, TEPL, 0, rings=IN_2
B TEPL_permission
T TEPL_permission
    BSTART.TEPL ESAVE
    B.IOT     last, ->M<32KB>
    RETURN
CASE TEPL_illegal, E_INST, ILLEGAL, TEPL, 0
B TEPL_illegal
T TEPL_illegal
    BSTART.TEPL 31, FP32
    B.DIM     zero, 8, ->LB0
    B.IOT     last, ->M<32B>
    RETURN
CASE CUBE_illegal, E_INST, ILLEGAL, CUBE, 0
B CUBE_illegal
T CUBE_illegal
    BSTART.CUBE 31, FP32
    B.DIM     zero, 8, ->LB0
    B.IOT     last, ->M<32B>
    RETURN

    .section .rodata.raise_rows, "a"
.Lrows_end:
raise_count:
    .8byte    (.Lrows_end - raise_rows) / RAISE_ROW_BYTES
