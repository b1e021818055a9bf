// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>

#include "lib/format.h"
#include "linx/rt.h"

#define LINE 128

struct line {
    int used;
    char bytes[LINE];
};

static void send(struct line *l) {
    for (int64_t at = 0; at < l->used;) {
        int64_t n = linx_console_write(l->bytes + at, (size_t)(l->used - at));
        if (n < 0)
            break;
        at += n;
    }
    l->used = 0;
}

static void put(void *where, char c) {
    struct line *l = where;
    l->bytes[l->used++] = c;
    if (l->used == LINE)
        send(l);
}

int linx_printf(const char *fmt, ...) {
    struct line l;
    va_list args;
    l.used = 0;
    va_start(args, fmt);
    int n = format(put, &l, fmt, args);
    va_end(args);
    send(&l);
    return n;
}
