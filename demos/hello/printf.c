// SPDX-License-Identifier: BSD-2-Clause
// The smallest program with a C library: printf, and main's result ends the machine.
#include <stdio.h>

int main(int argc, char **argv) {
    printf("hello from %s with %d argument%s\n", argv[0], argc - 1, argc == 2 ? "" : "s");
    return 0;
}
