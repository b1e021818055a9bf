// SPDX-License-Identifier: BSD-2-Clause
// The attacks (attacks.def). Each runs as the first task of a space of its own, without rights. It reports every value that
// it got hold of, and its exit status is the line where it was not refused, 0 when it was refused everywhere.
#include "hostile.h"
#include "lib/string.h"
#include "linx/fault.h"

#define PAGE 4096
static _Alignas(PAGE) uint64_t mine[PAGE / 8];
uint64_t hostile_data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static const struct intel *intel;
static uint64_t argument;

#define READ(f, how) weapon f;
#define WRITE(f, how) weapon f;
#define ORACLE(f, how) weapon f;
#define EXECUTE(f, how) weapon f;
#include "attacks.def"
#undef READ
#undef WRITE
#undef ORACLE
#undef EXECUTE
// access.S
weapon get_ecstate_0, set_ecstate_0, get_ecstate_1, set_ecstate_1, get_ecstate_2, get_evbase_0, set_evbase_0, get_evbase_1,
    set_evbase_1, set_evbase_2, get_etemp_1, set_etemp_1, set_etemp_0, swap_own_etemp, get_econfig_1, set_econfig_1,
    set_econfig_0, get_ebpc_1, set_ebpc_1, get_timer_1, set_timer_1, set_timer_0, set_eoiei_1, set_eoiei_0, set_futo_1,
    set_futo_2, get_mmtbase, set_mmtbase, get_mmconfig, set_mmconfig, set_shwindow, get_shwindow, set_shselect, get_shdesc,
    get_shshape, set_lxlcid, set_time, set_lcfr_en, get_none, set_none, set_cstate, acrc_0, acrc_2, acrc_3, acrc_7, acrc_15,
    acre_0, acre_1, acre_2, acre_9, tlb_iv, tlb_ia, tlb_iav, tlb_iall, dc_iva, dc_iall, dc_isw, dc_cisw, ic_iall, ebreak_now,
    assert_now, cross_block, illegal_word, no_target, into_the_stub, branch_to_kernel, branch_to_wide, branch_to_return,
    body_in_kernel, body_in_data, esave_now, esave_to_t, ercov_now, peek_t1, peek_t2, peek_t5, peek_t16, peek_u1, peek_u2,
    peek_u5, peek_u16, peek_m1, peek_m2, peek_m5, peek_m16, peek_n1, peek_n2, peek_n5, peek_n16, peek_released,
    peek_behind_tile, local_behind_tile, peek_output, peek_stack_tile, queue_vt1, queue_vt4, queue_vu1, queue_vu4, queue_vm1,
    queue_vm4, queue_vn1, queue_vn4, queue_t1, queue_t4, queue_u1, queue_u4, scalar_queues, all_registers, shared_read_0,
    shared_read_1, shared_read_100, shared_read_255, shared_write_0, shared_write_1, shared_write_100, shared_write_255,
    shared_body_0, shared_body_1, shared_body_100, shared_body_255, endless_body, endless_seq, endless_atomic, endless_atomic_body, no_interrupts,
    sleeps_bwi, sleeps_bwe, sleeps_bwt, wakes_all, huge_mset, huge_mcopy, keep_secret;
int64_t raw_syscall(uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t number);

// ---- what they have in common ---------------------------------------------------------------------------------------------------
static void steal(int line, uint64_t address, uint64_t value) {
    struct loot l = { intel->attack, (uint32_t)line, address, value };
    linx_queue_send(intel->report, &l, LINX_FOREVER);
}
#define REFUSED(call) refused((int64_t)(call), __LINE__)
static void refused(int64_t result, int line) {
    if (result >= 0)
        linx_task_exit(line);
}
#define MUST(cond) ((cond) ? (void)0 : linx_task_exit(__LINE__))
#define IS(call, want) is((int64_t)(call), (want), __LINE__)
static void is(int64_t result, int64_t want, int line) {
    if (result != want) {
        steal(line, (uint64_t)want, (uint64_t)result);
        linx_task_exit(line);
    }
}
static void look(const void *p, size_t bytes, int line) {       // nothing but zeros is there?
    const uint64_t *w = p;
    for (size_t i = 0; i < bytes / 8; i++)
        if (w[i] != 0) {
            steal(line, (uint64_t)(uintptr_t)&w[i], w[i]);
            linx_task_exit(line);
        }
}
static linx_handle thread(linx_entry *entry, uint64_t arg, uint32_t flags) {
    struct linx_task_attr a = { .name = "thread", .priority = 10, .stack_bytes = 4096, .flags = flags };
    return linx_task_create(&a, entry, (void *)(uintptr_t)arg);
}
static void *pointer(uint64_t at) { return (void *)(uintptr_t)at; }

