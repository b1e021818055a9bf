// SPDX-License-Identifier: BSD-2-Clause
// The mix of Dhrystone in code of our own: records copied and linked, strings copied and compared,
// small procedures that must not be inlined.
#include "bench.h"
#define NOINLINE __attribute__((noinline))

enum color { RED, GREEN, BLUE, WHITE, BLACK };
struct record {
    struct record *link;
    enum color color, second;
    int number;
    char name[31];
};

static struct record first, second;
static int global_int, table[50], square[50][50];
static char global_char;
static int global_bool;

NOINLINE static int add_two(int a, int b, int *sum)
{
    *sum = a + b + 2;
    return *sum;
}

NOINLINE static enum color choose(enum color c)
{
    switch (c) {
    case RED: return global_int > 100 ? RED : BLACK;
    case GREEN: return BLUE;
    case BLUE: return GREEN;
    case WHITE: return WHITE;
    default: return RED;
    }
}

NOINLINE static int same_first(char a, char b)
{
    char c = a;
    if (c != b)
        return 0;
    global_char = c;
    return 1;
}

NOINLINE static int compare(const char *a, const char *b)
{
    int i = 2;
    char c = 0;
    while (i <= 2)
        if (!same_first(a[i], b[i + 1])) {
            c = 'A';
            i++;
        }
    if (c >= 'W' && c < 'Z')
        i = 7;
    if (c == 'R')
        return 1;
    if (strcmp(a, b) > 0) {
        global_int = i + 7;
        return 1;
    }
    return 0;
}

NOINLINE static void copy_record(struct record *r)
{
    struct record *next = r->link;
    *r->link = first;
    r->number = 5;
    next->number = r->number;
    next->link = r->link;
    if (next->color == RED) {
        next->number = 6;
        next->second = choose(r->second);
        next->link = first.link;
        add_two(next->number, 10, &next->number);
    } else {
        *r = *r->link;
    }
}

NOINLINE static void arrays(int *one, int (*two)[50], int i, int v)
{
    int k = i + 5;
    one[k] = v;
    one[k + 1] = one[k];
    one[k + 30] = k;
    for (int j = k; j <= k + 1; j++)
        two[k][j] = k;
    two[k][k - 1]++;
    two[k + 20][k] = one[k];
    global_int = 5;
}

uint32_t bench(void)
{
    char a[31], b[31];
    uint32_t sum = 2166136261u;
    first.link = &second;
    first.color = RED;
    first.second = GREEN;
    first.number = 40;
    strcpy(first.name, "A RECORD WITH SOME TEXT IN IT");
    strcpy(a, "THE FIRST STRING OF THE BENCH");
    for (int run = 1; run <= 300; run++) {
        int i = 2, j = 3, k = 0;
        global_bool = same_first('A', 'B');
        strcpy(b, "THE SECOND STRING OF THE BENCH");
        enum color c = compare(a, b) ? GREEN : WHITE;
        while (i < j) {
            k = 5 * i - j;
            add_two(i, j, &k);
            i++;
        }
        arrays(table, square, i, k);
        copy_record(&first);
        for (char ch = 'A'; ch <= 'C'; ch++)
            if (same_first(ch, 'C'))
                c = choose(c);
        j = i * k;
        i = j / (k | 1);
        j = 7 * (j - k) - i;
        sum = mix(sum, (uint32_t)(i + j + k + (int)c + global_int + first.number + second.number));
    }
    return sum;
}
