# SPDX-License-Identifier: BSD-2-Clause
"""Builds a test of a C library as a program without the kernel (lib/libc/bare) and runs it on the simulator."""
import pathlib, subprocess

root = pathlib.Path(__file__).resolve().parents[2]
bin = root / "build/bin"
LIMIT = 3_000_000_000           # instructions of one test
BASE = "0x80000000"

def call(argv, seconds, where=None):
    """(status, output); status -1: no end in time."""
    try:
        p = subprocess.run([str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=where,
                           timeout=seconds, errors="replace", text=True)
        return p.returncode, p.stdout
    except subprocess.TimeoutExpired as e:
        return -1, (e.stdout.decode(errors="replace") if isinstance(e.stdout, bytes) else e.stdout or "") + "\n(no end)"

def run(library, work, sources, c, ld, base=BASE):
    """library: below it are lib and sysroot. ("compile" | "link" | "run", status, output)."""
    work.mkdir(parents=True, exist_ok=True)
    objects = [work / (s.stem + ".o") for s in sources]
    status, text = call([bin / "linx-cc", "-Os", "-w", "-ffunction-sections", "-fdata-sections", "-isystem", library / "sysroot/include",
                         *c, "-c", *sources], 400, work)
    if status != 0:
        return "compile", status, text
    image = work / "test.elf"
    status, text = call([bin / "linx-ld", "-T", root / "lib/libc/bare/bare.ld", f"--defsym=RAM_BASE={base}", "--gc-sections", "-o", image,
                         library / "lib/bare-crt0.o", *objects, *ld, "--start-group", library / "lib/liblinx-port.a",
                         library / "lib/liblinx-bare.a", library / "lib/libc.a", root / "build/lib/liblinx-builtins.a", "--end-group"], 120)
    if status != 0:
        return "link", status, text
    status, text = call([bin / "linx-sim", "-m", "64M", "-M", f"virt,ram-base={base}", "--max-insns", LIMIT, image], 240)
    (work / "output").write_text(text)
    return "run", status, text