// ---- weapons and regions ----------------------------------------------------------------------------------------------------------
static weapon *current_weapon;
static uint64_t region_read(const struct intel *in, uint64_t r) {
    uint64_t value = current_weapon(in->at[r], mine);
    steal(__LINE__, in->at[r], value);
    return __LINE__;
}
static uint64_t region_write(const struct intel *in, uint64_t r) {
    memset(mine, 0xee, 64);
    current_weapon(in->at[r], mine);
    steal(__LINE__, in->at[r], 0);
    return __LINE__;
}
static uint64_t region_oracle(const struct intel *in, uint64_t r) {     // learns nothing, and goes on
    uint64_t value = current_weapon(in->at[r], mine);
    if (value != 0 && current_weapon == fixup_load)
        steal(__LINE__, in->at[r], value);
    return 0;
}
static uint64_t ssr(const struct intel *in, uint64_t f) {
    (void)f;
    uint64_t value = current_weapon(in->at[R_VICTIM_HEAP], mine);
    return value == 0 ? 1 : value;
}
static uint64_t peek(const struct intel *in, uint64_t f) {
    (void)f;
    uint64_t value = current_weapon(in->at[R_VICTIM_HEAP], mine);
    steal(__LINE__, 0, value);
    return __LINE__;
}
static uint64_t ssr_endless(const struct intel *in, uint64_t f) { return ssr(in, f); }
static uint64_t cstate(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    uint64_t was = set_cstate(0, mine) & 0x3ff;
    MUST(was == (set_cstate(LINX_ACR_KERNEL | LINX_CSTATE_P, mine) & 0x3ff) && (was & LINX_CSTATE_ACR_MASK) == LINX_ACR_TASK);
    return 0;
}
static uint64_t request(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (uint64_t number = 0; number < 20; number++)
        REFUSED(current_weapon('!', (uint64_t *)number));
    return 0;
}
static uint64_t own_code(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    hostile_data[0] = 0x0000001c28161800;               // anything
    jump_to((uint64_t)(uintptr_t)hostile_data, mine);
    return __LINE__;
}
static uint64_t odd_jump(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    jump_to((uint64_t)(uintptr_t)linx_task_self + 1, mine);
    return __LINE__;
}

// ---- the engine --------------------------------------------------------------------------------------------------------------------
static void uses_engine(void *arg) {
    (void)arg;
    static uint64_t out[3 * 1024 / 8];
    keep_secret(0x11111111, out);
}
static uint64_t peek_later(const struct intel *in, uint64_t f) {
    static uint64_t out[3 * 1024 / 8];
    keep_secret(0x22222222, out);       // three tiles, and the engine is ours
    store8((uint64_t)(uintptr_t)out, mine);
    linx_handle h = thread(uses_engine, 0, 0);          // the kernel saves ours
    linx_task_join(h, NULL, LINX_FOREVER);
    linx_sleep(20000);
    if (f == (uint64_t)(uintptr_t)peek_t1) {            // it is ours, and back: use it up, then there is nothing
        MUST((uint32_t)peek_t1(0, mine) == 0x22222222);
        peek_t2(0, mine);
    }
    return peek(in, f);
}
static uint64_t zero_page(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    current_weapon(0, mine);
    look(mine, sizeof mine / 4, __LINE__);
    return 0;
}
static uint64_t queues_again(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    static uint64_t out[3 * 1024 / 8];
    for (int i = 0; i < 6; i++) {
        keep_secret(0x33333333, out);
        linx_handle h = thread(uses_engine, 0, 0);
        linx_sleep(5000);
        current_weapon(0, mine);
        for (int k = 0; k < 128; k++)
            if (mine[k] != 0x3333333333333333) {
                steal(__LINE__, (uint64_t)k, mine[k]);
                return __LINE__;
            }
        linx_task_join(h, NULL, LINX_FOREVER);
    }
    return 0;
}
static uint64_t after_death(const struct intel *in, uint64_t f) {
    linx_task_join(thread(uses_engine, 0, 0), NULL, LINX_FOREVER);
    return peek(in, f);
}
static uint64_t queue_after_death(const struct intel *in, uint64_t f) {
    linx_task_join(thread(uses_engine, 0, 0), NULL, LINX_FOREVER);
    return zero_page(in, f);
}
static volatile uint64_t found;
extern linx_entry first_look;                           // raw: or of t and u at a task's first instruction
static uint64_t first_registers(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    linx_handle h = thread(first_look, (uint64_t)(uintptr_t)&found, 0);
    linx_task_join(h, NULL, LINX_FOREVER);
    is((int64_t)found, 0, __LINE__);
    return 0;
}
uint64_t after_call(uint64_t *out);                     // registers behind a system call
static uint64_t call_leftovers(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 20; i++) {
        linx_sleep(3000);                               // others run meanwhile
        memset(mine, 0, 256);
        after_call(mine);
        look(mine, 160, __LINE__);
    }
    return 0;
}

