// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/gang.h"

#include "drivers/intc.h"
#include "kernel/authority.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/object.h"
#include "kernel/printk.h"
#include "kernel/sched.h"
#include "kernel/shared.h"
#include "kernel/smp.h"
#include "kernel/sync.h"
#include "trap/wide.h"

#define GANG_SLICES 4           // a gang's turn, in slices of tasks

enum phase { IDLE, RUN, STOP, LOAD };
static struct core {
    struct gang *gangs;         // a list; the next in turn comes first
    struct gang *active;        // in every phase but IDLE
    enum phase phase;
    uint8_t to_load;            // LOAD: bit p: PE p has not written its fragments
    uint64_t turn_end;
} cores[LINX_MAX_CORES];

static unsigned core_number(const struct pe *pe) { return pe->lxlcid / LINX_PES_PER_CORE; }
static struct pe *pe_at(unsigned core, unsigned index) { return pes[core * LINX_PES_PER_CORE + index]; }

static void kick_core(unsigned core) {
    for (unsigned p = 0; p < LINX_PES_PER_CORE; p++)
        if (pe_at(core, p) != NULL)
            smp_kick(pe_at(core, p));
}

// ---- the gangs of a core ------------------------------------------------------------------------------------------------
static void append(struct core *c, struct gang *g) {
    struct gang **link = &c->gangs;
    while (*link != NULL)
        link = &(*link)->next;
    *link = g;
    g->next = NULL;
}

static void unlink_gang(struct core *c, struct gang *g) {
    for (struct gang **link = &c->gangs; *link != NULL; link = &(*link)->next)
        if (*link == g) {
            *link = g->next;
            return;
        }
}

static bool overlap(const struct gang *a, const struct gang *b) {
    return a->regs != 0 && b->regs != 0 && a->first < b->first + b->regs && b->first < a->first + a->regs;
}

// How bad core n is for g: gangs that want the same registers count most, then gangs.
static unsigned cost(unsigned n, const struct gang *g) {
    unsigned sum = 0;
    for (const struct gang *o = cores[n].gangs; o != NULL; o = o->next)
        if (o != g)
            sum += overlap(g, o) ? 1000 : 1;
    return sum;
}

// The best core for g; -1: none has so many PEs, or may be used.
static int place(const struct gang *g) {
    int best = -1;
    unsigned best_cost = 0;
    for (unsigned n = 0; n < LINX_MAX_CORES; n++) {
        unsigned p = 0;
        while (p < g->count && pe_at(n, p) != NULL)
            p++;
        if (p < g->count || !(g->allowed >> n & 1))
            continue;
        unsigned c = cost(n, g);
        if (best < 0 || c < best_cost) {
            best = (int)n;
            best_cost = c;
        }
    }
    return best;
}

// ---- steps ----------------------------------------------------------------------------------------------------------------
static void stop(struct core *c) {
    struct gang *g = c->active;
    g->on = false;
    c->phase = STOP;
    for (unsigned i = 0; i < g->count; i++) {
        struct task *t = g->member[i];
        if (t == NULL || t->state != TASK_READY)
            continue;
        ready_remove(t);
        t->state = TASK_STOPPED;
        if (t->pe->current == t)
            smp_kick(t->pe);
    }
}

static bool stopped(const struct gang *g) {
    for (unsigned i = 0; i < g->count; i++)
        if (g->member[i] != NULL && g->member[i]->pe->current == g->member[i])
            return false;
    return true;
}

// Takes g's registers out of the core. False: no memory; it stays resident.
static bool make_absent(struct gang *g) {
    if (!g->resident)
        return true;
    if (g->regs != 0) {
        g->image = shared_save(g->first, g->regs);
        if (g->image == NULL)
            return false;
        g->saves++;
        g->bytes_moved += g->image->moved;
        g->bytes_live += g->image->live;
        g->image->moved = g->image->live = 0;
    }
    g->resident = false;
    return true;
}

