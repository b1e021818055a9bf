// SPDX-License-Identifier: BSD-2-Clause
// Tasks that misbehave: each one ends, with the right cause, and nothing else is disturbed. Tasks that look for other
// tasks' values in the engine and the tile hands: they find none.
#include "check.h"
#include "lib/string.h"
#include "linx/arch.h"

void wild_jump(uint64_t address), bad_instruction(void), read_kernel_register(void), do_assert(void), do_break(void);
void use_esave(void), use_acre(void), read_empty_tile(void *p), read_released_tile(void *p), tile_too_small(void *p);
void local_out_of_range(void *p), vector_fault(uint64_t address), fill_hand_n(const uint32_t *p);
void peek_t(uint32_t *p), peek_u(uint32_t *p), peek_m(uint32_t *p), peek_n(uint32_t *p);
void leave_secret(uint64_t secret), gather_queues(uint32_t out[256]), tiles_with_gaps(const uint32_t *in, uint32_t *out);
int64_t raw_monitor_call(uint64_t a0, uint64_t number);

static uint32_t words[256];
#define STATUS(num, cause) ((int64_t)((num) << 24 | (cause)))

static volatile uint64_t bystander_count;
static volatile bool bystander_stop;
static void bystander(void *arg) {
    (void)arg;
    while (!bystander_stop)
        bystander_count++;
}

// ---- faults
static void jumps(void *arg) { wild_jump((uint64_t)(uintptr_t)arg); }
static void illegal(void *arg) { (void)arg, bad_instruction(); }
static void loads(void *arg) { *(volatile uint64_t *)arg; }
static void stores(void *arg) { *(volatile uint64_t *)arg = 1; }
static void kernel_register(void *arg) { (void)arg, read_kernel_register(); }
static void asserts(void *arg) { (void)arg, do_assert(); }
static void breaks(void *arg) { (void)arg, do_break(); }
static void esaves(void *arg) { (void)arg, use_esave(); }
static void acres(void *arg) { (void)arg, use_acre(); }
static void empty_tile(void *arg) { (void)arg, read_empty_tile(words); }
static void released_tile(void *arg) { (void)arg, read_released_tile(words); }
static void small_tile(void *arg) { (void)arg, tile_too_small(words); }
static void out_of_range(void *arg) { (void)arg, local_out_of_range(words); }
static void vector_store(void *arg) { vector_fault((uint64_t)(uintptr_t)arg); }
static int recurses(volatile int *p, int n) {
    volatile int frame[16];
    frame[0] = n + *p;
    return recurses(frame, n + 1) + frame[0];
}
static void overflows(void *arg) {
    int x = 0;
    (void)arg;
    recurses(&x, 0);
}

static const struct {
    const char *name;
    linx_entry *entry;
    uint64_t arg;
    int how;
    int64_t status;
} cases[] = {
    { "wild jump to nothing", jumps, 0x123456780, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_PAGE) },
    { "wild jump to an odd address", jumps, 0x80000001, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_MISALIGNED) },
    { "wild jump into data", jumps, 0, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_PAGE) },
    { "illegal instruction", illegal, 0, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_ILLEGAL) },
    { "load from nothing", loads, 0x10, LINX_ENDED_FAULT, STATUS(LINX_E_DATA, LINX_EC_LOAD_PAGE) },
    { "store to nothing", stores, 0x7000000000, LINX_ENDED_FAULT, STATUS(LINX_E_DATA, LINX_EC_STORE_PAGE) },
    { "system register of the kernel", kernel_register, 0, LINX_ENDED_FAULT, STATUS(LINX_E_ISSR, 0) },
    { "assert", asserts, 0, LINX_ENDED_FAULT, STATUS(LINX_E_ASSERT, 0) },
    { "breakpoint", breaks, 0, LINX_ENDED_FAULT, STATUS(LINX_E_BREAKPOINT, 3) },
    { "ESAVE by a task", esaves, 0, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_PERM) },
    { "ACRE by a task", acres, 0, LINX_ENDED_FAULT, STATUS(LINX_E_INST, LINX_EC_PERM) },
    { "tile never written", empty_tile, 0, LINX_ENDED_FAULT, STATUS(LINX_E_BLOCK, LINX_EC_INVAL_GET) },
    { "released tile", released_tile, 0, LINX_ENDED_FAULT, STATUS(LINX_E_BLOCK, LINX_EC_INVAL_GET) },
    { "more columns than the tile has", small_tile, 0, LINX_ENDED_FAULT, STATUS(LINX_E_BLOCK, LINX_EC_INVAL_PARM) },
    { "body reads behind its tile", out_of_range, 0, LINX_ENDED_FAULT, STATUS(LINX_E_DATA, LINX_EC_RANGE) },
    { "vector store to nothing", vector_store, 0x7000000000, LINX_ENDED_FAULT, STATUS(LINX_E_DATA, LINX_EC_STORE_PAGE) },
    { "stack overflow", overflows, 0, LINX_ENDED_STACK, 0 },
};

