// SPDX-License-Identifier: BSD-2-Clause
// Command line of linx-sim.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core.h"

static const char usage[] =
    "usage: linx-sim [options] IMAGE\n"
    "Runs an ELF executable for the Linx core on the board \"virt\" (docs/simulator.md).\n"
    "Exit status: the finisher's code; 1 abnormal end, 124 --max-insns reached, 2 wrong options or image.\n"
    "\n"
    "machine\n"
    "  -M virt[,ram-base=ADDR]   board; RAM at ADDR instead of 0x80000000\n"
    "  -smp cores=C,pes=P        1..16 cores of 1, 2 or 4 PEs (default 1,1); -smp N means N PEs\n"
    "  -m SIZE                   RAM, with suffix K, M or G (default 256M)\n"
    "  --groups N                group slots of the data engine: 1, 2 or 4 (default 4)\n"
    "  -kernel IMAGE             the same as IMAGE\n"
    "  -initrd FILE              placed in RAM and named in the device tree\n"
    "  -append STRING            bootargs in the device tree\n"
    "  -nographic                accepted\n"
    "  -serial WHERE             stdio (default), file:NAME, null\n";
static const char usage_run[] =
    "execution\n"
    "  --quantum N               instructions of a PE in one scheduling round\n"
    "  --seed N                  varies the interleaving of PEs (0: fixed)\n"
    "  --max-insns N             stops after N instructions of all PEs (exit 124)\n"
    "  --dead-pe N               PE N (LXLCID) is in the device tree but never executes anything; repeatable\n"
    "  --preempt-at N[@PE]       raises the ACR1 timer interrupt at instruction N of PE 0 (or PE)\n"
    "  --preempt-each A-B[/S][@PE]  the same for every (S-th) instruction from A to B: one run each, reported in turn\n"
    "  --preempt-every N         raises it after every N instructions in ACR2, on each PE\n"
    "instruments\n"
    "  -d LIST                   insn, trap, tile, mem, irq, separated by commas\n"
    "  -D FILE                   where -d writes (default stderr)\n"
    "  --stats FILE              counters as JSON at the end\n"
    "  --strict                  reports reads of undefined data and stores that overlap between groups\n"
    "  -s, -gdb tcp::PORT        GDB remote stub (-s: port 1234); -S waits for the debugger\n"
    "  --help, --version\n";

static _Noreturn void fail(const char *fmt, const char *a, const char *b)
{
    fputs("linx-sim: ", stderr);
    fprintf(stderr, fmt, a, b);
    fputs(" (--help lists the options)\n", stderr);
    exit(2);
}

static uint64_t number(const char *option, const char *text, bool size)
{
    char *end;
    errno = 0;
    uint64_t v = strtoull(text, &end, 0);
    unsigned shift = 0;
    if (size && *end) {
        shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : *end == 'G' || *end == 'g' ? 30 : 0;
        if (shift) end++;
    }
    if (errno || end == text || *end || *text == '-' || v > UINT64_MAX >> shift) fail("%s: '%s' is not a number", option, text);
    return v << shift;
}

