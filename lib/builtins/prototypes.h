// SPDX-License-Identifier: BSD-2-Clause
// Every function of the library. Included by builtins.h.

// The generic atomic calls have names that the compiler keeps for itself: they get theirs by a label.
#ifdef BUILTINS_TEST
#define G(name) t_##name
#define LABEL(name)
#else
#define G(name) linx_##name
#define LABEL(name) __asm__(#name)
#endif

// int64.c
int32_t FN(__divsi3)(int32_t a, int32_t b);
int32_t FN(__modsi3)(int32_t a, int32_t b);
uint32_t FN(__udivsi3)(uint32_t a, uint32_t b);
uint32_t FN(__umodsi3)(uint32_t a, uint32_t b);
int64_t FN(__divdi3)(int64_t a, int64_t b);
int64_t FN(__moddi3)(int64_t a, int64_t b);
uint64_t FN(__udivdi3)(uint64_t a, uint64_t b);
uint64_t FN(__umoddi3)(uint64_t a, uint64_t b);
int32_t FN(__divmodsi4)(int32_t a, int32_t b, int32_t *rest);
uint32_t FN(__udivmodsi4)(uint32_t a, uint32_t b, uint32_t *rest);
int64_t FN(__divmoddi4)(int64_t a, int64_t b, int64_t *rest);
uint64_t FN(__udivmoddi4)(uint64_t a, uint64_t b, uint64_t *rest);
int64_t FN(__muldi3)(int64_t a, int64_t b);
int64_t FN(__ashldi3)(int64_t v, int n);
int64_t FN(__ashrdi3)(int64_t v, int n);
int64_t FN(__lshrdi3)(int64_t v, int n);
int64_t FN(__negdi2)(int64_t v);
// int128.c
i128 FN(__multi3)(i128 a, i128 b);
i128 FN(__ashlti3)(i128 v, int n);
i128 FN(__lshrti3)(i128 v, int n);
i128 FN(__ashrti3)(i128 v, int n);
i128 FN(__negti2)(i128 v);
int FN(__ucmpti2)(u128 a, u128 b);
int FN(__cmpti2)(i128 a, i128 b);
u128 FN(__udivmodti4)(u128 a, u128 b, u128 *rest);
u128 FN(__udivti3)(u128 a, u128 b);
u128 FN(__umodti3)(u128 a, u128 b);
i128 FN(__divmodti4)(i128 a, i128 b, i128 *rest);
i128 FN(__divti3)(i128 a, i128 b);
i128 FN(__modti3)(i128 a, i128 b);
i128 FN(__muloti4)(i128 a, i128 b, int *overflow);
// bits.c
int FN(__clzsi2)(uint32_t v);
int FN(__clzdi2)(uint64_t v);
int FN(__clzti2)(u128 v);
int FN(__ctzsi2)(uint32_t v);
int FN(__ctzdi2)(uint64_t v);
int FN(__ctzti2)(u128 v);
int FN(__ffssi2)(uint32_t v);
int FN(__ffsdi2)(uint64_t v);
int FN(__ffsti2)(u128 v);
int FN(__popcountsi2)(uint32_t v);
int FN(__popcountdi2)(uint64_t v);
int FN(__popcountti2)(u128 v);
int FN(__paritysi2)(uint32_t v);
int FN(__paritydi2)(uint64_t v);
int FN(__parityti2)(u128 v);
uint64_t FN(__bswapdi2)(uint64_t v);
uint32_t FN(__bswapsi2)(uint32_t v);
// overflow.c
int32_t FN(__mulosi4)(int32_t a, int32_t b, int *overflow);
int64_t FN(__mulodi4)(int64_t a, int64_t b, int *overflow);
int32_t FN(__addvsi3)(int32_t a, int32_t b);
int32_t FN(__subvsi3)(int32_t a, int32_t b);
int32_t FN(__mulvsi3)(int32_t a, int32_t b);
int32_t FN(__negvsi2)(int32_t a);
int32_t FN(__absvsi2)(int32_t a);
int64_t FN(__addvdi3)(int64_t a, int64_t b);
int64_t FN(__subvdi3)(int64_t a, int64_t b);
int64_t FN(__mulvdi3)(int64_t a, int64_t b);
int64_t FN(__negvdi2)(int64_t a);
int64_t FN(__absvdi2)(int64_t a);
i128 FN(__addvti3)(i128 a, i128 b);
i128 FN(__subvti3)(i128 a, i128 b);
i128 FN(__mulvti3)(i128 a, i128 b);
i128 FN(__negvti2)(i128 a);
i128 FN(__absvti2)(i128 a);
// soft_double.c
double FN(__adddf3)(double a, double b);
double FN(__subdf3)(double a, double b);
double FN(__muldf3)(double a, double b);
double FN(__divdf3)(double a, double b);
double FN(__negdf2)(double a);
int FN(__cmpdf2)(double a, double b);
int FN(__eqdf2)(double a, double b);
int FN(__nedf2)(double a, double b);
int FN(__ltdf2)(double a, double b);
int FN(__ledf2)(double a, double b);
int FN(__gtdf2)(double a, double b);
int FN(__gedf2)(double a, double b);
int FN(__unorddf2)(double a, double b);
int32_t FN(__fixdfsi)(double a);
int64_t FN(__fixdfdi)(double a);
i128 FN(__fixdfti)(double a);
uint32_t FN(__fixunsdfsi)(double a);
uint64_t FN(__fixunsdfdi)(double a);
u128 FN(__fixunsdfti)(double a);
double FN(__floatsidf)(int32_t v);
double FN(__floatdidf)(int64_t v);
double FN(__floattidf)(i128 v);
double FN(__floatunsidf)(uint32_t v);
double FN(__floatundidf)(uint64_t v);
double FN(__floatuntidf)(u128 v);
double FN(__powidf2)(double a, int n);
// soft_single.c
float FN(__addsf3)(float a, float b);
float FN(__subsf3)(float a, float b);
float FN(__mulsf3)(float a, float b);
float FN(__divsf3)(float a, float b);
float FN(__negsf2)(float a);
int FN(__cmpsf2)(float a, float b);
int FN(__eqsf2)(float a, float b);
int FN(__nesf2)(float a, float b);
int FN(__ltsf2)(float a, float b);
int FN(__lesf2)(float a, float b);
int FN(__gtsf2)(float a, float b);
int FN(__gesf2)(float a, float b);
int FN(__unordsf2)(float a, float b);
int32_t FN(__fixsfsi)(float a);
int64_t FN(__fixsfdi)(float a);
i128 FN(__fixsfti)(float a);
uint32_t FN(__fixunssfsi)(float a);
uint64_t FN(__fixunssfdi)(float a);
u128 FN(__fixunssfti)(float a);
float FN(__floatsisf)(int32_t v);
float FN(__floatdisf)(int64_t v);
float FN(__floattisf)(i128 v);
float FN(__floatunsisf)(uint32_t v);
float FN(__floatundisf)(uint64_t v);
float FN(__floatuntisf)(u128 v);
float FN(__powisf2)(float a, int n);
// soft_convert.c
double FN(__extendsfdf2)(float a);
float FN(__truncdfsf2)(double a);
float FN(__extendhfsf2)(uint16_t a);
double FN(__extendhfdf2)(uint16_t a);
uint16_t FN(__truncsfhf2)(float a);
uint16_t FN(__truncdfhf2)(double a);
float FN(__gnu_h2f_ieee)(uint16_t a);
uint16_t FN(__gnu_f2h_ieee)(float a);
float FN(__extendbfsf2)(uint16_t a);
uint16_t FN(__truncsfbf2)(float a);
uint16_t FN(__truncdfbf2)(double a);
// complex_single.c
float _Complex FN(__mulsc3)(float a, float b, float c, float d);
float _Complex FN(__divsc3)(float a, float b, float c, float d);
// complex_double.c
double _Complex FN(__muldc3)(double a, double b, double c, double d);
double _Complex FN(__divdc3)(double a, double b, double c, double d);
// memcpy.c
void *FN(memcpy)(void *restrict to, const void *restrict from, size_t n);
// memmove.c
void *FN(memmove)(void *to, const void *from, size_t n);
// memset.c
void *FN(memset)(void *to, int value, size_t n);
// memcmp.c
int FN(memcmp)(const void *a, const void *b, size_t n);
int FN(bcmp)(const void *a, const void *b, size_t n);
// atomic.c
bool G(__atomic_is_lock_free)(size_t n, const volatile void *p) LABEL(__atomic_is_lock_free);
void G(__atomic_load)(size_t n, const volatile void *from, void *to, int order) LABEL(__atomic_load);
void G(__atomic_store)(size_t n, volatile void *to, void *from, int order) LABEL(__atomic_store);
void G(__atomic_exchange)(size_t n, volatile void *object, void *new, void *old, int order) LABEL(__atomic_exchange);
bool G(__atomic_compare_exchange)(size_t n, volatile void *object, void *expected, void *desired, int success, int failure) LABEL(__atomic_compare_exchange);
u128 FN(__atomic_load_16)(const volatile void *from, int order);
void FN(__atomic_store_16)(volatile void *to, u128 v, int order);
u128 FN(__atomic_exchange_16)(volatile void *object, u128 v, int order);
bool FN(__atomic_compare_exchange_16)(volatile void *object, void *expected, u128 desired, int success, int failure);
u128 FN(__atomic_fetch_add_16)(volatile void *object, u128 v, int order);
u128 FN(__atomic_fetch_sub_16)(volatile void *object, u128 v, int order);
u128 FN(__atomic_fetch_and_16)(volatile void *object, u128 v, int order);
u128 FN(__atomic_fetch_or_16)(volatile void *object, u128 v, int order);
u128 FN(__atomic_fetch_xor_16)(volatile void *object, u128 v, int order);
u128 FN(__atomic_fetch_nand_16)(volatile void *object, u128 v, int order);
uint8_t FN(__atomic_load_1)(const volatile void *p, int o);
void FN(__atomic_store_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_exchange_1)(volatile void *p, uint8_t v, int o);
bool FN(__atomic_compare_exchange_1)(volatile void *p, void *e, uint8_t v, int s, int f);
uint8_t FN(__atomic_fetch_add_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_fetch_sub_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_fetch_and_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_fetch_or_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_fetch_xor_1)(volatile void *p, uint8_t v, int o);
uint8_t FN(__atomic_fetch_nand_1)(volatile void *p, uint8_t v, int o);
uint16_t FN(__atomic_load_2)(const volatile void *p, int o);
void FN(__atomic_store_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_exchange_2)(volatile void *p, uint16_t v, int o);
bool FN(__atomic_compare_exchange_2)(volatile void *p, void *e, uint16_t v, int s, int f);
uint16_t FN(__atomic_fetch_add_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_fetch_sub_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_fetch_and_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_fetch_or_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_fetch_xor_2)(volatile void *p, uint16_t v, int o);
uint16_t FN(__atomic_fetch_nand_2)(volatile void *p, uint16_t v, int o);
uint32_t FN(__atomic_load_4)(const volatile void *p, int o);
void FN(__atomic_store_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_exchange_4)(volatile void *p, uint32_t v, int o);
bool FN(__atomic_compare_exchange_4)(volatile void *p, void *e, uint32_t v, int s, int f);
uint32_t FN(__atomic_fetch_add_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_fetch_sub_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_fetch_and_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_fetch_or_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_fetch_xor_4)(volatile void *p, uint32_t v, int o);
uint32_t FN(__atomic_fetch_nand_4)(volatile void *p, uint32_t v, int o);
uint64_t FN(__atomic_load_8)(const volatile void *p, int o);
void FN(__atomic_store_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_exchange_8)(volatile void *p, uint64_t v, int o);
bool FN(__atomic_compare_exchange_8)(volatile void *p, void *e, uint64_t v, int s, int f);
uint64_t FN(__atomic_fetch_add_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_fetch_sub_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_fetch_and_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_fetch_or_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_fetch_xor_8)(volatile void *p, uint64_t v, int o);
uint64_t FN(__atomic_fetch_nand_8)(volatile void *p, uint64_t v, int o);
