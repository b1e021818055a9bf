// SPDX-License-Identifier: BSD-2-Clause
#include "trap/wide.h"

#include "kernel/authority.h"
#include "kernel/board_info.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/sched.h"
#include "kernel/life.h"
#include "kernel_forms.h"

// ---- blocks of wide_blocks.S --------------------------------------------------------------------------------------------
typedef int64_t tile_block(void *memory, uint64_t rows);        // -1: refused
typedef int64_t guarded_block(void);
extern const char wide_store_blocks[], wide_load_blocks[], wide_image_store[], wide_image_peek[];
extern const char wide_esave_blocks[], wide_ercov_blocks[];
extern const uint32_t wide_block_bytes;
extern tile_block wide_image_load, wide_output_load, wide_destroy_acc;

#define HAND_N       3
#define GUARDED_BYTES 32
#define ROW          32         // bytes of a row of tiles
#define IMAGE_ROW    8
#define DST_STACK    5          // B.IOT DstTile
#define DST_NONE     7
#define NIBBLE(map, k) ((unsigned)((map) >> (4 * ((k) - 1))) & 15)

// Number of the oldest live entry of a hand, 0 = none.
static unsigned oldest(uint64_t map) { return map == 0 ? 0 : (unsigned)(63 - __builtin_clzll(map)) / 4 + 1; }

static bool run_block(const char *table, unsigned index, void *memory, uint64_t rows) {
    return ((tile_block *)(uintptr_t)(table + index * wide_block_bytes))(memory, rows) != -1;
}
static bool run_guarded(const char *table, unsigned outputs) {
    return ((guarded_block *)(uintptr_t)(table + outputs * GUARDED_BYTES))() == 0;
}
// False: there is no such entry, or it is smaller.
static bool tile_store(unsigned hand, unsigned k, void *memory, uint64_t bytes) {
    return run_block(wide_store_blocks, hand * LINX_HAND_DEPTH + k - 1, memory, bytes / ROW);
}
static void tile_load(unsigned hand, unsigned code, void *memory) {
    run_block(wide_load_blocks, hand * LINX_TILE_MAX_CODE + code - 1, memory, (uint64_t)LINX_TILE_BYTES(code) / ROW);
}

// Where released and dummy entries go to and come from.
static _Alignas(16) char scratch[ROW];
static const char scratch_fractal[512];         // zeros: one fractal of 8-bit elements

// Tile map SSRs, one per hand; a build without them (LINX_NO_TILEMAP) uses what the task declared.
static void read_maps(const struct task *t, uint64_t map[3]) {
#ifdef LINX_NO_TILEMAP
    for (int h = 0; h < 3; h++)
        map[h] = t->wide->declared[h];
#else
    (void)t;
    map[0] = ssr_get(LINX_SSR_TILEMAP_T);
    map[1] = ssr_get(LINX_SSR_TILEMAP_T + 1);
    map[2] = ssr_get(LINX_SSR_TILEMAP_T + 2);
#endif
}

// ---- headers of interrupted blocks, in task memory --------------------------------------------------------------------
struct body_header {
    enum body_kind kind;
    bool dr;
    uint8_t outputs;
    uint16_t output_rows[4];
};
#define IS(word, form) (((word) & form##_MASK) == form##_MATCH)

// The 32 bits at `at` in the program's text, the only memory that tasks can execute.
static bool read_word(uint64_t at, uint32_t *word) {
    const void *p = task_text(at);
    if (p == NULL)
        return false;
    __builtin_memcpy(word, p, 4);
    return true;
}

static enum body_kind kind_of(uint32_t w) {
    if (IS(w, C_BSTART_VPAR) || IS(w, BSTART_VPAR)) return BODY_VPAR;
    if (IS(w, C_BSTART_VSEQ) || IS(w, BSTART_VSEQ)) return BODY_VSEQ;
    if (IS(w, C_BSTART_MPAR) || IS(w, BSTART_MPAR)) return BODY_MPAR;
    if (IS(w, C_BSTART_MSEQ) || IS(w, BSTART_MSEQ)) return BODY_MSEQ;
    return BODY_NONE;
}

