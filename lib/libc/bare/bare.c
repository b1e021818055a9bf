// SPDX-License-Identifier: BSD-2-Clause
// The kernel calls that the C library's port makes, for a program that runs alone on the bare machine: one task, polled
// UART, memory behind the image. Tests of the toolchain and the library use it, so that they need no kernel.
#include <stdarg.h>
#include <string.h>

#include "linx/arch.h"
#include "linx/board.h"
#include "linx/rt.h"

#define UART(offset) (*(volatile unsigned char *)(BOARD_UART_BASE + (offset)))
#define LSR_RX   1
#define LSR_THRE 0x20
#define RAM_USED (32u << 20)            // memory taken behind the image; the board has at least this much

extern char __image_end[];
void bare_main(const unsigned char *tree);
linx_entry linx_program_start;

static char *memory_at = __image_end;
static uint64_t initrd_base, initrd_end;
static char bootargs[128];
static int handles = 1;

// ---- device tree: only /chosen (flattened device tree, version 17) ----------------------------------------------------
static uint32_t be32(const unsigned char *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

static uint64_t be_number(const unsigned char *p, uint32_t bytes) {
    return bytes == 8 ? (uint64_t)be32(p) << 32 | be32(p + 4) : be32(p);
}

static void read_tree(const unsigned char *tree) {
    if (tree == NULL || be32(tree) != 0xd00dfeed)
        return;
    const unsigned char *at = tree + be32(tree + 8), *end = at + be32(tree + 36);
    const char *names = (const char *)tree + be32(tree + 12);
    while (at < end) {
        uint32_t token = be32(at);
        at += 4;
        if (token == 1) {                                   // node: name
            at += (strlen((const char *)at) + 4) & ~(size_t)3;
        } else if (token == 3) {                            // property: bytes, name
            uint32_t bytes = be32(at);
            const char *name = names + be32(at + 4);
            at += 8;
            if (strcmp(name, "bootargs") == 0)
                memcpy(bootargs, at, bytes < sizeof bootargs ? bytes : sizeof bootargs - 1);
            else if (strcmp(name, "linux,initrd-start") == 0)
                initrd_base = be_number(at, bytes);
            else if (strcmp(name, "linux,initrd-end") == 0)
                initrd_end = be_number(at, bytes);
            at += (bytes + 3) & ~3u;
        } else if (token == 9) {
            return;
        }
    }
}

void bare_main(const unsigned char *tree) {
    read_tree(tree);
    linx_program_start(NULL);
}

// ---- machine ------------------------------------------------------------------------------------------------------------
_Noreturn void linx_shutdown(int code) {
    *(volatile uint32_t *)BOARD_FINISHER_BASE = code == 0 ? FINISHER_PASS : (uint32_t)code << 16 | FINISHER_FAIL;
    for (;;)
        ;
}
int linx_system_info(struct linx_system_info *info) {
    memset(info, 0, sizeof *info);
    info->ram_base = BOARD_RAM_BASE;
    info->initrd_base = initrd_base;
    info->initrd_bytes = initrd_end - initrd_base;
    info->task_free = RAM_USED - (uint64_t)(memory_at - __image_end);
    info->pes = info->tasks = 1;
    memcpy(info->bootargs, bootargs, sizeof bootargs);
    return LINX_OK;
}
void *linx_mem_alloc(size_t bytes) {
    char *p = (char *)(((uintptr_t)memory_at + 15) & ~(uintptr_t)15);
    if (bytes > RAM_USED - (size_t)(p - __image_end))
        return NULL;
    memory_at = p + bytes;
    return memset(p, 0, bytes);
}

static void put(char c) {
    while ((UART(5) & LSR_THRE) == 0)
        ;
    UART(0) = (unsigned char)c;
}
int64_t linx_console_write(const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        put(((const char *)bytes)[i]);
    return (int64_t)n;
}
int64_t linx_console_read(void *bytes, size_t n, uint64_t timeout) {
    uint64_t start = linx_time();
    (void)n;
    while ((UART(5) & LSR_RX) == 0)
        if (linx_time() - start >= timeout)
            return LINX_ETIMEOUT;
    *(unsigned char *)bytes = UART(0);
    return 1;
}
int linx_printf(const char *format, ...) {      // reports of the port: the text, without its arguments' values
    return (int)linx_console_write(format, strlen(format));
}

// ---- one task -------------------------------------------------------------------------------------------------------------
linx_handle linx_task_self(void) { return 1; }
_Noreturn void linx_task_exit(int64_t status) { linx_shutdown(status == 0 ? 0 : 1); }
int linx_task_info(linx_handle task, struct linx_task_info *info) {
    memset(info, 0, sizeof *info);
    info->handle = task;
    info->cpu_ns = linx_time();
    return LINX_OK;
}
int linx_sleep(uint64_t ns) {
    for (uint64_t until = linx_time() + ns; linx_time() < until;)
        ;
    return LINX_OK;
}
linx_handle linx_mutex_create(void) { return ++handles; }
int linx_mutex_lock(linx_handle mutex, uint64_t timeout) { return (void)mutex, (void)timeout, LINX_OK; }
int linx_mutex_unlock(linx_handle mutex) { return (void)mutex, LINX_OK; }
int linx_object_delete(linx_handle object) { return (void)object, LINX_OK; }
