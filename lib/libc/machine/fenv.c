// SPDX-License-Identifier: BSD-2-Clause
// <fenv.h> and <ieeefp.h> over CSTATE (docs/target.md 4). The flags are sticky bits that FP instructions only ever set,
// so setting a flag is all that "raising" it means.
#define _GNU_SOURCE         // feenableexcept, <ieeefp.h>
#include <fenv.h>
#include <ieeefp.h>

#define FE_BITS_SHIFT   16
#define FLAGS           FE_ALL_EXCEPT
#define ROUND_SHIFT     5
#define ROUND_MASK      (7u << ROUND_SHIFT)

fenv_t _fe_dfl_env = FE_TONEAREST << ROUND_SHIFT;

static unsigned long cstate(void) {
    unsigned long v;
    __asm__ volatile("ssrget 0x0020, ->%0" : "=r"(v) : : "memory");
    return v;
}
static fenv_t env_get(void) { return (cstate() >> FE_BITS_SHIFT) & 0xff; }
// Other bits of CSTATE belong to the ring and ignore writes of a task.
static void env_set(fenv_t env) {
    unsigned long v = (cstate() & ~(0xffUL << FE_BITS_SHIFT)) | (unsigned long)(env & 0xff) << FE_BITS_SHIFT;
    __asm__ volatile("ssrset %0, 0x0020" : : "r"(v) : "memory");
}

int feclearexcept(int excepts) {
    env_set(env_get() & ~(fenv_t)(excepts & FLAGS));
    return 0;
}
int fegetexceptflag(fexcept_t *flagp, int excepts) {
    *flagp = env_get() & (fenv_t)(excepts & FLAGS);
    return 0;
}
int feraiseexcept(int excepts) {
    env_set(env_get() | (fenv_t)(excepts & FLAGS));
    return 0;
}
int fesetexcept(int excepts) { return feraiseexcept(excepts); }
int fesetexceptflag(const fexcept_t *flagp, int excepts) {
    fenv_t mask = (fenv_t)(excepts & FLAGS);
    env_set((env_get() & ~mask) | (*flagp & mask));
    return 0;
}
int fetestexcept(int excepts) { return (int)(env_get() & (fenv_t)(excepts & FLAGS)); }

int fegetround(void) { return (int)(env_get() >> ROUND_SHIFT); }
int fesetround(int mode) {
    if (mode < FE_TONEAREST || mode > FE_UPWARD)
        return 1;
    env_set((env_get() & ~ROUND_MASK) | (fenv_t)mode << ROUND_SHIFT);
    return 0;
}

int fegetenv(fenv_t *envp) {
    *envp = env_get();
    return 0;
}
int fesetenv(const fenv_t *envp) {
    env_set(*envp);
    return 0;
}
int feholdexcept(fenv_t *envp) {
    *envp = env_get();
    env_set(*envp & ~(fenv_t)FLAGS);
    return 0;
}
int feupdateenv(const fenv_t *envp) {
    env_set(*envp | (env_get() & FLAGS));
    return 0;
}

// No exception can be made to trap: enabling one fails (-1 as glibc says), disabling is always done already.
int feenableexcept(int excepts) { return (excepts & FLAGS) != 0 ? -1 : 0; }
int fedisableexcept(int excepts) { return (void)excepts, 0; }
int fegetexcept(void) { return 0; }

// ---- <ieeefp.h> -----------------------------------------------------------------------------------------------------
static const unsigned char rnd_of_mode[4] = {FP_RN, FP_RZ, FP_RM, FP_RP};
static const struct { unsigned char x, fe; } flag_names[5] = {
    {FP_X_INV, FE_INVALID}, {FP_X_DX, FE_DIVBYZERO}, {FP_X_OFL, FE_OVERFLOW}, {FP_X_UFL, FE_UNDERFLOW},
    {FP_X_IMP, FE_INEXACT},
};

fp_rnd fpgetround(void) { return (fp_rnd)rnd_of_mode[fegetround() & 3]; }
fp_rnd fpsetround(fp_rnd rnd) {
    fp_rnd old = fpgetround();
    for (int mode = 0; mode < 4; mode++)
        if (rnd_of_mode[mode] == (unsigned char)rnd)
            fesetround(mode);
    return old;
}
fp_except fpgetsticky(void) {
    fp_except x = 0;
    fenv_t env = env_get();
    for (int i = 0; i < 5; i++)
        if (env & flag_names[i].fe)
            x |= flag_names[i].x;
    return x;
}
fp_except fpsetsticky(fp_except sticky) {
    fp_except old = fpgetsticky();
    fenv_t env = env_get() & ~(fenv_t)FLAGS;
    for (int i = 0; i < 5; i++)
        if (sticky & flag_names[i].x)
            env |= flag_names[i].fe;
    env_set(env);
    return old;
}
fp_except fpgetmask(void) { return 0; }
fp_except fpsetmask(fp_except mask) { return (void)mask, 0; }
fp_rdi fpgetroundtoi(void) { return FP_RDI_TOZ; }
fp_rdi fpsetroundtoi(fp_rdi rdi) { return (void)rdi, FP_RDI_TOZ; }
