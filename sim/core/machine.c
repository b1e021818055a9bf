// SPDX-License-Identifier: BSD-2-Clause
// Builds the machine and loads it: RAM, PEs, devices, image, initrd, device tree.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core.h"
#include "loader.h"

void machine_log(struct machine *m, const char *fmt, ...)
{
    va_list ap;
    FILE *to = m->log ? m->log : stderr;
    va_start(ap, fmt);
    vfprintf(to, fmt, ap);
    va_end(ap);
    fputc('\n', to);
}

void machine_exit(struct machine *m, int status)
{
    m->exiting = true;
    m->status = status;
    for (unsigned i = 0; i < m->num_pes; i++) m->pe[i]->leave = true;
}

uint64_t machine_now(const struct machine *m) { return m->running ? pe_time(m->running) : m->now; }

bool machine_add_device(struct machine *m, struct device *d)
{
    for (unsigned i = 0; i < m->num_devs; i++) {
        const struct device *o = m->dev[i];
        if (d->base < o->base + o->size && o->base < d->base + d->size) {
            fprintf(stderr, "linx-sim: device %s at %#llx overlaps %s\n", d->name, (unsigned long long)d->base, o->name);
            return false;
        }
    }
    if (m->cfg.ram_size && d->base < m->cfg.ram_base + m->cfg.ram_size && m->cfg.ram_base < d->base + d->size) {
        fprintf(stderr, "linx-sim: RAM %#llx..%#llx covers device %s at %#llx; choose another -m or ram-base\n",
                (unsigned long long)m->cfg.ram_base, (unsigned long long)(m->cfg.ram_base + m->cfg.ram_size), d->name,
                (unsigned long long)d->base);
        return false;
    }
    if (m->num_devs == MAX_DEVICES) { fprintf(stderr, "linx-sim: too many devices\n"); return false; }
    d->m = m;
    m->dev[m->num_devs++] = d;
    return true;
}

static struct pe *pe_new(struct machine *m, unsigned core, unsigned index)
{
    struct pe *pe = calloc(1, sizeof *pe);
    if (!pe) return NULL;
    pe->x = calloc(1, sizeof *pe->x);
    pe->m = m;
    pe->core = (uint8_t)core;
    pe->index = (uint8_t)index;
    pe->lxlcid = (uint16_t)(LINX_PES_PER_CORE * core + index);
    if (pe->x) pe->engine = engine_new(pe, m->cfg.group_slots, m->bank[core]);
    return pe->x && pe->engine ? pe : NULL;
}

