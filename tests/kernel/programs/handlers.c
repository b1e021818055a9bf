// SPDX-License-Identifier: BSD-2-Clause
// Handlers: what they can change, where each answer leads, and those that misbehave: every one of these ends its own task,
// with the right status, and nothing else.
#include "check.h"
#include "lib/string.h"
#include "linx/arch.h"
#include "linx/fault.h"
#include "linx/tile.h"

#define HOLE 0x3000000000
#define STATUS(num, cause) ((int64_t)(num) << 24 | (cause))

uint64_t load_through_t(uint64_t address), jump_to(uint64_t address);
uint64_t end_fall(uint64_t), end_direct(uint64_t), end_taken(uint64_t), end_not_taken(uint64_t), end_fixup(uint64_t);
uint64_t end_template(uint64_t), end_return(uint64_t);
void missing_tile(uint32_t *to), twice(const uint32_t *from, uint32_t *to);
void body_with_tiles(uint32_t *from, uint32_t *to, uint64_t missing), to_stack(uint64_t sp, uint64_t address), spin_here(void);

#define STACKS 3
_Alignas(16) static char area[STACKS][LINX_FAULT_STACK_BODY];
#define stacks(i) area[i]
static uint64_t word = 41;
static uint32_t from[256], to[256], missing[256], spare[64];
static volatile int handled;
static linx_handle gate, arrived;
static int64_t hole_load;               // status of a load from the hole: access fault, page fault with the MMU

// ---- what a handler can change
static int give_value(struct linx_fault *f, struct linx_fault_state *s) {      // the load's result, and behind it
    handled++;
    s->t[3] = s->t[2];
    s->t[2] = s->t[1];
    s->t[1] = s->t[0];
    s->t[0] = 1000;
    s->u[0] += 3;
    s->tpc += f->tpc_bytes;
    return LINX_FAULT_RETRY;
}
static int give_pointer(struct linx_fault *f, struct linx_fault_state *s) {
    handled++;
    s->reg[2] = (uint64_t)&word;
    return f->address == HOLE ? LINX_FAULT_RETRY : LINX_FAULT_END_TASK;
}
static int end_block(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    handled++;
    return LINX_FAULT_END_BLOCK;
}
static int go_home(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f;
    handled++;
    s->reg[2] = 77;
    s->bpc = s->reg[10];
    return LINX_FAULT_RETRY;
}
static int push_tile(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    handled++;
    LINX_TLOAD(U<32B>, U32, from, 8, 1);
    return LINX_FAULT_RETRY;
}
static int busy_repair(struct linx_fault *f, struct linx_fault_state *s) {     // with the engine, waiting, and calls of all kinds
    static uint32_t doubled[64];
    (void)f;
    handled++;
    for (int i = 0; i < 64; i++)
        spare[i] = (uint32_t)i;
    twice(spare, doubled);
    bool good = true;
    for (int i = 0; i < 64; i++)
        good &= doubled[i] == 2u * (uint32_t)i;
    linx_sleep(30000000);               // longer than the budget: waiting does not count
    linx_yield();
    good &= linx_fault_handler(NULL, NULL, 0) == LINX_ESTATE;
    s->image->ri[0] = (uint64_t)missing;
    return good ? LINX_FAULT_RETRY : LINX_FAULT_END_TASK;
}

static void use(linx_fault_fn *fn) {
    handled = 0;
    CHECK_EQ(linx_fault_handler(fn, stacks(0), sizeof stacks(0)), LINX_OK);
}

