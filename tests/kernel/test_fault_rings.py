#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Faults in rings 1 and 0: every row of tests/kernel/programs/raise.S that can be raised there, in images whose kernel or
monitor raises it; the report is compared with the row.

Cannot occur, and so is in no row:
  E_INST bus, E_DATA bus           the board has no bus that fails: nothing there is an access fault
  E_INST parameter                 only ACRE with a ring or block type that cannot be resumed: tests/sim
  E_BLOCK invalid fixup            no rule of docs/target.md raises it
  E_ASSERT, load and store misaligned (LR, SC, AMO) outside SYS; atomics outside SYS, MPAR, MSEQ: not instructions there (illegal)
  E_ISSR in data blocks            SSRGET is not an instruction of bodies
  E_BLOCK type in templates; INVAL_GET, DOUBLESET, TYPE of registers and tiles in scalar blocks: these have no such operands
  E_BLOCK invalid parameter in SYS  a SYS block falls through: it has no target to miss
  E_INST permission of data blocks (ECONFIG.V) reaches no record: it is how a task asks for the engine
  E_SCALL                          a system call, never a fault
  ring 1 and 0: permissions and the Shared window, which bind ring 2 only
"""
import re
import subprocess
import sys

SIM, IMAGES = "build/bin/linx-sim", "build/images"
CLASS = {0: "E_INST", 1: "E_DATA", 4: "E_BLOCK", 15: "E_ASSERT", 16: "E_SCALL", 17: "E_BREAKPOINT", 62: "E_ISSR"}
CAUSE = {0: ["access", "translation", "misaligned", "illegal", "permission", "page", "bus", "parameter"],
         1: ["load access", "load misaligned", "load page", "store access", "store misaligned", "store page", "range", "bus"],
         4: ["invalid set", "invalid get", "invalid parameter", "double set", "invalid fixup", "type"]}
KIND = ["STD", "SYS", "FP", "template", "VPAR", "VSEQ", "MPAR", "MSEQ", "TMA", "TEPL", "CUBE", "none"]
BY_MMU = {0x100: (0, 5), 0x101: (0, 2), 0x102: (3, 5), 0x103: (0, 1)}      # raise.h: without and with translation
FAR = 0x4000000000000000
IN_1, IN_0 = 2, 1


def verdict(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why}", flush=True)


def run(image, *options):
    try:
        r = subprocess.run([SIM, *options, "--max-insns", "30000000", f"{IMAGES}/{image}.elf"], capture_output=True, text=True,
                           timeout=60)
        return r.returncode, r.stdout
    except subprocess.TimeoutExpired:
        return -1, ""


def table():
    """The rows, as the program of ring 2 prints them; and whether translation is on."""
    code, out = run("test_records", "-append", "list=1")
    rows = [line.split()[1:] for line in out.splitlines() if line.startswith("row ")]
    if code != 0 or len(rows) < 100:
        sys.exit(f"test_records list=1: exit {code}, {len(rows)} rows")
    names = ("name", "trap", "cause", "kind", "inside", "from", "address", "rings", "bpc", "tpc")
    hole = int(re.search(r"# hole (\w+)", out)[1], 16)
    return [dict(zip(names, [r[0]] + [int(x, 16) for x in r[1:]])) for r in rows], hole, "# tasks are translated" in out


def compare(row, hole, ring, out, translated):
    cause = BY_MMU[row["cause"]][translated] if row["cause"] & 0x100 else row["cause"]
    m = re.search(r"(E_\w+)\(([\w -]+)\) (\d+)\.(\d+) arg 0x([0-9a-f]+), ring (\d)", out)
    if not m:
        return "no record"
    want = (CLASS[row["trap"]], CAUSE.get(row["trap"], ["-"] * 32)[cause], row["trap"], cause, ring)
    got = (m[1], m[2], int(m[3]), int(m[4]), int(m[6]))
    bad = [] if want == got else [f"{got} instead of {want}"]
    if row["from"] != 2:                    # FROM_BUFFER: its address is the image's own business
        address = row["address"] + (hole if row["from"] == 1 else 0)
        bad += [] if int(m[5], 16) == address else [f"arg 0x{m[5]} instead of 0x{address:x}"]
    if ring == 1:
        block = re.search(r"block   \w+(, inside)?, (\w+)", out)
        if not block or KIND.index(block[2]) != row["kind"] or (block[1] is not None) != bool(row["inside"]):
            bad.append(f"block {block[0] if block else None}")
    for register in ("bpc", "tpc"):
        place = row[register]
        m = re.search(register.upper() + r" +0x([0-9a-f]+)(?:  (\w+)\+0x([0-9a-f]+))?", out)
        if not m:
            bad.append(f"no {register}")
        elif place in (1, 2, 3):
            bad += [] if int(m[1], 16) == {1: hole, 2: hole + 1, 3: FAR}[place] else [f"{register} 0x{m[1]}"]
        elif (m[2], int(m[3], 16) if m[3] else None) != (("raise_" + row["name"])[:23 if ring else None], place - 16):     # fault.h
            bad.append(f"{register} {m[2]}+{m[3]} instead of raise_{row['name']}+0x{place - 16:x}")
    return "; ".join(bad)


def main():
    rows, hole, translated = table()
    for ring, image, bit in ((1, "test_ring1", IN_1), (0, "test_ring0", IN_0)):
        failed, count = [], 0
        for number, row in enumerate(rows):
            if not row["rings"] & bit:
                continue
            code, out = run(image, "-append", f"row={number}")
            count += 1
            why = f"exit {code}" if code in (0, 124, -1) else compare(row, hole, ring, out, translated and ring == 1)
            if why:
                failed.append(row["name"])
                print(f"# ring {ring}, row {number} {row['name']}: {why}")
        verdict(f"the report of each exception in each kind of block in ring {ring} ({count} rows)", not failed and count > 100,
                f"{len(failed)} of {count}: {failed[:8]}")
    code, out = run("test_ring1")
    verdict("the same kernel without a row runs", code == 0, f"exit {code}: {out[-200:]}")


main()