enum body_kind body_kind_at(uint64_t header) {
    uint32_t w;
    return read_word(header, &w) ? kind_of(w) : BODY_NONE;
}

static bool is_seq(const struct body_header *h) { return h->kind == BODY_VSEQ || h->kind == BODY_MSEQ; }

// False: not a header that a body can have come from (the task changed it meanwhile).
static bool read_header(const struct pe *pe, uint64_t at, struct body_header *h) {
    uint32_t w;
    if (!read_word(at, &w) || (h->kind = kind_of(w)) == BODY_NONE)
        return false;
    h->dr = false;
    h->outputs = 0;
    for (int n = 0; n < 64; n++) {
        at += (w & 1) != 0 ? 4 : 2;     // headers have 16- and 32-bit instructions only
        if (!read_word(at, &w))
            return false;
        if (IS(w, B_TEXT))
            return true;
        if (IS(w, B_CATR)) {
            h->dr = (w >> B_CATR_DR_LSB & 1) != 0;
        } else if (IS(w, B_IOT_SRC2) || IS(w, B_IOT_SRC1) || IS(w, B_IOT_SRC0)) {
            unsigned dst = w >> B_IOT_SRC0_DstTile_LSB & 7, code = w >> B_IOT_SRC0_imm4_LSB & 15;
            if (dst == DST_NONE)
                continue;
            if (h->outputs == 4 || code < LINX_TILE_MIN_CODE || code > LINX_TILE_MAX_CODE)
                return false;
            uint32_t bytes = (uint32_t)LINX_TILE_BYTES(code);
            if (dst == DST_STACK && !is_seq(h))         // one for each group slot
                bytes *= pe->group_slots;
            if (bytes > LINX_TILE_MAX_BYTES)
                bytes = LINX_TILE_MAX_BYTES;
            h->output_rows[h->outputs++] = (uint16_t)(bytes / ROW);
        }
    }
    return false;
}

// Group records that hold something: one of a SEQ body; all slots for a task that inherits; else as many as the
// iteration space can fill.
static uint32_t live_groups(const struct pe *pe, const struct task *t, const struct body_header *h, const uint16_t *lb) {
    if (is_seq(h))
        return 1;
    if (!(t->flags & LINX_TASK_NO_INHERIT))
        return pe->group_slots;
    uint64_t groups = iteration_groups(lb, h->dr);
    return groups < pe->group_slots ? (uint32_t)groups : pe->group_slots;
}

// ---- saving ---------------------------------------------------------------------------------------------------------------
static uint32_t hands_bytes(const uint64_t map[3]) {
    uint32_t bytes = 0;
    for (int h = 0; h < 3; h++)
        for (uint64_t m = map[h]; m != 0; m >>= 4)
            if ((m & 15) != 0)
                bytes += (uint32_t)LINX_TILE_BYTES(m & 15);
    return bytes;
}

static void drop_area(struct task *t) {
    authority_refund(t->space, t->wide->area_bytes);
    kernel_free(t->wide->area);
    t->wide->area = NULL;
    t->wide->area_bytes = 0;
}

static bool make_room(struct task *t, uint32_t bytes) {
    struct wide *w = t->wide;
    if (bytes <= w->area_bytes)
        return true;
    drop_area(t);               // it holds nothing: the state is in the PE
    if (!authority_charge(t->space, bytes))
        return false;
    w->area = kernel_alloc_raw(bytes);
    if (w->area == NULL) {
        authority_refund(t->space, bytes);
        return false;
    }
    w->area_bytes = bytes;
    return true;
}

