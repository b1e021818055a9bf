// SPDX-License-Identifier: BSD-2-Clause
// Preemption is transparent: for every sample body and every instruction of it, stop there, ESAVE, TSTORE the image,
// let another task ruin engine and queues, TLOAD, ERCOV and resume; memory, tiles, registers and queues must end as in
// the uninterrupted run.
#include "bodies.h"

enum { HAND_N = 3, IMAGE = RAM_BASE + 0x80000 };        // where the "kernel" keeps images

struct outcome {
    uint8_t memory[AREA];
    uint64_t r[33], cstate, map[HANDS];
    uint8_t tile[3][4][TILE_MAX];       // #1..#4 of T, U, M (N is the kernel's)
    uint8_t queues[LINX_ESAVE_IMAGE_BYTES(MAX_SLOTS)];
};

// One tile block in ring 1.
static void kernel_block(struct pe *pe, const struct block_header *h)
{
    uint64_t cstate = pe->cstate;
    pe->cstate = (cstate & ~0xfull) | LINX_ACR_KERNEL;
    enum exec_status st = engine_tile_block(pe, h);
    CHECK(st == EXEC_OK, "kernel block %s %u: trap %u/%u %s", linx_forms[h->form].id, h->function, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    pe->cstate = cstate;
}
static struct block_header tile_header(int form, unsigned function)
{
    struct block_header h = header(form, 0, 1, 1, 1);
    h.function = (uint16_t)function;
    return h;
}
static void esave_to(struct pe *pe, unsigned outputs)
{
    struct block_header h = tile_header(LINX_BSTART_TEPL, LINX_TileOpcode_ESAVE);
    for (unsigned i = 0; i < 1 + outputs; i++)
        add_dst(&h, HAND_N, 11);
    kernel_block(pe, &h);
}
// Whole 32 KB tiles as 128 rows of 256 bytes.
static void move_tile(struct pe *pe, bool store, unsigned k, uint64_t at)
{
    struct block_header h = tile_header(store ? LINX_BSTART_TSTORE : LINX_BSTART_TLOAD, store ? LINX_tma_TSTORE : LINX_tma_TLOAD);
    h.data_type = LINX_DataType_U8;
    h.lb[0] = 256;
    h.lb[1] = 128;
    h.lb_set[0] = h.lb_set[1] = true;
    add_ri(&h, at);
    if (store)
        add_src(&h, HAND_N, k, false);
    else
        add_dst(&h, HAND_N, 11);
    kernel_block(pe, &h);
}

// What another task does to the engine: a body in all slots that overwrites every queue, P and RO.
static void ruin(struct pe *pe)
{
    struct prog p;
    prog_start(&p, CODE + 0x8000);
    for (unsigned i = 0; i < 4; i++) {
        for (int q = D_VT; q <= D_VN; q++)
            EMIT(&p, V_ADDI, F(RegDst), DSTW(q, WW), F(SrcL), SRC(LC0, UH), F(uimm12), 0x700 + i);
        EMIT(&p, ADDI, F(RegDst), 31, F(SrcL), 0, F(uimm12), 0x7ff);
        EMIT(&p, ADDI, F(RegDst), 30, F(SrcL), 0, F(uimm12), 0x7fe);
    }
    EMIT(&p, V_ADDI, F(RegDst), DSTW(D_P, WD), F(SrcL), SRC(ZR, UD), F(uimm12), 0x123);
    EMIT(&p, V_SW, F(SrcD), SRC(VT1, UW), F(SrcL), SRC(TO, UD), F(SrcR), SRC(ZR, UD), F(C), 1, F(L), 1);
    emit_stop(&p);
    struct block_header h = header(LINX_BSTART_VPAR, CODE + 0x8000, 64, 4, 3);
    add_dst(&h, HAND_N, 11);
    uint64_t cstate = pe->cstate;
    pe->cstate = LINX_ACR_KERNEL;
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, "ruin");
    pe->cstate = cstate;
}

