// SPDX-License-Identifier: BSD-2-Clause
#include "lib/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out {
    format_put *put;
    void *where;
    int count;
};

// Not inlined: the one place that calls through a pointer (scripts/check-trap-path.py names it).
__attribute__((noinline)) static void emit(struct out *o, char c) {
    o->put(o->where, c);
    o->count++;
}

static void pad(struct out *o, char c, int n) {
    while (n-- > 0)
        emit(o, c);
}

static void text(struct out *o, const char *s, int n, int width, bool left) {
    pad(o, ' ', left ? 0 : width - n);
    for (int i = 0; i < n; i++)
        emit(o, s[i]);
    pad(o, ' ', left ? width - n : 0);
}

static void number(struct out *o, uint64_t v, bool negative, unsigned base, bool upper, int width, bool left, bool zero) {
    char digits[20];
    int n = 0;
    do {
        unsigned d = (unsigned)(v % base);
        digits[n++] = (char)(d < 10 ? '0' + d : (upper ? 'A' : 'a') + d - 10);
        v /= base;
    } while (v != 0);
    int fill = width - n - negative;
    pad(o, ' ', left || zero ? 0 : fill);
    if (negative)
        emit(o, '-');
    pad(o, '0', zero && !left ? fill : 0);
    while (n > 0)
        emit(o, digits[--n]);
    pad(o, ' ', left ? fill : 0);
}

int format(format_put *put, void *where, const char *fmt, va_list args) {
    struct out o = { put, where, 0 };
    for (; *fmt != 0; fmt++) {
        if (*fmt != '%') {
            emit(&o, *fmt);
            continue;
        }
        bool left = false, zero = false;
        int width = 0, precision = -1, size = 4;
        for (fmt++; *fmt == '-' || *fmt == '0'; fmt++)
            *fmt == '-' ? (left = true) : (zero = true);
        if (*fmt == '*') {
            width = va_arg(args, int);
            fmt++;
        } else {
            for (; *fmt >= '0' && *fmt <= '9'; fmt++)
                width = 10 * width + *fmt - '0';
        }
        if (*fmt == '.' && fmt[1] == '*') {
            precision = va_arg(args, int);
            fmt += 2;
        } else if (*fmt == '.')
            for (fmt++, precision = 0; *fmt >= '0' && *fmt <= '9'; fmt++)
                precision = 10 * precision + *fmt - '0';
        for (; *fmt == 'l' || *fmt == 'h' || *fmt == 'z'; fmt++)
            size = *fmt == 'h' ? size / 2 : 8;
        switch (*fmt) {
        case 'd': case 'i': {
            int64_t v = size == 8 ? va_arg(args, int64_t) : va_arg(args, int);
            v = size == 2 ? (int16_t)v : size == 1 ? (int8_t)v : v;
            number(&o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0, 10, false, width, left, zero);
            break;
        }
        case 'u': case 'x': case 'X': {
            uint64_t v = size == 8 ? va_arg(args, uint64_t) : va_arg(args, unsigned);
            v = size == 2 ? (uint16_t)v : size == 1 ? (uint8_t)v : v;
            number(&o, v, false, *fmt == 'u' ? 10 : 16, *fmt == 'X', width, left, zero);
            break;
        }
        case 'p':
            emit(&o, '0');
            emit(&o, 'x');
            number(&o, (uint64_t)(uintptr_t)va_arg(args, void *), false, 16, false, width - 2, left, true);
            break;
        case 'c': {
            char c = (char)va_arg(args, int);
            text(&o, &c, 1, width, left);
            break;
        }
        case 's': {
            const char *s = va_arg(args, const char *);
            int n = 0;
            while (n != precision && s[n] != 0)
                n++;
            text(&o, s, n, width, left);
            break;
        }
        case '%':
            emit(&o, '%');
            break;
        default:                // an unknown conversion shows itself
            emit(&o, '%');
            if (*fmt == 0)
                return o.count;
            emit(&o, *fmt);
        }
    }
    return o.count;
}
