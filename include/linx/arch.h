/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architecture constants of the Linx core, shared by the kernel, the simulator and assembly files.
 * Source of every value: docs/target.md (sections in brackets). Plain #defines only, so that .S files can
 * include this file.
 */
#ifndef LINX_ARCH_H
#define LINX_ARCH_H

/* Geometry [1] */
#define LINX_LANES            64
#define LINX_MAX_GROUPS       4     /* group slots; LCFR.GroupNum is their log2 */
#define LINX_MAX_CORES        16
#define LINX_PES_PER_CORE     4
#define LINX_HANDS            4     /* tile hands T, U, M, N */
#define LINX_HAND_DEPTH       16
#define LINX_TILE_MIN_CODE    1     /* tile bytes = 16 << imm4 */
#define LINX_TILE_MAX_CODE    11
#define LINX_TILE_BYTES(imm4) (16 << (imm4))
#define LINX_TILE_MAX_BYTES   32768
#define LINX_SHARED_TILES     256
#define LINX_TILE_HANDLE      0x7e1e00 /* a tile formal n reads as LINX_TILE_HANDLE + n at this bit, its offset below */
#define LINX_TILE_HANDLE_BIT  40       /* (docs/data-engine.md, E-8) */

/* Rings [1] */
#define LINX_ACR_MONITOR      0
#define LINX_ACR_KERNEL       1
#define LINX_ACR_TASK         2

/* System registers [4]: per-ring banks are 0xnF00 + offset for ring n. SSRSWAP with 0x0Fxx names the
 * current ring's bank. */
#define LINX_SSR_TP           0x0000
#define LINX_SSR_GP           0x0001
#define LINX_SSR_TIME         0x0010
#define LINX_SSR_CYCLE        0x0011
#define LINX_SSR_CSTATE       0x0020
#define LINX_SSR_LXLCID       0x0021
#define LINX_SSR_VENDOR       0x0022
#define LINX_SSR_VERSION      0x0023
#define LINX_SSR_LCFR         0x0024
#define LINX_SSR_LCFR_EN      0x0025
#define LINX_SSR_BLOCKNUM     0x0050
#define LINX_SSR_BLOCKID      0x0051
#define LINX_SSR_PEID         0x0802
#define LINX_SSR_TILEMAP_T    0x0840   /* + hand: nibble k-1 = imm4 of #k, 0 empty or released [2.6] */
#define LINX_SSR_SHWINDOW     0x0844   /* first 7:0, count 24:16 [3] */
#define LINX_SSR_SHSELECT     0x0845
#define LINX_SSR_SHDESC       0x0846   /* SizeCode 3:0, mask 7:4, written 11:8, valid 12 */
#define LINX_SSR_SHSHAPE      0x0847   /* rows 15:0, columns 31:16, valid rows 47:32, valid columns 63:48 */
#define LINX_SSR_MMTBASE      0x1F10
#define LINX_SSR_MMCONFIG     0x1F11

#define LINX_SSR_BANK(ring, off) (((ring) << 12) | 0x0F00 | (off))
#define LINX_SSRO_ECSTATE     0x00
#define LINX_SSRO_EVBASE      0x01
#define LINX_SSRO_TRAPNO      0x02
#define LINX_SSRO_TRAPARG0    0x03
#define LINX_SSRO_ETEMP       0x05
#define LINX_SSRO_FUTO        0x06
#define LINX_SSRO_ECONFIG     0x07
#define LINX_SSRO_IPENDING    0x08
#define LINX_SSRO_TOPEI       0x09
#define LINX_SSRO_EOIEI       0x0A
#define LINX_SSRO_EBPC        0x0B
#define LINX_SSRO_EBARG       0x0C
#define LINX_SSRO_ETPC        0x0D
#define LINX_SSRO_EBPCN       0x0E
#define LINX_SSRO_TIMER_TIME  0x20
#define LINX_SSRO_TIMER_CMP   0x21
#define LINX_SSRO_XBINFO      0x30
#define LINX_SSRO_ACR_PARAM   0x31

/* CSTATE / ECSTATE [4] */
#define LINX_CSTATE_ACR_MASK  0xF
#define LINX_CSTATE_I         (1 << 4)
#define LINX_ECSTATE_BI       (1 << 6)
#define LINX_CSTATE_P         (1 << 9)
#define LINX_CSTATE_FFLAGS_SHIFT 16    /* NV DZ OF UF NX from bit 16 up */
#define LINX_CSTATE_FRM_SHIFT 21       /* 3 bits: 0 RNE, 1 RTZ, 2 RDN, 3 RUP */

/* EBARG [4] */
#define LINX_EBARG_BLOCKTYPE_SHIFT 32  /* 5 bits */
#define LINX_EBARG_TYPE_SHIFT      37  /* 2 bits: 0 fall, 1 direct/call, 2 cond, 3 indirect */
#define LINX_EBARG_TAKEN_BIT       39
#define LINX_EBARG_AQ_BIT          40
#define LINX_EBARG_RL_BIT          41
#define LINX_EBARG_GROUP_SHIFT     48  /* 16 bits */

/* TRAPNO [4], digest of trap classes */
#define LINX_TRAPNO_E_BIT     63       /* 1 = synchronous */
#define LINX_TRAPNO_CAUSE_SHIFT 24     /* 24 bits */
#define LINX_TRAPNO_NUM_MASK  0x3F

