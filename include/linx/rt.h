// SPDX-License-Identifier: BSD-2-Clause
// The kernel's interface for tasks. Every call may be made by any task at any time. Results: >= 0 success, < 0 one
// of LINX_E* (abi.h). Objects are named by handles (positive int); a stale handle is LINX_EHANDLE, never another
// object. Times are nanoseconds of the core's TIME register (docs/target.md 1). Time-outs: 0 = do not wait,
// LINX_FOREVER = no limit.
#ifndef LINX_RT_H
#define LINX_RT_H

#include <stddef.h>
#include <stdint.h>

#include "linx/abi.h"

typedef int linx_handle;
typedef void linx_entry(void *arg);

// ---- tasks ---------------------------------------------------------------------------------------------------------
struct linx_task_attr {             // all-zero is valid: name "", priority 0, default stack
    const char *name;               // copied, at most LINX_NAME_BYTES - 1 characters
    uint32_t priority;              // 0..31, 31 most urgent
    uint32_t flags;                 // LINX_TASK_*
    uint64_t stack_bytes;           // 0 = LINX_STACK_DEFAULT; at least LINX_STACK_MIN; rounded up to pages
    uint64_t tiles[3];              // kernels built without the tile-map SSRs only: what the task may have in hands T,
                                    // U, M at most, nibble k-1 = size code of #k (bytes = 16 << code), 0 = nothing
    uint64_t affinity;              // bit 4*core + PE: it may run there; 0 = anywhere
    // With LINX_TASK_SPACE only:
    uint64_t memory;                // bytes that the new space may allocate, stacks included; 0 = 1 MB
    uint32_t rights;                // LINX_RIGHT_*
};
struct linx_task_info {
    char name[LINX_NAME_BYTES];
    linx_handle handle;
    uint32_t priority, base_priority;
    uint32_t state;                 // 0 ready or running, 1 waiting, 2 suspended, 3 ended, 4 its gang is not on
    uint32_t ended_how;             // LINX_ENDED_*
    int64_t status;
    uint64_t cpu_ns;                // time on a PE, exact: the sum over all tasks and idle is the time since boot
    uint64_t switches;              // times it was given a PE
    uint64_t preemptions;           // times it was stopped by an interrupt and another task ran
    uint64_t body_preempts[4];      // of these: inside a VPAR, VSEQ, MPAR, MSEQ body
    uint64_t esaves, ercovs;        // engine images saved and restored
    uint64_t bytes_moved;           // TSTORE + TLOAD bytes for its engine state
    uint64_t bytes_live;            // what of it was live state
    uint64_t save_area_bytes;       // memory held for its engine state
    uint64_t stack_lo, stack_hi;    // its stack
    uint64_t affinity;              // bit 4*core + PE
    uint32_t pe;                    // where it is (4*core + PE)
    uint32_t migrations;            // times it went to another PE
    uint32_t body_migrations;       // of these: stopped inside a body on one PE and resumed on another
    uint64_t page_ins;              // times it touched memory that was not there yet (a page was given, it went on)
};

// Creates a task that runs entry(arg); returning from entry is linx_task_exit(0). Returns its handle, or EINVAL
// (priority, stack size, flags), EFAULT (pointer), ENOMEM.
linx_handle linx_task_create(const struct linx_task_attr *attr, linx_entry *entry, void *arg);
_Noreturn void linx_task_exit(int64_t status);
// Waits until the task has ended and frees it. *status (may be NULL) gets its status; the result is LINX_ENDED_*.
// EHANDLE, EDEADLK (itself, or a circle of joins), ETIMEOUT, EFAULT.
int linx_task_join(linx_handle task, int64_t *status, uint64_t timeout);
int linx_task_kill(linx_handle task);          // ends it wherever it is; its mutexes pass on as EOWNERDEAD
linx_handle linx_task_self(void);
int linx_yield(void);                          // to the next ready task of the same priority
int linx_sleep(uint64_t ns);
int linx_sleep_until(uint64_t time);           // absolute TIME; a time in the past returns at once
int linx_task_suspend(linx_handle task);       // not while it waits for an object: ESTATE
int linx_task_resume(linx_handle task);        // ESTATE when it is not suspended
int linx_task_priority(linx_handle task, int priority); // returns the old base priority; priority -1 only asks
int linx_task_info(linx_handle task, struct linx_task_info *info);
// The PEs where it may run, bit 4*core + PE. It leaves others at once, wherever it is stopped. EINVAL: none is online.
int linx_task_affinity(linx_handle task, uint64_t mask);
linx_handle linx_task_next(linx_handle after); // walks all tasks: 0 gives the first one, 0 comes back after the last

