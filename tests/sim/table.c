// SPDX-License-Identifier: BSD-2-Clause
// Runs the instruction rows of tests/sim/*.tab on both run loops and compares the whole register state.
//
// Row:  FORM field=value ... : before ... => after ...
//   before/after items: REG=V (sp a0-a7 ra s0-s8 x0-x3 t1-t4 u1-u4), mN@ADDR=V (N = 1 2 4 8 bytes of memory),
//   before only: block=STD|SYS|FP, type=FALL|DIRECT|COND|IND, ring=0|1|2, cstate=V, tp=V gp=V, ssr:ID=V, bpcn=V
//   after only:  t=V / u=V (pushed), taken=V, bpcn=V, tp=V gp=V, cstate=V, ssr:ID=V, next=V (BPC after the block),
//                trap=NUM.CAUSE, arg=V
//   $ in a value is the address of the instruction. Field values are as assembly writes them.
// Everything that `after` does not name must be unchanged. A form of a scalar block without a row is a failure.
#include <ctype.h>
#include <stdlib.h>

#include "harness.h"

enum { AT = CODE + 0x40, MAX_ITEMS = 48 };
static bool covered[LINX_NFORMS];
static const char *const reg_names[32] = {
    "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
    "x0", "x1", "x2", "x3", "t1", "t2", "t3", "t4", "u1", "u2", "u3", "u4" };

struct item { char name[32]; uint64_t value; const char *text; };
struct row { enum linx_form form; uint64_t word; struct item before[MAX_ITEMS], after[MAX_ITEMS]; unsigned nb, na; };

static _Noreturn void die(const char *where, const char *what, const char *arg)
{
    printf("not ok %s: %s %s\n", where, what, arg);
    exit(1);
}

static uint64_t parse_value(const char *where, const char *s)
{
    char *end;
    uint64_t base = 0;
    if (*s == '$') { base = AT; s++; if (!*s) return base; }
    bool neg = *s == '-';
    uint64_t v = strtoull(s + (neg || *s == '+'), &end, 0);
    if (*end) die(where, "bad value", s);
    return base + (neg ? 0 - v : v);
}

static int reg_of(const char *name)
{
    for (int i = 0; i < 32; i++) if (!strcmp(name, reg_names[i])) return i;
    return -1;
}

static enum linx_form form_of(const char *id)
{
    for (int i = 0; i < LINX_NFORMS; i++) if (!strcmp(linx_forms[i].id, id)) return (enum linx_form)i;
    return LINX_NFORMS;
}

static bool parse_row(const char *where, char *line, struct row *r)
{
    char *save = NULL, *tok = strtok_r(line, " \t\n", &save);
    if (!tok || *tok == '#') return false;
    *r = (struct row){ 0 };
    r->form = form_of(tok);
    if (r->form == LINX_NFORMS) die(where, "no such form:", tok);
    r->word = linx_forms[r->form].match;
    int part = 0;
    while ((tok = strtok_r(NULL, " \t\n", &save))) {
        if (*tok == '#') break;
        if (!strcmp(tok, ":")) { part = 1; continue; }
        if (!strcmp(tok, "=>")) { part = 2; continue; }
        char *eq = strchr(tok, '=');
        if (!eq) die(where, "no '=' in", tok);
        *eq = 0;
        if (part == 0) {
            int k = -1;
            for (int i = 0; i < LINX_F_COUNT; i++) if (!strcmp(linx_field_names[i], tok)) k = i;
            if (k < 0) die(where, "no such field:", tok);
            int reg = reg_of(eq + 1);
            int64_t v = !strcmp(eq + 1, "t") ? 31 : !strcmp(eq + 1, "u") ? 30 : reg >= 0 ? reg : (int64_t)parse_value(where, eq + 1);
            r->word = encode_set(r->word, r->form, (enum linx_field_name)k, v);
            continue;
        }
        struct item *it = part == 1 ? &r->before[r->nb++] : &r->after[r->na++];
        snprintf(it->name, sizeof it->name, "%s", tok);
        it->text = eq + 1;
        if (isdigit((unsigned char)eq[1]) || eq[1] == '-' || eq[1] == '$') {
            if (!strcmp(tok, "trap")) it->value = 0; else it->value = parse_value(where, eq + 1);
        }
    }
    return true;
}

