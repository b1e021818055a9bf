// SPDX-License-Identifier: BSD-2-Clause
// TMA against an independent model: layouts by walking fractals in order, padding, strides, spreading over tiles,
// gathers and scatters, checks, faults. Shared registers: roles, masks, sizes, joins (seed B.IOS; docs/target.md 3).
#include "harness.h"

static struct pe *pe;
static void fault(enum exec_status st, unsigned num, unsigned cause, const char *what)
{
    CHECK(st == EXEC_TRAP && pe->trap.num == num && pe->trap.cause == cause, "%s: status %d trap %u/%u %s", what, st, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
}

// ---- the model --------------------------------------------------------------------------------------------------
// Fills order[] with (i, j) of each element in storage order; 'Z' row-major, 'N' column-major, big before small.
struct ij { uint32_t i, j; };
static uint32_t walk(const char *layout, uint32_t rows, uint32_t cols, unsigned es, struct ij *order)
{
    uint32_t n = 0;
    if (!strcmp(layout, "ND")) {
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < cols; j++)
                order[n++] = (struct ij){i, j};
        return n;
    }
    if (!strcmp(layout, "DN")) {
        for (uint32_t j = 0; j < cols; j++)
            for (uint32_t i = 0; i < rows; i++)
                order[n++] = (struct ij){i, j};
        return n;
    }
    uint32_t fr = layout[1] == 'Z' ? 16 : 32 / es, fc = layout[1] == 'Z' ? 32 / es : 16;
    uint32_t outer = layout[0] == 'Z' ? rows / fr : cols / fc, inner = layout[0] == 'Z' ? cols / fc : rows / fr;
    for (uint32_t a = 0; a < outer; a++)
        for (uint32_t b = 0; b < inner; b++) {
            uint32_t bi = (layout[0] == 'Z' ? a : b) * fr, bj = (layout[0] == 'Z' ? b : a) * fc;
            for (uint32_t x = 0; x < (layout[1] == 'Z' ? fr : fc); x++)
                for (uint32_t y = 0; y < (layout[1] == 'Z' ? fc : fr); y++)
                    order[n++] = layout[1] == 'Z' ? (struct ij){bi + x, bj + y} : (struct ij){bi + y, bj + x};
        }
    return n;
}

static const struct { unsigned code; const char *from, *to; } load_layouts[] = {
    {LINX_Layout_NORM, "ND", "ND"}, {LINX_Layout_ND2DN, "ND", "DN"}, {LINX_Layout_ND2NZ, "ND", "NZ"}, {LINX_Layout_ND2ZN, "ND", "ZN"},
    {LINX_Layout_ND2ZZ, "ND", "ZZ"}, {LINX_Layout_ND2NN, "ND", "NN"}, {LINX_Layout_DN2NZ, "DN", "NZ"}, {LINX_Layout_DN2ZN, "DN", "ZN"},
    {LINX_Layout_DN2ND, "DN", "ND"}, {LINX_Layout_DN2ZZ, "DN", "ZZ"}, {LINX_Layout_DN2NN, "DN", "NN"},
};
static const struct { unsigned code; const char *from, *to; } store_layouts[] = {
    {LINX_Layout_NORM, "ND", "ND"}, {LINX_Layout_NZ2ND, "NZ", "ND"}, {LINX_Layout_ZN2ND, "ZN", "ND"}, {LINX_Layout_ZZ2ND, "ZZ", "ND"},
    {LINX_Layout_NN2ND, "NN", "ND"}, {LINX_Layout_NZ2DN, "NZ", "DN"}, {LINX_Layout_ZN2DN, "ZN", "DN"}, {LINX_Layout_ND2DN, "ND", "DN"},
};
static const unsigned types[] = {LINX_DataType_U8, LINX_DataType_S8, LINX_DataType_U16, LINX_DataType_FP16, LINX_DataType_BF16, LINX_DataType_U32, LINX_DataType_FP32,
                                 LINX_DataType_S32, LINX_DataType_U64, LINX_DataType_FP64, LINX_DataType_S64, LINX_DataType_E4M3};
