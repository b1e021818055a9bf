/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every way to reach memory, one function each: uint64_t f(uint64_t address, uint64_t *mine). Reads come back in a0 (or are
 * left in `mine`, an own page, and fetched from there). Other weapons that C cannot say follow.
 */
#include "linx/asm.h"
#include "linx/arch.h"

    .text
.macro RETURN_MINE                  /* what was left in mine (a1) */
    C.BSTART.STD RET
    ldi       [a1, 0], ->a0
    c.setc.tgt ra
    C.BSTOP
.endm
.macro SCALAR name, insn:vararg
FUNCTION \name
    C.BSTART.STD FALL
    \insn
    RETURN
.endm
.macro SYSTEM name, insn:vararg
FUNCTION \name
    C.BSTART.SYS FALL
    \insn
    RETURN
.endm

    SCALAR load1, lbui [a0, 0], ->a0
    SCALAR load2, lhui [a0, 0], ->a0
    SCALAR load4, lwui [a0, 0], ->a0
    SCALAR load8, ldi [a0, 0], ->a0
    SCALAR load_indexed, ld [zero, a0], ->a0
    SCALAR load_pair, hl.ldip [a0, 0], ->a0, a2
    SCALAR store1, sbi a0, [a0, 0]
    SCALAR store2, shi a0, [a0, 0]
    SCALAR store4, swi a0, [a0, 0]
    SCALAR store8, sdi a0, [a0, 0]
    SCALAR store_pair, hl.sdip a0, a1, [a0, 0]
    SYSTEM load_reserved, lr.d [a0], ->a0
    SYSTEM store_conditional, sc.d a1, [a0], ->a0
    SYSTEM atomic_add, ld.add [a0], zero, ->a0
    SYSTEM atomic_add_no_result, sd.add [a0], a1
    SYSTEM atomic_swap, swapd [a0], a1, ->a0
    SYSTEM atomic_cas, hl.casd [a0], zero, a1, ->a0
    SYSTEM dc_zva, dc.zva a0
    SYSTEM dc_iva, dc.iva a0
    SYSTEM dc_civa, dc.civa a0
    SYSTEM ic_iva, ic.iva a0
    SYSTEM tlb_iv, tlb.iv a0
    SYSTEM tlb_ia, tlb.ia a0
    SYSTEM tlb_iav, tlb.iav a0
    SYSTEM tlb_iall, tlb.iall
    SYSTEM ic_iall, ic.iall
    SYSTEM dc_iall, dc.iall
    SYSTEM dc_isw, dc.isw a0
    SYSTEM dc_cisw, dc.cisw a0
    SCALAR prefetch, prfi.u.l1 [a0, 0]

/* The fixup of a FALL block as an oracle: 0 when the access faulted silently, else what was read */
FUNCTION fixup_load
    BSTART.STD FALL, .Lno
    ldi       [a0, 0], ->a0
    RETURN
.Lno:
    C.BSTART.STD RET
    c.movi    0, ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION fixup_store
    BSTART.STD FALL, .Lno
    sdi       a1, [a0, 0]
    RETURN

/* Templates with a forged stack pointer: registers stored to, or loaded from, the address */
FUNCTION fentry_store
    C.BSTART.STD FALL
    addi      a0, 176, ->sp
    FENTRY    [a0 ~ x3], sp!, 176
    RETURN
FUNCTION fexit_load
    C.BSTART.STD FALL
    c.movr    ra, ->x0
    c.movr    sp, ->x1
    subi      a0, 8, ->sp
    FEXIT     [s0 ~ s0], sp!, 16
    C.BSTART.STD RET
    c.movr    s0, ->a0
    c.movr    x1, ->sp
    c.setc.tgt x0
    C.BSTOP
FUNCTION fret_load                  /* takes its return address from there */
    C.BSTART.STD FALL
    subi      a0, 8, ->sp
    FRET.STK  [ra ~ ra], sp!, 16
FUNCTION mcopy_from
    C.BSTART.STD FALL
    addi      zero, 8, ->a2
    MCOPY     [a1, a0, a2]
    RETURN_MINE
FUNCTION mcopy_to
    C.BSTART.STD FALL
    addi      zero, 8, ->a2
    MCOPY     [a0, a1, a2]
    RETURN
