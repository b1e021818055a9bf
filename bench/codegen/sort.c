// SPDX-License-Identifier: BSD-2-Clause
// Quicksort and heapsort of 32-bit integers.
#include "bench.h"

enum { N = 1000 };
static int32_t v[N];

static void quick(int32_t *a, int lo, int hi)
{
    while (lo < hi) {
        int32_t pivot = a[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int32_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (j - lo < hi - i) {
            quick(a, lo, j);
            lo = i;
        } else {
            quick(a, i, hi);
            hi = j;
        }
    }
}

static void sift(int32_t *a, size_t i, size_t n)
{
    int32_t x = a[i];
    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && a[c + 1] > a[c])
            c++;
        if (a[c] <= x)
            break;
        a[i] = a[c];
    }
    a[i] = x;
}

static void heap(int32_t *a, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(a, i, n);
    while (n-- > 1) {
        int32_t t = a[0];
        a[0] = a[n];
        a[n] = t;
        sift(a, 0, n);
    }
}

uint32_t bench(void)
{
    uint32_t seed = 11, sum = 2166136261u;
    for (int run = 0; run < 4; run++) {
        for (int i = 0; i < N; i++)
            v[i] = (int32_t)next_random(&seed);
        if (run & 1)
            heap(v, N);
        else
            quick(v, 0, N - 1);
        for (int i = 0; i < N; i += 17)
            sum = mix(sum, (uint32_t)v[i]);
    }
    return sum;
}
