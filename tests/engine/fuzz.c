// SPDX-License-Identifier: BSD-2-Clause
// Random bodies, headers and images: no crash, no hang, no sanitizer report; traps leave the group as it was, and every
// body that ends also ends the same when it is stopped, saved, ruined and recovered on the way.
// usage: fuzz [bodies] [seed]
#include "harness.h"

static struct pe *pe;
static struct shared_bank *bank;

static uint64_t random_word(void)
{
    static int forms[LINX_NFORMS], n;
    if (n == 0)
        for (int f = 0; f < LINX_NFORMS; f++)
            if (linx_forms[f].where & (LINX_WHERE_VEC | LINX_WHERE_MEM))
                forms[n++] = f;
    if (rnd() % 200 == 0)
        return rnd();
    int form = forms[rnd() % (uint64_t)n];
    while (strstr(linx_forms[form].id, "_BRG") && rnd() % 64)
        form = forms[rnd() % (uint64_t)n];
    const struct linx_form_desc *d = &linx_forms[form];
    uint64_t w = d->match;
    bool wild = rnd() % 60 == 0;                // any operand anywhere
    bool v = rnd() % 3, fp = strstr(d->id, "V_F") || strstr(d->id, "V_RDF"), memory = d->effect & (LINX_EFFECT_LOAD | LINX_EFFECT_STORE);
    unsigned ft = rnd() % 4 ? 1 : 2;            // .fs, .fh
    bool store = d->effect & LINX_EFFECT_STORE, reg_store = store && linx_find_field((enum linx_form)form, LINX_F_SrcD) >= 0;
    for (unsigned i = 0; i < d->nfields; i++) {
        const struct linx_field *x = &d->field[i];
        int64_t val = (int64_t)rnd();
        static const uint16_t vec[] = {VT1, VT2, VU1, VU4, VM1, VN3, VT1 + 96}, sca[] = {RI0, RI1, T1, T4, U1, LC0, LC1, LB0, PM, ZR};
        static const uint16_t base[] = {RI0, RI0, RI1, TA, TO, TO1};
        static const uint8_t narrow_types[] = {UW, UH, UB, SW, SH, SB};
        static const uint16_t vdst[] = {D_VT, D_VU, D_VM, D_VN}, sdst[] = {D_T, D_U, D_RO0, D_P};
        bool is_base = memory && x->name == (store && !reg_store ? LINX_F_SrcR : LINX_F_SrcL);
        if (wild) {
        } else if (d->length == 64 && x->width == 10 && x->name != LINX_F_RegDst) {
            bool use_vec = v && !is_base && rnd() % 4;
            unsigned id = is_base ? base[rnd() % 6] : use_vec ? vec[rnd() % 7] : sca[rnd() % 10];
            val = SRC(id, fp ? ft : is_base ? UD : use_vec ? narrow_types[rnd() % 6] : rnd() % 8);
        } else if (d->length == 64 && x->name == LINX_F_RegDst) {
            val = v && !strstr(d->id, "V_RD") ? DSTW(vdst[rnd() % 4], fp && ft == 1 ? WW : 1 + rnd() % 3) : DSTW(sdst[rnd() % 4], WD);
        } else if (x->name == LINX_F_SrcRType && d->length == 64) {
            val = rnd() & 1 ? 3 : 0;
        } else if (x->name == LINX_F_SrcType || x->name == LINX_F_DstType) {
            val = 1 + rnd() % 2;
        } else if (d->length == 32 && (x->name == LINX_F_SrcL || x->name == LINX_F_SrcR || x->name == LINX_F_SrcD || x->name == LINX_F_SrcP)) {
            val = rnd() % 3 ? 24 + rnd() % 8 : 0;
        } else if (d->length == 32 && x->name == LINX_F_RegDst) {
            val = 30 + rnd() % 2;
        } else if (d->effect & LINX_EFFECT_BRANCH && x->width > 5) {
            val = 4 * (int64_t)(rnd() % 9) - 8;
        } else if (x->name == LINX_F_simm24 || x->name == LINX_F_simm12) {
            val = (int64_t)(rnd() % 32);
        } else if (memory && x->name == LINX_F_shamt) {
            val = rnd() % 3;
        }
        w = linx_field_put(x, w, val);
    }
    // .local goes with a tile formal
    int l = linx_find_field((enum linx_form)form, LINX_F_L), b = linx_find_field((enum linx_form)form, store && !reg_store ? LINX_F_SrcR : LINX_F_SrcL);
    if (l >= 0 && b >= 0 && !wild) {
        unsigned id = linx_field_get(&d->field[b], w) & 127;
        w = linx_field_put(&d->field[l], w, id >= TA && id <= TO3);
    }
    return w;
}