FUNCTION mset_to
    C.BSTART.STD FALL
    addi      zero, 8, ->a2
    MSET      [a0, a1, a2]
    RETURN

/* The data engine */
FUNCTION tload_from
    TLOAD     <LB0:8, U32>, [a0], ->T<32B>
    TSTORE    <LB0:8, U32>, T#1, [a1]
    RETURN_MINE
FUNCTION tstore_to
    TLOAD     <LB0:8, U32>, [a1], ->T<32B>
    TSTORE    <LB0:8, U32>, T#1, [a0]
    RETURN
FUNCTION mpar_load
    MPAR      .Lgather, <LB0:64>, [a0, a1]
    RETURN_MINE
FUNCTION mseq_load
    MSEQ      .Lgather, <LB0:64>, [a0, a1]
    RETURN_MINE
FUNCTION mpar_load_one_lane         /* lane 63 alone reaches there */
    C.BSTART.STD FALL
    subi      a0, 252, ->a0
    MPAR      .Lone, <LB0:64>, [a0, a1]
    C.BSTART.STD RET
    lwui      [a1, 252], ->a0
    c.setc.tgt ra
    C.BSTOP
FUNCTION mpar_store
    MPAR      .Lscatter, <LB0:64>, [a0]
    RETURN
FUNCTION mseq_store
    MSEQ      .Lscatter, <LB0:64>, [a0]
    RETURN
FUNCTION mpar_atomic
    MPAR      .Latomic, <LB0:64>, [a0, a1]
    RETURN_MINE
    .balign 4
.Lgather:
    v.lwi     [ri0, lc0<<2], ->vt.w
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP
.Lone:
    v.add     lc0, zero, ->vt.w
    v.cmp.eqi vt#1, 63, ->p
    v.lwi     [ri0, lc0<<2], ->vt.w
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP
.Lscatter:
    v.add     lc0, zero, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP
.Latomic:
    v.lw.add  [ri0], lc0, ->vt.w
    v.swi     vt#1, [ri1, lc0<<2]
    BSTOP

/* Execution */
FUNCTION jump_to
    C.BSTART.STD IND
    c.setc.tgt a0
    C.BSTOP
FUNCTION call_to
    C.BSTART.STD ICALL
    c.setret  1f, ->ra
    c.setc.tgt a0
1:  RETURN
FUNCTION return_to
    C.BSTART.STD RET
    c.setc.tgt a0
    C.BSTOP

/* ---- registers and rings -------------------------------------------------------------------------------------------------- */
.macro SSR name, id
FUNCTION get_\name
    C.BSTART.SYS FALL
    hl.ssrget \id, ->a0
    RETURN
FUNCTION set_\name
    C.BSTART.SYS FALL
    hl.ssrset a0, \id
    RETURN
.endm
    .irp bank, 0, 1, 2
    SSR ecstate_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_ECSTATE)
    SSR evbase_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_EVBASE)
    SSR etemp_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_ETEMP)
    SSR econfig_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_ECONFIG)
    SSR ebpc_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_EBPC)
    SSR timer_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_TIMER_CMP)
    SSR eoiei_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_EOIEI)
    SSR futo_\bank, LINX_SSR_BANK(\bank, LINX_SSRO_FUTO)
    .endr
    SSR mmtbase, LINX_SSR_MMTBASE
    SSR mmconfig, LINX_SSR_MMCONFIG
    SSR shwindow, LINX_SSR_SHWINDOW
    SSR shselect, LINX_SSR_SHSELECT
    SSR shdesc, LINX_SSR_SHDESC
    SSR shshape, LINX_SSR_SHSHAPE
    SSR tilemap_n, LINX_SSR_TILEMAP_T + 3
    SSR lcfr_en, LINX_SSR_LCFR_EN
    SSR lxlcid, LINX_SSR_LXLCID
    SSR time, LINX_SSR_TIME
    SSR none, 0x0777

FUNCTION swap_own_etemp             /* 0xFxx: the bank of the current ring */
    C.BSTART.SYS FALL
    ssrswap   a0, 0xF00 + LINX_SSRO_ETEMP, ->a0
    RETURN
FUNCTION set_cstate                 /* ring, I and P: writing changes nothing of them */
    C.BSTART.SYS FALL
    hl.ssrset a0, LINX_SSR_CSTATE
    hl.ssrget LINX_SSR_CSTATE, ->a0
    RETURN