struct machine *machine_new(const struct config *cfg)
{
    if (!fast_labels) { (void)exec_fast(NULL, 0); (void)exec_step(NULL, 0); }
    struct machine *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->cfg = *cfg;
    uint64_t pages = cfg->ram_size >> PAGE_BITS;
    void *ram = mmap(NULL, cfg->ram_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    m->ram = ram == MAP_FAILED ? NULL : ram;
    m->page_flags = calloc(pages, 1);
    m->code = calloc(pages, sizeof *m->code);
    if (!m->ram || !m->page_flags || !m->code) {
        fprintf(stderr, "linx-sim: cannot get %llu bytes for RAM: %s\n", (unsigned long long)cfg->ram_size, strerror(errno));
        machine_free(m);
        return NULL;
    }
    for (unsigned c = 0; c < cfg->cores; c++) {
        m->bank[c] = shared_bank_new();
        for (unsigned i = 0; i < cfg->pes; i++) {
            struct pe *pe = pe_new(m, c, i);
            if (!pe) { fprintf(stderr, "linx-sim: out of memory for PEs\n"); machine_free(m); return NULL; }
            m->pe[m->num_pes++] = pe;
        }
    }
    if (cfg->strict)
        for (unsigned i = 0; i < m->num_pes; i++) engine_set_strict(m->pe[i]->engine, stderr);
    m->rng = cfg->seed * 0x9e3779b97f4a7c15 + 1;
    return m;
}

void machine_free(struct machine *m)
{
    if (!m) return;
    for (unsigned i = 0; i < m->num_devs; i++) if (m->dev[i]->close) m->dev[i]->close(m->dev[i]);
    for (unsigned i = 0; i < m->num_pes; i++) {
        engine_free(m->pe[i]->engine);
        free(m->pe[i]->x);
        free(m->pe[i]);
    }
    m->num_pes = 0;
    for (unsigned c = 0; c < LINX_MAX_CORES; c++) if (m->bank[c]) shared_bank_free(m->bank[c]);
    if (m->code) code_flush(m);
    code_reap(m);
    symbols_free(m);
    if (m->log && m->log != stderr) fclose(m->log);
    if (m->ram) munmap(m->ram, m->cfg.ram_size);
    free(m->page_flags);
    free(m->code);
    free(m);
}

static bool read_file(struct machine *m, const char *name, uint64_t at, uint64_t size)
{
    FILE *f = fopen(name, "rb");
    void *to = machine_ram(m, at, size);
    bool ok = f && to && fread(to, 1, size, f) == size;
    if (!ok) fprintf(stderr, "linx-sim: -initrd %s: %s\n", name, strerror(errno));
    if (f) fclose(f);
    return ok;
}

static bool file_size(const char *name, uint64_t *size)
{
    FILE *f = fopen(name, "rb");
    bool ok = f && fseek(f, 0, SEEK_END) == 0;
    long n = ok ? ftell(f) : -1;
    if (f) fclose(f);
    if (n < 0) fprintf(stderr, "linx-sim: -initrd %s: %s\n", name, strerror(errno));
    *size = n < 0 ? 0 : (uint64_t)n;
    return n >= 0;
}

// The tree lies at the very top of RAM, the initrd in whole pages below it.
bool machine_load(struct machine *m)
{
    m->image_end = m->cfg.ram_base;
    if (!elf_load(m, m->cfg.kernel)) return false;
    uint64_t initrd = 0, initrd_size = 0, top = m->cfg.ram_base + m->cfg.ram_size;
    enum { TREE_ROOM = 65536 };
    m->dtb = top - TREE_ROOM;
    if (m->cfg.initrd) {
        if (!file_size(m->cfg.initrd, &initrd_size)) return false;
        initrd = (m->dtb - initrd_size) & PAGE_MASK;
        if (initrd_size > m->cfg.ram_size || initrd < m->image_end) {
            fprintf(stderr, "linx-sim: -initrd %s: %llu bytes do not fit beside the image; use a larger -m\n", m->cfg.initrd,
                    (unsigned long long)initrd_size);
            return false;
        }
        if (initrd_size && !read_file(m, m->cfg.initrd, initrd, initrd_size)) return false;
    }
    size_t size;
    void *tree = fdt_build(m, initrd, initrd_size, &size);
    void *to = tree ? machine_ram(m, m->dtb, size) : NULL;
    if (!to || m->image_end > m->dtb) {
        fprintf(stderr, "linx-sim: no room in RAM for the device tree beside the image; use a larger -m\n");
        free(tree);
        return false;
    }
    memcpy(to, tree, size);
    free(tree);
    code_flush(m);
    code_reap(m);
    return true;
}

void pe_reset(struct pe *pe)
{
    struct machine *m = pe->m;
    struct engine *old = pe->engine;
    struct core *x = pe->x;
    *pe = (struct pe){ .m = m, .core = pe->core, .index = pe->index, .lxlcid = pe->lxlcid, .engine = old, .x = x,
                       .insns = pe->insns, .idle_ns = pe->idle_ns };
    memset(x, 0, sizeof *x);
    for (unsigned i = 0; i < 2; i++)
        pe->bank[i].econfig = (uint64_t)1 << LINX_ECONFIG_V_BIT | (uint64_t)1 << LINX_ECONFIG_C_BIT;
    pe->mmconfig = LINX_MMCONFIG_Q;
    pe->lcfr_en = ~(uint64_t)0;
    pe->shared_window = (uint64_t)LINX_SHARED_TILES << 16;
    pe->bpc = pe->tpc = m->entry;
    pe->r[2] = pe->lxlcid;
    pe->r[3] = m->dtb;
    x->tracing = m->cfg.log & (LOG_INSN | LOG_MEM);
    mem_flush(pe);
    mem_select(pe);
}

void machine_reset(struct machine *m)
{
    m->reservations = 0;
    m->exiting = m->reset_wanted = false;
    intc_reset(m);
    for (unsigned i = 0; i < m->num_devs; i++) if (m->dev[i]->reset) m->dev[i]->reset(m->dev[i]);
    for (unsigned i = 0; i < m->num_pes; i++) {
        engine_reset(m->pe[i]->engine);
        pe_reset(m->pe[i]);
        m->preempt_left[m->pe[i]->lxlcid] = m->cfg.preempt_every;
    }
}
