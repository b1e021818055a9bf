// SPDX-License-Identifier: BSD-2-Clause
// `-d insn` and `-d tile` of the data engine (formats: docs/data-engine.md). Costs a test per instruction when off.
#include "trace.h"

#include <stdarg.h>

void engine_set_log(struct engine *e, void *insn, void *tile)
{
    e->log_insn = insn;
    e->log_tile = tile;
}

void tile_log_(struct engine *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(e->log_tile, "tile %u ", e->pe->lxlcid);
    vfprintf(e->log_tile, fmt, ap);
    fputc('\n', e->log_tile);
    va_end(ap);
}

static void put_operand(FILE *to, const struct insn *d, const struct operand *o)
{
    static const char type[8][3] = {"ud", "uw", "uh", "ub", "sd", "sw", "sh", "sb"};
    static const char queue[4][3] = {"vt", "vu", "vm", "vn"};
    switch (o->kind) {
    case OP_VEC: fprintf(to, " %s#%u.%s", queue[o->n], o->k, type[o->type]); break;
    case OP_RI: fprintf(to, " ri%u.%s", o->n, type[o->type]); break;
    case OP_T: fprintf(to, " t#%u.%s", o->k, type[o->type]); break;
    case OP_U: fprintf(to, " u#%u.%s", o->k, type[o->type]); break;
    case OP_LC: fprintf(to, " lc%u.%s", o->n, type[o->type]); break;
    case OP_LB: fprintf(to, " lb%u.%s", o->n, type[o->type]); break;
    case OP_TILE: fprintf(to, o->n < 8 ? " t%c" : " to%c", o->n < 8 ? 'a' + o->n : '0' + o->n - 8); break;
    case OP_P: fputs(" p", to); break;
    case OP_ZERO: fputs(" zero", to); break;
    case OP_IMM: fprintf(to, " %lld", (long long)d->imm); break;
    default: break;
    }
}

// body PE GROUP TPC WORD MNEMONIC operands | P mask | result (a vector: its first lanes)
void trace_body(struct engine *e, struct group *g, const struct insn *d, uint64_t id)
{
    FILE *to = e->log_insn;
    fprintf(to, "body %u %llu %#llx %0*llx %s", e->pe->lxlcid, (unsigned long long)id, (unsigned long long)d->addr, d->len * 2,
            (unsigned long long)d->word, linx_forms[d->form].mnemonic);
    put_operand(to, d, &d->a);
    put_operand(to, d, &d->b);
    put_operand(to, d, &d->c);
    fprintf(to, " | p=%#llx", (unsigned long long)g->p);
    switch (d->dst.kind) {
    case DST_VEC: {
        static const char queue[4][3] = {"vt", "vu", "vm", "vn"};
        const uint32_t *r = vec_src(g, d->dst.n, 1);
        fprintf(to, " | %s=%#x,%#x,%#x,%#x..%#x", queue[d->dst.n], r[0], r[1], r[2], r[3], r[LANES - 1]);
        break;
    }
    case DST_T: fprintf(to, " | t=%#llx", (unsigned long long)g->t[0]); break;
    case DST_U: fprintf(to, " | u=%#llx", (unsigned long long)g->u[0]); break;
    case DST_RO: fprintf(to, " | ro%u=%#llx", d->dst.n, (unsigned long long)e->ro[d->dst.n]); break;
    default: break;
    }
    fputc('\n', to);
}