static void test_changes(void) {
    test_begin("a handler changes registers, queues and where the block goes on");
    use(give_value);
    CHECK_EQ(load_through_t(HOLE), 1000 + 1 + 7 + 3);
    CHECK_EQ(handled, 1);
    use(give_pointer);
    CHECK_EQ(load_through_t(HOLE), 41 + 1 + 7);
    CHECK_EQ(handled, 1);
    test_end();

    test_begin("an ended scalar block goes on at its target, fixup label or next block");
    use(end_block);
    CHECK_EQ(end_fall(HOLE), 1);
    CHECK_EQ(end_direct(HOLE), 2);
    CHECK_EQ(end_taken(HOLE), 3);
    CHECK_EQ(end_not_taken(HOLE), 4);
    CHECK_EQ(end_fixup(HOLE), 5);
    CHECK_EQ(end_template(HOLE), 6);
    CHECK_EQ(handled, 6);
    test_end();

    test_begin("a wild jump goes on where the handler says");
    use(go_home);
    CHECK_EQ(jump_to(HOLE), 77);
    CHECK_EQ(jump_to(3), 77);
    CHECK_EQ(handled, 2);
    test_end();

    test_begin("a handler supplies a missing tile");
    use(push_tile);
    memset(to, 0, sizeof to);
    for (int i = 0; i < 256; i++)
        from[i] = 5u * (uint32_t)i;
    missing_tile(to);
    CHECK_EQ(memcmp(from, to, 32), 0);
    CHECK_EQ(handled, 1);
    test_end();

    test_begin("a handler of a body may use the engine, wait and sleep");
    use(busy_repair);
    for (int i = 0; i < 256; i++)
        missing[i] = (uint32_t)(i << 16);
    body_with_tiles(from, to, HOLE);
    CHECK_EQ(handled, 1);
    for (uint32_t i = 0; i < 256; i++)
        CHECK_EQ(to[i], 5 * i + 1 + (i << 16));
    test_end();

    test_begin("registration checks its arguments");
    CHECK_EQ(linx_fault_handler(go_home, stacks(0), LINX_FAULT_STACK_MIN - 1), LINX_EINVAL);
    CHECK_EQ(linx_fault_handler((linx_fault_fn *)area, stacks(0), sizeof stacks(0)), LINX_EFAULT);
    CHECK_EQ(linx_fault_handler((linx_fault_fn *)1, stacks(0), sizeof stacks(0)), LINX_EFAULT);
    CHECK_EQ(linx_fault_handler(go_home, (void *)HOLE, sizeof stacks(0)), LINX_EFAULT);
    CHECK_EQ(linx_fault_handler(go_home, (void *)(uint64_t)test_changes, sizeof stacks(0)), LINX_EFAULT);
    CHECK_EQ(linx_fault_handler(go_home, NULL, LINX_FAULT_STACK_MIN - 1), LINX_EINVAL);
    CHECK_EQ(linx_fault_handler(go_home, NULL, (size_t)1 << 30), LINX_ENOMEM);
    CHECK_EQ(linx_fault_return(LINX_FAULT_RETRY), LINX_ESTATE);
    struct linx_system_info before, after;
    linx_system_info(&before);
    CHECK_EQ(linx_fault_handler(go_home, NULL, 0), LINX_OK);
    CHECK_EQ(linx_fault_handler(go_home, NULL, LINX_FAULT_STACK_MIN), LINX_OK);
    handled = 0;
    CHECK_EQ(jump_to(HOLE), 77);
    CHECK_EQ(handled, 1);
    CHECK_EQ(linx_fault_handler(NULL, NULL, 0), LINX_OK);
    linx_system_info(&after);
    CHECK_EQ(after.task_free, before.task_free);
    CHECK_EQ(linx_fault_handler(NULL, NULL, 0), LINX_OK);
    CHECK_EQ(linx_fault_handler(NULL, NULL, 0), LINX_OK);
    test_end();
}

// ---- handlers that misbehave
static struct linx_engine_group *group(struct linx_fault_state *s, int i) { return &s->image->group[i]; }

