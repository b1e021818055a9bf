// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/copy.h"

#include "kernel/board_info.h"
#include "kernel/heap.h"

// linker.ld: what belongs to programs, apart from the kernel's own sections
extern char __program_text[], __program_text_end[], __program_data[], __program_data_end[];

static bool within(uint64_t at, uint64_t n, const char *lo, const char *hi) {
    uint64_t a = (uint64_t)(uintptr_t)lo, z = (uint64_t)(uintptr_t)hi;
    return at >= a && at <= z && n <= z - at;
}

bool task_may_write(const struct task *t, uint64_t at, uint64_t n) {
    (void)t;
    return within(at, n, __program_data, __program_data_end) || task_pool_has(at, n);
}

bool task_may_read(const struct task *t, uint64_t at, uint64_t n) {
    return task_may_write(t, at, n) || within(at, n, __program_text, __program_text_end) ||
           (at >= board.initrd && n <= board.initrd_bytes && at - board.initrd <= board.initrd_bytes - n);
}

bool task_may_run(const struct task *t, uint64_t at) {
    (void)t;
    return (at & 1) == 0 && within(at, 2, __program_text, __program_text_end);
}

bool copy_from_task(const struct task *t, void *to, const void *from, size_t n) {
    return task_may_read(t, (uint64_t)(uintptr_t)from, n) && copy_checked(to, from, n);
}

bool copy_to_task(const struct task *t, void *to, const void *from, size_t n) {
    return task_may_write(t, (uint64_t)(uintptr_t)to, n) && copy_checked(to, from, n);
}
