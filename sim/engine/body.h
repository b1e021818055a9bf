// SPDX-License-Identifier: BSD-2-Clause
// Decoded body instructions, their operands and the table that gives every form its body.
#ifndef LINX_SIM_BODY_H
#define LINX_SIM_BODY_H

#include "engine.h"
#include "linx_forms.h"

// A source. Values are read with the element type `type` and extended to 64 bits.
enum operand_kind {
    OP_NONE,
    OP_VEC,         // queue n, #k
    OP_RI,          // n
    OP_T, OP_U,     // #k
    OP_LC, OP_LB,   // n
    OP_TILE,        // formal n: 0..7 ta..th, 8..11 to..to3
    OP_P,
    OP_ZERO,
    OP_IMM,         // insn.imm
};
enum int_type { T_UD, T_UW, T_UH, T_UB, T_SD, T_SW, T_SH, T_SB };       // bits [9:7] of an integer source
struct operand { uint8_t kind, n, k, type; };

enum dest_kind { DST_NONE, DST_VEC, DST_RO, DST_T, DST_U, DST_P };
struct dest { uint8_t kind, n, width; };    // width: 0 .d, 1 .w, 2 .h, 3 .b

struct insn;
typedef enum exec_status body_fn(struct engine *e, struct group *g, const struct insn *d);

struct insn {
    uint64_t addr;              // address and word that this entry decodes; addr 1 = empty entry
    uint64_t word;
    body_fn *body;
    const struct alu *alu;
    const char *why;            // reason when body is "illegal"
    uint16_t form;
    uint8_t len;
    bool vform;                 // executed per lane
    bool uses_mn;               // vm or vn: needs VS16
    bool local, cont;           // .local; continuous (lc0 added)
    struct operand a, b, c;     // SrcL, SrcR, third source
    struct dest dst;
    uint8_t size_log2;          // access size
    bool sign;                  // load sign-extends
    uint8_t shamt, rtype, m, n; // m, n: bit field start and length
    uint8_t op;                 // sub-operation of a shared body (enum fp_op, amo)
    uint8_t ft, ft2;            // FP formats / conversion types
    int64_t imm;
};

// Integer operations: one row and one expression each (alu.c).
enum {
    ALU_CLOSED = 1,             // the low 32 bits of the result depend only on the low 32 bits of the operands
    ALU_COMPARE = 2,            // 0/1 result; may write P lane by lane
};
struct alu {
    const char *name;
    uint64_t (*one)(uint64_t a, uint64_t b, uint64_t c, const struct insn *d);
    // Loops over the lanes. 32-bit loops are exact when every operand fits (see alu_run): s = as int32, u = as uint32.
    void (*lanes64)(uint32_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *c, const struct insn *d);
    void (*lanes32s)(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *c, const struct insn *d);
    void (*lanes32u)(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *c, const struct insn *d);
    uint8_t flags;
};

// What the table says about a form: body, ALU row, access size and sub-operation.
struct body_row { body_fn *body; const struct alu *alu; uint8_t size_log2, sign, op; };
extern const struct body_row body_rows[LINX_NFORMS];

extern const struct alu alu_add, alu_sub, alu_and, alu_or, alu_xor, alu_sll, alu_srl, alu_sra, alu_mul, alu_madd, alu_div,
    alu_rem, alu_max, alu_min, alu_eq, alu_ne, alu_tand, alu_tor, alu_lt, alu_ge, alu_ltu, alu_geu, alu_csel, alu_scsel,
    alu_bxs, alu_bxu, alu_bic, alu_bis, alu_ctz, alu_clz, alu_bcnt, alu_rev, alu_icvt;

// body_row.op of the shared bodies
enum { SCALAR_W = 1,            // 32-bit operation: operands .sw (.uw), result sign-extended
       SCALAR_UNSIGNED = 2, SCALAR_ZERO_EXTEND = 4 };
enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX, SHFL_ALL = 8 };
enum { RD_ADD, RD_AND, RD_OR, RD_XOR, RD_MAX, RD_MIN };
enum { AMO_ADD, AMO_AND, AMO_OR, AMO_XOR, AMO_MAX, AMO_MIN };
enum { BR_EQ, BR_NE, BR_LT, BR_GE, BR_LTU, BR_GEU };

void body_decode(struct insn *d, uint64_t addr, uint64_t word, unsigned len);
body_fn body_illegal, body_end, body_alu, body_shuffle, body_reduce, body_freduce, body_fp, body_fcvt, body_fcvti,
    body_icvtf, body_load, body_store, body_amo, body_nop, body_branch, body_branch_p, body_jump, body_jr,
    body_addtpc, body_ebreak, body_psel;

static inline uint64_t extend(uint64_t v, unsigned type)
{
    switch (type) {
    case T_UW: return (uint32_t)v;
    case T_UH: return (uint16_t)v;
    case T_UB: return (uint8_t)v;
    case T_SW: return (uint64_t)(int32_t)v;
    case T_SH: return (uint64_t)(int16_t)v;
    case T_SB: return (uint64_t)(int8_t)v;
    default: return v;
    }
}
static inline uint64_t narrow(uint64_t v, unsigned width)
{
    return width == 0 ? v : width == 1 ? (uint32_t)v : width == 2 ? (uint16_t)v : (uint8_t)v;
}
static inline unsigned type_bits(unsigned type) { return 64 >> (type & 3); }

// The handle a tile formal reads as: bits 63:40 name the formal, the rest is a signed byte offset. Only `.local`
// accesses give it a meaning (docs/data-engine.md).
#define TILE_HANDLE(n) ((uint64_t)(LINX_TILE_HANDLE + (n)) << LINX_TILE_HANDLE_BIT)

// Value of a scalar operand (for OP_LC lane 0, for OP_VEC lane 0), extended.
uint64_t operand_scalar(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o);
// 64 lanes of an operand, extended to 64 or to 32 bits. The result is buf or a queue entry: read-only.
const uint64_t *operand_lanes64(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o,
                                uint64_t *buf);
const uint32_t *operand_lanes32(const struct engine *e, struct group *g, const struct insn *d, const struct operand *o,
                                uint32_t *buf);
// Writes a scalar result.
MUST_USE enum exec_status dest_scalar(struct engine *e, struct group *g, const struct insn *d, uint64_t v);
// Ends a vector result that was computed in vec_next(g, queue): clears inactive lanes, narrows, pushes.
void dest_vector(struct group *g, const struct insn *d, uint64_t active);
static inline void mask_lanes(uint32_t *r, uint64_t active)
{
    if (likely(active == ~0ull))
        return;
    for (unsigned i = 0; i < LANES; i++)
        r[i] = active >> i & 1 ? r[i] : 0;
}

#endif
