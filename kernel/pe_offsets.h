/* SPDX-License-Identifier: BSD-2-Clause */
/* Offsets in struct pe (kernel/pe.h checks them) that assembly uses. */
#ifndef LINX_PE_OFFSETS_H
#define LINX_PE_OFFSETS_H
#define PE_NESTED 0     /* context for a trap taken while the kernel runs */
#endif
