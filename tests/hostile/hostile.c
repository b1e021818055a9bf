// SPDX-License-Identifier: BSD-2-Clause
// Hostile tasks against victims. Victims: a task in a space of its own with a secret in every place that a task has, one that
// makes system calls and writes lines, a thread of the root space that shares a lock with the attackers, and where there are
// four PEs a gang. Each attack (attacks.def) is a task in a space of its own, without rights. It has to end as expected, report
// nothing that it got hold of, and leave all victims going on with right values.
// Boot arguments: list=1 prints the attacks; first=N count=N runs a part of them; stride=N every N-th; endless=N ns until what
// does not end is killed (400,000).
#include "hostile.h"
#include "demos/options.h"
#include "kernel/arch.h"
#include "lib/string.h"

#define PAGE     4096
#define PRIORITY 10

volatile uint32_t root_secret[16] = { 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab,
                                      0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab, 0xabababab };
void keep_secret(uint64_t secret, uint32_t out[768]), find_secret(uint32_t out[256]);
uint64_t keep_scalar(uint64_t secret);
uint64_t hold_registers(uint64_t seed);
void share(const uint32_t in[64]), unshare(uint32_t out[64]);
extern char __kernel_text[], __kernel_rodata[], __kernel_data[], __kernel_bss[], __image_end[], __program_data[], __program_bss[];

// ---- victims ------------------------------------------------------------------------------------------------------------------------
static _Thread_local volatile uint32_t tls_secret[8];
static uint32_t out[1024], found[256];

void victim_keeper(void *arg) {
    struct diary *d = arg;
    volatile uint32_t stack_secret[16];
    uint32_t *heap = linx_mem_alloc(PAGE);
    d->heap = (uint64_t)(uintptr_t)heap;
    d->stack = (uint64_t)(uintptr_t)stack_secret;
    d->tls = (uint64_t)(uintptr_t)tls_secret;
    for (uint32_t i = 0; i < 8; i++)
        tls_secret[i] = SECRET + 0x10 + i;
    for (uint32_t i = 0; i < 16; i++) {
        stack_secret[i] = SECRET + 0x20 + i;
        root_secret[i] = SECRET + 0x30 + i;     // its own copy
    }
    for (uint32_t i = 0; i < PAGE / 4; i++)
        heap[i] = SECRET + i % 16;
    for (uint64_t round = 0;; round++) {
        uint32_t mine = SECRET + 0x40 + (uint32_t)round % 64, bad = 0;
        keep_secret(mine, out);
        for (int i = 0; i < 768; i += 7)
            bad += out[i] != mine;
        bad += keep_scalar(mine) != 0;
        if (round % 2)
            linx_yield();
        find_secret(found);
        for (int i = 0; i < 256; i += 3)
            bad += found[i] != mine;
        bad += hold_registers(mine) != 0;
        for (uint32_t i = 0; i < 16; i++)
            bad += stack_secret[i] != SECRET + 0x20 + i || root_secret[i] != SECRET + 0x30 + i || tls_secret[i % 8] != SECRET + 0x10 + i % 8;
        for (uint32_t i = 0; i < PAGE / 4; i += 5)
            bad += heap[i] != SECRET + i % 16;
        d->wrong += bad;
        d->rounds++;
    }
}

void victim_caller(void *arg) {
    struct diary *d = arg;
    linx_handle sem = linx_sem_create(0, 9), queue = linx_queue_create(64, 4), mutex = linx_mutex_create();
    uint32_t message[16], back[16];
    for (uint64_t round = 0;; round++) {
        uint64_t bad = 0;
        for (uint32_t i = 0; i < 16; i++)
            message[i] = SECRET + 0x80 + i;
        bad += linx_queue_send(queue, message, 0) != 0;        // a secret in the kernel's memory
        uint32_t *page = linx_mem_alloc(2 * PAGE);             // and one in pages that are freed
        bad += page == NULL || page[0] != 0 || page[PAGE / 4] != 0;
        if (page != NULL) {
            for (uint32_t i = 0; i < 2 * PAGE / 4; i += 16)
                page[i] = SECRET + 0x90;
            bad += linx_mem_free(page) != 0;
        }
        bad += linx_sem_post(sem) != 0 || linx_sem_wait(sem, 0) != 0;
        bad += linx_mutex_lock(mutex, 0) != 0 || linx_mutex_unlock(mutex) != 0;
        linx_sleep(2000);
        bad += linx_queue_receive(queue, back, 0) != 0 || memcmp(message, back, sizeof back) != 0;
        if (round % 256 == 0)
            linx_printf("victim's line %lu, which is whole from here to its end.\n", round);
        d->wrong += bad;
        d->rounds++;
    }
}

