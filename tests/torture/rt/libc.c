// SPDX-License-Identifier: BSD-2-Clause
// What test programs expect of a C library, and nothing more: start and end of the program, memory, strings,
// formatted output to the board's UART.
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FINISHER ((volatile uint32_t *)0x00100000) // docs/target.md, board
#define UART ((volatile uint8_t *)0x10000000)

int main(int, char **);
__attribute__((noreturn)) void exit(int);

// ---- start and end

extern char __tls_start[], __tls_image_end[], __heap_start[], __heap_end[];
extern void (*__init_start[])(void), (*__init_end[])(void);
static _Alignas(64) char tls_block[4096];

__attribute__((noreturn)) void torture_start(void) {
    // One thread: its block is the image as loaded, then zeros.
    for (char *p = __tls_start, *q = tls_block; p < __tls_image_end;) *q++ = *p++;
    __asm__ volatile("ssrset %0, 0x0000" : : "r"(tls_block));
    for (void (**f)(void) = __init_start; f < __init_end; f++) (*f)();
    static char *argv[] = {"test", NULL};
    exit(main(1, argv));
}

static void (*at_exit[32])(void);
static int at_exit_count;
int atexit(void (*f)(void)) {
    if (at_exit_count == 32) return -1;
    at_exit[at_exit_count++] = f;
    return 0;
}
__attribute__((noreturn)) void _exit(int status) {
    for (;;) *FINISHER = status == 0 ? 0x5555 : 0x3333 | (uint32_t)(status & 0xffff) << 16;
}
void exit(int status) {
    while (at_exit_count) at_exit[--at_exit_count]();
    _exit(status & 0xff);
}
__attribute__((noreturn)) void abort(void) { _exit(134); }
__attribute__((noreturn)) void __assert_fail(const char *what, const char *file, unsigned line, const char *f) {
    (void)what, (void)file, (void)line, (void)f;
    abort();
}

// ---- memory: never given back

static char *heap;
void *malloc(size_t n) {
    if (!heap) heap = __heap_start;
    if (n > (size_t)(__heap_end - heap) - 32) return NULL;
    size_t *block = (size_t *)heap;
    heap += (n + 16 + 15) & ~(size_t)15;
    block[0] = n;
    return block + 2;
}
void free(void *p) { (void)p; }
void *memset(void *, int, size_t);
void *memcpy(void *restrict, const void *restrict, size_t);
int memcmp(const void *, const void *, size_t);
void *calloc(size_t a, size_t b) {
    void *p = malloc(a * b);
    return p ? memset(p, 0, a * b) : NULL;
}
void *realloc(void *old, size_t n) {
    void *p = malloc(n);
    if (p && old) memcpy(p, old, ((size_t *)old)[-2] < n ? ((size_t *)old)[-2] : n);
    return p;
}