// Moves the owner's state from the PE to its save area. False: there is no memory, or its header is not the one of the
// body that was interrupted; the state is still in the PE then.
static bool wide_save(struct pe *pe, struct task *t) {
    struct wide *w = t->wide;
    struct wide_image *im = &w->image;
    struct body_header header = { .kind = BODY_NONE };
    bool body = in_body(&t->ctx), engine = body || !(t->flags & LINX_TASK_NO_INHERIT);
    uint16_t lb[4] = { 0 };

    if (body && !read_header(pe, t->ctx.ebpc, &header))
        return false;
    if (engine) {               // N#1.. = last output .. first output, private registers
        if (!run_guarded(wide_esave_blocks, header.outputs))
            return false;
        w->esaves++;
        run_block(wide_image_peek, header.outputs, lb, 1);
    }
    *im = (struct wide_image){ .version = WIDE_VERSION, .group_slots = (uint8_t)pe->group_slots, .pe = pe->lxlcid, .owner = t->obj.handle,
                               .generation = ++w->generation, .outputs = header.outputs };
    read_maps(t, im->map);
    if (engine)
        im->engine_bytes = LINX_ESAVE_IMAGE_BYTES(body ? live_groups(pe, t, &header, lb) : pe->group_slots);
    uint32_t bytes = im->engine_bytes;
    for (int i = 0; i < header.outputs; i++) {
        im->output_rows[i] = header.output_rows[i];
        bytes += im->output_rows[i] * ROW;
    }
    if (!make_room(t, bytes + hands_bytes(im->map)))
        return false;

    char *at = w->area;
    if (engine) {
        run_block(wide_image_store, header.outputs, at, im->engine_bytes / IMAGE_ROW);
        at += im->engine_bytes;
        for (unsigned i = 0; i < header.outputs; i++) {
            tile_store(HAND_N, header.outputs - i, at, (uint64_t)im->output_rows[i] * ROW);
            at += im->output_rows[i] * ROW;
        }
    }
    for (unsigned h = 0; h < 3; h++)
        for (unsigned k = oldest(im->map[h]); k >= 1; k--) {
            unsigned code = NIBBLE(im->map[h], k);
            if (code == 0)
                continue;
            if (tile_store(h, k, at, (uint64_t)LINX_TILE_BYTES(code)))
                at += LINX_TILE_BYTES(code);
            else                        // declared, but not there now (LINX_NO_TILEMAP)
                im->map[h] &= ~((uint64_t)15 << (4 * (k - 1)));
        }
    w->bytes_moved += (uint64_t)(at - w->area) + (engine ? IMAGE_ROW : 0);
    w->bytes_live += (uint64_t)(at - w->area);
    w->saved = true;
    pe->wide_saves++;
    return true;
}

// ---- restoring ------------------------------------------------------------------------------------------------------------
// Leaves all four hands without a readable entry (of whoever had the PE before).
static void release_all(void) {
#ifdef LINX_NO_TILEMAP
    for (unsigned h = 0; h < LINX_HANDS; h++) {
        for (unsigned k = 0; k < LINX_HAND_DEPTH; k++) {
            if (h == HAND_N)
                wide_output_load(scratch, 1);
            else
                tile_load(h, LINX_TILE_MIN_CODE, scratch);
        }
        for (unsigned k = 1; k <= LINX_HAND_DEPTH; k++)
            tile_store(h, k, scratch, ROW);
    }
#else
    uint64_t map[LINX_HANDS] = { ssr_get(LINX_SSR_TILEMAP_T), ssr_get(LINX_SSR_TILEMAP_T + 1),
                                 ssr_get(LINX_SSR_TILEMAP_T + 2), ssr_get(LINX_SSR_TILEMAP_T + 3) };
    for (unsigned h = 0; h < LINX_HANDS; h++)
        for (unsigned k = 1; map[h] != 0; k++, map[h] >>= 4)
            if ((map[h] & 15) != 0)
                tile_store(h, k, scratch, ROW);
#endif
}

static bool image_fits(const struct pe *pe, const struct task *t) {
    const struct wide_image *im = &t->wide->image;
    return im->version == WIDE_VERSION && im->group_slots == pe->group_slots && im->owner == t->obj.handle &&
           im->generation == t->wide->generation;
}

static uint64_t load_hand(unsigned hand, uint64_t map, char **at) {
    uint64_t bytes = 0;
    for (unsigned k = oldest(map); k >= 1; k--) {
        unsigned code = NIBBLE(map, k);
        if (code != 0) {
            tile_load(hand, code, *at);
            *at += LINX_TILE_BYTES(code);
            bytes += (uint64_t)LINX_TILE_BYTES(code);
        } else {                        // a released entry keeps its place
            tile_load(hand, LINX_TILE_MIN_CODE, scratch);
            tile_store(hand, 1, scratch, ROW);
        }
    }
    return bytes;
}

