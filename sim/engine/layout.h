// SPDX-License-Identifier: BSD-2-Clause
// Element sizes and storage layouts of tiles (docs/target.md; digest 5.4, 5.6).
#ifndef LINX_SIM_LAYOUT_H
#define LINX_SIM_LAYOUT_H

#include "engine.h"
#include "linx_forms.h"

// Bytes of one element (of one pair for the 4-bit types), 0 = reserved DataType.
static inline unsigned element_bytes(unsigned type)
{
    static const uint8_t size[32] = {8, 4, 4, 4, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 8, 4, 2, 1, 1, 0, 0, 0, 8, 4, 2, 1, 1, 0, 0, 0};
    return size[type & 31];
}

// ND row-major, DN column-major. The others are made of fractals: the first letter orders the fractals, the second
// the elements inside one (Z row-major, N column-major). A fractal is 512 B: 16 x 32/es when its inside is row-major,
// 32/es x 16 when it is column-major.
enum tile_layout { LAY_ND, LAY_DN, LAY_ZZ, LAY_ZN, LAY_NZ, LAY_NN, LAY_BAD };

// Splits a DataLayout code "A2B". NORM is ND to ND.
static inline bool layout_split(unsigned code, enum tile_layout *from, enum tile_layout *to)
{
    static const uint8_t rows[32][2] = {
        [LINX_Layout_NORM] = {LAY_ND, LAY_ND},
        [LINX_Layout_ND2DN] = {LAY_ND, LAY_DN}, [LINX_Layout_ND2ZZ] = {LAY_ND, LAY_ZZ}, [LINX_Layout_ND2ZN] = {LAY_ND, LAY_ZN},
        [LINX_Layout_ND2NZ] = {LAY_ND, LAY_NZ}, [LINX_Layout_ND2NN] = {LAY_ND, LAY_NN},
        [LINX_Layout_DN2ND] = {LAY_DN, LAY_ND}, [LINX_Layout_DN2ZZ] = {LAY_DN, LAY_ZZ}, [LINX_Layout_DN2ZN] = {LAY_DN, LAY_ZN},
        [LINX_Layout_DN2NZ] = {LAY_DN, LAY_NZ}, [LINX_Layout_DN2NN] = {LAY_DN, LAY_NN},
        [LINX_Layout_ZZ2ND] = {LAY_ZZ, LAY_ND}, [LINX_Layout_ZZ2DN] = {LAY_ZZ, LAY_DN}, [LINX_Layout_ZZ2ZN] = {LAY_ZZ, LAY_ZN},
        [LINX_Layout_ZZ2NZ] = {LAY_ZZ, LAY_NZ}, [LINX_Layout_ZZ2NN] = {LAY_ZZ, LAY_NN}, [16] = {LAY_BAD, LAY_BAD},
        [LINX_Layout_ZN2ND] = {LAY_ZN, LAY_ND}, [LINX_Layout_ZN2DN] = {LAY_ZN, LAY_DN}, [LINX_Layout_ZN2ZZ] = {LAY_ZN, LAY_ZZ},
        [LINX_Layout_ZN2NZ] = {LAY_ZN, LAY_NZ}, [LINX_Layout_ZN2NN] = {LAY_ZN, LAY_NN},
        [LINX_Layout_NN2ND] = {LAY_NN, LAY_ND}, [LINX_Layout_NN2DN] = {LAY_NN, LAY_DN}, [LINX_Layout_NN2ZZ] = {LAY_NN, LAY_ZZ},
        [LINX_Layout_NN2ZN] = {LAY_NN, LAY_ZN}, [LINX_Layout_NN2NZ] = {LAY_NN, LAY_NZ},
        [LINX_Layout_NZ2ND] = {LAY_NZ, LAY_ND}, [LINX_Layout_NZ2DN] = {LAY_NZ, LAY_DN}, [LINX_Layout_NZ2ZZ] = {LAY_NZ, LAY_ZZ},
        [LINX_Layout_NZ2ZN] = {LAY_NZ, LAY_ZN}, [LINX_Layout_NZ2NN] = {LAY_NZ, LAY_NN},
    };
    *from = rows[code & 31][0];
    *to = rows[code & 31][1];
    return *from != LAY_BAD;
}

static inline void layout_fractal(enum tile_layout l, unsigned es, uint32_t *r0, uint32_t *c0)
{
    bool inner_row_major = l == LAY_ZZ || l == LAY_NZ;
    *r0 = inner_row_major ? 16 : 32 / es;
    *c0 = inner_row_major ? 32 / es : 16;
}

// A fractal layout needs whole fractals.
static inline bool layout_fits(enum tile_layout l, uint32_t row, uint32_t col, unsigned es)
{
    uint32_t r0, c0;
    if (l == LAY_ND || l == LAY_DN)
        return true;
    layout_fractal(l, es, &r0, &c0);
    return row % r0 == 0 && col % c0 == 0;
}

// Index of element (i, j) of a row x col matrix in a tile.
static inline uint32_t layout_index(enum tile_layout l, uint32_t i, uint32_t j, uint32_t row, uint32_t col, unsigned es)
{
    uint32_t r0, c0;
    if (l == LAY_ND)
        return i * col + j;
    if (l == LAY_DN)
        return j * row + i;
    layout_fractal(l, es, &r0, &c0);
    uint32_t fi = i / r0, fj = j / c0, in_i = i % r0, in_j = j % c0;
    uint32_t fractal = l == LAY_ZZ || l == LAY_ZN ? fi * (col / c0) + fj : fj * (row / r0) + fi;
    uint32_t inside = l == LAY_ZZ || l == LAY_NZ ? in_i * c0 + in_j : in_j * r0 + in_i;
    return fractal * r0 * c0 + inside;
}

// Bit pattern of PadValue Max or Min in a DataType; false when the type has no implemented number format.
static inline bool pad_pattern(unsigned type, unsigned pad, uint64_t *v)
{
    unsigned bits = 8 * element_bytes(type);
    bool max = pad == LINX_PadValue_Max;
    *v = 0;
    if (pad == LINX_PadValue_Zero || pad == LINX_PadValue_Null)
        return true;
    if (type >= 24) {                           // unsigned; the pairs of U4x2 are two nibbles
        *v = max ? ~0ull >> (64 - bits) : 0;
        return true;
    }
    if (type == LINX_DataType_S4x2) {
        *v = max ? 0x77 : 0x88;
        return true;
    }
    if (type >= 16) {
        *v = max ? ~0ull >> (65 - bits) : 1ull << (bits - 1);
        return true;
    }
    static const uint64_t inf[6] = {0x7ff0000000000000, 0x7f800000, 0x7f800000, 0x7f800000, 0x7c00, 0x7f80};
    if (type > LINX_DataType_BF16)
        return false;
    *v = inf[type] | (max ? 0 : 1ull << (bits - 1));
    return true;
}

static inline uint64_t element_get(const uint8_t *p, unsigned es)
{
    uint64_t v = 0;
    memcpy(&v, p, es);
    return v;
}
static inline void element_put(uint8_t *p, unsigned es, uint64_t v) { memcpy(p, &v, es); }

#endif
