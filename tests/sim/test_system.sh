#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Blocks, templates, trap records, interrupts, fixup and atomic blocks; then MMU, several PEs, devices, data bodies.
make -s build/tests/sim/system build/tests/sim/machine >&2 || exit 1
build/tests/sim/system && build/tests/sim/machine
