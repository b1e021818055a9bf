// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linx/rt.h"
#include "shell.h"

#define TASKS_SHOWN 64

static int help(int argc, char **argv) {
    (void)argc, (void)argv;
    for (const struct command *c = commands; c->name != NULL; c++)
        printf("  %-22s %s\n", c->name, c->help);
    printf("programs:\n");
    for (const struct program *p = programs; p->name != NULL; p++)
        printf("  %-22s %s\n", p->name, p->help);
    return 0;
}

// ---- tasks --------------------------------------------------------------------------------------------------------------
static const char *state_name(const struct linx_task_info *i) {
    static const char *const names[] = { "ready", "waits", "suspended", "ended" };
    return i->handle == linx_task_self() ? "running" : i->state < 4 ? names[i->state] : "?";
}

// One line a task; `before` (may be NULL) holds cpu_ns of an earlier look, by handle index.
static void list_tasks(const uint64_t *before, uint64_t span_ns, uint64_t *now) {
    printf("    task name            prio state     cpu us   %%cpu switches preempted in bodies\n");
    for (linx_handle h = linx_task_next(0); h > 0; h = linx_task_next(h)) {
        struct linx_task_info i;
        if (linx_task_info(h, &i) < 0)
            continue;                   // it ended in between
        unsigned slot = (unsigned)h & 0xffff;
        uint64_t cpu = i.cpu_ns - (before != NULL && slot < TASKS_SHOWN ? before[slot] : 0);
        if (now != NULL && slot < TASKS_SHOWN)
            now[slot] = i.cpu_ns;
        unsigned long bodies = i.body_preempts[0] + i.body_preempts[1] + i.body_preempts[2] + i.body_preempts[3];
        printf("%8d %-15s %4u %-9s %6lu %5.1f%% %8lu %9lu %9lu\n", h, i.name, (unsigned)i.priority, state_name(&i),
               (unsigned long)(cpu / 1000), span_ns != 0 ? 100.0 * (double)cpu / (double)span_ns : 0.0,
               (unsigned long)i.switches, (unsigned long)i.preemptions, bodies);
    }
}

static int ps(int argc, char **argv) {
    (void)argc, (void)argv;
    list_tasks(NULL, linx_time(), NULL);
    return 0;
}

static int top(int argc, char **argv) {
    static uint64_t looks[2][TASKS_SHOWN];
    int times = argc > 1 ? atoi(argv[1]) : 3;
    uint64_t at = linx_time(), span = at;
    memset(looks, 0, sizeof looks);
    for (int i = 0; i < times; i++) {
        list_tasks(looks[i & 1], span, looks[(i + 1) & 1]);
        if (i + 1 < times)
            linx_sleep(1000000);        // 1 ms: a million instructions
        span = linx_time() - at;
        at += span;
    }
    return 0;
}

static int kill_task(int argc, char **argv) {
    char *end = NULL;
    long h = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (end == NULL || *end != 0 || h <= 0) {
        printf("usage: kill TASK (a number that ps shows)\n");
        return 2;
    }
    if (h == linx_task_self()) {
        printf("kill: that is the shell; exit ends it\n");
        return 1;
    }
    int r = linx_task_kill((linx_handle)h);
    if (r < 0)
        printf("kill: %ld: %s\n", h, r == LINX_EHANDLE ? "no such task" : "it has ended already");
    else
        linx_task_join((linx_handle)h, NULL, 0);        // nobody else will
    return r < 0;
}

static int preempt(int argc, char **argv) {
    (void)argc, (void)argv;
    struct linx_system_info s;
    linx_system_info(&s);
    printf("ticks %lu, switches %lu, engine states saved %lu, interrupts in bodies %lu\n", (unsigned long)s.ticks,
           (unsigned long)s.switches, (unsigned long)s.wide_saves, (unsigned long)s.body_interrupts);
    printf("    task name             VPAR   VSEQ   MPAR   MSEQ  ESAVE  ERCOV  KB moved\n");
    for (linx_handle h = linx_task_next(0); h > 0; h = linx_task_next(h)) {
        struct linx_task_info i;
        if (linx_task_info(h, &i) < 0 || i.esaves + i.ercovs == 0)
            continue;
        printf("%8d %-15s %6lu %6lu %6lu %6lu %6lu %6lu %9lu\n", h, i.name, (unsigned long)i.body_preempts[0],
               (unsigned long)i.body_preempts[1], (unsigned long)i.body_preempts[2], (unsigned long)i.body_preempts[3],
               (unsigned long)i.esaves, (unsigned long)i.ercovs, (unsigned long)(i.bytes_moved / 1024));
    }
    return 0;
}

