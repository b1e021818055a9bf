// SPDX-License-Identifier: BSD-2-Clause
// The unlucky cases of the wide state: no memory for a save area, save areas that grow, attacks on the header of a
// stopped body. In each of them the guilty task ends and the others go on.
#include "check.h"
#include "lib/string.h"
#include "linx/arch.h"

void victim(uint64_t rounds), use_tiles(const uint32_t *in, uint32_t *out);
extern uint32_t victim_start[], victim_iot[], victim_spare[];

static uint32_t big[2][8192];
static volatile uint64_t done;

static void runs_victim(void *arg) {
    victim((uint64_t)(uintptr_t)arg);
    done++;
}
static void uses_tiles(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++)
        use_tiles(big[0], big[1]);
    done++;
}

static linx_handle spawn(linx_entry *entry, uint64_t arg, uint32_t flags) {
    struct linx_task_attr a = { .name = "wide", .priority = 10, .flags = flags };
    return linx_task_create(&a, entry, (void *)(uintptr_t)arg);
}

static void test_growth(void) {
    test_begin("save areas grow to what is live");
    struct linx_task_info info;
    for (int i = 0; i < 8192; i++)
        big[0][i] = (uint32_t)i * 7;
    linx_handle a = spawn(uses_tiles, 0, LINX_TASK_NO_INHERIT), b = spawn(uses_tiles, 0, 0);
    done = 0;
    linx_sleep(1000000);
    linx_task_info(a, &info);
    CHECK(info.esaves == 0 && info.bytes_moved >= 8 * 32768);       // between blocks, inheritance waived: tiles only
    linx_task_info(b, &info);
    CHECK(info.bytes_moved >= 8 * 32768);
    CHECK_EQ(linx_task_join(a, NULL, LINX_FOREVER) | linx_task_join(b, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK(done == 2 && memcmp(big[0], big[1], sizeof big[0]) == 0);
    test_end();
}

// Uses up the kernel pool but for less than `leave` bytes; returns the number of queues.
static int exhaust(linx_handle *q, int max, size_t leave) {
    int n = 0;
    for (size_t bytes = (size_t)64 << 20; bytes >= leave; bytes /= 2)
        while (n < max && (q[n] = linx_queue_create(bytes > 4096 ? 4096 : bytes, bytes > 4096 ? bytes / 4096 : 1)) > 0)
            n++;
    return n;
}

static void test_no_memory(void) {
    static linx_handle q[200];
    int64_t status;
    test_begin("no memory for a save area ends its owner only");
    linx_handle a = spawn(runs_victim, 100000, 0);
    linx_sleep(20000);                  // a is inside its body and owns the engine
    int n = exhaust(q, 200, 2048);
    linx_task_suspend(a);
    done = 0;
    victim(1000);                       // our own data block asks for the engine
    linx_task_resume(a);
    CHECK_EQ(linx_task_join(a, &status, LINX_FOREVER), LINX_ENDED_NOMEM);
    while (n > 0)
        linx_object_delete(q[--n]);
    linx_handle b = spawn(runs_victim, 2000, 0);
    CHECK_EQ(linx_task_join(b, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK_EQ(done, 1);
    test_end();
}

static void overwrites(void *word) { *(volatile uint32_t *)word = 0; }

static void test_headers(void) {        // the kernel reads a stopped body's header again: nobody can change it meanwhile
    uint32_t *const words[] = { victim_start, victim_iot, victim_spare };
    test_begin("the header of a stopped body cannot be changed");
    for (int i = 0; i < 3; i++) {
        int64_t status = 0;
        done = 0;
        linx_handle a = spawn(runs_victim, 2000, LINX_TASK_NO_INHERIT);
        linx_sleep(20000);
        linx_task_suspend(a);
        linx_handle bad = spawn(overwrites, (uint64_t)(uintptr_t)words[i], 0);
        CHECK_EQ(linx_task_join(bad, &status, LINX_FOREVER), LINX_ENDED_FAULT);
        CHECK_EQ(status, (int64_t)LINX_E_DATA << 24 | LINX_EC_STORE_PAGE);
        victim(10);                     // takes the engine: a's state is saved, by its header
        linx_task_resume(a);
        CHECK_EQ(linx_task_join(a, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
        CHECK_EQ(done, 1);
    }
    test_end();
}

int main(void) {
    test_growth();
    test_no_memory();
    test_headers();
    return test_failures;
}
