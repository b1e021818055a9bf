// SPDX-License-Identifier: BSD-2-Clause
// GDB stub: threads are PEs; when one stops, all stop. Breakpoints and write watchpoints are compared after every
// instruction, so they cost the fast loop, and only while they exist.
#include "gdb.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { MAX_BREAKS = 64, MAX_WATCHES = 8, WATCH_BYTES = 64, LOOK_EVERY = 256 };

struct watch { uint64_t addr; unsigned len, pe; uint8_t seen[WATCH_BYTES]; };
struct gdb {
    struct rsp rsp;
    // PEs are indices into machine.pe here; LXLCID + 1 is what the client sees.
    unsigned thread;                    // that register and memory packets mean (Hg)
    int step;                           // stops after its next instruction, -1 none
    // Where each PE was when the client last heard of it. There it does not stop again before it has moved.
    struct place { uint64_t insns, pc; } told[MAX_PES];
    uint64_t breaks[MAX_BREAKS];
    struct watch watch[MAX_WATCHES];
    unsigned nbreaks, nwatches;
    unsigned countdown;                 // gdb_poll calls until the socket is looked at again
    char reason[96];                    // last stop reply
};

static struct gdb *gdb_of(struct machine *m) { return m->gdb_state; }

__attribute__((format(printf, 2, 3))) static void reply(struct gdb *g, const char *fmt, ...)
{
    char text[RSP_PACKET];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rsp_send(&g->rsp, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

// ---- numbers ------------------------------------------------------------------------------------------------------

static int hex_digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
// A hexadecimal number at *p, which moves behind it; false when there is none.
static bool number(const char **p, uint64_t *v)
{
    const char *s = *p;
    *v = 0;
    for (; hex_digit(**p) >= 0; (*p)++)
        *v = *v << 4 | (uint64_t)hex_digit(**p);
    return *p != s;
}
static bool expect(const char **p, char c) { return **p == c ? (*p)++, true : false; }

static void put_bytes(char *out, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sprintf(out + 2 * i, "%02x", p[i]);
}
static bool get_bytes(const char *in, uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int hi = hex_digit(in[2 * i]), lo = hi < 0 ? -1 : hex_digit(in[2 * i + 1]);
        if (lo < 0)
            return false;
        p[i] = (uint8_t)(hi << 4 | lo);
    }
    return true;
}
static void put_reg(char *out, uint64_t v)      // target byte order: little endian
{
    for (int i = 0; i < 8; i++)
        sprintf(out + 2 * i, "%02x", (unsigned)(v >> 8 * i & 0xff));
}
static bool get_reg(const char *in, uint64_t *v)
{
    uint8_t b[8];
    if (!get_bytes(in, b, 8))
        return false;
    *v = 0;
    for (int i = 7; i >= 0; i--)
        *v = *v << 8 | b[i];
    return true;
}

static unsigned index_of(const struct pe *pe)
{
    unsigned i = 0;
    while (pe->m->pe[i] != pe)
        i++;
    return i;
}

// A thread id at *p: 0 or -1 (any, all) keep *pe. False for one that does not exist.
static bool thread_id(struct machine *m, const char **p, unsigned *pe)
{
    uint64_t id;
    if (!strncmp(*p, "-1", 2)) {
        *p += 2;
        return true;
    }
    if (!number(p, &id))
        return false;
    if (!id)
        return true;
    for (unsigned i = 0; i < m->num_pes; i++)
        if (m->pe[i]->lxlcid + 1u == id) {
            *pe = i;
            return true;
        }
    return false;
}

// ---- stopping -------------------------------------------------------------------------------------------------------

static void look_at_watches(struct machine *m, struct gdb *g)
{
    for (unsigned i = 0; i < g->nwatches; i++)
        pe_peek(m->pe[g->watch[i].pe], g->watch[i].addr, g->watch[i].seen, g->watch[i].len);
}

static struct place place_of(struct pe *pe)
{
    return (struct place){pe->insns, reg_pc(pe)};
}

static void stop_reply(struct gdb *g, struct pe *pe, int signal, const char *why)
{
    char pc[17], sp[17];
    uint64_t v = 0;
    g->told[index_of(pe)] = place_of(pe);
    put_reg(pc, reg_pc(pe));
    reg_read(pe, REG_SP, &v);
    put_reg(sp, v);
    snprintf(g->reason, sizeof g->reason, "T%02x%sthread:%x;%02x:%s;%02x:%s;", (unsigned)signal, why,
             (unsigned)pe->lxlcid + 1, REG_TPC, pc, REG_SP, sp);
}

// ---- requests ---------------------------------------------------------------------------------------------------------

static void xfer(struct gdb *g, const char *object, const char *range)
{
    uint64_t offset, len;
    if (!number(&range, &offset) || !expect(&range, ',') || !number(&range, &len)) {
        reply(g, "E01");
        return;
    }
    size_t total = strlen(object);
    if (offset >= total) {
        reply(g, "l");
        return;
    }
    uint64_t n = total - offset < len ? total - offset : len;
    n = n < RSP_PACKET / 2 ? n : RSP_PACKET / 2;
    reply(g, "%c%.*s", offset + n == total ? 'l' : 'm', (int)n, object + offset);
}

static void query(struct machine *m, struct gdb *g, const char *p)
{
    if (!strncmp(p, "qSupported", 10)) {
        reply(g, "PacketSize=%x;qXfer:features:read+;swbreak+;hwbreak+;vContSupported+;QStartNoAckMode+", RSP_PACKET / 2);
    } else if (!strncmp(p, "qXfer:features:read:target.xml:", 31)) {
        xfer(g, target_xml(), p + 31);
    } else if (!strcmp(p, "qfThreadInfo")) {
        char list[8 * MAX_PES], *o = list;
        for (unsigned i = 0; i < m->num_pes; i++)
            o += sprintf(o, "%c%x", i ? ',' : 'm', m->pe[i]->lxlcid + 1u);
        reply(g, "%s", list);
    } else if (!strcmp(p, "qsThreadInfo")) {
        reply(g, "l");
    } else if (!strcmp(p, "qC")) {
        reply(g, "QC%x", m->pe[g->thread]->lxlcid + 1u);
    } else if (!strcmp(p, "qAttached")) {
        reply(g, "1");
    } else if (!strncmp(p, "qThreadExtraInfo,", 17)) {
        unsigned id = 0;
        char text[64], hex[2 * sizeof text + 1];
        p += 17;
        if (!thread_id(m, &p, &id)) {
            reply(g, "E01");
            return;
        }
        const struct pe *pe = m->pe[id];
        int n = snprintf(text, sizeof text, "core %u PE %u, ACR%u%s", pe->core, pe->index, pe_ring(pe),
                         pe->sleep ? ", asleep" : pe->data_active ? ", in a data body" : "");
        put_bytes(hex, (const uint8_t *)text, (size_t)n);
        reply(g, "%s", hex);
    } else if (!strcmp(p, "QStartNoAckMode")) {
        reply(g, "OK");
        g->rsp.no_ack = true;
    } else {
        reply(g, "%s", "");
    }
}

static void registers(struct machine *m, struct gdb *g, const char *p)
{
    struct pe *pe = m->pe[g->thread];
    char out[16 * REG_G_COUNT + 1];
    uint64_t n, v;
    switch (*p++) {
    case 'g':
        for (unsigned i = 0; i < REG_G_COUNT; i++) {
            v = 0;
            reg_read(pe, i, &v);
            put_reg(out + 16 * i, v);
        }
        reply(g, "%s", out);
        return;
    case 'G':
        for (unsigned i = 0; i < REG_G_COUNT; i++) {
            uint64_t old = 0;
            if (!get_reg(p + 16 * i, &v)) {
                reply(g, "E01");
                return;
            }
            reg_read(pe, i, &old);
            if (old != v)
                reg_write(pe, i, v);
        }
        reply(g, "OK");
        return;
    case 'p':
        if (!number(&p, &n) || n > 0xffff || !reg_read(pe, (unsigned)n, &v)) {
            reply(g, "E01");
            return;
        }
        put_reg(out, v);
        reply(g, "%.16s", out);
        return;
    default:
        if (!number(&p, &n) || !expect(&p, '=') || n > 0xffff || !get_reg(p, &v) || !reg_write(pe, (unsigned)n, v))
            reply(g, "E01");
        else
            reply(g, "OK");
    }
}

static void memory(struct machine *m, struct gdb *g, const char *p)
{
    struct pe *pe = m->pe[g->thread];
    char kind = *p++;
    uint64_t addr, len;
    uint8_t buf[RSP_PACKET / 2];
    if (!number(&p, &addr) || !expect(&p, ',') || !number(&p, &len) || (kind != 'm' && !expect(&p, ':'))) {
        reply(g, "E01");
        return;
    }
    if (kind == 'm') {
        char out[2 * sizeof buf + 1];
        len = len < sizeof buf - 8 ? len : sizeof buf - 8;
        uint64_t got = pe_peek(pe, addr, buf, len);
        if (!got && len) {
            reply(g, "E0e");                    // nothing mapped there
            return;
        }
        put_bytes(out, buf, got);
        out[2 * got] = 0;
        rsp_send(&g->rsp, out, 2 * got);
        return;
    }
    size_t rest = g->rsp.packet_len - (size_t)(p - g->rsp.packet);
    if (len > sizeof buf || (kind == 'M' ? !get_bytes(p, buf, len) : rest < len)) {
        reply(g, "E01");
        return;
    }
    reply(g, pe_poke(pe, addr, kind == 'M' ? (const void *)buf : p, len) == len ? "OK" : "E0e");
}

// Z and z: software and hardware breakpoints (one kind here) and write watchpoints.
static void breakpoint(struct machine *m, struct gdb *g, const char *p)
{
    bool insert = *p++ == 'Z';
    char kind = *p++;
    uint64_t addr, len;
    if (kind < '0' || kind > '2') {
        reply(g, "%s", "");                     // read watchpoints: not supported
        return;
    }
    if (!expect(&p, ',') || !number(&p, &addr) || !expect(&p, ',') || !number(&p, &len)) {
        reply(g, "E01");
        return;
    }
    if (kind == '2') {
        unsigned i = 0;
        while (i < g->nwatches && (g->watch[i].addr != addr || g->watch[i].len != len))
            i++;
        if (!insert && i < g->nwatches) {
            g->watch[i] = g->watch[--g->nwatches];
        } else if (insert && i == g->nwatches) {
            struct watch w = {.addr = addr, .len = (unsigned)len, .pe = g->thread};
            if (i == MAX_WATCHES || len > WATCH_BYTES || pe_peek(m->pe[g->thread], addr, w.seen, len) != len) {
                reply(g, "E0e");
                return;
            }
            g->watch[g->nwatches++] = w;
        }
    } else {
        unsigned i = 0;
        while (i < g->nbreaks && g->breaks[i] != addr)
            i++;
        if (!insert && i < g->nbreaks) {
            g->breaks[i] = g->breaks[--g->nbreaks];
        } else if (insert && i == g->nbreaks) {
            if (i == MAX_BREAKS) {
                reply(g, "E0e");
                return;
            }
            g->breaks[g->nbreaks++] = addr;
        }
    }
    reply(g, "OK");
}

// vCont and its old forms c, s; true when the machine goes on. Threads without an action run on as well: the PEs of a
// deterministic machine advance together.
static bool resume(struct machine *m, struct gdb *g, const char *p)
{
    unsigned pe = g->thread;
    bool step;
    if (!strncmp(p, "vCont;", 6)) {
        p += 6;
        step = *p == 's' || *p == 'S';
        p += *p == 'S' || *p == 'C' ? 3 : 1;
        if (expect(&p, ':') && !thread_id(m, &p, &pe)) {
            reply(g, "E01");
            return false;
        }
    } else {
        step = *p == 's' || *p == 'S';
        if (p[1]) {                             // resuming at an address or with a signal
            reply(g, "E01");
            return false;
        }
    }
    g->step = step ? (int)pe : -1;
    if (step)
        g->told[pe] = place_of(m->pe[pe]);
    look_at_watches(m, g);
    return true;
}

// One packet; true when the machine goes on.
static bool request(struct machine *m, struct gdb *g)
{
    const char *p = g->rsp.packet;
    switch (*p) {
    case '?':
        reply(g, "%s", g->reason);
        return false;
    case 'q': case 'Q':
        query(m, g, p);
        return false;
    case 'g': case 'G': case 'p': case 'P':
        registers(m, g, p);
        return false;
    case 'm': case 'M': case 'X':
        memory(m, g, p);
        return false;
    case 'Z': case 'z':
        breakpoint(m, g, p);
        return false;
    case 'H': {
        unsigned pe = g->thread;
        const char *id = p + 2;
        if (!thread_id(m, &id, &pe)) {
            reply(g, "E01");
            return false;
        }
        if (p[1] == 'g' || p[1] == 'c')
            g->thread = pe;
        reply(g, "OK");
        return false;
    }
    case 'T': {
        unsigned pe;
        const char *id = p + 1;
        reply(g, thread_id(m, &id, &pe) ? "OK" : "E01");
        return false;
    }
    case 'c': case 's': case 'C': case 'S':
        return resume(m, g, p);
    case 'v':
        if (!strcmp(p, "vCont?"))
            reply(g, "vCont;c;C;s;S");
        else if (!strncmp(p, "vCont;", 6))
            return resume(m, g, p);
        else if (!strncmp(p, "vKill", 5)) {
            reply(g, "OK");
            machine_exit(m, 0);
            return true;
        } else
            reply(g, "%s", "");
        return false;
    case 'k':
        machine_exit(m, 0);
        return true;
    case 'D':
        reply(g, "OK");
        rsp_drop_client(&g->rsp);
        g->nbreaks = g->nwatches = 0;
        g->step = -1;
        return true;
    default:
        reply(g, "%s", "");
        return false;
    }
}

// Serves the client until it lets the machine run.
static void serve(struct machine *m, struct gdb *g)
{
    for (;;) {
        switch (rsp_next(&g->rsp, true)) {
        case RSP_GOT_PACKET:
            if (request(m, g))
                return;
            break;
        case RSP_CLOSED:
            g->nbreaks = g->nwatches = 0;
            g->step = -1;
            return;
        case RSP_INTERRUPT: case RSP_CONNECTED: case RSP_NONE:
            break;
        }
    }
}

static void stop(struct machine *m, struct gdb *g, struct pe *pe, int signal, const char *why)
{
    g->step = -1;
    g->thread = index_of(pe);
    stop_reply(g, pe, signal, why);
    rsp_send(&g->rsp, g->reason, strlen(g->reason));
    serve(m, g);
}

// ---- hooks of the run loop --------------------------------------------------------------------------------------------

bool gdb_start(struct machine *m, const char *where, bool wait)
{
    struct gdb *g = calloc(1, sizeof *g);
    if (!g || !rsp_listen(&g->rsp, where)) {
        free(g);
        return false;
    }
    g->step = -1;
    m->gdb_state = g;
    stop_reply(g, m->pe[0], 5, "");
    if (wait) {
        while (rsp_next(&g->rsp, true) != RSP_CONNECTED)
            ;
        serve(m, g);
    }
    return true;
}

bool gdb_wants_step(struct machine *m)
{
    struct gdb *g = gdb_of(m);
    return g && (g->step >= 0 || g->nbreaks || g->nwatches);
}

void gdb_poll(struct machine *m, struct pe *pe)
{
    struct gdb *g = gdb_of(m);
    if (!g)
        return;
    if (gdb_wants_step(m)) {
        for (unsigned i = 0; i < g->nwatches; i++) {
            struct watch *w = &g->watch[i];
            uint8_t now[WATCH_BYTES];
            if (pe_peek(m->pe[w->pe], w->addr, now, w->len) == w->len && memcmp(now, w->seen, w->len)) {
                char why[40];
                snprintf(why, sizeof why, "watch:%" PRIx64 ";", w->addr);
                stop(m, g, pe, 5, why);
                return;
            }
        }
        struct place here = place_of(pe), *told = &g->told[index_of(pe)];
        bool moved = here.insns != told->insns || here.pc != told->pc;
        for (unsigned i = 0; i < g->nbreaks && moved; i++)
            if (g->breaks[i] == here.pc) {
                stop(m, g, pe, 5, "swbreak:;");
                return;
            }
        if (moved && g->step >= 0 && m->pe[g->step] == pe) {
            stop(m, g, pe, 5, "");
            return;
        }
        if (g->countdown--)                     // one look at the socket in LOOK_EVERY instructions
            return;
    }
    g->countdown = LOOK_EVERY;
    switch (rsp_next(&g->rsp, false)) {
    case RSP_INTERRUPT:
        stop(m, g, pe, 2, "");
        break;
    case RSP_CONNECTED:                         // a debugger that attaches finds the machine stopped
        g->thread = index_of(pe);
        stop_reply(g, pe, 5, "");
        serve(m, g);
        break;
    case RSP_CLOSED:
        g->nbreaks = g->nwatches = 0;
        g->step = -1;
        break;
    case RSP_GOT_PACKET:                        // nothing may come while the machine runs
        break;
    case RSP_NONE:
        break;
    }
}

void gdb_finish(struct machine *m, int status)
{
    struct gdb *g = gdb_of(m);
    if (!g)
        return;
    if (g->rsp.client >= 0)
        reply(g, "W%02x", (unsigned)status & 0xff);
    rsp_drop_client(&g->rsp);
    m->gdb_state = NULL;
    free(g);
}
