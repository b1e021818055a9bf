// SPDX-License-Identifier: BSD-2-Clause
// Random and mutated instruction words and images. Each case runs on the fast and on the stepping loop: both must
// end in the same state, nothing may crash or hang, and a build under ASan and UBSan must stay silent.
// usage: fuzz CASES [SEED]     (about 60 words a case)
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "core/loader.h"

enum { CODE_BYTES = 0x2000, DATA_BYTES = 0x4000, ROOT = DATA + 0x10000 };
static uint64_t rng_state;

static uint64_t rnd(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state * 0x2545f4914f6cdd1d;
}
static uint64_t below(uint64_t n) { return (rnd() >> 11) % n; }

// A word of some form with random fields; registers are mostly real ones.
static unsigned form_word(uint64_t *word)
{
    enum linx_form f;
    do f = (enum linx_form)below(LINX_NFORMS); while (linx_forms[f].where & LINX_WHERE_PSEUDO);
    uint64_t w = linx_forms[f].match;
    for (unsigned i = 0; i < linx_forms[f].nfields; i++) {
        const struct linx_field *x = &linx_forms[f].field[i];
        int64_t v = (int64_t)rnd();
        if (linx_forms[f].where & LINX_WHERE_START && x->kind == LINX_K_label) v = (int64_t)below(256) - 64;
        if (x->kind == LINX_K_label && below(4)) v = (int64_t)below(128);
        w = linx_field_put(x, w, v);
    }
    if (below(16) == 0) w ^= (uint64_t)1 << below(linx_forms[f].length);
    *word = w;
    return linx_forms[f].length / 8;
}

static void random_code(uint8_t *p, unsigned n)
{
    for (unsigned i = 0; i < n;) {
        uint64_t w;
        unsigned bytes;
        switch (below(8)) {
        case 0: w = rnd(); bytes = 2 + 2 * (unsigned)below(4); break;
        case 1: w = encode(LINX_C_BSTART_SYS, -1); bytes = 2; break;
        case 2: w = encode(LINX_C_BSTART_STD, LINX_F_BrType, 1, -1); bytes = 2; break;
        default: bytes = form_word(&w);
        }
        for (unsigned k = 0; k < bytes && i < n; k++) p[i++] = (uint8_t)(w >> 8 * k);
    }
}

struct setup { uint64_t r[24], ssr[16]; unsigned ring, pe; bool mmu; uint64_t length, preempt; };

static void random_setup(struct setup *s)
{
    for (unsigned i = 1; i < 24; i++)
        switch (below(6)) {
        case 0: s->r[i] = rnd(); break;
        case 1: s->r[i] = below(256); break;
        case 2: s->r[i] = CODE + below(CODE_BYTES); break;
        case 3: s->r[i] = BOARD_INTC_BASE + below(0x4000); break;
        default: s->r[i] = DATA + below(DATA_BYTES);
        }
    s->ring = (unsigned)below(3);
    s->mmu = below(3) == 0;
    s->length = 20 + below(200);
    s->preempt = below(3) ? 0 : 1 + below(10);
    for (unsigned i = 0; i < 16; i++) s->ssr[i] = rnd();
}