static uint64_t mem_addr(const char *where, const char *name, unsigned *size)
{
    *size = (unsigned)(name[1] - '0');
    return parse_value(where, name + 3);
}

static void set_before(const char *where, struct machine *m, const struct row *r)
{
    struct pe *pe = m->pe[0];
    unsigned w = linx_forms[r->form].where;
    pe->block_type = w & LINX_WHERE_STD ? LINX_BT_STD : w & LINX_WHERE_SYS ? LINX_BT_SYS : LINX_BT_FP;
    pe->br_type = 0;
    for (unsigned i = 0; i < r->nb; i++) {
        const struct item *it = &r->before[i];
        unsigned size;
        int reg = reg_of(it->name);
        if (reg >= 0) pe->r[reg] = it->value;
        else if (it->name[0] == 'm' && it->name[2] == '@') { uint64_t a = mem_addr(where, it->name, &size); poke(m, a, size, it->value); }
        else if (!strcmp(it->name, "block")) pe->block_type = !strcmp(it->text, "SYS") ? LINX_BT_SYS : !strcmp(it->text, "FP") ? LINX_BT_FP : LINX_BT_STD;
        else if (!strcmp(it->name, "type")) pe->br_type = !strcmp(it->text, "DIRECT") ? 1 : !strcmp(it->text, "COND") ? 2 : !strcmp(it->text, "IND") ? 3 : 0;
        else if (!strcmp(it->name, "cstate")) pe->cstate = it->value;
        else if (!strcmp(it->name, "ring")) set_ring(pe, (unsigned)it->value);
        else if (!strcmp(it->name, "tp")) pe->tp = it->value;
        else if (!strcmp(it->name, "gp")) pe->gp = it->value;
        else if (!strcmp(it->name, "bpcn")) pe->bpcn = it->value;
        else if (!strncmp(it->name, "ssr:", 4)) {
            unsigned ring = pe_ring(pe);
            set_ring(pe, 0);
            if (ssr_write(pe, (uint32_t)strtoul(it->name + 4, NULL, 0), it->value) != EXEC_OK) die(where, "cannot set", it->name);
            set_ring(pe, ring);
        } else die(where, "unknown item", it->name);
    }
    if (pe->br_type == 1) pe->taken = true;
    if (pe->br_type && !pe->bpcn) pe->bpcn = CODE + 0x400;
    pe->in_body = true;
    pe->bpc = AT - 8;
    pe->tpc = AT;
}

static void want(char *out, size_t room, const char *what, uint64_t got, uint64_t expect)
{
    if (got != expect && !*out)
        snprintf(out, room, "%s is %#llx, expected %#llx", what, (unsigned long long)got, (unsigned long long)expect);
}

