// SPDX-License-Identifier: BSD-2-Clause
// --preempt-each: one run for every instruction at which an interrupt may strike. The machine goes on undisturbed; at each
// of the instructions a copy of it (fork) is interrupted and runs to its end, while the original waits. So what comes
// before the first one is executed once, and a copy starts with everything decoded.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core.h"

static FILE *real_out, *before;     // where reports go; what the original has written

static FILE *text_file(void)
{
    int fd = memfd_create("preempt-each", MFD_CLOEXEC);
    FILE *f = fd >= 0 ? fdopen(fd, "r+") : NULL;
    if (!f) {
        perror("linx-sim: --preempt-each");
        exit(2);
    }
    return f;
}

// From now on stdout is kept.
void preempt_prepare(void)
{
    fflush(stdout);
    int fd = dup(STDOUT_FILENO);
    real_out = fd >= 0 ? fdopen(fd, "w") : NULL;
    before = text_file();
    if (!real_out || dup2(fileno(before), STDOUT_FILENO) < 0) exit(2);
}

static long size_of(FILE *f)
{
    return (long)lseek(fileno(f), 0, SEEK_END);     // where the next text goes as well
}

static void show(FILE *f)
{
    char buf[4096];
    off_t at = 0;
    for (ssize_t n; (n = pread(fileno(f), buf, sizeof buf, at)) > 0; at += n) fwrite(buf, 1, (size_t)n, real_out);
}

// The original returns false when the copy has ended and has been reported; the copy returns true.
bool preempt_fork(struct machine *m)
{
    FILE *text = text_file();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("linx-sim: --preempt-each");
        exit(2);
    }
    if (child == 0) {
        if (dup2(fileno(text), STDOUT_FILENO) < 0) _exit(2);
        m->copy = true;
        return true;
    }
    int how = 0;
    while (waitpid(child, &how, 0) < 0)
        ;
    int status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    fprintf(real_out, "preempt-at %llu status %d bytes %ld\n", (unsigned long long)m->cfg.preempt_at, status,
            size_of(before) + size_of(text));
    show(before);
    show(text);
    fclose(text);
    if (status != 0) m->status = 1;
    m->cfg.preempt_at += m->cfg.preempt_step;
    if (m->cfg.preempt_at > m->cfg.preempt_last) m->exiting = true;
    return false;
}
