#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Code of the public LLVM port: every word of its objects disassembles, and assembles back to the same bytes.

The objects are read from a mirror of the LinxISA/LinxCore repository beside this one; without it the test skips.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

REPO = os.environ.get("LINX_PUBLIC_REPO", os.path.join(t.ROOT, "../.mirror/LinxISA+LinxCore/repo"))
FOLDER = "tests/benchmarks_latest_llvm_musl/elf"


def git(*args):
    return subprocess.run(["git", "-C", REPO, *args], capture_output=True, check=True).stdout


if not os.path.isdir(REPO):
    print("skip public-objects: no mirror of LinxISA/LinxCore beside the repository")
    sys.exit(0)

paths = [p for p in git("ls-tree", "-r", "--name-only", "HEAD", FOLDER).decode().split() if p.endswith(".o")]
count = 0
with tempfile.TemporaryDirectory() as tmp:
    for path in paths:
        name = path[len(FOLDER) + 1:-2].replace("/", "-")
        obj, again = os.path.join(tmp, "a.o"), os.path.join(tmp, "b.o")
        with open(obj, "wb") as f:
            f.write(git("show", f"HEAD:{path}"))
        text = subprocess.run([t.OBJDUMP, "--asm", "-j", ".text", obj], capture_output=True, text=True, check=True).stdout
        lines = [l for l in text.splitlines() if l.startswith("\t") and not l.startswith(("\t.option", "\t.section"))]
        unknown = [l.strip() for l in lines if l.startswith(("\t.half", "\t.byte"))]
        count += len(lines)
        status, messages = t.assemble(text, out=again)
        if unknown:
            print(f"not ok {name}: {len(unknown)} unknown words, first {unknown[0]}")
        elif status:
            print(f"not ok {name}: {messages.splitlines()[0]}")
        elif t.section(obj) != t.section(again):
            print(f"not ok {name}: reassembled bytes differ")
        else:
            print(f"ok {name}")
print(f"# {len(paths)} objects, {count} instructions")
