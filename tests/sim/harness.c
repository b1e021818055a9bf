// SPDX-License-Identifier: BSD-2-Clause
#include "harness.h"

#include <stdarg.h>
#include <stdlib.h>

struct machine *vm_new(unsigned cores, unsigned pes)
{
    struct config c = { .cores = cores, .pes = pes, .group_slots = 4, .ram_base = RAM, .ram_size = RAM_SIZE, .quantum = 1000 };
    struct machine *m = machine_new(&c);
    if (!m || !machine_add_device(m, intc_device()) || !machine_add_device(m, finisher_device(false))) exit(1);
    m->entry = CODE;
    machine_reset(m);
    return m;
}

void vm_reset(struct machine *m)
{
    code_flush(m);
    code_reap(m);
    memset(m->ram, 0, m->cfg.ram_size);
    m->now = 0;
    m->why = NULL;
    m->status = 0;
    m->preempted_once = false;
    m->total_insns = 0;
    for (unsigned i = 0; i < m->num_pes; i++) m->pe[i]->insns = m->pe[i]->idle_ns = 0;
    machine_reset(m);
}

uint64_t encode_set(uint64_t word, enum linx_form f, enum linx_field_name name, int64_t value)
{
    int i = linx_find_field(f, name);
    if (i < 0) { fprintf(stderr, "form %s has no field %s\n", linx_forms[f].id, linx_field_names[name]); exit(1); }
    const struct linx_field *x = &linx_forms[f].field[i];
    uint64_t w = linx_field_put(x, word, value >> x->scale);
    int64_t back = linx_field_value(x, w);
    int64_t mask = x->width + x->scale >= 64 ? -1 : ((int64_t)1 << (x->width + x->scale)) - 1;
    if (((back ^ value) & mask) != 0) {
        fprintf(stderr, "form %s: field %s cannot hold %lld\n", linx_forms[f].id, linx_field_names[name], (long long)value);
        exit(1);
    }
    return w;
}

uint64_t encode(enum linx_form f, ...)
{
    uint64_t w = linx_forms[f].match;
    va_list ap;
    va_start(ap, f);
    for (int name; (name = va_arg(ap, int)) >= 0;) w = encode_set(w, f, (enum linx_field_name)name, va_arg(ap, int));
    va_end(ap);
    return w;
}

uint64_t emit_word(struct machine *m, uint64_t at, enum linx_form f, uint64_t word)
{
    unsigned n = linx_forms[f].length / 8;
    for (unsigned i = 0; i < n; i++) poke(m, at + i, 1, word >> 8 * i & 0xff);
    return at + n;
}

void poke(struct machine *m, uint64_t at, unsigned size, uint64_t v)
{
    if (!machine_write(m, at, size, v)) { fprintf(stderr, "poke outside RAM: %#llx\n", (unsigned long long)at); exit(1); }
}

uint64_t peek(struct machine *m, uint64_t at, unsigned size)
{
    uint64_t v = 0;
    if (!machine_read(m, at, size, &v)) { fprintf(stderr, "peek outside RAM: %#llx\n", (unsigned long long)at); exit(1); }
    return v;
}

static unsigned failures;

void report(bool ok, const char *name, const char *fmt, ...)
{
    if (ok) { printf("ok %s\n", name); return; }
    failures++;
    va_list ap;
    va_start(ap, fmt);
    printf("not ok %s: ", name);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
}

int report_end(void) { return 0; }
