// SPDX-License-Identifier: BSD-2-Clause
// Template blocks: function frames and block copies. Faults come before any effect, so they restart (target 2.8).
#include "core.h"
#include "exec.h"

enum { FIRST_SAVED = 2, LAST_SAVED = 23, SP = 1 };

// Registers begin..end within R2..R23, wrapping from R23 to R2. 0: an impossible list.
static unsigned register_list(unsigned begin, unsigned end, uint8_t *list)
{
    unsigned n = 0, r = begin;
    if (begin < FIRST_SAVED || begin > LAST_SAVED || end < FIRST_SAVED || end > LAST_SAVED) return 0;
    for (;;) {
        list[n++] = (uint8_t)r;
        if (r == end) return n;
        r = r == LAST_SAVED ? FIRST_SAVED : r + 1;
    }
}

static void trace_frame(struct pe *pe, char kind, uint64_t top, unsigned n, const uint64_t *values)
{
    for (unsigned i = 0; i < n && pe->x->trace_live; i++) trace_mem(pe, kind, top - 8 * (i + 1), 8, values[i]);
}

enum exec_status template_frame(struct pe *pe, int form, unsigned begin, unsigned end, uint64_t bytes, uint64_t *target)
{
    uint8_t list[24];
    uint64_t values[24];
    unsigned n = register_list(begin, end, list);
    if (!n) return pe_trap(pe, LINX_E_INST, LINX_EC_ILLEGAL, 0);
    uint64_t *R = pe->r;
    if (form == LINX_FENTRY) {
        uint64_t top = R[SP], base = top - 8 * n;
        uint8_t *host = base & 7 ? NULL : pe_host(pe, base, 8 * n, true);
        if (host) {
            for (unsigned i = 0; i < n; i++) memcpy(host + 8 * (n - 1 - i), &R[list[i]], 8);
            pe_wrote(pe, base, 8 * n);
        } else {
            if (pe_probe(pe, base, 8 * n, true) != EXEC_OK) return EXEC_TRAP;
            for (unsigned i = 0; i < n; i++)
                if (pe_store(pe, top - 8 * (i + 1), 8, R[list[i]]) != EXEC_OK) return EXEC_TRAP;
        }
        if (pe->x->trace_live)
            for (unsigned i = 0; i < n; i++) values[i] = R[list[i]];
        trace_frame(pe, 'W', top, n, values);
        R[SP] = top - bytes;
        return EXEC_OK;
    }
    uint64_t top = R[SP] + bytes, base = top - 8 * n;
    const uint8_t *host = pe_host(pe, base, 8 * n, false);
    if (host)
        for (unsigned i = 0; i < n; i++) memcpy(&values[i], host + 8 * (n - 1 - i), 8);
    else
        for (unsigned i = 0; i < n; i++)
            if (pe_load(pe, top - 8 * (i + 1), 8, &values[i]) != EXEC_OK) return EXEC_TRAP;
    trace_frame(pe, 'R', top, n, values);
    *target = form == LINX_FRET_STK ? values[0] : R[10];
    for (unsigned i = 0; i < n; i++) R[list[i]] = values[i];
    R[SP] = top;
    return EXEC_OK;
}

enum { MAX_COPY = 65535 };

enum exec_status template_copy(struct pe *pe, uint64_t dst, uint64_t src, uint64_t n)
{
    if (n > MAX_COPY) return pe_trap(pe, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0);
    if (pe_probe(pe, src, n, false) != EXEC_OK || pe_probe(pe, dst, n, true) != EXEC_OK) return EXEC_TRAP;
    while (n) {     // overlapping ranges copy forward, byte by byte as far as anyone can tell
        uint64_t k = PAGE_SIZE - (src & (PAGE_SIZE - 1)), l = PAGE_SIZE - (dst & (PAGE_SIZE - 1));
        if (k > l) k = l;
        if (k > n) k = n;
        uint8_t *from = pe_host(pe, src, k, false), *to = pe_host(pe, dst, k, true);
        if (from && to) {
            if (dst - src < k) for (uint64_t i = 0; i < k; i++) to[i] = from[i];
            else memmove(to, from, k);
            pe_wrote(pe, dst, k);
        } else {
            for (uint64_t i = 0; i < k; i++) {
                uint64_t v;
                if (pe_load(pe, src + i, 1, &v) != EXEC_OK || pe_store(pe, dst + i, 1, v) != EXEC_OK) return EXEC_TRAP;
            }
        }
        src += k;
        dst += k;
        n -= k;
    }
    return EXEC_OK;
}

enum exec_status template_set(struct pe *pe, uint64_t dst, uint64_t value, uint64_t n)
{
    if (n > MAX_COPY) return pe_trap(pe, LINX_E_BLOCK, LINX_EC_INVAL_PARM, 0);
    if (pe_probe(pe, dst, n, true) != EXEC_OK) return EXEC_TRAP;
    while (n) {
        uint64_t k = PAGE_SIZE - (dst & (PAGE_SIZE - 1));
        if (k > n) k = n;
        uint8_t *to = pe_host(pe, dst, k, true);
        if (to) {
            memset(to, (int)(value & 0xff), k);
            pe_wrote(pe, dst, k);
        } else {
            for (uint64_t i = 0; i < k; i++)
                if (pe_store(pe, dst + i, 1, value & 0xff) != EXEC_OK) return EXEC_TRAP;
        }
        dst += k;
        n -= k;
    }
    return EXEC_OK;
}
