// SPDX-License-Identifier: BSD-2-Clause
// What attackers, victims and main share.
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdbool.h>

#include "linx/arch.h"
#include "linx/rt.h"

#define SECRET 0x5ec3e700u              // the low byte says which
#define IS_SECRET(v) (((v) & 0xffffff00u) == SECRET)

enum region {
#define REGION(name, what) R_##name,
#define REGION_READ_ONLY(name, what) R_##name,
#include "attacks.def"
#undef REGION
#undef REGION_READ_ONLY
    REGIONS
};

// A page of main's that attackers may read: all that an attacker could find out, and its orders.
struct intel {
    uint64_t at[REGIONS];
    uint32_t attack;
    linx_handle report;                 // queue, given: what it stole
    linx_handle self;
    // given
    linx_handle mutex, queue, task;
    // not given: the victims' and main's
    linx_handle victim, other_task, sem, other_mutex, other_queue, event;
};
// A page of main's that one victim may write.
struct diary {
    volatile uint64_t rounds, wrong;
    uint64_t heap, stack, tls;
};
struct loot {
    uint32_t attack, line;
    uint64_t address, value;
};

// How an attack has to end
enum expected { FAULT_LOAD, FAULT_STORE, STOPPED, HELD, ENDLESS, ANY };
typedef uint64_t weapon(uint64_t address, uint64_t *mine);
struct attack {
    char what[128];
    uint64_t (*run)(const struct intel *in, uint64_t argument);     // 0: refused
    weapon *weapon;
    uint64_t argument;
    enum expected expected;
};
uint32_t attack_count(void);
void attack_get(uint32_t index, struct attack *a);
linx_entry attacker, victim_keeper, victim_caller;

#endif
