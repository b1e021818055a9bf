#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The simulator's virtio devices, driven directly by a host program built with address and undefined-behaviour
# sanitizers. Their complaints about hostile guests go to a log; a sanitizer report fails the test.
set -eu
out=build/tests/dev
mkdir -p $out
gcc -std=gnu17 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -Isim -Iinclude \
    tests/dev/dev_test.c sim/dev/options.c sim/dev/virtio*.c -lslirp -o $out/dev_test
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! $out/dev_test "$scratch" "${FUZZ:-20000}" 2>$out/dev_test.log; then
    tail -n 40 $out/dev_test.log
    exit 1
fi
