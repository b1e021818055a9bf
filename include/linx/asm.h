/* SPDX-License-Identifier: BSD-2-Clause */
/* For .S files of programs: the heads and ends of functions. */
#ifndef LINX_ASM_H
#define LINX_ASM_H

.macro FUNCTION name
    .globl \name
    .type \name, @function
\name:
.endm
/* To the caller. The C.BSTOP ends the block, whatever stands behind it (a body, the end of the section). */
.macro RETURN
    C.BSTART.STD RET
    c.setc.tgt ra
    C.BSTOP
.endm

#endif
