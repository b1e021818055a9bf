// SPDX-License-Identifier: BSD-2-Clause
// What newlib needs of the port and picolibc does not: all its state of a task is thread-local.
#include "lib/libc/port/port.h"

void port_library_init(void) {}
void port_thread_end(void) {}
