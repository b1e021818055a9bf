/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GANG_TILES_H
#define GANG_TILES_H

#define SIZE     64             /* matrices are SIZE x SIZE */
#define ROWS     16             /* of a member */
#define PART     64             /* elements of the prefix sum of a member */

#ifndef __ASSEMBLER__
#include <stdint.h>
// One set for each window: S<n> holds the shared operand, S<n+1> the partial sums, S<n+2> a copy of these. All members of
// a gang of four call the same function.
struct tile_set {
    void (*share)(const uint32_t *quarter);                 // this member's ROWS rows of the shared operand -> S<n>
    void (*multiply)(const uint32_t *a, uint32_t *c);       // ROWS rows of c = a times S<n>
    void (*give)(const uint32_t *sum);                      // 32 words, this member's fragment -> S<n+1> and S<n+2>
    void (*take)(uint32_t *all, uint32_t *own);             // the 4 fragments of S<n+1>; the own one of S<n+2>
};
extern const struct tile_set tiles_0, tiles_100, tiles_253;     // n = 0, 100, 253: the window ends with S255
#endif

#endif
