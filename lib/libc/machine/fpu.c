// SPDX-License-Identifier: BSD-2-Clause
// The functions that are one instruction of the core: square root and fused multiply-add. They replace picolibc's
// libm/math/s[f]_sqrt.c, newlib's libm/math/e[f]_sqrt.c (its sqrt() is a wrapper that sets errno) and libm/common/s[f]_fma.c.
// Values travel as bit patterns, which is how the ABI passes them.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define BITS(name, from, to) \
    static inline to name(from v) { \
        to r; \
        memcpy(&r, &v, sizeof r); \
        return r; \
    }
BITS(bits64, double, uint64_t)
BITS(double_of, uint64_t, double)
BITS(bits32, float, uint32_t)
BITS(float_of, uint32_t, float)

#ifdef __PICOLIBC__
#define SQRT  sqrt
#define SQRTF sqrtf
long double sqrtl(long double x) __attribute__((alias("sqrt")));    // long double is double (docs/target.md 2, ABI)
#else
#define SQRT  __ieee754_sqrt
#define SQRTF __ieee754_sqrtf
#endif

double SQRT(double x) {
    uint64_t r;
    __asm__ volatile("fsqrt.fd %1, ->%0" : "=r"(r) : "r"(bits64(x)));
    return double_of(r);
}
float SQRTF(float x) {
    uint64_t r;
    __asm__ volatile("fsqrt.fs %1, ->%0" : "=r"(r) : "r"((uint64_t)bits32(x)));
    return float_of((uint32_t)r);
}
double fma(double x, double y, double z) {
    uint64_t r;
    __asm__ volatile("fmadd.fd %1, %2, %3, ->%0" : "=r"(r) : "r"(bits64(x)), "r"(bits64(y)), "r"(bits64(z)));
    return double_of(r);
}
float fmaf(float x, float y, float z) {
    uint64_t r;
    __asm__ volatile("fmadd.fs %1, %2, %3, ->%0"
                     : "=r"(r)
                     : "r"((uint64_t)bits32(x)), "r"((uint64_t)bits32(y)), "r"((uint64_t)bits32(z)));
    return float_of((uint32_t)r);
}

long double fmal(long double x, long double y, long double z) __attribute__((alias("fma")));
