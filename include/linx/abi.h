/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The call interface between tasks (ACR2), kernel (ACR1) and monitor (ACR0): numbers, error codes, limits. Plain
 * #defines, so that .S files can include this file.
 *
 * System call:  a7 = number, a0..a5 = arguments, `acrc 1` (SCT_SYS); result in a0, negative = error. A system call
 *               clobbers what a function call clobbers (a0-a7, ra, x0-x3, T and U); sp and s0-s8 survive.
 * Monitor call: a7 = number, a0..a2 = arguments, `acrc 0` (SCT_MAC); the same rules. Tasks are refused.
 */
#ifndef LINX_ABI_H
#define LINX_ABI_H

/* Errors (results are negative numbers) */
#define LINX_OK             0
#define LINX_EINVAL       (-1)   /* an argument is outside its range */
#define LINX_EHANDLE      (-2)   /* no such object, or it was deleted, or it is of another kind */
#define LINX_EFAULT       (-3)   /* a pointer does not name memory that the task may use */
#define LINX_ENOMEM       (-4)   /* no memory left */
#define LINX_ETIMEOUT     (-5)   /* the time-out expired; with time-out 0: it would have had to wait */
#define LINX_EDELETED     (-6)   /* the object was deleted while the task waited for it */
#define LINX_EDEADLK      (-7)   /* waiting would close a circle of mutexes or joins */
#define LINX_EPERM        (-8)   /* not the owner, or not allowed to tasks */
#define LINX_EOVERFLOW    (-9)   /* a semaphore is at its maximum */
#define LINX_ENOSYS       (-10)  /* no such call */
#define LINX_EOWNERDEAD   (-11)  /* the mutex was granted, but its last owner died holding it */
#define LINX_ESTATE       (-12)  /* the object is not in a state that allows this */
#define LINX_ERANGE       (-13)  /* no such PE, or it does not answer */
#define LINX_EIO          (-14)  /* a device reports an error */

/* Limits */
#define LINX_PRIORITIES     32   /* 0 = least urgent, 31 = most urgent */
#define LINX_NAME_BYTES     16   /* task names, with the final zero */
#define LINX_STACK_MIN      512  /* bytes */
#define LINX_STACK_DEFAULT  4096
#define LINX_MSG_MAX        4096 /* bytes of one message */
#define LINX_QUEUE_MAX      65536 /* messages in one queue */
#define LINX_BLOCK_BYTES    512  /* of a disk's sector */
#define LINX_BLOCK_MAX      8    /* sectors moved by one call */
#define LINX_BLOCK_READ_ONLY 1   /* struct linx_block_info.flags */
#define LINX_FOREVER        0xffffffffffffffff

/* Task attributes (struct linx_task_attr.flags) */
#define LINX_TASK_DETACHED    1  /* nobody joins it: it vanishes when it ends */
#define LINX_TASK_SUSPENDED   2  /* starts suspended */
#define LINX_TASK_NO_INHERIT  4  /* its data blocks never read what an earlier block left in the engine's queues */
#define LINX_TASK_NO_ENGINE   8  /* a data block ends it */
#define LINX_TASK_SPACE       16 /* gets memory of its own (docs/protection.md), not its creator's */

/* Rights to shared memory (linx_mem_share) */
/* What tasks of a space may do beside computing and writing to the console (struct linx_task_attr.rights) */
#define LINX_RIGHT_CONSOLE_READ 1
#define LINX_RIGHT_MACHINE      2  /* end the machine, slices, log, boot arguments, gangs, disks, new spaces */

#define LINX_MEM_READ       1
#define LINX_MEM_WRITE      2    /* includes reading */

/* Event-wait modes */
#define LINX_EVENT_ANY      0
#define LINX_EVENT_ALL      1
#define LINX_EVENT_CLEAR    2    /* or-ed: clear the awaited flags on success */

