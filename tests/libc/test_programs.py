#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the libraries' test programs (programs/threads.c, files.c, memory.c, cmsis.c, endings.c) under the timer and under forced preemption."""
import itertools, pathlib, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/libc"))
import cpio, libraries

initrd = cpio.archive({"dir": None, "dir/one": b"12345", "big": bytes(i * 7 & 255 for i in range(70000))})
if not libraries.built():
    print("skip the libraries' programs: not built (make libc)")
for library, program in itertools.product(libraries.built(), ("threads", "files", "memory", "cmsis")):
    image = library.images / f"libc-{program}.elf"
    for every in (None, 13) if program != "memory" else (None,):
        with tempfile.NamedTemporaryFile() as f:
            f.write(initrd)
            f.flush()
            try:
                p = subprocess.run([root / "build/bin/linx-sim", "-m", "64M", "--max-insns", "2000000000", "-initrd", f.name,
                                    *([] if every is None else ["--preempt-every", str(every)]), image],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300,
                                   text=True, errors="replace")
                status, text = p.returncode, p.stdout
            except subprocess.TimeoutExpired:
                status, text = -1, "no end after 300 s"
        lines = [l for l in text.splitlines() if l.startswith(("ok ", "not ok "))]
        note = "" if every is None else f" (preempted every {every})"
        for l in lines:
            result, name = l.split("ok ", 1)
            print(result + "ok " + library.label(name) + (note if not result else ""))
        if status != 0 and not any(l.startswith("not ok ") for l in lines):
            print(f"not ok {library.label(f'libc {program}{note}')}: status {status}: {text[-300:]!r}")

after = "registered second\nregistered first\ndestructor\n"
endings = (("return", 6, "constructor\n" + after), ("thread", 9, "exit from a thread" + after),
                          ("assert", 134, "assertion \"argc == 1000\" failed"), ("assert", 134, "abort: task"),
                          ("abort", 134, "handler of 6\n"))
for library, (how, status, want) in itertools.product(libraries.built(), endings):
    name = library.label(f"libc endings by {how} ({want.splitlines()[0][:40]})")
    image = library.images / "libc-endings.elf"
    p = subprocess.run([root / "build/bin/linx-sim", "-m", "64M", "--max-insns", "100000000", "-append", how, image],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=100, text=True, errors="replace")
    good = p.returncode == status and want in p.stdout
    print(f"ok {name}" if good else f"not ok {name}: status {p.returncode}: {p.stdout[-300:]!r}")
