#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every scalar instruction, by the rows of tests/sim/*.tab.
make -s build/tests/sim/table >&2 || exit 1
exec build/tests/sim/table tests/sim/*.tab