.macro REQUEST name, insn:vararg
FUNCTION \name
    C.BSTART.SYS FALL
    c.movr    a1, ->a7
    \insn
    RETURN
.endm
    .irp n, 0, 2, 3, 7, 15
    REQUEST acrc_\n, acrc \n
    .endr
    .irp n, 0, 1, 2, 9
    REQUEST acre_\n, acre \n
    .endr
FUNCTION ebreak_now
    C.BSTART.STD FALL
    c.ebreak  3
    RETURN
FUNCTION assert_now
    C.BSTART.SYS FALL
    assert    zero
    RETURN
FUNCTION cross_block
    XB        1, 2

/* ---- the engine's state ------------------------------------------------------------------------------------------------------- */
FUNCTION esave_now
    BSTART.TEPL ESAVE
    B.IOT     last, ->N<32KB>
    RETURN
FUNCTION esave_to_t
    BSTART.TEPL ESAVE
    B.IOT     last, ->T<32KB>
    RETURN
FUNCTION ercov_now
    TLOAD     <LB0:8, U32>, [a1], ->T<32KB>
    BSTART.TEPL ERCOV
    B.IOT     T#1, last
    RETURN

/* (address, mine): one entry of a hand */
.macro PEEK name, tile
FUNCTION \name
    TSTORE    <LB0:8, U32>, \tile\().reuse, [a1]
    RETURN_MINE
.endm
    .irp k, 1, 2, 5, 16
    PEEK peek_t\k, T#\k
    PEEK peek_u\k, U#\k
    PEEK peek_m\k, M#\k
    PEEK peek_n\k, N#\k
    .endr
FUNCTION peek_released
    TLOAD     <LB0:8, U32>, [a1], ->T<32B>
    TSTORE    <LB0:8, U32>, T#1, [a1]
    TSTORE    <LB0:8, U32>, T#1, [a1]
    RETURN_MINE
FUNCTION peek_behind_tile           /* more of a tile than was written */
    TLOAD     <LB0:8, U32>, [a1], ->T<32B>
    TSTORE    <LB0:64, U32>, T#1, [a1]
    RETURN_MINE
FUNCTION local_behind_tile
    TLOAD     <LB0:8, U32>, [a1], ->T<32B>
    VPAR      .Lbehind, <LB0:64>, T#1
    RETURN
FUNCTION peek_output                /* an output tile that the body does not write */
    VPAR      .Lnothing, <LB0:64>, ->U<32KB>
    TSTORE    <LB0:1024, U32>, U#1, [a1]
    RETURN_MINE
FUNCTION peek_stack_tile
    MSEQ      .Lstack_tile, <LB0:1>, [a1], ->S<4KB>
    RETURN_MINE
    .balign 4
.Lbehind:
    v.lwi.local [ta, lc0<<2], ->vt.w
    BSTOP
.Lnothing:
    l.add     zero, zero, ->t
    BSTOP
.Lstack_tile:
    l.add     zero, zero, ->t
    BSTOP

/* (address, mine): the or of one kind of queue over all lanes and slots, as a first body finds it */
.macro QUEUE name, entry
FUNCTION \name
    MPAR      .L\name, <LB0:256>, [a1]
    RETURN
    .balign 4
.L\name:
    v.or      \entry, zero, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP
.endm
    QUEUE queue_vt1, vt#1
    QUEUE queue_vt4, vt#4
    QUEUE queue_vu1, vu#1
    QUEUE queue_vu4, vu#4
    QUEUE queue_vm1, vm#1
    QUEUE queue_vm4, vm#4
    QUEUE queue_vn1, vn#1
    QUEUE queue_vn4, vn#4
    QUEUE queue_t1, t#1
    QUEUE queue_t4, t#4
    QUEUE queue_u1, u#1
    QUEUE queue_u4, u#4
FUNCTION scalar_queues              /* t and u of the scalar engine, as a new task finds them */
    C.BSTART.STD FALL
    or        t#1, t#2, ->a0
    or        a0, t#3, ->a0
    or        a0, t#4, ->a0
    or        a0, u#1, ->a0
    or        a0, u#2, ->a0
    or        a0, u#3, ->a0
    or        a0, u#4, ->a0
    RETURN
