#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the data engine's host tests with address and undefined-behaviour sanitizers and runs them.
set -e
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
mkdir -p "$BUILD"
make -s gen
if ! make -s -j2 -f tests/engine/Makefile BUILD="$BUILD" >"$BUILD/engine-tests.log" 2>&1; then
    tail -n 20 "$BUILD/engine-tests.log" | sed 's/^/# /'
    echo "not ok engine tests build: see $BUILD/engine-tests.log"
    exit 0
fi
for t in "$BUILD"/tests/engine/test_* "$BUILD"/tests/engine/fuzz; do
    case $t in *.d|*.o) continue;; esac
    # A crash or a sanitizer report ends the program early: name it.
    "$t" 2>&1 || echo "not ok $(basename "$t"): exit status $?"
done