static int h_gives_up(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_END_TASK; }
static int h_nonsense(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, 77; }
static int h_negative(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, -1; }
static int h_skips(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_SKIP_LANES; }
static int h_ends_block(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_END_BLOCK; }
static int h_faults(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    *(volatile int *)8 = 1;
    return LINX_FAULT_RETRY;
}
static int h_faults_in_body(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    body_with_tiles(from, to, HOLE);
    return LINX_FAULT_RETRY;
}
static int h_loops(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    spin_here();
    return LINX_FAULT_RETRY;
}
static int h_far_tpc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, group(s, 0)->tpc = HOLE, LINX_FAULT_RETRY; }
static int h_odd_tpc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, group(s, 0)->tpc |= 1, LINX_FAULT_RETRY; }
static int h_data_tpc(struct linx_fault *f, struct linx_fault_state *s) {
    return group(s, f->groups - 1)->tpc = (uint64_t)&word, LINX_FAULT_RETRY;
}
static int h_kernel_tpc(struct linx_fault *f, struct linx_fault_state *s) {
    return (void)f, group(s, 0)->tpc = 0x80000000, LINX_FAULT_RETRY;
}
static int h_no_tpc(struct linx_fault *f, struct linx_fault_state *s) {
    for (int i = 0; i < f->groups; i++)
        group(s, i)->tpc = 0;
    return LINX_FAULT_RETRY;
}
static int h_lc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, group(s, 0)->lc[0] = 256, LINX_FAULT_RETRY; }
static int h_lc_odd(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, group(s, 0)->lc[0] = 1, LINX_FAULT_RETRY; }
static int h_lc2(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, group(s, 0)->lc[2] = 1, LINX_FAULT_END_BLOCK; }
static int h_lb(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->image->lb[0]--, LINX_FAULT_RETRY; }
static int h_image(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->image = (void *)from, LINX_FAULT_RETRY; }
static int h_no_image(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->image = NULL, LINX_FAULT_RETRY; }
static int h_bpc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->bpc = HOLE, LINX_FAULT_RETRY; }
static int h_kernel_bpc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->bpc = 0x80000000, LINX_FAULT_RETRY; }
static int h_tpc(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, s->tpc = 0x80000000, LINX_FAULT_RETRY; }
static int h_sp(struct linx_fault *f, struct linx_fault_state *s) {            // the task's next use of its stack faults
    s->reg[1] = HOLE;
    s->reg[2] = (uint64_t)&word;
    return f->address == HOLE ? LINX_FAULT_RETRY : LINX_FAULT_END_TASK;
}
static int h_exits(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    linx_task_exit(123);
}
static void yields(void) {
    for (;;)
        linx_yield();
}
static int h_leaves(struct linx_fault *f, struct linx_fault_state *s) {        // as longjmp would: with the task's own sp
    (void)f;
    to_stack(s->reg[1], (uint64_t)yields);
    return 0;
}
static int recurse(volatile int *p, int n) {
    volatile int frame[16];
    frame[0] = n + *p;
    linx_yield();
    return n > 100000 ? n : recurse(frame, n + 1) + frame[0];
}
static int h_overflows(struct linx_fault *f, struct linx_fault_state *s) {
    int x = 0;
    (void)f, (void)s;
    return recurse(&x, 0);
}
static int h_waits(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f;
    linx_sem_post(arrived);
    linx_sem_wait(gate, LINX_FOREVER);
    if (s->image != NULL)
        s->image->ri[0] = (uint64_t)missing;
    else
        s->reg[2] = (uint64_t)&word;
    return LINX_FAULT_RETRY;
}

enum victim { SCALAR, BODY, RETURN, SMALL, GUARDED };  // what faults; SMALL, GUARDED: a body, with a stack for scalar faults
                                                       // only, with one of the kernel's
struct victim_arg { linx_fault_fn *fn; enum victim what; int stack; };
static void victim(void *arg) {
    const struct victim_arg *v = arg;
    if (linx_fault_handler(v->fn, v->what == GUARDED ? NULL : stacks(v->stack),
                           v->what == GUARDED ? 0 : v->what == SMALL ? LINX_FAULT_STACK_MIN : sizeof stacks(0)) != 0)
        linx_task_exit(-1);
    volatile uint64_t on_stack = 0;
    if (v->what == SCALAR)
        on_stack += load_through_t(HOLE);
    else if (v->what == RETURN)
        end_return(HOLE);
    else
        body_with_tiles(from, to, HOLE);
}

static linx_handle start(struct victim_arg *v) {
    struct linx_task_attr attr = { .name = "victim", .priority = 16 };
    return linx_task_create(&attr, victim, v);
}

