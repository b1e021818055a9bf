#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Proves from the bytes of an image that the kernel never starts a data block but in its save and restore sequence.

usage: check-trap-path.py BIN IMAGE [ALLOWED_BEGIN ALLOWED_END]

BIN is the directory of linx-objdump and linx-nm. Everything in the kernel's text (__kernel_text ..
__kernel_text_end, linker.ld) counts as reachable from a trap, and so does what it calls outside, for instance the C
library's memcpy. A start of a VPAR, VSEQ, MPAR, MSEQ, TMA, TEPL or CUBE block there is an error, except between the
symbols wide_guarded_begin and wide_guarded_end (trap/wide_blocks.S): the interrupted task's block may still own the
engine. Exit status: 0 holds, 1 does not, 2 cannot be checked.
"""
import bisect, pathlib, re, subprocess, sys

if len(sys.argv) not in (3, 5) or sys.argv[1] in ("-h", "--help"):
    print(__doc__)
    sys.exit(0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2)
bin_dir, image = pathlib.Path(sys.argv[1]), sys.argv[2]
allowed = sys.argv[3:5] or ["wide_guarded_begin", "wide_guarded_end"]

def output(tool, *args):
    p = subprocess.run([bin_dir / tool, *args, image], capture_output=True, text=True)
    if p.returncode != 0:
        print(f"check-trap-path: {tool}: {p.stderr.strip()[:300]}", file=sys.stderr)
        sys.exit(2)
    return p.stdout

# It calls the function that its caller names: from the kernel, one of its own (lib/format.c), which is checked with the
# rest of its text. "format" jumps through a table of its own where jump tables are on.
INDIRECT_IS_FINE = {"emit", "kernel_format"}

symbols, functions = {}, []
for line in output("linx-nm", "-n").splitlines():
    f = line.split()
    if len(f) == 3 and f[1] in "tTwW":
        functions.append((int(f[0], 16), f[2]))
    if len(f) == 3:
        symbols[f[2]] = int(f[0], 16)
try:
    kernel = range(symbols["__kernel_text"], symbols["__kernel_text_end"])
    guarded = range(symbols[allowed[0]], symbols[allowed[1]])
except KeyError as e:
    print(f"check-trap-path: {image}: no symbol {e.args[0]}: not an image with the kernel", file=sys.stderr)
    sys.exit(2)
starts = sorted({a for a, _ in functions})
name_at = {a: n for a, n in functions}

insn = re.compile(r"^\s*([0-9a-f]+):\s+((?:[0-9a-f]{4} ?)+)\s+(\S+)\s*(.*)$")
data_start = re.compile(r"^(?:C\.|HL\.)?BSTART\.(?!(?:STD|SYS|FP)$)")
code = {}                               # address -> (mnemonic, operands)
for line in output("linx-objdump", "-d").splitlines():
    m = insn.match(line)
    if m:
        code[int(m[1], 16)] = (m[3], m[4])
addresses = sorted(code)

def span(address):                      # the function that holds the address
    i = bisect.bisect_right(starts, address)
    lo = starts[i - 1] if i else address
    hi = starts[i] if i < len(starts) else addresses[-1] + 1
    return lo, hi

def where(address):
    lo, _ = span(address)
    return f"0x{address:x} <{name_at.get(lo, '?')}+0x{address - lo:x}>"

errors, seen, todo, counted = [], set(), [], 0
def walk(lo, hi, outside):
    global counted
    for a in addresses[bisect.bisect_left(addresses, lo):bisect.bisect_left(addresses, hi)]:
        mnemonic, operands = code[a]
        counted += 1
        if data_start.match(mnemonic) and a not in guarded:
            errors.append(f"{where(a)}: {mnemonic} {operands}")
        indirect = "BSTART" in mnemonic and re.match(r"(IND|ICALL)\b", operands)
        if outside and indirect and name_at.get(lo) not in INDIRECT_IS_FINE:
            errors.append(f"{where(a)}: an indirect jump, called from the kernel: its target cannot be checked")
        target = re.search(r"0x([0-9a-f]+)", operands) if "BSTART" in mnemonic else None
        if target and int(target[1], 16) not in kernel:
            todo.append(int(target[1], 16))

walk(kernel.start, kernel.stop, False)
while todo:
    lo, hi = span(todo.pop())
    if lo not in seen:
        seen.add(lo)
        walk(lo, hi, True)
if not counted:
    print(f"check-trap-path: {image}: no instruction found in the kernel's text", file=sys.stderr)
    sys.exit(2)
for e in errors[:100]:
    print(f"check-trap-path: {image}: reachable from a trap: {e}", file=sys.stderr)
names = " ".join(sorted(name_at.get(a, "?") for a in seen))
if not errors:
    print(f"{counted} instructions checked; outside the kernel: {names or 'none'}")
sys.exit(1 if errors else 0)
