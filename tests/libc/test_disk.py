#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The disk driver (drivers/virtio_blk.c) and /dev/vda (programs/disk.c), with what is on the disks afterwards."""
import itertools, pathlib, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/libc"))
import libraries

def sectors(n):
    return bytes((s + 3 * i) & 255 for s in range(n) for i in range(512))

def run(library, name, options):
    p = subprocess.run([root / "build/bin/linx-sim", "-m", "64M", "--max-insns", "2000000000", *options, library.images / "libc-disk.elf"],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300, text=True, errors="replace")
    lines = [l for l in p.stdout.splitlines() if l.startswith(("ok ", "not ok "))]
    for l in lines:
        result, what = l.split("ok ", 1)
        print(result + "ok " + library.label(what) + (name if not result else ""))
    if p.returncode != 0 and not any(l.startswith("not ok ") for l in lines):
        print(f"not ok {library.label('disk')}{name}: status {p.returncode}: {p.stdout[-300:]!r}")

if not libraries.built():
    print("skip disks: no C library is built (make libc)")
machines = [("", []), (" (preempted every 7)", ["--preempt-every", "7"]), (" (8 PEs)", ["-smp", "cores=2,pes=4"])]
for library, (name, options) in itertools.product(libraries.built(), machines):
    with tempfile.TemporaryDirectory() as d:
        disk, fixed = pathlib.Path(d, "disk"), pathlib.Path(d, "fixed")
        disk.write_bytes(sectors(64))
        fixed.write_bytes(sectors(8))
        drives = ["-drive", f"file={disk},id=a", "-device", "virtio-blk-device,drive=a"]
        run(library, name, [*options, *drives, "-drive", f"file={fixed},id=b,readonly=on", "-device", "virtio-blk-device,drive=b"])
        want = bytearray(sectors(64))
        want[4 * 512 - 3:4 * 512 + 14] = b"across the border"
        want[9 * 512:10 * 512] = b"w" * 512
        for s in range(16, 48):
            want[s * 512:(s + 1) * 512] = bytes([(s - 16) % 8 * 16 + 2]) * 512
        what = library.label("disk: the file behind it has what was written, and nothing else") + name
        have = disk.read_bytes()
        print(f"ok {what}" if have == want and fixed.read_bytes() == sectors(8) else
              f"not ok {what}: sectors {[s for s in range(64) if have[s * 512:(s + 1) * 512] != want[s * 512:(s + 1) * 512]]}")
        if not name:
            run(library, "", [*drives, "-append", "again"])
            run(library, "", ["-append", "absent"])