static void record(struct pe *pe, struct outcome *o)
{
    memset(o, 0, sizeof(*o));
    memcpy(o->memory, &ram[DATA - RAM_BASE], AREA);
    memcpy(o->r, pe->r, sizeof(o->r));
    o->cstate = pe->cstate;
    for (unsigned h = 0; h < 3; h++) {
        o->map[h] = engine_tile_map(pe, h);
        for (unsigned k = 1; k <= 4; k++) {
            struct tile *t = hand_entry(pe->engine, h, k);
            if (t->code)
                memcpy(o->tile[h][k - 1], t->data, tile_bytes(t->code));
        }
    }
    // The queues, through ESAVE outside a body; LB.. of the header part are dead state.
    esave_to(pe, 0);
    const uint8_t *image = hand_entry(pe->engine, HAND_N, 1)->data;
    for (unsigned s = 0; s < pe->engine->slots; s++) {
        size_t g = LINX_ESAVE_GROUP0 + s * LINX_ESAVE_GROUP_BYTES;
        memcpy(o->queues + g + LINX_ESAVE_G_T, image + g + LINX_ESAVE_G_T, LINX_ESAVE_GROUP_BYTES - LINX_ESAVE_G_T);
    }
}
static void compare(const struct outcome *want, const struct outcome *got, const char *name, unsigned slots, unsigned at, const char *how)
{
    CHECK(!memcmp(want->memory, got->memory, AREA), "%s, %u slots, stopped at %u (%s): memory differs", name, slots, at, how);
    CHECK(!memcmp(want->r, got->r, sizeof(got->r)), "%s, %u slots, stopped at %u (%s): registers differ", name, slots, at, how);
    CHECK(want->cstate == got->cstate, "%s, %u slots, stopped at %u (%s): CSTATE differs", name, slots, at, how);
    CHECK(!memcmp(want->map, got->map, sizeof(got->map)), "%s, %u slots, stopped at %u (%s): tile maps differ", name, slots, at, how);
    CHECK(!memcmp(want->tile, got->tile, sizeof(got->tile)), "%s, %u slots, stopped at %u (%s): tiles differ", name, slots, at, how);
    CHECK(!memcmp(want->queues, got->queues, sizeof(got->queues)), "%s, %u slots, stopped at %u (%s): queues differ", name, slots, at, how);
}

enum how { RESUME_ONLY, SAVED, SAVED_TWICE };

static struct pe *fresh(unsigned slots)
{
    struct pe *pe = pe_new(slots, 0, NULL);
    pe->cstate = LINX_ACR_TASK;
    pe->bank[1].econfig = 0;
    // queues that an earlier block of the task left behind
    for (unsigned s = 0; s < slots; s++) {
        struct group *g = &pe->engine->group[s];
        for (unsigned q = 0; q < NUM_QUEUES; q++)
            for (unsigned i = 0; i < 4 * LANES; i++)
                ((uint32_t *)g->v[q])[i] = s * 1000000 + q * 10000 + i;
        for (unsigned i = 0; i < 4; i++)
            g->t[i] = 0x1111 * (i + 1) + s, g->u[i] = 0x1111111111111111ull * (i + 1) + s;
    }
    return pe;
}

