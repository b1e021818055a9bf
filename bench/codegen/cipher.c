// SPDX-License-Identifier: BSD-2-Clause
// A stream cipher of additions, rotations and exclusive ors (ChaCha20's round function), and a
// sponge-like 64-bit hash.
#include "bench.h"

static uint32_t rotl(uint32_t v, int n) { return v << n | v >> (32 - n); }
static uint64_t rotl64(uint64_t v, int n) { return v << n | v >> (64 - n); }

static void quarter(uint32_t *s, int a, int b, int c, int d)
{
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 7);
}

uint32_t bench(void)
{
    uint32_t key[16], seed = 9, sum = 2166136261u;
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 16; i++)
        key[i] = next_random(&seed);
    for (uint32_t block = 0; block < 24; block++) {
        uint32_t s[16];
        key[12] = block;
        for (int i = 0; i < 16; i++)
            s[i] = key[i];
        for (int r = 0; r < 10; r++) {
            quarter(s, 0, 4, 8, 12);
            quarter(s, 1, 5, 9, 13);
            quarter(s, 2, 6, 10, 14);
            quarter(s, 3, 7, 11, 15);
            quarter(s, 0, 5, 10, 15);
            quarter(s, 1, 6, 11, 12);
            quarter(s, 2, 7, 8, 13);
            quarter(s, 3, 4, 9, 14);
        }
        for (int i = 0; i < 16; i++) {
            uint64_t v = s[i] + key[i];
            h = rotl64(h ^ v, 29) * 0xff51afd7ed558ccdu;
            h ^= h >> 32;
        }
    }
    sum = mix(sum, (uint32_t)h);
    return mix(sum, (uint32_t)(h >> 32));
}
