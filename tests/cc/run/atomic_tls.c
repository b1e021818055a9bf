// SPDX-License-Identifier: BSD-2-Clause
// Atomics of every width and order, fences, thread-local variables.
#include "test.h"
#include <stdatomic.h>
#include <stdint.h>

static _Thread_local int counter = 5;
_Thread_local long zeroed;
static _Thread_local char text[8] = "abc";
_Thread_local struct { char pad[3000]; int last; } far_tls;

#define WIDTH(T)                                                                                    \
    NOINLINE void width_##T(void)                                                                  \
    {                                                                                               \
        static _Atomic(T) a;                                                                        \
        T old = (T)-3, e;                                                                           \
        atomic_store(&a, old);                                                                      \
        CHECK(atomic_load_explicit(&a, memory_order_acquire) == old);                               \
        CHECK(atomic_fetch_add(&a, 5) == old && atomic_load(&a) == (T)2);                           \
        CHECK(atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed) == 2);                         \
        CHECK(atomic_fetch_or(&a, 6) == 1 && atomic_fetch_and(&a, (T)~1) == 7);                     \
        CHECK(atomic_fetch_xor(&a, 3) == 6 && atomic_exchange(&a, (T)100) == 5);                    \
        e = 99;                                                                                     \
        CHECK(!atomic_compare_exchange_strong(&a, &e, 1) && e == 100);                              \
        CHECK(atomic_compare_exchange_strong(&a, &e, (T)-1) && atomic_load(&a) == (T)-1);           \
        e = (T)-1;                                                                                  \
        while (!atomic_compare_exchange_weak(&a, &e, (T)(e - 1)))                                   \
            ;                                                                                       \
        CHECK(atomic_load(&a) == (T)-2);                                                            \
        CHECK(__atomic_fetch_nand((T *)&a, 3, __ATOMIC_SEQ_CST) == (T)-2 && (T)~((T)-2 & 3) == a);  \
        CHECK(__atomic_add_fetch((T *)&a, 7, __ATOMIC_ACQ_REL) == (T)(~((T)-2 & 3) + 7));           \
    }
WIDTH(uint8_t)
WIDTH(int8_t)
WIDTH(uint16_t)
WIDTH(int16_t)
WIDTH(uint32_t)
WIDTH(int32_t)
WIDTH(uint64_t)
WIDTH(int64_t)

NOINLINE int *address(void) { return &counter; }

void test(void)
{
    width_uint8_t();
    width_int8_t();
    width_uint16_t();
    width_int16_t();
    width_uint32_t();
    width_int32_t();
    width_uint64_t();
    width_int64_t();
    static atomic_flag flag = ATOMIC_FLAG_INIT;
    CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    static int guarded;
    guarded = OPAQUE(1);
    atomic_thread_fence(memory_order_release);
    guarded++;
    atomic_signal_fence(memory_order_seq_cst);
    CHECK(guarded == 2);
    int *volatile p = 0;
    CHECK(atomic_load((_Atomic(int *) *)&p) == 0);
    CHECK(atomic_is_lock_free((_Atomic long *)0));

    CHECK(counter == 5 && zeroed == 0 && text[1] == 'b');
    counter += 2;
    zeroed = -1;
    CHECK(*address() == 7 && address() == &counter && zeroed == -1);
    far_tls.last = 9;
    CHECK(OPAQUE(far_tls.last) == 9 && far_tls.pad[2999] == 0);
}
