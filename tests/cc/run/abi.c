// SPDX-License-Identifier: BSD-2-Clause
// Arguments and results: registers, stack, structures, variable arguments, wide integers.
#include "test.h"
#include <stdarg.h>

struct small { char c; short s; int i; };
struct two { long a, b; };
struct mixed { double d; int i; };
struct big { long v[5]; };
typedef __int128 wide;

NOINLINE long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, char j, float k)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + (long)(11 * k);
}
NOINLINE struct small f_small(struct small s) { s.c++; s.s -= 2; s.i *= 3; return s; }
NOINLINE struct two f_two(long x, struct two t) { t.a += x; t.b -= x; return t; }
NOINLINE struct mixed f_mixed(struct mixed m, float f) { m.d *= f; m.i++; return m; }
NOINLINE struct big f_big(struct big b, int k) { b.v[k] = -1; return b; }
NOINLINE wide f_wide(int a, wide w, int b) { return w * a + b; }
NOINLINE wide f_wide8(long a, long b, long c, long d, long e, long f, long g, wide w) { return w + a + b + c + d + e + f + g; }

NOINLINE long sum(int n, ...)
{
    va_list ap, aq;
    long s = 0;
    va_start(ap, n);
    va_copy(aq, ap);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, long);
    for (int i = 0; i < n; i++)
        s += va_arg(aq, long);
    va_end(ap);
    va_end(aq);
    return s;
}
NOINLINE double kinds(const char *f, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, f);
    for (; *f; f++)
        switch (*f) {
        case 'i': s += va_arg(ap, int); break;
        case 'd': s += va_arg(ap, double); break;
        case 'w': s += (double)(long)va_arg(ap, wide); break;
        case 't': { struct two t = va_arg(ap, struct two); s += (double)(t.a + t.b); break; }
        case 'b': { struct big b = va_arg(ap, struct big); s += (double)b.v[4]; break; }
        }
    va_end(ap);
    return s;
}
NOINLINE unsigned char trunc8(unsigned long v) { return (unsigned char)v; }
NOINLINE int neg32(int v) { return -v; }
NOINLINE unsigned udiv(unsigned a, unsigned b) { return a / b; }
NOINLINE _Bool isset(long v) { return v & 8; }

void test(void)
{
    CHECK(many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.0f) == 506);
    struct small s = f_small((struct small){1, 2, 3});
    CHECK(s.c == 2 && s.s == 0 && s.i == 9);
    struct two t = f_two(5, (struct two){10, 20});
    CHECK(t.a == 15 && t.b == 15);
    struct mixed m = f_mixed((struct mixed){2.5, 7}, 2.0f);
    CHECK(m.d == 5.0 && m.i == 8);
    struct big b = {{1, 2, 3, 4, 5}}, c = f_big(b, 2);
    CHECK(b.v[2] == 3 && c.v[2] == -1 && c.v[4] == 5);
    wide w = ((wide)1 << 70) + 3;
    CHECK(f_wide(3, w, -1) == w * 3 - 1);
    CHECK(f_wide8(1, 1, 1, 1, 1, 1, 1, w) == w + 7);
    CHECK(sum(3, 1L, 2L, 3L) == 12);
    CHECK(sum(10, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L) == 110);
    CHECK(kinds("idwtbiwid", 1, 2.5, (wide)3, (struct two){4, 5}, b, 6, (wide)7, 8, 9.5) == 51.0);
    CHECK(trunc8(0x1234) == 0x34 && neg32(OPAQUE(5)) == -5);
    CHECK(udiv(0xfffffff0u, 16) == 0x0fffffffu);
    CHECK(isset(8) && !isset(7));
    long (*volatile p)(int, ...) = sum;
    CHECK(p(1, 21L) == 42);
}
