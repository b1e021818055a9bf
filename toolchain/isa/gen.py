#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Turn linx.isa into what the programs compile.

  gen.py OUTDIR          write the generated files
  gen.py --check         only read and check the table

  linx_forms.h        enums and structures for C17 and C++: forms, fields, named values
  linx_forms.inc      the table rows and the decoder's index (included by linx_forms.c)
  linx_syntax.inc     the compiled SYNTAX column (included by the LLVM assembler and printer)
  linx_form_list.inc  LINX_FORM(id) for every form
  LinxInstrForms.td   one TableGen record per form

Needs Python 3 only. The meaning of every column is in linx.isa itself.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Operand kind of a field that the syntax names without ":kind". First match wins.
#   dst src       5-bit register operands      vdst vsrc fvsrc   10-bit operands of 64-bit forms
#   reg           R0..R23 only                 label             PC-relative target
#   imm           plain number                 minus1            assembly value - 1 is encoded
#   shl shlN      "<<n", encoded n - N         addmod logmod     .sw .uw .neg/.not by SrcRType
#   vnegmod vnotmod  .neg/.not, value 3        page hi20         ADDTPC and LUI immediates
KINDS = [
    (r"RegDst[01]?$", {5: "dst", 10: "vdst"}),
    (r"Src(L|R|D|D1|A|P|Zero)$", {5: "src", 10: "vsrc"}),
    (r"(Reg(Src[012]?|Dst)|(Src|Dst)(Begin|End))$", {5: "reg"}),
    (r"BrType$", "BrType"), (r"DataType$", "DataType"), (r"TileOpcode$", "TileOpcode"),
    (r"LoopNest$", "LoopNest"), (r"B_E$", "trace"),
    (r".*", "imm"),
]
WHERE = {"S": 1, "Y": 2, "F": 4, "V": 8, "M": 16, "H": 32,
         "header": 32, "start": 64, "stop": 128, "pseudo": 256}
EFFECTS = ["alu", "comm", "load", "store", "amo", "lrsc", "prefetch", "fence", "setc", "sys",
           "branch", "header", "start", "stop", "ra"]
MAX_PIECES, MAX_FIELDS = 4, 8


def die(where, text):
    sys.exit(f"{where}: error: {text}")


class Field:
    def __init__(self, text, where):
        m = re.fullmatch(r"(\w+)(?::([su]))?(?:\*(\d+))?=([\d:@,]+)", text)
        if not m:
            die(where, f"field '{text}' is not name[:s|:u][*scale]=msb:lsb[@shift],...")
        self.name, self.sign, scale, bits = m[1], m[2] or "-", int(m[3] or 1), m[4]
        if scale & (scale - 1):
            die(where, f"scale of '{text}' is not a power of two")
        self.scale = scale.bit_length() - 1
        self.pieces = []
        for piece in bits.split(","):
            p = re.fullmatch(r"(\d+):(\d+)(?:@(\d+))?", piece)
            if not p or int(p[1]) < int(p[2]):
                die(where, f"bad piece '{piece}' in field '{text}'")
            self.pieces.append((int(p[2]), int(p[1]) - int(p[2]) + 1, int(p[3] or 0)))
        if len(self.pieces) > MAX_PIECES:
            die(where, f"field '{text}' has more than {MAX_PIECES} pieces")
        self.width = max(shift + width for _, width, shift in self.pieces)
        self.low = min(shift for _, _, shift in self.pieces)
        self.kind = None

    def mask(self):
        return sum(((1 << w) - 1) << lsb for lsb, w, _ in self.pieces)


class Form:
    pass


def kind_of(field, where):
    for pattern, kind in KINDS:
        if re.match(pattern, field.name):
            if isinstance(kind, dict):
                if field.width not in kind:
                    continue
                return kind[field.width]
            return kind


