// SPDX-License-Identifier: BSD-2-Clause
// An integer mix like CoreMark's: a linked list (search, reverse, sort), small matrices, a state machine over text, and
// a CRC that everything runs into. Every PE runs its own copy; PE 0 prints what the benchmark script reads.
#ifndef ROUNDS
#define ROUNDS 6000
#endif
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

enum { NODES = 64, N = 12, TEXT = 512, MAX_PES = 64 };
struct node { struct node *next; short key, data; };
struct work {
    struct node node[NODES];
    short a[N][N], b[N][N];
    int c[N][N];
    u8 text[TEXT];
};
static struct work works[MAX_PES];
static volatile u32 finished;

static u16 crc16(u16 crc, u32 v, int bits)
{
    for (int i = 0; i < bits; i++) {
        u32 x = (v ^ crc) & 1;
        v >>= 1;
        crc >>= 1;
        if (x) crc ^= 0xa001;
    }
    return crc;
}

static struct node *list_reverse(struct node *l)
{
    struct node *r = 0;
    while (l) {
        struct node *next = l->next;
        l->next = r;
        r = l;
        l = next;
    }
    return r;
}

static struct node *list_find(struct node *l, short key)
{
    while (l && l->key != key) l = l->next;
    return l;
}

static struct node *list_merge(struct node *a, struct node *b)
{
    struct node head, *t = &head;
    while (a && b) {
        struct node **least = a->key <= b->key ? &a : &b;
        t->next = *least;
        t = *least;
        *least = (*least)->next;
    }
    t->next = a ? a : b;
    return head.next;
}

static struct node *list_sort(struct node *l)
{
    if (!l || !l->next) return l;
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *half = slow->next;
    slow->next = 0;
    return list_merge(list_sort(l), list_sort(half));
}

static u16 matrices(struct work *w, int seed, u16 crc)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            w->a[i][j] = (short)(seed + i * 3 + j);
            w->b[i][j] = (short)(seed ^ (i + j * 5));
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++) sum += w->a[i][k] * w->b[k][j];
            w->c[i][j] = sum;
        }
    for (int i = 0; i < N; i++) crc = crc16(crc, (u32)w->c[i][i], 16);
    return crc;
}

// Counts the numbers of a text: integers, decimals, with exponent, and junk.
static u16 states(const u8 *p, u16 crc)
{
    u32 count[8] = { 0 };
    enum { START, INT, POINT, EXP, JUNK } s = START;
    for (; *p; p++) {
        u8 c = *p;
        if (c == ',') { count[s]++; s = START; continue; }
        switch (s) {
        case START: s = c >= '0' && c <= '9' ? INT : c == '.' ? POINT : c == '-' || c == '+' ? INT : JUNK; break;
        case INT: if (c == '.') s = POINT; else if (c == 'e') s = EXP; else if (c < '0' || c > '9') s = JUNK; break;
        case POINT: if (c == 'e') s = EXP; else if (c < '0' || c > '9') s = JUNK; break;
        case EXP: if ((c < '0' || c > '9') && c != '-') s = JUNK; break;
        default: break;
        }
    }
    for (int i = 0; i < 5; i++) crc = crc16(crc, count[i], 8);
    return crc;
}

static u16 run(struct work *w, int rounds)
{
    static const char sample[] = "123,4.5e-3,-17,abc,+9.25,1e9,..,77x,0.5,";
    u16 crc = 0;
    for (int i = 0; i < TEXT - 1; i++) w->text[i] = (u8)sample[i % (sizeof sample - 1)];
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < NODES; i++) {
            w->node[i].next = i + 1 < NODES ? &w->node[i + 1] : 0;
            w->node[i].key = (short)((i * 37 + r) & 127);
            w->node[i].data = (short)i;
        }
        struct node *l = list_reverse(w->node);
        for (int k = 0; k < 16; k++) {
            struct node *f = list_find(l, (short)(k * 8));
            crc = crc16(crc, f ? (u32)f->data : 0, 8);
        }
        l = list_sort(l);
        crc = crc16(crc, (u32)l->data, 8);
        crc = matrices(w, r, crc);
        crc = states(w->text, crc);
    }
    return crc;
}

static void put(char c) { *(volatile u8 *)0x10000000 = (u8)c; }
static void puts_(const char *s) { while (*s) put(*s++); }
static void put_number(u64 v)
{
    char b[24];
    int n = 0;
    do b[n++] = (char)('0' + v % 10); while (v /= 10);
    while (n) put(b[--n]);
}

u64 read_time(void);
void wait_interrupt(void);

void start_c(u64 lxlcid, u64 pes)
{
    u64 t0 = read_time();
    u16 crc = run(&works[lxlcid], ROUNDS);
    u64 t = read_time() - t0;
    if (lxlcid) {
        __atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
        for (;;) wait_interrupt();
    }
    while (finished + 1 < pes) { }
    puts_("insns "); put_number(t); puts_(" crc "); put_number(crc); put('\n');
    *(volatile u32 *)0x100000 = 0x5555;
}