static const struct {
    const char *name;
    linx_fault_fn *fn;
    enum victim what;
    int how;
    int64_t status;             // 0: that of the load from the hole
} cases[] = {
    { "gives up", h_gives_up, SCALAR, LINX_ENDED_FAULT, 0 },
    { "gives up in a body", h_gives_up, BODY, LINX_ENDED_FAULT, 0 },
    { "answers nonsense", h_nonsense, SCALAR, LINX_ENDED_FAULT, 0 },
    { "answers nonsense in a body", h_negative, BODY, LINX_ENDED_FAULT, 0 },
    { "skips lanes of a scalar block", h_skips, SCALAR, LINX_ENDED_FAULT, 0 },
    { "ends a return without a target", h_ends_block, RETURN, LINX_ENDED_FAULT, 0 },
    { "faults", h_faults, SCALAR, LINX_ENDED_FAULT, -1 },
    { "faults after a body", h_faults, BODY, LINX_ENDED_FAULT, -1 },
    { "faults in a body after a body", h_faults_in_body, BODY, LINX_ENDED_FAULT, 0 },
    { "loops", h_loops, SCALAR, LINX_ENDED_FAULT, 0 },
    { "loops after a body", h_loops, BODY, LINX_ENDED_FAULT, 0 },
    { "sends a group into a hole", h_far_tpc, BODY, LINX_ENDED_FAULT, 0 },
    { "sends a group to an odd address", h_odd_tpc, BODY, LINX_ENDED_FAULT, 0 },
    { "sends a group into data", h_data_tpc, BODY, LINX_ENDED_FAULT, 0 },
    { "sends a group into the kernel", h_kernel_tpc, BODY, LINX_ENDED_FAULT, 0 },
    { "leaves no group", h_no_tpc, BODY, LINX_ENDED_FAULT, 0 },
    { "sets LC beyond LB", h_lc, BODY, LINX_ENDED_FAULT, 0 },
    { "sets LC inside a group", h_lc_odd, BODY, LINX_ENDED_FAULT, 0 },
    { "sets LC2 beyond LB2", h_lc2, BODY, LINX_ENDED_FAULT, 0 },
    { "changes LB", h_lb, BODY, LINX_ENDED_FAULT, 0 },
    { "changes where the image is", h_image, BODY, LINX_ENDED_FAULT, 0 },
    { "hides the image", h_no_image, BODY, LINX_ENDED_FAULT, 0 },
    { "adds an image", h_image, SCALAR, LINX_ENDED_FAULT, 0 },
    { "goes on in a hole", h_bpc, SCALAR, LINX_ENDED_FAULT, 0 },
    { "goes on in a hole after a body", h_bpc, BODY, LINX_ENDED_FAULT, 0 },
    { "goes on in the kernel", h_kernel_bpc, SCALAR, LINX_ENDED_FAULT, 0 },
    { "goes on inside the kernel", h_tpc, SCALAR, LINX_ENDED_FAULT, 0 },
    { "sets sp outside the stack", h_sp, SCALAR, LINX_ENDED_FAULT, 0 },
    { "exits", h_exits, SCALAR, LINX_ENDED_EXIT, 123 },
    { "exits after a body", h_exits, BODY, LINX_ENDED_EXIT, 123 },
    { "leaves its stack", h_leaves, SCALAR, LINX_ENDED_FAULT, 0 },
    { "overflows its stack", h_overflows, GUARDED, LINX_ENDED_FAULT, -1 },
    { "has too small a stack", h_skips, SMALL, LINX_ENDED_FAULT, 0 },
};

static volatile uint64_t bystander_count;
static volatile bool bystander_stop;
static void bystander(void *arg) {
    (void)arg;
    while (!bystander_stop)
        bystander_count++;
}

static void test_misbehaviour(void) {
    static char name[80];
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct victim_arg v = { cases[i].fn, cases[i].what, 0 };
        int64_t status = 0, want = cases[i].status;
        memcpy(name, "a handler that ", 15);
        memcpy(name + 15, cases[i].name, strlen(cases[i].name) + 1);
        test_begin(name);
        if (cases[i].how == LINX_ENDED_FAULT)
            want = want == -1 ? (hole_load + 3) : hole_load;    // store faults are three after the loads'
        uint64_t before = bystander_count;
        linx_handle h = start(&v);
        CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), cases[i].how);
        CHECK_EQ(status, want);
        linx_sleep(20000);
        CHECK(bystander_count > before);
        test_end();
    }
}

// ---- killed, stopped, side by side
static void apart(void *what) {         // with a copy of its own of everything here
    if (linx_fault_handler(what == NULL ? give_pointer : busy_repair, NULL, 0) != LINX_OK)
        linx_task_exit(-1);
    if (what == NULL)
        linx_task_exit((int64_t)load_through_t(HOLE));
    int64_t good = 0;
    for (uint32_t i = 0; i < 256; i++)
        from[i] = missing[i] = i;
    body_with_tiles(from, to, HOLE);
    for (uint32_t i = 0; i < 256; i++)
        good += to[i] == 2 * i + 1;
    linx_task_exit(handled == 1 ? good : -2);
}