static void preempt(struct pe *pe, const struct sample *s, const struct block_header *h, enum how how)
{
    uint64_t tpc;
    unsigned group;
    engine_where(pe, &tpc, &group);
    if (how != RESUME_ONLY)
        for (unsigned round = 0; round < (how == SAVED_TWICE ? 2 : 1); round++) {
            esave_to(pe, s->num_out);
            for (unsigned i = 0; i < 1 + s->num_out; i++)           // the image first pushed is the deepest
                move_tile(pe, true, 1 + s->num_out - i, IMAGE + i * TILE_MAX);
            ruin(pe);
            for (unsigned i = 0; i < 1 + s->num_out; i++)
                move_tile(pe, false, 0, IMAGE + i * TILE_MAX);
            struct block_header rec = tile_header(LINX_BSTART_TEPL, LINX_TileOpcode_ERCOV);
            for (unsigned i = 0; i < 1 + s->num_out; i++)
                add_src(&rec, HAND_N, 1 + s->num_out - i, false);
            kernel_block(pe, &rec);
        }
    // scalar, TMA and TEPL blocks leave the mark alone: one TLOAD between
    move_tile(pe, false, 0, IMAGE);
    enum exec_status st = engine_resume(pe, h, group);
    CHECK(st == EXEC_OK, "resume: trap %u/%u %s", pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    uint64_t tpc2;
    unsigned group2;
    engine_where(pe, &tpc2, &group2);
    CHECK(tpc == tpc2 && group == group2, "resumes at another place");
}

static void sample_test(const struct sample *s, unsigned slots)
{
    struct pe *pe = fresh(slots);
    struct block_header h = sample_setup(s, pe);
    uint64_t tpc, total = 0;
    unsigned group;
    enum exec_status st = engine_start(pe, &h);
    while (st == EXEC_OK && total < 100000) {
        st = engine_step(pe, &tpc, &group);
        total++;
    }
    CHECK(st == EXEC_BLOCK_DONE, "%s: trap %u/%u %s", s->name, pe->trap.num, pe->trap.cause, pe->trap.why ? pe->trap.why : "");
    static struct outcome want, got;
    if (s->check)
        s->check(s, pe);
    record(pe, &want);
    pe_delete(pe);
    if (st != EXEC_BLOCK_DONE)
        return;

    // engine_run in one go agrees with single steps
    pe = fresh(slots);
    h = sample_setup(s, pe);
    CHECK_EQ(run_block(pe, &h), EXEC_BLOCK_DONE, s->name);
    record(pe, &got);
    compare(&want, &got, s->name, slots, 0, "one run");
    pe_delete(pe);

    for (uint64_t stop = 0; stop < total; stop++)
        for (enum how how = RESUME_ONLY; how <= SAVED; how++) {
            pe = fresh(slots);
            h = sample_setup(s, pe);
            st = engine_start(pe, &h);
            for (uint64_t i = 0; i < stop; i++)
                st = engine_step(pe, &tpc, &group);
            CHECK_EQ(st, EXEC_OK, s->name);
            if (s->atom) {              // an interrupt leaves no trace: the block starts again
                engine_discard(pe);
                CHECK(pe->engine->mark == MARK_NONE, "%s: mark after discard", s->name);
                ruin(pe);
                pe_delete(pe);
                pe = fresh(slots);      // the queues of the task are the kernel's business
                uint8_t keep[AREA];
                memcpy(keep, &ram[DATA - RAM_BASE], AREA);
                h = sample_setup(s, pe);
                CHECK(!memcmp(keep, &ram[DATA - RAM_BASE], AREA), "%s: discarded at %" PRIu64 " but memory changed", s->name, stop);
                st = engine_start(pe, &h);
            } else {
                preempt(pe, s, &h, how == SAVED && stop % 7 == 3 ? SAVED_TWICE : how);
            }
            uint64_t done;
            st = engine_run(pe, 1000000, &done, &tpc, &group);
            CHECK_EQ(st, EXEC_BLOCK_DONE, s->name);
            if (!s->atom)
                CHECK_EQ(done, total - stop, "instructions left");
            record(pe, &got);
            compare(&want, &got, s->name, slots, (unsigned)stop, how == SAVED ? "saved" : "resumed");
            pe_delete(pe);
        }
    // preempted at every instruction
    if (!s->atom) {
        pe = fresh(slots);
        h = sample_setup(s, pe);
        st = engine_start(pe, &h);
        while (st == EXEC_OK) {
            preempt(pe, s, &h, SAVED);
            st = engine_step(pe, &tpc, &group);
        }
        record(pe, &got);
        compare(&want, &got, s->name, slots, ~0u, "at every instruction");
        pe_delete(pe);
    }
    printf("# %s, %u slots: stopped at each of %" PRIu64 " instructions\n", s->name, slots, total);
}

int main(int argc, char **argv)
{
    ram_reset();
    for (unsigned i = 0; i < num_samples; i++) {
        if (argc > 1 && !strstr(samples[i].name, argv[1]))
            continue;
        for (unsigned slots = 1; slots <= 4; slots *= 2)
            sample_test(&samples[i], slots);
        test_end(samples[i].name);
    }
    return 0;
}