// ---- memory and messages --------------------------------------------------------------------------------------------------
static int free_memory(int argc, char **argv) {
    (void)argc, (void)argv;
    struct linx_system_info s;
    struct mallinfo m = mallinfo();
    linx_system_info(&s);
    printf("RAM %lu KB; free: kernel %lu KB, tasks %lu KB\nC heap: %lu KB taken, %lu KB in use; kernel objects %u, tasks %u\n",
           (unsigned long)(s.ram_bytes / 1024), (unsigned long)(s.kernel_free / 1024), (unsigned long)(s.task_free / 1024),
           (unsigned long)m.arena / 1024, (unsigned long)m.uordblks / 1024, (unsigned)s.objects, (unsigned)s.tasks);
    return 0;
}

static int dmesg(int argc, char **argv) {
    (void)argc, (void)argv;
    static char text[1024];
    int64_t n = linx_log_read(text, sizeof text);
    if (n > 0)
        fwrite(text, 1, (size_t)n, stdout);
    return n < 0;
}

// ---- files ------------------------------------------------------------------------------------------------------------------
static int ls(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : ".";
    struct stat st;
    if (stat(path, &st) != 0) {
        perror(path);
        return 1;
    }
    if (!S_ISDIR(st.st_mode)) {
        printf("%8ld %s\n", (long)st.st_size, path);
        return 0;
    }
    DIR *d = opendir(path);
    if (d == NULL || chdir(path) != 0) {
        perror(path);
        return 1;
    }
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (stat(e->d_name, &st) == 0)
            printf("%8ld %s%s\n", (long)st.st_size, e->d_name, S_ISDIR(st.st_mode) ? "/" : "");
    closedir(d);
    return 0;
}

static int ls_here(int argc, char **argv) {             // ls goes there to look, and comes back
    char here[256];
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    int status = ls(argc, argv);
    chdir(here);
    return status;
}

static int cat(int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc; i++) {
        char buffer[512];
        FILE *f = fopen(argv[i], "r");
        if (f == NULL) {
            perror(argv[i]);
            status = 1;
            continue;
        }
        for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) != 0;)
            fwrite(buffer, 1, n, stdout);
        fclose(f);
    }
    return status;
}

static int cd(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "/";
    if (chdir(path) == 0)
        return 0;
    perror(path);
    return 1;
}

// ---- the rest ----------------------------------------------------------------------------------------------------------------
static int echo(int argc, char **argv) {                // echo WORD ... [> FILE]
    FILE *to = stdout;
    if (argc > 2 && strcmp(argv[argc - 2], ">") == 0) {
        to = fopen(argv[argc - 1], "w");
        argc -= 2;
        if (to == NULL) {
            perror(argv[argc + 1]);
            return 1;
        }
    }
    for (int i = 1; i < argc; i++)
        fprintf(to, "%s%s", i > 1 ? " " : "", argv[i]);
    fputc('\n', to);
    if (to != stdout)
        fclose(to);
    return 0;
}

static int sleep_ms(int argc, char **argv) {
    linx_sleep(argc > 1 ? strtoul(argv[1], NULL, 10) * 1000000 : 0);
    return 0;
}

static int script(int argc, char **argv) { return argc == 2 ? shell_script(argv[1]) : 2; }
static int leave(int argc, char **argv) { exit(argc > 1 ? atoi(argv[1]) : 0); }

const struct command commands[] = {
    { "help", "this list", help },
    { "ps", "tasks: priority, state, time, preemptions", ps },
    { "top", "[N]: N looks at the tasks, 1 ms apart", top },
    { "run", "NAME [ARG ...] [&]: a program as a task, & in the background", run_program },
    { "kill", "TASK: ends a task", kill_task },
    { "preempt", "preemption statistics of the machine and of vector tasks", preempt },
    { "free", "memory", free_memory },
    { "dmesg", "what the kernel said last", dmesg },
    { "ls", "[PATH]", ls_here },
    { "cat", "FILE ...", cat },
    { "cd", "[PATH]", cd },
    { "echo", "WORD ... [> FILE]", echo },
    { "sleep", "MILLISECONDS", sleep_ms },
    { "script", "FILE: runs its lines", script },
    { "exit", "[STATUS]: ends the machine", leave },
    { NULL, NULL, NULL },
};
