// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/shared.h"

#include "kernel/heap.h"
#include "kernel_forms.h"
#include "lib/string.h"

#define STORE_COLUMNS  128
#define SHARED_CAPACITY(code) (64u << (code))          // bytes for each PE of the mask; codes 1..12
#define SIZE_SOURCE    0
#define BLOCK_WORDS    8
#define IOS_FROM_END   3                                // words: B.IOS, the return, C.BSTOP

extern const uint32_t shared_store_block[], shared_load_block[], shared_block_end[], shared_load_starts[];

// The block being built and run; the kernel lock guards it.
extern uint32_t shared_code[];          // kernel/shared_blocks.S; text, so written through the direct map

static uint32_t *writable(void) { return direct((uint64_t)(uintptr_t)shared_code); }

// PEMode of a mask (bit p: PE p); the other masks do not exist.
static uint32_t pe_mode(unsigned mask) {
    static const uint8_t masks[8] = { 0, 1, 2, 4, 8, 3, 7, 15 };
    uint32_t mode = 0;
    while (masks[mode] != mask)
        mode++;
    return mode;
}

static void build(const uint32_t *from, const uint32_t *to, unsigned number, unsigned size, unsigned mask) {
    size_t words = (size_t)(to - from);
    uint32_t *code = writable();
    memcpy(code, from, words * 4);
    code[words - IOS_FROM_END] = B_IOS_MATCH | number << B_IOS_SharedTID_LSB |
                                 size << B_IOS_SizeCode_LSB | pe_mode(mask) << B_IOS_PEMode_LSB;
}

static void store(unsigned number, unsigned index, void *to, uint64_t bytes) {
    build(shared_store_block, shared_load_block, number, SIZE_SOURCE, 1u << index);
    __asm__ volatile("fence.i" : : : "memory");
    ((void (*)(void *, uint64_t))(uintptr_t)shared_code)(to, bytes / STORE_COLUMNS);
}

static void load(const struct shared_reg *r, const void *from) {
    uint64_t cols = r->cols, valid_cols = r->valid_cols;
    build(shared_load_block, shared_block_end, r->number, r->size_code, r->mask);
    writable()[0] = shared_load_starts[2 * r->es_log2];
    __asm__ volatile("fence.i" : : : "memory");
    ((void (*)(const void *, uint64_t, uint64_t, uint64_t, uint64_t))(uintptr_t)shared_code)(from, cols << r->es_log2, valid_cols,
                                                                                      r->valid_rows, cols);
}

static unsigned rank(unsigned mask, unsigned index) { return (unsigned)__builtin_popcount(mask & ((1u << index) - 1)); }

// False: the register holds nothing.
static bool describe(unsigned number, struct shared_reg *r) {
    ssr_set(LINX_SSR_SHSELECT, number);
    uint64_t desc = ssr_get(LINX_SSR_SHDESC), shape = ssr_get(LINX_SSR_SHSHAPE);
    *r = (struct shared_reg){ .number = (uint8_t)number, .size_code = desc & 15, .mask = desc >> 4 & 15,
                              .written = desc >> 8 & 15, .cols = (uint16_t)(shape >> 16),
                              .valid_rows = (uint16_t)(shape >> 32), .valid_cols = (uint16_t)(shape >> 48) };
    uint32_t rows = shape & 0xffff, bytes = SHARED_CAPACITY(r->size_code);
    while (r->es_log2 < 3 && ((uint64_t)rows * r->cols << r->es_log2) < bytes && rows != 0xffff)
        r->es_log2++;
    return (desc >> 12 & 1) != 0;
}

struct shared_image *shared_save(uint32_t first, uint32_t count) {
    unsigned index = (unsigned)ssr_get(LINX_SSR_PEID);
    struct shared_reg r;
    uint32_t used = 0, bytes = 0;
    for (uint32_t n = first; n < first + count; n++)
        if (describe(n, &r)) {
            used++;
            bytes += SHARED_CAPACITY(r.size_code) * (unsigned)__builtin_popcount(r.mask);
        }
    size_t head = (sizeof(struct shared_image) + used * sizeof r + 15) & ~(size_t)15;
    struct shared_image *image = kernel_alloc_raw(head + bytes);
    if (image == NULL)
        return NULL;
    *image = (struct shared_image){ 0 };
    char *at = (char *)image + head;
    for (uint32_t n = first; n < first + count; n++) {
        if (!describe(n, &r))
            continue;
        uint32_t each = SHARED_CAPACITY(r.size_code), last = 31 - (unsigned)__builtin_clz(r.written);
        uint32_t stored = (rank(r.mask, last) + 1) * each;      // the array starts at its offset 0: up to the last fragment
        r.data = at;
        store(n, index, at, stored);
        image->moved += stored;
        image->live += each * (unsigned)__builtin_popcount(r.written);
        at += each * (unsigned)__builtin_popcount(r.mask);
        image->reg[image->count++] = r;
    }
    return image;
}

// A destination joins the allocation that is there when mask and size agree and this PE has not written: then a first
// write makes sure that the second one starts anew.
static void load_fresh(const struct shared_reg *r, unsigned index, const void *from) {
    struct shared_reg there;
    if (describe(r->number, &there) && there.size_code == r->size_code && there.mask == r->mask && !(there.written >> index & 1))
        load(r, from);
    load(r, from);
}

void shared_load(struct shared_image *image, unsigned index) {
    for (uint32_t i = 0; i < image->count; i++) {
        struct shared_reg *r = &image->reg[i];
        uint32_t each = SHARED_CAPACITY(r->size_code);
        if (!(r->written >> index & 1))
            continue;
        const char *from = r->data + rank(r->mask, index) * each;
        if (r->begun)
            load(r, from);
        else
            load_fresh(r, index, from);
        r->begun = true;
        image->moved += each;
        image->live += each;
    }
}

void shared_scrub(uint32_t first, uint32_t count, const struct shared_image *image, unsigned index) {
    static const char zeros[SHARED_CAPACITY(1)];
    for (uint32_t n = first, i = 0; n < first + count; n++) {
        struct shared_reg there;
        if (image != NULL && i < image->count && image->reg[i].number == n) {
            i++;
            continue;
        }
        if (!describe(n, &there))
            continue;
        struct shared_reg r = { .number = (uint8_t)n, .size_code = 1, .mask = (uint8_t)(1u << index),
                                .cols = SHARED_CAPACITY(1), .valid_rows = 1, .valid_cols = SHARED_CAPACITY(1) };
        load_fresh(&r, index, zeros);
    }
}