// ---- strings

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}
size_t strnlen(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}
int strcmp(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
    return 0;
}
char *stpcpy(char *d, const char *s) {
    while ((*d = *s++)) d++;
    return d;
}
char *strcpy(char *d, const char *s) { stpcpy(d, s); return d; }
char *stpncpy(char *d, const char *s, size_t n) {
    size_t i = 0;
    for (; i < n && s[i]; i++) d[i] = s[i];
    char *end = d + i;
    for (; i < n; i++) d[i] = 0;
    return end;
}
char *strncpy(char *d, const char *s, size_t n) { stpncpy(d, s, n); return d; }
char *strcat(char *d, const char *s) { stpcpy(d + strlen(d), s); return d; }
char *strncat(char *d, const char *s, size_t n) {
    char *e = d + strlen(d);
    while (n-- && *s) *e++ = *s++;
    *e = 0;
    return d;
}
char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return NULL;
    }
}
char *index(const char *s, int c) { return strchr(s, c); }
char *strrchr(const char *s, int c) {
    const char *last = NULL;
    do
        if (*s == (char)c) last = s;
    while (*s++);
    return (char *)last;
}
char *rindex(const char *s, int c) { return strrchr(s, c); }
void *memchr(const void *s, int c, size_t n) {
    for (const unsigned char *p = s; n; n--, p++)
        if (*p == (unsigned char)c) return (void *)p;
    return NULL;
}
void *mempcpy(void *d, const void *s, size_t n) { return (char *)memcpy(d, s, n) + n; }
void bzero(void *d, size_t n) { memset(d, 0, n); }
char *strstr(const char *s, const char *w) {
    size_t n = strlen(w);
    for (;; s++) {
        if (!strncmp(s, w, n)) return (char *)s;
        if (!*s) return NULL;
    }
}
size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && strchr(set, s[n])) n++;
    return n;
}
size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !strchr(set, s[n])) n++;
    return n;
}
char *strpbrk(const char *s, const char *set) {
    s += strcspn(s, set);
    return *s ? (char *)s : NULL;
}
char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *d = malloc(n);
    return d ? memcpy(d, s, n) : NULL;
}
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isprint(int c) { return c >= ' ' && c < 127; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int abs(int v) { return v < 0 ? -v : v; }
long labs(long v) { return v < 0 ? -v : v; }
long long llabs(long long v) { return v < 0 ? -v : v; }
long atol(const char *s) {
    bool minus = *s == '-';
    long v = 0;
    for (s += minus; isdigit(*s); s++) v = v * 10 + (*s - '0');
    return minus ? -v : v;
}
int atoi(const char *s) { return (int)atol(s); }
static unsigned long random_state = 1;
int rand(void) { return (int)((random_state = random_state * 6364136223846793005 + 1442695040888963407) >> 33); }
void srand(unsigned s) { random_state = s; }

// ---- output

typedef struct { char *to, *end; bool uart; int count; } sink;
static void put(sink *k, char c) {
    k->count++;
    if (k->uart) *UART = (uint8_t)c;
    else if (k->to < k->end) *k->to++ = c;
}
static void pad(sink *k, char c, int n) { while (n-- > 0) put(k, c); }

static int format(sink *k, const char *f, va_list ap) {
    for (; *f; f++) {
        if (*f != '%') {
            put(k, *f);
            continue;
        }
        bool left = false, zero = false, plus = false, space = false, alt = false;
        for (f++;; f++) {
            if (*f == '-') left = true;
            else if (*f == '0') zero = true;
            else if (*f == '+') plus = true;
            else if (*f == ' ') space = true;
            else if (*f == '#') alt = true;
            else break;
        }
        int width = 0, precision = -1, size = 4;
        if (*f == '*') {
            width = va_arg(ap, int);
            if (width < 0) left = true, width = -width;
            f++;
        } else
            while (isdigit(*f)) width = width * 10 + (*f++ - '0');
        if (*f == '.') {
            f++;
            precision = 0;
            if (*f == '*') precision = va_arg(ap, int), f++;
            else
                while (isdigit(*f)) precision = precision * 10 + (*f++ - '0');
        }
        for (;; f++) {
            if (*f == 'h') size /= 2;
            else if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't' || *f == 'L') size = 8;
            else break;
        }
        char text[400];
        const char *body = text, *prefix = "";
        int n = 0;
        switch (*f) {
        case 'c':
            text[n++] = (char)va_arg(ap, int);
            break;
        case 's':
            body = va_arg(ap, const char *);
            if (!body) body = "(null)";
            n = (int)(precision >= 0 ? strnlen(body, (size_t)precision) : strlen(body));
            zero = false;
            break;
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': {
            unsigned base = *f == 'o' ? 8 : *f == 'x' || *f == 'X' || *f == 'p' ? 16 : 10;
            const char *digit = *f == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
            uint64_t v;
            if (*f == 'p') v = (uintptr_t)va_arg(ap, void *), alt = true;
            else if (*f == 'd' || *f == 'i') {
                int64_t s = size == 8 ? va_arg(ap, long) : va_arg(ap, int);
                if (size == 2) s = (short)s;
                if (size == 1) s = (signed char)s;
                prefix = s < 0 ? "-" : plus ? "+" : space ? " " : "";
                v = s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
            } else {
                v = size == 8 ? va_arg(ap, unsigned long) : va_arg(ap, unsigned);
                if (size == 2) v = (unsigned short)v;
                if (size == 1) v = (unsigned char)v;
            }
            if (alt && base == 16 && v) prefix = *f == 'X' ? "0X" : "0x";
            char *end = text + sizeof text, *p = end;
            for (; v; v /= base) *--p = digit[v % base];
            while (end - p < (precision < 0 ? 1 : precision)) *--p = '0';
            if (alt && base == 8 && (p == end || *p != '0')) *--p = '0';
            body = p;
            n = (int)(end - p);
            if (precision >= 0) zero = false;
            break;
        }
        case 'f': { // exact to 18 significant digits, which is all that tests print
            double v = va_arg(ap, double);
            prefix = v < 0 ? "-" : plus ? "+" : space ? " " : "";
            if (v < 0) v = -v;
            if (precision < 0) precision = 6;
            double unit = 0.5;
            for (int i = 0; i < precision; i++) unit /= 10;
            v += unit;
            uint64_t whole = (uint64_t)v;
            v -= (double)whole;
            char digits[24];
            int m = 0;
            do digits[m++] = (char)('0' + whole % 10);
            while (whole /= 10);
            while (m) text[n++] = digits[--m];
            if (precision) text[n++] = '.';
            for (int i = 0; i < precision; i++) {
                v *= 10;
                text[n++] = (char)('0' + (int)v);
                v -= (int)v;
            }
            break;
        }
        case 'n': *va_arg(ap, int *) = k->count; continue;
        default: text[n++] = *f;
        }
        int fill = width - n - (int)strlen(prefix);
        if (!left && !zero) pad(k, ' ', fill);
        for (; *prefix; prefix++) put(k, *prefix);
        if (!left && zero) pad(k, '0', fill);
        for (int i = 0; i < n; i++) put(k, body[i]);
        if (left) pad(k, ' ', fill);
    }
    if (!k->uart && k->end) *(k->to < k->end ? k->to : k->end) = 0;
    return k->count;
}