/* How a task ended, as linx_task_join reports it */
#define LINX_ENDED_EXIT     0    /* status = argument of linx_task_exit */
#define LINX_ENDED_KILLED   1
#define LINX_ENDED_FAULT    2    /* status = TRAPNUM << 24 | CAUSE */
#define LINX_ENDED_STACK    3    /* stack overflow */
#define LINX_ENDED_NOMEM    4    /* no memory for its engine state */

/*
 * System calls: number, name. One list for stubs and dispatch table (X is called for each). Those of the optional parts
 * are LINX_ENOSYS in a program that links none of a part's stubs.
 */
#define LINX_SYSCALLS(X)   LINX_SYSCALLS_BASE(X) LINX_SYSCALLS_OPTIONAL(X)
#define LINX_SYSCALLS_OPTIONAL(X) \
    LINX_SYSCALLS_SEM(X)   \
    LINX_SYSCALLS_QUEUE(X) \
    LINX_SYSCALLS_EVENT(X) \
    LINX_SYSCALLS_GANG(X)  \
    LINX_SYSCALLS_SHARE(X) \
    LINX_SYSCALLS_GIVE(X)  \
    LINX_SYSCALLS_BLOCK(X) \
    LINX_SYSCALLS_FAULT(X) \
    LINX_SYSCALLS_TEST(X)
#define LINX_SYSCALLS_BASE(X) \
    X(0,  yield)           \
    X(1,  task_create)     \
    X(2,  task_exit)       \
    X(3,  task_join)       \
    X(4,  task_kill)       \
    X(5,  task_self)       \
    X(6,  sleep)           \
    X(7,  task_suspend)    \
    X(8,  task_resume)     \
    X(9,  task_priority)   \
    X(10, task_info)       \
    X(14, mutex_create)    \
    X(15, mutex_lock)      \
    X(16, mutex_unlock)    \
    X(24, object_delete)   \
    X(25, console_write)   \
    X(26, console_read)    \
    X(27, shutdown)        \
    X(28, system_info)     \
    X(29, sleep_until)     \
    X(30, set_slice)       \
    X(31, mem_alloc)       \
    X(32, mem_free)        \
    X(33, task_next)       \
    X(34, log_read)        \
    X(35, task_affinity)
#define LINX_SYSCALLS_SEM(X) \
    X(11, sem_create) \
    X(12, sem_wait) \
    X(13, sem_post)
#define LINX_SYSCALLS_QUEUE(X) \
    X(17, queue_create) \
    X(18, queue_send) \
    X(19, queue_receive)
#define LINX_SYSCALLS_EVENT(X) \
    X(20, event_create) \
    X(21, event_wait) \
    X(22, event_set) \
    X(23, event_clear)
#define LINX_SYSCALLS_GANG(X) \
    X(36, gang_create)     \
    X(37, gang_barrier)    \
    X(38, gang_join)       \
    X(39, gang_move)       \
    X(40, gang_info)       \
    X(41, gang_kill)
#define LINX_SYSCALLS_SHARE(X) \
    X(42, mem_share)
#define LINX_SYS_FAULT_RETURN 44
#define LINX_SYSCALLS_FAULT(X) \
    X(43, fault_handler)   \
    X(LINX_SYS_FAULT_RETURN, fault_return)
#define LINX_SYSCALLS_GIVE(X) \
    X(45, object_give)
#define LINX_SYSCALLS_BLOCK(X) \
    X(46, block_info)      \
    X(47, block_read)      \
    X(48, block_write)
#define LINX_SYS_BLOCK_WRITE 48
#define LINX_SYSCALLS_TEST(X) \
    X(49, test_hook)        /* no part of the kernel: test images bring a handler (tests/kernel/programs/image_hook.c) */
#define LINX_SYSCALL_COUNT 50

/* Monitor calls */
#define LINX_MAC_PUTC       0    /* a0 = byte */
#define LINX_MAC_SHUTDOWN   1    /* a0 = exit code, 0 = pass; does not return */
#define LINX_MAC_PE_START   2    /* a0 = LXLCID, a1 = entry in ACR1, a2 = its argument */
#define LINX_MAC_FATAL      3    /* a0 = exit code 1..255: like SHUTDOWN, after a line on the console */

#endif