static void run(struct core *c) {
    struct gang *g = c->active;
    if (g->image != NULL) {
        g->loads++;
        g->bytes_moved += g->image->moved;
        g->bytes_live += g->image->live;
        kernel_free(g->image);
        g->image = NULL;
    }
    g->resident = g->on = true;
    g->starts++;
    c->phase = RUN;
    c->turn_end = time_now() + GANG_SLICES * this_pe()->slice_ns;
    for (unsigned i = 0; i < g->count; i++)
        if (g->member[i] != NULL && g->member[i]->state == TASK_STOPPED)
            sched_ready(g->member[i]);
}

static void start(struct pe *pe, struct core *c, struct gang *g) {
    unsigned me = pe->lxlcid % LINX_PES_PER_CORE;
    for (struct gang *o = c->gangs; o != NULL; o = o->next)
        if (o != g && o->resident && overlap(o, g) && !make_absent(o)) {
            printk("gang %d waits: no memory for the Shared registers of gang %d\n", g->obj.handle, o->obj.handle);
            return;
        }
    unlink_gang(c, g);
    append(c, g);                       // the last one in turn
    c->active = g;
    c->to_load = 0;
    if (!g->resident) {
        shared_scrub(g->first, g->regs, g->image, me);
        for (uint32_t i = 0; g->image != NULL && i < g->image->count; i++)
            c->to_load |= g->image->reg[i].written;
    }
    c->phase = LOAD;
    for (unsigned p = 0; p < LINX_PES_PER_CORE; p++)
        if ((c->to_load >> p & 1) && pe_at(core_number(pe), p) != pe)
            smp_kick(pe_at(core_number(pe), p));
}

// Sends one of the gangs that wait for their turn to a core that is better for it. The costs of all gangs together become
// less each time, so nothing goes to and fro.
static void balance(unsigned number) {
    for (struct gang *g = cores[number].gangs; g != NULL; g = g->next) {
        int best = g != cores[number].active && g->target < 0 && g->alive != 0 ? place(g) : -1;
        if (best >= 0 && cost((unsigned)best, g) < cost(number, g)) {
            g->target = (int16_t)best;
            return;
        }
    }
}

// Moves a gang that is off to the core it is to be on. False: a PE still has to save the engine state of a member.
static bool leave_core(unsigned from, struct gang *g) {
    for (unsigned i = 0; i < g->count; i++) {
        const struct task *t = g->member[i];
        if (t != NULL && t->pe->wide_owner == t) {
            smp_kick(t->pe);
            return false;
        }
    }
    if (!make_absent(g))
        return true;                    // tries again at the next trap
    unlink_gang(&cores[from], g);
    g->core = g->target;
    g->target = -1;
    g->moves++;
    for (unsigned i = 0; i < g->count; i++) {
        struct task *t = g->member[i];
        if (t == NULL)
            continue;
        bool armed = t->timer_slot != 0;
        timeout_disarm(t);
        t->affinity = pe_bit(pe_at((unsigned)g->core, i));
        smp_move(t, pe_at((unsigned)g->core, i));
        if (armed)
            timeout_arm(t, t->deadline);
    }
    append(&cores[g->core], g);
    kick_core((unsigned)g->core);
    return true;
}

// It has no task left: nobody sees it any more but those who join it.
static void retire(struct core *c, struct gang *g) {
    unlink_gang(c, g);
    kernel_free(g->image);
    g->image = NULL;
    g->ended = true;
    bool joined = false;
    while (!list_empty(&g->joiners.waiters)) {
        struct task *joiner = task_of(g->joiners.waiters.next);
        sched_wake(joiner, g->failed);
        joined = true;
    }
    if (joined || g->obj.owner == OWNER_NOBODY)
        object_free(&g->obj);
}

