#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every form with boundary operands: bytes -> linx-objdump --asm -> linx-as -> the same bytes."""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isa_table as t

forms, enums = t.read()
rng = random.Random(1)

SOURCE_IDS = ([*range(0, 4), *range(8, 12), *range(16, 20), *range(24, 28), *range(32, 44), *range(56, 64),
               64, 65, 68, 69, 72, 73, *range(80, 93), 95] + [96 + i for h in (0, 8, 16, 24) for i in range(h, h + 4)])
DEST_IDS = [0, 1, 2, 3, 32, 33, 34, 35, 62, 63, 92]


def legal(field, form):
    """Values that a field may hold (docs/target.md 2.3 and 3); None: every bit pattern."""
    if field.kind == "vsrc":
        return [i | ty << 7 for i in SOURCE_IDS for ty in range(8)]
    if field.kind == "fvsrc":
        return [i | ty << 7 for i in SOURCE_IDS for ty in (0, 1, 2, 3, 6, 7)]
    if field.kind == "vdst":
        return [i | w << 7 for i in DEST_IDS for w in range(4)]
    if field.kind in ("vnegmod", "vnotmod"):
        return [0, 3]
    if field.kind == "reg":
        return list(range(2 if field.name.endswith(("Begin", "End")) else 0, 24))
    if form.id == "B_IOS" and field.name == "SizeCode":
        return list(range(13))
    return None


def boundary(field, form):
    values = legal(field, form)
    if values is not None:
        return values if len(values) < 24 else rng.sample(values, 22) + [values[0], values[-1]]
    bits = [p for lsb, w, at in field.pieces for p in range(at, at + w)]
    if len(bits) <= 5:
        return [sum((v >> i & 1) << b for i, b in enumerate(bits)) for v in range(1 << len(bits))]
    top = max(bits)
    every = sum(1 << b for b in bits)
    # 0, 1, largest positive and negative, all ones, each single bit
    return [0, 1 << min(bits), every, every & ~(1 << top), 1 << top] + [1 << b for b in bits]


def any_value(field, form):
    values = legal(field, form)
    return rng.choice(values) if values is not None else rng.getrandbits(field.width)


def words_of(form):
    made = set()
    for f in form.fields:
        for v in boundary(f, form):
            w = form.match
            for g in form.fields:
                w = t.put(g, w, v if g is f else any_value(g, form))
            made.add(w)
    for edge in (0, -1):
        w = form.match
        for g in form.fields:
            values = legal(g, form)
            w = t.put(g, w, values[edge] if values else edge)
        made.add(w)
    if not form.fields:
        made.add(form.match)
    # A word that a more specific form claims is that form's.
    if form.where != t.gen.WHERE["pseudo"]:
        made = {w for w in made if t.decode(forms, w, form.length) is form}
    return sorted(made)


def halves(word, length):
    return ", ".join(f"0x{word >> s & 0xffff:04x}" for s in range(0, length, 16))


def mnemonic_matches(form, printed):
    want = form.mnemonic.lower().replace(" ", ".")
    got = printed.lower()
    if form.where == t.gen.WHERE["pseudo"]:
        return True  # two instructions
    if want.startswith("v."):
        got = re.sub(r"^l\.", "v.", got)
    return got == want or got.startswith(want + ".")


def check(tmp):
    bad, total, missing = [], 0, []
    source, owners = [], []
    for form in forms:
        words = words_of(form)
        if not words:
            missing.append(form.id)
        for w in words:
            source.append(f".half {halves(w, form.length)}")
            owners += [(form, w)]
        total += len(words)
    obj, again = os.path.join(tmp, "a.o"), os.path.join(tmp, "b.o")
    binary = t.words("\n".join(source) + "\n", out=obj)
    text = subprocess.run([t.OBJDUMP, "--asm", "-j", ".text", obj], capture_output=True, text=True, check=True).stdout
    lines = [l for l in text.splitlines() if l.startswith("\t") and not l.startswith(("\t.option", "\t.section"))]

    # The printed instructions, one for each word (two for the fused units).
    index = 0
    for form, w in owners:
        line = lines[index].strip() if index < len(lines) else ""
        if line.startswith(".half") or not mnemonic_matches(form, line.split("\t")[0]):
            bad.append(f"{form.id} {w:#x} prints as '{line}'")
        index += 2 if form.where == t.gen.WHERE["pseudo"] else 1
    if index != len(lines):
        bad.append(f"{len(lines)} lines for {index} instructions")

    status, messages = t.assemble(text, out=again)
    if status:
        bad += [m for m in messages.splitlines() if "error" in m]
    else:
        got, pos = t.section(again), 0
        if got != binary:
            for form, w in owners:
                n = form.length // 8
                if got[pos:pos + n] != binary[pos:pos + n]:
                    bad.append(f"{form.id}: {binary[pos:pos + n].hex()} became {got[pos:pos + n].hex()}")
                    break
                pos += n
    return bad, total, missing


with tempfile.TemporaryDirectory() as tmp:
    bad, total, missing = check(tmp)
for line in bad[:20]:
    print("#", line)
print(f"# {len(forms)} forms, {total} words")
print("ok every-form-round-trips" if not bad else f"not ok every-form-round-trips: {len(bad)} differences, {bad[0]}")
print("ok every-form-tried" if not missing else f"not ok every-form-tried: {missing}")
