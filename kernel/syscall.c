// SPDX-License-Identifier: BSD-2-Clause
// System calls: which handler serves a number. Handlers of optional parts are referred to weakly: a part that the program
// does not use is not linked, and its calls are LINX_ENOSYS (docs/design.md, "Parts").
#include "kernel/syscall.h"

#include "kernel/arch.h"
#include "kernel/copy.h"
#include "kernel/pages.h"

bool syscall_name(const struct task *t, const char **from, char to[LINX_NAME_BYTES]) {
    if (*from == NULL)
        return true;
    size_t done = 0, all = LINX_NAME_BYTES - 1, page = PAGE - (uintptr_t)*from % PAGE;
    while (done < all) {                // it may end close to the end of memory: up to the end of the page first
        size_t n = done == 0 && page < all ? page : all - done;
        if (!copy_from_task(t, to + done, *from + done, n))
            return false;
        for (n += done; done < n && to[done] != 0; done++)
            ;
        if (done < n)
            break;
    }
    for (; done < LINX_NAME_BYTES; done++)
        to[done] = 0;                   // and what stood behind it
    *from = to;
    return true;
}

#define WEAK(number, name) OPTIONAL(sys_##name);
LINX_SYSCALLS_OPTIONAL(WEAK)

#define ENTRY(number, name) [number] = sys_##name,
static syscall_handler *const handlers[LINX_SYSCALL_COUNT] = { LINX_SYSCALLS(ENTRY) };

void syscall(struct task *t, struct context *c) {
    uint64_t number = c->a7;
    syscall_handler *handler = number < LINX_SYSCALL_COUNT ? handlers[number] : NULL;
    int64_t result = handler != NULL ? handler(t, c) : LINX_ENOSYS;
    if (result != BLOCKED)
        c->a0 = (uint64_t)result;
}
