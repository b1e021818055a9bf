# SPDX-License-Identifier: BSD-2-Clause
"""Builds small firmware images for tests without a toolchain: encodes forms of toolchain/isa/linx.isa by their ID."""
import os, pathlib, struct

ROOT = pathlib.Path(__file__).resolve().parents[2]
RAM = 0x80000000
SIM = os.environ.get("LINX_SIM", str(ROOT / "build/bin/linx-sim"))      # LINX_SIM: another build, with sanitizers for instance


def _forms():
    forms = {}
    for line in (ROOT / "toolchain/isa/linx.isa").read_text().splitlines():
        words = line.split(" ;")[0].split(";")[0].split()
        if len(words) < 7 or words[0].startswith("#") or not words[2].isdigit():
            continue
        fields = {}
        for f in words[7:]:
            name, where = f.split("=")
            scale = int(name.split("*")[1]) if "*" in name else 1
            pieces = []
            for piece in where.split(","):
                bits, _, shift = piece.partition("@")
                hi, _, lo = bits.partition(":")
                pieces.append((int(hi), int(lo or hi), int(shift or 0)))
            fields[name.split("*")[0].split(":")[0]] = (scale, pieces)
        forms[words[0]] = (int(words[2]), int(words[4], 16), fields)
    return forms


FORMS = _forms()
REGS = {"zero": 0, "sp": 1, "ra": 10, "t1": 24, "u1": 28, "->u": 30, "->t": 31,
        **{f"a{i}": 2 + i for i in range(8)}, **{f"s{i}": 11 + i for i in range(9)}, **{f"x{i}": 20 + i for i in range(4)}}


def encode(form, **values):
    """Bytes of one instruction; field values as in assembly (scaled), registers by name."""
    length, word, fields = FORMS[form]
    for name, v in values.items():
        scale, pieces = fields[name]
        v = REGS[v] if isinstance(v, str) else v
        if v % scale:
            raise ValueError(f"{form}: {name}={v} is no multiple of {scale}")
        v //= scale
        for hi, lo, shift in pieces:
            word |= (v >> shift & (1 << hi - lo + 1) - 1) << lo
    return word.to_bytes(length // 8, "little")


class Image:
    """Code at `base`; labels are Python attributes of your own: keep the address that here() gives."""

    def __init__(self, base=RAM):
        self.base, self.code, self.symbols = base, bytearray(), {}

    def here(self):
        return self.base + len(self.code)

    def label(self, name):
        self.symbols[name] = self.here()
        return self.here()

    def __call__(self, form, **values):
        self.code += encode(form, **values)

    def finish(self, status=0x5555):
        """A block that ends the run through the test finisher; 0x3333 | code << 16 fails."""
        self("BSTART_STD_FALL")
        self("HL_LIU", RegDst="x0", uimm32=0x100000)
        self("HL_LIU", RegDst="x1", uimm32=status)
        self("SWI", SrcL="x1", SrcR="x0")
        self("BSTART_STD_FALL")         # the block before ends here

    def elf(self):
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        head = ident + struct.pack("<HHIQQQIHHHHHH", 2, 233, 1, self.base, 64, 0, 0, 64, 56, 1, 0, 0, 0)
        size = len(self.code)
        return (head + struct.pack("<IIQQQQQQ", 1, 7, 0x1000, self.base, self.base, size, size, 0x1000)).ljust(0x1000, b"\0") + self.code

    def write(self, path):
        pathlib.Path(path).write_bytes(self.elf())
        return path