def compile_syntax(form, where):
    """SYNTAX -> list of (op, field index, kind, text)."""
    names = [f.name for f in form.fields]

    def index(name):
        if name not in names:
            die(where, f"syntax names '{name}', which is no field of {form.id}")
        return names.index(name)

    out, text, pos = [], "", 0
    s = form.syntax

    def flush():
        nonlocal text
        if text:
            out.append(("TEXT", 0, "", text))
            text = ""

    while pos < len(s):
        c = s[pos]
        if c == "{":
            end = s.index("}", pos)
            body, pos = s[pos + 1:end], end + 1
            flush()
            if body.startswith("*"):
                out.append(("CUSTOM", 0, "", body[1:]))
            elif body == ".2":
                out.append(("SUFTEXT", 0, "", "2"))
            elif body.startswith(".flags "):
                for flag in body.split()[1:]:
                    name, _, called = flag.partition("=")
                    form.fields[index(name)].kind = "flag"
                    out.append(("SUFFLAG", index(name), "flag", called or name))
            elif body.startswith("?"):
                name, _, words = body[1:].partition(" ")
                form.fields[index(name)].kind = "flag"
                out.append(("COND", index(name), "flag", words))
            else:
                op = "FIELD"
                if body.startswith("."):
                    op, body = "SUFFIX", body[1:]
                name, _, kind = body.partition(":")
                f = form.fields[index(name)]
                f.kind = kind or kind_of(f, where)
                out.append((op, index(name), f.kind, ""))
        elif c in "()":
            flush()
            out.append(("OPTION" if c == "(" else "END", 0, "", ""))
            pos += 1
        else:
            text += c
            pos += 1
    flush()
    return out


def read_table(path):
    forms, enums = [], {}
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        where = f"{path}:{number}"
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("enum "):
            words = line.split()
            enums[words[1]] = [(n, int(v)) for n, v in (w.split("=") for w in words[2:])]
            continue
        left, sep, syntax = line.partition(";")
        if not sep:
            die(where, "no ';' before the syntax")
        words = left.split()
        if len(words) < 7:
            die(where, "a form needs ID MNEMONIC LENGTH MASK MATCH WHERE EFFECT")
        f = Form()
        f.id, f.mnemonic, f.length = words[0], words[1].replace("_", " "), int(words[2])
        f.mask, f.match = int(words[3], 16), int(words[4], 16)
        f.where = WHERE.get(words[5]) or sum(WHERE.get(c, 0) for c in words[5])
        if not f.where or (words[5] not in WHERE and any(c not in WHERE for c in words[5])):
            die(where, f"WHERE '{words[5]}' unknown")
        f.where_text = words[5]
        f.effects = words[6].split(",")
        for e in f.effects:
            if e not in EFFECTS:
                die(where, f"EFFECT '{e}' unknown; one of {', '.join(EFFECTS)}")
        f.fields = [Field(w, where) for w in words[7:]]
        # Destinations first: that is the operand order of the compiler's instructions.
        f.fields.sort(key=lambda x: not x.name.startswith("RegDst"))
        if len(f.fields) > MAX_FIELDS:
            die(where, f"more than {MAX_FIELDS} fields")
        if f.length not in (16, 32, 48, 64):
            die(where, f"length {f.length} is not 16, 32, 48 or 64")
        if f.match & ~f.mask:
            die(where, "MATCH has bits outside MASK")
        if (f.mask | f.match) >> f.length:
            die(where, "MASK is wider than LENGTH")
        used = f.mask
        for fld in f.fields:
            if used & fld.mask():
                die(where, f"field {fld.name} overlaps the mask or another field")
            used |= fld.mask()
        if used != (1 << f.length) - 1:
            die(where, f"bits {((1 << f.length) - 1) & ~used:x} are in no field and not in MASK")
        f.syntax = syntax.strip()
        f.line = number
        f.code = compile_syntax(f, where)
        for fld in f.fields:
            if fld.kind is None:
                fld.kind = "imm" if not any(op == "CUSTOM" for op, *_ in f.code) else "custom"
        forms.append(f)
    ids = [f.id for f in forms]
    for name in ids:
        if ids.count(name) > 1:
            die(path, f"two forms are called {name}")
    return forms, enums


def popcount(x):
    return bin(x).count("1")


# The decoder looks a word up by seven bits that hold the main opcode.
KEY_SHIFT = {16: 0, 32: 0, 48: 16, 64: 32}


