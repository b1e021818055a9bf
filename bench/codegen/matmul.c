// SPDX-License-Identifier: BSD-2-Clause
// Integer matrices, 32 and 64 bits wide.
#include "bench.h"

enum { N = 24 };
static int32_t a[N][N], b[N][N], c[N][N];
static int64_t x[N][N], y[N][N], z[N][N];

uint32_t bench(void)
{
    uint32_t seed = 3, sum = 2166136261u;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (int32_t)(next_random(&seed) >> 16);
            b[i][j] = (int32_t)(next_random(&seed) >> 16);
            x[i][j] = a[i][j] - b[i][j];
            y[i][j] = (int64_t)a[i][j] * b[i][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t s = 0;
            int64_t t = 0;
            for (int k = 0; k < N; k++) {
                s += a[i][k] * b[k][j] & 0xffffff;
                t += x[i][k] * y[k][j];
            }
            c[i][j] = s;
            z[i][j] = t;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = mix(sum, (uint32_t)c[i][j] + (uint32_t)z[i][j]);
    return sum;
}
