// SPDX-License-Identifier: BSD-2-Clause
// Every kind of exception raised on purpose and answered by the task's own handler: repaired and tried again, stepped over,
// lanes or a whole block left out, given up. Prints what happened and what the task did next; exits 0 when all of it is as
// it should be. docs/exceptions.md tells how handlers work.
#include <stdbool.h>

#include "lib/string.h"
#include "linx/arch.h"
#include "linx/fault.h"
#include "linx/rt.h"
#include "linx/tile.h"

#define N    512
#define HOLE 0x3000000000               // nothing is there
#define LOST 0x40000000u                // added to an index: far outside

void mpar_gather(const void *from, uint32_t *to, const uint32_t *table), local_beyond(const uint32_t *from, uint32_t *to);
void mpar_scatter(const uint32_t *from, uint32_t *to, const uint32_t *table), released_tile(uint32_t *from, uint32_t *to);
uint64_t bad_word(void), bad_header(uint32_t *from), failed_assert(uint64_t value), breakpoint(void), wild_jump(uint64_t address);
uint64_t bad_register(void), divide(uint64_t a, uint64_t b), divide_float(double a, double b);
uint64_t attempt(uint64_t (*function)(uint64_t), uint64_t argument, uint64_t save[11]);

static uint32_t from[N], to[N], table[N];
static const uint32_t constant = 7;
static uint64_t save[11];

// ---- answers
static struct linx_fault seen;          // the first fault of a row
static int faults;
static linx_fault_fn *answer;

static int handler(struct linx_fault *f, struct linx_fault_state *s) {
    if (faults++ == 0)
        seen = *f;
    return answer(f, s);
}

static int repair_index(struct linx_fault *f, struct linx_fault_state *s) {    // vu#1 of the lanes at fault
    for (uint64_t m = f->lanes; m != 0; m &= m - 1)
        s->image->group[f->slot].vu[3][__builtin_ctzll(m)] &= ~LOST;
    return LINX_FAULT_RETRY;
}
static int repair_base(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f;
    s->image->ri[0] = (uint64_t)from;
    return LINX_FAULT_RETRY;
}
static int skip_lanes(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_SKIP_LANES; }
static int end_block(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_END_BLOCK; }
static int step_over(struct linx_fault *f, struct linx_fault_state *s) { return s->tpc += f->tpc_bytes, LINX_FAULT_RETRY; }
static int load_again(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f, (void)s;
    LINX_TLOAD(U<32B>, U32, from, 8, 1);
    return LINX_FAULT_RETRY;
}
static int to_caller(struct linx_fault *f, struct linx_fault_state *s) {
    (void)f;
    s->reg[2] = 42;
    s->bpc = s->reg[10];                // ra
    return LINX_FAULT_RETRY;
}
static int give_up(struct linx_fault *f, struct linx_fault_state *s) {         // back to where attempt() was called
    (void)f;
    s->reg[1] = save[0];
    for (int i = 0; i < 10; i++)
        s->reg[10 + i] = save[1 + i];   // ra, s0..s8
    s->reg[2] = 99;
    s->bpc = save[1];
    return LINX_FAULT_RETRY;
}

// ---- what goes wrong; each returns whether the task then had what it should have
static void fill(void) {
    for (uint32_t i = 0; i < N; i++) {
        from[i] = 1000 + i;
        table[i] = N - 1 - i;
    }
    memset(to, 0, sizeof to);
}
// Indices of groups 1, 2 and 6 go astray.
static bool astray(uint32_t i) { return i == 70 || i == 127 || i == 128 || i == 400; }
static void lead_astray(void) {
    for (uint32_t i = 0; i < N; i++)
        table[i] |= astray(i) ? LOST : 0;
}

