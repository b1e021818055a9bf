#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A short fuzz of the core (the long one under sanitizers: make fuzz).
make -s build/tests/sim/fuzz >&2 || exit 1
exec build/tests/sim/fuzz 5000 "$(date +%j)"