def build_index(forms):
    """[length][key] -> forms, most specific first. Clashes of equal weight are refused."""
    index = {}
    for length, shift in KEY_SHIFT.items():
        here = [f for f in forms if f.length == length and f.where != WHERE["pseudo"]]
        for a in here:
            for b in here:
                if a is not b and popcount(a.mask) == popcount(b.mask) and \
                        not (a.match ^ b.match) & a.mask & b.mask:
                    die("linx.isa", f"{a.id} and {b.id} match the same words and are equally specific")
        rows = []
        for key in range(128):
            hits = [f for f in here if not ((f.match >> shift) ^ key) & (f.mask >> shift) & 127]
            hits.sort(key=lambda f: -popcount(f.mask))
            rows.append(hits)
        index[length] = rows
    return index


def c_string(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


BANNER = "/* Generated by toolchain/isa/gen.py from toolchain/isa/linx.isa. Do not edit. */\n"


def write_header(forms, enums, kinds, names):
    o = [BANNER, "#ifndef LINX_FORMS_H\n#define LINX_FORMS_H\n#include <stdint.h>\n",
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"]
    o.append("/* Every instruction form, in table order. LINX_NFORMS also means \"no such instruction\". */")
    o.append("enum linx_form {")
    o += [f"    LINX_{f.id}," for f in forms]
    o.append("    LINX_NFORMS\n};\n")
    o.append("enum linx_field_name {")
    o += [f"    LINX_F_{n}," for n in names]
    o.append("    LINX_F_COUNT\n};\n")
    o.append("/* How a field is written in assembly; see linx.isa and gen.py. */")
    o.append("enum linx_kind {")
    o += [f"    LINX_K_{k}," for k in kinds]
    o.append("    LINX_K_COUNT\n};\n")
    o.append("/* struct linx_form_desc.where */\nenum {")
    for n, v in (("STD", 1), ("SYS", 2), ("FP", 4), ("VEC", 8), ("MEM", 16), ("HEADER", 32),
                 ("START", 64), ("STOP", 128), ("PSEUDO", 256)):
        o.append(f"    LINX_WHERE_{n} = {v},")
    o.append("};\n/* struct linx_form_desc.effect */\nenum {")
    for i, e in enumerate(EFFECTS):
        o.append(f"    LINX_EFFECT_{e.upper()} = {1 << i},")
    o.append("};\n")
    o.append("/* named field values */\nenum {")
    for name, values in enums.items():
        for n, v in values:
            o.append(f"    LINX_{name}_{n.replace('.', '_')} = {v},")
    o.append("};\n")
    o.append(f"""\
#define LINX_MAX_PIECES {MAX_PIECES}
#define LINX_MAX_FIELDS {MAX_FIELDS}

/* `width` bits at `lsb` of the instruction word are bits `shift`... of the field's value. */
struct linx_piece {{ uint8_t lsb, width, shift; }};

struct linx_field {{
    uint8_t name;      /* enum linx_field_name */
    uint8_t kind;      /* enum linx_kind */
    uint8_t is_signed; /* the value is sign-extended from `width` */
    uint8_t scale;     /* assembly value = field value << scale */
    uint8_t width;     /* bits of the value, low zero bits of pieces that start above bit 0 included */
    uint8_t low;       /* lowest value bit that is encoded; the bits below are zero */
    uint8_t npieces;
    struct linx_piece piece[LINX_MAX_PIECES];
}};

/* One form. Fields are in operand order: destinations (RegDst...) first, then in table order. */
struct linx_form_desc {{
    const char *id, *mnemonic;
    uint8_t length;    /* bits: 16, 32, 48 or 64 */
    uint16_t where;    /* LINX_WHERE_* */
    uint16_t effect;   /* LINX_EFFECT_* */
    uint64_t mask, match;
    uint8_t nfields;
    struct linx_field field[LINX_MAX_FIELDS];
}};

struct linx_enum_value {{ const char *name; int32_t value; }};

extern const struct linx_form_desc linx_forms[LINX_NFORMS];
extern const char *const linx_field_names[LINX_F_COUNT];
/* Named values of kind k, ended by name NULL; NULL when the kind has none. */
extern const struct linx_enum_value *const linx_kind_values[LINX_K_COUNT];

/* Bytes of the instruction that begins with halfword h: 2, 4, 6 or 8 (the manual, encoding overview). */
static inline unsigned linx_insn_bytes(uint16_t h)
{{
    if ((h & 0xf) == 0xf) return 8;
    if (h & 1) return 4;
    return (h & 0xf) == 0xe ? 6 : 2;
}}

/* The most specific form that matches `word` of `bytes` bytes, LINX_NFORMS when there is none. Bits of
   `word` above the instruction are ignored. Operand values are not judged. */
enum linx_form linx_decode(uint64_t word, unsigned bytes);

/* Index of field `name` in form f, -1 when it has none. */
int linx_find_field(enum linx_form f, enum linx_field_name name);

/* Field value as encoded: sign-extended if signed, not scaled. */
static inline int64_t linx_field_get(const struct linx_field *f, uint64_t word)
{{
    uint64_t v = 0;
    for (unsigned i = 0; i < f->npieces; i++)
        v |= (word >> f->piece[i].lsb & ((1ull << f->piece[i].width) - 1)) << f->piece[i].shift;
    if (f->is_signed && v >> (f->width - 1) & 1)
        v |= ~0ull << f->width;
    return (int64_t)v;
}}

/* Field value as assembly writes it: linx_field_get times the scale. */
static inline int64_t linx_field_value(const struct linx_field *f, uint64_t word)
{{
    return (int64_t)((uint64_t)linx_field_get(f, word) << f->scale);
}}

/* `word` with the field set to `value` (unscaled; bits that do not fit are cut off). */
static inline uint64_t linx_field_put(const struct linx_field *f, uint64_t word, int64_t value)
{{
    for (unsigned i = 0; i < f->npieces; i++) {{
        uint64_t m = (1ull << f->piece[i].width) - 1;
        word &= ~(m << f->piece[i].lsb);
        word |= ((uint64_t)value >> f->piece[i].shift & m) << f->piece[i].lsb;
    }}
    return word;
}}

#ifdef __cplusplus
}}
#endif
#endif""")
    return "\n".join(o) + "\n"


def write_rows(forms, enums, kinds, names):
    index = build_index(forms)
    o = [BANNER, "const char *const linx_field_names[LINX_F_COUNT] = {"]
    o += [f"    {c_string(n)}," for n in names]
    o.append("};\n")
    for name, values in enums.items():
        o.append(f"static const struct linx_enum_value values_{name}[] = {{")
        o.append("    " + " ".join(f"{{{c_string(n)}, {v}}}," for n, v in values) + " {0, 0}\n};")
    o.append("const struct linx_enum_value *const linx_kind_values[LINX_K_COUNT] = {")
    o += [f"    {'values_' + k if k in enums else '0'}, /* {k} */" for k in kinds]
    o.append("};\n\nconst struct linx_form_desc linx_forms[LINX_NFORMS] = {")
    for f in forms:
        effect = sum(1 << EFFECTS.index(e) for e in f.effects)
        o.append(f"    {{ {c_string(f.id)}, {c_string(f.mnemonic)}, {f.length}, {f.where}, {effect}, "
                 f"0x{f.mask:x}u, 0x{f.match:x}u, {len(f.fields)}, {{")
        for x in f.fields:
            pieces = ", ".join(f"{{{a}, {b}, {c}}}" for a, b, c in x.pieces)
            o.append(f"        {{ LINX_F_{x.name}, LINX_K_{x.kind}, {int(x.sign == 's')}, {x.scale}, {x.width}, "
                     f"{x.low}, {len(x.pieces)}, {{ {pieces} }} }},")
        o.append("    } },")
    o.append("};\n")
    flat, starts = [], []
    for length in KEY_SHIFT:
        for hits in index[length]:
            starts.append(len(flat))
            flat += [f"LINX_{f.id}" for f in hits] + ["LINX_NFORMS"]
    o.append("/* Candidates per (length, opcode bits), most specific first, each list ended by LINX_NFORMS. */")
    o.append("static const uint16_t decode_list[] = {")
    o += ["    " + ", ".join(flat[i:i + 6]) + "," for i in range(0, len(flat), 6)]
    o.append("};\nstatic const uint16_t decode_start[4][128] = {")
    for i in range(4):
        row = starts[128 * i:128 * (i + 1)]
        o.append("    { " + ", ".join(map(str, row)) + " },")
    o.append("};")
    return "\n".join(o) + "\n"


OPS = ["TEXT", "FIELD", "SUFFIX", "SUFTEXT", "SUFFLAG", "COND", "OPTION", "END", "CUSTOM"]


def write_syntax(forms):
    o = [BANNER, "/* {op, field index, kind, text}; LinxSyntax.h explains the ops. */"]
    pos, starts = 0, []
    o.append("static const linx_syntax_item linx_syntax_items[] = {")
    for f in forms:
        starts.append(pos)
        for op, field, kind, text in f.code:
            o.append(f"    {{SYN_{op}, {field}, {'LINX_K_' + kind if kind else '0'}, {c_string(text)}}},")
            pos += 1
        o.append(f"    {{SYN_DONE, 0, 0, 0}}, // {f.id}")
        pos += 1
    o.append("};\nstatic const uint16_t linx_syntax_start[] = {")
    o += ["    " + " ".join(f"{s}," for s in starts[i:i + 16]) for i in range(0, len(starts), 16)]
    o.append("};")
    return "\n".join(o) + "\n"


TD_CLASS = {"dst": "GPRDst", "src": "GPRSrc", "reg": "GPR", "label": "LinxTarget"}


def write_td(forms):
    o = ["// Generated by toolchain/isa/gen.py from toolchain/isa/linx.isa. Do not edit.",
         "// One record per form. Operands: RegDst... first, then the other fields in table order. Registers",
         "// are registers, every other field is an immediate: the field value times its scale, which for",
         "// offsets and branch targets is bytes (targets relative to the instruction's first byte).", ""]
    for f in forms:
        outs, ins = [], []
        for x in f.fields:
            cls = TD_CLASS.get(x.kind, "LinxField")
            (outs if cls == "GPRDst" else ins).append(f"{cls}:${x.name}")
        lets, e = [], set(f.effects)
        if e & {"load", "amo", "lrsc"}:
            lets.append("mayLoad = 1")
        if e & {"store", "amo", "lrsc"}:
            lets.append("mayStore = 1")
        if e & {"prefetch", "fence", "setc", "sys", "branch", "header", "start", "stop", "lrsc", "ra"}:
            lets.append("hasSideEffects = 1")
        if "comm" in e and outs:
            lets.append("isCommutable = 1")
        literal = "".join(t for op, _, _, t in f.code if op == "TEXT")
        defs = (["TPUSH"] if "->t" in literal else []) + (["R10"] if "ra" in e else [])
        uses = ["T1"] if "t#1" in literal else []
        if f.id in ("FENTRY", "FEXIT", "FRET_RA", "FRET_STK"):
            defs.append("R1")
            uses.append("R1")
        if defs:
            lets.append(f"Defs = [{', '.join(defs)}]")
        if uses:
            lets.append(f"Uses = [{', '.join(uses)}]")
        body = f"def {f.id} : LinxForm<{c_string(f.mnemonic)}, {f.length // 8}, " \
               f"(outs {', '.join(outs)}), (ins {', '.join(ins)})>"
        o.append(body.replace("(outs )", "(outs)").replace("(ins )", "(ins)") +
                 (" { " + " ".join(f"let {x};" for x in lets) + " }" if lets else ";"))
    return "\n".join(o) + "\n"


def write_if_changed(path, text):
    try:
        if open(path, encoding="utf-8").read() == text:
            return
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    forms, enums = read_table(os.path.join(HERE, "linx.isa"))
    for name, values in enums.items():
        if len({v for _, v in values}) != len(values):
            die("linx.isa", f"enum {name} names one value twice")
    kinds = sorted({x.kind for f in forms for x in f.fields} | set(enums) | {"imm"})
    names = sorted({x.name for f in forms for x in f.fields})
    rows = write_rows(forms, enums, kinds, names)
    if sys.argv[1] == "--check":
        print(f"linx.isa: {len(forms)} forms, no clash")
        return
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    write_if_changed(os.path.join(out, "linx_forms.h"), write_header(forms, enums, kinds, names))
    write_if_changed(os.path.join(out, "linx_forms.inc"), rows)
    write_if_changed(os.path.join(out, "linx_syntax.inc"), write_syntax(forms))
    write_if_changed(os.path.join(out, "linx_form_list.inc"),
                     BANNER + "".join(f"LINX_FORM({f.id})\n" for f in forms) + "#undef LINX_FORM\n")
    write_if_changed(os.path.join(out, "LinxInstrForms.td"), write_td(forms))


if __name__ == "__main__":
    main()