static bool mpar_load(void) {
    bool good = true;
    lead_astray();
    mpar_gather(from, to, table);
    for (uint32_t i = 0; i < N; i++)
        good &= to[i] == 1000 + N - 1;  // from[N - 1 - i] + i
    return good && faults == 3;
}
static bool mpar_store(void) {
    bool good = true;
    lead_astray();
    mpar_scatter(from, to, table);
    for (uint32_t i = 0; i < N; i++)
        good &= to[N - 1 - i] == (astray(i) ? 0 : 1000 + i);
    return good && faults == 3;
}
static bool mpar_base(void) {
    bool good = true;
    mpar_gather((const void *)HOLE, to, table);
    for (uint32_t i = 0; i < N; i++)
        good &= to[i] == 1000 + N - 1;
    return good && faults == 1;
}
static bool mpar_ended(void) {
    lead_astray();
    mpar_gather(from, to, table);       // group 0 was one instruction ahead of group 1, and its store was not yet done
    for (uint32_t i = 0; i < N; i++)
        if (to[i] != 0)
            return false;
    return faults == 1;
}
static bool local_range(void) {
    bool good = true;
    local_beyond(from, to);
    for (uint32_t i = 0; i < 63; i++)
        good &= to[i] == from[i] + from[i + 1];
    return good && to[63] == 0 && seen.lanes == (uint64_t)1 << 63;
}
static bool illegal(void) { return bad_word() == 1; }
static bool header(void) { return bad_header(from) == 1; }
static bool released(void) {
    released_tile(from, to);
    return memcmp(from, to, 32) == 0;
}
static bool assertion(void) { return failed_assert(0) == 0 && seen.address == 0; }
static bool breaks(void) {
    breakpoint();
    return seen.cause == 13;
}
static uint64_t recurse(uint64_t n) {
    volatile uint64_t frame[32];
    frame[n % 32] = n;
    return n == (uint64_t)1 << 40 ? 0 : recurse(n + 1) + frame[n % 32];
}
static bool overflow(void) { return attempt(recurse, 0, save) == 99; }
static bool jump(void) { return wild_jump(HOLE) == 42; }
static bool jump_odd(void) { return wild_jump(HOLE + 1) == 42; }
static bool jump_data(void) { return wild_jump((uint64_t)&from[4]) == 42; }
static bool register_read(void) { return bad_register() == 1; }
static uint64_t store_constant(uint64_t v) { return *(volatile uint32_t *)&constant = (uint32_t)v; }
static bool read_only(void) { return attempt(store_constant, 1, save) == 99 && constant == 7; }
static bool integer_divide(void) { return divide(5, 0) == ~(uint64_t)0; }
static bool float_divide(void) { return divide_float(1.0, 0.0) == 2 && divide_float(0.0, 0.0) == 1; }      // DZ, NV

#define ANY_PAGE 0x100                  // load or store: access without the MMU, page with it
static const struct row {
    const char *what;
    bool (*run)(void);
    int trap;                           // -1: none is raised
    uint32_t cause;
    linx_fault_fn *answer;
    const char *then;
} rows[] = {
    { "MPAR: loads of 4 lanes astray", mpar_load, LINX_E_DATA, ANY_PAGE, repair_index, "indices repaired, tried again" },
    { "MPAR: stores of 4 lanes astray", mpar_store, LINX_E_DATA, ANY_PAGE, skip_lanes, "these lanes left out" },
    { "MPAR: base address wrong", mpar_base, LINX_E_DATA, ANY_PAGE, repair_base, "ri0 repaired, tried again" },
    { "MPAR: load astray", mpar_ended, LINX_E_DATA, ANY_PAGE, end_block, "block ended" },
    { "VPAR: .local behind its tile", local_range, LINX_E_DATA, LINX_EC_RANGE, skip_lanes, "lane left out" },
    { "illegal instruction", illegal, LINX_E_INST, LINX_EC_ILLEGAL, step_over, "stepped over" },
    { "tile smaller than the header says", header, LINX_E_BLOCK, LINX_EC_INVAL_PARM, end_block, "block left out" },
    { "released tile", released, LINX_E_BLOCK, LINX_EC_INVAL_GET, load_again, "tile loaded, tried again" },
    { "assert", assertion, LINX_E_ASSERT, 0, step_over, "noted, went on" },
    { "breakpoint", breaks, LINX_E_BREAKPOINT, 13, step_over, "noted, went on" },
    { "stack overflow", overflow, LINX_E_DATA, LINX_EC_STORE_PAGE, give_up, "calls given up" },
    { "wild jump", jump, LINX_E_INST, LINX_EC_PAGE, to_caller, "returned to the caller" },
    { "wild jump, odd", jump_odd, LINX_E_INST, LINX_EC_MISALIGNED, to_caller, "returned to the caller" },
    { "wild jump into data", jump_data, LINX_E_INST, LINX_EC_PAGE, to_caller, "returned to the caller" },
    { "system register of the kernel", register_read, LINX_E_ISSR, 0, step_over, "stepped over" },
    { "store to a constant", read_only, LINX_E_DATA, LINX_EC_STORE_PAGE, give_up, "given up" },
    { "5 / 0", integer_divide, -1, 0, NULL, "the quotient is all ones" },
    { "1.0 / 0.0, 0.0 / 0.0", float_divide, -1, 0, NULL, "flags DZ and NV" },
};

