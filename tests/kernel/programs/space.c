// SPDX-License-Identifier: BSD-2-Clause
// Memory protection and demand paging (docs/protection.md): every region of memory, touched in every way from every kind of
// block; spaces of their own; shared memory; quotas; pages given in the middle of bodies.
#include "check.h"
#include "lib/string.h"
#include "linx/arch.h"
#include "linx/board.h"

#define PAGE       4096
#define DIRECT_MAP 0xffffffc000000000
#define STATUS(num, cause) ((int64_t)((num) << 24 | (cause)))
#define LOAD_PAGE  STATUS(LINX_E_DATA, LINX_EC_LOAD_PAGE)
#define STORE_PAGE STATUS(LINX_E_DATA, LINX_EC_STORE_PAGE)
#define FETCH_PAGE STATUS(LINX_E_INST, LINX_EC_PAGE)

typedef void access_function(uint64_t address, uint64_t with);
access_function scalar_load, scalar_store, template_load, template_store, tma_load, tma_store, body_load, body_store;
uint64_t load_with_fixup(uint64_t address);
void wild_jump(uint64_t address), walk_pages(uint32_t *p), gather_pages(const uint32_t *p, uint32_t *out), walk_words(uint32_t *p);

static linx_handle spawn(linx_entry *entry, void *arg, uint32_t flags, uint64_t memory) {
    struct linx_task_attr a = { .name = "space", .priority = 16, .flags = flags, .memory = memory };
    return linx_task_create(&a, entry, arg);
}
static int join(linx_handle h, int64_t *status) { return linx_task_join(h, status, LINX_FOREVER); }
// Runs entry(arg) to its end. Its exit status, or how | status << 8 when it ended otherwise.
static int64_t outcome(linx_entry *entry, void *arg, uint32_t flags) {
    int64_t status = 0;
    linx_handle h = spawn(entry, arg, flags, 0);
    if (h < 0)
        return h;
    int how = join(h, &status);
    return how == LINX_ENDED_EXIT ? status : how == LINX_ENDED_FAULT ? (int64_t)(LINX_ENDED_FAULT | status << 8) : how;
}
#define FAULTS(status) ((int64_t)(LINX_ENDED_FAULT | (status) << 8))

// ---- every region, in every way ---------------------------------------------------------------------------------------------
enum { R = 1, W = 2, X = 4 };
static uint64_t data_word = 7, bss_words[8];
static const uint64_t constant = 11;
static _Thread_local uint64_t tls_word = 5;

static const struct kind {
    const char *name;
    access_function *load, *store;
} kinds[] = { { "scalar", scalar_load, scalar_store }, { "template", template_load, template_store }, { "TMA", tma_load, tma_store },
              { "MPAR body", body_load, body_store } };

static const struct kind *kind;
static uint64_t target, room[8];
static void loads(void *arg) { (void)arg, kind->load(target, (uint64_t)(uintptr_t)room), linx_task_exit(1); }
static void stores(void *arg) { (void)arg, kind->store(target, (uint64_t)(uintptr_t)room), linx_task_exit(1); }
static void fetches(void *arg) { (void)arg, wild_jump(target); }

static void check_region(const char *name, uint64_t address, unsigned may, linx_handle queue) {
    test_begin(name);
    target = address;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint64_t before[4];
        kind = &kinds[i];
        if (may & W)
            memcpy(before, (void *)address, sizeof before);
        int64_t load = outcome(loads, NULL, 0), store = outcome(stores, NULL, 0);
        if (may & W)
            memcpy((void *)address, before, sizeof before);
        CHECK_EQ(load, may & R ? 1 : FAULTS(LOAD_PAGE));
        CHECK_EQ(store, may & W ? 1 : FAULTS(STORE_PAGE));
        if (test_bad)
            linx_printf("# by %s\n", kind->name);
    }
    if (!(may & X))
        CHECK_EQ(outcome(fetches, NULL, 0), FAULTS(FETCH_PAGE));
    // The kernel's copies obey the same rules.
    uint64_t word = 0;
    CHECK_EQ(linx_queue_send(queue, (void *)address, 0), may & R ? LINX_OK : LINX_EFAULT);
    if (!(may & R))
        CHECK_EQ(linx_queue_send(queue, &word, 0), LINX_OK);
    CHECK_EQ(linx_queue_receive(queue, (void *)address, 0), may & W ? LINX_OK : LINX_EFAULT);
    if (!(may & W))
        CHECK_EQ(linx_queue_receive(queue, &word, 0), LINX_OK);
    test_end();
}

