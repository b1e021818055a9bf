// SPDX-License-Identifier: BSD-2-Clause
// What a run shows: instruction trace, state dump, statistics. Format: docs/simulator.md.
#include "core.h"
#include "exec.h"

static const char *const reg_name[33] = {
    "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
    "x0", "x1", "x2", "x3", "t#1", "t#2", "t#3", "t#4", "u#1", "u#2", "u#3", "u#4", "-",
};

void trace_begin(struct pe *pe, uint64_t pc, uint64_t seq)
{
    struct core *x = pe->x;
    if (!x->tracing) return;
    x->trace_live = true;
    x->trace_pc = pc;
    x->trace_seq = seq;
    x->mem_n = 0;
    memcpy(x->trace_regs, pe->r, sizeof x->trace_regs);
}

void trace_mem(struct pe *pe, char kind, uint64_t va, unsigned size, uint64_t value)
{
    struct core *x = pe->x;
    if (x->trace_live && x->mem_n < sizeof x->mem / sizeof *x->mem) {
        x->mem[x->mem_n].va = va;
        x->mem[x->mem_n].value = value;
        x->mem[x->mem_n].size = (uint8_t)size;
        x->mem[x->mem_n++].kind = kind;
    }
}

static void put_operands(FILE *to, enum linx_form f, uint64_t word, uint64_t pc)
{
    const struct linx_form_desc *d = &linx_forms[f];
    for (unsigned i = 0; i < d->nfields; i++) {
        const struct linx_field *x = &d->field[i];
        int64_t v = linx_field_value(x, word);
        const char *name = linx_field_names[x->name];
        if (!strncmp(name, "RegDst", 6)) fprintf(to, " ->%s", v == 31 ? "t" : v == 30 ? "u" : reg_name[v & 31]);
        else if (!strncmp(name, "Src", 3) && strcmp(name, "SrcRType") && strcmp(name, "SrcType") && strncmp(name, "SrcTile", 7))
            fprintf(to, " %s", reg_name[v & 31]);
        else if (!strncmp(name, "RegSrc", 6)) fprintf(to, " %s", reg_name[v & 31]);
        else if (x->kind == LINX_K_label) fprintf(to, " %#llx", (unsigned long long)(pc + (uint64_t)v));
        else if (v) fprintf(to, " %s=%lld", name, (long long)v);
    }
}

// One line: pe seq pc bytes length mnemonic operands [| reg=value]... [| R|W address size value]
static void print_line(struct pe *pe, const char *note)
{
    struct core *x = pe->x;
    struct machine *m = pe->m;
    FILE *to = m->log ? m->log : stderr;
    uint64_t half = 0, word = 0;
    if (!(m->cfg.log & LOG_INSN) && !x->mem_n) return;      // -d mem alone: only what touches memory
    if (pe_peek(pe, x->trace_pc, &half, 2) != 2) return;
    unsigned bytes = linx_insn_bytes((uint16_t)half);
    (void)pe_peek(pe, x->trace_pc, &word, bytes);
    enum linx_form f = linx_decode(word, bytes);
    uint64_t off = 0;
    const char *sym = symbol_at(m, x->trace_pc, &off);
    fprintf(to, "insn %u %llu %#llx %0*llx %u ", pe->lxlcid, (unsigned long long)x->trace_seq, (unsigned long long)x->trace_pc,
            (int)bytes * 2, (unsigned long long)word, bytes);
    if (f == LINX_NFORMS) fputs("?", to);
    else {
        fputs(linx_forms[f].mnemonic, to);
        put_operands(to, f, word, x->trace_pc);
    }
    bool pushed_t = false, pushed_u = false;
    if (f != LINX_NFORMS) {
        for (unsigned i = 0; i < linx_forms[f].nfields; i++) {
            const struct linx_field *d = &linx_forms[f].field[i];
            if (d->name != LINX_F_RegDst && d->name != LINX_F_RegDst0 && d->name != LINX_F_RegDst1) continue;
            pushed_t |= linx_field_get(d, word) == 31;
            pushed_u |= linx_field_get(d, word) == 30;
        }
        pushed_t |= handler_has_dst(f) && linx_find_field(f, LINX_F_RegDst) < 0;
    }
    for (unsigned i = 1; i < 24; i++) {
        bool named = false;
        if (f != LINX_NFORMS)
            for (unsigned k = 0; k < linx_forms[f].nfields; k++) {
                const struct linx_field *d = &linx_forms[f].field[k];
                if (d->name == LINX_F_RegDst || d->name == LINX_F_RegDst0 || d->name == LINX_F_RegDst1)
                    named |= linx_field_get(d, word) == (int64_t)i && !(linx_forms[f].where & (LINX_WHERE_START | LINX_WHERE_HEADER));
            }
        if (named || pe->r[i] != x->trace_regs[i]) fprintf(to, " | %s=%#llx", reg_name[i], (unsigned long long)pe->r[i]);
    }
    if (pushed_t && !note) fprintf(to, " | t=%#llx", (unsigned long long)pe->r[24]);
    if (pushed_u && !note) fprintf(to, " | u=%#llx", (unsigned long long)pe->r[28]);
    for (unsigned i = 0; i < x->mem_n; i++)
        fprintf(to, " | %c %#llx %u %#llx", x->mem[i].kind, (unsigned long long)x->mem[i].va, x->mem[i].size,
                (unsigned long long)x->mem[i].value);
    if (note) fprintf(to, " | %s num=%u cause=%u arg=%#llx", note, pe->trap.num, pe->trap.cause, (unsigned long long)pe->trap.arg);
    if (sym) fprintf(to, " ; %s+%#llx", sym, (unsigned long long)off);
    fputc('\n', to);
}