// Gives the PE, which holds nothing of anybody, the state of `t`. False: its image is not one that fits.
static bool wide_load(struct pe *pe, struct task *t) {
    struct wide *w = t->wide;
    struct wide_image *im = &w->image;
    static const uint64_t zero;
    release_all();
    if (!w->saved) {                    // first use: all queues zero
        wide_image_load((void *)&zero, 1);
        return run_guarded(wide_ercov_blocks, 0);
    }
    if (!image_fits(pe, t))
        return false;
    char *at = w->area;
    uint64_t moved = im->engine_bytes;
    if (im->engine_bytes != 0) {
        wide_image_load(at, im->engine_bytes / IMAGE_ROW);
        at += im->engine_bytes;
        for (unsigned i = 0; i < im->outputs; i++) {
            wide_output_load(at, im->output_rows[i]);
            at += im->output_rows[i] * ROW;
            moved += im->output_rows[i] * ROW;
        }
        w->ercovs++;
    } else {
        wide_image_load((void *)&zero, 1);
    }
    if (!run_guarded(wide_ercov_blocks, im->outputs))
        return false;
    for (unsigned h = 0; h < 3; h++)
        moved += load_hand(h, im->map[h], &at);
    w->bytes_moved += moved;
    w->bytes_live += moved;
    w->saved = false;
    t->body_migrations += im->pe != pe->lxlcid && in_body(&t->ctx);
    return true;
}

// ---- ownership ------------------------------------------------------------------------------------------------------------
bool wide_put_away(struct pe *pe) {
    struct task *owner = pe->wide_owner;
    bool saved = owner == NULL || wide_save(pe, owner);
    pe->wide_owner = NULL;
    return saved;
}

bool wide_evict(struct pe *pe) {
    struct task *owner = pe->wide_owner;
    bool saved = wide_put_away(pe);
    if (!saved)
        task_end_with(owner, LINX_ENDED_NOMEM, 0, "its engine state cannot be saved: no memory, or a changed block header");
    return saved;
}

static bool take(struct pe *pe, struct task *t) {
    if (!(pe->owner_econfig & ECONFIG_C))
        wide_destroy_acc((void *)(uintptr_t)scratch_fractal, 0);
    pe->owner_econfig = ECONFIG_ON | ECONFIG_C;
    if (!wide_load(pe, t))
        return false;
    pe->wide_owner = t;
    pe->slice_end = time_now() + pe->slice_ns;      // its turn begins now: a hand-over may last longer than a slice
    pe->timer_dirty = true;
    return true;
}

bool wide_demand(struct pe *pe, struct task *t, bool cube) {
    if (t->flags & LINX_TASK_NO_ENGINE)
        return false;
    if (t->wide == NULL) {
        t->wide = kernel_alloc(sizeof *t->wide);
        if (t->wide == NULL)
            return false;
    }
    if (pe->wide_owner != t) {
        (void)wide_evict(pe);                // whoever ended for it, t goes on
        if (!take(pe, t))
            return false;
    }
    if (cube)
        pe->owner_econfig = ECONFIG_ON;
    wide_set_econfig(pe, pe->owner_econfig);
    return true;
}

void wide_forget(struct task *t) {
    if (t->wide == NULL)
        return;
    if (t->pe->wide_owner == t)
        t->pe->wide_owner = NULL;       // the next owner's wide_load clears what is left
    drop_area(t);
    t->wide->saved = false;
}

void wide_count_preemption(struct task *t) {
    enum body_kind kind = body_kind_at(t->ctx.ebpc);
    if (t->wide != NULL && kind != BODY_NONE)
        t->wide->body_preempts[kind]++;
}

bool wide_hand_over(struct pe *pe, struct task *next) {
    if (!wide_evict(pe))
        return false;
    if (take(pe, next))
        return true;
    task_end_with(next, LINX_ENDED_FAULT, 0, "its engine image does not fit this PE");
    return false;
}