// ---- gangs: 1..4 tasks, task i on PE i of one core, started, stopped and resumed together -----------------------------
// A gang declares the Shared registers that it uses (S<first> .. S<first + regs - 1>); it has no others, and a task outside
// a gang has none: B.IOS is a fault there. Gangs of a core take turns. Their registers are moved to memory and back only
// where windows overlap or the gang goes to another core.
struct linx_gang_attr {
    const char *name;
    uint32_t priority, flags;       // as those of a task
    uint64_t stack_bytes;           // of each member
    uint32_t count;                 // members, 1..4
    uint32_t first, regs;           // window
    uint64_t cores;                 // bit n: core n will do; 0 = any
};
struct linx_gang_info {
    uint32_t core, alive, failed;   // failed: members that did not end by linx_task_exit
    uint64_t starts, moves;         // times it was put on, times it went to another core
    uint64_t shared_saves, shared_loads, bytes_moved, bytes_live;   // of its Shared registers
};
// Every member runs entry(arg); it is PE linx_gang_index() of the gang. Handle, or EINVAL, EFAULT, ENOMEM, ERANGE (no
// core with so many PEs). Its tasks cannot be named; they have the core's PEs as affinity.
linx_handle linx_gang_create(const struct linx_gang_attr *attr, linx_entry *entry, void *arg);
int linx_gang_barrier(void);                   // until every living member has come; ESTATE outside a gang
int linx_gang_join(linx_handle gang, uint64_t timeout);     // until all have ended: how many failed. It is gone then.
// It goes on there as soon as it is stopped and saved, and stays there; others go to better cores by themselves.
int linx_gang_move(linx_handle gang, uint64_t core);
int linx_gang_info(linx_handle gang, struct linx_gang_info *info);
int linx_gang_kill(linx_handle gang);
static inline unsigned linx_gang_index(void) {
    uint64_t pe;
    __asm__ volatile("hl.ssrget 0x0802, ->%0" : "=r"(pe));
    return (unsigned)pe;
}

// Lets the space of `task`, which the caller's space owns, use an object that the caller may use: semaphore, mutex, queue,
// event, task (join and info), gang (join and info). It cannot delete it or give orders to it. EHANDLE, EPERM, ESTATE, ENOMEM.
int linx_object_give(linx_handle task, linx_handle object);

// ---- semaphores: 0 <= initial <= max, 1 <= max --------------------------------------------------------------------
linx_handle linx_sem_create(uint32_t initial, uint32_t max);
int linx_sem_wait(linx_handle sem, uint64_t timeout);   // ETIMEOUT, EDELETED
int linx_sem_post(linx_handle sem);                     // EOVERFLOW at max

// ---- mutexes: priority inheritance over all locks that a task holds, and along chains -------------------------------
linx_handle linx_mutex_create(void);
int linx_mutex_lock(linx_handle mutex, uint64_t timeout); // EDEADLK (own or circle), EOWNERDEAD = granted, see abi.h
int linx_mutex_unlock(linx_handle mutex);                 // EPERM when not the owner

