/* SPDX-License-Identifier: BSD-2-Clause */
/* Headers that the assembler refuses, as words: B.IOS with SizeCode 13 to 15, and in blocks where it has no place. */
#include "linx/asm.h"
#include "kernel_forms.h"

#define B_IOS(number, size, mode) \
    .4byte B_IOS_MATCH | (number) << B_IOS_SharedTID_LSB | (size) << B_IOS_SizeCode_LSB | (mode) << B_IOS_PEMode_LSB

.macro SIZE size, mode
    .section .rodata
    .8byte    .Lsize_\size\()_\mode
    .text
.Lsize_\size\()_\mode:
    C.BSTART.STD FALL
    la        room, ->a0
    BSTART.TLOAD U32
    B.IOR     a0
    B.DIM     zero, 32, ->LB0
    B_IOS(0, \size, \mode)
    RETURN
.endm

    .section .rodata
    .balign 8
    .globl no_such_size, no_such_role, no_such_roles
no_such_size:                       /* [13..15][mode 0, 7] */
    .irp size, 13, 14, 15
    SIZE \size, 0
    SIZE \size, 7
    .endr

    .text
.Ltload_source:
    C.BSTART.STD FALL
    la        room, ->a0
    BSTART.TLOAD U32
    B.IOR     a0
    B.DIM     zero, 32, ->LB0
    B_IOS(0, 0, 7)
    B.IOT     last, ->T<128B>
    RETURN
.Ltstore_destination:
    C.BSTART.STD FALL
    la        room, ->a0
    BSTART.TSTORE U32
    B.IOR     a0
    B.DIM     zero, 32, ->LB0
    B_IOS(0, 1, 7)
    RETURN
.Lbody_destination:
    BSTART.VPAR 0
    B.DIM     zero, 32, ->LB0
    B_IOS(0, 1, 7)
    B.TEXT    .Lempty
    RETURN
.Lempty:
    BSTOP

    .section .rodata
no_such_role:
    .8byte    .Ltload_source, .Ltstore_destination, .Lbody_destination
no_such_roles:
    .8byte    3

    .bss
    .balign 64
room:
    .space 4096