// ---- forged pointers -----------------------------------------------------------------------------------------------------------------
enum forged {
#define POINTER(name, what) name,
#include "attacks.def"
#undef POINTER
    POINTERS
};
static uint64_t forge(enum forged p) {
    switch (p) {
    case P_KERNEL_TEXT: return intel->at[R_KERNEL_TEXT];
    case P_KERNEL_DATA: return intel->at[R_KERNEL_DATA];
    case P_DIRECT: return intel->at[R_DIRECT_MAP];
    case P_VICTIM: return intel->at[R_VICTIM_HEAP];
    case P_ROOT: return intel->at[R_ROOT_HEAP];
    case P_HOLE: return intel->at[R_HOLE];
    case P_DEVICE: return intel->at[R_UART];
    case P_WRAP: return ~(uint64_t)7;
    case P_NON_CANONICAL: return intel->at[R_NON_CANONICAL];
    case P_STRADDLE: {
        char *p = linx_mem_alloc(PAGE);
        MUST(p != NULL);
        return (uint64_t)(uintptr_t)p + PAGE - 4;
    }
    default: return intel->at[R_GUARD_BELOW];
    }
}
static void never(void *arg) { (void)arg; }
static uint64_t call_task_create(const struct intel *in, uint64_t p) {
    (void)in;
    IS(linx_task_create(pointer(forge((enum forged)p)), never, NULL), LINX_EFAULT);
    return 0;
}
static uint64_t call_task_name(const struct intel *in, uint64_t p) {
    (void)in;
    uint64_t at = forge((enum forged)p);
    if (p == P_STRADDLE)
        memcpy(pointer(at), "abcd", 4);                 // and no end
    struct linx_task_attr a = { .name = pointer(at), .priority = 1 };
    IS(linx_task_create(&a, never, NULL), LINX_EFAULT);
    return 0;
}
static uint64_t call_task_entry(const struct intel *in, uint64_t p) {
    (void)in;
    struct linx_task_attr a = { .name = "x", .priority = 1 };
    IS(linx_task_create(&a, (linx_entry *)forge((enum forged)p), NULL), LINX_EFAULT);
    return 0;
}
static uint64_t call_task_join(const struct intel *in, uint64_t p) {
    (void)in;
    linx_handle h = thread(never, 0, 0);
    IS(linx_task_join(h, pointer(forge((enum forged)p)), LINX_FOREVER), LINX_EFAULT);
    linx_sleep(50000);
    IS(linx_task_join(h, pointer(forge((enum forged)p)), LINX_FOREVER), LINX_EFAULT);    // it has ended
    return 0;
}
static uint64_t call_task_info(const struct intel *in, uint64_t p) {
    (void)in;
    IS(linx_task_info(linx_task_self(), pointer(forge((enum forged)p))), LINX_EFAULT);
    return 0;
}
static uint64_t call_queue_send(const struct intel *in, uint64_t p) {
    (void)in;
    linx_handle q = linx_queue_create(64, 2);
    IS(linx_queue_send(q, pointer(forge((enum forged)p)), LINX_FOREVER), LINX_EFAULT);
    IS(linx_queue_receive(q, mine, 0), LINX_ETIMEOUT);
    return 0;
}
static uint64_t call_queue_receive(const struct intel *in, uint64_t p) {
    (void)in;
    linx_handle q = linx_queue_create(64, 2);
    IS(linx_queue_send(q, mine, 0), 0);
    IS(linx_queue_receive(q, pointer(forge((enum forged)p)), LINX_FOREVER), LINX_EFAULT);
    IS(linx_queue_receive(q, mine, 0), 0);
    return 0;
}
static uint64_t call_console_write(const struct intel *in, uint64_t p) {
    (void)in;
    IS(linx_console_write(pointer(forge((enum forged)p)), 64), LINX_EFAULT);
    IS(linx_console_write(pointer(forge((enum forged)p)), ~(size_t)0), LINX_EFAULT);
    return 0;
}
static uint64_t call_system_info(const struct intel *in, uint64_t p) {
    (void)in;
    IS(linx_system_info(pointer(forge((enum forged)p))), LINX_EFAULT);
    return 0;
}
static uint64_t call_mem_free(const struct intel *in, uint64_t p) {
    (void)in;
    IS(linx_mem_free(pointer(forge((enum forged)p))), LINX_EINVAL);
    return 0;
}
enum { CALL_FAULT_HANDLER = 43, CALL_FAULT_RETURN = 44 };
static uint64_t call_fault_handler(const struct intel *in, uint64_t p) {
    (void)in;
    REFUSED(raw_syscall((uint64_t)(uintptr_t)never, forge((enum forged)p) & ~(uint64_t)15, 32768, 0, CALL_FAULT_HANDLER));
    return 0;
}

