// SPDX-License-Identifier: BSD-2-Clause
// A saved engine state whose version, geometry, owner or generation does not fit is refused: its task ends with an error and
// goes on nowhere. image_hook.c, in the kernel of this image alone, changes the description between save and resume.
#include "demos/preempt/bodies.h"
#include "check.h"
#include "image_hook.h"

int linx_test_hook(linx_handle task, enum image_field field);

#define ROUNDS 20000            // longer than the test waits
#define SHORT  400

static uint32_t input[ELEMENTS], output[2][4 * ELEMENTS];
static volatile uint64_t went_on, go;

static void in_body(void *arg) {
    vpar4(input, output[0], (uint64_t)(uintptr_t)arg);
    went_on++;
}

// Leaves its queues in the engine, gives way, and wants them back.
static void between_blocks(void *arg) {
    (void)arg;
    leave_queues(input, 10, 64);
    while (!go)
        linx_yield();
    take_queues(output[0], 64);
    went_on++;
}

static void rival(void *arg) {
    (void)arg;
    while (!go)
        vpar1(input, output[1], 10);
}

// How the task ended whose image was changed while the rival had the engine.
static int end_of(linx_entry *entry, void *arg, uint32_t flags, enum image_field field) {
    struct linx_task_attr attr = { .name = "victim", .priority = 10, .flags = flags };
    went_on = go = 0;
    linx_handle v = linx_task_create(&attr, entry, arg), r;
    attr.name = "rival";
    r = linx_task_create(&attr, rival, NULL);
    int result;
    while ((result = linx_test_hook(v, field)) == LINX_ESTATE)
        linx_sleep(3000);
    CHECK_EQ(result, LINX_OK);
    go = 1;
    int how = linx_task_join(v, NULL, LINX_FOREVER);
    CHECK_EQ(linx_task_join(r, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    return how;
}

int main(void) {
    static const char *const names[IMAGE_FIELDS] = {
        "a saved image that nobody touched is restored", "an image of another version is refused",
        "an image of an engine with other group slots is refused", "another task's image is refused",
        "an older image of the task is refused" };
    linx_task_priority(linx_task_self(), 20);
    linx_set_slice(3000);
    for (int f = IMAGE_NOTHING; f < IMAGE_FIELDS; f++) {
        bool good = f == IMAGE_NOTHING;
        test_begin(names[f]);
        CHECK_EQ(end_of(in_body, (void *)(uintptr_t)(good ? SHORT : ROUNDS), LINX_TASK_NO_INHERIT, (enum image_field)f),
                 good ? LINX_ENDED_EXIT : LINX_ENDED_FAULT);
        CHECK_EQ(went_on, good);
        CHECK_EQ(end_of(between_blocks, NULL, 0, (enum image_field)f), good ? LINX_ENDED_EXIT : LINX_ENDED_NOMEM);
        CHECK_EQ(went_on, good);
        test_end();
    }
    return test_failures != 0;
}
