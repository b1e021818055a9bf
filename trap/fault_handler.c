// SPDX-License-Identifier: BSD-2-Clause
// A task's own fault handler: an ordinary piece of the task's life. Its context is saved here, the handler runs in ACR2 on
// its stack with a copy of record, registers and engine image, and what it answers is checked before anything of it is
// used. The original image stays in the kernel; sizes, owner and generation come from there, never from the copy.
#include "trap/fault_handler.h"

#include "kernel/authority.h"
#include "kernel/copy.h"
#include "kernel/heap.h"
#include "kernel/life.h"
#include "kernel/sched.h"
#include "kernel/syscall.h"
#include "kernel/usermem.h"
#include "lib/string.h"
#include "trap/fault.h"

extern char linx_fault_returned[];      // lib/syscall_fault.S: where a handler returns to
#define STACK_LEFT    1024              // at least so much of the stack is the handler's
#define LOOK_AGAIN    100000            // ns between two looks at a budget that is nearly used up
#define NEXT_LIMIT    256               // instructions of a block that are looked at for its end
#define FP_BITS       ((uint64_t)0xff << LINX_CSTATE_FFLAGS_SHIFT)      // FFLAGS and FRM

_Static_assert(sizeof(struct linx_fault) % 8 == 0 && sizeof(struct linx_fault_state) % 8 == 0, "linx/fault.h");
_Static_assert(LINX_FAULT_STACK_MIN >= STACK_LEFT + sizeof(struct linx_fault) + sizeof(struct linx_fault_state) + 32,
               "linx/fault.h: LINX_FAULT_STACK_MIN");

static uint64_t *gpr(struct context *c, unsigned n) { return n == 1 ? &c->sp : (uint64_t *)c + CTX_REG(n) / 8; }

static uint64_t cpu_used(const struct task *t) {
    return t->cpu_ns + (t->pe->current == t ? time_now() - t->pe->since : 0);
}

// ---- registration ---------------------------------------------------------------------------------------------------------------
// Takes back the stack that the kernel gave.
static void drop_stack(struct task *t, struct fault_handler *h) {
    struct extent *e = h->given, **link = &t->extents;
    if (e == NULL)
        return;
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    e->next = h->given = NULL;
    extents_free(t->space, e);
}

int64_t sys_fault_handler(struct task *t, const struct context *c) {
    struct fault_handler *h = t->fault;
    struct extent *given = NULL;
    uint64_t stack = c->a1, bytes = stack == 0 && c->a2 == 0 ? LINX_FAULT_STACK_BODY : c->a2;
    if (h != NULL && h->active)
        return LINX_ESTATE;
    if (c->a0 == 0) {
        if (h != NULL)
            drop_stack(t, h);
        t->fault = NULL;
        kernel_free(h);
        return LINX_OK;
    }
    if (bytes < LINX_FAULT_STACK_MIN || bytes > INT32_MAX)
        return LINX_EINVAL;
    if (!task_may_run(c->a0) || (stack != 0 && !task_may_write(t, stack, bytes)))
        return LINX_EFAULT;
    if (stack == 0) {
        given = extent_new(t->space, (bytes + PAGE - 1) / PAGE, true);
        if (given == NULL)
            return LINX_ENOMEM;
        stack = given->va;
        bytes = given->pages * PAGE;
    }
    if (h == NULL && (h = kernel_alloc(sizeof *h)) == NULL) {
        if (given != NULL)
            extents_free(t->space, given);
        return LINX_ENOMEM;
    }
    drop_stack(t, h);
    if (given != NULL) {
        given->next = t->extents->next;         // behind the task's own
        t->extents->next = given;
    }
    h->given = given;
    h->fn = (linx_fault_fn *)pointer(c->a0);
    h->stack = pointer(stack);
    h->stack_bytes = (uint32_t)bytes;
    t->fault = h;
    return LINX_OK;
}

void fault_forget(struct task *t) {
    struct fault_handler *h = t->fault;
    if (h->active && h->area != NULL) {
        authority_refund(t->space, h->area_bytes);      // it was charged when it was saved (trap/wide.c)
        kernel_free(h->area);
    }
    t->fault = NULL;
    kernel_free(h);
}

// ---- the budget: a time-out that finds a task which does not wait -----------------------------------------------------------------
void fault_go_on(struct task *t) {
    if (t->fault->active) {
        uint64_t used = cpu_used(t), limit = t->fault->cpu_limit;
        timeout_arm(t, time_now() + (used + LOOK_AGAIN < limit ? limit - used : LOOK_AGAIN));
    }
}

void fault_budget(struct task *t) {
    timeout_disarm(t);
    if (cpu_used(t) < t->fault->cpu_limit)
        fault_go_on(t);                 // other tasks had the PE meanwhile
    else
        fault_end(t, &t->fault->record, "its fault handler ran too long");
}

