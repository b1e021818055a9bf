// SPDX-License-Identifier: BSD-2-Clause
// Text: words counted in a hash table, decimal output and input, substring search.
#include "bench.h"

enum { SLOTS = 128, TEXT = 3000 };
struct word {
    char name[12];
    unsigned count;
};
static struct word slots[SLOTS];
static char text[TEXT + 16];

static uint32_t hash(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h;
}

static struct word *lookup(const char *s, size_t n)
{
    for (uint32_t h = hash(s, n);; h++) {
        struct word *w = &slots[h % SLOTS];
        if (!w->count) {
            memcpy(w->name, s, n);
            w->name[n] = 0;
            return w;
        }
        if (strlen(w->name) == n && !memcmp(w->name, s, n))
            return w;
    }
}

static char *decimal(char *p, uint32_t v)
{
    char tmp[12];
    int n = 0;
    do {
        tmp[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        *p++ = tmp[--n];
    return p;
}

static int search(const char *where, const char *what)
{
    int found = 0;
    for (; *where; where++) {
        const char *p = where, *q = what;
        while (*q && *p == *q)
            p++, q++;
        found += !*q;
    }
    return found;
}

uint32_t bench(void)
{
    uint32_t seed = 5, sum = 2166136261u;
    char *p = text;
    while (p - text < TEXT) {
        p = decimal(p, next_random(&seed) >> 26);
        *p++ = ' ';
    }
    *p = 0;
    for (const char *s = text; *s;) {
        const char *e = s;
        while (*e != ' ')
            e++;
        lookup(s, (size_t)(e - s))->count++;
        s = e + 1;
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].count)
            sum = mix(sum, slots[i].count + (uint32_t)slots[i].name[0]);
    sum = mix(sum, (uint32_t)search(text, "1 2"));
    return mix(sum, (uint32_t)search(text, "55 "));
}