static void run_row(const char *where, struct machine *m, const struct row *r, bool step, char *out, size_t room)
{
    struct pe *pe = m->pe[0];
    vm_reset(m);
    m->cfg.log = 0;
    uint64_t end = emit_word(m, AT, r->form, r->word);
    emit(m, end, LINX_C_BSTART_STD, LINX_F_BrType, 1,);
    emit(m, CODE + 0x400, LINX_C_BSTART_STD, LINX_F_BrType, 1,);
    set_before(where, m, r);
    uint64_t expect[32], taken = pe->taken, bpcn = pe->bpcn, tp = pe->tp, gp = pe->gp, cstate = pe->cstate, next = end, arg = 0;
    memcpy(expect, pe->r, sizeof expect);
    const char *trap = NULL;
    bool arg_given = false, next_given = false;
    for (unsigned i = 0; i < r->na; i++) {
        const struct item *it = &r->after[i];
        int reg = reg_of(it->name);
        if (!strcmp(it->name, "t")) { memmove(expect + 25, expect + 24, 24); expect[24] = it->value; }
        else if (!strcmp(it->name, "u")) { memmove(expect + 29, expect + 28, 24); expect[28] = it->value; }
        else if (reg >= 0) expect[reg] = it->value;
        else if (!strcmp(it->name, "taken")) taken = it->value;
        else if (!strcmp(it->name, "bpcn")) bpcn = it->value;
        else if (!strcmp(it->name, "tp")) tp = it->value;
        else if (!strcmp(it->name, "gp")) gp = it->value;
        else if (!strcmp(it->name, "cstate")) cstate = it->value;
        else if (!strcmp(it->name, "next")) { next = it->value; next_given = true; }
        else if (!strcmp(it->name, "trap")) trap = it->text;
        else if (!strcmp(it->name, "arg")) { arg = it->value; arg_given = true; }
        else if (it->name[0] != 'm' && strncmp(it->name, "ssr:", 4)) die(where, "unknown item", it->name);
    }
    enum exit_reason why = step ? exec_step(pe, pe->insns + 1) : exec_fast(pe, pe->insns + 1);
    *out = 0;
    if (trap) {
        char got[32];
        snprintf(got, sizeof got, "%u.%u", pe->trap.num, pe->trap.cause);
        if (why != EXIT_TRAP) snprintf(out, room, "no trap, expected %s", trap);
        else if (strcmp(got, trap)) snprintf(out, room, "trap %s, expected %s", got, trap);
        if (arg_given) want(out, room, "TRAPARG0", pe->trap.arg, arg);
        want(out, room, "TPC", pe->tpc, AT);
    } else if (why == EXIT_TRAP) {
        snprintf(out, room, "trap %u.%u arg %#llx", pe->trap.num, pe->trap.cause, (unsigned long long)pe->trap.arg);
    } else {
        if (pe->br_type == 3 && !next_given) next = pe->bpc;
        if (pe->br_type == 1 && !next_given) next = pe->bpcn;
        if (pe->br_type == 2 && !next_given) next = taken ? pe->bpcn : end;
        want(out, room, "BPC", pe->bpc, next);
        want(out, room, "instructions", pe->insns, 1);
    }
    for (unsigned i = 0; i < 32; i++) want(out, room, reg_names[i], pe->r[i], expect[i]);
    want(out, room, "TAKEN", pe->taken, taken);
    want(out, room, "BPCN", pe->bpcn, bpcn);
    want(out, room, "TP", pe->tp, tp);
    want(out, room, "GP", pe->gp, gp);
    want(out, room, "CSTATE", pe->cstate, cstate);
    for (unsigned i = 0; i < r->na; i++) {
        const struct item *it = &r->after[i];
        unsigned size;
        uint64_t v;
        if (it->name[0] == 'm' && it->name[2] == '@') {
            uint64_t a = mem_addr(where, it->name, &size);
            want(out, room, it->name, peek(m, a, size), it->value);
        } else if (!strncmp(it->name, "ssr:", 4)) {
            unsigned ring = pe_ring(pe);
            set_ring(pe, 0);
            if (ssr_read(pe, (uint32_t)strtoul(it->name + 4, NULL, 0), &v) != EXEC_OK) die(where, "cannot read", it->name);
            set_ring(pe, ring);
            want(out, room, it->name, v, it->value);
        }
    }
}

static void run_file(struct machine *m, const char *name)
{
    FILE *f = fopen(name, "r");
    if (!f) die(name, "cannot open", "");
    char line[1024], where[300], text[256], id[64];
    unsigned n = 0, rows = 0;
    for (; fgets(line, sizeof line, f); ) {
        n++;
        const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
        snprintf(where, sizeof where, "%s:%u", base, n);
        struct row r;
        if (!parse_row(where, line, &r)) continue;
        snprintf(id, sizeof id, "%s", linx_forms[r.form].id);
        for (int step = 0; step < 2; step++) {
            run_row(where, m, &r, step, text, sizeof text);
            if (*text) printf("not ok %s %s: %s loop: %s\n", where, id, step ? "stepping" : "fast", text);
            rows++;
        }
        covered[r.form] = true;
    }
    fclose(f);
    printf("ok %s (%u runs)\n", name, rows);
}

int main(int argc, char **argv)
{
    struct machine *m = vm_new(1, 1);
    for (int i = 1; i < argc; i++) run_file(m, argv[i]);
    for (int i = 0; i < LINX_NFORMS; i++) {
        unsigned w = linx_forms[i].where;
        if (w & (LINX_WHERE_STD | LINX_WHERE_SYS | LINX_WHERE_FP) && !covered[i]) printf("not ok coverage %s: no row\n", linx_forms[i].id);
    }
    machine_free(m);
    return 0;
}
