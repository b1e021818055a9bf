/* SPDX-License-Identifier: BSD-2-Clause */
/* Directory streams of the port's RAM file system (lib/libc/port/file.c). */
#ifndef _SYS_DIRENT_H
#define _SYS_DIRENT_H

#include <sys/types.h>

#define MAXNAMLEN 63                    /* longest name of one entry */

struct dirent {
    ino_t d_ino;
    unsigned char d_type;               /* DT_* */
    char d_name[MAXNAMLEN + 1];
};
#define DT_UNKNOWN 0
#define DT_CHR     2
#define DT_DIR     4
#define DT_BLK     6
#define DT_REG     8

typedef struct __dir DIR;

#endif
