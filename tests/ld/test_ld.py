#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The linker's command line and linker scripts: what must work, and what must be refused with a message
that names the culprit."""
import re
from linxelf import *

need_linker()
rels, bench = relocations(), Bench()
ABS64, CALL = rels["64"][0], rels["HL_BSTART30_PCREL"][0]
NO_SYM = ("-e", "0")


def unit(name, text=8, data=0, calls=(), defines=(), section=".text", machine=EM_LINX):
    """An object whose section holds `text` bytes, a 64-bit reference to each of calls, and defines."""
    obj = Object(machine)
    body = obj.section(section, bytes(text + 8 * len(calls)))
    for i, symbol in enumerate(calls):
        obj.symbol(symbol)
        obj.reloc(body, text + 8 * i, ABS64, symbol)
    for symbol in defines:
        obj.symbol(symbol, body, 0)
    if data:
        obj.section(".data", bytes(range(data)), ALLOC | WRITE)
    return bench.file(name, obj)


def refused(title, pattern, *args):
    status, out, _ = bench.link(*args)
    verdict(title, status != 0 and re.search(pattern, out), f"status {status}, output: {out.strip()[:400]}")


def script(text, name="x.ld"):
    return bench.file(name, text)


def linked(title, *args, warn=False):
    status, out, image = bench.link(*args)
    if status != 0 or (out and not warn):
        verdict(title, False, f"status {status}: {out.strip()[:400]}")
        return None
    return image


# ---- a whole image: MEMORY, SECTIONS, KEEP, PROVIDE, ALIGN, ASSERT, LOADADDR
main = Object()
text = main.section(".text._start", bytes(24), align=4)
main.symbol("_start", text)
vectors = main.section(".vectors", b"V" * 24)
cold = main.section(".text.cold", b"C" * 40)
main.symbol("cold", cold)
ro = main.section(".rodata.a", b"hello\0", ALLOC, align=1)
data = main.section(".data.x", b"D" * 24, ALLOC | WRITE)
main.symbol("x", data, 8)
bss = main.section(".bss.y", flags=ALLOC | WRITE, kind=NOBITS, size=100, align=64)
main.symbol("y", bss)
main.symbol("common", 0xfff2, 32, size=48)
main.symbol("__stack_size")
main.reloc(text, 0, ABS64, "y")
main.reloc(text, 8, ABS64, "common")
main.reloc(text, 16, ABS64, "x")
main.reloc(data, 16, ABS64, "__stack_size")
bench.file("main.o", main)
script("""
ENTRY(_start)
MEMORY { rom (rx) : ORIGIN = 0x20000000, LENGTH = 64K  ram (rwx) : ORIGIN = 0x80000000, LENGTH = 1M }
PHDRS { code PT_LOAD FLAGS(5); var PT_LOAD FLAGS(6); zero PT_LOAD FLAGS(6); }
SECTIONS {
  .text : { KEEP(*(.vectors)) . = ALIGN(32); *(.text .text.*) } > rom :code
  .rodata : { *(.rodata .rodata.*) } > rom :code
  .data : ALIGN(8) { __data_start = .; *(.data .data.*) __data_end = .; } > ram AT > rom :var
  __data_load = LOADADDR(.data);
  .bss : { *(.bss .bss.*) *(COMMON) . = ALIGN(16); __bss_end = .; } > ram :zero
  PROVIDE(__stack_size = 0x4000);
  PROVIDE(never_used = 0x1234);
  ASSERT(__bss_end < ORIGIN(ram) + LENGTH(ram), "memory is full")
}
""", "image.ld")
image = linked("a whole image", "-T", "image.ld", "main.o", "--gc-sections", "-Map=map.txt")
if image:
    verdict("ENTRY", image.entry == image.symbols["_start"], hex(image.entry))
    verdict("machine is 233", image.machine == EM_LINX, image.machine)
    verdict("KEEP survives --gc-sections", image.read(0x20000000, 24) == b"V" * 24)
    verdict("--gc-sections drops the unreachable", "cold" not in image.symbols and b"CCCC" not in image.raw)
    verdict("--gc-sections keeps what is reachable through relocations", "y" in image.symbols)
    verdict("ALIGN", image.symbols["_start"] == 0x20000020, hex(image.symbols["_start"]))
    verdict("PROVIDE defines what is missing", image.symbols.get("__stack_size") == 0x4000)
    verdict("PROVIDE leaves the unused out", "never_used" not in image.symbols)
    sym = image.symbols
    verdict("alignment of .bss and COMMON", sym["y"] % 64 == 0 and sym["common"] % 32 == 0 and sym["__bss_end"] % 16 == 0)
    verdict("LOADADDR lies in rom", 0x20000000 <= sym["__data_load"] < 0x20010000, hex(sym["__data_load"]))
    load = [s for s in image.segments if s[0] == 1]
    verdict("load segments: rom r-x, ram rw-", [(s[1], s[3] >> 28) for s in load] == [(5, 2), (6, 8), (6, 8)], load)
    verdict("the load address of ram data is in rom", load[1][4] == sym["__data_load"])
    text = (bench.dir / "map.txt").read_text()
    verdict("the map file lists memory, sections, objects, symbols and what was dropped",
            all(re.search(p, text) for p in (r"\brom\s+0x0*20000000", r"\.text\._start\s+0x0*20000020", r"main\.o",
                                             r"Discarded input sections[\s\S]*\.text\.cold", r"__bss_end = \.")))
kept = linked("without --gc-sections", "-T", "image.ld", "main.o")
verdict("without --gc-sections nothing is dropped", kept and "cold" in kept.symbols)
bench.file("full.ld", (bench.dir / "image.ld").read_text().replace("__bss_end < ORIGIN(ram)", "__bss_end < 1 - 0 * ORIGIN(ram)"))
refused("ASSERT stops the link with its text", r"memory is full", "-T", "full.ld", "main.o")
status, out, _ = bench.link("-T", "image.ld", "main.o", "--print-memory-usage")
verdict("--print-memory-usage", status == 0 and re.search(r"ram:\s+\d+ B\s+1 MB", out), out)

# ---- no script: the built-in one starts at the board's RAM
image = linked("the built-in script", "main.o", "--defsym=__stack_size=1")
verdict("the built-in script links for RAM at 0x80000000", image and image.entry >> 28 == 8, image and hex(image.entry))

# ---- archives
unit("a.o", calls=["b"], defines=["_start"])
unit("b.o", calls=["c"], defines=["b"])
unit("c.o", defines=["c"])
unit("other.o", defines=["other"])
unit("back.o", calls=["c"], defines=["back"])
ar = BIN / "linx-ar"
p = bench.run(ar, "rcs", "lib.a", "c.o", "other.o", "b.o")
verdict("linx-ar makes an archive", p.returncode == 0 and (bench.dir / "lib.a").exists(), p.stderr)
image = linked("archive members", "a.o", "lib.a")
verdict("an archive gives the members that are needed, no other", image and {"b", "c"} <= image.symbols.keys() and "other" not in image.symbols)
(bench.dir / "libz.a").write_bytes((bench.dir / "lib.a").read_bytes())
verdict("-L and -l find an archive", linked("-L -l", "a.o", "-L.", "-lz") is not None)
image = linked("--whole-archive", "a.o", "--whole-archive", "lib.a")
verdict("--whole-archive takes every member", image and "other" in image.symbols)
bench.run(ar, "rcs", "one.a", "b.o")
bench.run(ar, "rcs", "two.a", "c.o")
refused("archives are searched once, in order", r"undefined reference to `c'", "a.o", "two.a", "one.a", *NO_SYM)
verdict("--start-group searches again", linked("group", "a.o", "--start-group", "two.a", "one.a", "--end-group") is not None)
image = linked("-u", "c.o", "lib.a", "-u", "other", *NO_SYM)
verdict("-u pulls a member in", image and "other" in image.symbols)
bench.run(ar, "rcST", "noindex.a", "c.o", "b.o")
refused("a missing library is named", r"cannot find -lnothere", "a.o", "-lnothere")
unit("rv.o", defines=["b"], machine=243)
bench.run(ar, "rcs", "rv.a", "rv.o")
refused("an archive of another machine does not satisfy", r"rv\.a.*(incompatible|not recognized|wrong format)|undefined reference to `b'", "a.o", "rv.a", *NO_SYM)

# ---- symbols
refused("an undefined symbol is named with object, section and offset", r"a\.o: in function `_start':\n.*\(\.text\+0x8\): undefined reference to `b'", "a.o", *NO_SYM)
unit("dup.o", defines=["c"])
refused("a duplicate definition names both objects", r"dup\.o: in function `c'[\s\S]*multiple definition of `c'; c\.o", "c.o", "dup.o", *NO_SYM)
weak = Object()
body = weak.section(".text", b"W" * 8)
weak.symbol("c", body, 0, bind=2)
bench.file("weak.o", weak)
image = linked("weak and strong", "weak.o", "c.o", *NO_SYM)
verdict("a strong definition beats a weak one", image and image.read(image.symbols["c"], 8) == bytes(8))
image = linked("--defsym", "b.o", "--defsym=c=0x1234", *NO_SYM)
verdict("--defsym", image and image.symbols["c"] == 0x1234)
image = linked("--wrap", "b.o", "c.o", "--wrap=c", "--defsym=__wrap_c=0x77", *NO_SYM)
verdict("--wrap", image and image.u64(image.symbols["b"] + 8) == 0x77)
status, out, _ = bench.link("b.o", "c.o")
verdict("a missing entry symbol is a warning", status == 0 and "cannot find entry symbol _start" in out, out)
image = linked("--strip-all", "main.o", "--defsym=__stack_size=1", "-s")
verdict("-s leaves no symbols", image and not image.symbols)

# ---- regions, scripts
script("MEMORY { ram : ORIGIN = 0x80000000, LENGTH = 32 } SECTIONS { .text : { *(.text) } > ram .data : { *(.data) } > ram }", "small.ld")
unit("big.o", text=100, data=8)
refused("region overflow names section and region", r"section `\.text' will not fit in region `ram'[\s\S]*region `ram' overflowed by 80 bytes", "-T", "small.ld", "big.o", *NO_SYM)
script("SECTIONS { .text : { *(.text) } > nowhere }", "noregion.ld")
status, out, _ = bench.link("-T", "noregion.ld", "c.o", *NO_SYM)
verdict("an undeclared region is named in a warning", re.search(r"noregion\.ld:1: warning: memory region `nowhere' not declared", out), out)
script("SECTIONS { .text : { *(.text)\n\n } .data : {{ }", "syntax.ld")
refused("a syntax error in a script has file and line", r"syntax\.ld:3: syntax error", "-T", "syntax.ld", "c.o")
refused("a missing script is named", r"cannot open linker script file none\.ld", "-T", "none.ld", "c.o")
script("SECTIONS { .text 0x80000000 : { *(.text) } .data 0x80000004 : { *(.data) } }", "overlap.ld")
unit("both.o", text=16, data=16)
refused("overlapping sections are named", r"section \.data .* overlaps section \.text", "-T", "overlap.ld", "both.o", *NO_SYM)
script("SECTIONS { . = 0x80000000; .text : { *(.text) } x = no_such_symbol; }", "undef.ld")
refused("an undefined symbol in a script is named", r"undef\.ld:1: undefined symbol `no_such_symbol'", "-T", "undef.ld", "c.o", *NO_SYM)
script("SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.data) } }", "discard.ld")
ref = Object()
body = ref.section(".text", bytes(8))
gone = ref.section(".data", bytes(8), ALLOC | WRITE)
ref.symbol("gone", gone)
ref.reloc(body, 0, ABS64, "gone")
bench.file("ref.o", ref)
refused("a reference into a discarded section is refused", r"`gone' referenced in section `\.text' of ref\.o: defined in discarded section `\.data' of ref\.o", "-T", "discard.ld", "ref.o", *NO_SYM)

# ---- bad input
refused("an object of another machine is refused by name", r"rv\.o", "rv.o", "a.o", *NO_SYM)
with_reloc = unit("rvr.o", calls=["c"], machine=243)
refused("an object of another machine with relocations is refused by name", r"rvr\.o.*EM: 243|rvr\.o: file (in wrong format|not recognized)", "rvr.o", "c.o", *NO_SYM)
small = Object(elf_class=1)
small.section(".text", bytes(8))
bench.file("elf32.o", small)
refused("a 32-bit object is refused", r"elf32\.o", "elf32.o", *NO_SYM)
refused("a missing object is named", r"cannot find missing\.o", "missing.o")
bench.file("text.o", "this is no object and no linker script: {{{\n")
refused("a text file is refused", r"text\.o:1: syntax error|text\.o: file format not recognized", "text.o")
whole = (bench.dir / "main.o").read_bytes()
bench.file("short.o", whole[:len(whole) // 2])
refused("a truncated object is refused", r"short\.o", "short.o", *NO_SYM)
broken = bytearray(whole)
broken[0x28:0x30] = (1 << 60).to_bytes(8, "little")
bench.file("broken.o", bytes(broken))
refused("an object with a wild section table is refused", r"broken\.o", "broken.o", *NO_SYM)
refused("an unknown option is named", r"unrecognized option '--no-such-option'", "--no-such-option", "c.o")
refused("no input", r"no input files")
refused("an unknown emulation is named", r"unrecogni[sz]ed emulation mode: elf64lriscv", "-m", "elf64lriscv", "c.o")
refused("a shared library is refused", r"-shared|not supported", "-shared", "c.o")

# ---- other things that images need
s1, s2 = Object(), Object()
for name, obj in (("s1.o", s1), ("s2.o", s2)):
    pool = obj.section(".rodata.str", b"one\0" + name.encode() + b"\0same text\0", ALLOC | MERGE | STRINGS, align=1, entsize=1)
    use = obj.section(".text", bytes(16))
    obj.reloc(use, 0, ABS64, pool, len(name) + 5)   # "same text"
    obj.reloc(use, 8, ABS64, pool, 4)               # the object's own name
    bench.file(name, obj)
image = linked("merged strings", "s1.o", "s2.o", *NO_SYM)
if image:
    base = image.sections[".text"][0]
    w = [image.u64(base + 8 * i) for i in range(4)]
    verdict("equal strings are merged and references follow", w[0] == w[2] and image.read(w[0], 9) == b"same text" and
            image.read(w[1], 4) == b"s1.o" and image.read(w[3], 4) == b"s2.o", w)
bench.file("blob.bin", b"\1\2\3payload")
image = linked("binary", "-b", "binary", "blob.bin", *NO_SYM)
verdict("-b binary embeds a file", image and image.read(image.symbols["_binary_blob_bin_start"], 10) == b"\1\2\3payload")
tls = Object()
init = tls.section(".tdata", b"T" * 16, ALLOC | WRITE | TLS, align=16)
zero = tls.section(".tbss", flags=ALLOC | WRITE | TLS, kind=NOBITS, size=64, align=64)
tls.symbol("t1", init, 8, kind=6)
tls.symbol("t2", zero, 32, kind=6)
use = tls.section(".text", bytes(16))
tls.reloc(use, 0, rels["TLS_TPREL64"][0], "t1")
tls.reloc(use, 8, rels["TLS_TPREL64"][0], "t2")
bench.file("tls.o", tls)
image = linked("TLS", "tls.o", *NO_SYM)
if image:
    base = image.sections[".text"][0]
    segment = [s for s in image.segments if s[0] == 7]
    verdict("TLS offsets count from the start of the block", [image.u64(base), image.u64(base + 8)] == [8, 64 + 32], "")
    verdict("the TLS segment: 16 bytes of image, aligned to 64", len(segment) == 1 and segment[0][5] == 16 and segment[0][7] == 64, segment)
bench.file("notls.o", unit("plain.o", calls=["c"]) and (bench.dir / "plain.o").read_bytes())
no = Object()
use = no.section(".text", bytes(8))
no.symbol("c")
no.reloc(use, 0, rels["TLS_TPREL64"][0], "c")
bench.file("notls.o", no)
refused("a TLS reference without a TLS section is refused", r"notls\.o:\(\.text\+0x0\): R_LINX_TLS_TPREL64 against `c': the output has no thread-local section", "notls.o", "c.o", *NO_SYM)
init = Object()
body = init.section(".text", bytes(8))
init.symbol("f", body)
for i, prio in enumerate((".init_array.00200", ".init_array.00100", ".init_array")):
    s = init.section(prio, bytes(8), ALLOC | WRITE)
    init.reloc(s, 0, ABS64, "f", i)
bench.file("init.o", init)
script("SECTIONS { .text 0x80000000 : { *(.text) } .init_array : { KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*))) KEEP(*(.init_array)) } }", "init.ld")
image = linked("init_array", "-T", "init.ld", "init.o", "--gc-sections", *NO_SYM)
if image:
    data = image.sections[".init_array"][1]
    verdict("SORT_BY_INIT_PRIORITY", [data[i] for i in (0, 8, 16)] == [1, 0, 2], data.hex())
same = [bench.link("-T", "image.ld", "main.o", out=f"r{i}.elf")[2].raw for i in (1, 2)]
verdict("two links give the same bytes", same[0] == same[1])
p = bench.run(BIN / "linx-ld", "--help")
verdict("--help names target and emulation", p.returncode == 0 and "elf64-linx" in p.stdout and "elf64linx" in p.stdout)

# ---- the tools around it
bench.link("-T", "image.ld", "main.o", out="image.elf")
for tool, args, pattern in (("nm", ["image.elf"], r"[0-9a-f]{16} T _start"), ("size", ["image.elf"], r"\btext\b[\s\S]*image\.elf"),
                            ("nm", ["lib.a"], r"b\.o:[\s\S]*T b\b"), ("ar", ["t", "lib.a"], r"c\.o\nother\.o\nb\.o"),
                            ("readelf", ["-hlS", "image.elf"], r"Machine:\s+Linx")):
    p = bench.run(BIN / f"linx-{tool}", *args)
    verdict(f"linx-{tool} {' '.join(args)}", p.returncode == 0 and re.search(pattern, p.stdout), p.stdout[:300] + p.stderr[:300])
p = bench.run(BIN / "linx-objcopy", "-O", "binary", "-j", ".data", "image.elf", "data.bin")
verdict("linx-objcopy -O binary", p.returncode == 0 and (bench.dir / "data.bin").read_bytes()[:16] == b"D" * 16, p.stderr)
p = bench.run(BIN / "linx-objcopy", "--rename-section", ".data.x=.data.z", "main.o", "renamed.o")
image = p.returncode == 0 and Image(bench.dir / "renamed.o")
verdict("linx-objcopy keeps machine and relocations", image and image.machine == EM_LINX and
        len(image.relocs.get(".rela.text._start", [])) == 3, p.stderr)
p = bench.run(BIN / "linx-strip", "image.elf", "-o", "stripped.elf")
image = p.returncode == 0 and Image(bench.dir / "stripped.elf")
verdict("linx-strip leaves a loadable image", image and not image.symbols and image.entry and image.segments, p.stderr)
p = bench.run(BIN / "linx-ranlib", "lib.a")
verdict("linx-ranlib", p.returncode == 0, p.stderr)
