#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds of the kernel with options: without tile-map registers (tasks declare their tiles), and the debug build, which
# checks the scheduler's rules after every switch.
run() {     # NAME IMAGE OPTIONS...
    name=$1 image=$2
    shift 2
    if out=$(build/bin/linx-sim "$@" --max-insns 2000000000 "$image" 2>&1); then
        echo "ok $name"
    else
        echo "not ok $name: exit $?"
        echo "$out" | tail -20 | sed 's/^/# /'
    fi
}
build() {   # DIRECTORY DEFINES IMAGES...
    dir=$1 defs=$2
    shift 2
    targets=
    for i in "$@"; do targets="$targets build/$dir/images/$i.elf"; done
    make --no-print-directory KERNEL_OUT=build/$dir/kernel IMAGES=build/$dir/images KERNEL_DEFS="$defs" $targets \
        >build/$dir.log 2>&1 || { echo "not ok build with $defs: see build/$dir.log"; tail -5 build/$dir.log | sed 's/^/# /'; exit 0; }
}

build no-tilemap -DLINX_NO_TILEMAP preempt
run "preemption demo without tile-map registers" build/no-tilemap/images/preempt.elf -append "min=300"
build debug -DLINX_DEBUG preempt test_api test_faults test_handlers
run "preemption demo, debug build" build/debug/images/preempt.elf -append "min=50 slice=20000 rounds=600"
run "every call, debug build" build/debug/images/test_api.elf -append ticks
run "misbehaving tasks, debug build" build/debug/images/test_faults.elf
run "fault handlers on 4 PEs, debug build" build/debug/images/test_handlers.elf -smp cores=1,pes=4 --preempt-every 211