static struct block_header random_block(void)
{
    static const int forms[] = {LINX_BSTART_VPAR, LINX_BSTART_VSEQ, LINX_BSTART_MPAR, LINX_BSTART_MSEQ, LINX_C_BSTART_MPAR};
    struct prog p;
    prog_start(&p, CODE + (rnd() % 8 ? 0 : 4090));
    unsigned n = 1 + rnd() % 12;
    for (unsigned i = 0; i < n; i++)
        emit(&p, random_word());
    emit_stop(&p);
    struct block_header h = header(forms[rnd() % 4 ? 2 + rnd() % 3 : rnd() % 5], p.base, 1 + rnd() % 130, 1 + rnd() % 3, rnd() % 16 ? 1 : rnd() % 3);
    h.function = rnd() % 24 != 0;
    h.dr = rnd() % 4 == 0;
    h.atom = rnd() % 16 == 0;
    for (unsigned i = rnd() % 5; i > 0; i--)
        add_ri(&h, rnd() % 4 ? DATA + rnd() % 0x8000 : rnd() % 300);
    for (unsigned i = 1 + rnd() % 2; i > 0; i--)
        add_ro(&h, 5 + i);
    for (unsigned i = rnd() % 4; i > 0; i--)
        add_src(&h, rnd() % 3, 1 + rnd() % (rnd() % 32 ? 3 : 4), rnd() & 1);
    for (unsigned i = rnd() % 3; i > 0; i--)
        add_dst(&h, rnd() % 32 ? rnd() % 3 : rnd() % 8, rnd() % 32 ? 1 + rnd() % 11 : rnd() % 16);
    if (rnd() % 8 == 0 && h.num_dst == 1)
        add_dst(&h, 5, 1 + rnd() % 11);
    if (rnd() % 8 == 0) {
        h.shared_mask = 1;
        h.src_at[h.num_src] = h.bpc;
        h.src[h.num_src++] = (struct tile_operand){.shared = true, .index = (uint8_t)rnd()};
    }
    return h;
}

