/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * picolibc's configuration for linx-rt: what its build system would write for the options named at the right.
 * Installed with the headers.
 */
#pragma once

#define __PICOLIBC__             1
#define __PICOLIBC_MINOR__       8
#define __PICOLIBC_PATCHLEVEL__  10
#define __PICOLIBC_VERSION__     "1.8.10"
#define __NEWLIB__               4
#define __NEWLIB_MINOR__         3
#define __NEWLIB_PATCHLEVEL__    0
#define __NEWLIB_VERSION__       "4.3.0"
#define _NEWLIB_VERSION          "4.3.0"

#define __TINY_STDIO                    /* tinystdio */
#define __STDIO_LOCKING                 /* stdio-locking: every FILE has a recursive lock, for tasks */
#define __IO_DEFAULT 'd'                /* format-default: printf and scanf know double */
#define __IO_C99_FORMATS
#define __IO_LONG_LONG                  /* io-long-long: long long in the integer-only variants too */
#define __IO_FLOAT_EXACT                /* io-float-exact: shortest and correctly rounded conversions */
#define __IO_SMALL_ULTOA
#define __ASSERT_VERBOSE
#define __PREFER_SIZE_OVER_SPEED

#define __NANO_MALLOC                   /* newlib-nano-malloc */
#define __PICO_EXIT                     /* picoexit */
#define __INIT_FINI_ARRAY

#define __THREAD_LOCAL_STORAGE          /* errno, rand, strtok ... per task */
#define __THREAD_LOCAL_STORAGE_API

#define __IEEE_LIBM                     /* want-math-errno=false */
#define __HAVE_COMPLEX
#define __HAVE_BUILTIN_COMPLEX 1
#define __HAVE_BITFIELDS_IN_PACKED_STRUCTS
