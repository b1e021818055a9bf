// SPDX-License-Identifier: BSD-2-Clause
// Every role of B.IOS from C (include/linx/tile.h): destinations of TLOAD and TMOV, sources of TSTORE, TMOV, the four kinds
// of bodies and CUBE; and what the kernel makes of the SizeCodes that do not exist, and of roles that do not.
#include "lib/string.h"
#include "linx/arch.h"
#include "linx/tile.h"
#include "tests/kernel/programs/check.h"

#define MEMBERS 4

LINX_BODY(copies_local,
    "v.lwi.local [ta, lc0<<2], ->vt.w\n"
    "v.swi.local vt#1, [to, lc0<<2]\n");
LINX_BODY(copies_to_memory,
    "v.lwi.local [ta, lc0<<2], ->vt.w\n"
    "v.sw vt#1, [ri0, lc0<<2]\n");

static uint32_t parts[MEMBERS][32], whole[MEMBERS][7][128];
static int32_t a[256], b[256], b_zn[256], products[MEMBERS][256];
static volatile uint64_t wrong;

static void roles(void *arg) {
    (void)arg;
    unsigned me = linx_gang_index();
    uint32_t (*out)[128] = whole[me];
    LINX_TLOAD_SHARED(1111, S0<128B>, U32, parts[me], 32, 1);
    LINX_TLOAD(T<128B>, U32, parts[me], 32, 1);
    LINX_TMOV_SHARED(1111, T#1, S255<128B>, U32, 32, 1);
    LINX_TLOAD_SHARED(0000, S0<128B>, U32, parts[0], 32, 1);            // nobody does this
    linx_gang_barrier();
    LINX_TSTORE_SHARED(1111, S0, U32, out[0], 32, 4);
    LINX_TSTORE_SHARED(1111, S255, U32, out[1], 32, 4);
    LINX_LAUNCH(VPAR, copies_local, 64, 1, 1, "S0, mask=1111,", ", ->T<256B>", 0, 0, 0, 0);
    LINX_TSTORE(T#1, U32, out[2], 64, 1);
    LINX_LAUNCH(VSEQ, copies_local, 64, 1, 1, "S255, mask=1111,", ", ->U<256B>", 0, 0, 0, 0);
    LINX_TSTORE(U#1, U32, out[3], 64, 1);
    LINX_LAUNCH(MPAR, copies_to_memory, 64, 1, 1, "S0, mask=1111,", "", out[4], 0, 0, 0);
    LINX_LAUNCH(MSEQ, copies_to_memory, 64, 1, 1, "S255, mask=1111,", "", out[5], 0, 0, 0);
    LINX_TMOV_SHARED(1111, S255, M<128B>, U32, 32, 1);
    LINX_TSTORE(M#1, U32, out[6], 32, 1);
    for (int k = 0; k < 6; k++)
        for (uint32_t i = 0; i < (k < 2 ? 128 : 64); i++)
            wrong += out[k][i] != parts[i / 32][i % 32];
    for (uint32_t i = 0; i < 32; i++)
        wrong += out[6][i] != parts[me][i];
    linx_gang_barrier();
    LINX_TLOAD_SHARED(0100, S7<128B>, U32, parts[1], 32, 1);            // PE 1 alone
    linx_gang_barrier();
    memset(out[0], 0, sizeof out[0]);
    LINX_TSTORE_SHARED(0100, S7, U32, out[0], 32, 1);
    for (uint32_t i = 0; i < 32; i++)
        wrong += out[0][i] != (me == 1 ? parts[1][i] : 0);
}

// The members bring the right operand, a quarter each; every one of them multiplies.
static void matrix(void *arg) {
    (void)arg;
    unsigned me = linx_gang_index();
    if (me == 0) {
        LINX_TLOAD_LAYOUT(ZN, T<1KB>, S32, b, 16, 16);
        LINX_TSTORE(T#1, S32, b_zn, 256, 1);                            // in the order of the tile
    }
    linx_gang_barrier();
    LINX_TLOAD_SHARED(1111, S100<256B>, S32, b_zn + 64 * me, 64, 1);
    linx_gang_barrier();
    LINX_TLOAD_LAYOUT(NZ, T<1KB>, S32, a, 16, 16);
    LINX_TMATMUL(S32, 16, 16, 16, T#1, "B.IOS S100, mask=1111", 1KB);
    LINX_ACCCVT(U<1KB>, S32, 16, 16);
    LINX_TSTORE(U#1, S32, products[me], 16, 16);
}

static linx_handle spawn(uint32_t count, linx_entry *entry, void *arg) {
    struct linx_gang_attr attr = { .name = "roles", .priority = 10, .count = count, .regs = 256, .flags = LINX_TASK_NO_INHERIT };
    return linx_gang_create(&attr, entry, arg);
}

static void test_roles(void) {
    test_begin("every role of B.IOS from C");
    for (uint32_t p = 0; p < MEMBERS; p++)
        for (uint32_t i = 0; i < 32; i++)
            parts[p][i] = (i + 1) * 2654435761u ^ p << 28;
    CHECK_EQ(linx_gang_join(spawn(MEMBERS, roles, NULL), LINX_FOREVER), 0);
    CHECK_EQ(wrong, 0);
    test_end();
}

static void test_cube(void) {
    test_begin("a Shared register as operand of CUBE");
    CHECK_EQ(linx_gang_join(spawn(MEMBERS, matrix, NULL), LINX_FOREVER), 0);
    for (int p = 0; p < MEMBERS; p++)
        for (int i = 0; i < 256; i++) {
            int32_t x = 0;
            for (int k = 0; k < 16; k++)
                x += a[i / 16 * 16 + k] * b[k * 16 + i % 16];
            wrong += products[p][i] != x;
        }
    CHECK_EQ(wrong, 0);
    test_end();
}

// ---- what ends a task: roles.S; [0] mask 0000, [1] mask 1111 --------------------------------------------------------------
extern linx_entry *const no_such_size[3][2], *const no_such_role[];
extern const uint64_t no_such_roles;

static int64_t fault_of(linx_entry *entry) {
    int64_t status = 0;
    struct linx_task_attr attr = { .name = "faults", .priority = 20 };
    linx_handle h = linx_task_create(&attr, entry, NULL);
    int how = linx_task_join(h, &status, LINX_FOREVER);
    return how == LINX_ENDED_FAULT ? status : -1000 - how;
}

static void test_refusals(void) {
    test_begin("SizeCodes 13 to 15 and roles that B.IOS does not have end the task");
    for (int size = 0; size < 3; size++)
        for (int mask = 0; mask < 2; mask++) {
            CHECK_EQ(fault_of(no_such_size[size][mask]), (int64_t)LINX_E_INST << 24 | LINX_EC_ILLEGAL);
            CHECK_EQ(linx_gang_join(spawn(1, no_such_size[size][mask], NULL), LINX_FOREVER), 1);
        }
    for (uint64_t i = 0; i < no_such_roles; i++)        // the kernel's report says E_BLOCK(type)
        CHECK_EQ(linx_gang_join(spawn(1, no_such_role[i], NULL), LINX_FOREVER), 1);
    test_end();
}

// ---- the accumulator, which no save area holds ------------------------------------------------------------------------------
static linx_handle next, done;

static void multiplies(void *arg) {
    LINX_TLOAD_LAYOUT(NZ, T<1KB>, S32, a, 16, 16);
    LINX_TLOAD_LAYOUT(ZN, U<1KB>, S32, b, 16, 16);
    LINX_TMATMUL(S32, 16, 16, 16, T#1, "B.IOT U#1", 1KB);
    linx_sem_post(done);
    linx_sem_wait(next, LINX_FOREVER);
    LINX_ACCCVT(U<1KB>, S32, 16, 16);
    LINX_TSTORE(U#1, S32, arg, 16, 16);
}

static void reads_accumulator(void *arg) {
    LINX_ACCCVT(U<1KB>, S32, 16, 16);
    LINX_TSTORE(U#1, S32, arg, 16, 16);
}

static void test_accumulator(void) {
    test_begin("an accumulator survives waits, and is nobody else's");
    struct linx_task_attr attr = { .name = "matrix", .priority = 10, .flags = LINX_TASK_NO_INHERIT, .affinity = 1 };
    next = linx_sem_create(0, 1);
    done = linx_sem_create(0, 1);
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        int64_t status = 0;
        memset(products, 0, sizeof products);
        linx_handle m = linx_task_create(&attr, multiplies, products[0]), r = 0;
        linx_sem_wait(done, LINX_FOREVER);
        if (disturbed) {
            r = linx_task_create(&attr, reads_accumulator, products[1]);
            CHECK_EQ(linx_task_join(r, &status, LINX_FOREVER), LINX_ENDED_FAULT);
            CHECK_EQ(status, (int64_t)LINX_E_BLOCK << 24 | LINX_EC_INVAL_GET);
            status = 0;
        }
        linx_sem_post(next);
        CHECK_EQ(linx_task_join(m, &status, LINX_FOREVER), disturbed ? LINX_ENDED_FAULT : LINX_ENDED_EXIT);
        CHECK_EQ(status, disturbed ? (int64_t)LINX_E_BLOCK << 24 | LINX_EC_INVAL_GET : 0);
        for (int i = 0; i < 256; i++) {
            int32_t x = 0;
            for (int k = 0; k < 16; k++)
                x += a[i / 16 * 16 + k] * b[k * 16 + i % 16];
            wrong += products[0][i] != (disturbed ? 0 : x) || products[1][i] != 0;
        }
    }
    CHECK_EQ(wrong, 0);
    test_end();
}

int main(void) {
    static struct linx_system_info s;
    linx_system_info(&s);
    linx_task_priority(linx_task_self(), 15);
    linx_set_slice(3000);
    for (int i = 0; i < 256; i++) {
        a[i] = i * 7 % 31 - 15;
        b[i] = i * 11 % 37 - 18;
    }
    test_refusals();
    test_accumulator();
    if ((s.pe_mask & 15) == 15) {
        test_roles();
        test_cube();
    }
    return test_failures != 0;
}