FUNCTION all_registers              /* the or of every register that has no value by the calling convention */
    C.BSTART.STD FALL
    c.movr    zero, ->a0
    .irp r, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3
    or        a0, \r, ->a0
    .endr
    RETURN

/* ---- Shared registers outside a gang --------------------------------------------------------------------------------------- */
.macro SHARED n
FUNCTION shared_read_\n
    TSTORE    <LB0:8, U32>, S\n, [a1], mask=1111
    RETURN_MINE
FUNCTION shared_write_\n
    TLOAD     <LB0:64, U32>, [a1], mask=1111, ->S\n<256B>
    RETURN
FUNCTION shared_body_\n
    MPAR      .Lshared_body, <LB0:8>, S\n, mask=1111, [a1]
    RETURN_MINE
.endm
    SHARED 0
    SHARED 1
    SHARED 100
    SHARED 255
    .balign 4
.Lshared_body:
    v.lwi.local [ta, lc0<<2], ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP

/* ---- blocks that are none ------------------------------------------------------------------------------------------------------ */
FUNCTION body_in_kernel             /* B.TEXT names the kernel's code */
    BSTART.MPAR VS16
    C.B.DIMI  64, ->LB0
    B.IOR     a1
    B.TEXT    syscall
    RETURN
FUNCTION body_in_data
    BSTART.MPAR VS16
    C.B.DIMI  64, ->LB0
    B.IOR     a1
    B.TEXT    hostile_data
    RETURN
FUNCTION branch_to_kernel           /* a direct branch there */
    HL.BSTART.STD CALL, syscall
    c.setret  1f, ->ra
1:  RETURN
FUNCTION branch_to_wide             /* the kernel's own ESAVE */
    HL.BSTART.STD CALL, wide_esave_blocks
    c.setret  1f, ->ra
1:  RETURN
FUNCTION branch_to_return           /* the kernel's way out, with a context of our own */
    HL.BSTART.STD CALL, trap_return
    c.setret  1f, ->ra
    c.movr    a1, ->a0
1:  RETURN
FUNCTION into_the_stub              /* a system-call stub, behind its block start */
    C.BSTART.STD IND
    la        linx_task_self, ->a0
    addi      a0, 2, ->a0
    c.setc.tgt a0
    C.BSTOP
FUNCTION no_target                  /* an indirect block that sets none */
    C.BSTART.STD IND
    C.BSTOP
FUNCTION illegal_word
    C.BSTART.STD FALL
    .4byte    0xffffffff
    RETURN
FUNCTION endless_body
    MPAR      .Lendless, <LB0:256>, [a1]
    RETURN
    .balign 4
.Lendless:
    l.add     zero, zero, ->t
1:  l.addi    zero, 1, ->t
    b.ne      t#1, zero, 1b
    BSTOP
FUNCTION endless_seq
    VSEQ      .Lendless, <LB0:256>
    RETURN
FUNCTION endless_atomic_body        /* one that claims to be atomic */
    BSTART.MPAR VS16
    B.CATR    atom
    C.B.DIMI  64, ->LB0
    B.IOR     a1
    B.TEXT    .Lendless
    RETURN
FUNCTION huge_mset
    C.BSTART.STD FALL
    subi      zero, 1, ->a2
    MSET      [a1, zero, a2]
    RETURN
FUNCTION huge_mcopy
    C.BSTART.STD FALL
    subi      zero, 1, ->a2
    MCOPY     [a1, a1, a2]
    RETURN
FUNCTION endless_atomic             /* an atomic block that never ends */
    BSTART.STD FALL
    B.CATR    atom
    sdi       a0, [a1, 0]
    BSTART.STD DIRECT, endless_atomic
FUNCTION no_interrupts              /* I of CSTATE off, then spin */
    C.BSTART.SYS FALL
    hl.ssrset zero, LINX_SSR_CSTATE
1:  C.BSTART.STD FALL
    BSTART.STD DIRECT, 1b
    C.BSTOP
FUNCTION sleeps_bwi
    C.BSTART.SYS FALL
    bwi       zero
    BSTART.STD DIRECT, sleeps_bwi
FUNCTION sleeps_bwe
    C.BSTART.SYS FALL
    bwe       zero
    BSTART.STD DIRECT, sleeps_bwe