#define LINX_E_INST           0
#define LINX_E_DATA           1
#define LINX_E_BLOCK          4
#define LINX_E_ASSERT         15
#define LINX_E_SCALL          16
#define LINX_E_BREAKPOINT     17
#define LINX_E_ISSR           62

/* causes of E_INST */
#define LINX_EC_ACCESS        0
#define LINX_EC_TRANS         1
#define LINX_EC_MISALIGNED    2
#define LINX_EC_ILLEGAL       3
#define LINX_EC_PERM          4
#define LINX_EC_PAGE          5
#define LINX_EC_BUS           6
#define LINX_EC_PARAM         7
/* causes of E_DATA */
#define LINX_EC_LOAD_ACCESS   0
#define LINX_EC_LOAD_MISALIGNED 1
#define LINX_EC_LOAD_PAGE     2
#define LINX_EC_STORE_ACCESS  3
#define LINX_EC_STORE_MISALIGNED 4
#define LINX_EC_STORE_PAGE    5
#define LINX_EC_RANGE         6
#define LINX_EC_DBUS          7
/* causes of E_BLOCK */
#define LINX_EC_INVAL_SET     0
#define LINX_EC_INVAL_GET     1
#define LINX_EC_INVAL_PARM    2
#define LINX_EC_INVAL_DOUBLESET 3
#define LINX_EC_INVAL_FIXUP   4
#define LINX_EC_TYPE          5

/* Interrupt ids; TRAPNUM of an interrupt is its id with E = 0 [4] */
#define LINX_INT_ACR0_EI      0
#define LINX_INT_ACR0_TI      1
#define LINX_INT_ACR1_EI      2
#define LINX_INT_ACR1_TI      3
#define LINX_INT_ACR0_II      4
#define LINX_INT_ACR1_II      5
#define LINX_INT_NONE         0xFF

/* ECONFIG, IPENDING */
#define LINX_ECONFIG_E        (1 << 0)
#define LINX_ECONFIG_T        (1 << 1)
#define LINX_ECONFIG_I        (1 << 2)
#define LINX_ECONFIG_V_BIT    32
#define LINX_ECONFIG_C_BIT    33

/* MMCONFIG */
#define LINX_MMCONFIG_EN      (1 << 0)
#define LINX_MMCONFIG_M_SHIFT 1        /* 2 bits: 3, 4 or 5 levels */
#define LINX_MMCONFIG_Q       (1 << 3) /* 1: 16-byte descriptors */
#define LINX_MMCONFIG_HU      (1 << 4) /* hardware sets AF */

/* Page-table descriptors [7]: kind in bits 1:0, then permissions; the address in 47:12 */
#define LINX_PTE_KIND         3
#define LINX_PTE_PAGE         1        /* last level */
#define LINX_PTE_BLOCK        2        /* any level above */
#define LINX_PTE_TABLE        3
#define LINX_PTE_R            (1 << 2)
#define LINX_PTE_W            (1 << 3)
#define LINX_PTE_X            (1 << 4)
#define LINX_PTE_U            (1 << 5)
#define LINX_PTE_AF           (1 << 6)
#define LINX_PTE_ADDRESS      0x0000fffffffff000

/* FUTO */
#define LINX_FUTO_LF          (1 << 0)
#define LINX_FUTO_LMA         (1 << 1)
#define LINX_FUTO_SF          (1 << 2)
#define LINX_FUTO_SMA         (1 << 3)
#define LINX_FUTO_A           (1 << 4)

/* System-call types of ACRC, resume types of ACRE */
#define LINX_SCT_MAC          0
#define LINX_SCT_SYS          1
#define LINX_SCT_SEC          2
#define LINX_RRA_RESTART      0
#define LINX_RRA_RESUME       1

/* EBARG.BlockType [4]. Data blocks: VPAR VSEQ MPAR MSEQ, TMA, TEPL, CUBE (only the first four can be resumed).
 * Template blocks (FENTRY.., MCOPY, MSET) run on the scalar engine and report STD. */
#define LINX_BT_STD           0
#define LINX_BT_SYS           1
#define LINX_BT_FP            2
#define LINX_BT_DATA          3
#define LINX_BT_XB            31

/* ESAVE image, tile 0 (seed ESAVE; records packed, [2.4]) */
#define LINX_ESAVE_LB         0        /* LB0..2, 2 bytes each */
#define LINX_ESAVE_RI         8        /* RI0..11, 8 bytes each */
#define LINX_ESAVE_RO         104      /* RO0..3 */
#define LINX_ESAVE_GROUP0     136
#define LINX_ESAVE_GROUP_BYTES 4184
#define LINX_ESAVE_G_TPC      0
#define LINX_ESAVE_G_LC       8        /* LC0..2, 2 bytes each */
#define LINX_ESAVE_G_P        16
#define LINX_ESAVE_G_T        24       /* t#4, t#3, t#2, t#1 */
#define LINX_ESAVE_G_U        56       /* u#4 .. u#1 */
#define LINX_ESAVE_G_VT       88       /* vt#4..1, vu#4..1, vm#4..1, vn#4..1; 256 bytes each, lane i at 4*i */
#define LINX_ESAVE_IMAGE_BYTES(groups) (LINX_ESAVE_GROUP0 + (groups) * LINX_ESAVE_GROUP_BYTES)

#endif
