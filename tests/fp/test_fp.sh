#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Floating point of the simulator against the host, bit for bit, flags included: 10^6 operands an operation
# (FP_COUNT overrides), then FP64 exp against decimal arithmetic of 60 digits.
set -eu
case $(uname -m) in
x86_64) ;;
*) echo "skip fp: the oracle needs an x86-64 host (tininess after rounding, 64-bit long double significand)"; exit 0 ;;
esac
out=build/tests/fp
mkdir -p $out
gcc -std=c17 -O2 -Wall -Wextra -Werror -frounding-math -ffp-contract=off -Isim/fp tests/fp/fp_test.c sim/fp/*.c -lm -o $out/fp_test
$out/fp_test "${FP_COUNT:-1000000}" "${FP_SEED:-1}"
python3 tests/fp/exp_oracle.py $out/fp_test
