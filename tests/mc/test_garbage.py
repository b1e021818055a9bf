#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Random bytes disassemble to source that gives them back; damaged source is refused, never a crash."""
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

rng = random.Random(7)
PIECES = ["->", "<<", "#", ".", "[", "]", "{", "}", "<", ">", "%lo(", "(", ")", "-", "a0", "t#1", "vt#9", "r", "S256",
          "99999999999999999999", "0x", "last", "mask=", "S#1", ",", "=", "~", "!", "LB0:", "\\", "'", '"']


def damaged(line):
    c = list(line)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(c) + 1)
        what = rng.random()
        if what < 0.4:
            c[at:at] = list(rng.choice(PIECES))
        elif what < 0.8:
            del c[at:at + rng.randint(1, 4)]
        else:
            c[at:at] = [chr(rng.randrange(32, 127))]
    return "".join(c)


with tempfile.TemporaryDirectory() as tmp:
    obj, again = os.path.join(tmp, "a.o"), os.path.join(tmp, "b.o")
    data = rng.randbytes(40000)
    source = "\n".join(".byte " + ",".join(map(str, data[i:i + 32])) for i in range(0, len(data), 32))
    t.words(source + "\n", out=obj)
    text = subprocess.run([t.OBJDUMP, "--asm", "-j", ".text", obj], capture_output=True, text=True).stdout
    status, messages = t.assemble(text, out=again)
    print("ok random-bytes" if not status and t.section(again) == data else f"not ok random-bytes: {messages[:200]}")

    lines = [l for l in text.splitlines() if l.startswith("\t") and not l.startswith(("\t.half", "\t.option"))]
    bad = "\n".join(damaged(rng.choice(lines)) for _ in range(8000))
    r = subprocess.run([t.AS, "-o", again, "-"], input=bad, capture_output=True, text=True, errors="replace")
    errors = r.stderr.count(": error: ")
    print("ok damaged-source" if r.returncode == 1 and errors > 1000 else
          f"not ok damaged-source: status {r.returncode}, {errors} errors, {r.stderr[-200:]}")
