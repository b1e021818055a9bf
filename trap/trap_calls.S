/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small pieces of the kernel that C cannot say: the call into the monitor, the copy loop with fixups, the idle task.
 */
    .text
    .globl monitor_call
    .type monitor_call, @function
monitor_call:                       /* (number, a, b, c) */
    C.BSTART.SYS FALL
    c.movr    a0, ->a7
    c.movr    a1, ->a0
    c.movr    a2, ->a1
    c.movr    a3, ->a2
    acrc      0
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
    .size monitor_call, . - monitor_call

/*
 * bool copy_checked(void *to, const void *from, size_t n): each access stands in a FALL block whose label says where
 * to go on when it faults (FUTO is 0: no trap is taken).
 */
    .globl copy_checked
    .type copy_checked, @function
copy_checked:
    BSTART.STD COND, .Lfew          /* 64 at a time while there are so many, then eight */
    addi      zero, 64, ->a3
    setc.ltu  a2, a3
.Lmany:
    BSTART.STD FALL, .Lfault
    hl.ldip   [a1, 0], ->t, t
    hl.ldip   [a1, 16], ->t, t
    hl.sdip   t#4, t#3, [a0, 0]
    hl.sdip   t#2, t#1, [a0, 16]
    hl.ldip   [a1, 32], ->t, t
    hl.ldip   [a1, 48], ->t, t
    hl.sdip   t#4, t#3, [a0, 32]
    hl.sdip   t#2, t#1, [a0, 48]
    BSTART.STD COND, .Lmany
    addi      a0, 64, ->a0
    addi      a1, 64, ->a1
    subi      a2, 64, ->a2
    setc.geu  a2, a3
.Lfew:
    BSTART.STD COND, .Lbytes
    addi      zero, 8, ->a3
    setc.ltu  a2, a3
.Lwords:
    BSTART.STD FALL, .Lfault
    ldi       [a1, 0], ->t
    sdi       t#1, [a0, 0]
    C.BSTART.STD FALL
    addi      a0, 8, ->a0
    addi      a1, 8, ->a1
    subi      a2, 8, ->a2
    BSTART.STD COND, .Lwords
    setc.geu  a2, a3
.Lbytes:
    BSTART.STD COND, .Ldone
    setc.eq   a2, zero
    BSTART.STD FALL, .Lfault
    lbui      [a1, 0], ->t
    sbi       t#1, [a0, 0]
    BSTART.STD DIRECT, .Lbytes
    addi      a0, 1, ->a0
    addi      a1, 1, ->a1
    subi      a2, 1, ->a2
.Ldone:
    C.BSTART.STD RET
    addi      zero, 1, ->a0
    c.setc.tgt ra
.Lfault:
    C.BSTART.STD RET
    addi      zero, 0, ->a0
    c.setc.tgt ra
    C.BSTOP
    .size copy_checked, . - copy_checked

/* The idle task, in ACR2: sleeps until an interrupt is there, which is taken at once. */
    .section .task_text, "ax"          /* in pages that tasks may execute (linker.ld) */
    .globl idle_loop
    .type idle_loop, @function
idle_loop:
    C.BSTART.SYS FALL
    bwi       zero
    C.BSTART DIRECT, idle_loop
    C.BSTOP
    .size idle_loop, . - idle_loop
