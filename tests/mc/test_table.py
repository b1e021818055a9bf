#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The instruction table against the catalogue of encodings, and against itself."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

forms, enums = t.read()
failed = False


def report(name, bad):
    print(f"ok {name}" if not bad else f"not ok {name}: {bad[0]}" + (f" and {len(bad) - 1} more" if bad[1:] else ""))


def join_parts(parts, key):
    """The catalogue splits 48- and 64-bit words; the first part is fetched first."""
    value, shift = 0, 0
    for p in parts:
        value |= int(p[key], 16) << shift
        shift += p["width"]
    return value


def norm(name):
    return "".join(c if c.isalnum() else "_" for c in name).lower()


def catalogue(path):
    bad, seen = [], {}
    for f in forms:
        seen.setdefault((f.mnemonic, f.length, f.mask, f.match), []).append(f)
    rows = json.load(open(path, encoding="utf-8"))
    used = set()
    for row in rows:
        key = (row["mnemonic"], row["length"], join_parts(row["parts"], "mask"), join_parts(row["parts"], "match"))
        if key not in seen:
            bad.append(f"{row['mnemonic']} ({row['asm']}): no form with this mask and match")
            continue
        form = seen[key][0]
        used.add(form.id)
        want, shift = {}, 0
        for p in row["parts"]:
            for f in p["fields"]:
                # [msb, lsb] or [msb, lsb, where in the value]
                want.setdefault(norm(f["name"]), []).extend(
                    [b[0] + shift, b[1] + shift] + b[2:] for b in f["bits"])
            shift += p["width"]
        # The catalogue adds the role to some names: RegSrc0_DstAddr.
        for name in {norm(f.name) for f in form.fields} - want.keys():
            longer = [k for k in want if k.startswith(name + "_")]
            if len(longer) == 1:
                want[name] = want.pop(longer[0])
        have = {norm(f.name): sorted([a + w - 1, a, at] for a, w, at in f.pieces) for f in form.fields}
        signs = {norm(f.name): f.sign for f in form.fields}
        # Where the catalogue does not say a piece's place in the value, the table's own stands.
        same = want.keys() == have.keys() and all(
            len(have[k]) == len(want[k]) and all(h[:len(w)] == w for h, w in zip(have[k], sorted(want[k]))) for k in have)
        if not same:
            bad.append(f"{form.id}: fields {have}, catalogue {want}")
        for p in row["parts"]:
            for f in p["fields"]:
                if f["signed"] is not None and (signs.get(norm(f["name"])) == "s") != f["signed"]:
                    bad.append(f"{form.id}: {f['name']} signed {f['signed']} in the catalogue")
    bad += [f"{f.id} is not in the catalogue" for f in forms if f.id not in used]
    if len(rows) != len(forms):
        bad.append(f"{len(forms)} forms, {len(rows)} in the catalogue")
    return bad


path = os.path.join(t.ROOT, "../shared/isa/instructions.json")
if os.path.exists(path):
    report("table-agrees-with-catalogue", catalogue(path))
else:
    print("skip table-agrees-with-catalogue: no catalogue beside the repository")

# Two forms that match one word must differ in how much of it they fix.
bad, overlaps = [], 0
real = [f for f in forms if f.where != t.gen.WHERE["pseudo"]]
for i, a in enumerate(real):
    for b in real[:i]:
        if a.length == b.length and not (a.match ^ b.match) & a.mask & b.mask:
            overlaps += 1
            if bin(a.mask).count("1") == bin(b.mask).count("1"):
                bad.append(f"{a.id} and {b.id} match one word, equally specific")
report("overlaps-resolve-by-specificity", bad)
print(f"# {len(forms)} forms, {overlaps} overlapping pairs")


# The length of an instruction follows from its first halfword (the manual, encoding overview).
def length_of(half):
    return 64 if half & 15 == 15 else 32 if half & 1 else 48 if half & 15 == 14 else 16


bad = []
for f in real:
    low = f.match & 0xffff
    fixed = f.mask & 0xf
    if fixed != 0xf and not (f.length == 32 and low & 1 and fixed & 1):
        bad.append(f"{f.id}: the bits that give its length are not all fixed")
    elif length_of(low) != f.length and f.length != 32:
        bad.append(f"{f.id}: length {f.length}, but its first halfword says {length_of(low)}")
    elif f.length == 32 and (not low & 1 or low & 15 == 15):
        bad.append(f"{f.id}: not a 32-bit word")
report("first-halfword-gives-length", bad)

# What the specific documents decide.
by_id = {f.id: f for f in forms}
bad = []
for name, mask, match in (("B_IOS", 0xf00871ff, 0x00001013), ("BSTART_TEPL", 0x06007fff, 0x02001181)):
    if (by_id[name].mask, by_id[name].match) != (mask, match):
        bad.append(name)
report("seed-encodings", bad)

mnemonics = {f.mnemonic for f in forms}
bad = [m for m in ("B.IOD",) if m in mnemonics]
report("retired-forms-absent", bad)

# gen.py must notice a broken table.
import re
import subprocess
import tempfile

cases = [
    ("overlapping-fields", "XX XX 32 0000007f 00000001 S alu A=31:7 B=8:7 ; {A}, {B}", "overlaps"),
    ("uncovered-bits", "XX XX 16 00ff 0000 S alu ; ", "are in no field"),
    ("match-outside-mask", "XX XX 16 00ff 0100 S alu A=15:8 ; {A}", "outside MASK"),
    ("unknown-effect", "XX XX 16 00ff 0000 S magic A=15:8 ; {A}", "EFFECT"),
    ("unknown-field-in-syntax", "XX XX 16 00ff 0000 S alu A=15:8 ; {B}", "no field"),
    ("equal-specificity", "XX XX 16 fff0 0000 S alu A=3:0 ; {A}\nYY YY 16 ff0f 0000 S alu A=7:4 ; {A}", "equally specific"),
]
for name, text, expected in cases:
    with tempfile.TemporaryDirectory() as d:
        os.symlink(os.path.join(t.ROOT, "toolchain/isa/gen.py"), os.path.join(d, "real.py"))
        open(os.path.join(d, "gen.py"), "w").write(open(os.path.join(t.ROOT, "toolchain/isa/gen.py")).read())
        open(os.path.join(d, "linx.isa"), "w").write(text + "\n")
        r = subprocess.run([sys.executable, os.path.join(d, "gen.py"), "--check"], capture_output=True, text=True)
        good = r.returncode != 0 and expected in r.stderr
        report(f"gen-refuses-{name}", [] if good else [f"status {r.returncode}, {r.stderr.strip() or r.stdout.strip()}"])