// ---- names -----------------------------------------------------------------------------------------------------------------------------
enum { INDICES = 160, GENERATIONS = 4 };
static bool own(uint64_t h) {
    return (linx_handle)h == intel->self || (linx_handle)h == intel->report || (linx_handle)h == intel->mutex ||
           (linx_handle)h == intel->queue || (linx_handle)h == intel->task;
}
static uint64_t target_list(unsigned i) {               // what it knows, then all that it can guess
    const linx_handle known[] = { intel->victim, intel->other_task, intel->sem, intel->other_mutex, intel->other_queue, intel->event };
    if (i < 6)
        return (uint64_t)known[i];
    i -= 6;
    return ((uint64_t)(i % GENERATIONS) + 1) << 16 | i / GENERATIONS;
}
static uint64_t name_tasks(const struct intel *in, uint64_t what) {
    (void)in;
    for (unsigned i = 0; i < 6 + INDICES * GENERATIONS; i++) {
        uint64_t h = target_list(i);
        if (own(h))
            continue;
        int64_t r;
        switch (what) {
        case 0: r = linx_task_join((linx_handle)h, NULL, 0); break;
        case 1: r = linx_task_kill((linx_handle)h); break;
        case 2: r = linx_task_suspend((linx_handle)h); break;
        case 3: r = linx_task_resume((linx_handle)h); break;
        case 4: r = linx_task_priority((linx_handle)h, -1); break;
        case 5: r = linx_task_priority((linx_handle)h, 10); break;
        case 6: r = linx_task_affinity((linx_handle)h, 1); break;
        default: r = linx_task_info((linx_handle)h, (void *)mine); break;
        }
        is(r, LINX_EHANDLE, __LINE__);
    }
    return 0;
}
static uint64_t name_objects(const struct intel *in, uint64_t what) {
    (void)in;
    for (unsigned i = 0; i < 6 + INDICES * GENERATIONS; i++) {
        uint64_t h = target_list(i);
        if (own(h))
            continue;
        // sem_wait, sem_post, mutex_lock, mutex_unlock, queue_send, queue_receive, event_wait, event_set, event_clear,
        // object_delete, gang_join, gang_kill, gang_move, gang_info, object_give, mem_share
        static const uint8_t number[] = { 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 38, 41, 39, 40, 45, 42 };
        static const uint8_t timeout_in[] = { 1, 0, 1, 0, 2, 2, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0 };
        uint64_t a[4] = { h, (uint64_t)(uintptr_t)mine, (uint64_t)(uintptr_t)mine, 0 };
        if (timeout_in[what] != 0)
            a[timeout_in[what]] = 0;
        if (what >= 6 && what <= 8)
            a[1] = 1, a[2] = 0;
        if (what == 14)
            a[0] = (uint64_t)intel->self, a[1] = h;
        if (what == 15)
            a[1] = (uint64_t)(uintptr_t)mine, a[2] = PAGE, a[3] = 3;
        int64_t r = raw_syscall(a[0], a[1], a[2], a[3], number[what]);
        if (r != LINX_ENOSYS && !(what >= 10 && what <= 13 && r == LINX_EPERM))
            is(r, LINX_EHANDLE, __LINE__);
    }
    return 0;
}
static uint64_t walk_tasks(const struct intel *in, uint64_t f) {
    (void)f;
    linx_handle h = thread(never, 0, LINX_TASK_SUSPENDED);
    unsigned n = 0;
    for (linx_handle at = linx_task_next(0); at > 0; at = linx_task_next(at), n++)
        MUST(at == h || at == in->self || at == in->task);
    MUST(n == 3);
    return 0;
}
static uint64_t odd_handles(const struct intel *in, uint64_t f) {
    (void)f;
    uint64_t me = (uint64_t)in->self;
    for (int bit = 31; bit < 64; bit++) {
        IS(raw_syscall(me | (uint64_t)1 << bit, (uint64_t)-1, 0, 0, 9), LINX_EHANDLE);
        IS(raw_syscall((uint64_t)in->mutex | (uint64_t)1 << bit, 0, 0, 0, 15), LINX_EHANDLE);
    }
    for (uint64_t h = 0; h < 70000; h += 331)
        if (!own(h) && !own(~h))
            IS(raw_syscall(~h, 0, 0, 0, 13), LINX_EHANDLE);
    return 0;
}
static uint64_t stale_handles(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 50; i++) {
        linx_handle s = linx_sem_create(1, 1), q = linx_queue_create(8, 1), t = thread(never, 0, 0);
        linx_object_delete(s);
        linx_object_delete(q);
        linx_task_join(t, NULL, LINX_FOREVER);
        linx_handle again = linx_sem_create(1, 1);
        IS(linx_sem_wait(s, 0), LINX_EHANDLE);
        IS(linx_queue_receive(q, mine, 0), LINX_EHANDLE);
        IS(linx_task_kill(t), LINX_EHANDLE);
        IS(linx_object_delete(s), LINX_EHANDLE);
        linx_object_delete(again);
    }
    return 0;
}
static uint64_t wrong_types(const struct intel *in, uint64_t f) {
    (void)f;
    uint64_t s = (uint64_t)linx_sem_create(1, 1), m = (uint64_t)linx_mutex_create(), me = (uint64_t)in->self;
    static const uint8_t sems[] = { 12, 13 }, mutexes[] = { 15, 16 }, others[] = { 18, 19, 21, 22, 23, 3, 4, 7, 8, 9, 10, 35 };
    for (unsigned i = 0; i < 2; i++) {
        IS(raw_syscall(m, 0, 0, 0, sems[i]), LINX_EHANDLE);
        IS(raw_syscall(s, 0, 0, 0, mutexes[i]), LINX_EHANDLE);
        IS(raw_syscall(me, 0, 0, 0, mutexes[i]), LINX_EHANDLE);
    }
    for (unsigned i = 0; i < sizeof others; i++) {
        IS(raw_syscall(s, (uint64_t)(uintptr_t)mine, (uint64_t)(uintptr_t)mine, 0, others[i]), LINX_EHANDLE);
        IS(raw_syscall(m, 0, 0, 0, others[i]), LINX_EHANDLE);
    }
    IS(linx_object_delete(in->self), LINX_EHANDLE);
    return 0;
}
static uint64_t given_task(const struct intel *in, uint64_t f) {
    (void)f;
    IS(linx_task_info(in->task, (void *)mine), 0);
    REFUSED(linx_task_kill(in->task));
    REFUSED(linx_task_suspend(in->task));
    REFUSED(linx_task_resume(in->task));
    REFUSED(linx_task_priority(in->task, 0));
    REFUSED(linx_task_affinity(in->task, 1));
    REFUSED(raw_syscall((uint64_t)in->task, (uint64_t)in->mutex, 0, 0, 45));
    return 0;
}
static uint64_t given_delete(const struct intel *in, uint64_t f) {
    (void)f;
    IS(linx_object_delete(in->mutex), LINX_EPERM);
    IS(linx_object_delete(in->queue), LINX_EPERM);
    IS(linx_object_delete(in->report), LINX_EPERM);
    return 0;
}
static uint64_t given_unlock(const struct intel *in, uint64_t f) {
    (void)f;
    for (int i = 0; i < 2000; i++)
        IS(linx_mutex_unlock(in->mutex), LINX_EPERM);
    return 0;
}