static void test_lives(void) {
    struct linx_task_info info;
    int64_t status;
    for (int what = SCALAR; what <= BODY; what++) {
        struct victim_arg v = { h_waits, (enum victim)what, 0 };
        test_begin(what == SCALAR ? "killed while its handler waits" : "killed while its handler waits, inside a body");
        linx_handle h = start(&v);
        CHECK_EQ(linx_sem_wait(arrived, LINX_FOREVER), LINX_OK);
        CHECK_EQ(linx_task_kill(h), LINX_OK);
        CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER), LINX_ENDED_KILLED);
        test_end();
        test_begin(what == SCALAR ? "its handler waits and goes on" : "its handler waits and goes on, inside a body");
        h = start(&v);
        CHECK_EQ(linx_sem_wait(arrived, LINX_FOREVER), LINX_OK);
        linx_sleep(1000);
        CHECK_EQ(linx_sem_post(gate), LINX_OK);
        CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
        test_end();
    }
    test_begin("handlers in address spaces of their own");
    for (uintptr_t what = 0; what < 2; what++) {
        struct linx_task_attr attr = { .name = "apart", .priority = 16, .flags = LINX_TASK_SPACE };
        linx_handle h = linx_task_create(&attr, apart, (void *)what);
        CHECK_EQ(linx_task_join(h, &status, LINX_FOREVER), LINX_ENDED_EXIT);
        CHECK_EQ(status, what == 0 ? 41 + 1 + 7 : 256);
    }
    test_end();

    struct victim_arg loops[2] = { { h_loops, SCALAR, 1 }, { h_loops, BODY, 2 } };
    test_begin("killed, suspended and resumed while its handler runs");
    linx_handle h = start(&loops[0]);
    linx_sleep(2000000);
    CHECK_EQ(linx_task_suspend(h), LINX_OK);
    linx_sleep(20000000);               // its time-out comes meanwhile
    CHECK_EQ(linx_task_info(h, &info), LINX_OK);
    CHECK(info.state == 2 && info.cpu_ns < LINX_FAULT_BUDGET_NS);
    CHECK_EQ(linx_task_resume(h), LINX_OK);
    linx_sleep(1000000);
    CHECK_EQ(linx_task_info(h, &info), LINX_OK);
    CHECK(info.state == 0);
    CHECK_EQ(linx_task_kill(h), LINX_OK);
    CHECK_EQ(linx_task_join(h, NULL, LINX_FOREVER), LINX_ENDED_KILLED);
    test_end();

    test_begin("two handlers that loop get their budget and no more");
    linx_handle two[2] = { start(&loops[0]), start(&loops[1]) };
    uint64_t begun = linx_time();
    for (int i = 0; i < 2; i++) {
        for (;;) {
            linx_sleep(200000);
            CHECK_EQ(linx_task_info(two[i], &info), LINX_OK);
            if (info.state == 3 || linx_time() - begun > 1000000000)
                break;
        }
        CHECK_EQ(linx_task_join(two[i], &status, LINX_FOREVER), LINX_ENDED_FAULT);
        CHECK_EQ(status, hole_load);
        CHECK(info.cpu_ns >= LINX_FAULT_BUDGET_NS && info.cpu_ns < LINX_FAULT_BUDGET_NS + 1000000);
    }
    test_end();
}

int main(void) {
    struct linx_system_info a, b;
    gate = linx_sem_create(0, 1);
    arrived = linx_sem_create(0, 1);
    struct linx_task_attr attr = { .name = "bystander", .priority = 10 };
    linx_handle by = linx_task_create(&attr, bystander, NULL);
    struct victim_arg v = { h_gives_up, SCALAR, 0 };
    linx_task_join(start(&v), &hole_load, LINX_FOREVER);
    linx_system_info(&a);
    test_changes();
    test_misbehaviour();
    test_lives();
    test_begin("handlers leak nothing");
    linx_sleep(1000);
    linx_system_info(&b);
    CHECK_EQ(b.objects, a.objects);
    CHECK_EQ(b.task_free, a.task_free);
    struct linx_task_info me;
    linx_task_info(linx_task_self(), &me);
    CHECK(a.kernel_free - b.kernel_free <= me.save_area_bytes + 1024);  // main's own engine state
    bystander_stop = true;
    CHECK_EQ(linx_task_join(by, NULL, LINX_FOREVER), LINX_ENDED_EXIT);
    test_end();
    return test_failures;
}