// ---- into the handler -------------------------------------------------------------------------------------------------------------
static void fill_state(struct linx_fault_state *s, struct context *c, uint64_t image) {
    s->reg[0] = 0;
    for (unsigned n = 1; n < 24; n++)
        s->reg[n] = *gpr(c, n);
    for (int i = 0; i < 4; i++) {
        s->t[i] = c->t[3 - i];
        s->u[i] = c->u[3 - i];
    }
    s->tpc = c->etpc;
    s->bpc = c->ebpc;
    s->fp = c->ecstate & FP_BITS;
    s->next = c->ebpcn;
    s->barg = c->ebarg;
    s->image = pointer(image);
}

const char *fault_enter(struct pe *pe, struct task *t, struct linx_fault *f) {
    struct fault_handler *h = t->fault;
    struct context *c = &t->ctx;
    bool body = in_body(c);
    if (h->active)
        return "fault in its fault handler";
    if (f->ring != LINX_ACR_TASK)
        return "it cannot be resumed";
    if (body && f->groups == 0)
        return "its engine state cannot be saved";
    uint64_t image_bytes = body ? ((uint64_t)LINX_ESAVE_IMAGE_BYTES(f->groups) + 15) & ~(uint64_t)15 : 0;
    uint64_t top = ((uint64_t)(uintptr_t)h->stack + h->stack_bytes) & ~(uint64_t)15;
    uint64_t image = top - image_bytes, state = image - sizeof(struct linx_fault_state);
    uint64_t record = (state - sizeof *f) & ~(uint64_t)15;
    if (top - record + STACK_LEFT + 16 > h->stack_bytes)
        return "the stack of its fault handler is too small";
    if (!task_may_run(f->bpc))       // names of the kernel are not for tasks
        f->bpc_symbol[0] = 0;
    if (!task_may_run(f->tpc))
        f->tpc_symbol[0] = 0;
    struct linx_fault_state s;
    fill_state(&s, c, body ? image : 0);
    if (!copy_to_task(t, pointer(record), f, sizeof *f) || !copy_to_task(t, pointer(state), &s, sizeof s) ||
        (body && !copy_to_task(t, pointer(image), t->wide->area, (size_t)LINX_ESAVE_IMAGE_BYTES(f->groups))))
        return "the stack of its fault handler cannot be written";

    h->record = *f;
    h->interrupted = *c;
    h->state = state;
    h->image_at = body ? image : 0;
    h->area = NULL;
    if (body) {                         // the handler starts without engine and hands
        struct wide *w = t->wide;
        h->image = w->image;
        h->area = w->area;
        h->area_bytes = w->area_bytes;
        w->area = NULL;
        w->area_bytes = 0;
        w->saved = false;
        wide_set_econfig(pe, ECONFIG_ON | ECONFIG_VC);
    }
    c->ebpc = c->etpc = (uint64_t)(uintptr_t)h->fn;
    c->ebpcn = c->ebarg = 0;
    c->ecstate = LINX_ACR_TASK | LINX_CSTATE_I;
    c->a0 = record;
    c->a1 = state;
    c->ra = (uint64_t)(uintptr_t)linx_fault_returned;
    c->sp = record;
    h->cpu_limit = cpu_used(t) + LINX_FAULT_BUDGET_NS;
    h->active = true;
    fault_go_on(t);
    return NULL;
}

// ---- and back ---------------------------------------------------------------------------------------------------------------------
// Goes on at the start of a block.
static const char *start_at(struct context *c, uint64_t at) {
    if (!task_may_run(at))
        return "its fault handler named no block of the program";
    c->ebpc = c->etpc = at;
    c->ebpcn = c->ebarg = 0;
    c->ecstate &= ~(uint64_t)LINX_ECSTATE_BI;
    return NULL;
}

// Where the block goes on that is stopped at c->etpc and ends there; 0: nowhere.
static uint64_t successor(const struct task *t, const struct context *c) {
    bool inside = (c->ecstate & LINX_ECSTATE_BI) != 0;
    uint64_t at = inside ? c->etpc : c->ebpc, word;
    if (inside) {
        unsigned type = (unsigned)(c->ebarg >> LINX_EBARG_TYPE_SHIFT) & 3;     // 0 fall, 1 direct, 2 cond, 3 indirect
        if (type == 0 ? c->ebpcn != 0 : type == 1 || (c->ebarg >> LINX_EBARG_TAKEN_BIT & 1) != 0)
            return c->ebpcn;            // the target; for a fall-through block its fixup label
        if (type == 3)
            return 0;
    }
    for (int n = 0; n < NEXT_LIMIT; n++) {
        unsigned bytes = fault_fetch(t, at, &word);
        enum block_end end = fault_block_end(word, bytes);
        if (bytes == 0)
            return 0;
        if (end == BLOCK_STOP)
            return at + bytes;
        if (end == BLOCK_START && (inside || n != 0))
            return at;
        at += bytes;
    }
    return 0;
}