// ---- rights and limits -------------------------------------------------------------------------------------------------------------------
static uint64_t call_numbers(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (uint64_t n = 50; n < 2000; n++)
        IS(raw_syscall(1, 2, 3, 4, n), LINX_ENOSYS);
    for (int bit = 8; bit < 64; bit++)
        IS(raw_syscall(1, 2, 3, 4, (uint64_t)1 << bit | 5), LINX_ENOSYS);
    IS(raw_syscall(1, 2, 3, 4, ~(uint64_t)0), LINX_ENOSYS);
    return 0;
}
static uint64_t bad_sizes(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    linx_handle e = linx_event_create(0);
    REFUSED(linx_sem_create(2, 1));
    REFUSED(linx_sem_create(0, 0));
    REFUSED(linx_queue_create(0, 1));
    REFUSED(linx_queue_create(4097, 1));
    REFUSED(linx_queue_create(1, 0));
    REFUSED(linx_queue_create(1, 65537));
    REFUSED(linx_queue_create(~(size_t)0, ~(size_t)0));
    REFUSED(linx_queue_create((size_t)1 << 63, 2));
    REFUSED(linx_event_wait(e, 0, 0, 0));
    REFUSED(linx_event_wait(e, 1, 99, 0));
    REFUSED(linx_console_write(mine, 0));
    const struct linx_task_attr bad[] = { { .priority = 32 }, { .priority = ~0u }, { .stack_bytes = 1 }, { .flags = 1u << 31 },
                                          { .stack_bytes = ~(uint64_t)0 }, { .stack_bytes = (uint64_t)1 << 32 }, { .affinity = (uint64_t)1 << 63 } };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        REFUSED(linx_task_create(&bad[i], never, NULL));
    REFUSED(linx_task_create(NULL, (linx_entry *)((uintptr_t)never + 1), NULL));
    REFUSED(linx_task_priority(intel->self, 32));
    REFUSED(linx_task_priority(intel->self, -2));
    REFUSED(linx_task_affinity(intel->self, 0));
    return 0;
}
static uint64_t raises_itself(const struct intel *in, uint64_t f) {
    (void)f;
    for (int p = 11; p < 32; p++)
        IS(linx_task_priority(in->self, p), LINX_EPERM);
    IS(linx_task_priority(in->self, 10), 10);
    IS(linx_task_priority(in->self, 11), LINX_EPERM);
    return 0;
}
static uint64_t raises_thread(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (uint32_t p = 11; p < 32; p++) {
        struct linx_task_attr a = { .priority = p };
        IS(linx_task_create(&a, never, NULL), LINX_EPERM);
    }
    return 0;
}
static uint64_t new_space(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    struct linx_task_attr a = { .priority = 1, .flags = LINX_TASK_SPACE, .rights = ~0u, .memory = (uint64_t)1 << 40 };
    IS(linx_task_create(&a, never, NULL), LINX_EPERM);
    return 0;
}
static uint64_t machine(const struct intel *in, uint64_t what) {
    (void)in;
    struct linx_gang_attr g = { .count = 1, .regs = 256 };
    switch (what) {
    case 0:
        IS(raw_syscall(0, 0, 0, 0, 27), LINX_EPERM);
        IS(linx_log_read(mine, sizeof mine), LINX_EPERM);
        IS(linx_set_slice(1000000000), LINX_EPERM);
        break;
    case 1: IS(linx_gang_create(&g, never, NULL), LINX_EPERM); break;
    case 2: IS(linx_console_read(mine, 8, 0), LINX_EPERM); break;
    default:
        IS(linx_block_info(0, (struct linx_block_info *)mine), LINX_EPERM);
        IS(linx_block_read(0, 0, mine, 1), LINX_EPERM);
        IS(linx_block_write(0, 0, mine, 1), LINX_EPERM);
    }
    return 0;
}
static uint64_t reads_bootargs(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    static struct linx_system_info info;
    IS(linx_system_info(&info), 0);
    look(info.bootargs, sizeof info.bootargs, __LINE__);
    MUST(info.ram_base == 0 && info.initrd_base == 0 && info.idle_ns == 0 && info.switches == 0 && info.tasks <= 16);
    return 0;
}
static uint64_t initrd(const struct intel *in, uint64_t f) {
    (void)f;
    uint64_t value = load8(in->at[R_BEYOND] - 65536 - PAGE, mine);     // where it would be: below the device tree
    steal(__LINE__, 0, value);
    return __LINE__;
}
static void looks_at_stack(void *arg) {
    (void)arg;
    char *here = __builtin_frame_address(0);
    uint64_t low = ((uint64_t)(uintptr_t)here & ~(uint64_t)(PAGE - 1)) - PAGE;
    look(pointer(low), PAGE, __LINE__);
    linx_task_exit(0);
}
static uint64_t fresh_memory(const struct intel *in, uint64_t on_stack) {
    (void)in;
    for (int round = 0; round < 3; round++) {
        if (on_stack) {
            struct linx_task_attr a = { .priority = 10, .stack_bytes = 4 * PAGE };
            int64_t status = 0;
            linx_handle h = linx_task_create(&a, looks_at_stack, NULL);
            linx_task_join(h, &status, LINX_FOREVER);
            is(status, 0, __LINE__);
            continue;
        }
        uint64_t *p[64];
        int n = 0;
        while (n < 64 && (p[n] = linx_mem_alloc(2 * PAGE)) != NULL)
            look(p[n++], 2 * PAGE, __LINE__);
        MUST(n > 4);
        while (n > 0) {
            memset(p[--n], 0x77, 2 * PAGE);
            linx_mem_free(p[n]);
        }
    }
    return 0;
}
extern volatile uint32_t root_secret[16];               // main has changed it before we were born
static uint64_t other_data(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 16; i++)
        if (root_secret[i] != 0xabababab)
            steal(__LINE__, (uint64_t)(uintptr_t)&root_secret[i], root_secret[i]);
    root_secret[3] = 0;                                 // and main does not see this
    return 0;
}
static uint64_t freed_memory(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    volatile uint64_t *p = linx_mem_alloc(PAGE);
    *p = 5;
    linx_mem_free((void *)p);
    steal(__LINE__, (uint64_t)(uintptr_t)p, *p);
    return __LINE__;
}
static uint64_t double_free(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    char *p = linx_mem_alloc(3 * PAGE);
    uint64_t stack = (uint64_t)(uintptr_t)&p & ~(uint64_t)(PAGE - 1);
    IS(linx_mem_free(p + PAGE), LINX_EINVAL);
    IS(linx_mem_free(p + 8), LINX_EINVAL);
    IS(linx_mem_free(p), 0);
    IS(linx_mem_free(p), LINX_EINVAL);
    IS(linx_mem_free(NULL), LINX_EINVAL);
    for (int i = 0; i < 4; i++)
        IS(linx_mem_free(pointer(stack - (uint64_t)i * PAGE)), LINX_EINVAL);
    IS(linx_mem_free((void *)hostile_data), LINX_EINVAL);
    IS(linx_mem_free((void *)(uintptr_t)intel), LINX_EINVAL);
    return 0;
}

