/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * newlib's configuration for linx-rt: what its configure script would write for the options named at the right, and the
 * choice of one struct _reent for each task (lib/libc/newlib/reent.c). Installed with the headers.
 */
#ifndef __NEWLIB_H__
#define __NEWLIB_H__ 1

#include <_newlib_version.h>

#define _WANT_IO_C99_FORMATS 1              /* --enable-newlib-io-c99-formats */
#define _WANT_IO_LONG_LONG 1                /* --enable-newlib-io-long-long */
#define _WANT_IO_LONG_DOUBLE 1              /* --enable-newlib-io-long-double */
#define _WANT_IO_POS_ARGS 1                 /* --enable-newlib-io-pos-args */
#define _FVWRITE_IN_STREAMIO 1              /* --enable-newlib-fvwrite-in-streamio */
#define _FSEEK_OPTIMIZATION 1               /* --enable-newlib-fseek-optimization */
#define _WIDE_ORIENT 1                      /* --enable-newlib-wide-orient */
#define _UNBUF_STREAM_OPT 1                 /* --enable-newlib-unbuf-stream-opt */
#define _MB_CAPABLE 1                       /* --enable-newlib-mb */
#define _MB_LEN_MAX 8
#define _LITE_EXIT 1                        /* --enable-lite-exit: exit flushes the streams, it does not close them */
#define _ATEXIT_DYNAMIC_ALLOC 1             /* --enable-newlib-atexit-dynamic-alloc */
#define HAVE_INITFINI_ARRAY 1
#define _HAVE_LONG_DOUBLE 1
#define _LDBL_EQ_DBL 1

#define _WANT_REENT_SMALL 1                 /* --enable-newlib-reent-small: what a task seldom needs comes from malloc */
#define _WANT_REENT_GLOBAL_STDIO_STREAMS 1  /* --enable-newlib-global-stdio-streams: all tasks share stdin, stdout, stderr */
#define _REENT_GLOBAL_ATEXIT 1              /* --enable-newlib-global-atexit */
#define _REENT_CHECK_VERIFY 1               /* --enable-newlib-reent-check-verify */
#define __DYNAMIC_REENT__ 1                 /* errno and the like through __getreent() */
#define _RETARGETABLE_LOCKING 1             /* --enable-newlib-retargetable-locking */

#define _READ_WRITE_RETURN_TYPE _ssize_t    /* POSIX: ssize_t read(int, void *, size_t) */
#define _READ_WRITE_BUFSIZE_TYPE __size_t

#endif
