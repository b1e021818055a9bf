/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The platform layer of CoreMark, whose other files are built as they come (lib/libc/programs.mk). Its clock counts the
 * instructions of the calling task, and its second is a million of them: the result is that of a core of 1 MHz which
 * executes one instruction a cycle. So "Iterations/Sec" reads iterations per million instructions, and the ten seconds
 * that a valid run takes are ten million instructions.
 */
#ifndef CORE_PORTME_H
#define CORE_PORTME_H

#include <stddef.h>
#include <stdint.h>

#define HAS_FLOAT      1
#define HAS_TIME_H     1
#define USE_CLOCK      0
#define HAS_STDIO      1
#define HAS_PRINTF     1
#define SEED_METHOD    SEED_FUNC
#define MEM_METHOD     MEM_MALLOC
#define MULTITHREAD    1
#define MAIN_HAS_NOARGC   0
#define MAIN_HAS_NORETURN 0
#define COMPILER_VERSION  "linx-cc " __clang_version__
#define COMPILER_FLAGS    "-O2"
#define MEM_LOCATION      "heap"

typedef int16_t ee_s16;
typedef uint16_t ee_u16;
typedef int32_t ee_s32;
typedef uint32_t ee_u32;
typedef uint8_t ee_u8;
typedef double ee_f32;
typedef uintptr_t ee_ptr_int;
typedef size_t ee_size_t;
typedef uint64_t CORE_TICKS;            /* instructions */

#define align_mem(x) ((void *)(((ee_ptr_int)(x) + 3) & ~(ee_ptr_int)3))

typedef struct CORE_PORTABLE_S {
    ee_u8 portable_id;
} core_portable;

extern ee_u32 default_num_contexts;
void portable_init(core_portable *p, int *argc, char *argv[]);
void portable_fini(core_portable *p);

/* Seeds 1 to 5: the first three are those of the "2K performance run", 4 is the number of iterations (0: CoreMark finds
   one that takes ten seconds), 5 chooses the algorithms (0: all). */
ee_s32 portme_sys1(void);
ee_s32 portme_sys2(void);
ee_s32 portme_sys3(void);
ee_s32 portme_sys4(void);
ee_s32 portme_sys5(void);

#endif