static void test_regions(void) {
    struct linx_system_info info;
    struct linx_task_info self;
    uint64_t stack_word = 0, *heap = linx_mem_alloc(15 * PAGE + 100);
    linx_handle queue = linx_queue_create(8, 1);
    linx_system_info(&info);
    linx_task_info(linx_task_self(), &self);
    extern char __kernel_text[], __kernel_rodata[], __kernel_data[], __kernel_bss[], __image_end[];    // no more than addresses
    check_region("region: kernel text", (uint64_t)(uintptr_t)__kernel_text, 0, queue);
    check_region("region: kernel constants", (uint64_t)(uintptr_t)__kernel_rodata, 0, queue);
    check_region("region: kernel data", (uint64_t)(uintptr_t)__kernel_data, 0, queue);
    check_region("region: kernel variables", (uint64_t)(uintptr_t)__kernel_bss, 0, queue);
    check_region("region: kernel pool", (uint64_t)(uintptr_t)__image_end + 0x10000, 0, queue);
    check_region("region: pages of RAM at their own address", info.ram_base + info.ram_bytes - (1 << 20), 0, queue);
    check_region("region: the kernel's direct map", DIRECT_MAP + info.ram_base + info.ram_bytes - (1 << 20), 0, queue);
    check_region("region: the direct map of the program's data", DIRECT_MAP + (uint64_t)(uintptr_t)&data_word, 0, queue);
    check_region("region: UART", BOARD_UART_BASE, 0, queue);
    check_region("region: interrupt controller", BOARD_INTC_BASE, 0, queue);
    check_region("region: test finisher", BOARD_FINISHER_BASE, 0, queue);
    check_region("region: virtio", BOARD_VIRTIO_BASE, 0, queue);
    check_region("region: address 0", 0, 0, queue);
    check_region("region: nothing", 0x3fffff0000, 0, queue);
    check_region("region: the window where nothing is allocated", 0x1f00000000, 0, queue);
    check_region("region: program text", (uint64_t)(uintptr_t)check_region & ~(uint64_t)7, R | X, queue);
    check_region("region: program constants", (uint64_t)(uintptr_t)&constant, R, queue);
    check_region("region: program data", (uint64_t)(uintptr_t)&data_word & ~(uint64_t)63, R | W, queue);
    check_region("region: program variables", (uint64_t)(uintptr_t)bss_words, R | W, queue);
    check_region("region: allocation", (uint64_t)(uintptr_t)heap, R | W, queue);
    check_region("region: the rest of its last page", (uint64_t)(uintptr_t)heap + 16 * PAGE - 64, R | W, queue);
    check_region("region: behind it", (uint64_t)(uintptr_t)heap + 128 * PAGE, 0, queue);
    check_region("region: stack", (uint64_t)(uintptr_t)&stack_word - 2048, R | W, queue);
    check_region("region: below another task's stack", self.stack_lo - 64, 0, queue);
    check_region("region: behind another task's stack", self.stack_hi, 0, queue);
    CHECK_EQ(linx_mem_free(heap), LINX_OK);
    check_region("region: memory given back", (uint64_t)(uintptr_t)heap + 12 * PAGE, 0, queue);
    linx_object_delete(queue);
}

