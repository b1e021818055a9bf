// SPDX-License-Identifier: BSD-2-Clause
// CRC-32 by table, and the table itself.
#include "bench.h"

static uint32_t table[256];
static uint8_t data[4096];

uint32_t bench(void)
{
    uint32_t seed = 7, sum = 0;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(next_random(&seed) >> 24);
    for (int run = 0; run < 8; run++) {
        uint32_t c = ~sum;
        for (size_t i = 0; i < sizeof data; i++)
            c = table[(c ^ data[i]) & 255] ^ c >> 8;
        sum = ~c;
    }
    return sum;
}