static unsigned es_of(unsigned t)
{
    switch (t) {
    case LINX_DataType_FP64: case LINX_DataType_S64: case LINX_DataType_U64: return 8;
    case LINX_DataType_FP32: case LINX_DataType_S32: case LINX_DataType_U32: return 4;
    case LINX_DataType_FP16: case LINX_DataType_BF16: case LINX_DataType_U16: return 2;
    default: return 1;
    }
}
// Byte b of the pad element.
static uint8_t pad_byte(unsigned type, unsigned pad, unsigned b)
{
    unsigned es = es_of(type);
    bool top = b == es - 1;
    if (pad == 0 || pad == 3)
        return 0;
    switch (type) {
    case LINX_DataType_U8: case LINX_DataType_U16: case LINX_DataType_U32: case LINX_DataType_U64: return pad == 1 ? 0xff : 0;
    case LINX_DataType_S8: case LINX_DataType_S32: case LINX_DataType_S64: return pad == 1 ? (top ? 0x7f : 0xff) : top ? 0x80 : 0;
    case LINX_DataType_FP16: return top ? (pad == 1 ? 0x7c : 0xfc) : 0;
    case LINX_DataType_BF16: case LINX_DataType_FP32: return top ? (pad == 1 ? 0x7f : 0xff) : b == es - 2 ? 0x80 : 0;
    default: return top ? (pad == 1 ? 0x7f : 0xff) : b == es - 2 ? 0xf0 : 0;
    }
}

static struct block_header tma(unsigned function, unsigned type, unsigned layout, unsigned pad, unsigned vc, unsigned vr, unsigned col)
{
    struct block_header h = header(LINX_BSTART_TMA, 0, vc, vr, col);
    h.function = (uint16_t)function;
    h.data_type = (uint8_t)type;
    h.has_datr = layout != LINX_Layout_NORM || pad != 3;
    h.datr_layout = (uint8_t)layout;
    h.datr_pad = (uint8_t)pad;
    h.lb_set[0] = h.lb_set[1] = h.lb_set[2] = true;
    return h;
}

static void random_load(void)
{
    static struct ij order[TILE_MAX];
    unsigned l = rnd() % (sizeof(load_layouts) / sizeof(load_layouts[0])), type = types[rnd() % 12], es = es_of(type);
    unsigned pad = rnd() % 4;
    if (type == LINX_DataType_E4M3 && pad != 3)
        pad = 0;
    bool fractal = load_layouts[l].to[1] != 'D' && load_layouts[l].to[0] != 'D';
    unsigned code = 5 + rnd() % 6, bytes = 16u << code;
    uint32_t col = fractal ? (load_layouts[l].to[1] == 'Z' ? 32 / es : 16) << rnd() % 3 : 1 + rnd() % 40;
    uint32_t row = bytes / (col * es);
    uint32_t fr = load_layouts[l].to[1] == 'Z' ? 16 : 32 / es;
    if (row == 0 || (fractal && row % fr))
        return;
    uint32_t vr = rnd() % (row + 1), vc = rnd() % (col + 1);
    bool dn = load_layouts[l].from[0] == 'D';
    uint32_t line = (dn ? vr : vc) * es, stride = rnd() % 3 ? line + rnd() % 50 : rnd() % 8 ? line : 0;
    bool has_stride = stride != line || rnd() & 1;
    if ((uint64_t)(dn ? vc : vr) * stride + line > 0x60000)
        return;
    struct block_header h = tma(LINX_tma_TLOAD, type, load_layouts[l].code, pad, vc, vr, col);
    uint64_t base = DATA + rnd() % 64;
    add_ri(&h, base);
    if (has_stride)
        add_ri(&h, stride);
    unsigned hand = rnd() % 4;
    add_dst(&h, hand, code);
    enum exec_status st = engine_tile_block(pe, &h);
    CHECK(st == EXEC_OK, "TLOAD: trap %u/%u %s", pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    if (st != EXEC_OK)
        return;
    uint32_t n = walk(load_layouts[l].to, row, col, es, order);
    const uint8_t *t = hand_entry(pe->engine, hand, 1)->data;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = order[k].i, j = order[k].j;
        for (unsigned b = 0; b < es; b++) {
            uint8_t want = i < vr && j < vc ? ram[base - RAM_BASE + (dn ? j * stride + i * es : i * stride + j * es) + b] : pad_byte(type, pad, b);
            if (t[k * es + b] != want) {
                CHECK(false, "TLOAD %s2%s type %u %ux%u of %ux%u stride %u pad %u: element %u,%u byte %u: 0x%x, want 0x%x", load_layouts[l].from, load_layouts[l].to, type,
                      vr, vc, row, col, stride, pad, i, j, b, t[k * es + b], want);
                return;
            }
        }
    }
    CHECK_EQ(engine_tile_map(pe, hand) & 15, code, "pushed");
}