static void tidy(unsigned number) {
    struct core *c = &cores[number];
    for (struct gang *g = c->gangs, *next; g != NULL; g = next) {
        next = g->next;
        if (g == c->active)
            continue;
        if (g->alive == 0)
            retire(c, g);
        else if (g->target >= 0)
            (void)leave_core(number, g);
    }
}

static bool others_want(const struct core *c) {
    for (const struct gang *g = c->gangs; g != NULL; g = g->next)
        if (g != c->active && g->target < 0 && g->alive != 0)
            return true;
    return false;
}

static bool turn_over(const struct core *c) {
    const struct gang *g = c->active;
    return g->alive == 0 || g->target >= 0 || (time_now() >= c->turn_end && others_want(c));
}

static struct gang *next_gang(const struct core *c) {
    struct gang *g = c->gangs;
    while (g != NULL && (g->target >= 0 || g->alive == 0))
        g = g->next;
    return g;
}

static void steps(struct pe *pe, unsigned number) {
    struct core *c = &cores[number];
    struct task *owner = pe->wide_owner;
    if (owner != NULL && owner->gang != NULL && owner->gang->target >= 0 && !owner->gang->on && owner != pe->current &&
        owner->state != TASK_ENDED)
        (void)wide_evict(pe);
    if (c->phase == RUN && turn_over(c))
        stop(c);
    if (c->phase == STOP) {
        if (!stopped(c->active))
            return;
        c->active = NULL;
        c->phase = IDLE;
    }
    tidy(number);
    struct gang *g = c->phase == IDLE ? next_gang(c) : NULL;
    if (g != NULL) {
        start(pe, c, g);
        if (c->gangs->next != NULL)
            balance(number);
    }
    if (c->phase == LOAD) {
        unsigned me = pe->lxlcid % LINX_PES_PER_CORE;
        if (c->to_load >> me & 1) {
            shared_load(c->active->image, me);
            c->to_load &= (uint8_t)~(1u << me);
        }
        if (c->to_load == 0)
            run(c);
    }
}

struct context *gang_leave(struct pe *pe, struct context *next) {
    unsigned number = core_number(pe);
    struct core *c = &cores[number];
    if (c->gangs != NULL) {
        const struct core before = *c;
        steps(pe, number);
        if (c->phase != before.phase || c->active != before.active || pe->current->state != TASK_READY) {
            next = sched_leave(pe);
            if (c->phase == STOP && stopped(c->active)) {       // this PE was the last one
                steps(pe, number);
                next = sched_leave(pe);
            }
        }
        if (c->phase == RUN && pe->lxlcid % LINX_PES_PER_CORE == 0 && others_want(c))
            sched_look_in(pe, c->turn_end);     // one PE looks in, and kicks the others
    }
    return next;
}

void gang_window(struct pe *pe) {
    const struct gang *g = pe->current->gang;
    uint32_t window = g != NULL ? (uint32_t)g->first | (uint32_t)g->regs << 16 : 0;
    if (window != pe->shared_window) {
        pe->shared_window = window;
        ssr_set(LINX_SSR_SHWINDOW, window);
    }
}