// What a handler left of the image. The copy is the kernel's own by now.
static bool image_good(const struct fault_handler *h, const struct linx_engine_image *im) {
    bool dr = (h->record.header.flags & LINX_HEADER_DR) != 0, live = false;
    for (int i = 0; i < 3; i++)
        if (im->lb[i] != h->record.lb[i])
            return false;
    for (uint32_t i = 0; i < h->record.groups; i++) {
        const struct linx_engine_group *g = &im->group[i];
        uint16_t lc[3];
        if (g->tpc != 0 && !task_may_run(g->tpc))
            return false;
        fault_group_lc(im->lb, dr, fault_group_of(im->lb, dr, g->lc), lc);
        for (int k = 0; k < 3; k++)
            if (g->lc[k] >= im->lb[k] || g->lc[k] != lc[k])
                return false;
        live |= g->tpc != 0;
    }
    return live;
}

static const char *answer_body(const struct task *t, struct fault_handler *h, struct context *c, int answer) {
    struct linx_engine_image *im = (struct linx_engine_image *)h->area;
    const struct linx_fault *f = &h->record;
    if (!copy_from_task(t, im, pointer(h->image_at), (size_t)LINX_ESAVE_IMAGE_BYTES(f->groups)))
        return "its fault handler's image cannot be read";
    if (!image_good(h, im))
        return "its fault handler corrupted the image";
    switch (answer) {
    case LINX_FAULT_RETRY:
        return NULL;
    case LINX_FAULT_SKIP_LANES:
        if (f->lanes == 0)
            return "its fault handler's answer does not fit";
        im->group[f->slot].p &= ~f->lanes;
        return NULL;
    default: {                          // END_BLOCK: one group is left, the last of all, at the end of its body
        bool dr = (f->header.flags & LINX_HEADER_DR) != 0;
        for (uint32_t i = 0; i < f->groups; i++)
            im->group[i].tpc = 0;
        im->group[0].tpc = c->ebpcn;    // behind the header: a block start or stop, which ends a group
        fault_group_lc(im->lb, dr, iteration_groups(im->lb, dr) - 1, im->group[0].lc);
        return NULL;
    }
    }
}

// Applies the answer to the interrupted context and image. NULL, or what is wrong with it.
static const char *apply(struct task *t, struct fault_handler *h, int answer) {
    struct linx_fault_state s;
    struct context *c = &h->interrupted;
    bool body = h->image_at != 0, inside = (c->ecstate & LINX_ECSTATE_BI) != 0;
    if (answer == LINX_FAULT_END_TASK)
        return "its fault handler gave up";
    if (answer != LINX_FAULT_RETRY && answer != LINX_FAULT_END_BLOCK && (answer != LINX_FAULT_SKIP_LANES || !body))
        return "its fault handler's answer does not fit";
    if (!copy_from_task(t, &s, pointer(h->state), sizeof s))
        return "its fault handler's state cannot be read";
    if ((uint64_t)(uintptr_t)s.image != h->image_at)
        return "its fault handler corrupted the state";
    for (unsigned n = 1; n < 24; n++)
        *gpr(c, n) = s.reg[n];
    for (int i = 0; i < 4; i++) {
        c->t[3 - i] = s.t[i];
        c->u[3 - i] = s.u[i];
    }
    c->ecstate = (c->ecstate & ~FP_BITS) | (s.fp & FP_BITS);
    if (s.bpc != c->ebpc) {             // elsewhere: whatever was inside is given up
        for (uint32_t i = 0; body && i < h->record.groups; i++)
            ((struct linx_engine_image *)h->area)->group[i].tpc = 0;
        return start_at(c, s.bpc);
    }
    if (body)
        return answer_body(t, h, c, answer);
    if (answer == LINX_FAULT_END_BLOCK)
        return start_at(c, successor(t, c));
    if (inside && !task_may_run(s.tpc))
        return "its fault handler named no instruction of the program";
    if (inside)
        c->etpc = s.tpc;
    return NULL;
}

int64_t sys_fault_return(struct task *t, const struct context *now) {
    struct fault_handler *h = t->fault;
    struct pe *pe = t->pe;
    if (h == NULL || !h->active)
        return LINX_ESTATE;
    const char *bad = apply(t, h, (int)now->a0);
    if (bad != NULL) {
        fault_end(t, &h->record, bad);
        return BLOCKED;
    }
    timeout_disarm(t);
    h->interrupted.kernel_tp = now->kernel_tp;  // of the PE where it is now
    h->interrupted.kernel_sp = now->kernel_sp;
    t->ctx = h->interrupted;
    h->active = false;
    if (h->image_at == 0)
        return BLOCKED;
    struct wide *w = t->wide;
    wide_forget(t);                     // what the handler had in the engine
    w->area = h->area;
    w->area_bytes = h->area_bytes;
    w->image = h->image;
    w->image.generation = w->generation;
    w->saved = true;
    while (in_body(&t->ctx) && !wide_hand_over(pe, t))
        ;                               // another task has ended for it, or this one has (then it is in no body)
    wide_set_econfig(pe, pe->wide_owner == t ? ECONFIG_ON : ECONFIG_ON | ECONFIG_VC);
    return BLOCKED;
}
