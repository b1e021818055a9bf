/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Disks as raw device nodes. A program that calls this gets /dev/vda, /dev/vdb, ... for open, read, write, lseek and fstat, at
 * any offset and length; they have no other file system on them. Only such a program links the kernel's disk driver.
 */
#ifndef _SYS_DISK_H
#define _SYS_DISK_H

#include <sys/cdefs.h>

_BEGIN_STD_C

int disk_nodes(void);                   /* the number of disks; -1: errno */

_END_STD_C

#endif
