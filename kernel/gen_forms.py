#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Encodings that the kernel must recognise in a task's code, taken from the instruction table.

  gen_forms.py linx.isa OUT.h

For each form named below: <ID>_MASK, <ID>_MATCH, for one-piece fields <ID>_<field>_LSB and _BITS, and for every field
<ID>_<field>(word), its value with sign and scale, and <ID>_<field>_SCALE. And two lists:

  LINX_BLOCK_ENDS(X)     X(mask, match, bytes, stop) for everything that starts (stop = 0) or stops a block, the more specific first
  LINX_BODY_ACCESSES(X)  X(mask, match, access, addressing, size_log2, shift) for the 64-bit loads, stores and atomics
                         of bodies. access: LOAD, STORE, ATOMIC; addressing: REG_LOAD, REG_STORE, IMM_LOAD, IMM_STORE,
                         PLAIN (atomics with a result), PLAIN_STORE (without); shift: what the offset is shifted by besides
                         the field shamt (REG_*), or its scale (IMM_*).
"""
import re
import sys

FORMS = """C_BSTART_VPAR C_BSTART_VSEQ C_BSTART_MPAR C_BSTART_MSEQ BSTART_VPAR BSTART_VSEQ BSTART_MPAR BSTART_MSEQ
B_TEXT B_CATR B_IOS B_IOT_SRC2 B_IOT_SRC1 B_IOT_SRC0 B_IOR B_DIM_LB0 B_DIM_LB1 B_DIM_LB2 C_B_DIM C_B_DIMI B_DATR
BSTART_TMA BSTART_TEPL BSTART_CUBE BSTART_FIXP FENTRY FEXIT FRET_RA FRET_STK MCOPY MSET
B_HINT B_HINT_TRACE V_LW V_SW V_LWI V_SWI V_LW_ADD V_SW_ADD""".split()
# Those of the list above whose fields stand for all body accesses of the same addressing.
SHAPES = {"REG_LOAD": "V_LW", "REG_STORE": "V_SW", "IMM_LOAD": "V_LWI", "IMM_STORE": "V_SWI", "PLAIN": "V_LW_ADD",
          "PLAIN_STORE": "V_SW_ADD"}
FIELD = re.compile(r"(\w+)(:[su])?(?:\*(\d+))?=(\d.*)")


class Form:
    def __init__(self, line):
        operands, self.syntax = line.split(";", 1)
        words = operands.split()
        self.id, self.name, self.bits, self.where, self.effect = words[0], words[1], int(words[2]), words[5], words[6]
        self.mask, self.match = int(words[3], 16), int(words[4], 16)
        self.fields = {}                # name -> (signed, scale, [(msb, lsb, shift)])
        for word in words[7 if len(words) > 6 else 6:]:
            m = FIELD.fullmatch(word)
            if m:
                pieces = [re.fullmatch(r"(\d+):(\d+)(?:@(\d+))?", p) for p in m[4].split(",")]
                self.fields[m[1]] = (m[2] == ":s", int(m[3] or 1), [(int(p[1]), int(p[2]), int(p[3] or 0)) for p in pieces])


def accessor(form, name):
    signed, scale, pieces = form.fields[name]
    terms = []
    for msb, lsb, shift in pieces:
        t = f"((w) >> {lsb} & {(1 << (msb - lsb + 1)) - 1:#x})"
        terms.append(f"(uint64_t){t} << {shift}" if shift else f"(uint64_t){t}")
    value = "(" + " | ".join(terms) + ")"
    if signed:
        width = max(msb - lsb + 1 + shift for msb, lsb, shift in pieces)
        value = f"((int64_t)({value} << {64 - width}) >> {64 - width})"
    return f"#define {form.id}_{name}(w) ({value}{f' * {scale}' if scale != 1 else ''})"


def log2(n):
    return n.bit_length() - 1


def shape_of(form):
    """(access, addressing, size_log2, shift) of a 64-bit memory form."""
    if form.effect == "amo":
        return "ATOMIC", "PLAIN" if "RegDst" in form.fields else "PLAIN_STORE", {"W": 2, "D": 3}[form.name.split(".")[1][1]], 0
    lc0 = re.search(r"\{\?C , lc0(?:<<(\d))?\}", form.syntax)
    size = int(lc0[1] or 0)
    access = form.effect.upper()
    if "simm24" in form.fields:
        return access, f"IMM_{access}", size, log2(form.fields["simm24"][1])
    shl = re.search(r"\{shamt:shl(\d?)\}", form.syntax)
    return access, f"REG_{access}", size, int(shl[1] or 0)


def body_accesses(forms):
    families = {}
    chosen = [f for f in forms if f.bits == 64 and f.effect in ("load", "store", "amo") and not f.id.endswith("_BRG")]
    for f in chosen:
        families.setdefault(shape_of(f), []).append(f)
    rows = []
    for shape, members in families.items():
        differ = 0
        for f in members:
            differ |= f.match ^ members[0].match
        mask = members[0].mask & ~differ
        for f in members:
            mask &= f.mask
        match = members[0].match & mask
        model = next(f for f in forms if f.id == SHAPES[shape[1]])
        for f in chosen:
            if f in members:
                for name, (_, _, pieces) in model.fields.items():
                    if name in ("SrcL", "SrcR", "SrcD", "C", "L", "shamt", "simm24") and f.fields[name][2] != pieces:
                        sys.exit(f"{f.id}: field {name} is not where {model.id} has it")
            elif (f.match ^ match) & mask & f.mask == 0:
                sys.exit(f"{f.id} looks like {members[0].id}")
        rows.append((mask, match) + shape)
    return rows


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    forms = []
    for line in open(sys.argv[1], encoding="utf-8"):
        if re.match(r"[A-Z]\w* +\S+ +(16|32|48|64) ", line) and ";" in line:
            forms.append(Form(line))
    rows = {f.id: f for f in forms}
    out = ["/* Made by kernel/gen_forms.py from toolchain/isa/linx.isa. */", "#ifndef KERNEL_FORMS_H", "#define KERNEL_FORMS_H"]
    for name in FORMS:
        if name not in rows:
            sys.exit(f"{sys.argv[1]}: no form '{name}'")
        form = rows[name]
        out += [f"#define {name}_MASK {form.mask:#x}", f"#define {name}_MATCH {form.match:#x}"]
        for field, (_, scale, pieces) in form.fields.items():
            if len(pieces) == 1 and pieces[0][2] == 0:
                msb, lsb, _ = pieces[0]
                out += [f"#define {name}_{field}_LSB {lsb}", f"#define {name}_{field}_BITS {msb - lsb + 1}"]
            out += [f"#define {name}_{field}_SCALE {scale}", accessor(form, field)]
    ends = sorted((f for f in forms if f.where in ("start", "stop")), key=lambda f: -bin(f.mask).count("1"))
    out.append("#define LINX_BLOCK_ENDS(X) \\")
    out += [f"    X({f.mask:#x}, {f.match:#x}, {f.bits // 8}, {int(f.where == 'stop')}) \\" for f in ends]
    out += ["", "#define LINX_BODY_ACCESSES(X) \\"]
    out += [f"    X({mask:#x}, {match:#x}, {access}, {mode}, {size}, {shift}) \\" for mask, match, access, mode, size, shift in body_accesses(forms)]
    out += ["", "#endif"]
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()