// ---- bombs and floods --------------------------------------------------------------------------------------------------------------------
static void spin(void *arg) {
    (void)arg;
    for (;;)
        ;
}
static void forks(void *arg) {
    for (int i = 0; i < 100; i++)
        (void)thread(forks, 0, LINX_TASK_DETACHED);
    (void)arg;
}
static uint64_t fork_bomb(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 100; i++)
        (void)thread(forks, 0, LINX_TASK_DETACHED);
    linx_sleep(100000);
    return 0;
}
static uint64_t spin_bomb(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    int n = 0;
    while (thread(spin, 0, 0) > 0)
        n++;
    MUST(n > 0 && n < 20);
    spin(NULL);
    return 0;
}
static uint64_t memory_bomb(const struct intel *in, uint64_t sizes) {
    (void)in;
    int n = 0;
    for (uint64_t bits = 63; sizes && bits >= 21; bits--)
        MUST(linx_mem_alloc((uint64_t)1 << bits) == NULL && linx_mem_alloc(~(uint64_t)0 >> (63 - bits)) == NULL);
    for (volatile uint64_t *p; (p = linx_mem_alloc(PAGE)) != NULL; n++)
        *p = 1;
    MUST(n > 8 && n < 300);
    return 0;
}
static uint64_t object_bomb(const struct intel *in, uint64_t kind) {
    (void)in;
    int n = 0;
    while ((kind == 0   ? linx_sem_create(0, 1)
            : kind == 1 ? linx_mutex_create()
            : kind == 2 ? linx_event_create(0)
                        : linx_queue_create(kind == 4 ? 4096 : 8, kind == 4 ? 65536 : 8)) > 0)
        n++;
    MUST(kind == 4 ? n == 0 : n > 8 && n < 100);
    return 0;
}
static uint64_t tile_bomb(const struct intel *in, uint64_t f) {
    (void)f;
    static _Alignas(PAGE) char big[32768];
    for (int i = 0; i < 16; i++) {
        __asm__ volatile("TLOAD <LB0:1024, LB1:8, U32>, [%0], ->T<32KB>\n TLOAD <LB0:1024, LB1:8, U32>, [%0], ->U<32KB>\n"
                         "TLOAD <LB0:1024, LB1:8, U32>, [%0], ->M<32KB>" : : "r"(big) : "memory");
    }
    for (int i = 0; i < 6; i++)
        linx_sleep(10000);
    return in->attack == 0;
}
static uint64_t zombie_bomb(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 200; i++) {
        (void)thread(never, 0, 0);
        linx_yield();
    }
    return 0;
}
static void floods(void *arg) {
    static const char text[] = "flood flood flood flood flood flood flood flood flood flood\n";
    (void)arg;
    for (;;)
        (void)linx_console_write(text, sizeof text - 1);
}
static uint64_t console_flood(const struct intel *in, uint64_t threads) {
    (void)in;
    while (threads && thread(floods, 0, 0) > 0)
        ;
    floods(NULL);
    return 0;
}
static void naps(void *arg) {
    (void)arg;
    for (;;)
        linx_sleep(1);
}
static uint64_t timer_storm(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    while (thread(naps, 0, 0) > 0)
        ;
    naps(NULL);
    return 0;
}
static uint64_t yield_storm(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (;;)
        linx_yield();
}
static uint64_t call_storm(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (uint64_t n = 0;; n++)
        (void)raw_syscall(~n, n, n * n, 0, n % 11 == 2 ? 0 : 3 + n % 9);
}
static void crashes(void *arg) { *(volatile int *)arg = 1; }
static uint64_t fault_storm(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (int i = 0; i < 8; i++)
        linx_task_join(thread(crashes, 8, 0), NULL, LINX_FOREVER);
    return 0;
}
static uint64_t spins(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    spin(NULL);
    return 0;
}
static int recurse(volatile int *p) {
    volatile int frame[32];
    frame[0] = *p + 1;
    return recurse(frame) + frame[1];
}
static uint64_t recursion(const struct intel *in, uint64_t f) {
    int x = 0;
    (void)in, (void)f;
    return (uint64_t)recurse(&x);
}
static uint64_t far_stack(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    volatile char *here = __builtin_frame_address(0);
    for (uint64_t far = 4 * PAGE; far < 64 * PAGE; far += PAGE)
        here[-(int64_t)far] = 1;
    return __LINE__;
}

