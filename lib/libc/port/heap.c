// SPDX-License-Identifier: BSD-2-Clause
// sbrk: the heap is one piece of the kernel's task pool, taken by the main task when the program starts. A program
// chooses its size by defining linx_heap_bytes; it gets less when half of the pool is smaller. In an address space of its
// own (LINX_TASK_SPACE) the first task that allocates takes half of what the space may have; the heap ends with that task.
#include <errno.h>
#include <unistd.h>

#include "port.h"

__attribute__((weak)) const size_t linx_heap_bytes = 4u << 20;

static char *heap, *brk_at, *heap_end;

void port_heap_init(void) {             // comes with sbrk
    struct linx_system_info info;
    if (linx_system_info(&info) < 0)
        return;
    size_t bytes = linx_heap_bytes;
    if (bytes > info.task_free / 2)
        bytes = info.task_free / 2;
    bytes &= ~(size_t)15;
    brk_at = heap = linx_mem_alloc(bytes);
    heap_end = heap != NULL ? heap + bytes : NULL;
}

// malloc calls it with its lock held.
void *sbrk(ptrdiff_t increment) {
    if (heap == NULL)
        port_heap_init();
    if (increment < 0 ? brk_at - heap < -increment : heap_end - brk_at < increment) {
        errno = ENOMEM;
        return (void *)-1;
    }
    char *old = brk_at;
    brk_at += increment;
    return old;
}
