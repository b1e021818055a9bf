// SPDX-License-Identifier: BSD-2-Clause
#include "filters.h"

#include "linx/tile.h"

// Rows of a band go to one block: LB0 = columns, LB1 = rows. ri0 = frame, ri1 = stride, ri2 = out, ri3 = w.
// After ROWS: t#3, t#2, t#1 = addresses of the rows above, of, and below the pixel (left neighbour first).
#define ROWS                              \
    "l.mul  lc1, ri1, ->t\n"              \
    "l.add  t#1, ri0, ->t\n"              \
    "l.add  t#1, ri1, ->t\n"              \
    "l.add  t#1, ri1, ->t\n"
#define OUT_ROW                           \
    "l.mul  lc1, ri3, ->u\n"              \
    "l.add  u#1, ri2, ->u\n"

LINX_BODY(blur_body,
    ROWS
    "v.lbui [t#3, lc0, 0], ->vt.w\n"
    "v.lbui [t#3, lc0, 1], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#3, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#2, lc0, 0], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#2, lc0, 1], ->vu.w\n"
    "v.add  vt#1, vu#1<<2, ->vt.w\n"
    "v.lbui [t#2, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#1, lc0, 0], ->vu.w\n"
    "v.add  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#1, lc0, 1], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#1, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1, ->vt.w\n"
    "v.addi vt#1, 8, ->vt.w\n"
    "v.srli vt#1, 4, ->vt.w\n"
    OUT_ROW
    "v.sbi  vt#1, [u#1, lc0]\n");

LINX_BODY(sobel_body,
    ROWS
    // gx: right column minus left column
    "v.lbui [t#3, lc0, 2], ->vt.w\n"
    "v.lbui [t#3, lc0, 0], ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#2, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#2, lc0, 0], ->vu.w\n"
    "v.slli vu#1, 1, ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#1, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#1, lc0, 0], ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.sub  zero, vt#1.reuse.sw, ->vu.w\n"
    "v.max  vt#1.sw, vu#1.sw, ->vm.w\n"
    // gy: lower row minus upper row
    "v.lbui [t#1, lc0, 0], ->vt.w\n"
    "v.lbui [t#3, lc0, 0], ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#1, lc0, 1], ->vu.w\n"
    "v.add  vt#1, vu#1<<1, ->vt.w\n"
    "v.lbui [t#3, lc0, 1], ->vu.w\n"
    "v.slli vu#1, 1, ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#1, lc0, 2], ->vu.w\n"
    "v.add  vt#1, vu#1, ->vt.w\n"
    "v.lbui [t#3, lc0, 2], ->vu.w\n"
    "v.sub  vt#1, vu#1, ->vt.w\n"
    "v.sub  zero, vt#1.reuse.sw, ->vu.w\n"
    "v.max  vt#1.sw, vu#1.sw, ->vt.w\n"
    "v.add  vt#1, vm#1, ->vt.w\n"
    "addi   zero, 255, ->t\n"
    "v.min  vt#1.sw, t#1, ->vt.w\n"
    OUT_ROW
    "v.sbi  vt#1, [u#1, lc0]\n");

// ri2 = bins. The bins lie below 4 GB, so their addresses fit a 32-bit lane.
LINX_BODY(histogram_body,
    ROWS
    "v.lbui [t#2, lc0, 1], ->vt.w\n"
    "v.slli vt#1, 2, ->vt.w\n"
    "v.add  vt#1, ri2, ->vt.w\n"
    "addi   zero, 1, ->t\n"
    "v.sw.add [vt#1], t#1\n");

#define BAND 16                 // rows of one block

void blur(const struct frame *f, uint8_t *out) {
    for (uint32_t y = 0; y < f->h; y += BAND)
        LINX_LAUNCH(MPAR, blur_body, f->w, f->h - y < BAND ? f->h - y : BAND, 1, "", "", f->pixels + y * f->stride, f->stride,
                    out + y * f->w, f->w);
}

void sobel(const struct frame *f, uint8_t *out) {
    for (uint32_t y = 0; y < f->h; y += BAND)
        LINX_LAUNCH(MPAR, sobel_body, f->w, f->h - y < BAND ? f->h - y : BAND, 1, "", "", f->pixels + y * f->stride, f->stride,
                    out + y * f->w, f->w);
}

void histogram(const struct frame *f, uint32_t bins[256]) {
    for (uint32_t i = 0; i < 256; i++)
        bins[i] = 0;
    for (uint32_t y = 0; y < f->h; y += BAND)
        LINX_LAUNCH(MSEQ, histogram_body, f->w, f->h - y < BAND ? f->h - y : BAND, 1, "", "", f->pixels + y * f->stride,
                    f->stride, bins, f->w);
}
