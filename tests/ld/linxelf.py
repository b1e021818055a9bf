# SPDX-License-Identifier: BSD-2-Clause
"""Writes and reads ELF files for the linker's tests, independent of assembler and linker."""
import pathlib, re, struct, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/bin"
EM_LINX = 233
WRITE, ALLOC, EXEC, MERGE, STRINGS, TLS = 1, 2, 4, 0x10, 0x20, 0x400
PROGBITS, NOBITS = 1, 8


class Object:
    """A relocatable object. Sections are added with section(), symbols with symbol()."""

    def __init__(self, machine=EM_LINX, elf_class=2):
        self.machine, self.elf_class = machine, elf_class
        self.sections, self.symbols = [], []

    def section(self, name, data=b"", flags=ALLOC | EXEC, kind=PROGBITS, align=8, size=None, entsize=0):
        self.sections.append(dict(name=name, data=bytearray(data), flags=flags, kind=kind, align=align,
                                  size=len(data) if size is None else size, entsize=entsize, relocs=[]))
        return len(self.sections)

    def symbol(self, name, section=0, value=0, size=0, bind=1, kind=0, other=0):
        """bind: 0 local, 1 global, 2 weak; section 0: undefined, 0xfff1 absolute, 0xfff2 common."""
        self.symbols.append((name, section, value, size, bind, kind, other))
        return name

    def reloc(self, section, offset, number, symbol, addend=0):
        """symbol: a name, or the index of a section."""
        self.sections[section - 1]["relocs"].append((offset, number, symbol, addend))

    def bytes(self):
        strtab, names = bytearray(b"\0"), {}

        def string(s):
            if s not in names:
                names[s] = len(strtab)
                strtab.extend(s.encode() + b"\0")
            return names[s]

        n = len(self.sections)
        table = [struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)]
        table += [struct.pack("<IBBHQQ", 0, 3, 0, i + 1, 0, 0) for i in range(n)]
        index = {i + 1: i + 1 for i in range(n)}
        ordered = sorted(self.symbols, key=lambda s: s[4] != 0)
        for name, sec, value, size, bind, kind, other in ordered:
            index[name] = len(table)
            table.append(struct.pack("<IBBHQQ", string(name), bind << 4 | kind, other, sec, value, size))
        local = 1 + n + sum(s[4] == 0 for s in ordered)
        head = [(0, 0, 0, b"", 0, 0, 0, 0, 0)]  # name, type, flags, data, size, link, info, align, entsize
        for s in self.sections:
            head.append((string(s["name"]), s["kind"], s["flags"], bytes(s["data"]), s["size"], 0, 0, s["align"], s["entsize"]))
        symtab = 1 + n + sum(bool(s["relocs"]) for s in self.sections)
        for i, s in enumerate(self.sections, 1):
            if s["relocs"]:
                data = b"".join(struct.pack("<QQq", o, index[y] << 32 | t, a) for o, t, y, a in s["relocs"])
                head.append((string(".rela" + s["name"]), 4, 0x40, data, len(data), symtab, i, 8, 24))
        data = b"".join(table)
        head.append((string(".symtab"), 2, 0, data, len(data), symtab + 1, local, 8, 24))
        string(".strtab")
        head.append((string(".strtab"), 3, 0, bytes(strtab), len(strtab), 0, 0, 1, 0))
        body, rows = bytearray(64), []
        for name, kind, flags, data, size, link, info, align, entsize in head:
            while len(body) % max(align, 1):
                body.append(0)
            rows.append(struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, len(body) if kind else 0, size, link, info, align, entsize))
            if kind != NOBITS:
                body.extend(data)
        while len(body) % 8:
            body.append(0)
        ident = b"\x7fELF" + bytes([self.elf_class, 1, 1]) + bytes(9)
        body[:64] = ident + struct.pack("<HHIQQQIHHHHHH", 1, self.machine, 1, 0, 0, len(body), 0, 64, 0, 0, 64,
                                        len(rows), len(rows) - 1)
        return bytes(body + b"".join(rows))


def executable(entry, segments, machine=EM_LINX):
    """A loadable image: segments are (address, bytes), all readable, writable, executable."""
    head = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, entry, 64, 0, 0, 64, 56, len(segments), 64, 0, 0)
    out = bytearray(b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + head)
    at, body = 64 + 56 * len(segments), bytearray()
    for address, data in segments:
        out += struct.pack("<IIQQQQQQ", 1, 7, at + len(body), address, address, len(data), len(data), 1)
        body += data
    return bytes(out + body)


