// SPDX-License-Identifier: BSD-2-Clause
// A piece of kernel that only the image test_save_image has: changes what describes a task's saved engine state.
#include "kernel/object.h"
#include "kernel/syscall.h"
#include "tests/kernel/programs/image_hook.h"
#include "trap/wide.h"

// (task, field, value): LINX_OK; LINX_EHANDLE; LINX_ESTATE: its state is not in memory now; LINX_EINVAL.
int64_t sys_test_hook(struct task *t, const struct context *c) {
    const struct task *target = task_find(t, c->a0);
    if (target == NULL)
        return LINX_EHANDLE;
    if (target->wide == NULL || !target->wide->saved)
        return LINX_ESTATE;
    struct wide_image *im = &target->wide->image;
    switch (c->a1) {
    case IMAGE_NOTHING: break;
    case IMAGE_VERSION: im->version++; break;
    case IMAGE_GROUPS: im->group_slots = im->group_slots == 4 ? 2 : 4; break;
    case IMAGE_OWNER: im->owner++; break;
    case IMAGE_GENERATION: im->generation--; break;
    default: return LINX_EINVAL;
    }
    return LINX_OK;
}