// ---- stacks
static void touches_guard(void *arg) {
    struct linx_task_info self;
    linx_task_info(linx_task_self(), &self);
    int64_t offset = (int64_t)(intptr_t)arg >> 2;
    kinds[(uintptr_t)arg & 3].store(offset < 0 ? self.stack_lo + (uint64_t)offset : self.stack_hi + (uint64_t)offset,
                                    (uint64_t)(uintptr_t)room);
}
static int recurses(volatile int *p, int n) {
    volatile int frame[16];
    frame[0] = n + *p;
    return n < 1000000 ? recurses(frame, n + 1) + frame[0] : 0;
}
static void overflows(void *arg) {
    int x = 0;
    (void)arg;
    linx_task_exit(recurses(&x, 0));
}
static void test_guards(void) {
    static const int64_t offsets[] = { -64, -2048, -PAGE, 0, PAGE - 64 };
    test_begin("pages below and behind a stack are its overflow, in every kind of block");
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
            void *arg = (void *)(offsets[i] * 4 + (int64_t)k);
            CHECK_EQ(outcome(touches_guard, arg, 0), LINX_ENDED_STACK);
            CHECK_EQ(outcome(touches_guard, arg, LINX_TASK_SPACE), LINX_ENDED_STACK);
        }
    CHECK_EQ(outcome(overflows, NULL, 0), LINX_ENDED_STACK);
    CHECK_EQ(outcome(overflows, NULL, LINX_TASK_SPACE), LINX_ENDED_STACK);
    test_end();
}

static void fixups(void *arg) { linx_task_exit((int64_t)load_with_fixup((uint64_t)(uintptr_t)arg)); }
static void test_fixup(void) {
    test_begin("a block's fixup: not for a page that is to be given");
    char *p = linx_mem_alloc(PAGE);
    CHECK_EQ(outcome(fixups, p, 0), 0);
    CHECK_EQ(outcome(fixups, (void *)8, 0), 1);
    CHECK_EQ(outcome(fixups, (void *)0x80000000, 0), 1);
    CHECK_EQ(linx_mem_free(p), LINX_OK);
    test_end();
}

// ---- spaces -------------------------------------------------------------------------------------------------------------------
#define PRIVATE_BSS 3000
static volatile uint64_t counter = 100, zeros[PRIVATE_BSS];
static void counts(void *arg) {         // in a space of its own: its variables are as the program began, and its alone
    uint64_t n = (uint64_t)(uintptr_t)arg;
    bool good = counter == 100 && tls_word == 5 && constant == 11;
    for (unsigned i = 0; i < PRIVATE_BSS; i += 100)
        good = good && zeros[i] == 0;
    for (uint64_t i = 0; i < n; i++) {
        counter++;
        tls_word++;
        zeros[i % PRIVATE_BSS] += n;
        if (i % 8 == 0)
            linx_yield();
        good = good && counter == 101 + i && tls_word == 6 + i && zeros[i % PRIVATE_BSS] % n == 0 && zeros[i % PRIVATE_BSS] != 0;
    }
    linx_task_exit(good ? (int64_t)counter : -1);
}
static void test_private(bool migrate) {
    struct linx_system_info info;
    linx_system_info(&info);
    test_begin(migrate ? "spaces see their own values while they move between PEs" : "spaces see their own values");
    linx_handle h[12];
    counter = 5000;
    zeros[0] = 1;
    for (uint64_t i = 0; i < 12; i++)
        h[i] = spawn(counts, (void *)(uintptr_t)(300 + i), i % 4 == 3 ? LINX_TASK_SPACE | LINX_TASK_NO_INHERIT : LINX_TASK_SPACE, 0);
    for (int round = 0; migrate && round < 60; round++) {
        for (unsigned i = 0; i < 12; i++)
            (void)linx_task_affinity(h[i], (uint64_t)1 << (round + (int)i) % (int)info.pes);
        linx_sleep(2000);
    }
    for (uint64_t i = 0; i < 12; i++) {
        int64_t status = 0;
        CHECK_EQ(join(h[i], &status), LINX_ENDED_EXIT);
        CHECK_EQ(status, 400 + (int64_t)i);
    }
    CHECK(counter == 5000 && zeros[0] == 1 && zeros[100] == 0);
    counter = 100, zeros[0] = 0;
    test_end();
}