void trace_end(struct pe *pe)
{
    if (!pe->x->trace_live) return;
    pe->x->trace_live = false;
    print_line(pe, NULL);
}

void trace_trap(struct pe *pe)
{
    if (!pe->x->trace_live) return;
    pe->x->trace_live = false;
    print_line(pe, "trap");
}

void strict_sources(struct pe *pe, uint64_t pc)
{
    uint64_t half = 0, word = 0, off = 0;
    if (pe_peek(pe, pc, &half, 2) != 2) return;
    unsigned bytes = linx_insn_bytes((uint16_t)half);
    (void)pe_peek(pe, pc, &word, bytes);
    enum linx_form f = linx_decode(word, bytes);
    if (f == LINX_NFORMS || linx_forms[f].where & (LINX_WHERE_START | LINX_WHERE_STOP | LINX_WHERE_HEADER)) return;
    for (unsigned i = 0; i < linx_forms[f].nfields; i++) {
        const struct linx_field *x = &linx_forms[f].field[i];
        const char *name = linx_field_names[x->name];
        if (strncmp(name, "Src", 3) || !strcmp(name, "SrcRType") || !strcmp(name, "SrcType")) continue;
        int64_t r = linx_field_get(x, word);
        if (r < 24 || r > 31) continue;
        unsigned k = (unsigned)(r & 3) + 1;
        if (k <= (r < 28 ? pe->x->t_depth : pe->x->u_depth)) continue;
        const char *sym = symbol_at(pe->m, pc, &off);
        fprintf(stderr, "linx-sim: strict: PE %u reads %s, which was never written, at %#llx %s+%#llx\n", pe->lxlcid, reg_name[r],
                (unsigned long long)pc, sym ? sym : "?", (unsigned long long)off);
    }
}

static const char *block_name(const struct pe *pe)
{
    switch (pe->block_type) {
    case LINX_BT_STD: return "STD";
    case LINX_BT_SYS: return "SYS";
    case LINX_BT_FP: return "FP";
    case LINX_BT_DATA: return "data";
    default: return "?";
    }
}

static void put_address(const struct machine *m, FILE *to, const char *name, uint64_t addr)
{
    uint64_t off;
    const char *sym = symbol_at(m, addr, &off);
    fprintf(to, "  %s %#018llx", name, (unsigned long long)addr);
    if (sym) fprintf(to, " <%s+%#llx>", sym, (unsigned long long)off);
    fputc('\n', to);
}

