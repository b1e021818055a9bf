#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Memory protection and demand paging (programs/space.c): on one PE and on several, plain and under --preempt-every, with an
initrd; the debug kernel, which adds up all page tables."""
import os
import re
import subprocess
import sys
import tempfile

SIM, IMAGE, DEBUG = "build/bin/linx-sim", "build/images/test_space.elf", "build/debug-space"


def run(suffix, image, *options):
    try:
        r = subprocess.run([SIM, *options, "--max-insns", "3000000000", image], capture_output=True, text=True, timeout=280)
        code, out, err = r.returncode, r.stdout, r.stderr
    except subprocess.TimeoutExpired:
        code, out, err = -1, "", "longer than 280 s"
    for line in out.splitlines():
        if re.match(r"(ok |not ok |# )", line):
            print(re.sub(r"^((?:not )?ok [^:]*(?:: [^:]*)?)$", rf"\1 ({suffix})", line))
    print(f"ok memory, {suffix}" if code == 0 else f"not ok memory, {suffix}: exit {code}; {out[-300:]}{err[:300]}", flush=True)


if not os.path.exists(IMAGE):
    sys.exit(f"{IMAGE} is missing: make kernel")
with tempfile.NamedTemporaryFile() as initrd:
    initrd.write(b"something for the root space only" * 300)
    initrd.flush()
    run("one PE", IMAGE, "-initrd", initrd.name)
run("4 PEs", IMAGE, "-smp", "cores=1,pes=4")
for every in ("1", "7"):
    run(f"--preempt-every {every}", IMAGE, "--preempt-every", every, "-append", "quick")
run("8 PEs, --preempt-every 7", IMAGE, "-smp", "cores=2,pes=4", "--preempt-every", "7", "-append", "quick")
run("1 group slot", IMAGE, "--groups", "1", "-append", "quick")
built = subprocess.run(["make", "--no-print-directory", f"KERNEL_OUT={DEBUG}/kernel", f"IMAGES={DEBUG}/images", "KERNEL_DEFS=-DLINX_DEBUG",
                        f"{DEBUG}/images/test_space.elf"], capture_output=True, text=True)
if built.returncode != 0:
    print(f"not ok debug build: {built.stderr[-300:]}")
else:
    run("debug kernel", f"{DEBUG}/images/test_space.elf", "-append", "quick")
    run("debug kernel, 4 PEs", f"{DEBUG}/images/test_space.elf", "-smp", "cores=1,pes=4", "-append", "quick")