def encode(forms, form, **values):
    """The bytes of an instruction of instruction_table(); values are those of the fields, unscaled."""
    bits, _, word, fields = forms[form]
    for name, value in values.items():
        for lsb, at, n in fields[name][1]:
            word |= (value >> at & (1 << n) - 1) << lsb
    return word.to_bytes(bits // 8, "little")


class Image:
    """A linked file: sections by name as (address, bytes), symbols by name as address."""

    def __init__(self, path):
        b = self.raw = pathlib.Path(path).read_bytes()
        self.machine, = struct.unpack_from("<H", b, 18)
        self.entry, self.phoff, self.shoff = struct.unpack_from("<QQQ", b, 24)
        phnum, _, shnum, shstr = struct.unpack_from("<HHHH", b, 56)
        self.segments = [struct.unpack_from("<IIQQQQQQ", b, self.phoff + 56 * i) for i in range(phnum)]
        rows = [struct.unpack_from("<IIQQQQIIQQ", b, self.shoff + 64 * i) for i in range(shnum)]
        text = lambda base, o: b[base + o:b.index(b"\0", base + o)].decode()
        self.sections, self.symbols, self.sizes, self.relocs = {}, {}, {}, {}
        for r in rows:
            name = text(rows[shstr][4], r[0])
            self.sections[name] = (r[3], b"" if r[1] == NOBITS else b[r[4]:r[4] + r[5]])
            self.sizes[name] = r[5]
            if r[1] == 2:
                for k in range(r[4], r[4] + r[5], 24):
                    name_at, info, other, sec, value, size = struct.unpack_from("<IBBHQQ", b, k)
                    if sec:
                        self.symbols[text(rows[r[6]][4], name_at)] = value
            if r[1] == 4:
                self.relocs[name] = [struct.unpack_from("<QQq", b, k) for k in range(r[4], r[4] + r[5], 24)]

    def read(self, address, size):
        """size bytes of the loaded image at address."""
        for start, data in self.sections.values():
            if start and start <= address and address + size <= start + len(data):
                return data[address - start:address - start + size]
        raise KeyError(f"nothing at {address:#x}")

    def u64(self, address):
        return struct.unpack("<Q", self.read(address, 8))[0]


class Bench:
    """A scratch directory with a linker: files are written by name, link() runs linx-ld."""

    def __init__(self):
        self._dir = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self._dir.name)

    def file(self, name, data):
        (self.dir / name).write_bytes(data.encode() if isinstance(data, str) else data.bytes() if isinstance(data, Object) else data)
        return name

    def run(self, *command):
        return subprocess.run([str(c) for c in command], cwd=self.dir, capture_output=True, text=True, timeout=60)

    def link(self, *args, out="a.out"):
        """(exit status, all output, Image or None)"""
        (self.dir / out).unlink(missing_ok=True)
        p = self.run(BIN / "linx-ld", *args, "-o", out)
        done = (self.dir / out).exists()
        return p.returncode, p.stdout + p.stderr, Image(self.dir / out) if done and p.returncode == 0 else None


def need_linker():
    if not (BIN / "linx-ld").exists():
        print("skip linker: build/bin/linx-ld is not built (make toolchain)")
        sys.exit(0)


def verdict(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why or 'see above'}")


def instruction_table():
    """{form: (bits, match, {field: (scale, [(insn_lsb, value_lsb, bits)])})} of toolchain/isa/linx.isa"""
    forms = {}
    for line in open(ROOT / "toolchain/isa/linx.isa"):
        col = line.split("#")[0].split(";")[0].split()
        if len(col) < 6 or col[2] not in ("16", "32", "48", "64"):
            continue
        got = {}
        for m in re.finditer(r"(\w+)(?::[su])?(?:\*(\d+))?=([\d:@,]+)", " ".join(col[6:])):
            got[m[1]] = (int(m[2] or 1), [(int(p[2]), int(p[3] or 0), int(p[1]) - int(p[2]) + 1)
                                          for p in re.finditer(r"(\d+):(\d+)(?:@(\d+))?", m[3])])
        forms[col[0]] = (int(col[2]), int(col[3], 16), int(col[4], 16), got)
    return forms


def relocations():
    """{name: (number, value, bytes, form, field, shift, range)} of toolchain/isa/linx_relocs.def"""
    rows = {}
    for line in open(ROOT / "toolchain/isa/linx_relocs.def"):
        if line.startswith("LINX_RELOC("):
            row = [x.strip() for x in line[line.index("(") + 1:line.rindex(")")].split(",")]
            rows[row[0]] = (int(row[1]), row[2], int(row[3]), row[4], row[5], int(row[6]), row[7])
    return rows