int vprintf(const char *f, va_list ap) { return format(&(sink){.uart = true}, f, ap); }
int vsnprintf(char *to, size_t n, const char *f, va_list ap) {
    return format(&(sink){.to = to, .end = n ? to + n - 1 : NULL}, f, ap);
}
int vsprintf(char *to, const char *f, va_list ap) { return vsnprintf(to, 1 << 30, f, ap); }
#define CALL(result, ...)            \
    va_list ap;                      \
    va_start(ap, f);                 \
    int result = __VA_ARGS__;        \
    va_end(ap);                      \
    return result
int printf(const char *f, ...) { CALL(r, vprintf(f, ap)); }
int sprintf(char *to, const char *f, ...) { CALL(r, vsprintf(to, f, ap)); }
int snprintf(char *to, size_t n, const char *f, ...) { CALL(r, vsnprintf(to, n, f, ap)); }
int putchar(int c) { *UART = (uint8_t)c; return c; }
int puts(const char *s) {
    while (*s) *UART = (uint8_t)*s++;
    *UART = '\n';
    return 1;
}

// ---- mathematics: exact operations only

double fabs(double v) { return __builtin_fabs(v); }
float fabsf(float v) { return __builtin_fabsf(v); }
double copysign(double a, double b) { return __builtin_copysign(a, b); }
float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
long double fabsl(long double v) { return __builtin_fabs((double)v); }
long double copysignl(long double a, long double b) { return __builtin_copysign((double)a, (double)b); }
double scalbn(double v, int n) {
    for (; n > 0 && v - v == 0 && v != 0; n--) v *= 2;
    for (; n < 0 && v != 0; n++) v /= 2;
    return v;
}
long double scalbnl(long double v, int n) { return scalbn((double)v, n); }
long double ldexpl(long double v, int n) { return scalbn((double)v, n); }
double ldexp(double v, int n) { return scalbn(v, n); }
int ilogb(double v) { // finite and not 0; else the usual extremes
    int n = 0;
    if (v == 0) return -__INT_MAX__;
    if (v - v != 0) return __INT_MAX__;
    for (v = __builtin_fabs(v); v >= 2; v /= 2) n++;
    for (; v < 1; v *= 2) n--;
    return n;
}
int ilogbl(long double v) { return ilogb((double)v); }
double fmax(double a, double b) { return a != a ? b : b != b ? a : a > b ? a : b; }
double fmin(double a, double b) { return a != a ? b : b != b ? a : a < b ? a : b; }
long double fmaxl(long double a, long double b) { return fmax((double)a, (double)b); }
long double fminl(long double a, long double b) { return fmin((double)a, (double)b); }
int ilogbf(float v) { return ilogb(v); }
float fmaxf(float a, float b) { return (float)fmax(a, b); }
float fminf(float a, float b) { return (float)fmin(a, b); }
double floor(double v) {
    if (!(v > -0x1p52 && v < 0x1p52)) return v; // whole already, or NaN
    double w = (double)(long)v;
    return copysign(w > v ? w - 1 : w, v);
}
float floorf(float v) { return (float)floor(v); }
double sqrt(double v) { return __builtin_elementwise_sqrt(v); }
double sin(double v) { // to about 1e-15 for the small arguments of tests
    double term = v, sum = v;
    for (int n = 2; n < 30; n += 2) {
        term *= -v * v / (n * (n + 1));
        if (term == 0) break;
        sum += term;
    }
    return sum;
}
