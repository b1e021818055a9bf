#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The command line of linx-cc: options, outputs, dependencies, errors."""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve() / "bin"
CC = BIN / "linx-cc"
TMP = None


def cc(*args, stdin=None):
    p = subprocess.run([str(CC), *map(str, args)], cwd=TMP, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, timeout=60)
    return p.returncode, p.stdout, p.stderr


def check(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {str(why).strip()[:300]!r}")


def put(name, text):
    (TMP / name).write_text(text)
    return name


def sections(obj):
    return subprocess.run(["llvm-readelf-19", "-S", "-W", TMP / obj], stdout=subprocess.PIPE, text=True).stdout


def informational():
    r, out, _ = cc("--version")
    check("--version", r == 0 and "linx-cc" in out and "linx64-unknown-elf" in out, out)
    r, out, _ = cc("--help")
    check("--help", r == 0 and all(w in out for w in ("-O2", "-nostdlib", "-MMD", "Inline assembly")), out)
    r, out, _ = cc("-dumpmachine")
    check("-dumpmachine", (r, out) == (0, "linx64-unknown-elf\n"), out)
    r, out, _ = cc("-print-prog-name=ld")
    check("-print-prog-name", r == 0 and out.strip().endswith("linx-ld"), out)
    r, out, _ = cc("-print-file-name=nothing.a")
    check("-print-file-name unknown", (r, out) == (0, "nothing.a\n"), out)


def errors():
    r, _, err = cc()
    check("no input", r == 1 and "no input files" in err, err)
    r, _, err = cc("-c", "absent.c")
    check("missing file is named", r == 1 and "absent.c" in err, err)
    r, _, err = cc("-c", "--no-such-option", put("e.c", "int x;\n"))
    check("unknown option is named", r == 1 and "--no-such-option" in err, err)
    for o in ("-march=rv64gc", "--target=x86_64-linux-gnu", "-mabi=lp64d", "-mcmodel=medany"):
        r, _, err = cc("-c", o, "e.c")
        check(f"{o} is refused", r == 1 and "the only target is linx64-unknown-elf" in err, err)
    r, _, err = cc("-c", "-flto", "e.c")
    check("-flto is refused", r == 1 and "-flto" in err, err)
    r, _, err = cc("-c", put("syntax.c", "int f(void) {\n  return 1 +;\n}\n"))
    check("syntax error has line and column", r == 1 and "syntax.c:2:13: error:" in err, err)
    check("failed job leaves no object", not (TMP / "syntax.o").exists())
    r, _, err = cc("-c", "-o", "two.o", "e.c", "syntax.c")
    check("-c -o with two files", r == 1 and "cannot specify -o" in err, err)
    r, _, err = cc("-c", put("asm.c", '\nvoid f(void) { __asm__("frobnicate a0"); }\n'))
    check("error in inline assembly", r == 1 and "asm.c:2:" in err and "frobnicate" in err, err)
    r, _, err = cc("-c", put("cons.c", 'void f(int x) { __asm__("" :: "Z"(x)); }\n'))
    check("unknown constraint", r == 1 and "constraint" in err, err)
    r, _, err = cc("-c", put("immed.c", 'void f(void) { __asm__("" :: "K"(5000)); }\n'))
    check("constant out of its constraint", r == 1 and "out of range" in err, err)
    r, _, err = cc("-c", put("bad.s", "  add a0, a1\n  nonsense\n"))
    check("error in assembly file", r == 1 and "bad.s:2" in err, err)
    r, _, err = cc("-c", "-Wall", "-Werror", put("warn.c", "int f(void) { int unused; return 0; }\n"))
    check("-Werror", r == 1 and "unused" in err and "1 error" in err, err)
    r, _, err = cc("-c", "-Wall", "warn.c")
    check("warning", r == 0 and "1 warning generated" in err, err)
    r, _, err = cc("-nostdlib", put("undef.c", "int g(void); int _start(void) { return g(); }\n"))
    check("undefined symbol at link", r == 1 and "undefined reference to `g'" in err, err)
    r, _, err = cc("-c", "--analyze", "e.c")
    check("unsupported output kind", r == 1, err)


MACROS = """
_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long double) == 8, "LP64");
_Static_assert((char)-1 > 0, "plain char is unsigned");
_Static_assert(sizeof(L' ') == 4 && (__WCHAR_TYPE__)-1 < 0, "wchar_t is int");
_Static_assert(_Alignof(__int128) == 16 && __BIGGEST_ALIGNMENT__ == 16, "alignment");
#ifdef __riscv
#error __riscv
#endif
#if !defined __linx__ || !defined __linx64__ || !defined __LP64__ || !defined __ELF__
#error macros
#endif
#if __linx_xlen != 64 || __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 != 1
#error values
#endif
"""


def language():
    r, _, err = cc("-fsyntax-only", put("macros.c", MACROS))
    check("types and macros", r == 0, err)
    r, out, _ = cc("-dM", "-E", "-x", "c", "/dev/null")
    check("no macro of another target", "riscv" not in out.lower() and "#define __linx__ 1" in out, out[:200])
    for std, want in (("c99", "199901L"), ("c17", "201710L"), ("gnu11", "201112L")):
        r, out, _ = cc(f"-std={std}", "-E", "-P", put("std.c", "__STDC_VERSION__\n"))
        check(f"-std={std}", want in out, out)
    put("inc.h", "#define FROM_HEADER 5\n")
    os.makedirs(TMP / "dir", exist_ok=True)
    put("dir/deep.h", "#define DEEP 6\n")
    r, out, err = cc("-E", "-P", "-I", "dir", "-include", "inc.h", "-DA=1", "-DB", "-UB",
                     put("pre.c", '#include "deep.h"\nFROM_HEADER DEEP A\n#ifdef B\nbad\n#endif\n'))
    check("-I -include -D -U", out.split() == ["5", "6", "1"], out + err)
    r, out, err = cc("-S", "-x", "c", "-", "-o", "-", stdin="int f(void) { return 3; }\n")
    check("source from standard input", r == 0 and "f:" in out and "c.movi" in out, err)
    r, _, err = cc("-fsyntax-only", put("headers.c", "#include <stddef.h>\n#include <stdint.h>\n#include <stdarg.h>\n"
                                        "#include <stdbool.h>\n#include <limits.h>\n#include <float.h>\n#include <stdatomic.h>\n"
                                        "#include <stdalign.h>\n#include <stdnoreturn.h>\nint64_t x = INT64_MAX;\n"), "-ffreestanding")
    check("freestanding headers", r == 0, err)


def outputs():
    put("f.c", "int g(int); int data = 4; static int unused(void) { return 1; }\nint f(int x) { return g(x) + data; }\nint h(void) { return unused(); }\n")
    r, _, err = cc("-c", "f.c")
    obj = (TMP / "f.o").read_bytes() if (TMP / "f.o").exists() else b""
    check("-c names the object", r == 0 and obj[:4] == b"\x7fELF", err)
    check("machine number 233, 64-bit, little endian", obj[4:6] == b"\2\1" and obj[18:20] == (233).to_bytes(2, "little"))
    r, _, err = cc("-S", "f.c", "-O2")
    text = (TMP / "f.s").read_text()
    check("-S names the assembly", r == 0 and "BSTART.STD\tCALL, g" in text, err)
    r, _, err = cc("-c", "f.s", "-o", "fs.o")
    r2, _, _ = cc("-c", "-O2", "f.c", "-o", "fc.o")
    dump = [subprocess.run(["llvm-objcopy-19", "-O", "binary", "--only-section=.text", TMP / o, TMP / (o + ".bin")]).returncode
            for o in ("fs.o", "fc.o")]
    same = (TMP / "fs.o.bin").read_bytes() == (TMP / "fc.o.bin").read_bytes()
    check("assembly output assembles to the same code", r == 0 and r2 == 0 and dump == [0, 0] and same, err)
    r, out, err = cc("-S", "-emit-llvm", "-O1", "f.c", "-o", "-")
    check("-emit-llvm", r == 0 and 'target triple = "linx64-unknown-elf"' in out and "riscv" not in out, out[-300:])
    (TMP / "f.ll").write_text(out)
    r, _, err = cc("-c", "f.ll", "-o", "fll.o")
    check("LLVM IR as input", r == 0 and (TMP / "fll.o").exists(), err)
    cc("-c", "-O2", "-ffunction-sections", "-fdata-sections", "f.c", "-o", "sec.o")
    s = sections("sec.o")
    check("-ffunction-sections -fdata-sections", ".text.f " in s and ".text.h " in s and ".data.data " in s, s)
    cc("-c", "-g", "f.c", "-o", "dbg.o")
    s = sections("dbg.o")
    check("-g", ".debug_line" in s and ".debug_info" in s and ".debug_frame" in s, s)
    cc("-c", "-funwind-tables", "f.c", "-o", "uw.o")
    check("-funwind-tables", ".eh_frame" in sections("uw.o") and ".eh_frame" not in sections("f.o"))
    put("p.S", "#ifndef __ASSEMBLER__\n#error\n#endif\n#define SIZE 24\n.globl q\nq:\n C.BSTART.STD RET\n addi a0, SIZE, ->a0\n c.setc.tgt ra\n")
    r, _, err = cc("-c", "p.S")
    check("assembly with preprocessor", r == 0 and (TMP / "p.o").exists(), err)
    r, _, err = cc("-c", "f.c", "p.S")
    check("several files at once", r == 0 and (TMP / "p.o").exists(), err)
    r, _, err = cc("-c", "-save-temps", "f.c")
    check("-save-temps", r == 0 and (TMP / "f.i").exists() and (TMP / "f.s").exists(), err)


def dependencies():
    put("dep.c", '#include "inc.h"\nint x = FROM_HEADER;\n')
    r, _, err = cc("-c", "-MMD", "-MP", "dep.c", "-o", "dep.o")
    d = (TMP / "dep.d").read_text() if (TMP / "dep.d").exists() else ""
    check("-MMD -MP", r == 0 and d.startswith("dep.o:") and "inc.h:" in d, d + err)
    r, _, err = cc("-c", "-MD", "-MF", "other.d", "-MT", "goal", "dep.c")
    d = (TMP / "other.d").read_text() if (TMP / "other.d").exists() else ""
    check("-MD -MF -MT", r == 0 and d.startswith("goal:"), d + err)
    r, out, _ = cc("-MM", "dep.c")
    check("-MM", out.split() == ["dep.o:", "dep.c", "inc.h"], out)


def linking():
    put("l.ld", "ENTRY(_start) SECTIONS { . = 0x80000000; .text : { *(.text .text.*) } .data : { *(.data .bss) } }\n")
    put("s.c", "int f(int x) { return x; } void _start(void) { f(1); }\n")
    r, _, err = cc("-###", "-nostdlib", "-T", "l.ld", "s.c", "-L", "dir", "-lx", "-Wl,--gc-sections,-Map=m.map", "-o", "out.elf")
    line = err.strip().splitlines()[-1]
    check("-### shows the linker's line", r == 0 and "linx-ld" in line and "--gc-sections" in line and "-Map=m.map" in line
          and '"-Ldir"' in line and '"-lx"' in line and '"l.ld"' in line and "riscv" not in line and "crt0" not in line, line)
    check("-### runs nothing", not (TMP / "out.elf").exists())
    r, _, err = cc("-nostdlib", "-T", "l.ld", "s.c", "-Wl,-Map=m.map", "-o", "out.elf")
    check("compile and link", r == 0 and (TMP / "out.elf").exists() and "_start" in (TMP / "m.map").read_text(), err)
    r, _, err = cc("-r", "-nostdlib", "s.c", "f.c", "-o", "r.o")
    check("-r with a clash of names", r == 1 and "multiple definition of `f'" in err, err)
    put("args", "-c -O2 -DFLAG=1 'with space.c' -o resp.o\n")
    put("with space.c", "int x = FLAG;\n")
    r, _, err = cc("@args")
    check("response file, name with a space", r == 0 and (TMP / "resp.o").exists(), err)
    r, _, err = cc("-v", "-c", "s.c")
    check("-v shows the job", r == 0 and "-cc1" in err and "Target: linx64-unknown-elf" in err, err)


def main():
    global TMP
    if not CC.exists():
        print("skip cc/driver: linx-cc is not built")
        return 0
    with tempfile.TemporaryDirectory() as t:
        TMP = pathlib.Path(t)
        for group in (informational, errors, language, outputs, dependencies, linking):
            group()
    return 0


sys.exit(main())