static linx_handle common_mutex;
static struct diary root_diary, gang_diary[4];
static void victim_root(void *arg) {
    (void)arg;
    for (;;) {
        int r = linx_mutex_lock(common_mutex, 100000);
        if (r == LINX_OK || r == LINX_EOWNERDEAD) {
            linx_yield();
            root_diary.wrong += linx_mutex_unlock(common_mutex) != LINX_OK;
        } else {
            root_diary.wrong += r != LINX_ETIMEOUT;
        }
        for (uint32_t i = 0; i < 16; i++)
            root_diary.wrong += root_secret[i] != SECRET + 0x50 + i;
        root_diary.rounds++;
        linx_sleep(3000);
    }
}

static void victim_gang(void *arg) {
    unsigned me = linx_gang_index();
    uint32_t mine[64], back[64];
    (void)arg;
    for (;;) {
        for (uint32_t i = 0; i < 64; i++)
            mine[i] = SECRET + 0x60 + 4 * me;
        share(mine);
        linx_gang_barrier();
        unshare(back);
        gang_diary[me].wrong += memcmp(mine, back, sizeof mine) != 0;
        gang_diary[me].rounds++;
        linx_sleep(20000);
    }
}

// ---- main -----------------------------------------------------------------------------------------------------------------------------
static struct intel *intel;
static struct diary *keeper, *caller;
static linx_handle idle_task, keeper_task, caller_task;
static bool gang;
static uint32_t failures;
static char bootargs[128];

#define FAIL(...) (failures++, linx_printf("# " __VA_ARGS__))

static linx_handle isolated(const char *name, linx_entry *entry, void *page, int rights, uint64_t memory) {
    struct linx_task_attr a = { .name = name, .priority = PRIORITY, .stack_bytes = 8192, .memory = memory,
                                .flags = LINX_TASK_SPACE | LINX_TASK_SUSPENDED };
    linx_handle h = linx_task_create(&a, entry, page);
    if (h <= 0 || linx_mem_share(h, page, PAGE, (uint32_t)rights) != LINX_OK) {
        FAIL("cannot create %s: %d\n", name, h);
        linx_shutdown(2);
    }
    return h;
}

static void sleeper(void *arg) {
    (void)arg;
    for (;;)
        linx_sleep(1000000000);
}

