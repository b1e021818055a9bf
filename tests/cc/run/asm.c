// SPDX-License-Identifier: BSD-2-Clause
// Inline assembly: operands, clobbers, system instructions, statements with blocks of their own.
#include "test.h"

NOINLINE long add(long a, long b)
{
    long r;
    __asm__("add %1, %2, ->%0" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
NOINLINE long immediate(long a)
{
    long r;
    __asm__("addi %1, %2, ->%0" : "=r"(r) : "r"(a), "K"(4000));
    return r;
}
NOINLINE long memory(long *p)
{
    long r;
    __asm__("ldi %1, ->%0" : "=r"(r) : "m"(p[2]));
    __asm__ volatile("sdi %1, %0" : "=m"(p[3]) : "r"(r + 1));
    return r;
}
NOINLINE long named(long a)
{
    register long r __asm__("a3") = a;
    __asm__("slli a3, 4, ->a3" : "+r"(r));
    return r;
}
NOINLINE long clobbers(long a, long b, long c)
{
    __asm__ volatile("c.movi 1, ->s0\n c.movi 2, ->s1\n c.movi 3, ->a4\n c.movi 4, ->x1" ::: "s0", "s1", "a4", "x1");
    return a + 2 * b + 3 * c;
}
NOINLINE long queue(long a)
{
    long r;
    __asm__("c.addi %1, 3, ->t\n add t#1, t#1, ->%0" : "=r"(r) : "r"(a));
    return r;
}
NOINLINE long system_instruction(void)
{
    long a, b;
    __asm__ volatile("ssrget 0x10, ->%0" : "=r"(a)); // TIME
    __asm__ volatile("fence.d 15, 15" ::: "memory");
    __asm__ volatile("ssrget 0x10, ->%0" : "=r"(b));
    return b - a;
}
NOINLINE long own_blocks(long n)
{
    long s = 0;
    __asm__ volatile("C.BSTART.STD FALL\n"
                     " c.movi 0, ->%0\n"
                     "1:\n"
                     " C.BSTART COND, 1b\n"
                     " add %0, %1, ->%0\n"
                     " subi %1, 1, ->%1\n"
                     " setc.ne %1, zero\n"
                     : "+&r"(s), "+r"(n));
    return s * 2;
}
NOINLINE int branch_out(long a)
{
    __asm__ goto("C.BSTART COND, %l1\n c.setc.eq %0, zero\n" ::"r"(a)::zero);
    return 1;
zero:
    return 2;
}
NOINLINE long ends_block(void)
{
    // A statement may stop the block it is in.
    long r = 5;
    __asm__ volatile("addi %0, 2, ->%0\n C.BSTOP" : "+r"(r));
    return r + 1;
}
NOINLINE long in_loop(long *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        long v;
        __asm__ volatile("ld.add.aq [%1], %2, ->%0" : "=r"(v) : "r"(p), "r"(2L) : "memory");
        s += v;
    }
    return s;
}
register long stack_pointer __asm__("sp");

void test(void)
{
    long v[4] = {1, 2, 30, 4};
    CHECK(add(3, 4) == 7 && immediate(5) == 4005);
    CHECK(memory(v) == 30 && v[3] == 31);
    CHECK(named(3) == 48 && clobbers(1, 10, 100) == 321 && queue(4) == 14);
    CHECK(system_instruction() > 0);
    CHECK(own_blocks(10) == 110);
    CHECK(branch_out(0) == 2 && branch_out(1) == 1);
    CHECK(ends_block() == 8);
    CHECK(in_loop(v, 4) == 1 + 3 + 5 + 7 && v[0] == 9);
    CHECK((stack_pointer & 15) == 0);
}