static void thread_of_space(void *arg) { counter += (uint64_t)(uintptr_t)arg; }
static void has_threads(void *arg) {    // threads of a space share it, and its memory outlives its first task
    (void)arg;
    linx_handle a = spawn(thread_of_space, (void *)1, 0, 0), b = spawn(thread_of_space, (void *)10, 0, 0);
    join(a, NULL);
    join(b, NULL);
    linx_task_exit((int64_t)counter);
}
static uint64_t *written;
static void writes_where(void *arg) { **(uint64_t **)arg = 1, linx_task_exit(1); }
static void reads_neighbour(void *arg) { linx_task_exit((int64_t)*(volatile uint64_t *)arg); }
static void test_threads(void) {
    test_begin("threads share their space, others cannot reach its allocations and stacks");
    struct linx_task_info self;
    linx_task_info(linx_task_self(), &self);
    CHECK_EQ(outcome(has_threads, NULL, LINX_TASK_SPACE), 111);
    CHECK_EQ(counter, 100);
    uint64_t *p = linx_mem_alloc(PAGE), on_stack = 3;
    *p = 9;
    written = p;
    CHECK_EQ(outcome(reads_neighbour, p, 0), 9);
    CHECK_EQ(outcome(reads_neighbour, p, LINX_TASK_SPACE), FAULTS(LOAD_PAGE));
    CHECK_EQ(outcome(reads_neighbour, &on_stack, LINX_TASK_SPACE), FAULTS(LOAD_PAGE));
    CHECK_EQ(outcome(writes_where, &written, 0), 1);
    CHECK_EQ(outcome(writes_where, &written, LINX_TASK_SPACE), FAULTS(STORE_PAGE));     // its `written` is NULL
    CHECK_EQ(linx_mem_free(p), LINX_OK);
    struct linx_system_info info;
    linx_system_info(&info);
    if (info.initrd_bytes != 0) {
        CHECK(outcome(reads_neighbour, (void *)info.initrd_base, 0) >= 0);
        CHECK_EQ(outcome(reads_neighbour, (void *)info.initrd_base, LINX_TASK_SPACE), FAULTS(LOAD_PAGE));
    }
    test_end();
}

static void member(void *arg) {
    (void)arg;
    __atomic_fetch_add(&zeros[1], 1 + linx_gang_index(), __ATOMIC_RELAXED);
    linx_gang_barrier();
}
static void has_gang(void *arg) {
    struct linx_gang_attr a = { .name = "gang", .priority = 10, .count = (uint32_t)(uintptr_t)arg };
    linx_handle g = linx_gang_create(&a, member, NULL);
    linx_task_exit(g > 0 && linx_gang_join(g, LINX_FOREVER) == 0 ? (int64_t)zeros[1] : -1);
}
static void test_gang(uint32_t pes) {
    uint32_t count = pes < 4 ? pes : 4;
    int64_t status = 0;
    test_begin("members of a gang are in their creator's space");
    struct linx_task_attr a = { .name = "creator", .priority = 16, .flags = LINX_TASK_SPACE, .rights = LINX_RIGHT_MACHINE };
    linx_handle h = linx_task_create(&a, has_gang, (void *)(uintptr_t)count);
    CHECK_EQ(join(h, &status), LINX_ENDED_EXIT);
    CHECK_EQ(status, count * (count + 1) / 2);
    CHECK_EQ(zeros[1], 0);
    test_end();
}