// ---- message queues: `count` messages of `bytes` each, 1..LINX_MSG_MAX bytes, 1..LINX_QUEUE_MAX messages ------------
linx_handle linx_queue_create(size_t bytes, size_t count);
int linx_queue_send(linx_handle queue, const void *message, uint64_t timeout);
int linx_queue_receive(linx_handle queue, void *message, uint64_t timeout);

// ---- event flags: 32 flags per object ------------------------------------------------------------------------------
linx_handle linx_event_create(uint32_t initial);
int64_t linx_event_wait(linx_handle event, uint32_t mask, uint32_t mode, uint64_t timeout); // flags seen, >= 0
int64_t linx_event_set(linx_handle event, uint32_t mask);    // flags after the call
int64_t linx_event_clear(linx_handle event, uint32_t mask);  // flags before the call

// Deletes a semaphore, mutex (EPERM unless free or own), queue or event; all who wait get EDELETED.
int linx_object_delete(linx_handle object);

// ---- memory: pages that are given, zeroed, when they are touched first (stacks too) -----------------------------------------------------------------
void *linx_mem_alloc(size_t bytes);            // rounded up to pages of 4096, zeroed; NULL when there is none
// Lets `task`'s space read (LINX_MEM_READ) or use (LINX_MEM_WRITE) pages of an allocation of the caller's, at the same
// address, until the allocation is freed. `at` and `bytes` are multiples of 4096. EHANDLE, EINVAL, EFAULT (not the
// caller's), ESTATE (it uses one of the pages already), ENOMEM.
int linx_mem_share(linx_handle task, void *at, size_t bytes, uint32_t rights);
int linx_mem_free(void *p);                    // EINVAL when p is not an allocation

// ---- console and machine ---------------------------------------------------------------------------------------------
int64_t linx_console_write(const void *bytes, size_t n); // bytes taken, 1..128; waits while there is no room for them
int64_t linx_console_read(void *bytes, size_t n, uint64_t timeout); // at least 1 byte, or ETIMEOUT
int64_t linx_log_read(void *bytes, size_t n);  // the newest n bytes, at most, of what the kernel printed
int linx_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); // one line goes out unbroken
_Noreturn void linx_shutdown(int code);        // ends the machine; 0 = pass
int linx_set_slice(uint64_t ns);               // round-robin slice, 200..10^9 ns (boot: 100,000)

struct linx_system_info {
    uint64_t ram_base, ram_bytes, initrd_base, initrd_bytes;
    uint64_t boot_time;                        // TIME when the kernel started to account
    uint64_t idle_ns, ticks, switches, wide_saves;
    uint64_t body_interrupts;                  // interrupts taken inside data bodies, whoever ran next
    uint64_t kernel_free, task_free;           // bytes left in the two pools
    uint64_t pe_mask;                          // the PEs that run tasks, bit 4*core + PE
    uint64_t steals;                           // tasks that a PE without work took from another one
    uint32_t pes, group_slots, tasks, objects; // pes: how many run tasks
    char bootargs[128];
};
int linx_system_info(struct linx_system_info *info);

// ---- disks, numbered from 0 in the order of the device tree ------------------------------------------------------------
struct linx_block_info {
    uint64_t sectors;
    uint32_t sector_bytes, flags;              // LINX_BLOCK_BYTES; LINX_BLOCK_READ_ONLY
};
int linx_block_info(unsigned disk, struct linx_block_info *info);      // ERANGE: no such disk
// Moves 1..n sectors from `sector` on, LINX_BLOCK_MAX at most, and gives their number; the caller waits meanwhile. n >= 1,
// all n inside the disk (EINVAL). EPERM: the disk is read-only; EIO.
int64_t linx_block_read(unsigned disk, uint64_t sector, void *to, size_t n);
int64_t linx_block_write(unsigned disk, uint64_t sector, const void *from, size_t n);

static inline uint64_t linx_time(void) {       // TIME, ns
    uint64_t t;
    __asm__ volatile("ssrget 0x0010, ->%0" : "=r"(t));
    return t;
}

#endif
