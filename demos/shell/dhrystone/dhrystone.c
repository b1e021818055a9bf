// SPDX-License-Identifier: BSD-2-Clause
// dhrystone [RUNS]: measures Dhrystone 2.1 (its files are built as they come) in instructions of this task, and checks the
// values that its authors say the variables have in the end.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void dhry(int runs);                    // makes one run less than it is told
extern int Int_Glob, Bool_Glob, Arr_1_Glob[50], Arr_2_Glob[50][50];
extern char Ch_1_Glob, Ch_2_Glob;

#define VAX_RUNS 1757                   // a second, of the machine that is 1 MIPS by definition

int dhrystone_main(int argc, char **argv);

int dhrystone_main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 10000;
    struct timespec begun, ended;
    if (runs < 1) {
        printf("usage: dhrystone [RUNS]\n");
        return 2;
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    dhry(runs + 1);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    double million = ((double)(ended.tv_sec - begun.tv_sec) * 1e9 + (double)(ended.tv_nsec - begun.tv_nsec)) / 1e6;
    int good = Int_Glob == 5 && Bool_Glob == 1 && Ch_1_Glob == 'A' && Ch_2_Glob == 'B' && Arr_1_Glob[8] == 7 &&
               Arr_2_Glob[8][7] == runs + 10;
    printf("dhrystone: %d runs, %.1f per million instructions, %.3f DMIPS/MHz at one a cycle; final values %s\n", runs,
           runs / million, runs / million / VAX_RUNS, good ? "right" : "WRONG");
    return !good;
}
