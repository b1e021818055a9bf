// SPDX-License-Identifier: BSD-2-Clause
// clock() for the public CoreMark, in microseconds. CoreMark calls a run of less than 10 s invalid; ten rounds take
// a few million instructions, a nanosecond each. So this clock runs 5,000 times as fast as TIME.
long clock(void) {
    unsigned long ns;
    __asm__ volatile("ssrget 0x0010, ->%0" : "=r"(ns));
    return (long)(ns * 5);
}
