// SPDX-License-Identifier: BSD-2-Clause
// The scheduler of PEs. A round gives every PE the same stretch of guest time, one after the other; asleep PEs let
// it pass. Rounds are as long as --quantum says; --seed varies their length and the order of the PEs.
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "core.h"

static uint64_t random_next(struct machine *m)
{
    m->rng ^= m->rng << 13;
    m->rng ^= m->rng >> 7;
    m->rng ^= m->rng << 17;
    return m->rng;
}

static bool stepping(const struct machine *m)
{
    return m->cfg.log & (LOG_INSN | LOG_MEM) || m->cfg.stats_file || m->cfg.strict || gdb_wants_step((struct machine *)m);
}

static void unwind_sleep(struct pe *pe, uint64_t until)
{
    struct core *x = pe->x;
    uint64_t now = pe_time(pe);
    bool awake = interrupt_pending(pe) || (pe->sleep == SLEEP_TIME && now >= x->wake_at) || (pe->sleep == SLEEP_EVENT && x->event);
    if (awake) {
        if (pe->sleep == SLEEP_EVENT) x->event = false;
        pe->sleep = AWAKE;
        return;
    }
    uint64_t next = until, timer = timer_next(pe);
    if (timer < next) next = timer;
    if (pe->sleep == SLEEP_TIME && x->wake_at < next) next = x->wake_at;
    pe->idle_ns += next > now ? next - now : 1;
}

// --preempt-at, --preempt-each and --preempt-every: bounds the budget, and raises the interrupt when it is due.
static uint64_t preempt_budget(struct pe *pe, uint64_t budget)
{
    struct machine *m = pe->m;
    if (m->cfg.preempt_at && pe->lxlcid == m->cfg.preempt_pe && !m->preempted_once) {
        if (pe->insns >= m->cfg.preempt_at) {
            if (m->cfg.preempt_last && !preempt_fork(m)) return 0;
            m->preempted_once = true;
            pe->bank[1].forced_ti = true;
            return 0;
        }
        if (m->cfg.preempt_at - pe->insns < budget) budget = m->cfg.preempt_at - pe->insns;
    }
    if (m->cfg.preempt_every && pe_ring(pe) == LINX_ACR_TASK) {
        uint64_t *left = &m->preempt_left[pe->lxlcid];
        if (*left == 0) {
            *left = m->cfg.preempt_every;
            pe->bank[1].forced_ti = true;
            return 0;
        }
        if (*left < budget) budget = *left;
    }
    return budget;
}

static void account(struct pe *pe, unsigned ring, uint64_t insns, bool body)
{
    struct machine *m = pe->m;
    m->stats[pe->lxlcid].insns_ring[ring] += insns;
    if (body) m->stats[pe->lxlcid].insns_body += insns;
    if (ring == LINX_ACR_TASK && m->cfg.preempt_every) {
        // An instruction that trapped has done nothing yet: it does not count, so that it is not interrupted before it
        // has had its second try (a data block whose engine the kernel had to load first would never start with N = 1).
        uint64_t *left = &m->preempt_left[pe->lxlcid];
        uint64_t done = insns - (insns && pe_ring(pe) != ring);
        *left = done < *left ? *left - done : 0;
    }
}

static void run_body(struct pe *pe, uint64_t budget)
{
    uint64_t done = 0, tpc = pe->tpc;
    unsigned group = 0;
    enum exec_status st = engine_run(pe, budget, &done, &tpc, &group);
    pe->insns += done + (st == EXEC_TRAP || !done);
    pe->tpc = tpc;
    if (st == EXEC_TRAP) {
        pe->x->data_group = group;
        trap_deliver(pe);
    } else if (st == EXEC_BLOCK_DONE) {
        pe->x->atom_tried = false;
        pe->data_active = pe->in_body = false;
        pe->x->data_regdst = 0;
        pe->bpcn = 0;
        pe->bpc = pe->tpc = pe->x->data_next;
    } else if (pe->x->data_atomic && done >= ATOM_LIMIT) {
        pe->x->atom_tried = false;      // it has had its chance to finish undisturbed
    }
}