// ---- objects that it was given, and awkward deaths -----------------------------------------------------------------------------------
static uint64_t hogs_mutex(const struct intel *in, uint64_t f) {
    (void)f;
    (void)linx_mutex_lock(in->mutex, LINX_FOREVER);
    for (;;)
        linx_sleep(1000);
}
static uint64_t dies_with_mutex(const struct intel *in, uint64_t f) {
    (void)f;
    (void)linx_mutex_lock(in->mutex, LINX_FOREVER);
    return illegal_word(0, mine);
}
static uint64_t dies_in_body(const struct intel *in, uint64_t f) {
    (void)f;
    (void)linx_mutex_lock(in->mutex, LINX_FOREVER);
    return mpar_store(in->at[R_HOLE], mine);
}
static uint64_t dies_waiting(const struct intel *in, uint64_t f) {
    (void)f;
    for (;;) {
        (void)linx_mutex_lock(in->mutex, LINX_FOREVER);
        linx_sleep(500);
        (void)linx_mutex_unlock(in->mutex);
    }
}
static uint64_t hogs_queue(const struct intel *in, uint64_t f) {
    (void)f;
    for (;;)
        (void)linx_queue_send(in->queue, mine, LINX_FOREVER);
}
static uint64_t suspends_itself(const struct intel *in, uint64_t f) {
    (void)f;
    (void)linx_mutex_lock(in->mutex, LINX_FOREVER);
    (void)linx_task_suspend(in->self);
    return __LINE__;
}
static linx_handle own_mutex, own_queue, own_sem;
static void waits_somewhere(void *arg) {
    switch ((uintptr_t)arg) {
    case 0: linx_mutex_lock(own_mutex, LINX_FOREVER); linx_sem_wait(own_sem, LINX_FOREVER); break;
    case 1: linx_mutex_lock(own_mutex, LINX_FOREVER); break;
    case 2: linx_queue_receive(own_queue, mine, LINX_FOREVER); break;
    case 3: linx_sem_wait(own_sem, 1000000); break;
    case 4: linx_task_join(intel->self, NULL, LINX_FOREVER); break;
    case 5: linx_mutex_lock(intel->mutex, LINX_FOREVER); linx_sleep(LINX_FOREVER - 1); break;
    case 6: linx_task_suspend(linx_task_self()); break;
    default: linx_sleep(1000000);
    }
}
static uint64_t threads_die(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    own_mutex = linx_mutex_create();
    own_queue = linx_queue_create(64, 1);
    own_sem = linx_sem_create(0, 1);
    for (uint64_t i = 0; i < 10; i++)
        (void)thread(waits_somewhere, i, 0);
    linx_sleep(30000);
    return 0;
}
static uint64_t handler_kind;
static int evil(struct linx_fault *f, struct linx_fault_state *s) {
    static int calls;
    struct linx_engine_image *im = s->image;
    uint64_t kernel = intel->at[R_KERNEL_TEXT];
    if (IS_SECRET((uint32_t)s->reg[2]) || (im != NULL && IS_SECRET(im->group[0].vt[3][5])))
        steal(__LINE__, 0, s->reg[2]);
    switch (handler_kind) {
    case 0: spin(NULL); break;
    case 1: load8(intel->at[R_KERNEL_DATA], mine); break;
    case 2: s->bpc = kernel; break;
    case 3: s->tpc = kernel; s->bpc = kernel; break;
    case 4: s->image = (struct linx_engine_image *)intel->at[R_VICTIM_HEAP]; break;
    case 5: im->group[0].tpc = kernel; break;
    case 6: im->lb[0] = 1; break;
    case 7: im->group[0].lc[0] = 0xffff; break;
    case 8: return 77;
    case 9: return calls++ < 20 ? LINX_FAULT_RETRY : LINX_FAULT_END_TASK;
    case 10: s->reg[1] = intel->at[R_KERNEL_BSS]; s->bpc = (uint64_t)(uintptr_t)fentry_store; s->reg[2] = s->reg[1]; break;
    case 11:
        if (linx_fault_handler(evil, NULL, 0) >= 0)
            steal(__LINE__, 0, 0);
        linx_fault_return(LINX_FAULT_END_TASK);
        break;
    case 12: linx_mem_free(pointer((uint64_t)(uintptr_t)&calls & ~(uint64_t)(PAGE - 1))); return LINX_FAULT_END_TASK;
    case 13: s->barg = ~(uint64_t)0; s->fp = ~(uint64_t)0; s->next = kernel; f->ring = 0; f->tpc = kernel; return LINX_FAULT_END_TASK;
    default: linx_task_suspend(linx_task_self()); return LINX_FAULT_END_TASK;
    }
    return LINX_FAULT_RETRY;
}
static void resumes(void *arg) {
    (void)arg;
    for (;;) {
        linx_sleep(10000);
        (void)linx_task_resume(intel->self);
    }
}
static uint64_t handler(const struct intel *in, uint64_t kind) {
    handler_kind = kind;
    MUST(linx_fault_handler(evil, NULL, 0) == 0);
    if (kind == 14)
        (void)thread(resumes, 0, 0);
    if (kind >= 4 && kind <= 7)
        mpar_store(in->at[R_HOLE], mine);
    else
        store8(in->at[R_HOLE], mine);
    return __LINE__;
}
static void crashes_handled(void *arg) {
    (void)linx_fault_handler(evil, NULL, 0);
    mpar_store((uint64_t)(uintptr_t)arg, mine);
}
static uint64_t handler_bomb(const struct intel *in, uint64_t f) {
    (void)f;
    handler_kind = 9;
    for (int round = 0; round < 2; round++) {
        linx_handle h[16];
        int n = 0;
        while (n < 16 && (h[n] = thread(crashes_handled, in->at[R_HOLE], 0)) > 0)
            n++;
        while (n > 0)
            linx_task_join(h[--n], NULL, LINX_FOREVER);
    }
    return 0;
}
static uint64_t forged_return(const struct intel *in, uint64_t f) {
    (void)in, (void)f;
    for (uint64_t answer = 0; answer < 5; answer++)
        REFUSED(raw_syscall(answer, 0, 0, 0, CALL_FAULT_RETURN));
    return 0;
}
static uint64_t handler_in_kernel(const struct intel *in, uint64_t f) {
    (void)f;
    static _Alignas(16) char stack[32768];
    REFUSED(raw_syscall(in->at[R_KERNEL_TEXT], (uint64_t)(uintptr_t)stack, sizeof stack, 0, CALL_FAULT_HANDLER));
    REFUSED(raw_syscall(in->at[R_VICTIM_HEAP], (uint64_t)(uintptr_t)stack, sizeof stack, 0, CALL_FAULT_HANDLER));
    REFUSED(raw_syscall((uint64_t)(uintptr_t)never, (uint64_t)(uintptr_t)stack, ~(uint64_t)15, 0, CALL_FAULT_HANDLER));
    return 0;
}