FUNCTION sleeps_bwt
    C.BSTART.SYS FALL
    subi      zero, 1, ->a0
    bwt       a0
    BSTART.STD DIRECT, sleeps_bwt
FUNCTION wakes_all
    C.BSTART.SYS FALL
    addi      zero, 1, ->a0
    bse       a0
    BSTART.STD DIRECT, wakes_all
    C.BSTOP

/* ---- victims ------------------------------------------------------------------------------------------------------------------- */
/* (secret, out): the secret in T, U, VT..VN of every slot, RI, RO, tiles of T, U and M; then the tiles are read back to out */
FUNCTION keep_secret
    VPAR      .Lkeep, <LB0:256>, [a0], ->T<1KB>, U<1KB>, M<1KB>
    C.BSTART.STD FALL
    addi      a1, 1024, ->a2
    addi      a2, 1024, ->a3
    TSTORE    <LB0:256, U32>, T#1.reuse, [a1]
    TSTORE    <LB0:256, U32>, U#1.reuse, [a2]
    TSTORE    <LB0:256, U32>, M#1.reuse, [a3]
    RETURN
    .balign 4
.Lkeep:
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
    BSTOP
/* (out): the same queues in the next body */
FUNCTION find_secret
    MPAR      .Lfind_secret, <LB0:256>, [a0]
    RETURN
    .balign 4
.Lfind_secret:
    v.or      vt#1, vu#4, ->vt.w
    v.or      vt#1, vm#1, ->vt.w
    v.or      vt#1, vn#4, ->vt.w
    v.or      vt#1, t#1, ->vt.w
    v.or      vt#1, u#1, ->vt.w
    v.swi     vt#1, [ri0, lc0<<2]
    BSTOP
/* (secret) -> 0 while T and U keep it over spins */
FUNCTION keep_scalar
    C.BSTART.STD FALL
    .rept 4
    addi      a0, 0, ->t
    addi      a0, 0, ->u
    .endr
    addi      zero, 200, ->a1
1:  BSTART.STD COND, 1b
    subi      a1, 1, ->a1
    setc.ne   a1, zero
    C.BSTART.STD FALL
    xor       t#4, a0, ->a1
    xor       t#1, a0, ->a2
    xor       u#4, a0, ->a3
    xor       u#1, a0, ->a4
    or        a1, a2, ->a1
    or        a3, a4, ->a3
    or        a1, a3, ->a0
    RETURN

/* A task's first instruction: the or of its queues and of what is in its registers, to *a0 */
FUNCTION first_look
    C.BSTART.STD FALL
    or        t#1, t#2, ->a1
    or        a1, t#3, ->a1
    or        a1, t#4, ->a1
    or        a1, u#1, ->a1
    or        a1, u#2, ->a1
    or        a1, u#3, ->a1
    or        a1, u#4, ->a1
    .irp r, a2, a3, a4, a5, a6, a7, s0, s1, s2, s3, s4, s5, s6, s7, s8, x0, x1, x2, x3
    or        a1, \r, ->a1
    .endr
    sdi       a1, [a0, 0]
    RETURN
/* (out): a1..a7, x0..x3, t, u as a system call leaves them */
FUNCTION after_call
    FENTRY    [ra ~ s0], sp!, 32
    C.BSTART.SYS FALL
    c.movr    a0, ->s0
    .irp r, a1, a2, a3, a4, a5, a6, ra, x0, x1, x2, x3
    c.movr    zero, ->\r
    .endr
    .rept 4
    c.movr    zero, ->t
    c.movr    zero, ->u
    .endr
    addi      zero, 5, ->a7
    acrc      1
    C.BSTART.STD FALL
    hl.sdip   t#4, t#3, [s0, 88]
    hl.sdip   t#2, t#1, [s0, 104]
    hl.sdip   u#4, u#3, [s0, 120]
    hl.sdip   u#2, u#1, [s0, 136]
    hl.sdip   a1, a2, [s0, 0]
    hl.sdip   a3, a4, [s0, 16]
    hl.sdip   a5, a6, [s0, 32]
    hl.sdip   x0, x1, [s0, 48]
    hl.sdip   x2, x3, [s0, 64]
    sdi       ra, [s0, 80]
    FRET.STK  [ra ~ s0], sp!, 32
