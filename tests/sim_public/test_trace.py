#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The public CoreMark and Dhrystone traces, replayed on linx-sim: every row agrees in pc, written registers and
memory accesses.

The executables are not public, so the image is rebuilt from the trace: instructions from its rows, data from the
first load of each place, registers from the first read of each. The board has devices where the traced program
had its memory, so everything is moved by a distance D; addresses in data and registers move along. It runs at two
distances. A value that is the trace's plus k times D in both runs, with one k, agrees exactly: k is 0 for numbers,
1 for addresses, -1 for negated ones."""
import re, subprocess, tempfile
import public
from linxelf import *

public.need("linx-sim")
SIM = BIN / "linx-sim"
forms = instruction_table()
D = (0x80000000, 0x98000000)
GPR = ["zero", "sp"] + [f"a{i}" for i in range(8)] + ["ra"] + [f"s{i}" for i in range(9)] + [f"x{i}" for i in range(4)]
ROW = re.compile(r"seq=(\d+) .*?pc=0x(\w+) \| insn=0x(\w+) \| len=(\d+) \| next=0x(\w+).*?parent=0x(\w+) \| src0=(\S+) \| src1=(\S+) "
                 r"\| dst=(\S+) \| wb=(\S+) \| mem=(\S+) ")
MEM = re.compile(r"(LD|ST)(\d+)@0x(\w+)=>?0x(\w+)")


def is_start(insn):
    word = int.from_bytes(insn, "little")
    return any("BSTART" in name and bits == 8 * len(insn) and word & mask == match and word
               for name, (bits, mask, match, _) in forms.items())


def rows_of(text):
    """[[rows, pc, insn bytes, {reg: value}, [(kind, address, size, value)], {reg: value read}, parent, end]], one an
    instruction. The start that ends a block has a row of its own in the trace, and none in the simulator's: it is
    counted with the instruction before it, and "end" is its (pc, bytes)."""
    raw = [m for m in map(ROW.match, text.splitlines()) if m]
    out = []
    for i, m in enumerate(raw):
        pc, size, parent = int(m[2], 16), int(m[4]), int(m[6], 16)
        insn = int(m[3], 16).to_bytes(size, "little")
        following = int(raw[i + 1][2], 16) if i + 1 < len(raw) else pc + size
        reads = {int(r[0][1:]): int(r[1], 16) for r in (x.split("=") for x in (m[7], m[8]) if x != "-")}
        writes = {int(r[0][1:]): int(r[1], 16) for r in [m[10].split("=")] if m[10] != "-"}
        mem = [("R" if k == "LD" else "W", int(a, 16), int(n), int(v, 16)) for k, n, a, v in MEM.findall(m[11])]
        if out and parent and out[-1][6] == parent:     # a further step of a template block
            last = out[-1]
            last[0] += 1
            last[3].update(writes)
            last[4] += mem
        elif is_start(insn) and following != pc + size and out:
            last = out[-1]
            last[0] += 1
            last[7] = (pc, insn)
        else:
            out.append([1, pc, insn, writes, mem, reads, parent, None])
    return out


def image_of(rows, distance):
    """(entry, segments): the traced program moved by distance, behind a start that loads the registers."""
    memory, regs, known = {}, {}, {}
    moved = lambda v: v + distance if 0x10000 <= v < 0x8000000 else v
    written = set()
    for n, (_, pc, insn, writes, mem, reads, parent, end) in enumerate(rows):
        for at, word in [(pc, insn)] + ([end] if end else []):
            memory.update({at + i: b for i, b in enumerate(word)})
        after = pc + len(insn)
        if n + 1 < len(rows) and rows[n + 1][1] != after and not parent and not end and insn != bytes(2) and not is_start(insn):
            # The block ended here by something that has no row: any start will do.
            for i, b in enumerate(encode(forms, "C_BSTART_STD", BrType=1)):
                memory.setdefault(after + i, b)
        for r, v in reads.items():
            if r < 24 and r not in known:
                known[r] = regs[r] = v
        known.update(writes)
        for kind, at, size, value in mem:
            if kind == "R" and not any(a in written or a in memory for a in range(at, at + size)):
                full = moved(value) if size == 8 else value
                memory.update({at + i: full >> 8 * i & 255 for i in range(size)})
            if kind == "W":
                written.update(range(at, at + size))
    start, code = 0x1000, forms["C_BSTART_STD"][2].to_bytes(2, "little")
    code = encode(forms, "C_BSTART_STD", BrType=1)
    for r in range(1, 24):
        v = moved(regs.get(r, 0))
        code += encode(forms, "HL_LIU", RegDst=r, uimm32=v)
    jump = start + len(code)
    code += encode(forms, "HL_BSTART_STD_DIRECT", simm=rows[0][1] - jump) + encode(forms, "C_BSTOP")
    memory.update({start + i: b for i, b in enumerate(code)})
    segments, run = [], None
    for at in sorted(memory):
        if run is None or at != run[0] + len(run[1]):
            run = (at, bytearray())
            segments.append(run)
        run[1].append(memory[at])
    return start + distance, [(a + distance, bytes(d)) for a, d in segments], 25 - 1 + 2


def replay(rows, distance):
    """The simulator's lines for the rows: [(pc, bytes, {reg: value written}, [(kind, address, size, value)], {reg: value})]"""
    entry, segments, lead = image_of(rows, distance)
    with tempfile.TemporaryDirectory() as d:
        path = pathlib.Path(d) / "image"
        path.write_bytes(executable(entry, segments))
        p = subprocess.run([SIM, "-M", "virt", "-m", "130M" if distance == D[0] else "520M", "-nographic", "-kernel", path, "-d", "insn",
                            "-D", pathlib.Path(d) / "log", "--max-insns", str(len(rows) + 60)], capture_output=True, text=True, timeout=60)
        log = (pathlib.Path(d) / "log")
        lines = log.read_text().splitlines() if log.exists() else []
        if not lines:
            return [], p.stderr
    out, state = [], {r: 0 for r in range(24)}
    for line in lines:
        if not line.startswith("insn "):
            continue
        _, _, _, pc, word, size, text = line.split(" ", 6)
        effects = text.split(" ; ")[0].split(" | ")[1:]
        writes = {GPR.index(n): int(v, 16) for n, v in (e.split("=") for e in effects if "=" in e) if n in GPR}
        mem = [(k, int(a, 16), int(n), int(v, 16)) for k, a, n, v in (e.split() for e in effects if e[:2] in ("R ", "W "))]
        state.update(writes)
        out.append((int(pc, 16), int(word, 16).to_bytes(int(size), "little"), writes, mem, dict(state)))
    first = next((i for i, o in enumerate(out) if o[0] == rows[0][1] + distance), None)
    return (out[first:] if first is not None else []), p.stderr


