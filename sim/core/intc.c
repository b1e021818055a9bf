// SPDX-License-Identifier: BSD-2-Clause
// The interrupt controller (docs/target.md 5): 256 lines, one 4 KB page per (PE, ring).
#include "core.h"

static bool bit(const uint8_t *set, unsigned n) { return set[n / 8] >> (n % 8) & 1; }
static void put_bit(uint8_t *set, unsigned n, bool v)
{
    if (v) set[n / 8] |= (uint8_t)(1 << n % 8); else set[n / 8] &= (uint8_t)~(1 << n % 8);
}


// Lowest pending and enabled line below the threshold, 0 = none.
static unsigned best_line(const struct intc *c, const struct intc_page *p)
{
    unsigned end = p->threshold && p->threshold < 256 ? p->threshold : 256;
    for (unsigned i = 0; i < 32; i++) {
        unsigned on = (c->pending[i] | p->soft[i]) & p->enable[i];
        if (on) {
            unsigned line = i * 8 + (unsigned)__builtin_ctz(on);
            return line < end ? line : 0;
        }
    }
    return 0;
}

static void update(struct machine *m)
{
    struct intc *c = &m->intc;
    for (unsigned i = 0; i < m->num_pes; i++) {
        unsigned id = m->pe[i]->lxlcid;
        for (unsigned ring = 0; ring < 2; ring++) {
            bool ext = best_line(c, &c->page[id][ring]) != 0;
            if (ext != c->ext[id][ring]) { c->ext[id][ring] = ext; m->pe[i]->leave = true; }
        }
    }
}

void machine_irq(struct machine *m, unsigned line, bool level)
{
    struct intc *c = &m->intc;
    if (line == 0 || line > 255 || bit(c->level, line) == level) return;
    if (LOGS(m, LOG_IRQ)) machine_log(m, "irq line=%u level=%d", line, level);
    put_bit(c->level, line, level);
    if (bit(c->edge, line)) { if (level) put_bit(c->pending, line, true); }
    else put_bit(c->pending, line, level && !bit(c->serving, line));
    update(m);
}

void intc_reset(struct machine *m)
{
    memset(&m->intc, 0, sizeof m->intc);
}

static uint32_t claim(struct machine *m, struct intc_page *p)
{
    struct intc *c = &m->intc;
    unsigned line = best_line(c, p);
    if (!line) return 0;
    if (bit(p->soft, line)) put_bit(p->soft, line, false);
    else {
        put_bit(c->pending, line, false);
        put_bit(c->serving, line, true);
    }
    return line;
}

static void complete(struct machine *m, unsigned line)
{
    struct intc *c = &m->intc;
    put_bit(c->serving, line, false);
    if (!bit(c->edge, line)) put_bit(c->pending, line, bit(c->level, line));
}

static struct intc_page *page_at(struct machine *m, uint64_t offset, struct pe **pe, unsigned *ring)
{
    unsigned page = (unsigned)(offset / INTC_PAGE), id = page / 2;
    *ring = page % 2;
    for (unsigned i = 0; i < m->num_pes; i++)
        if (m->pe[i]->lxlcid == id) { *pe = m->pe[i]; return &m->intc.page[id][*ring]; }
    return NULL;
}

static bool intc_read(struct device *d, uint64_t offset, unsigned size, uint64_t *value)
{
    struct machine *m = d->m;
    struct pe *pe;
    unsigned ring, at = offset % INTC_PAGE;
    struct intc_page *p = page_at(m, offset, &pe, &ring);
    if (!p || size < 4) return false;
    *value = 0;
    if (at < INTC_ENABLE) {
        for (unsigned i = 0; i < size; i++) *value |= (uint64_t)(m->intc.pending[at + i] | p->soft[at + i]) << 8 * i;
        return true;
    }
    if (at < INTC_ENABLE + 32) { memcpy(value, p->enable + (at - INTC_ENABLE), size); return true; }
    if (size != 4) return false;
    switch (at) {
    case INTC_THRESHOLD: *value = p->threshold; return true;
    case INTC_CLAIM:
        *value = claim(m, p);
        update(m);
        return true;
    case INTC_SETVEC: case INTC_CLRVEC: case INTC_ENVEC: case INTC_DISVEC: case INTC_IPI: case INTC_SETTYPE: return true;
    default: return false;
    }
}

static bool intc_write(struct device *d, uint64_t offset, unsigned size, uint64_t value)
{
    struct machine *m = d->m;
    struct pe *pe;
    unsigned ring, at = offset % INTC_PAGE;
    struct intc_page *p = page_at(m, offset, &pe, &ring);
    if (!p || size < 4) return false;
    unsigned line = value & 0xff;
    if (at >= INTC_ENABLE && at < INTC_ENABLE + 32) memcpy(p->enable + (at - INTC_ENABLE), &value, size);
    else if (size != 4) return false;
    else switch (at) {
    case INTC_SETVEC: put_bit(p->soft, line, line != 0); break;
    case INTC_CLRVEC: put_bit(p->soft, line, false); if (bit(m->intc.edge, line)) put_bit(m->intc.pending, line, false); break;
    case INTC_ENVEC: put_bit(p->enable, line, line != 0); break;
    case INTC_DISVEC: put_bit(p->enable, line, false); break;
    case INTC_THRESHOLD: p->threshold = (uint32_t)value; break;
    case INTC_IPI: pe->bank[ring].ipi = true; pe->leave = true; break;
    case INTC_SETTYPE: put_bit(m->intc.edge, line, value >> 8 & 1); break;    // bit 8: 0 level, 1 edge
    case INTC_CLAIM: complete(m, line); break;
    default: return false;
    }
    update(m);
    return true;
}

struct device *intc_device(void)
{
    static struct device d;
    d = (struct device){ .name = "interrupt controller", .base = BOARD_INTC_BASE, .size = 2 * MAX_PES * INTC_PAGE,
                         .read = intc_read, .write = intc_write };
    return &d;
}