// ---- shared memory
static void reads(void *arg) { linx_task_exit((int64_t)((volatile uint64_t *)arg)[PAGE / 8]); }
static void writes(void *arg) { ((volatile uint64_t *)arg)[PAGE / 8] += 1, linx_task_exit(1); }
static void reads_on(void *arg) {
    for (;;)
        (void)*(volatile uint64_t *)arg;
}
static int64_t shared_run(linx_entry *entry, uint64_t *p, uint32_t rights, int64_t *shared) {
    int64_t status = 0;
    linx_handle h = spawn(entry, p, LINX_TASK_SPACE | LINX_TASK_SUSPENDED, 0);
    *shared = linx_mem_share(h, p, 2 * PAGE, rights);
    linx_task_resume(h);
    int how = join(h, &status);
    return how == LINX_ENDED_EXIT ? status : FAULTS(status);
}
static void owns(void *arg) {           // shares with the task named in the message, then ends when told
    linx_handle *said = arg, h[2];
    (void)said;
    linx_queue_receive((linx_handle)(intptr_t)arg, h, LINX_FOREVER);
    uint64_t *p = linx_mem_alloc(2 * PAGE);
    p[0] = 77;
    int64_t result[2] = { linx_mem_share(h[0], p, 2 * PAGE, LINX_MEM_READ), (int64_t)(uintptr_t)p };
    linx_queue_send(h[1], result, LINX_FOREVER);
    linx_sleep(50000);
    linx_task_exit(0);
}
static void follows(void *arg) {        // reads at the address that comes, until it cannot any more
    int64_t message[2];
    linx_queue_receive((linx_handle)(intptr_t)arg, message, LINX_FOREVER);
    for (;;)
        if (*(volatile uint64_t *)(uintptr_t)message[1] != 77)
            linx_task_exit(-1);
}
static void test_share(void) {
    int64_t shared, status = 0;
    uint64_t *p = linx_mem_alloc(4 * PAGE);
    test_begin("shared memory: to read, to write");
    p[PAGE / 8] = 41;
    CHECK_EQ(shared_run(reads, p, LINX_MEM_READ, &shared), 41);
    CHECK_EQ(shared, LINX_OK);
    CHECK_EQ(shared_run(writes, p, LINX_MEM_READ, &shared), FAULTS(STORE_PAGE));
    CHECK_EQ(shared_run(writes, p, LINX_MEM_WRITE, &shared), 1);
    CHECK_EQ(shared_run(reads, p, LINX_MEM_READ | LINX_MEM_WRITE, &shared), 42);
    CHECK_EQ(p[PAGE / 8], 42);
    test_end();

    test_begin("shared memory: refused requests");
    linx_handle h = spawn(reads, p, LINX_TASK_SPACE | LINX_TASK_SUSPENDED, 0), mine = spawn(reads, p, LINX_TASK_SUSPENDED, 0);
    CHECK_EQ(linx_mem_share(h, (char *)p + 8, PAGE, LINX_MEM_READ), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(h, p, 100, LINX_MEM_READ), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(h, p, 0, LINX_MEM_READ), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(h, p, PAGE, 0), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(h, p, PAGE, 4), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(mine, p, PAGE, LINX_MEM_READ), LINX_EINVAL);
    CHECK_EQ(linx_mem_share(h, p, 5 * PAGE, LINX_MEM_READ), LINX_EFAULT);
    CHECK_EQ(linx_mem_share(h, p, (size_t)0 - PAGE, LINX_MEM_READ), LINX_EFAULT);
    CHECK_EQ(linx_mem_share(h, (void *)0x80000000, PAGE, LINX_MEM_READ), LINX_EFAULT);
    CHECK_EQ(linx_mem_share(h, (void *)((uintptr_t)bss_words & ~(uintptr_t)(PAGE - 1)), PAGE, LINX_MEM_READ), LINX_EFAULT);
    CHECK_EQ(linx_mem_share(0x7fff0003, p, PAGE, LINX_MEM_READ), LINX_EHANDLE);
    CHECK_EQ(linx_mem_share(h, p, 2 * PAGE, LINX_MEM_READ), LINX_OK);
    CHECK_EQ(linx_mem_share(h, p + PAGE / 8, 2 * PAGE, LINX_MEM_READ), LINX_ESTATE);
    linx_task_kill(h);
    linx_task_kill(mine);
    CHECK_EQ(linx_mem_share(h, p, PAGE, LINX_MEM_READ), LINX_ESTATE);
    join(h, NULL);
    join(mine, NULL);
    test_end();

    test_begin("shared memory ends when it is freed");
    h = spawn(reads_on, p, LINX_TASK_SPACE | LINX_TASK_SUSPENDED, 0);
    CHECK_EQ(linx_mem_share(h, p, 4 * PAGE, LINX_MEM_WRITE), LINX_OK);
    linx_task_resume(h);
    linx_sleep(20000);
    CHECK_EQ(linx_task_join(h, NULL, 0), LINX_ETIMEOUT);        // it reads
    CHECK_EQ(linx_mem_free(p), LINX_OK);
    CHECK_EQ(join(h, &status), LINX_ENDED_FAULT);
    CHECK_EQ(status, LOAD_PAGE);
    test_end();

    test_begin("shared memory ends with its owner");
    linx_handle to_owner = linx_queue_create(8, 1), to_user = linx_queue_create(16, 1);
    linx_handle owner = spawn(owns, (void *)(intptr_t)to_owner, LINX_TASK_SPACE, 0);
    linx_handle user = spawn(follows, (void *)(intptr_t)to_user, LINX_TASK_SPACE, 0);
    linx_queue_send(to_owner, (linx_handle[2]){ user, to_user }, LINX_FOREVER);
    CHECK_EQ(join(owner, &status), LINX_ENDED_EXIT);
    CHECK_EQ(join(user, &status), LINX_ENDED_FAULT);
    CHECK_EQ(status, LOAD_PAGE);
    linx_object_delete(to_owner);
    linx_object_delete(to_user);
    test_end();
}