def agrees(trace, a, b):
    """Is a the trace's value moved by k * D[0], and b by k * D[1]?"""
    k, rest = divmod(b - a, D[1] - D[0])
    if rest:  # the difference wrapped around
        k, rest = divmod(b - a - (1 << 64), D[1] - D[0])
        if rest:
            k, rest = divmod(b - a + (1 << 64), D[1] - D[0])
    return not rest and abs(k) <= 4 and (a - k * D[0] - trace) % (1 << 64) == 0


def compare(row, one, two):
    """'' or what differs"""
    _, pc, insn, writes, mem, _, _, end = row
    if end and end[0] != pc + len(insn):
        return f"the block ends at {end[0]:#x}, not behind {pc:#x}"
    if (one[0], two[0]) != (pc + D[0], pc + D[1]):
        return f"pc {one[0] - D[0]:#x}, the trace has {pc:#x}"
    if one[1] != insn:
        return f"instruction {one[1].hex()}, the trace has {insn.hex()}"
    if row[6]:  # the simulator's line of a frame template leaves out registers that keep their value
        one, two = ((*x[:2], {**{r: x[4][r] for r in writes}, **x[2]}, x[3]) for x in (one, two))
    if not writes.keys() == one[2].keys() == two[2].keys():
        return f"writes {[GPR[r] for r in one[2]]}, the trace has {[GPR[r] for r in writes]}"
    for r, v in writes.items():
        if not agrees(v, one[2][r], two[2][r]):
            return f"{GPR[r]} = {one[2][r]:#x}, the trace has {v:#x}"
    if not len(mem) == len(one[3]) == len(two[3]):
        return f"memory {one[3]}, the trace has {mem}"
    for m, x, y in zip(mem, one[3], two[3]):
        mask = (1 << 8 * m[2]) - 1
        if x[0] != m[0] or x[2] != m[2] or not agrees(m[1], x[1], y[1]) or (
                not agrees(m[3], x[3], y[3]) and (m[3] - x[3]) & mask):
            return f"memory {x}, the trace has {m}"
    return ""


for program in ("coremark", "dhrystone"):
    rows = rows_of(public.read(f"verify/{program}/dut_trace.txt").decode())
    total = sum(r[0] for r in rows)
    (one, err), (two, _) = replay(rows, D[0]), replay(rows, D[1])
    why, done = "" if one and two else f"no trace: {err.strip()[:300]}", 0
    if not why:
        for row, x, y in zip(rows, one, two):
            why = compare(row, x, y)
            if why:
                why = f"row {done}, pc {row[1]:#x}: {why}"
                break
            done += row[0]
        else:
            if min(len(one), len(two)) < len(rows):
                why = f"the run ended after {done} rows: {err.strip()[:300]}"
    verdict(f"{program}: {done} of {total} trace rows agree", not why and done == total and total >= 300, why or f"only {total} rows")