static void apply(struct machine *m, const struct setup *s, const uint8_t *code, const uint8_t *data)
{
    code_flush(m);
    code_reap(m);
    memcpy(machine_ram(m, CODE, CODE_BYTES), code, CODE_BYTES);
    memcpy(machine_ram(m, DATA, DATA_BYTES), data, DATA_BYTES);
    m->why = NULL;
    m->now = 0;
    m->total_insns = 0;
    machine_reset(m);
    struct pe *pe = m->pe[0];
    pe->insns = pe->idle_ns = 0;
    memcpy(pe->r, s->r, sizeof s->r);
    pe->r[0] = 0;
    for (unsigned k = 0; k < 2; k++) {
        struct ring_bank *b = &pe->bank[k];
        b->evbase = CODE + (s->ssr[k] & 0xffe);
        poke(m, b->evbase, 2, k ? encode(LINX_C_BSTART_SYS, -1) : encode(LINX_C_BSTART_STD, LINX_F_BrType, 1, -1));   // a block start, so that handlers run
        b->econfig = s->ssr[2 + k] & 7 & (s->ssr[4] | 2);
        b->ecstate = s->ssr[5 + k] & 0x57;
        b->ebpc = CODE + (s->ssr[7 + k] & 0xffe);
        b->etpc = b->ebpc + 4;
        b->ebarg = s->ssr[9 + k] & ~(uint64_t)(28 | 0) & ((uint64_t)0x3e3 << 32);
        b->ebpcn = CODE + (s->ssr[11 + k] & 0xffe);
        b->futo = s->ssr[13] & 31;
        b->timer_cmp = 5 + (s->ssr[14] & 127);
    }
    m->cfg.preempt_every = s->preempt;
    m->preempt_left[0] = s->preempt;
    if (s->mmu) {       // identity through 1 GB blocks, user pages writable
        memset(machine_ram(m, ROOT, 4096), 0, 4096);
        poke(m, ROOT, 8, (ROOT + 0x1000) | 3);
        for (unsigned i = 0; i < 4; i++) poke(m, ROOT + 0x1000 + 8 * i, 8, (uint64_t)i << 30 | 0x7c | 2);
        pe->mmtbase = (uint64_t)(ROOT >> 14) << 2;
        pe->mmconfig = LINX_MMCONFIG_EN | 1 << LINX_MMCONFIG_M_SHIFT;
        if (s->ssr[15] & 1) pe->cstate |= LINX_CSTATE_P;
    }
    mem_flush(pe);
    set_ring(pe, s->ring);
}

static uint64_t hash(const void *p, size_t n)
{
    const uint8_t *b = p;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211u;
    return h;
}

static uint64_t outcome(struct machine *m, const struct setup *s, bool step)
{
    struct pe *pe = m->pe[0];
    m->cfg.stats_file = step ? "on" : NULL;
    run_pe(pe, s->length);
    m->exiting = false;
    struct { uint64_t r[32], bpc, tpc, bpcn, cstate, insns, idle, code, data, bank[18], flags; } o;
    memset(&o, 0, sizeof o);
    memcpy(o.r, pe->r, sizeof o.r);
    o.bpc = pe->bpc; o.tpc = pe->tpc; o.bpcn = pe->bpcn; o.cstate = pe->cstate; o.insns = pe->insns; o.idle = pe->idle_ns;
    o.code = hash(machine_ram(m, CODE, CODE_BYTES), CODE_BYTES);
    o.data = hash(machine_ram(m, DATA, DATA_BYTES), DATA_BYTES);
    for (unsigned k = 0; k < 2; k++) {
        const struct ring_bank *b = &pe->bank[k];
        uint64_t *v = o.bank + 9 * k;
        v[0] = b->ecstate; v[1] = b->trapno; v[2] = b->traparg0; v[3] = b->ebpc; v[4] = b->etpc; v[5] = b->ebarg; v[6] = b->ebpcn;
        v[7] = b->evbase; v[8] = b->timer_cmp;
    }
    o.flags = pe->in_body | pe->data_active << 1 | pe->atomic << 2 | (uint64_t)pe->sleep << 3 | (uint64_t)pe->block_type << 8;
    if (pe->r[0]) { printf("not ok fuzz: zero is %#llx\n", (unsigned long long)pe->r[0]); exit(1); }
    if (pe_ring(pe) > 2) { printf("not ok fuzz: ring %u\n", pe_ring(pe)); exit(1); }
    return hash(&o, sizeof o);
}