// ---- limits
static void allocates(void *arg) {
    int64_t pages = 0;
    (void)arg;
    if (linx_mem_alloc(17 * PAGE) != NULL)
        linx_task_exit(-1);
    while (linx_mem_alloc(1) != NULL)
        pages++;
    struct linx_task_attr a = { .name = "thread" };
    linx_task_exit(linx_task_create(&a, allocates, NULL) == LINX_ENOMEM ? pages : -2);
}
static void test_quota(void) {
    int64_t status = 0;
    struct linx_task_info self;
    test_begin("a space gets as much memory as it was allowed, stacks included");
    linx_handle h = spawn(allocates, NULL, LINX_TASK_SPACE | LINX_TASK_SUSPENDED, 16 * PAGE);
    linx_task_info(h, &self);
    linx_task_resume(h);
    CHECK_EQ(join(h, &status), LINX_ENDED_EXIT);
    CHECK_EQ(status, 16 - (int64_t)(self.stack_hi - self.stack_lo) / PAGE);
    h = spawn(allocates, NULL, LINX_TASK_SPACE, 0);             // default: 1 MB
    CHECK(join(h, &status) == LINX_ENDED_EXIT && status == -1); // more than 16 pages are allowed
    CHECK_EQ(spawn(allocates, NULL, LINX_TASK_SPACE, PAGE - 1), LINX_ENOMEM);   // no room for its stack
    test_end();
}