static void run_scalar(struct pe *pe, uint64_t budget, bool step)
{
    uint64_t limit = pe->insns + budget;
    enum exit_reason why = step ? exec_step(pe, limit) : exec_fast(pe, limit);
    if (why == EXIT_LIMIT && !step && !pe->leave && pe->insns < limit) why = exec_step(pe, limit);
    if (why == EXIT_TRAP) trap_deliver(pe);
    else if (why == EXIT_BLOCK && block_data(pe, pe->bpc) == EXEC_TRAP) {
        pe->insns++;                // an attempt takes time, whatever comes of it
        trap_deliver(pe);
    }
    if (pe->x->resume_fault) {      // ACRE could not fetch the header of the body it goes back to
        pe->x->resume_fault = pe->x->data_atomic = false;
        engine_where(pe, &pe->tpc, &pe->x->data_group);
        pe->data_active = true;     // for the record of the trap: BI, group
        trap_deliver(pe);
    }
}

// Runs one PE until its time reaches `until` (an atomic block is finished first).
void run_pe(struct pe *pe, uint64_t until)
{
    struct machine *m = pe->m;
    if (m->cfg.dead_pes >> pe->lxlcid & 1) {
        uint64_t now = pe_time(pe);
        if (now < until) pe->idle_ns += until - now;
        return;
    }
    m->running = pe;
    while (!m->exiting && (pe_time(pe) < until || pe->atomic)) {
        uint64_t now = pe_time(pe);
        if (pe->sleep) { unwind_sleep(pe, until); continue; }
        if (interrupt_take(pe)) continue;
        uint64_t budget = now < until ? until - now : 1, timer = timer_next(pe);
        if (timer > now && timer - now < budget) budget = timer - now;
        budget = preempt_budget(pe, budget);
        if (!budget) continue;
        if (m->cfg.max_insns) {
            uint64_t left = m->cfg.max_insns - m->total_insns;
            if (!left) { m->why = "--max-insns reached"; m->exiting = true; m->status = 124; break; }
            if (left < budget) budget = left;
        }
        unsigned ring = pe_ring(pe);
        bool body = pe->data_active, step = stepping(m);
        uint64_t before = pe->insns;
        if (gdb_wants_step(m)) budget = 1;
        if (body) run_body(pe, budget);
        else run_scalar(pe, budget, step);
        uint64_t done = pe->insns - before;
        m->total_insns = m->cfg.max_insns && done > m->cfg.max_insns - m->total_insns ? m->cfg.max_insns : m->total_insns + done;
        account(pe, ring, done, body);
        if (gdb_wants_step(m)) gdb_poll(m, pe);
    }
    m->running = NULL;
}

// Guest time of the next thing that will happen while every PE sleeps; UINT64_MAX nothing.
static uint64_t next_wake(struct machine *m)
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < m->num_pes; i++) {
        struct pe *pe = m->pe[i];
        if (m->cfg.dead_pes >> pe->lxlcid & 1) continue;
        if (!pe->sleep || interrupt_pending(pe) || (pe->sleep == SLEEP_EVENT && pe->x->event)) return m->now;
        uint64_t t = timer_next(pe);
        if (pe->sleep == SLEEP_TIME && pe->x->wake_at < t) t = pe->x->wake_at;
        if (t < best) best = t;
    }
    for (unsigned i = 0; i < m->num_devs; i++) {
        uint64_t t = m->dev[i]->next_event ? m->dev[i]->next_event(m->dev[i]) : UINT64_MAX;
        if (t < best) best = t;
    }
    return best;
}

enum { MAX_FDS = 128 };

// Lets the devices look at the host, waiting at most timeout_ms (-1: until something comes). False: nothing to wait for.
static bool poll_host(struct machine *m, int timeout_ms)
{
    struct pollfd fds[MAX_FDS];
    int first[MAX_DEVICES + 1], n = 0;
    for (unsigned i = 0; i < m->num_devs; i++) {
        first[i] = n;
        if (m->dev[i]->poll_add) n += m->dev[i]->poll_add(m->dev[i], fds + n, MAX_FDS - n, &timeout_ms);
    }
    first[m->num_devs] = n;
    if (m->gdb_state && (timeout_ms < 0 || timeout_ms > 50)) timeout_ms = 50;   // a debugger may want to interrupt
    if (n == 0 && timeout_ms < 0) return false;
    if (poll(fds, (nfds_t)n, timeout_ms) < 0) {
        if (errno != EINTR) return false;
        for (int i = 0; i < n; i++) fds[i].revents = 0;
    }
    for (unsigned i = 0; i < m->num_devs; i++)
        if (m->dev[i]->poll_done) m->dev[i]->poll_done(m->dev[i], fds + first[i], first[i + 1] - first[i]);
    return true;
}

