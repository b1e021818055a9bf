#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every relocation of linx_relocs.def: the value lands in the field that linx.isa describes, at the ends
of its range; one step beyond is an error that names relocation, symbol, object, section and offset."""
import re
from linxelf import *

need_linker()
forms, rels, bench = instruction_table(), relocations(), Bench()
PAGE = 4096
TEXT = 0x4000_0000_0000          # sites: far from any limit
TARGET = 0x4000_0000_0840        # the symbol that sites refer to
SCRIPT = """SECTIONS {
  .tdata 0x300000 : { *(.tdata) }  .tbss : { *(.tbss) }
  .got 0x400000000000 - 0x8000 : { *(.got) }
  .text %d : { *(.text) } }
""" % TEXT
STEP = 16                        # bytes from site to site; unused ones must stay 0xa5


def template(form, field, size):
    """The bytes of an instruction with its other fields all ones, to see that they stay."""
    if form == "-":
        return b"\x5a" * size
    bits, mask, match, _ = forms[form]
    field_mask = sum(((1 << n) - 1) << lsb for lsb, _, n in forms[form][3][field][1])
    word = match | (((1 << bits) - 1) & ~mask & ~field_mask)
    return word.to_bytes(size, "little")


def decode(form, field, data, shift, signed):
    """(value in bytes, bits outside the field)"""
    word = int.from_bytes(data, "little")
    if form == "-":
        return (word - (1 << 8 * len(data)) if signed and word >> (8 * len(data) - 1) else word), 0
    pieces = forms[form][3][field][1]
    width = max(at + n for _, at, n in pieces)
    value = sum((word >> lsb & (1 << n) - 1) << at for lsb, at, n in pieces)
    if signed and value >> (width - 1):
        value -= 1 << width
    for lsb, _, n in pieces:
        word &= ~(((1 << n) - 1) << lsb)
    return value << shift, word


def limits(row):
    number, kind, size, form, field, shift, limit = row
    if limit == "ANY":
        return None
    pieces = [(0, 0, 8 * size)] if form == "-" else forms[form][3][field][1]
    span = 1 << (max(at + n for _, at, n in pieces) + shift)
    unit = 1 << (shift + min(at for _, at, _ in pieces))
    return {"SIGNED": (-span // 2, span // 2 - unit), "UNSIGNED": (0, span - unit),
            "EITHER": (-span // 2, span - unit)}[limit] + (unit,)


def addend_for(kind, place, want):
    """The addend that makes the value `want` (for page forms any address of the page will do)."""
    return {"PC": place + want - TARGET, "ABS": want - TARGET, "TP": want, "DTP": want,
            "PAGE": (place & -PAGE) + want + 0x123 - TARGET, "HI20": want + 0x123 - TARGET, "TPHI20": want + 0x123,
            "LO12": want + 7 * PAGE - TARGET, "TPLO12": want + 7 * PAGE}[kind]


def make(name, row, values):
    number, kind, size, form, field, shift, _ = row
    obj = Object()
    data = bytearray(b"\xa5" * STEP * len(values))
    text = obj.section(".text", data, align=4)
    obj.symbol("target")
    tls = obj.section(".tdata", bytes(16), ALLOC | WRITE | TLS)
    obj.symbol("variable", tls, 0, kind=6)
    for i, want in enumerate(values):
        at = STEP * i + 2
        obj.sections[text - 1]["data"][at:at + size] = template(form, field, size)
        symbol = "variable" if kind.startswith(("TP", "DTP")) else "target"
        a = addend_for(kind, TEXT + at, want)
        a = (a + (1 << 63)) % (1 << 64) - (1 << 63)
        obj.reloc(text, at, number, symbol, a)
    return obj


bench.file("t.ld", SCRIPT)
for name, row in rels.items():
    number, kind, size, form, field, shift, limit = row
    if kind in ("NONE", "DYNAMIC") or kind.startswith("GOT"):
        continue
    lim = limits(row)
    signed = limit in ("SIGNED", "EITHER", "ANY")
    if lim:
        low, high, unit = lim
        good = sorted({low, low + unit, -unit if low else unit, 0, unit, (high // 3) // unit * unit, high - unit, high})
        bad = [low - unit, high + unit, 4 * low - unit if low else -4 * high, 4 * high] if kind not in ("LO12", "TPLO12") else []
        odd = [v + 1 for v in good[:2]] if unit > 1 and kind == "PC" else []
    else:
        good, bad, odd = [0, 1, -1, 1 << 62, -(1 << 63), (1 << 63) - 1, 0x123456789abcdef], [], []
    bench.file("good.o", make(name, row, good))
    status, text, image = bench.link("-T", "t.ld", "good.o", f"--defsym=target={TARGET}", "-e", "0")
    why = "" if status == 0 else f"link failed: {text.strip()[:300]}"
    if image:
        data = image.sections[".text"][1]
        for i, want in enumerate(good):
            at = STEP * i + 2
            got, rest = decode(form, field, data[at:at + size], shift, signed)
            _, before = decode(form, field, template(form, field, size), shift, signed)
            width = 8 * size if form == "-" else 64
            if (got - want) % (1 << width if limit in ("ANY", "EITHER") else 1 << 64):
                why = f"wanted {want:#x}, the field holds {got:#x}"
            elif form != "-" and rest != before:
                why = f"bits outside the field changed: {before:#x} to {rest:#x}"
            elif data[at - 2:at] != b"\xa5\xa5" or data[at + size:at + STEP - 2].strip(b"\xa5"):
                why = "bytes beside the place changed"
    verdict(f"R_LINX_{name} in range ({len(good)} values)", not why, why)

    why = ""
    if bad or odd:
        bench.file("bad.o", make(name, row, bad + odd))
        status, text, _ = bench.link("-T", "t.ld", "bad.o", f"--defsym=target={TARGET}", "-e", "0")
        symbol = "variable" if kind.startswith(("TP", "DTP")) else "target"
        for i in range(len(bad + odd)):
            what = "relocation out of range" if i < len(bad) else "misaligned"
            pattern = rf"bad\.o:\(\.text\+{STEP * i + 2:#x}\): R_LINX_{name} against `{symbol}[^']*': {what}"
            if not re.search(pattern, text):
                why = f"no message like /{pattern}/ in: {text[:400]}"
        if status == 0:
            why = "the link succeeded"
        verdict(f"R_LINX_{name} out of range ({len(bad)} values, {len(odd)} misaligned)", not why, why)

# Relocations that only a dynamic linker can apply, unknown ones, places outside the section.
for name, row in rels.items():
    if row[1] == "DYNAMIC":
        obj = Object()
        text = obj.section(".text", bytes(16))
        obj.symbol("target")
        obj.reloc(text, 0, row[0], "target")
        bench.file("dyn.o", obj)
        status, out, _ = bench.link("-T", "t.ld", "dyn.o", f"--defsym=target={TARGET}", "-e", "0")
        verdict(f"R_LINX_{name} is refused", status != 0 and re.search(rf"dyn\.o:\(\.text\+0x0\): R_LINX_{name} against `target': only a dynamic linker", out), out)
for number in (27, 33, 191, 255, 300):
    obj = Object()
    text = obj.section(".text", bytes(16))
    obj.symbol("target")
    obj.reloc(text, 4, number, "target")
    bench.file("unknown.o", obj)
    status, out, _ = bench.link("-T", "t.ld", "unknown.o", f"--defsym=target={TARGET}", "-e", "0")
    verdict(f"relocation number {number} is refused", status != 0 and "unsupported relocation type" in out and "unknown.o" in out, out)
obj = Object()
text = obj.section(".text", bytes(8))
obj.symbol("target")
obj.reloc(text, 6, rels["32"][0], "target")
bench.file("outside.o", obj)
status, out, _ = bench.link("-T", "t.ld", "outside.o", f"--defsym=target={TARGET}", "-e", "0")
verdict("a place outside its section is refused", status != 0 and "outside.o:(.text+0x6)" in out, out)

# Global offset table: one word for each symbol, also a local one; none for sections that were collected.
obj = Object()
text = obj.section(".text", template("ADDTPC", "imm20", 4) + template("ADDI", "uimm12", 4) +
                   template("ADDTPC", "imm20", 4) + template("ADDI", "uimm12", 4) + template("ADDI", "uimm12", 4), align=2)
data = obj.section(".data.kept", bytes(32), ALLOC | WRITE)
dead = obj.section(".text.dead", bytes(8))
obj.symbol("_start", text)
obj.symbol("hidden", data, 24, bind=0)
obj.symbol("shown", data, 8)
obj.symbol("unused", dead, 0)
HI, LO = rels["GOT_HI20"][0], rels["GOT_LO12"][0]
for at, number, symbol in ((0, HI, "hidden"), (4, LO, "hidden"), (8, HI, "shown"), (12, LO, "shown"), (16, LO, "shown")):
    obj.reloc(text, at, number, symbol)
obj.reloc(dead, 0, HI, "unused")
bench.file("got.o", obj)
bench.file("got.ld", "SECTIONS { .text 0x80000ffc : { *(.text .text.*) } .data 0x80100000 : { *(.data.*) } .got 0x80ff0ff8 : { *(.got) } }")
status, out, image = bench.link("-T", "got.ld", "got.o", "--gc-sections", "-e", "_start")
why = "" if status == 0 else out
if image:
    base, words = image.sections[".got"]
    entry = {image.u64(base + i): base + i for i in range(0, len(words), 8)}
    if sorted(entry) != sorted((image.symbols["hidden"], image.symbols["shown"])) or len(words) != 16:
        why = f"the table holds {[hex(e) for e in entry]}"
    for at, form, field, shift, symbol in ((0, "ADDTPC", "imm20", 12, "hidden"), (4, "ADDI", "uimm12", 0, "hidden"),
                                           (8, "ADDTPC", "imm20", 12, "shown"), (12, "ADDI", "uimm12", 0, "shown"),
                                           (16, "ADDI", "uimm12", 0, "shown")):
        slot, place = entry.get(image.symbols[symbol], 0), 0x80000ffc + at
        got, _ = decode(form, field, image.read(place, 4), shift, form == "ADDTPC")
        want = (slot & -PAGE) - (place & -PAGE) if form == "ADDTPC" else slot % PAGE
        if got != want:
            why = f"{form} at {place:#x}: wanted {want:#x}, got {got:#x}"
verdict("GOT entries: shared, filled, collected with their users", not why, why)

for name, args in (("the built-in script", []), ("-r", ["-r"]), ("-static", ["-static"]), ("--emit-relocs", ["-q"])):
    status, out, image = bench.link("got.o", "-e", "_start", *args)
    verdict(f"GOT relocations with {name}", status == 0 and not out, out or f"status {status}")

# An undefined weak symbol is address 0 wherever the image lies: ADDTPC becomes LUI.
obj = Object()
text = obj.section(".text", (forms["ADDTPC"][2] | 5 << 7).to_bytes(4, "little") + template("ADDI", "uimm12", 4) +
                   template("HL_BSTART_STD_CALL", "simm", 6) + bytes(2) + bytes(8))
obj.symbol("maybe", bind=2)
obj.reloc(text, 0, rels["PCREL_HI20"][0], "maybe")
obj.reloc(text, 4, rels["LO12"][0], "maybe")
obj.reloc(text, 8, rels["HL_BSTART30_PCREL"][0], "maybe")
obj.reloc(text, 16, rels["64"][0], "maybe")
bench.file("weak.o", obj)
status, out, image = bench.link("-T", "t.ld", "weak.o", "-e", "0")
why = "" if status == 0 else out
if image:
    data = image.sections[".text"][1]
    if int.from_bytes(data[:4], "little") != forms["LUI"][2] | 5 << 7:
        why = f"ADDTPC became {data[:4].hex()}"
    elif decode("ADDI", "uimm12", data[4:8], 0, False)[0] or decode("HL_BSTART_STD_CALL", "simm", data[8:14], 0, True)[0]:
        why = "the other references are not 0"
    elif image.u64(TEXT + 16):
        why = "the word is not 0"
verdict("undefined weak symbols are address 0", not why, why)

# A partial link keeps the relocations and moves them.
one, two = Object(), Object()
one.section(".text", bytes(24))
text = two.section(".text", bytes(8) + template("HL_BSTART_STD_CALL", "simm", 6) + bytes(2), align=8)
local = two.section(".data", bytes(16), ALLOC | WRITE)
two.symbol("target")
two.reloc(text, 8, rels["HL_BSTART30_PCREL"][0], "target", 6)
two.reloc(local, 8, rels["64"][0], local, 4)
bench.file("one.o", one)
bench.file("two.o", two)
status, out, image = bench.link("-r", "one.o", "two.o", out="both.o")
why = "" if status == 0 else out
if image:
    r = image.relocs
    if [(o, t & 0xffffffff, a) for o, t, a in r[".rela.text"]] != [(32, rels["HL_BSTART30_PCREL"][0], 6)]:
        why = f"relocations of .text: {r['.rela.text']}"
    elif [(o, t & 0xffffffff, a) for o, t, a in r[".rela.data"]] != [(8, rels["64"][0], 4)]:
        why = f"relocations of .data: {r['.rela.data']}"
verdict("ld -r keeps and moves relocations", not why, why)
status, out, image = bench.link("-T", "t.ld", "both.o", f"--defsym=target={TEXT + 0x400}", "-e", "0")
got = image and decode("HL_BSTART_STD_CALL", "simm", image.read(TEXT + 32, 6), 0, True)[0]
verdict("the partially linked object links", got == 0x400 - 32 + 6, out or f"offset {got}")

# readelf knows every relocation by name.
obj = Object()
text = obj.section(".text", bytes(64))
obj.symbol("target")
for name, row in rels.items():
    obj.reloc(text, 0, row[0], "target")
bench.file("all.o", obj)
out = bench.run(BIN / "linx-readelf", "-rhW", "all.o").stdout
missing = [n for n in rels if not re.search(rf" R_LINX_{n}\s", out)]
verdict("linx-readelf names every relocation and the machine", not missing and re.search(r"Machine:\s+Linx", out), f"missing {missing}")