static void fuzz_words(struct machine *m, uint64_t cases, uint64_t seed)
{
    static uint8_t code[CODE_BYTES], data[DATA_BYTES];
    uint64_t insns = 0, traps = 0;
    for (uint64_t i = 0; i < cases; i++) {
        rng_state = (seed + i) * 0x9e3779b97f4a7c15 + 1;
        alarm(60);
        struct setup s = { 0 };
        random_code(code, CODE_BYTES);
        for (unsigned k = 0; k < DATA_BYTES; k += 8) { uint64_t v = below(4) ? 0 : rnd(); memcpy(data + k, &v, 8); }
        random_setup(&s);
        apply(m, &s, code, data);
        uint64_t a = outcome(m, &s, false);
        insns += m->pe[0]->insns;
        traps += m->pe[0]->bank[0].trapno != 0 || m->pe[0]->bank[1].trapno != 0;
        apply(m, &s, code, data);
        uint64_t b = outcome(m, &s, true);
        if (a != b) {
            if (getenv("FUZZ_TRACE")) {
                for (int step = 0; step < 2; step++) {
                    apply(m, &s, code, data);
                    m->cfg.log = LOG_TRAP | (step ? LOG_INSN : 0);
                    m->pe[0]->x->tracing = step;
                    fprintf(stderr, "==== %s\n", step ? "stepping" : "fast");
                    (void)outcome(m, &s, step);
                    machine_dump(m, stderr);
                }
            }
            printf("not ok fuzz: case %llu (seed %llu): the loops disagree\n", (unsigned long long)i, (unsigned long long)(seed + i)); exit(1); }
    }
    printf("ok fuzz words (%llu cases, %llu instructions on each loop, %llu cases with traps)\n", (unsigned long long)cases,
           (unsigned long long)insns, (unsigned long long)traps);
}

// ---- images: a small valid executable, mutated
static void put(uint8_t *p, unsigned n, uint64_t v) { for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i); }

static void fuzz_images(struct machine *m, uint64_t cases)
{
    enum { SIZE = 0x200 };
    char name[] = "/tmp/linx-fuzz-XXXXXX";
    int fd = mkstemp(name);
    uint64_t good = 0;
    if (fd < 0) { printf("not ok fuzz images: no temporary file\n"); return; }
    (void)!freopen("/dev/null", "w", stderr);
    for (uint64_t i = 0; i < cases; i++) {
        uint8_t e[SIZE] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
        put(e + 16, 2, 2); put(e + 18, 2, 233); put(e + 20, 4, 1); put(e + 24, 8, CODE); put(e + 32, 8, 64);
        put(e + 40, 8, 0x100); put(e + 52, 2, 64); put(e + 54, 2, 56); put(e + 56, 2, 1); put(e + 58, 2, 64); put(e + 60, 2, 3);
        put(e + 62, 2, 2);
        put(e + 64, 4, 1); put(e + 68, 4, 5); put(e + 72, 8, 0x80); put(e + 80, 8, CODE); put(e + 88, 8, CODE); put(e + 96, 8, 0x40); put(e + 104, 8, 0x80);
        put(e + 0x140 + 4, 4, 2); put(e + 0x140 + 24, 8, 0xc0); put(e + 0x140 + 32, 8, 48); put(e + 0x140 + 40, 4, 2); put(e + 0x140 + 56, 8, 24);
        put(e + 0x180 + 4, 4, 3); put(e + 0x180 + 24, 8, 0xf0); put(e + 0x180 + 32, 8, 16);
        put(e + 0xd8, 4, 1); put(e + 0xdc, 1, 2); put(e + 0xde, 2, 1); put(e + 0xe0, 8, CODE); memcpy(e + 0xf1, "main", 5);
        unsigned flips = i ? 1 + (unsigned)below(6) : 0, size = below(5) ? SIZE : (unsigned)below(SIZE);
        if (!i) size = SIZE;
        for (unsigned k = 0; k < flips; k++) e[below(SIZE)] = below(2) ? (uint8_t)rnd() : (uint8_t)(0xff * below(2));
        if (ftruncate(fd, 0) || pwrite(fd, e, size, 0) != (ssize_t)size) break;
        alarm(60);
        symbols_free(m);
        uint64_t off;
        if (elf_load(m, name)) good++;
        (void)symbol_at(m, CODE + 4, &off);
    }
    printf(good ? "ok fuzz images (%llu mutants, %llu loaded)\n" : "not ok fuzz images: even the good one (%llu) is refused %llu\n",
           (unsigned long long)cases, (unsigned long long)good);
    close(fd);
    unlink(name);
}

int main(int argc, char **argv)
{
    uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000, seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    struct machine *m = vm_new(1, 1);
    fuzz_words(m, cases, seed);
    rng_state = seed;
    fuzz_images(m, cases / 4 + 1);
    machine_free(m);
    return 0;
}