static void test_faults(void) {
    struct linx_system_info a, b;
    linx_sleep(1000);
    linx_system_info(&a);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct linx_task_attr attr = { .name = "bad", .priority = 16, .stack_bytes = 2048 };
        int64_t status = 0;
        test_begin(cases[i].name);
        uint64_t before = bystander_count;
        linx_handle h = linx_task_create(&attr, cases[i].entry, (void *)cases[i].arg);
        CHECK(h > 0);
        CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), cases[i].how);
        if (cases[i].how == LINX_ENDED_FAULT)
            CHECK_EQ(status, cases[i].status);
        linx_sleep(20000);
        CHECK(bystander_count > before);
        test_end();
    }
    test_begin("faults leak nothing");
    linx_sleep(1000);
    linx_system_info(&b);
    CHECK_EQ(b.kernel_free, a.kernel_free);
    CHECK_EQ(b.task_free, a.task_free);
    CHECK_EQ(b.objects, a.objects);
    CHECK_EQ(raw_monitor_call('!', LINX_MAC_PUTC), LINX_EPERM);
    CHECK_EQ(raw_monitor_call(0, LINX_MAC_SHUTDOWN), LINX_EPERM);
    test_end();
}

// ---- isolation
#define SECRET 0x5ec3e700u
static linx_handle turn[2];                     // semaphores
static void keeps_secret(void *arg) {
    (void)arg;
    leave_secret(SECRET);
    linx_sem_post(turn[0]);
    linx_sem_wait(turn[1], LINX_FOREVER);
}
static volatile uint32_t found;
static void snoops(void *arg) {                 // reads every queue of the engine
    (void)arg;
    memset(words, 0x11, sizeof words);
    gather_queues(words);
    for (int i = 0; i < 256; i++)
        found |= words[i];
}
static void peeks(void *arg) {
    void (*const peek[])(uint32_t *) = { peek_t, peek_u, peek_m, peek_n };
    memset(words, 0, sizeof words);
    peek[(uintptr_t)arg](words);                // faults: there is nothing
    found |= words[0];
}

static void test_isolation(void) {
    struct linx_task_attr attr = { .name = "snoop", .priority = 16 };
    turn[0] = linx_sem_create(0, 1);
    turn[1] = linx_sem_create(0, 1);
    for (int dead = 0; dead < 2; dead++) {      // the owner of the secret lives on, or has died
        for (uint32_t flags = 0; flags <= LINX_TASK_NO_INHERIT; flags += LINX_TASK_NO_INHERIT) {
            test_begin(dead ? "values of a dead task are gone" : "values of another task are not there");
            for (uintptr_t what = 0; what < 5; what++) {
                int64_t status = 0;
                found = 0;
                attr.flags = flags;
                linx_handle owner = linx_task_create(&attr, keeps_secret, NULL);
                attr.flags = 0;
                linx_sem_wait(turn[0], LINX_FOREVER);
                if (dead) {
                    linx_sem_post(turn[1]);
                    linx_task_join(owner, NULL, LINX_FOREVER);
                }
                linx_handle s = linx_task_create(&attr, what == 4 ? snoops : peeks, (void *)what);
                int how = linx_task_join(s, &status, LINX_FOREVER);
                if (what == 4)
                    CHECK_EQ(how, LINX_ENDED_EXIT);
                else
                    CHECK(how == LINX_ENDED_FAULT && status == STATUS(LINX_E_BLOCK, LINX_EC_INVAL_GET));
                CHECK_EQ(found, 0);
                if (!dead) {
                    linx_sem_post(turn[1]);
                    linx_task_join(owner, NULL, LINX_FOREVER);
                }
            }
            test_end();
        }
    }
}

// ---- hand N and released entries
static volatile bool gaps_good;
static void gaps(void *arg) {
    uint32_t *p = arg;
    for (int i = 0; i < 96; i++)
        p[i] = (uint32_t)(0x1000 + i);
    for (int round = 0; round < 20; round++) {
        memset(p + 96, 0, 64 * 4);
        tiles_with_gaps(p, p + 96);
        for (int i = 0; i < 16; i++)
            gaps_good &= p[96 + i] == p[i] && p[96 + 16 + i] == p[16 + i];
        for (int i = 0; i < 32; i++)
            gaps_good &= p[96 + 32 + i] == p[32 + i];
    }
}
static void fills_n(void *arg) {
    (void)arg;
    for (int i = 0; i < 40; i++) {
        fill_hand_n(words);
        linx_yield();
    }
}

static void test_hands(void) {
    test_begin("hands are rebuilt with gaps, beside a task that fills hand N");
    static uint32_t buffer[2][256];
    struct linx_task_attr attr = { .name = "tiles", .priority = 16 };
    gaps_good = true;
    linx_handle h[3];
    h[0] = linx_task_create(&attr, gaps, buffer[0]);
    attr.flags = LINX_TASK_NO_INHERIT;
    h[1] = linx_task_create(&attr, gaps, buffer[1]);
    h[2] = linx_task_create(&attr, fills_n, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(linx_task_join(h[i], NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    CHECK(gaps_good);
    test_end();
}

int main(void) {
    struct linx_task_attr attr = { .name = "bystander", .priority = 10 };
    linx_handle b = linx_task_create(&attr, bystander, NULL);
    test_faults();
    test_isolation();
    test_hands();
    test_begin("the bystander never noticed");
    bystander_stop = true;
    CHECK_EQ(linx_task_join(b, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    test_end();
    return test_failures;
}
