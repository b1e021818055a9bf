// SPDX-License-Identifier: BSD-2-Clause
// The console: a 16550 UART behind two ring buffers. Output is drained by the transmit interrupt; the kernel's own
// lines go the same way unless the ring is full or interrupts are not to be had (boot, panic): then it polls.
#ifndef LINX_CONSOLE_H
#define LINX_CONSOLE_H

#include "kernel/task.h"

void console_init(uint64_t uart);               // 0: no UART, output goes to the monitor
void console_interrupt(void);
void console_put(char c);                       // never waits; polls the oldest byte out when the ring is full
void console_flush(void);                       // polls until everything is out
// Takes 1..n bytes of task memory, or waits while the ring is full: BLOCKED.
MUST_USE int64_t console_write(struct task *t, const char *bytes, size_t n);
// Gives 1..n bytes, or waits for the first one.
MUST_USE int64_t console_read(struct task *t, char *bytes, size_t n, uint64_t timeout);
// The newest n bytes at most of what printk wrote; EFAULT.
MUST_USE int64_t console_log(const struct task *t, char *bytes, size_t n);

#endif