static void random_store(void)
{
    static struct ij order[TILE_MAX];
    static uint8_t model[RAM_SIZE], tile[TILE_MAX];
    unsigned l = rnd() % (sizeof(store_layouts) / sizeof(store_layouts[0])), type = types[rnd() % 12], es = es_of(type);
    const char *from = store_layouts[l].from;
    bool fractal = from[0] != 'D' && from[1] != 'D', dn = store_layouts[l].to[0] == 'D';
    unsigned code = 5 + rnd() % 6, bytes = 16u << code;
    uint32_t col = fractal ? (from[1] == 'Z' ? 32 / es : 16) << rnd() % 3 : 1 + rnd() % 40, row = bytes / (col * es);
    if (row == 0 || (fractal && row % (from[1] == 'Z' ? 16 : 32 / es)))
        return;
    uint32_t vr = rnd() % (row + 1), vc = rnd() % (col + 1), line = (dn ? vr : vc) * es, stride = line + rnd() % 40;
    if ((uint64_t)(dn ? vc : vr) * stride + line > 0x60000)
        return;
    for (unsigned i = 0; i < bytes; i++)
        tile[i] = (uint8_t)rnd();
    push_tile(pe, 0, code, tile);
    struct block_header h = tma(LINX_tma_TSTORE, type, store_layouts[l].code, 3, vc, vr, col);
    uint64_t base = DATA + rnd() % 64;
    add_ri(&h, base);
    add_ri(&h, stride);
    add_src(&h, 0, 1, false);
    memcpy(model, ram, RAM_SIZE);
    uint32_t n = walk(from, row, col, es, order);
    for (uint32_t k = 0; k < n; k++)
        if (order[k].i < vr && order[k].j < vc)
            memcpy(&model[base - RAM_BASE + (dn ? order[k].j * stride + order[k].i * es : order[k].i * stride + order[k].j * es)], tile + k * es, es);
    enum exec_status st = engine_tile_block(pe, &h);
    CHECK(st == EXEC_OK, "TSTORE: trap %u/%u %s", pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    CHECK(!memcmp(model, ram, RAM_SIZE), "TSTORE %s2%s type %u %ux%u of %ux%u stride %u", from, store_layouts[l].to, type, vr, vc, row, col, stride);
    CHECK_EQ(engine_tile_map(pe, 0) & 15, 0, "released");
}

static void random_move(void)
{
    static struct ij src[TILE_MAX], dst[TILE_MAX];
    static const struct { unsigned code; const char *from, *to; } moves[] = {
        {LINX_Layout_NORM, "ND", "ND"}, {LINX_Layout_ND2NZ, "ND", "NZ"}, {LINX_Layout_NZ2ND, "NZ", "ND"}, {LINX_Layout_NZ2ZN, "NZ", "ZN"}, {LINX_Layout_ZN2NZ, "ZN", "NZ"},
        {LINX_Layout_ZZ2NN, "ZZ", "NN"}, {LINX_Layout_NN2ZZ, "NN", "ZZ"}, {LINX_Layout_NZ2DN, "NZ", "DN"}, {LINX_Layout_ZZ2NZ, "ZZ", "NZ"},
    };
    unsigned l = rnd() % 9, type = types[rnd() % 12], es = es_of(type), code = 7 + rnd() % 4, code2 = code + rnd() % 2;
    uint32_t col = 32u << rnd() % 2, row = (16u << code) / (col * es), row2 = (16u << code2) / (col * es);
    if (row % 32 || row2 % 32)
        return;
    uint32_t vr = rnd() % (row + 1), vc = rnd() % (col + 1);
    static uint8_t tile[TILE_MAX];
    for (unsigned i = 0; i < sizeof(tile); i++)
        tile[i] = (uint8_t)rnd();
    push_tile(pe, 1, code, tile);
    struct block_header h = tma(LINX_tma_TMOV, type, moves[l].code, 0, vc, vr, col);
    add_src(&h, 1, 1, true);
    add_dst(&h, 2, code2);
    CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TMOV");
    uint32_t n = walk(moves[l].from, row, col, es, src), m = walk(moves[l].to, row2, col, es, dst);
    const uint8_t *t = hand_entry(pe->engine, 2, 1)->data;
    static uint8_t matrix[TILE_MAX * 2];
    memset(matrix, 0, sizeof(matrix));
    for (uint32_t k = 0; k < n; k++)
        if (src[k].i < vr && src[k].j < vc)
            memcpy(matrix + (src[k].i * col + src[k].j) * es, tile + k * es, es);
    for (uint32_t k = 0; k < m; k++)
        if (memcmp(matrix + (dst[k].i * col + dst[k].j) * es, t + k * es, es)) {
            CHECK(false, "TMOV %s2%s type %u: element %u,%u", moves[l].from, moves[l].to, type, dst[k].i, dst[k].j);
            return;
        }
    CHECK(engine_tile_map(pe, 1) & 15, "reused");
}

// A matrix over several tiles: along columns for ND memory, rows for DN.
static void spread(void)
{
    for (unsigned dn = 0; dn < 2; dn++)
        for (unsigned n = 2; n <= 8; n *= 2) {
            uint32_t col = dn ? 16 : 8 * n, row = n * 1024 / (col * 4);
            struct block_header h = tma(LINX_tma_TLOAD, LINX_DataType_U32, dn ? LINX_Layout_DN2ND : LINX_Layout_NORM, 0, col, row, col);
            add_ri(&h, DATA);
            for (unsigned t = 0; t < n; t++)
                add_dst(&h, 0, 6);
            CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TLOAD spread");
            uint32_t r = dn ? row / n : row, c = dn ? col : col / n;
            for (unsigned t = 0; t < n; t++)
                for (uint32_t i = 0; i < r; i++)
                    for (uint32_t j = 0; j < c; j++) {
                        uint32_t gi = dn ? t * r + i : i, gj = dn ? j : t * c + j, want, got;
                        memcpy(&want, &ram[DATA - RAM_BASE + 4 * (dn ? gj * row + gi : gi * col + gj)], 4);
                        memcpy(&got, hand_entry(pe->engine, 0, n - t)->data + 4 * (i * c + j), 4);
                        CHECK(got == want, "spread dn=%u n=%u tile %u %u,%u", dn, n, t, i, j);
                    }
            h = tma(LINX_tma_TSTORE, LINX_DataType_U32, dn ? LINX_Layout_ND2DN : LINX_Layout_NORM, 3, col, row, col);
            add_ri(&h, DATA + 0x10000);
            for (unsigned t = 0; t < n; t++)
                add_src(&h, 0, n - t, false);
            CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TSTORE merge");
            CHECK(!memcmp(&ram[DATA - RAM_BASE], &ram[DATA + 0x10000 - RAM_BASE], n * 1024), "round trip");
        }
    test_end("TLOAD and TSTORE over several tiles");
}

static void indexed(void)
{
    static uint32_t off[TILE_MAX / 4];
    static uint8_t mask[TILE_MAX];
    for (unsigned masked = 0; masked < 2; masked++)
        for (unsigned os = 2; os <= 8; os *= 2)
            for (unsigned t = 0; t < 4; t++) {
                unsigned type = types[(unsigned[]){0, 2, 5, 8}[t]], es = es_of(type);
                static uint8_t offsets[TILE_MAX];
                uint32_t vr = 7, vc = 9, col = 12;
                for (unsigned k = 0; k < vr * col; k++) {
                    uint64_t o = off[k] = (uint32_t)(rnd() % 0x4000);
                    memcpy(offsets + k * os, &o, os);
                }
                for (unsigned k = 0; k < sizeof(mask); k++)
                    mask[k] = (uint8_t)rnd();
                push_tile(pe, 0, 11, offsets);
                push_tile(pe, 1, 8, mask);
                struct block_header h = tma(masked ? LINX_tma_MGATHER_MASK : LINX_tma_MGATHER, type, 0, 0, vc, vr, col);
                h.has_datr = true;
                h.datr_type = os == 2 ? LINX_DataType_U16 : os == 4 ? LINX_DataType_U32 : LINX_DataType_U64;
                add_ri(&h, DATA);
                add_src(&h, 0, 1, true);
                if (masked)
                    add_src(&h, 1, 1, true);
                add_dst(&h, 2, 8);
                CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "MGATHER");
                const uint8_t *out = hand_entry(pe->engine, 2, 1)->data;
                for (uint32_t i = 0; i < vr; i++)
                    for (uint32_t j = 0; j < col; j++) {
                        uint32_t k = i * col + j;
                        bool on = j < vc && (!masked || mask[k >> 3] >> (k & 7) & 1);
                        uint8_t zero[8] = {0};
                        CHECK(!memcmp(out + k * es, on ? &ram[DATA - RAM_BASE + off[k]] : zero, es), "MGATHER os %u es %u masked %u: %u,%u", os, es, masked, i, j);
                    }
                // scatter a tile of counters
                static uint8_t data[TILE_MAX], model[RAM_SIZE];
                for (unsigned k = 0; k < TILE_MAX; k++)
                    data[k] = (uint8_t)rnd();
                push_tile(pe, 2, 8, data);
                memcpy(model, ram, RAM_SIZE);
                for (uint32_t i = 0; i < vr; i++)
                    for (uint32_t j = 0; j < vc; j++) {
                        uint32_t k = i * col + j;
                        if (!masked || mask[k >> 3] >> (k & 7) & 1)
                            memcpy(&model[DATA - RAM_BASE + off[k]], data + k * es, es);
                    }
                h = tma(masked ? LINX_tma_MSCATTER_MASK : LINX_tma_MSCATTER, type, 0, 3, vc, vr, col);
                h.has_datr = true;
                h.datr_type = os == 2 ? LINX_DataType_U16 : os == 4 ? LINX_DataType_U32 : LINX_DataType_U64;
                add_ri(&h, DATA);
                add_src(&h, 2, 1, false);
                add_src(&h, 0, 1, false);
                if (masked)
                    add_src(&h, 1, 1, false);
                CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "MSCATTER");
                CHECK(!memcmp(model, ram, RAM_SIZE), "MSCATTER os %u es %u masked %u", os, es, masked);
            }
    test_end("MGATHER and MSCATTER");
}

