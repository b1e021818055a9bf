// SPDX-License-Identifier: BSD-2-Clause
#include "harness.h"

#include <stdarg.h>

uint8_t ram[RAM_SIZE];
uint8_t page_perm[RAM_PAGES];
unsigned failures, checks;
static unsigned total_failures;

void check_(bool ok, const char *file, int line, const char *fmt, ...)
{
    checks++;
    if (ok)
        return;
    if (failures++ < 20) {
        va_list ap;
        va_start(ap, fmt);
        printf("# %s:%d: ", file, line);
        vprintf(fmt, ap);
        printf("\n");
        va_end(ap);
    }
}

void check_eq_(uint64_t got, uint64_t want, const char *file, int line, const char *what)
{
    check_(got == want, file, line, "%s: got 0x%" PRIx64 ", want 0x%" PRIx64, what, got, want);
}

void test_end(const char *name)
{
    if (failures)
        printf("not ok %s: %u of %u checks failed\n", name, failures, checks);
    else if (checks == 0)
        printf("not ok %s: nothing was checked\n", name);
    else
        printf("ok %s\n", name);
    total_failures += failures;
    failures = checks = 0;
    fflush(stdout);
}

// ---- memory services of the scalar core -------------------------------------------------------------------------
static bool in_ram(uint64_t va, uint64_t len) { return va >= RAM_BASE && va - RAM_BASE < RAM_SIZE && RAM_SIZE - (va - RAM_BASE) >= len; }

enum exec_status pe_trap(struct pe *pe, uint8_t num, uint32_t cause, uint64_t arg)
{
    pe->trap = (struct trap){num, cause, arg, NULL};
    return EXEC_TRAP;
}
enum exec_status pe_probe(struct pe *pe, uint64_t va, uint64_t len, bool write)
{
    if (va + len < va)
        return pe_trap(pe, LINX_E_DATA, write ? LINX_EC_STORE_ACCESS : LINX_EC_LOAD_ACCESS, va);
    for (uint64_t at = va; at < va + len; at = (at | 4095) + 1)
        if (!in_ram(at, 1) || !(page_perm[(at - RAM_BASE) >> 12] & (write ? PAGE_W : PAGE_R)))
            return pe_trap(pe, LINX_E_DATA, write ? LINX_EC_STORE_PAGE : LINX_EC_LOAD_PAGE, at);
    return EXEC_OK;
}
void *pe_host(struct pe *pe, uint64_t va, uint64_t len, bool write)
{
    (void)pe;
    if (len == 0 || !in_ram(va, len) || (va >> 12) != (va + len - 1) >> 12)
        return NULL;
    unsigned perm = page_perm[(va - RAM_BASE) >> 12];
    return perm & PAGE_DEVICE || !(perm & (write ? PAGE_W : PAGE_R)) ? NULL : &ram[va - RAM_BASE];
}
enum exec_status pe_load(struct pe *pe, uint64_t va, unsigned size, uint64_t *value)
{
    if (pe_probe(pe, va, size, false) != EXEC_OK)
        return EXEC_TRAP;
    *value = 0;
    memcpy(value, &ram[va - RAM_BASE], size);
    return EXEC_OK;
}
enum exec_status pe_store(struct pe *pe, uint64_t va, unsigned size, uint64_t value)
{
    if (pe_probe(pe, va, size, true) != EXEC_OK)
        return EXEC_TRAP;
    memcpy(&ram[va - RAM_BASE], &value, size);
    return EXEC_OK;
}
void pe_wrote(struct pe *pe, uint64_t va, uint64_t len) { (void)pe; (void)va; (void)len; }
enum exec_status pe_fetch(struct pe *pe, uint64_t va, unsigned bytes, uint64_t *value)
{
    for (uint64_t at = va; at < va + bytes; at++)
        if (!in_ram(at, 1) || !(page_perm[(at - RAM_BASE) >> 12] & PAGE_X))
            return pe_trap(pe, LINX_E_INST, LINX_EC_PAGE, at);
    *value = 0;
    memcpy(value, &ram[va - RAM_BASE], bytes);
    return EXEC_OK;
}

