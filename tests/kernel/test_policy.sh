#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The kernel's policy code (scheduler, time-outs, locks, queues, events, life of tasks, pools), compiled for the host.
set -e
out=build/tests/kernel
mkdir -p $out
${HOST_CC:-gcc} -std=gnu17 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -DLINX_HOST_TEST -DLINX_DEBUG -I. -Iinclude tests/kernel/host/policy_test.c kernel/sched.c kernel/timeout.c kernel/sync.c \
    kernel/object.c kernel/authority.c kernel/give.c kernel/heap.c kernel/life.c kernel/check.c \
    kernel/pages.c kernel/space.c kernel/usermem.c kernel/share.c kernel/syscall_memory.c -o $out/policy_test
$out/policy_test