static void test_no_memory(void) {
    struct linx_system_info a, b;
    void *taken[64], *small[512];
    unsigned n = 0, k = 0;
    test_begin("no memory: allocations, tasks and spaces are refused, nothing is lost");
    linx_system_info(&a);
    for (size_t bytes = (size_t)1 << 30; bytes >= PAGE; bytes /= 2)
        while (n < 64 && (taken[n] = linx_mem_alloc(bytes)) != NULL)
            n++;
    while (k < 512 && (small[k] = linx_mem_alloc(PAGE)) != NULL)
        k++;
    linx_system_info(&b);
    CHECK(b.task_free < 16 * PAGE);
    struct linx_task_attr big = { .name = "big", .stack_bytes = 1 << 20 };
    CHECK_EQ(linx_task_create(&big, loads, NULL), LINX_ENOMEM);
    CHECK_EQ(spawn(loads, NULL, LINX_TASK_SPACE, 0), LINX_ENOMEM);
    ((volatile uint64_t *)taken[0])[0] = 1;                     // what was promised is there
    while (k > 0)
        CHECK_EQ(linx_mem_free(small[--k]), LINX_OK);
    while (n > 0)
        CHECK_EQ(linx_mem_free(taken[--n]), LINX_OK);
    linx_system_info(&b);
    CHECK_EQ(b.task_free, a.task_free);
    CHECK_EQ(b.kernel_free, a.kernel_free);
    test_end();
}

// ---- demand paging
static void pages_in(void *arg) {
    struct linx_task_info before, after;
    uint32_t *p = linx_mem_alloc(256 * PAGE), *out = linx_mem_alloc(PAGE), wrong = 0;
    (void)arg;
    for (int i = 0; i < 256; i++)
        out[i] = 0;                     // there before it counts
    linx_task_info(linx_task_self(), &before);
    walk_pages(p);                      // 256 stores to 256 fresh pages, four groups in flight
    linx_task_info(linx_task_self(), &after);
    if (after.page_ins - before.page_ins != 256)
        linx_task_exit(-(int64_t)(after.page_ins - before.page_ins));
    gather_pages(p, out);
    for (uint32_t i = 0; i < 256; i++) {
        wrong += out[i] != i + 1;
        for (unsigned w = 1; w < PAGE / 4; w += 97)
            wrong += p[i * (PAGE / 4) + w] != 0;
    }
    linx_task_info(linx_task_self(), &before);
    if (before.page_ins != after.page_ins || linx_mem_free(p) != LINX_OK)
        linx_task_exit(-1000);
    p = linx_mem_alloc(16384 * 4);
    walk_words(p);
    linx_task_info(linx_task_self(), &after);
    for (uint32_t i = 0; i < 16384; i++)
        wrong += p[i] != i;
    linx_task_exit(after.page_ins - before.page_ins != 16 ? -2000 - (int64_t)(after.page_ins - before.page_ins) : (int64_t)wrong);
}
static void test_paging(void) {
    test_begin("bodies walk fresh memory: each page is given once, where a lane needed it");
    CHECK_EQ(outcome(pages_in, NULL, 0), 0);
    struct linx_task_attr a = { .name = "pager", .priority = 16, .flags = LINX_TASK_SPACE, .memory = 2 << 20 };
    int64_t status[4];
    linx_handle h[4];
    for (int i = 0; i < 4; i++)
        h[i] = linx_task_create(&a, pages_in, NULL);            // interleaved, in spaces of their own
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(join(h[i], &status[i]), LINX_ENDED_EXIT);
        CHECK_EQ(status[i], 0);
    }
    test_end();
}
static void touches_each_way(void *arg) {
    char *p = linx_mem_alloc(8 * PAGE);
    struct linx_task_info before, after;
    (void)arg;
    linx_task_info(linx_task_self(), &before);
    for (unsigned i = 0; i < 4; i++) {
        kinds[i].load((uint64_t)(uintptr_t)p + 2 * i * PAGE, (uint64_t)(uintptr_t)room);
        kinds[i].store((uint64_t)(uintptr_t)p + (2 * i + 1) * PAGE, (uint64_t)(uintptr_t)room);
    }
    linx_task_info(linx_task_self(), &after);
    linx_task_exit((int64_t)(after.page_ins - before.page_ins));
}
static void test_first_touch(void) {
    test_begin("every kind of block goes on where a page was missing");
    CHECK_EQ(outcome(touches_each_way, NULL, 0), 8);
    uint64_t *p = linx_mem_alloc(3 * PAGE);
    linx_handle q = linx_queue_create(4096, 1);
    CHECK_EQ(linx_queue_send(q, (char *)p + 100, 0), LINX_OK);          // the kernel's copies, too: across two pages
    CHECK_EQ(linx_queue_receive(q, (char *)p + PAGE + 100, 0), LINX_OK);
    CHECK(p[0] == 0 && p[2 * PAGE / 8] == 0);
    CHECK_EQ(linx_queue_send(q, (char *)p + 2 * PAGE + 8, 0), LINX_EFAULT);     // leaves the allocation
    linx_object_delete(q);
    linx_mem_free(p);
    test_end();
}

