/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The board "virt": the one memory map (docs/target.md 5). The simulator builds its devices and the device
 * tree from it; firmware learns the addresses from the device tree and uses this file only for register
 * offsets (and for the early panic path, which cannot trust the tree).
 */
#ifndef LINX_BOARD_H
#define LINX_BOARD_H

#define BOARD_FINISHER_BASE   0x00100000
#define BOARD_FINISHER_ALIAS  0x10009000
#define BOARD_FINISHER_SIZE   0x1000
#define FINISHER_PASS         0x5555   /* bits 15:0 status, 31:16 exit code */
#define FINISHER_FAIL         0x3333
#define FINISHER_RESET        0x7777

#define BOARD_INTC_BASE       0x04000000  /* page 2*LXLCID + ring */
#define INTC_PAGE             0x1000
#define INTC_PENDING          0x000       /* 256 bits, read-only */
#define INTC_ENABLE           0x020       /* 256 bits */
#define INTC_SETVEC           0x0c0
#define INTC_CLRVEC           0x0c4
#define INTC_ENVEC            0x0c8
#define INTC_DISVEC           0x0cc
#define INTC_THRESHOLD        0x0d0
#define INTC_IPI              0x0d4
#define INTC_SETTYPE          0x0d8
#define INTC_CLAIM            0x100

#define BOARD_UART_BASE       0x10000000
#define BOARD_UART_SIZE       0x100
#define BOARD_UART_IRQ        10

#define BOARD_VIRTIO_BASE     0x10001000
#define BOARD_VIRTIO_STRIDE   0x1000
#define BOARD_VIRTIO_SLOTS    8
#define BOARD_VIRTIO_IRQ      1           /* + slot */

#define BOARD_RAM_BASE        0x80000000

#endif