static void begin(void) {
    static struct linx_system_info info;
    struct linx_task_info me, n;
    linx_system_info(&info);
    intel = linx_mem_alloc(PAGE);
    keeper = linx_mem_alloc(PAGE);
    caller = linx_mem_alloc(PAGE);
    uint32_t *heap = linx_mem_alloc(PAGE);
    for (uint32_t i = 0; i < PAGE / 4; i++)
        heap[i] = SECRET + 0x70 + i % 16;
    for (uint32_t i = 0; i < 16; i++)
        root_secret[i] = SECRET + 0x50 + i;
    intel->report = linx_queue_create(sizeof(struct loot), 16);
    intel->mutex = common_mutex = linx_mutex_create();
    intel->queue = linx_queue_create(64, 4);
    intel->sem = linx_sem_create(1, 8);
    intel->other_mutex = linx_mutex_create();
    intel->other_queue = linx_queue_create(64, 4);
    intel->event = linx_event_create(0xff);
    linx_queue_send(intel->other_queue, heap, 0);

    struct linx_task_attr a = { .name = "given", .priority = PRIORITY };
    intel->task = idle_task = linx_task_create(&a, sleeper, NULL);
    a.name = "victim";
    intel->other_task = linx_task_create(&a, victim_root, NULL);
    intel->victim = keeper_task = isolated("keeper", victim_keeper, keeper, LINX_MEM_WRITE, 0);
    caller_task = isolated("caller", victim_caller, caller, LINX_MEM_WRITE, 0);
    linx_task_resume(keeper_task);
    linx_task_resume(caller_task);
    if ((info.pe_mask & 15) == 15) {
        struct linx_gang_attr g = { .name = "gang", .priority = PRIORITY, .count = 4, .regs = 4, .stack_bytes = 4096 };
        gang = linx_gang_create(&g, victim_gang, NULL) > 0;
    }
    while (keeper->tls == 0)
        linx_sleep(10000);

    linx_task_info(linx_task_self(), &me);
    uint64_t pool = (uint64_t)(uintptr_t)__image_end + (uint64_t)(__program_bss - __program_data), *at = intel->at;
    at[R_KERNEL_TEXT] = (uint64_t)(uintptr_t)__kernel_text;
    at[R_KERNEL_RODATA] = (uint64_t)(uintptr_t)__kernel_rodata;
    at[R_KERNEL_DATA] = (uint64_t)(uintptr_t)__kernel_data;
    at[R_KERNEL_BSS] = (uint64_t)(uintptr_t)__kernel_bss + 256;
    at[R_KERNEL_POOL] = (pool & ~(uint64_t)(PAGE - 1)) + 2 * PAGE + 64;
    at[R_PAGE_TABLES] = info.ram_base + info.ram_bytes / 2;
    at[R_DIRECT_MAP] = DIRECT_MAP + at[R_KERNEL_BSS];
    at[R_DIRECT_PAGES] = DIRECT_MAP + at[R_PAGE_TABLES];
    at[R_PRISTINE] = (uint64_t)(uintptr_t)__image_end + 64;
    at[R_VICTIM_HEAP] = keeper->heap;
    at[R_VICTIM_STACK] = keeper->stack & ~(uint64_t)63;
    at[R_VICTIM_TLS] = keeper->tls & ~(uint64_t)63;
    at[R_ROOT_HEAP] = (uint64_t)(uintptr_t)heap;
    at[R_ROOT_STACK] = me.stack_hi - 256;
    at[R_UART] = 0x10000000;
    at[R_INTC] = 0x04000000;
    at[R_FINISHER] = 0x00100000;
    at[R_VIRTIO] = 0x10001000;
    at[R_NULL_PAGE] = 0x10;
    at[R_HOLE] = 0x2000000000;
    at[R_BEYOND] = info.ram_base + info.ram_bytes + 0x100000;
    at[R_NON_CANONICAL] = 0x0800000000000000;
    at[R_TEXT] = (uint64_t)(uintptr_t)sleeper & ~(uint64_t)63;
    at[R_RODATA] = (uint64_t)(uintptr_t)"constant" & ~(uint64_t)63;
    at[R_READ_ONLY_SHARE] = (uint64_t)(uintptr_t)intel;
    linx_task_info(idle_task, &n);
}

// Bytes of the kernel's pool that are free or hold engine states, which grow in their time.
static uint64_t kernel_bytes(const struct linx_system_info *info) {
    uint64_t bytes = info->kernel_free;
    struct linx_task_info n;
    for (linx_handle h = linx_task_next(0); h > 0; h = linx_task_next(h))
        if (linx_task_info(h, &n) == LINX_OK)
            bytes += n.save_area_bytes;
    return bytes;
}

static uint64_t rounds(int victim) {
    switch (victim) {
    case 0: return keeper->rounds;
    case 1: return caller->rounds;
    case 2: return root_diary.rounds;
    default: return gang_diary[victim - 3].rounds;
    }
}

// Every victim goes on within 20 ms, with right values.
static void check_victims(const struct attack *a) {
    uint64_t was[7], wrong = keeper->wrong + caller->wrong + root_diary.wrong;
    int n = gang ? 7 : 3;
    for (int i = 0; i < n; i++)
        was[i] = rounds(i);
    for (int i = 0; i < n; i++) {
        int tries = 0;
        while (rounds(i) == was[i] && tries++ < 2000)
            linx_sleep(10000);
        if (rounds(i) == was[i])
            FAIL("%s: victim %d has stopped\n", a->what, i);
    }
    for (int i = 0; i < 4; i++)
        wrong += gang_diary[i].wrong;
    if (wrong != 0) {
        FAIL("%s: a victim has found %lu wrong values\n", a->what, wrong);
        keeper->wrong = caller->wrong = root_diary.wrong = 0;
        for (int i = 0; i < 4; i++)
            gang_diary[i].wrong = 0;
    }
}

static bool as_expected(const struct attack *a, int how, int64_t status) {
    bool page = false;
    switch (a->expected) {
    case FAULT_LOAD:
        page = how == LINX_ENDED_FAULT && status >> 24 == LINX_E_DATA;
        return page || how == LINX_ENDED_STACK;
    case FAULT_STORE:
        page = how == LINX_ENDED_FAULT && status >> 24 == LINX_E_DATA;
        return page || how == LINX_ENDED_STACK;
    case STOPPED: return how == LINX_ENDED_FAULT || how == LINX_ENDED_STACK;
    case HELD: return how == LINX_ENDED_EXIT && status == 0;
    case ENDLESS: return how == LINX_ENDED_KILLED;
    default: return how >= 0;
    }
}

