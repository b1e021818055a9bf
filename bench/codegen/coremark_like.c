// SPDX-License-Identifier: BSD-2-Clause
// The mix of CoreMark in code of our own: a linked list that is searched, reversed and sorted, small
// matrices, a state machine over text, and a CRC over all results.
#include "bench.h"

struct node {
    struct node *next;
    int16_t key, value;
};

enum { NODES = 64, N = 10, TEXT = 256 };
static struct node pool[NODES];
static int16_t ma[N][N], mb[N][N];
static int32_t mc[N][N];
static char text[TEXT + 1];

static uint16_t crc16(uint16_t crc, uint16_t v)
{
    for (int i = 0; i < 16; i++) {
        unsigned bit = (v ^ crc) & 1;
        v >>= 1;
        crc >>= 1;
        if (bit)
            crc ^= 0xa001;
    }
    return crc;
}

static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}

static struct node *find(struct node *l, int16_t key)
{
    while (l && l->key != key)
        l = l->next;
    return l;
}

static int by_key(const struct node *a, const struct node *b) { return a->key - b->key; }
static int by_value(const struct node *a, const struct node *b) { return a->value - b->value; }

static struct node *merge_sort(struct node *l, int (*less)(const struct node *, const struct node *))
{
    for (int size = 1;; size *= 2) {
        struct node *p = l, *tail = NULL;
        int merges = 0;
        l = NULL;
        while (p) {
            struct node *q = p;
            int np = 0, nq = size;
            merges++;
            while (np < size && q) {
                np++;
                q = q->next;
            }
            while (np || (nq && q)) {
                struct node *e;
                if (np && (!nq || !q || less(p, q) <= 0)) {
                    e = p;
                    p = p->next;
                    np--;
                } else {
                    e = q;
                    q = q->next;
                    nq--;
                }
                if (tail)
                    tail->next = e;
                else
                    l = e;
                tail = e;
            }
            p = q;
        }
        tail->next = NULL;
        if (merges <= 1)
            return l;
    }
}

static uint32_t matrices(int16_t scale)
{
    uint32_t sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ma[i][j] = (int16_t)(ma[i][j] + scale);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t s = 0;
            for (int k = 0; k < N; k++)
                s += (int32_t)ma[i][k] * mb[k][j];
            mc[i][j] = s;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += (uint32_t)(mc[i][j] >> 2 & 15) * (uint32_t)(mc[i][j] >> 5 & 127);
    return sum;
}

enum state { START, INT, FLOAT, EXP, SIGN, INVALID, STATES };

static enum state scan(const char **in, uint32_t *count)
{
    enum state s = START;
    const char *p = *in;
    for (; *p && s != INVALID; p++) {
        char c = *p;
        if (c == ',') {
            p++;
            break;
        }
        switch (s) {
        case START:
            if (c >= '0' && c <= '9')
                s = INT;
            else if (c == '+' || c == '-')
                s = SIGN;
            else if (c == '.')
                s = FLOAT;
            else
                s = INVALID;
            break;
        case SIGN:
            s = c >= '0' && c <= '9' ? INT : c == '.' ? FLOAT : INVALID;
            break;
        case INT:
            if (c == '.')
                s = FLOAT;
            else if (!(c >= '0' && c <= '9'))
                s = INVALID;
            break;
        case FLOAT:
            if (c == 'e' || c == 'E')
                s = EXP;
            else if (!(c >= '0' && c <= '9'))
                s = INVALID;
            break;
        case EXP:
            if (!(c >= '0' && c <= '9') && c != '-')
                s = INVALID;
            break;
        default:
            break;
        }
        count[s]++;
    }
    *in = p;
    return s;
}

uint32_t bench(void)
{
    uint32_t seed = 1, sum = 2166136261u;
    uint16_t crc = 0;
    static const char *const words[] = {"5012,", "-874,", "+122,", "35.54400,", ".1234500,",
                                        "5.500e+3,", "-.123e-2,", "T0.3e-1F,", "1T3.4e4z,"};
    char *t = text;
    while (t - text < TEXT - 10)
        for (const char *w = words[next_random(&seed) >> 16 & 7]; *w; w++)
            *t++ = *w;
    *t = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            ma[i][j] = (int16_t)(next_random(&seed) >> 20);
            mb[i][j] = (int16_t)(next_random(&seed) >> 20);
        }
    struct node *list = NULL;
    for (int i = 0; i < NODES; i++) {
        pool[i].key = (int16_t)(next_random(&seed) >> 18);
        pool[i].value = (int16_t)i;
        pool[i].next = list;
        list = &pool[i];
    }
    for (int round = 0; round < 8; round++) {
        list = merge_sort(list, round & 1 ? by_value : by_key);
        for (int i = 0; i < NODES; i += 4) {
            struct node *n = find(list, pool[i].key);
            crc = crc16(crc, (uint16_t)n->value);
        }
        list = reverse(list);
        sum = mix(sum, matrices((int16_t)(round - 3)));
        uint32_t count[STATES] = {0};
        for (const char *p = text; *p;)
            crc = crc16(crc, (uint16_t)scan(&p, count));
        for (int i = 0; i < STATES; i++)
            crc = crc16(crc, (uint16_t)count[i]);
        sum = mix(sum, crc);
    }
    return sum;
}
