# SPDX-License-Identifier: BSD-2-Clause
"""The instruction table for the tests of this directory: gen.py's reader, and a decoder of its own."""
import importlib.util
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "toolchain/isa/linx.isa")
BIN = os.environ.get("LINX_BIN", os.path.join(ROOT, "build/bin"))
AS, OBJDUMP = os.path.join(BIN, "linx-as"), os.path.join(BIN, "linx-objdump")

_spec = importlib.util.spec_from_file_location("gen", os.path.join(ROOT, "toolchain/isa/gen.py"))
gen = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(gen)


def read():
    return gen.read_table(TABLE)


def decode(forms, word, length):
    """The form with most mask bits among those that match, as the table's rule says."""
    hits = [f for f in forms if f.length == length and f.where != gen.WHERE["pseudo"]
            and word & f.mask == f.match]
    return max(hits, key=lambda f: bin(f.mask).count("1"), default=None)


def get(field, word):
    v = 0
    for lsb, width, shift in field.pieces:
        v |= (word >> lsb & ((1 << width) - 1)) << shift
    return v


def put(field, word, value):
    for lsb, width, shift in field.pieces:
        m = (1 << width) - 1
        word = word & ~(m << lsb) | (value >> shift & m) << lsb
    return word


def assemble(source, *options, out):
    """Runs linx-as on text; returns (exit status, messages)."""
    r = subprocess.run([AS, *options, "-o", out, "-"], input=source, capture_output=True, text=True)
    return r.returncode, r.stderr


def section(path, name=".text"):
    """Bytes of a section of an ELF64 file, b'' when it has none."""
    b = open(path, "rb").read()
    u = lambda off, n: int.from_bytes(b[off:off + n], "little")
    shoff, shnum, shstr = u(40, 8), u(60, 2), u(62, 2)
    head = lambda i: shoff + 64 * i
    names = u(head(shstr) + 24, 8)
    for i in range(shnum):
        at = names + u(head(i), 4)
        if b[at:b.index(0, at)].decode() == name:
            off, size = u(head(i) + 24, 8), u(head(i) + 32, 8)
            return b[off:off + size]
    return b""


def words(source, *options, out):
    """.text of a source that must assemble."""
    status, messages = assemble(source, *options, out=out)
    if status:
        raise SystemExit(f"linx-as refused a test source:\n{messages[:2000]}")
    return section(out)