static void attack(uint32_t index) {
    struct attack a;
    struct linx_task_info n;
    struct loot loot;
    int64_t status = 0;
    attack_get(index, &a);
    linx_handle h = isolated("attacker", attacker, intel, LINX_MEM_READ, 0);
    linx_task_info(h, &n);
    intel->attack = index;
    intel->self = h;
    intel->at[R_GUARD_BELOW] = n.stack_lo - 64;
    intel->at[R_GUARD_ABOVE] = n.stack_hi;
    const linx_handle given[] = { intel->report, intel->mutex, intel->queue, intel->task };
    for (int i = 0; i < 4; i++)
        if (linx_object_give(h, given[i]) != LINX_OK)
            FAIL("%s: cannot give\n", a.what);
    linx_task_resume(h);
    int how = linx_task_join(h, &status, a.expected == ENDLESS ? option(bootargs, "endless", 400000) : 1000000000);
    if (how == LINX_ETIMEOUT) {
        linx_task_kill(h);
        how = linx_task_join(h, &status, LINX_FOREVER);
        if (a.expected != ENDLESS)
            FAIL("%s: it does not end\n", a.what);
    }
    uint32_t before = failures;
    while (linx_queue_receive(intel->report, &loot, 0) == LINX_OK)
        FAIL("%s: line %u got hold of %lx at %lx%s\n", a.what, loot.line, loot.value, loot.address,
             IS_SECRET((uint32_t)loot.value) ? ", A SECRET" : "");
    while (linx_queue_receive(intel->queue, out, 0) == LINX_OK)
        ;
    if (!as_expected(&a, how, status))
        FAIL("%s: ended with %d, status %lx\n", a.what, how, status);
    check_victims(&a);
    linx_printf("%s attack %u: %s\n", failures == before ? "held" : "FAILED", index, a.what);
}

int main(void) {
    static struct linx_system_info info, now;
    static const char *const names[] = { "load fault", "store fault", "stopped by a fault", "refused everywhere",
                                         "goes on alone until it is killed", "nobody else notices" };
    linx_system_info(&info);
    memcpy(bootargs, info.bootargs, sizeof bootargs);
    uint32_t first = (uint32_t)option(info.bootargs, "first", 0), stride = (uint32_t)option(info.bootargs, "stride", 1);
    uint32_t count = (uint32_t)option(info.bootargs, "count", attack_count());
    if (option(info.bootargs, "list", 0) != 0) {
        for (uint32_t i = 0; i < attack_count(); i++) {
            struct attack a;
            attack_get(i, &a);
            linx_printf("%3u %s -> %s\n", i, a.what, names[a.expected]);
        }
        return 0;
    }
    linx_set_slice(option(info.bootargs, "slice", 5000));
    linx_task_priority(linx_task_self(), PRIORITY + 5);
    begin();
    uint32_t done = 0;
    uint64_t kernel = 0, warm = option(info.bootargs, "warm", 3);
    for (int pass = 0; pass < 2; pass++) {              // the first one warms up: tables of the kernel grow
        linx_sleep(200000);
        linx_system_info(&info);
        kernel = kernel_bytes(&info);
        for (uint32_t i = first; i < attack_count() && i < first + count; i += stride) {
            if (pass == 0 && done == warm)
                break;
            attack(i);
            done++;
        }
    }
    linx_sleep(200000);
    linx_system_info(&now);
    if (now.objects != info.objects || now.tasks != info.tasks)
        FAIL("objects %u then %u, tasks %u then %u\n", info.objects, now.objects, info.tasks, now.tasks);
    if (now.task_free + 4 * PAGE < info.task_free || kernel_bytes(&now) + 1024 < kernel)    // the caller holds pages at times
        FAIL("leak: pages %lu then %lu, kernel %lu then %lu\n", info.task_free / PAGE, now.task_free / PAGE, kernel, kernel_bytes(&now));
    linx_printf("%u attacks, victims' rounds %lu %lu %lu %lu, failures %u\n", done, rounds(0), rounds(1), rounds(2), rounds(3), failures);
    return failures != 0;
}
