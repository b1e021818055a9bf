// SPDX-License-Identifier: BSD-2-Clause
// Registers as a debugger sees them. One table gives number, name, group, access and target description.
#include "gdb.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "pe.h"

enum access { RW, RO };
struct reg { const char *name, *group, *type, *extra; enum access access; uint32_t at; };

#define OFF(member) (uint32_t)offsetof(struct pe, member)
#define GPR(n, name) {name, "general", "uint64", "", RW, OFF(r) + 8 * (n)}
#define BANK(n, member) {#member #n, "system", "uint64", "", RW, OFF(bank) + (n) * sizeof(struct ring_bank) + \
                         offsetof(struct ring_bank, member)}
#define BANKS(n) BANK(n, ecstate), BANK(n, evbase), BANK(n, trapno), BANK(n, traparg0), BANK(n, etemp), BANK(n, econfig), \
                 BANK(n, ebpc), BANK(n, ebpcn), BANK(n, etpc), BANK(n, ebarg), BANK(n, timer_cmp)

static const struct reg regs[] = {
    {"zero", "general", "uint64", "", RO, OFF(r)},
    {"sp", "general", "data_ptr", " generic=\"sp\"", RW, OFF(r) + 8},
    GPR(2, "a0"), GPR(3, "a1"), GPR(4, "a2"), GPR(5, "a3"), GPR(6, "a4"), GPR(7, "a5"), GPR(8, "a6"), GPR(9, "a7"),
    {"ra", "general", "code_ptr", " generic=\"ra\"", RW, OFF(r) + 80},
    {"s0", "general", "uint64", " altname=\"fp\" generic=\"fp\"", RW, OFF(r) + 88},
    GPR(12, "s1"), GPR(13, "s2"), GPR(14, "s3"), GPR(15, "s4"), GPR(16, "s5"), GPR(17, "s6"), GPR(18, "s7"), GPR(19, "s8"),
    GPR(20, "x0"), GPR(21, "x1"), GPR(22, "x2"), GPR(23, "x3"),
    GPR(24, "t1"), GPR(25, "t2"), GPR(26, "t3"), GPR(27, "t4"), GPR(28, "u1"), GPR(29, "u2"), GPR(30, "u3"), GPR(31, "u4"),
    {"bpc", "general", "code_ptr", "", RW, OFF(bpc)},
    [REG_TPC] = {"tpc", "general", "code_ptr", " altname=\"pc\" generic=\"pc\"", RW, OFF(tpc)},
    {"bpcn", "general", "code_ptr", "", RW, OFF(bpcn)},
    {"cstate", "general", "uint64", " generic=\"flags\"", RW, OFF(cstate)},
    {"tp", "general", "data_ptr", "", RW, OFF(tp)},
    {"gp", "general", "data_ptr", "", RW, OFF(gp)},
    // fetched one by one from here on
    BANKS(0), BANKS(1),
    {"mmtbase", "system", "uint64", "", RO, OFF(mmtbase)},
    {"mmconfig", "system", "uint64", "", RO, OFF(mmconfig)},
    {"insns", "system", "uint64", "", RO, OFF(insns)},
};
enum { REGS = sizeof regs / sizeof *regs };
_Static_assert(REG_TPC == 33, "numbers of the target description");

uint64_t reg_pc(struct pe *pe)
{
    uint64_t tpc = pe->tpc;
    unsigned group;
    if (pe->data_active)
        engine_where(pe, &tpc, &group);
    return tpc;
}

bool reg_read(struct pe *pe, unsigned n, uint64_t *value)
{
    if (n >= REGS)
        return false;
    if (n == REG_TPC)
        *value = reg_pc(pe);
    else
        memcpy(value, (const char *)pe + regs[n].at, 8);
    return true;
}

bool reg_write(struct pe *pe, unsigned n, uint64_t value)
{
    if (n >= REGS || regs[n].access == RO)
        return false;
    if (n == REG_TPC && pe->data_active)
        return false;                           // the engine's place in a body is not one register
    if (regs[n].at == OFF(cstate)) {
        // The ring decides about caches and banks: only a trap or ACRE changes it.
        value = (value & ~(uint64_t)LINX_CSTATE_ACR_MASK) | pe_ring(pe);
        pe->leave = true;
    }
    memcpy((char *)pe + regs[n].at, &value, 8);
    if (regs[n].at == OFF(tpc) || regs[n].at == OFF(bpc))
        pe->in_body = pe->tpc != pe->bpc;       // at its own BSTART a block has not begun
    return true;
}

const char *target_xml(void)
{
    static char xml[16384];
    size_t n = 0;
    if (*xml)
        return xml;
#define PRINT(...) (n += (size_t)snprintf(xml + n, sizeof xml - n, __VA_ARGS__))
    PRINT("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
          "<feature name=\"org.linx-rt.core\">\n");
    for (unsigned i = 0; i < REGS; i++) {
        if (i == REG_G_COUNT)
            PRINT("</feature>\n<feature name=\"org.linx-rt.system\">\n");
        PRINT("<reg name=\"%s\" bitsize=\"64\" regnum=\"%u\" type=\"%s\" group=\"%s\"%s%s/>\n", regs[i].name, i,
              regs[i].type, regs[i].group, regs[i].extra, i < REG_G_COUNT ? "" : " save-restore=\"no\"");
    }
    PRINT("</feature>\n</target>\n");
#undef PRINT
    return xml;
}