static void refusals(void)
{
    struct block_header h = tma(LINX_tma_TLOAD, LINX_DataType_U32, 0, 3, 9, 1, 8);
    add_ri(&h, DATA);
    add_dst(&h, 0, 5);
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ValidCol > Col");
    h.lb[0] = 8, h.lb[1] = 17;
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "ValidRow > Row");
    h.lb[1] = 16;
    CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "fits exactly");
    h.lb_set[0] = false;
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "no LB0");
    h.lb_set[0] = true;
    h.num_ri = 0;
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "no base");
    h.num_ri = 1;
    h.data_type = 15;
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "reserved DataType");
    h.data_type = LINX_DataType_U32;
    h.dst[0].index = 4;
    fault(engine_tile_block(pe, &h), LINX_E_INST, LINX_EC_ILLEGAL, "TLOAD to ACC");
    h.dst[0].index = 0;
    h.function = 3;
    fault(engine_tile_block(pe, &h), LINX_E_INST, LINX_EC_ILLEGAL, "reserved Function");
    h = tma(LINX_tma_TLOAD, LINX_DataType_U32, LINX_Layout_ND2NZ, 3, 4, 4, 12);
    add_ri(&h, DATA);
    add_dst(&h, 0, 8);
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "NZ with Col % 8");
    h = tma(LINX_tma_TSTORE, LINX_DataType_U32, 0, 3, 4, 4, 4);
    add_ri(&h, DATA);
    add_src(&h, 3, 9, false);
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_GET, "TSTORE of an empty entry");
    CHECK_EQ(pe->tpc, h.src_at[0], "ETPC");
    // faults: probed before any byte moves, source kept, nothing pushed
    static uint8_t tile[TILE_MAX], before[RAM_SIZE];
    memset(tile, 0x3c, sizeof(tile));
    push_tile(pe, 0, 11, tile);
    page_perm[(DATA + 0x3000 - RAM_BASE) >> 12] = PAGE_R;
    h = tma(LINX_tma_TSTORE, LINX_DataType_U8, 0, 3, 256, 128, 256);
    add_ri(&h, DATA);
    add_src(&h, 0, 1, false);
    memcpy(before, ram, RAM_SIZE);
    uint64_t map = engine_tile_map(pe, 0);
    fault(engine_tile_block(pe, &h), LINX_E_DATA, LINX_EC_STORE_PAGE, "TSTORE into a read-only page");
    CHECK_EQ(pe->trap.arg, DATA + 0x3000, "address");
    CHECK_EQ(pe->tpc, h.bpc, "ETPC = BSTART");
    CHECK(!memcmp(before, ram, RAM_SIZE) && engine_tile_map(pe, 0) == map, "no trace");
    page_perm[(DATA + 0x3000 - RAM_BASE) >> 12] = 7;
    CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "again");
    CHECK_EQ(ram[DATA + 32767 - RAM_BASE], 0x3c, "whole tile");
    page_perm[(DATA + 0x3000 - RAM_BASE) >> 12] = 0;
    h = tma(LINX_tma_TLOAD, LINX_DataType_U8, 0, 3, 256, 128, 256);
    add_ri(&h, DATA);
    add_dst(&h, 0, 11);
    map = engine_tile_map(pe, 0);
    fault(engine_tile_block(pe, &h), LINX_E_DATA, LINX_EC_LOAD_PAGE, "TLOAD from a missing page");
    CHECK_EQ(pe->trap.arg, DATA + 0x3000, "address");
    CHECK_EQ(engine_tile_map(pe, 0), map, "nothing pushed");
    page_perm[(DATA + 0x3000 - RAM_BASE) >> 12] = 7;
    test_end("TMA refusals and faults");
}

