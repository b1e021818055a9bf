// SPDX-License-Identifier: BSD-2-Clause
// The __atomic_* calls that a compiler makes for objects without a lock-free instruction sequence.
// Sizes 1, 2, 4, 8 are lock-free when aligned; any other object is guarded by a spin lock chosen by its
// address. Such an object must not be shared with a handler that interrupts its holder: the handler
// would spin for ever. Every operation is sequentially consistent whatever order is asked for.
#include "builtins.h"

#define LOCKS 32 // a power of two; one cache line each
static struct {
    int held;
    char pad[64 - sizeof(int)];
} locks[LOCKS] __attribute__((aligned(64)));

static int *lock_of(const volatile void *object) {
    int *l = &locks[((uintptr_t)object >> 4 ^ (uintptr_t)object >> 9) & (LOCKS - 1)].held;
    int zero = 0;
    while (!__atomic_compare_exchange_n(l, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) zero = 0;
    return l;
}
static void unlock(int *l) { __atomic_store_n(l, 0, __ATOMIC_RELEASE); }

static void copy(volatile void *to, const volatile void *from, size_t n) {
    volatile unsigned char *d = to;
    const volatile unsigned char *s = from;
    while (n--) *d++ = *s++;
}
static bool same(const volatile void *a, const volatile void *b, size_t n) {
    const volatile unsigned char *x = a, *y = b;
    while (n--)
        if (*x++ != *y++) return false;
    return true;
}
static bool free_of_lock(size_t n, const volatile void *p) {
    return (n == 1 || n == 2 || n == 4 || n == 8) && (uintptr_t)p % n == 0;
}

bool G(__atomic_is_lock_free)(size_t n, const volatile void *p) { return free_of_lock(n, p); }

// Lock-free cases of the generic calls go through the sized ones below.
#define BY_SIZE(n, DO) \
    switch (n) {       \
    case 1: DO(uint8_t, 1); break; \
    case 2: DO(uint16_t, 2); break; \
    case 4: DO(uint32_t, 4); break; \
    default: DO(uint64_t, 8); break; \
    }

void G(__atomic_load)(size_t n, const volatile void *from, void *to, int order) {
    (void)order;
    if (free_of_lock(n, from)) {
#define DO(type, size) { type v = __atomic_load_n((const volatile type *)from, __ATOMIC_SEQ_CST); copy(to, &v, size); }
        BY_SIZE(n, DO)
#undef DO
        return;
    }
    int *l = lock_of(from);
    copy(to, from, n);
    unlock(l);
}

void G(__atomic_store)(size_t n, volatile void *to, void *from, int order) {
    (void)order;
    if (free_of_lock(n, to)) {
#define DO(type, size) { type v; copy(&v, from, size); __atomic_store_n((volatile type *)to, v, __ATOMIC_SEQ_CST); }
        BY_SIZE(n, DO)
#undef DO
        return;
    }
    int *l = lock_of(to);
    copy(to, from, n);
    unlock(l);
}

void G(__atomic_exchange)(size_t n, volatile void *object, void *new, void *old, int order) {
    (void)order;
    if (free_of_lock(n, object)) {
#define DO(type, size) { type v; copy(&v, new, size); \
    v = __atomic_exchange_n((volatile type *)object, v, __ATOMIC_SEQ_CST); copy(old, &v, size); }
        BY_SIZE(n, DO)
#undef DO
        return;
    }
    int *l = lock_of(object);
    copy(old, object, n);
    copy(object, new, n);
    unlock(l);
}

bool G(__atomic_compare_exchange)(size_t n, volatile void *object, void *expected, void *desired,
                                   int success, int failure) {
    (void)success;
    (void)failure;
    bool done = false;
    if (free_of_lock(n, object)) {
#define DO(type, size) { type e, d; copy(&e, expected, size); copy(&d, desired, size); \
    done = __atomic_compare_exchange_n((volatile type *)object, &e, d, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    if (!done) copy(expected, &e, size); }
        BY_SIZE(n, DO)
#undef DO
        return done;
    }
    int *l = lock_of(object);
    done = same(object, expected, n);
    if (done)
        copy(object, desired, n);
    else
        copy(expected, object, n);
    unlock(l);
    return done;
}

// 16-byte objects, by value.
u128 FN(__atomic_load_16)(const volatile void *from, int order) {
    u128 v;
    G(__atomic_load)(16, from, &v, order);
    return v;
}
void FN(__atomic_store_16)(volatile void *to, u128 v, int order) { G(__atomic_store)(16, to, &v, order); }
u128 FN(__atomic_exchange_16)(volatile void *object, u128 v, int order) {
    u128 old;
    G(__atomic_exchange)(16, object, &v, &old, order);
    return old;
}
bool FN(__atomic_compare_exchange_16)(volatile void *object, void *expected, u128 desired, int success,
                                      int failure) {
    return G(__atomic_compare_exchange)(16, object, expected, &desired, success, failure);
}

#define FETCH_16(name, result)                                                        \
    u128 FN(__atomic_fetch_##name##_16)(volatile void *object, u128 v, int order) {   \
        (void)order;                                                                  \
        int *l = lock_of(object);                                                     \
        u128 old, new;                                                                \
        copy(&old, object, 16);                                                       \
        new = result;                                                                 \
        copy(object, &new, 16);                                                       \
        unlock(l);                                                                    \
        return old;                                                                   \
    }
FETCH_16(add, old + v)
FETCH_16(sub, old - v)
FETCH_16(and, old & v)
FETCH_16(or, old | v)
FETCH_16(xor, old ^ v)
FETCH_16(nand, ~(old & v))

// Sizes with an instruction: some compilers call these at -O0 or for unknown alignment.
#define SIZED(type, n)                                                                              \
    type FN(__atomic_load_##n)(const volatile void *p, int o) { (void)o; return __atomic_load_n((const volatile type *)p, __ATOMIC_SEQ_CST); } \
    void FN(__atomic_store_##n)(volatile void *p, type v, int o) { (void)o; __atomic_store_n((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_exchange_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_exchange_n((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    bool FN(__atomic_compare_exchange_##n)(volatile void *p, void *e, type v, int s, int f) { \
        (void)s; (void)f; \
        return __atomic_compare_exchange_n((volatile type *)p, (type *)e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_add_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_add((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_sub_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_sub((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_and_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_and((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_or_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_or((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_xor_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_xor((volatile type *)p, v, __ATOMIC_SEQ_CST); } \
    type FN(__atomic_fetch_nand_##n)(volatile void *p, type v, int o) { (void)o; return __atomic_fetch_nand((volatile type *)p, v, __ATOMIC_SEQ_CST); }
SIZED(uint8_t, 1)
SIZED(uint16_t, 2)
SIZED(uint32_t, 4)
SIZED(uint64_t, 8)
