// SPDX-License-Identifier: BSD-2-Clause
// An interpreter of a small stack machine: switch dispatch, here computing primes.
#include "bench.h"

enum op { PUSH, LOAD, STORE, ADD, SUB, MUL, REM, LT, JZ, JMP, OUT, HALT };

// for n in 2..limit: for d in 2..n-1: if n % d == 0 break; if none: out n
static const int16_t program[] = {
    PUSH, 2, STORE, 0,                                        // 0: n = 2
    LOAD, 0, PUSH, 120, LT, JZ, 56,                           // 4: while n < 120
    PUSH, 2, STORE, 1,                                        // 11: d = 2
    LOAD, 1, LOAD, 1, MUL, LOAD, 0, PUSH, 1, ADD, LT, JZ, 44, // 15: while d * d < n + 1
    LOAD, 0, LOAD, 1, REM, JZ, 47,                            // 28: if n % d == 0 skip
    LOAD, 1, PUSH, 1, ADD, STORE, 1, JMP, 15,                 // 35: d++
    LOAD, 0, OUT,                                             // 44: prime
    LOAD, 0, PUSH, 1, ADD, STORE, 0, JMP, 4,                  // 47: n++
    HALT,                                                     // 56
};

static uint32_t run(const int16_t *code)
{
    int32_t stack[16], var[4] = {0}, *sp = stack;
    uint32_t sum = 2166136261u;
    for (const int16_t *pc = code;;) {
        switch ((enum op)*pc++) {
        case PUSH: *sp++ = *pc++; break;
        case LOAD: *sp++ = var[*pc++]; break;
        case STORE: var[*pc++] = *--sp; break;
        case ADD: sp--; sp[-1] += *sp; break;
        case SUB: sp--; sp[-1] -= *sp; break;
        case MUL: sp--; sp[-1] *= *sp; break;
        case REM: sp--; sp[-1] %= *sp; break;
        case LT: sp--; sp[-1] = sp[-1] < *sp; break;
        case JZ: pc = *--sp ? pc + 1 : code + *pc; break;
        case JMP: pc = code + *pc; break;
        case OUT: sum = mix(sum, (uint32_t)*--sp); break;
        default: return sum;
        }
    }
}

uint32_t bench(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < 5; i++)
        sum += run(program);
    return sum;
}
