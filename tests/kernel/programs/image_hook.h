// SPDX-License-Identifier: BSD-2-Clause
#ifndef TEST_IMAGE_HOOK_H
#define TEST_IMAGE_HOOK_H

// What linx_test_hook(task, field) makes wrong in a saved image.
enum image_field { IMAGE_NOTHING, IMAGE_VERSION, IMAGE_GROUPS, IMAGE_OWNER, IMAGE_GENERATION, IMAGE_FIELDS };

#endif