void machine_dump(const struct machine *m, FILE *to)
{
    static const char *const sleeping[] = { "running", "asleep (BWI)", "asleep (BWE)", "asleep (BWT)" };
    for (unsigned i = 0; i < m->num_pes; i++) {
        const struct pe *pe = m->pe[i];
        fprintf(to, "PE %u (core %u): ACR%u, %s block%s, %s, %llu instructions, time %llu ns\n", pe->lxlcid, pe->core,
                pe_ring(pe), block_name(pe), pe->data_active ? " (body in the data engine)" : pe->in_body ? "" : " boundary",
                sleeping[pe->sleep], (unsigned long long)pe->insns, (unsigned long long)pe_time(pe));
        put_address(m, to, "BPC ", pe->bpc);
        put_address(m, to, "TPC ", pe->tpc);
        put_address(m, to, "BPCN", pe->bpcn);
        put_address(m, to, "ra  ", pe->r[10]);
        for (unsigned k = 0; k < 32; k++)
            fprintf(to, "  %-4s %016llx%s", reg_name[k], (unsigned long long)pe->r[k], k % 4 == 3 ? "\n" : "");
        fprintf(to, "  cstate %llx mmconfig %llx mmtbase %llx\n", (unsigned long long)pe->cstate, (unsigned long long)pe->mmconfig,
                (unsigned long long)pe->mmtbase);
        for (unsigned r = 0; r < 2; r++) {
            const struct ring_bank *b = &pe->bank[r];
            fprintf(to, "  ACR%u: trapno %016llx arg %llx ecstate %llx ebpc %llx ebpcn %llx etpc %llx ebarg %llx evbase %llx econfig %llx\n", r,
                    (unsigned long long)b->trapno, (unsigned long long)b->traparg0, (unsigned long long)b->ecstate,
                    (unsigned long long)b->ebpc, (unsigned long long)b->ebpcn, (unsigned long long)b->etpc,
                    (unsigned long long)b->ebarg, (unsigned long long)b->evbase, (unsigned long long)b->econfig);
        }
    }
}

bool machine_write_stats(const struct machine *m)
{
    FILE *f = fopen(m->cfg.stats_file, "w");
    if (!f) { perror(m->cfg.stats_file); return false; }
    static const char *const class_name[8] = { "std", "sys", "fp", "template", "body", "tma", "tepl", "cube" };
    fprintf(f, "{\n \"time_ns\": %llu,\n \"rounds\": %llu,\n \"pes\": [\n", (unsigned long long)m->now, (unsigned long long)m->round);
    for (unsigned i = 0; i < m->num_pes; i++) {
        const struct pe *pe = m->pe[i];
        const struct stats *s = &m->stats[pe->lxlcid];
        const struct engine_stats *e = engine_stats(pe->engine);
        fprintf(f, "  {\"pe\": %u, \"insns\": %llu, \"idle_ns\": %llu, \"insns_acr\": [%llu, %llu, %llu], \"insns_body\": %llu,\n   \"blocks\": {",
                pe->lxlcid, (unsigned long long)pe->insns, (unsigned long long)pe->idle_ns, (unsigned long long)s->insns_ring[0],
                (unsigned long long)s->insns_ring[1], (unsigned long long)s->insns_ring[2], (unsigned long long)s->insns_body);
        for (unsigned k = 0; k < 8; k++) fprintf(f, "%s\"%s\": %llu", k ? ", " : "", class_name[k], (unsigned long long)s->blocks[k]);
        fprintf(f, "},\n   \"traps\": {");
        bool first = true;
        for (unsigned k = 0; k < 64; k++)
            for (unsigned c = 0; c < 8; c++)
                if (s->causes[k][c]) {
                    fprintf(f, "%s\"%u.%u\": %llu", first ? "" : ", ", k, c, (unsigned long long)s->causes[k][c]);
                    first = false;
                }
        fprintf(f, "},\n   \"interrupts\": [");
        for (unsigned k = 0; k < 6; k++) fprintf(f, "%s%llu", k ? ", " : "", (unsigned long long)s->interrupts[k]);
        fprintf(f, "], \"preempted_bodies\": %llu, \"body_resumes\": %llu,\n   \"esave\": %llu, \"ercov\": %llu, \"tload\": %llu, \"tload_bytes\": %llu, \"tstore\": %llu, \"tstore_bytes\": %llu}%s\n",
                (unsigned long long)s->preempted_bodies, (unsigned long long)e->resumes, (unsigned long long)e->esave,
                (unsigned long long)e->ercov, (unsigned long long)e->tload, (unsigned long long)e->tload_bytes,
                (unsigned long long)e->tstore, (unsigned long long)e->tstore_bytes, i + 1 < m->num_pes ? "," : "");
    }
    fprintf(f, " ],\n \"forms\": {");
    bool any = false;
    for (unsigned k = 0; k < LINX_NFORMS; k++)
        if (m->form_count[k]) {
            fprintf(f, "%s\"%s\": %llu", any ? ", " : "", linx_forms[k].id, (unsigned long long)m->form_count[k]);
            any = true;
        }
    fprintf(f, "}\n}\n");
    return fclose(f) == 0;
}
