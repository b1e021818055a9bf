// SPDX-License-Identifier: BSD-2-Clause
// A shell on the UART. Its programs are tasks beside it: preempted, listed by ps, ended by kill.
// Boot argument (-append): script=FILE runs the lines of FILE and ends the machine with the last command's status.
#include <stdio.h>
#include <string.h>
#include <sys/disk.h>

#include "shell.h"

#define LINE 256
#define ARGS 16

// Splits at spaces; 'single' and "double" quotes keep them.
static int split(char *line, char **argv) {
    int argc = 0;
    char *out = line;
    while (argc < ARGS - 1) {
        line += strspn(line, " \t\r\n");
        if (*line == 0)
            break;
        argv[argc++] = out;
        char quote = 0;
        for (; *line != 0 && (quote != 0 || strchr(" \t\r\n", *line) == NULL); line++) {
            if (quote == 0 && (*line == '\'' || *line == '"'))
                quote = *line;
            else if (quote != 0 && *line == quote)
                quote = 0;
            else
                *out++ = *line;
        }
        if (*line != 0)
            line++;
        *out++ = 0;
    }
    argv[argc] = NULL;
    return argc;
}

static int execute(char *line) {
    char *argv[ARGS];
    int argc = split(line, argv);
    if (argc == 0 || argv[0][0] == '#')
        return 0;
    for (const struct command *c = commands; c->name != NULL; c++)
        if (strcmp(c->name, argv[0]) == 0)
            return c->run(argc, argv);
    printf("%s: no such command (help lists them)\n", argv[0]);
    return 127;
}

int shell_script(const char *path) {
    char line[LINE];
    int status = 0;
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        return 1;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        printf("> %s%s", line, strchr(line, '\n') == NULL ? "\n" : "");
        status = execute(line);
    }
    fclose(f);
    return status;
}

int main(int argc, char **argv) {
    disk_nodes();
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "script=", 7) == 0)
            return shell_script(argv[i] + 7);
    printf("linx-rt shell; help lists the commands\n");
    for (int status = 0;;) {
        char line[LINE];
        printf(status == 0 ? "$ " : "[%d] $ ", status);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            return 0;
        status = execute(line);
    }
}