// ---- Shared registers ---------------------------------------------------------------------------------------------
static struct pe *core[4];
static struct shared_bank *bank;

static struct block_header shared_load(unsigned reg, unsigned size, unsigned mask, uint64_t base, unsigned cols)
{
    uint32_t cap = 64u << size;
    struct block_header h = tma(LINX_tma_TLOAD, LINX_DataType_U8, 0, 3, cols, cap / cols < 65536 ? cap / cols : 1, cols);
    h.shared_mask = (uint8_t)mask;
    add_ri(&h, base);
    h.dst_at[0] = h.bpc + 4;
    h.dst[h.num_dst++] = (struct tile_dest){.shared = true, .index = (uint8_t)reg, .size = (uint8_t)size};
    return h;
}
static struct block_header shared_src(struct block_header h, unsigned reg, unsigned mask)
{
    h.shared_mask = (uint8_t)mask;
    h.src_at[h.num_src] = h.bpc + 4;
    h.src[h.num_src++] = (struct tile_operand){.shared = true, .reuse = true, .index = (uint8_t)reg};
    return h;
}
static void fill(unsigned p, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ram[DATA - RAM_BASE + i] = (uint8_t)(p * 57 + i * 11 + (i >> 8) * 3);
}
static uint8_t filled(unsigned p, uint32_t i) { return (uint8_t)(p * 57 + i * 11 + (i >> 8) * 3); }

