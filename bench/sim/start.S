// SPDX-License-Identifier: BSD-2-Clause
// Start of bench/sim/mix.c: a0 = LXLCID as the simulator leaves it; a stack of 16 KB for each PE.
    .globl _start, read_time, wait_interrupt
    .text
_start:
    C.BSTART.STD FALL
    hl.liu 0x80400000, ->a2
    slli a0, 14, ->a3
    add a2, a3, ->sp
    ssrget 0x0050, ->a1
    HL.BSTART.STD CALL, start_c
    setret 1f, ->ra
1:  C.BSTART.SYS FALL
    bwi zero
    C.BSTOP
read_time:
    C.BSTART.STD RET
    ssrget 0x0010, ->a0
    c.setc.tgt ra
    C.BSTOP
wait_interrupt:
    C.BSTART.SYS FALL
    bwi zero
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
