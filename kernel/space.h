// SPDX-License-Identifier: BSD-2-Clause
// Address spaces: which memory a task has (docs/protection.md). The root space is the program's first task and its
// threads; a task created with LINX_TASK_SPACE begins one of its own, which lives as long as a task in it.
#ifndef LINX_SPACE_H
#define LINX_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct space {
    uint32_t refs;              // tasks in it that have not ended
    uint32_t rights;            // LINX_RIGHT_* of its tasks
};
extern struct space root_space;

#endif