static uint64_t host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool realtime(const struct machine *m)
{
    for (unsigned i = 0; i < m->num_devs; i++) if (m->dev[i]->realtime) return true;
    return false;
}

// Every PE sleeps: moves time to the next event, or waits for the host. False: nothing can ever happen.
static bool skip_idle(struct machine *m, uint64_t wake)
{
    uint64_t ns = wake - m->now;
    if (wake == UINT64_MAX) {
        if (poll_host(m, -1)) return true;
        m->why = "all PEs are asleep and nothing can wake them";
        m->exiting = true;
        m->status = 1;
        return false;
    }
    if (realtime(m)) {      // a peer lives in real time: do not run ahead of it, in short sleeps either
        enum { MS = 1000000, SLICE = 10 * MS };
        if (ns > SLICE) ns = SLICE;
        uint64_t host = host_ns(), guest = m->now + ns, passed = m->idle_host ? host - m->idle_host : 0;
        m->idle_debt += guest - (m->idle_host ? m->idle_guest : m->now);
        m->idle_debt -= passed < m->idle_debt ? passed : m->idle_debt;
        m->idle_guest = guest;
        m->idle_host = host;
        (void)poll_host(m, (int)(m->idle_debt / MS));
    }
    m->now += ns;
    for (unsigned i = 0; i < m->num_pes; i++) {
        uint64_t t = pe_time(m->pe[i]);
        if (t < m->now) m->pe[i]->idle_ns += m->now - t;
    }
    return true;
}

static void tick_devices(struct machine *m)
{
    for (unsigned i = 0; i < m->num_devs; i++) {
        struct device *d = m->dev[i];
        if (d->next_event && d->tick && d->next_event(d) <= m->now) d->tick(d, m->now);
    }
}

static void round_robin(struct machine *m, uint64_t length)
{
    unsigned order[MAX_PES], n = m->num_pes;
    for (unsigned i = 0; i < n; i++) order[i] = i;
    if (m->cfg.seed)
        for (unsigned i = n; i > 1; i--) {
            unsigned k = (unsigned)(random_next(m) % i), t = order[i - 1];
            order[i - 1] = order[k];
            order[k] = t;
        }
    uint64_t until = m->now + length;
    for (unsigned i = 0; i < n && !m->exiting; i++) run_pe(m->pe[order[i]], until);
    m->now = until;
}

int machine_run(struct machine *m)
{
    // Looking at the host costs a system call: about every 100,000 instructions is enough.
    enum { POLL_EVERY = 100000 };
    uint64_t since_poll = 0;
    while (!m->exiting || m->reset_wanted) {
        if (m->reset_wanted) {
            if (m->cfg.kernel && !machine_load(m)) return 2;    // the image anew; other RAM keeps its contents
            machine_reset(m);
        }
        if (m->gdb_state) gdb_poll(m, m->pe[0]);
        uint64_t wake = next_wake(m);
        if (wake > m->now) {
            if (!skip_idle(m, wake)) break;
            tick_devices(m);
            continue;
        }
        uint64_t length = m->cfg.quantum;
        if (m->cfg.seed) length = length / 2 + random_next(m) % (length + 1) + 1;
        round_robin(m, length);
        m->round++;
        code_reap(m);
        tick_devices(m);
        since_poll += length;
        if (since_poll >= POLL_EVERY) {
            since_poll = 0;
            (void)poll_host(m, 0);
        }
    }
    (void)fflush(stdout);
    if (m->why) {
        fprintf(stderr, "linx-sim: %s\n", m->why);
        machine_dump(m, stderr);
    }
    return m->status;
}