static void kernel(struct block_header *h)
{
    uint64_t cstate = pe->cstate;
    pe->cstate = LINX_ACR_KERNEL;
    enum exec_status st = engine_tile_block(pe, h);
    pe->cstate = cstate;
    CHECK(st == EXEC_OK, "ESAVE or ERCOV refused: %u/%u %s", pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
}
static void save_ruin_recover(void)
{
    unsigned n = pe->engine->num_out;
    struct block_header s = header(LINX_BSTART_TEPL, 0, 1, 1, 1), r = s;
    s.function = LINX_TileOpcode_ESAVE;
    r.function = LINX_TileOpcode_ERCOV;
    for (unsigned i = 0; i <= n; i++) {
        add_dst(&s, 3, 11);
        add_src(&r, 3, 1 + n - i, false);
    }
    kernel(&s);
    for (unsigned g = 0; g < pe->engine->slots; g++) {
        struct group *x = &pe->engine->group[g];
        memset(x->v, 0xc3, sizeof(x->v));
        x->p = x->tpc = 0x1111;
        memset(x->t, 0x5c, 64);
        memset(x->lc, 0x7f, 6);
    }
    memset(pe->engine->ri, 0x22, sizeof(pe->engine->ri));
    memset(pe->engine->lb, 0x33, 6);
    for (unsigned i = 0; i < 4; i++)
        memset(pe->engine->out[i].t.data, 0x99, TILE_MAX);
    kernel(&r);
}

struct state { uint8_t data[0xc000]; uint64_t r[33], cstate, map[3]; struct trap trap; uint64_t tpc; enum exec_status st; uint64_t steps; };

static void attempt(const struct block_header *h, bool preempted, struct state *out, uint64_t choices)
{
    uint64_t tpc = 0;
    unsigned group = 0;
    memset(out, 0, sizeof(*out));
    enum exec_status st = engine_start(pe, h);
    uint64_t n = 0;
    while (st == EXEC_OK && n < 400) {
        if (preempted && (choices >> (n & 63) & 1) && !h->atom) {
            engine_where(pe, &tpc, &group);
            save_ruin_recover();
            st = engine_resume(pe, h, group);
            CHECK(st == EXEC_OK, "resume refused");
            if (st != EXEC_OK)
                break;
        }
        st = engine_step(pe, &tpc, &group);
        n++;
    }
    memcpy(out->data, &ram[DATA - RAM_BASE], sizeof(out->data));
    memcpy(out->r, pe->r, sizeof(out->r));
    out->cstate = pe->cstate;
    for (unsigned i = 0; i < 3; i++)
        out->map[i] = engine_tile_map(pe, i);
    out->st = st;
    out->steps = n;
    if (st == EXEC_TRAP) {
        out->trap = pe->trap;
        out->trap.why = NULL;
        out->tpc = tpc;
    }
}

static void reset(unsigned slots, uint64_t fill)
{
    if (pe)
        pe_delete(pe);
    pe = pe_new(slots, 0, bank);
    pe->cstate = LINX_ACR_TASK;
    pe->bank[1].econfig = 0;
    for (unsigned i = 0; i < 0xc000; i += 8) {
        fill = fill * 6364136223846793005ull + 1442695040888963407ull;
        memcpy(&ram[DATA - RAM_BASE + i], &fill, 8);
    }
    for (unsigned h = 0; h < 3; h++)
        for (unsigned k = 0; k < 3; k++)
            push_tile(pe, h, 5 + (fill >> (h * 3 + k)) % 7, &ram[DATA - RAM_BASE + 1024 * (h + k)]);
}

static void random_tile_block(void)
{
    static const int forms[] = {LINX_BSTART_TMA, LINX_BSTART_TEPL, LINX_BSTART_CUBE, LINX_BSTART_FIXP, LINX_BSTART_TLOAD, LINX_BSTART_TSTORE, LINX_BSTART_TMOV, LINX_BSTART_ACCCVT};
    struct block_header h = header(forms[rnd() % 8], 0, rnd() % 80, rnd() % 80, rnd() % 80);
    h.function = h.form == LINX_BSTART_TEPL ? rnd() % 128 : rnd() % 32;
    if (h.form == LINX_BSTART_TMOV)
        h.function = 2;
    h.lb_set[0] = rnd() % 16;
    h.lb_set[1] = rnd() & 1;
    h.lb_set[2] = rnd() & 1;
    h.data_type = rnd() % 32;
    h.has_datr = rnd() & 1;
    h.datr_layout = rnd() % 4 ? 0 : rnd() % 32;
    h.datr_pad = rnd() % 4;
    h.datr_type = rnd() % 32;
    h.datr_cmode = rnd() % 8;
    h.datr_rmode = rnd() % 8;
    h.datr_sat = rnd() & 1;
    for (unsigned i = rnd() % 3; i > 0; i--)
        add_ri(&h, rnd() % 8 ? DATA + rnd() % 0x4000 : rnd());
    for (unsigned i = rnd() % 4; i > 0; i--)
        add_src(&h, rnd() % 4, 1 + rnd() % 4, rnd() % 4);
    for (unsigned i = rnd() % 3; i > 0; i--)
        add_dst(&h, rnd() % 6, rnd() % 16 ? 1 + rnd() % 11 : rnd() % 16);
    if (rnd() % 8 == 0) {
        h.shared_mask = rnd() % 16;
        if (rnd() & 1 && h.num_dst < MAX_TILE_DST) {
            h.dst_at[h.num_dst] = h.bpc;
            h.dst[h.num_dst++] = (struct tile_dest){.shared = true, .index = (uint8_t)rnd(), .size = (uint8_t)(1 + rnd() % 12)};
        } else if (h.num_src < MAX_TILE_SRC) {
            h.src_at[h.num_src] = h.bpc;
            h.src[h.num_src++] = (struct tile_operand){.shared = true, .index = (uint8_t)rnd()};
        }
    }
    uint64_t maps[4];
    for (unsigned i = 0; i < 4; i++)
        maps[i] = engine_tile_map(pe, i);
    pe->cstate = rnd() % 3;
    if (engine_tile_block(pe, &h) == EXEC_TRAP)
        for (unsigned i = 0; i < 4; i++)
            CHECK(engine_tile_map(pe, i) == maps[i], "%s %u: a trap changed hand %u", linx_forms[h.form].id, h.function, i);
    pe->cstate = LINX_ACR_TASK;
}

int main(int argc, char **argv)
{
    unsigned bodies = argc > 1 ? (unsigned)atoi(argv[1]) : 1500, ended = 0, trapped = 0, running = 0;
    for (unsigned i = argc > 2 ? (unsigned)atoi(argv[2]) : 0; i > 0; i--)
        rnd();
    ram_reset();
    bank = shared_bank_new();
    static struct state a, b;
    page_perm[(DATA + 0x6000 - RAM_BASE) >> 12] = PAGE_R;
    page_perm[(DATA + 0x9000 - RAM_BASE) >> 12] = 0;
    for (unsigned i = 0; i < bodies; i++) {
        uint64_t fill = rnd(), choices = rnd() & rnd();
        unsigned slots = 1u << rnd() % 3;
        struct block_header h = random_block();
        reset(slots, fill);
        attempt(&h, false, &a, 0);
        reset(slots, fill);
        attempt(&h, true, &b, choices);
        CHECK(a.st == b.st && a.steps == b.steps, "body %u: preempted it ended differently (%d after %" PRIu64 ", %d after %" PRIu64 ")", i, a.st, a.steps, b.st, b.steps);
        CHECK(a.st != EXEC_TRAP || (a.trap.num == b.trap.num && a.trap.cause == b.trap.cause && a.trap.arg == b.trap.arg && a.tpc == b.tpc), "body %u: another trap", i);
        CHECK(!memcmp(a.data, b.data, sizeof(a.data)) && !memcmp(a.r, b.r, sizeof(a.r)) && a.cstate == b.cstate && !memcmp(a.map, b.map, sizeof(a.map)), "body %u: another result", i);
        ended += a.st == EXEC_BLOCK_DONE;
        trapped += a.st == EXEC_TRAP;
        running += a.st == EXEC_OK;
        for (unsigned k = 0; k < 20; k++)
            random_tile_block();
        // a random image into the engine, then go on with it
        uint8_t *image = hand_entry(pe->engine, 3, 1)->data;
        uint64_t tpc, done;
        unsigned group;
        push_tile(pe, 3, 11, NULL);
        image = hand_entry(pe->engine, 3, 1)->data;
        for (unsigned k = 0; k < 17000; k += 8) {
            uint64_t v = rnd();
            memcpy(image + k, &v, 8);
        }
        for (unsigned s = 0; s < 4; s++) {
            uint64_t at = rnd() % 4 ? h.body : rnd() % 2 ? 0 : rnd();
            memcpy(image + LINX_ESAVE_GROUP0 + s * LINX_ESAVE_GROUP_BYTES, &at, 8);
        }
        struct block_header r = header(LINX_BSTART_TEPL, 0, 1, 1, 1);
        r.function = LINX_TileOpcode_ERCOV;
        add_src(&r, 3, 1, false);
        kernel(&r);
        enum exec_status st = engine_resume(pe, &h, (unsigned)rnd() & 0xffff);
        if (st == EXEC_OK)
            st = engine_run(pe, 300, &done, &tpc, &group);      // any outcome will do
    }
    printf("# %u bodies: %u ended, %u trapped, %u still running after 400 instructions\n", bodies, ended, trapped, running);
    CHECK(ended > bodies / 10 && trapped > bodies / 50, "the mix of bodies is poor");
    pe_delete(pe);
    shared_bank_free(bank);
    test_end("random bodies, headers and images");
    return 0;
}
