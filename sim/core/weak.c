// SPDX-License-Identifier: BSD-2-Clause
// Stand-ins so that the scalar core builds and is tested without the optional parts: weak, replaced by the real ones.
#include "core.h"

#define WEAK __attribute__((weak))

WEAK bool devices_option(struct machine *m, const char *option, const char *arg)
{
    (void)m;
    fprintf(stderr, "linx-sim: -%s %s: built without virtio devices\n", option, arg);
    return false;
}
WEAK bool devices_start(struct machine *m) { (void)m; return true; }
WEAK const char *devices_help(void) { return ""; }

WEAK bool gdb_start(struct machine *m, const char *where, bool wait)
{
    (void)m; (void)wait;
    fprintf(stderr, "linx-sim: -gdb %s: built without the GDB stub\n", where);
    return false;
}
WEAK bool gdb_wants_step(struct machine *m) { (void)m; return false; }
WEAK void gdb_poll(struct machine *m, struct pe *pe) { (void)m; (void)pe; }
WEAK void gdb_finish(struct machine *m, int status) { (void)m; (void)status; }
