// SPDX-License-Identifier: BSD-2-Clause
// Branches, switches, calls through pointers, tail calls, recursion, computed goto, setjmp, alloca.
#include "test.h"

int setjmp(long *) __attribute__((returns_twice));
void longjmp(long *, int) __attribute__((noreturn));

NOINLINE int dense(int x)
{
    switch (x) {
    case 0: return 10;
    case 1: return 21;
    case 2: return 32;
    case 3: return 43;
    case 5: return 54;
    case 6: return OPAQUE(65);
    case 7: return 76;
    case 9: return 87;
    }
    return -1;
}
NOINLINE int sparse(long x)
{
    switch (x) {
    case -1000000: return 1;
    case 7: return 2;
    case 0x123456789: return 3;
    case 99999: return 4;
    }
    return 0;
}
NOINLINE long even(long n);
NOINLINE long odd(long n) { return n == 0 ? 0 : even(n - 1); }
NOINLINE long even(long n) { return n == 0 ? 1 : odd(n - 1); }
NOINLINE long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

NOINLINE int threaded(const char *code)
{
    static void *const ops[] = {&&inc, &&dbl, &&neg, &&end};
    int v = 1;
    goto *ops[*code++ - 'a'];
inc:
    v++;
    goto *ops[*code++ - 'a'];
dbl:
    v *= 2;
    goto *ops[*code++ - 'a'];
neg:
    v = -v;
    goto *ops[*code++ - 'a'];
end:
    return v;
}

NOINLINE static long fill(char *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        p[i] = (char)i;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
NOINLINE long vla(int n)
{
    char a[n], *b = __builtin_alloca((unsigned)n + 3);
    return fill(a, n) + fill(b, n) + ((long)a & 15) + ((long)b & 15);
}
NOINLINE long aligned(int n)
{
    _Alignas(128) char a[64];
    char b[n];
    CHECK(((long)a & 127) == 0);
    return fill(a, 64) + fill(b, n);
}
NOINLINE long large(void)
{
    char a[70000], b[8];
    b[0] = 3;
    a[69999] = 4;
    fill(a, 100);
    OPAQUE(&a[0]);
    return a[69999] + b[0];
}

static long buf[12];
NOINLINE static void deep(int n)
{
    if (n == 0)
        longjmp(buf, 42);
    deep(n - 1);
    OPAQUE(n);
}
NOINLINE int jumps(void)
{
    volatile int count = 0;
    int r = setjmp(buf);
    if (r)
        return r + count;
    count = 3;
    deep(5);
    return 0;
}

NOINLINE int bits(unsigned long x)
{
    int r = 0;
    if (x & 4)
        r |= 1;
    if (!(x & 0x800))
        r |= 2;
    if (!(x & 0x10000000000))
        r |= 4;
    if ((x & 0xff00) == 0x1200)
        r |= 8;
    if ((int)x < 0)
        r |= 16;
    if (x > 0x7fffffff)
        r |= 32;
    return r;
}

void test(void)
{
    static const int want[] = {10, 21, 32, 43, -1, 54, 65, 76, -1, 87, -1};
    for (int i = 0; i < 11; i++)
        CHECK(dense(OPAQUE(i)) == want[i]);
    CHECK(dense(-1) == -1 && dense(1 << 30) == -1);
    CHECK(sparse(-1000000) == 1 && sparse(7) == 2 && sparse(0x123456789) == 3 && sparse(99999) == 4 && !sparse(8));
    CHECK(even(1000) == 1 && odd(3333) == 1);
    CHECK(fib(15) == 610);
    CHECK(threaded("abbcad") == -7);
    CHECK(vla(100) == 2 * 4950 && vla(1) == 0 && vla(33) == 2 * 528);
    CHECK(aligned(10) == 2016 + 45 && large() == 7);
    CHECK(jumps() == 45);
    CHECK(bits(4) == 7 && bits(0x800) == 4 && bits(0x10000000000) == (2 | 32) && bits(0x1200) == 14);
    CHECK(bits(0x80000000) == (2 | 4 | 16 | 32));
}