// ---- nothing is lost
static void returns(void *arg) { (void)arg; }
static void test_costs(void) {
    enum { N = 64 };
    volatile char *p = linx_mem_alloc(N * PAGE);
    uint64_t t0 = linx_time();
    for (unsigned i = 0; i < N; i++)
        p[i * PAGE] = 1;
    uint64_t t1 = linx_time();
    for (unsigned i = 0; i < N; i++)
        p[i * PAGE] = 2;
    uint64_t t2 = linx_time();
    linx_mem_free((void *)p);
    uint64_t t3 = linx_time();
    for (unsigned i = 0; i < N; i++)
        join(spawn(returns, NULL, 0, 0), NULL);
    uint64_t t4 = linx_time();
    for (unsigned i = 0; i < N; i++)
        join(spawn(returns, NULL, LINX_TASK_SPACE, 0), NULL);
    uint64_t t5 = linx_time();
    void *q = linx_mem_alloc(1000 * PAGE);
    uint64_t t6 = linx_time();
    linx_printf("# a page given on a fault: %lu instructions; freeing %u of them: %lu; a task created, run and joined: %lu; the same in a "
                "space of its own: %lu; 1000 pages allocated: %lu\n", ((t1 - t0) - (t2 - t1)) / N, N, t3 - t2, (t4 - t3) / N,
                (t5 - t4) / N, t6 - t5);
    linx_mem_free(q);
}

static void allocates_and_ends(void *arg) {
    uint64_t *p = linx_mem_alloc((uint64_t)(uintptr_t)arg * PAGE + 1);
    if (p != NULL)
        p[0] = 1;
}
static void test_cycles(unsigned cycles) {
    struct linx_system_info a, b;
    test_begin("tasks and spaces come and go, memory is as before");
    linx_system_info(&a);
    for (unsigned i = 0; i < cycles; i++) {
        linx_handle h = spawn(i % 4 == 0 ? returns : allocates_and_ends, (void *)(uintptr_t)(i % 30), i % 2 ? LINX_TASK_SPACE : 0, 0);
        if (h < 0 || join(h, NULL) != LINX_ENDED_EXIT) {
            CHECK(!"a task could not be created, or did not end well");
            break;
        }
    }
    linx_system_info(&b);
    CHECK_EQ(b.kernel_free, a.kernel_free);
    CHECK_EQ(b.task_free, a.task_free);
    CHECK_EQ(b.objects, a.objects);
    test_end();
}

int main(void) {
    struct linx_system_info info;
    linx_system_info(&info);
    bool quick = memcmp(info.bootargs, "quick", 5) == 0;
    if (!quick)
        test_regions();
    test_guards();
    test_fixup();
    test_private(false);
    if (info.pes > 1)
        test_private(true);
    test_threads();
    test_share();
    test_quota();
    test_no_memory();
    test_paging();
    test_first_touch();
    if (!quick)
        test_costs();
    test_gang(info.pes);            // from here on the machine has the lock, on one PE too
    test_cycles(quick ? 200 : 10000);
    return test_failures;
}