// ---- the list -----------------------------------------------------------------------------------------------------------------------------
struct entry {
    const char *name, *what;
    uint64_t (*run)(const struct intel *in, uint64_t argument);
    weapon *weapon;
    uint64_t argument;
    enum expected expected;
};
static const char *const region_names[] = {
#define REGION(name, what) what,
#define REGION_READ_ONLY(name, what) what,
#include "attacks.def"
#undef REGION
#undef REGION_READ_ONLY
};
static const char *const pointer_names[] = {
#define POINTER(name, what) what,
#include "attacks.def"
#undef POINTER
};
static const struct entry reads[] = {
#define READ(f, how) { #f, how, region_read, f, 0, FAULT_LOAD },
#include "attacks.def"
#undef READ
};
static const struct entry writes[] = {
#define WRITE(f, how) { #f, how, region_write, f, 0, FAULT_STORE },
#include "attacks.def"
#undef WRITE
};
static const struct entry oracles[] = {
#define ORACLE(f, how) { #f, how, region_oracle, f, 0, HELD },
#include "attacks.def"
#undef ORACLE
};
static const struct entry executes[] = {
#define EXECUTE(f, how) { #f, how, region_read, f, 0, STOPPED },
#include "attacks.def"
#undef EXECUTE
};
static const struct entry calls[] = {
#define CALL(f, how) { #f, how, f, NULL, 0, HELD },
#include "attacks.def"
#undef CALL
};
static const struct entry others[] = {
#define ATTACK(f, arg, expected, what) { #f, what, f, (weapon *)(uintptr_t)(arg), (uint64_t)(uintptr_t)(arg), expected },
#include "attacks.def"
#undef ATTACK
};
#define COUNT(a) (sizeof (a) / sizeof (a)[0])
enum { READABLE = R_TEXT };             // regions from here on may be read

static const struct {
    const struct entry *entries;
    uint32_t count, times;
    const char *const *with;
} groups[] = {
    { reads, COUNT(reads), READABLE, region_names }, { writes, COUNT(writes), REGIONS, region_names },
    { oracles, COUNT(oracles), READABLE, region_names }, { executes, COUNT(executes), READABLE, region_names },
    { calls, COUNT(calls), POINTERS, pointer_names }, { others, COUNT(others), 1, NULL },
};

uint32_t attack_count(void) {
    uint32_t n = 0;
    for (unsigned g = 0; g < COUNT(groups); g++)
        n += groups[g].count * groups[g].times;
    return n;
}

static void append(char *to, size_t room, const char *text) {
    size_t used = strlen(to);
    while (*text != 0 && used + 1 < room)
        to[used++] = *text++;
    to[used] = 0;
}

void attack_get(uint32_t index, struct attack *a) {
    unsigned g = 0;
    for (; index >= groups[g].count * groups[g].times; g++)
        index -= groups[g].count * groups[g].times;
    const struct entry *e = &groups[g].entries[index / groups[g].times];
    uint32_t n = index % groups[g].times;
    a->run = e->run;
    a->weapon = e->weapon;
    a->argument = groups[g].with != NULL ? n : e->argument;
    a->expected = e->expected;
    a->what[0] = 0;
    append(a->what, sizeof a->what, e->what);
    if (groups[g].with != NULL) {
        append(a->what, sizeof a->what, ": ");
        append(a->what, sizeof a->what, groups[g].with[n]);
    }
}

void attacker(void *arg) {
    struct attack a;
    intel = arg;
    attack_get(intel->attack, &a);
    current_weapon = a.weapon;
    argument = a.argument;
    linx_task_exit((int64_t)a.run(intel, argument));
}