static const char *name_of(int trap, uint32_t cause) {
    static const char *const data[] = { "load access", "load misaligned", "load page", "store access", "store misaligned",
                                        "store page", "range", "bus" };
    static const char *const inst[] = { "access", "translation", "misaligned", "illegal", "permission", "page", "bus", "param" };
    static const char *const block[] = { "invalid set", "invalid get", "invalid param", "double set", "fixup", "type" };
    switch (trap) {
    case LINX_E_INST: return cause < 8 ? inst[cause] : "?";
    case LINX_E_DATA: return cause < 8 ? data[cause] : "?";
    case LINX_E_BLOCK: return cause < 6 ? block[cause] : "?";
    case LINX_E_ASSERT: return "assert";
    case LINX_E_BREAKPOINT: return "breakpoint";
    case LINX_E_ISSR: return "E_ISSR";
    default: return "none";
    }
}

static bool run(const struct row *r) {
    fill();
    faults = 0;
    memset(&seen, 0, sizeof seen);
    answer = r->answer;
    bool good = r->run();
    bool page = seen.cause == LINX_EC_LOAD_ACCESS || seen.cause == LINX_EC_LOAD_PAGE || seen.cause == LINX_EC_STORE_ACCESS ||
                seen.cause == LINX_EC_STORE_PAGE;
    if (r->trap < 0)
        good &= faults == 0;
    else
        good &= faults > 0 && seen.trap == r->trap && (r->cause == ANY_PAGE ? page : seen.cause == r->cause);
    linx_printf("%-34s %-16s %3d  %-20s 0x%016lx  %-30s %s\n", r->what, r->trap < 0 ? "none" : name_of(seen.trap, seen.cause),
                faults, seen.tpc_symbol, (unsigned long)seen.lanes, r->then, good ? "as expected" : "WRONG");
    return good;
}

// ---- a task without a handler, and one whose handler gives up
static void plain(void *arg) { *(volatile uint32_t *)arg = 1; }
static int no_idea(struct linx_fault *f, struct linx_fault_state *s) { return (void)f, (void)s, LINX_FAULT_END_TASK; }
static void with_handler(void *arg) {
    answer = no_idea;
    linx_fault_handler(handler, NULL, 0);
    plain(arg);
}

static bool ends(const char *what, linx_entry *entry) {
    struct linx_task_attr attr = { .name = "doomed", .priority = 20 };
    int64_t status = 0;
    faults = 0;
    int how = linx_task_join(linx_task_create(&attr, entry, (void *)HOLE), &status, LINX_FOREVER);
    bool good = how == LINX_ENDED_FAULT && status >> 24 == LINX_E_DATA && faults == (entry == with_handler);
    linx_printf("%-34s %-16s %3d  %-20s 0x%016lx  %-30s %s\n", what, name_of((int)(status >> 24), (uint32_t)status & 0xffffff), faults,
                "", 0ul, "task ended, main went on", good ? "as expected" : "WRONG");
    return good;
}

int main(void) {
    int bad = 0;
    linx_printf("%-34s %-16s %s  %-20s %-18s  %s\n", "what", "exception", "seen", "where", "lanes", "what the task did");
    linx_fault_handler(handler, NULL, 0);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        bad += !run(&rows[i]);
    linx_fault_handler(NULL, NULL, 0);
    bad += !ends("a store, no handler", plain);
    bad += !ends("a store, the handler gives up", with_handler);
    linx_printf("%s\n", bad == 0 ? "PASS" : "FAIL");
    return bad;
}
