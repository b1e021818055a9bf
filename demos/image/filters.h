// SPDX-License-Identifier: BSD-2-Clause
// Image filters as data blocks. An image has one byte a pixel, w x h; `in` points at the top left pixel of a frame that
// is one pixel larger on every side (the border repeated), with `stride` bytes a row; results have w bytes a row.
#ifndef IMAGE_FILTERS_H
#define IMAGE_FILTERS_H

#include <stdint.h>

struct frame {
    const uint8_t *pixels;      // of the enlarged frame, (w + 2) x (h + 2)
    uint32_t w, h, stride;
};

// (1 2 1; 2 4 2; 1 2 1) / 16, rounded to nearest.
void blur(const struct frame *f, uint8_t *out);
// min(255, |gx| + |gy|) of the Sobel operators.
void sobel(const struct frame *f, uint8_t *out);
// bins[v] = number of pixels of value v.
void histogram(const struct frame *f, uint32_t bins[256]);

#endif