// ---- calls ----------------------------------------------------------------------------------------------------------------
int64_t gang_create(struct task *creator, const struct linx_gang_attr *attr, linx_entry *entry, void *arg) {
    struct pe *pe = creator->pe;
    if (attr->count < 1 || attr->count > LINX_PES_PER_CORE || attr->first >= LINX_SHARED_TILES ||
        attr->regs > LINX_SHARED_TILES - attr->first || (attr->flags & LINX_TASK_SPACE))
        return LINX_EINVAL;
    struct gang *g = object_create(creator->space, OBJ_GANG, sizeof *g);
    if (g == NULL)
        return LINX_ENOMEM;
    list_init(&g->joiners.waiters);
    g->count = (uint8_t)attr->count;
    g->first = (uint16_t)attr->first;
    g->regs = (uint16_t)attr->regs;
    g->target = -1;
    g->allowed = attr->cores != 0 ? attr->cores : ~(uint64_t)0;
    int core = place(g);
    if (core < 0) {
        object_free(&g->obj);
        return LINX_ERANGE;
    }
    g->core = (int16_t)core;
    for (unsigned i = 0; i < g->count; i++) {
        struct linx_task_attr a = { .name = attr->name, .priority = attr->priority, .stack_bytes = attr->stack_bytes,
                                    .flags = LINX_TASK_SUSPENDED | LINX_TASK_DETACHED | attr->flags };
        int64_t h = task_create(pe, creator, &a, entry, arg);
        if (h < 0) {
            for (unsigned k = 0; k < i; k++) {
                g->member[k]->gang = NULL;
                task_end(g->member[k], LINX_ENDED_KILLED, 0);
            }
            object_free(&g->obj);
            return h;
        }
        struct task *t = g->member[i] = task_find(creator, (uint64_t)h);
        t->gang = g;
        t->affinity = pe_bit(pe_at((unsigned)core, i));
        smp_move(t, pe_at((unsigned)core, i));
        t->migrations = 0;
        t->state = TASK_STOPPED;
        g->alive++;
    }
    append(&cores[core], g);
    kick_core((unsigned)core);
    smp_take_over(pe);
    return g->obj.handle;
}

static unsigned at_barrier(const struct gang *g) {
    unsigned n = 0;
    for (const struct list *l = g->obj.waiters.next; l != &g->obj.waiters; l = l->next)
        n++;
    return n;
}

static void release_barrier(struct gang *g) {
    while (!list_empty(&g->obj.waiters))
        sched_wake(task_of(g->obj.waiters.next), LINX_OK);
}

int64_t gang_barrier(struct task *t) {
    struct gang *g = t->gang;
    if (g == NULL)
        return LINX_ESTATE;
    if (at_barrier(g) + 1 < g->alive) {
        sched_wait(t, &g->obj, LINX_FOREVER);
        return BLOCKED;
    }
    release_barrier(g);
    return LINX_OK;
}

int64_t gang_join(struct task *t, struct gang *g, uint64_t timeout) {
    if (t->gang == g)
        return LINX_EDEADLK;
    if (g->ended) {
        int64_t failed = g->failed;
        object_free(&g->obj);
        return failed;
    }
    if (timeout == 0)
        return LINX_ETIMEOUT;
    sched_wait(t, &g->joiners, timeout);
    return BLOCKED;
}

int64_t gang_move(struct gang *g, uint64_t core) {
    if (core >= LINX_MAX_CORES)
        return LINX_EINVAL;
    for (unsigned i = 0; i < g->count; i++)
        if (pe_at((unsigned)core, i) == NULL)
            return LINX_ERANGE;
    if (g->ended || g->alive == 0)
        return LINX_ESTATE;
    g->allowed = (uint64_t)1 << core;   // it stays where it is put
    g->target = (int)core == g->core ? -1 : (int16_t)core;
    kick_core((unsigned)g->core);
    return LINX_OK;
}

void gang_kill(struct gang *g) {
    for (unsigned i = 0; i < g->count; i++)
        if (g->member[i] != NULL)
            task_kill(g->member[i]);
}

void gang_info(const struct gang *g, struct linx_gang_info *info) {
    *info = (struct linx_gang_info){
        .core = (uint32_t)g->core, .alive = g->alive, .failed = g->failed, .starts = g->starts, .moves = g->moves,
        .shared_saves = g->saves, .shared_loads = g->loads, .bytes_moved = g->bytes_moved, .bytes_live = g->bytes_live,
    };
}

void gang_member_ended(struct task *t, bool failed) {
    struct gang *g = t->gang;
    for (unsigned i = 0; i < g->count; i++)
        if (g->member[i] == t)
            g->member[i] = NULL;
    t->gang = NULL;
    g->alive--;
    g->failed += failed;
    if (at_barrier(g) >= g->alive)
        release_barrier(g);
    if (g->alive == 0)
        kick_core((unsigned)g->core);
}