static void shared_tiles(void)
{
    static const uint8_t masks[8] = {0, 1, 2, 4, 8, 3, 7, 15};
    bank = shared_bank_new();
    for (unsigned p = 0; p < 4; p++)
        core[p] = pe_new(4, p, bank);
    // every size and mask, S0 and S255: fragments in rank order, the whole array from offset 0
    for (unsigned size = 1; size <= 12; size++)
        for (unsigned mode = 1; mode < 8; mode++) {
            unsigned mask = masks[mode], reg = size & 1 ? 0 : 255, n = (unsigned)__builtin_popcount(mask), rank = 0;
            uint32_t cap = 64u << size, cols = cap < 256 ? cap : cap / 256 < 256 ? 256 : 1024;
            for (unsigned p = 0; p < 4; p++) {
                if (!(mask >> p & 1))
                    continue;
                fill(p, cap);
                pe = core[p];
                struct block_header h = shared_load(reg, size, mask, DATA, cols);
                CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TLOAD to Shared");
                rank++;
                uint64_t desc = engine_shared_desc(pe, reg);
                CHECK_EQ(desc & 15, size, "SizeCode");
                CHECK_EQ(desc >> 4 & 15, mask, "mask");
                CHECK_EQ(__builtin_popcount(desc >> 8 & 15), rank, "fragments written");
                CHECK_EQ(desc >> 12 & 1, 1, "valid");
                uint64_t shape = engine_shared_shape(pe, reg);
                CHECK_EQ(shape & 0xffff, cap / cols, "rows");
                CHECK_EQ(shape >> 16 & 0xffff, cols, "columns");
                CHECK_EQ(shape >> 48, cols, "valid columns");
            }
            const struct shared_alloc *a = bank->reg[reg];
            CHECK_EQ(a->bytes, cap * n, "capacity times PEs");
            unsigned at = 0;
            for (unsigned p = 0; p < 4; p++)
                if (mask >> p & 1) {
                    for (uint32_t i = 0; i < cap; i += cap / 64)
                        CHECK(a->data[at * cap + i] == filled(p, i), "size %u mask %x PE %u byte %u", size, mask, p, i);
                    at++;
                }
            // TMOV into a Local tile of exactly the capacity takes the own fragment; into another size the array from 0
            if (size >= 1 && size <= 9) {
                for (unsigned p = 0; p < 4; p++) {
                    if (!(mask >> p & 1))
                        continue;
                    pe = core[p];
                    struct block_header h = shared_src(tma(LINX_tma_TMOV, LINX_DataType_U8, 0, 3, cols, cap / cols, cols), reg, mask);
                    add_dst(&h, 0, size + 2);
                    CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TMOV own fragment");
                    CHECK_EQ(hand_entry(pe->engine, 0, 1)->data[cap / 2], filled(p, cap / 2), "own fragment");
                }
            }
            // a body reads the whole array through its formal, and cannot write it
            pe = core[__builtin_ctz(mask)];
            struct prog pr;
            prog_start(&pr, CODE);
            EMIT(&pr, V_LBU, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(TA, UD), F(SrcR), SRC(RI0, UD), F(L), 1);
            EMIT(&pr, V_ADD, F(RegDst), DSTW(D_RO0, WD), F(SrcL), SRC(T1, UD), F(SrcR), SRC(ZR, UD));
            emit_stop(&pr);
            struct block_header b = shared_src(header(LINX_BSTART_VPAR, CODE, 1, 1, 1), reg, mask);
            add_ri(&b, cap * n - 1);
            add_ro(&b, 7);
            CHECK_EQ(run_block(pe, &b), EXEC_BLOCK_DONE, "body reads Shared");
            CHECK_EQ(pe->r[7], filled(31 - (unsigned)__builtin_clz(mask), cap - 1), "last byte of the array");
            b.ri[0] = cap * n;
            fault(run_block(pe, &b), LINX_E_DATA, LINX_EC_RANGE, "past the array");
        }
    // joins and fresh allocations
    pe = core[0];
    fill(9, 128);
    struct block_header h = shared_load(7, 1, 3, DATA, 128);
    CHECK_EQ(engine_tile_block(core[0], &h), EXEC_OK, "PE0 writes");
    CHECK_EQ(engine_shared_desc(core[0], 7) >> 8 & 15, 1, "one fragment");
    CHECK_EQ(engine_tile_block(core[1], &h), EXEC_OK, "PE1 joins");
    CHECK_EQ(engine_shared_desc(core[3], 7) >> 8 & 15, 3, "both fragments");
    CHECK_EQ(engine_tile_block(core[1], &h), EXEC_OK, "PE1 again: fresh");
    CHECK_EQ(engine_shared_desc(core[0], 7) >> 8 & 15, 2, "only PE1's fragment");
    CHECK_EQ(bank->reg[7]->data[0], 0, "PE0's fragment is undefined: 0");
    struct block_header other = shared_load(7, 1, 7, DATA, 128);
    CHECK_EQ(engine_tile_block(core[2], &other), EXEC_OK, "other mask: fresh");
    CHECK_EQ(engine_shared_desc(core[0], 7) >> 4 & 0xff, 0x47, "mask 7, fragment of PE2");
    other = shared_load(7, 2, 7, DATA, 128);
    CHECK_EQ(engine_tile_block(core[0], &other), EXEC_OK, "other size: fresh");
    CHECK_EQ(engine_shared_desc(core[0], 7), 2 | 7 << 4 | 1 << 8 | 1 << 12, "descriptor");
    // a running body keeps the array it was bound to
    struct prog pr;
    prog_start(&pr, CODE);
    for (unsigned i = 0; i < 2; i++)
        EMIT(&pr, V_LBU, F(RegDst), DSTW(D_T, WD), F(SrcL), SRC(TA, UD), F(SrcR), SRC(ZR, UD), F(L), 1);
    emit_stop(&pr);
    struct block_header b = shared_src(header(LINX_BSTART_VPAR, CODE, 1, 1, 1), 7, 7);
    uint64_t tpc;
    unsigned group;
    pe = core[0];
    CHECK_EQ(engine_start(pe, &b), EXEC_OK, "start");
    CHECK_EQ(engine_step(pe, &tpc, &group), EXEC_OK, "step");
    fill(200, 256);
    CHECK_EQ(engine_tile_block(core[1], &h), EXEC_OK, "another PE allocates");
    CHECK_EQ(engine_tile_block(core[2], &h), EXEC_OK, "a PE outside the mask does nothing");
    CHECK_EQ(engine_shared_desc(core[2], 7) >> 4 & 0xff, 0x23, "mask 3, fragment of PE1");
    CHECK_EQ(engine_step(pe, &tpc, &group), EXEC_OK, "step");
    CHECK_EQ(pe->engine->group[0].t[0], pe->engine->group[0].t[1], "same array");
    CHECK_EQ(engine_step(pe, &tpc, &group), EXEC_BLOCK_DONE, "end");
    // where B.IOS may stand
    static const struct { int form; unsigned function; bool src, dst; } place[] = {
        {LINX_BSTART_TMA, LINX_tma_TLOAD, 0, 1}, {LINX_BSTART_TMA, LINX_tma_TSTORE, 1, 0}, {LINX_BSTART_TMA, LINX_tma_TMOV, 1, 1}, {LINX_BSTART_TMA, LINX_tma_MGATHER, 0, 0},
        {LINX_BSTART_TMA, LINX_tma_MSCATTER, 0, 0}, {LINX_BSTART_TEPL, 0, 0, 0}, {LINX_BSTART_CUBE, 0, 1, 0}, {LINX_BSTART_VPAR, 1, 1, 0}, {LINX_BSTART_MSEQ, 1, 1, 0},
    };
    for (unsigned i = 0; i < sizeof(place) / sizeof(place[0]); i++)
        for (unsigned dst = 0; dst < 2; dst++) {
            h = header(place[i].form, CODE, 16, 1, 1);
            h.function = (uint16_t)place[i].function;
            h.data_type = LINX_DataType_U8;
            h.shared_mask = 1;
            add_ri(&h, DATA);
            if (dst) {
                h.dst_at[0] = h.bpc + 4;
                h.dst[h.num_dst++] = (struct tile_dest){.shared = true, .index = 9, .size = 1};
            } else {
                h = shared_src(h, 9, 1);
            }
            bool data = place[i].form == LINX_BSTART_VPAR || place[i].form == LINX_BSTART_MSEQ;
            enum exec_status st = data ? run_block(pe, &h) : engine_tile_block(pe, &h);
            bool refused = st == EXEC_TRAP && pe->trap.num == LINX_E_BLOCK && pe->trap.cause == LINX_EC_TYPE;
            CHECK(refused == !(dst ? place[i].dst : place[i].src), "B.IOS %s in %s %u: status %d trap %u/%u", dst ? "destination" : "source", linx_forms[place[i].form].id,
                  place[i].function, st, pe->trap.num, pe->trap.cause);
            if (refused)
                CHECK_EQ(pe->tpc, h.bpc + 4, "ETPC: the B.IOS");
        }
    h = shared_load(20, 1, 1, DATA, 128);
    h.lb[0] = 100, h.lb[2] = 100;
    fault(engine_tile_block(pe, &h), LINX_E_BLOCK, LINX_EC_INVAL_PARM, "columns no power of two");
    CHECK_EQ(engine_shared_desc(pe, 20), 0, "no allocation");
    // TSTORE of a Shared register; a register never written reads as 0
    h = shared_src(tma(LINX_tma_TSTORE, LINX_DataType_U8, 0, 3, 64, 2, 64), 99, 1);
    add_ri(&h, DATA);
    memset(&ram[DATA - RAM_BASE], 0xff, 128);
    CHECK_EQ(engine_tile_block(pe, &h), EXEC_OK, "TSTORE of an undefined register");
    CHECK_EQ(ram[DATA - RAM_BASE], 0, "zero");
    for (unsigned p = 0; p < 4; p++)
        pe_delete(core[p]);
    shared_bank_free(bank);
    test_end("Shared registers");
}

int main(void)
{
    ram_reset();
    pe = pe_new(4, 0, NULL);
    for (unsigned i = 0; i < 0x70000; i++)
        ram[DATA - RAM_BASE + i] = (uint8_t)rnd();
    for (unsigned i = 0; i < 3000; i++)
        random_load();
    test_end("TLOAD against the model");
    for (unsigned i = 0; i < 600; i++)
        random_store();
    test_end("TSTORE against the model");
    for (unsigned i = 0; i < 600; i++)
        random_move();
    test_end("TMOV against the model");
    spread();
    indexed();
    pe_delete(pe);
    pe = pe_new(4, 0, NULL);
    refusals();
    pe_delete(pe);
    shared_tiles();
    return 0;
}
