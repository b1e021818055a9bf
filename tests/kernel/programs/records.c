// SPDX-License-Identifier: BSD-2-Clause
// Ring 2: raises every row of raise.S and compares the record with the table. The handler leaves the fault by going on at
// the return address.
#include "check.h"
#include "demos/options.h"
#include "lib/string.h"
#include "linx/fault.h"
#include "raise.h"

_Alignas(16) static char stack[LINX_FAULT_STACK_BODY];
static uint64_t buffer[512];
static struct linx_fault got;
static volatile int faults;

static int keep(struct linx_fault *f, struct linx_fault_state *s) {
    if (faults++ == 0)
        got = *f;
    s->reg[1] = s->reg[23];             // sp as the case found it
    s->bpc = s->reg[10];
    return LINX_FAULT_RETRY;
}

static bool translated;                 // tasks run with the MMU on: learnt from one load, then expected everywhere

static uint32_t cause_of(uint32_t cause) {
    static const uint8_t with_mmu[] = { LINX_EC_PAGE, LINX_EC_LOAD_PAGE, LINX_EC_STORE_PAGE, LINX_EC_TRANS };
    static const uint8_t without[] = { LINX_EC_ACCESS, LINX_EC_LOAD_ACCESS, LINX_EC_STORE_ACCESS, LINX_EC_ACCESS };
    if (!(cause & BY_MMU))
        return cause;
    return translated ? with_mmu[cause & 15] : without[cause & 15];
}

static uint64_t place(uint64_t where) {
    return where == 1 ? RAISE_HOLE : where == 2 ? RAISE_HOLE + 1 : where == 3 ? RAISE_FAR : where;
}

static void check_row(const struct raise_row *r) {
    static char name[64];
    uint64_t from = r->from == FROM_HOLE ? RAISE_HOLE : r->from == FROM_BUFFER ? (uint64_t)buffer : 0;
    memcpy(name, "record: ", 8);
    memcpy(name + 8, r->name, strlen(r->name) + 1);
    test_begin(name);
    memset(&got, 0, sizeof got);
    faults = 0;
    raise_call(RAISE_HOLE, buffer, r->function);
    CHECK_EQ(faults, 1);
    CHECK_EQ(got.version, LINX_FAULT_VERSION);
    CHECK_EQ(got.bytes, sizeof got);
    CHECK_EQ(got.ring, LINX_ACR_TASK);
    CHECK_EQ(got.trap, r->trap);
    CHECK_EQ(got.cause, cause_of(r->cause));
    CHECK_EQ(got.kind, r->kind);
    CHECK_EQ(got.inside, r->inside);
    CHECK_EQ(got.bpc, place(r->bpc));
    CHECK_EQ(got.tpc, place(r->tpc));
    CHECK_EQ(got.address, from + r->address);
    CHECK_EQ(got.lanes, r->lanes);
    CHECK_EQ(got.access, r->access);
    CHECK_EQ(got.access_bytes, r->bytes);
    CHECK_EQ(got.local, r->local);
    bool body = r->inside && r->kind >= LINX_BLOCK_VPAR && r->kind <= LINX_BLOCK_MSEQ;
    CHECK_EQ(got.groups != 0, body);
    if (body) {
        CHECK_EQ(got.active, ~(uint64_t)0);
        CHECK_EQ(got.lb[0], 64);
        CHECK_EQ(got.lb[1] * got.lb[2], 1);
        CHECK_EQ(got.lc[0] | got.lc[1] | got.lc[2] | got.group | got.slot, 0);
        CHECK(got.header.flags & LINX_HEADER_TEXT);
    }
    if (r->bpc > 3) {
        const char *symbol = got.bpc_symbol;
        CHECK(memcmp(symbol, "raise_", 6) == 0 && memcmp(symbol + 6, r->name, strlen(symbol + 6)) == 0);
        CHECK_EQ(got.bpc_offset, r->bpc - r->function);
    }
    test_end();
}

int main(void) {
    CHECK_EQ(linx_fault_handler(keep, stack, sizeof stack), 0);
    const struct raise_row *load = raise_rows;
    while (strcmp(load->name, "STD_load") != 0)
        load++;
    raise_call(RAISE_HOLE, buffer, load->function);
    translated = got.cause == LINX_EC_LOAD_PAGE;
    linx_printf("# hole %lx\n", (unsigned long)RAISE_HOLE);
    linx_printf("# tasks are %s\n", translated ? "translated" : "not translated");
    struct linx_system_info info;
    linx_system_info(&info);
    bool sp = option(info.bootargs, "sp", 1);   // rows that break sp: an interrupt before their fault is a stack overflow
    uint64_t rows = 0;
    if (option(info.bootargs, "list", 0)) {     // for test_fault_rings.py: places from the function's start, plus 16
        for (const struct raise_row *r = raise_rows; r < raise_rows + raise_count; r++)
            linx_printf("row %s %x %x %x %x %x %lx %x %lx %lx\n", r->name, r->trap, r->cause, r->kind, r->inside, r->from,
                        (unsigned long)r->address, r->rings, (unsigned long)(r->bpc > 3 ? r->bpc - r->function + 16 : r->bpc),
                        (unsigned long)(r->tpc > 3 ? r->tpc - r->function + 16 : r->tpc));
        return 0;
    }
    for (const struct raise_row *r = raise_rows; r < raise_rows + raise_count; r++)
        if ((r->rings & IN_2) && (sp || r->kind != LINX_BLOCK_TEMPLATE || r->name[0] == 'm')) {
            check_row(r);
            rows++;
        }
    linx_printf("# %lu rows\n", rows);
    return test_failures + (rows < 100);
}
