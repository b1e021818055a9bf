// SPDX-License-Identifier: BSD-2-Clause
// The shell's parts: commands (commands.c), programs that run as tasks (programs.c, and mains from elsewhere).
#ifndef SHELL_H
#define SHELL_H

#include <stddef.h>

struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
};
extern const struct command commands[];         // ends with a NULL name

struct program {
    const char *name, *help;
    int (*main)(int argc, char **argv);
    size_t stack_bytes;
};
extern const struct program programs[];         // ends with a NULL name

int shell_script(const char *path);             // runs the lines of a file; the last command's status
int run_program(int argc, char **argv);         // run NAME [ARG ...] [&]

#endif
