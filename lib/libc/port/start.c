// SPDX-License-Identifier: BSD-2-Clause
// The first task of a program with a C library: heap, constructors, main with the boot arguments, exit. Takes the place
// of lib/start.c.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "port.h"

#define ARGS 16

typedef void initializer(void);
extern initializer *__preinit_array_start[], *__preinit_array_end[], *__init_array_start[], *__init_array_end[];
int main(int argc, char **argv);
linx_entry linx_program_start;

static void run(initializer **from, initializer **to) {
    while (from < to)
        (*from++)();
}

// argv[0] is "program", the others are the words of -append.
static int split(char *text, char **argv) {
    int argc = 0;
    argv[argc++] = "program";
    for (char *save, *word = strtok_r(text, " ", &save); word != NULL && argc < ARGS; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

void linx_program_start(void *arg) {
    (void)arg;
    static struct linx_system_info info;
    static char *argv[ARGS + 1];
    if (port_heap_init != NULL)         // a program that allocates nothing has no heap
        port_heap_init();
    port_files_init();
    port_library_init();
    run(__preinit_array_start, __preinit_array_end);
    run(__init_array_start, __init_array_end);
    linx_system_info(&info);
    exit(main(split(info.bootargs, argv), argv));
}

// The end of the program is the end of the machine; 0 = pass. exit() has run the destructors, which flush stdout.
void _exit(int status) { linx_shutdown(status & 0xff); }