struct pe *pe_new(unsigned slots, unsigned index, struct shared_bank *bank)
{
    struct pe *pe = calloc(1, sizeof(*pe));
    pe->index = (uint8_t)index;
    pe->lxlcid = (uint16_t)index;
    pe->engine = engine_new(pe, slots, bank);
    pe->bank[0].econfig = pe->bank[1].econfig = 3ull << 32;
    return pe;
}
void pe_delete(struct pe *pe)
{
    engine_free(pe->engine);
    free(pe);
}
void ram_reset(void)
{
    memset(ram, 0, sizeof(ram));
    memset(page_perm, PAGE_R | PAGE_W | PAGE_X, sizeof(page_perm));
}

// ---- encoding ------------------------------------------------------------------------------------------------------
uint64_t enc(int form, ...)
{
    uint64_t w = linx_forms[form].match;
    va_list ap;
    va_start(ap, form);
    for (int name; (name = va_arg(ap, int)) >= 0;) {
        int64_t v = va_arg(ap, int);
        int i = linx_find_field((enum linx_form)form, (enum linx_field_name)name);
        if (i < 0) {
            fprintf(stderr, "harness: %s has no field %s\n", linx_forms[form].id, linx_field_names[name]);
            exit(2);
        }
        w = linx_field_put(&linx_forms[form].field[i], w, v);
    }
    va_end(ap);
    return w;
}
void prog_start(struct prog *p, uint64_t base) { p->base = p->at = base; }
void emit(struct prog *p, uint64_t word)
{
    unsigned n = linx_insn_bytes((uint16_t)word);
    memcpy(&ram[p->at - RAM_BASE], &word, n);
    p->at += n;
}

struct block_header header(int form, uint64_t body, unsigned lb0, unsigned lb1, unsigned lb2)
{
    struct block_header h = {.bpc = CODE - 64, .end = CODE - 8, .body = body, .form = (uint16_t)form, .function = LINX_vsize_VS16,
                             .lb = {(uint16_t)lb0, (uint16_t)lb1, (uint16_t)lb2}, .lb_set = {true, lb1 != 1, lb2 != 1}};
    return h;
}
void add_ri(struct block_header *h, uint64_t v)
{
    h->ri_reg[h->num_ri] = (uint8_t)(2 + h->num_ri);
    h->ri[h->num_ri++] = v;
}
void add_ro(struct block_header *h, unsigned reg) { h->ro_reg[h->num_ro++] = (uint8_t)reg; }
void add_src(struct block_header *h, unsigned hand, unsigned k, bool reuse)
{
    h->src_at[h->num_src] = h->bpc + 4 * (h->num_src + 1u);
    h->src[h->num_src++] = (struct tile_operand){.reuse = reuse, .index = (uint8_t)(hand * 16 + k - 1)};
}
void add_dst(struct block_header *h, unsigned hand, unsigned code)
{
    h->dst_at[h->num_dst] = h->bpc + 40 + 4 * h->num_dst;
    h->dst[h->num_dst++] = (struct tile_dest){.index = (uint8_t)hand, .size = (uint8_t)code};
}

enum exec_status run_block(struct pe *pe, const struct block_header *h)
{
    uint64_t done, tpc;
    unsigned group;
    enum exec_status st = engine_start(pe, h);
    for (unsigned n = 0; st == EXEC_OK && n < 1000; n++)
        st = engine_run(pe, 1000000, &done, &tpc, &group);
    return st;
}

void push_tile(struct pe *pe, unsigned hand, unsigned code, const void *data)
{
    struct tile *t = &pe->engine->scratch[0];
    memset(t->data, 0, TILE_MAX);
    if (data)
        memcpy(t->data, data, tile_bytes(code));
    t->code = (uint8_t)code;
    hand_push(pe->engine, hand, t);
}

uint64_t rnd(void)
{
    static uint64_t s = 0x9e3779b97f4a7c15;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
}
