// SPDX-License-Identifier: BSD-2-Clause
// printf with floating point, which is picolibc's default.
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("the square root of 2 is %.15g\n", sqrt(2));
    return 0;
}
