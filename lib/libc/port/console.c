// SPDX-License-Identifier: BSD-2-Clause
// The terminal on the UART. Output of one write goes out unbroken, so lines of different tasks never mix. Input comes
// in lines that can be edited until Enter: Backspace, ^W (word), ^U (line), ^C (start over), ^D (end of file on an
// empty line, else what stands there).
#include <string.h>
#include <unistd.h>

#include "port.h"

#define LINE 256

static struct port_lock out_lock, in_lock;

ssize_t console_put_all(const void *from, size_t n) {
    const char *at = from;
    size_t left = n;
    port_lock(&out_lock);
    while (left != 0) {
        int64_t taken = linx_console_write(at, left);
        if (taken < 0) {
            port_unlock(&out_lock);
            return port_errno(taken);
        }
        at += taken;
        left -= (size_t)taken;
    }
    port_unlock(&out_lock);
    return (ssize_t)n;
}

static void echo(const char *s) { console_put_all(s, strlen(s)); }

static size_t erase(char *line, size_t used, size_t to) {
    for (; used > to; used--)
        echo("\b \b");
    line[used] = 0;
    return used;
}

static size_t word_start(const char *line, size_t used) {
    while (used != 0 && line[used - 1] == ' ')
        used--;
    while (used != 0 && line[used - 1] != ' ')
        used--;
    return used;
}

// Reads and echoes a line of at most LINE - 1 bytes with its newline; 0 = end of file.
static size_t edit(char *line) {
    size_t used = 0;
    for (;;) {
        char c;
        if (linx_console_read(&c, 1, LINX_FOREVER) != 1)
            return 0;
        switch (c) {
        case '\r':
        case '\n':
            echo("\n");
            line[used++] = '\n';
            return used;
        case 4:                                         // ^D
            return used;
        case 3:                                         // ^C
            echo("^C\n");
            line[0] = '\n';
            return 1;
        case '\b':
        case 127:
            if (used != 0)
                used = erase(line, used, used - 1);
            break;
        case 21: used = erase(line, used, 0); break;    // ^U
        case 23: used = erase(line, used, word_start(line, used)); break;   // ^W
        default:
            if ((unsigned char)c >= ' ' && used < LINE - 2) {
                line[used++] = c;
                console_put_all(&c, 1);
            }
        }
    }
}

ssize_t console_line_read(void *to, size_t n) {
    static char line[LINE];
    static size_t at, have;                             // what the last read left over
    port_lock(&in_lock);
    if (at == have) {
        at = 0;
        have = edit(line);
    }
    size_t take = have - at < n ? have - at : n;
    memcpy(to, line + at, take);
    at += take;
    port_unlock(&in_lock);
    return (ssize_t)take;
}