static void option_smp(struct config *c, const char *arg)
{
    char buf[128], *save = NULL;
    snprintf(buf, sizeof buf, "%s", arg);
    for (char *p = strtok_r(buf, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
        if (!strncmp(p, "cores=", 6)) c->cores = (unsigned)number("-smp", p + 6, false);
        else if (!strncmp(p, "pes=", 4)) c->pes = (unsigned)number("-smp", p + 4, false);
        else {
            unsigned n = (unsigned)number("-smp", p, false);
            c->pes = n >= 4 ? 4 : n;
            c->cores = n >= 4 ? n / 4 : 1;
            if (c->cores * c->pes != n) fail("-smp %s: give cores=C,pes=P", arg, "");
        }
    }
    if (c->cores < 1 || c->cores > LINX_MAX_CORES || (c->pes != 1 && c->pes != 2 && c->pes != 4))
        fail("-smp %s: 1..16 cores of 1, 2 or 4 PEs", arg, "");
}

static void option_machine(struct config *c, const char *arg)
{
    char buf[128], *save = NULL;
    snprintf(buf, sizeof buf, "%s", arg);
    for (char *p = strtok_r(buf, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
        if (!strcmp(p, "virt") || !strcmp(p, "type=virt")) continue;
        if (!strncmp(p, "ram-base=", 9)) {
            c->ram_base = number("-M", p + 9, true);
            if (c->ram_base & (PAGE_SIZE - 1)) fail("-M %s: ram-base must be a multiple of 4096", arg, "");
        } else fail("-M %s: the only machine is virt[,ram-base=ADDR]", arg, "");
    }
}

static void option_log(struct config *c, const char *arg)
{
    static const struct { const char *name; unsigned kind; } kinds[] = {
        { "insn", LOG_INSN }, { "trap", LOG_TRAP }, { "tile", LOG_TILE }, { "mem", LOG_MEM }, { "irq", LOG_IRQ } };
    char buf[128], *save = NULL;
    snprintf(buf, sizeof buf, "%s", arg);
    for (char *p = strtok_r(buf, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
        unsigned i = 0;
        while (i < 5 && strcmp(p, kinds[i].name)) i++;
        if (i == 5) fail("-d %s: '%s' is none of insn, trap, tile, mem, irq", arg, p);
        c->log |= kinds[i].kind;
    }
}

static bool is_power_of_two_to_4(uint64_t n) { return n == 1 || n == 2 || n == 4; }

struct deferred { const char *option, *arg; };

// Fills *c; device options are kept for later, when the machine exists. Returns their number.
static unsigned parse(int argc, char **argv, struct config *c, struct deferred *later, unsigned max)
{
    unsigned n = 0;
    for (int i = 1; i < argc; i++) {
        const char *o = argv[i], *arg = i + 1 < argc ? argv[i + 1] : NULL;
        if (*o != '-') {
            if (c->kernel) fail("'%s': there is already an image '%s'", o, c->kernel);
            c->kernel = o;
            continue;
        }
        if (!strncmp(o, "--", 2) && o[2]) o++;      // --x is -x
        if (!strcmp(o, "-help") || !strcmp(o, "-h")) { fputs(usage, stdout); fputs(devices_help(), stdout); fputs(usage_run, stdout); exit(0); }
        if (!strcmp(o, "-version")) { puts("linx-sim 0.1 (Linx v0.56)"); exit(0); }
        if (!strcmp(o, "-nographic")) continue;
        if (!strcmp(o, "-strict")) { c->strict = true; continue; }
        if (!strcmp(o, "-s")) { c->gdb = "tcp::1234"; continue; }
        if (!strcmp(o, "-S")) { c->gdb_wait = true; continue; }
        if (!arg) fail("'%s' is unknown or needs an argument", argv[i], "");
        i++;
        if (!strcmp(o, "-M") || !strcmp(o, "-machine")) option_machine(c, arg);
        else if (!strcmp(o, "-smp")) option_smp(c, arg);
        else if (!strcmp(o, "-m")) c->ram_size = number(o, arg, true);
        else if (!strcmp(o, "-kernel")) c->kernel = arg;
        else if (!strcmp(o, "-initrd")) c->initrd = arg;
        else if (!strcmp(o, "-append")) c->append = arg;
        else if (!strcmp(o, "-serial")) c->serial = arg;
        else if (!strcmp(o, "-groups")) c->group_slots = (unsigned)number(o, arg, false);
        else if (!strcmp(o, "-d")) option_log(c, arg);
        else if (!strcmp(o, "-D")) c->log_file = arg;
        else if (!strcmp(o, "-stats")) c->stats_file = arg;
        else if (!strcmp(o, "-seed")) c->seed = number(o, arg, false);
        else if (!strcmp(o, "-quantum")) c->quantum = number(o, arg, false);
        else if (!strcmp(o, "-max-insns")) c->max_insns = number(o, arg, false);
        else if (!strcmp(o, "-preempt-every")) c->preempt_every = number(o, arg, false);
        else if (!strcmp(o, "-dead-pe")) c->dead_pes |= 1ull << (number(o, arg, false) & 63);
        else if (!strcmp(o, "-preempt-at") || !strcmp(o, "-preempt-each")) {
            char buf[64], *at;
            snprintf(buf, sizeof buf, "%s", arg);
            if ((at = strchr(buf, '@'))) { *at = 0; c->preempt_pe = (unsigned)number(o, at + 1, false); }
            if (o[9] == 'e') {
                char *step = strchr(buf, '/');
                if (step) *step = 0;
                if (!(at = strchr(buf, '-'))) fail("%s takes A-B[/STEP][@PE], not '%s'", argv[i - 1], arg);
                *at = 0;
                c->preempt_last = number(o, at + 1, false);
                c->preempt_step = step ? number(o, step + 1, false) : 1;
            }
            c->preempt_at = number(o, buf, false);
        } else if (!strcmp(o, "-gdb")) c->gdb = arg;
        else if (!strcmp(o, "-netdev") || !strcmp(o, "-device") || !strcmp(o, "-drive") || !strcmp(o, "-chardev") || !strcmp(o, "-nic")) {
            if (n == max) fail("too many device options at '%s'", o, "");
            later[n++] = (struct deferred){ o + 1, arg };
        } else fail("unknown option '%s'", argv[i - 1], "");
    }
    if (!c->kernel) fail("no image given", "", "");
    if (!is_power_of_two_to_4(c->group_slots)) fail("--groups takes 1, 2 or 4", "", "");
    if (c->ram_size < 1 << 20 || c->ram_size & (PAGE_SIZE - 1)) fail("-m: RAM is a multiple of 4096 bytes, at least 1M", "", "");
    if (c->preempt_last && (!c->preempt_at || !c->preempt_step || c->preempt_last < c->preempt_at)) fail("--preempt-each: no instruction in that range", "", "");
    if (c->ram_base + c->ram_size < c->ram_base) fail("-m: RAM reaches past the end of the address space", "", "");
    // One PE alone needs rounds only for the host's sake; several see each other's stores at the end of one.
    if (!c->quantum) c->quantum = c->cores * c->pes == 1 ? 100000 : 1000;
    return n;
}

int main(int argc, char **argv)
{
    struct config c = { .cores = 1, .pes = 1, .group_slots = LINX_MAX_GROUPS, .ram_base = BOARD_RAM_BASE,
                        .ram_size = (uint64_t)256 << 20, .serial = "stdio" };
    enum { MAX_LATER = 64 };
    struct deferred later[MAX_LATER];
    unsigned n = parse(argc, argv, &c, later, MAX_LATER);
    struct machine *m = machine_new(&c);
    if (!m) return 2;
    if (c.log_file && !(m->log = fopen(c.log_file, "w"))) fail("-D %s: %s", c.log_file, strerror(errno));
    for (unsigned i = 0; i < m->num_pes; i++) {
        FILE *log = m->log ? m->log : stderr;
        engine_set_log(m->pe[i]->engine, c.log & LOG_INSN ? log : NULL, c.log & LOG_TILE ? log : NULL);
    }
    struct device *uart = uart_new(m, c.serial);
    bool ok = uart && machine_add_device(m, intc_device()) && machine_add_device(m, uart) &&
              machine_add_device(m, finisher_device(false)) && machine_add_device(m, finisher_device(true));
    for (unsigned i = 0; ok && i < n; i++) ok = devices_option(m, later[i].option, later[i].arg);
    ok = ok && devices_start(m) && machine_load(m);
    int status = 2;
    if (ok) {
        machine_reset(m);
        if (!c.gdb || gdb_start(m, c.gdb, c.gdb_wait)) {
            if (c.preempt_last) preempt_prepare();
            status = machine_run(m);
            if (m->copy) _exit(status);
            gdb_finish(m, status);
            if (c.stats_file && !machine_write_stats(m)) status = status ? status : 2;
        }
    }
    machine_free(m);
    return status;
}
